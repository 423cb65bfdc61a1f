#!/usr/bin/env python3
"""The study of who holds the buffer, as one command.

run.py --check-only     small runs with expectations of their own; ends with `N groups, F failed`
run.py --output DIR     six conditions, eight policies, five repeats, into a new directory
run.py --streams DIR    records that arrive on a schedule, pipes and sockets, into a new directory
run.py --drawn DIR      ten draws of 1,000 conditions in virtual time, into a new directory

Exit code 0: everything was right; 1: something was wrong; 2: nothing was started."""
import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile

import check_groups
import drawn
import fixtures
import measure
import report_page
import results
import streams
import virtual

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RELEASE = ROOT / "build" / "release"


def write_json(path, what):
    path.write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")


def read_plan(options):
    plan = json.loads(options.plan.read_text(encoding="utf-8"))
    if options.repeats:
        plan["repeats"] = options.repeats
    if options.policies:
        plan["policies"] = options.policies.split(",")
    return plan


def study(options, programs, output):
    """The six conditions. Whether all was right."""
    plan = read_plan(options)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="fanout-"))
    try:
        made = fixtures.Fixtures(plan, programs["sluice-generate"], scratch)
        environment = results.environment(programs, ROOT, options.cpu, plan)
        model = programs["fanout-model"]
        simulated = virtual.six(model) if model.exists() else {}
        runner = measure.Runner(programs["sluice"], plan, made, scratch, options.cpu)
        verification = [runner.verify(case) for case in measure.cases(plan)]
        print(f"verified: {len(verification)} runs", flush=True)
        rows = measure.measure(runner, plan, lambda words: print(words, flush=True))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    summary = results.summarize(rows)
    failed = sum(bool(each["wrong"]) for each in verification + rows)
    write_json(output / "environment.json", environment)
    write_json(output / "fixtures.json", made.as_json())
    write_json(output / "verification.json", {
        "runs": len(verification) + len(rows), "failed": failed,
        "sha256_of_files_and_reports": verification,
        "crc32c_of_measured_runs": sum(not row["wrong"] for row in rows)})
    write_json(output / "summary.json", summary)
    results.write_csv(output / "raw.csv", rows)
    page = report_page.Page(plan, environment, summary, simulated)
    (output / "report.html").write_text(page.html(), encoding="utf-8")
    print(f"{len(verification) + len(rows)} runs, {failed} failed; {output}/report.html")
    return failed == 0


def read_options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--check-only", action="store_true", help="run the check groups")
    what.add_argument("--list-checks", action="store_true", help="print CHECKS.md")
    what.add_argument("--output", metavar="DIR", type=pathlib.Path, help="measure the six")
    what.add_argument("--streams", metavar="DIR", type=pathlib.Path, help="schedules and readers")
    what.add_argument("--drawn", metavar="DIR", type=pathlib.Path, help="drawn conditions")
    parser.add_argument("--only", default="", metavar="WORD", help="groups with WORD in their name")
    parser.add_argument("--sluice", type=pathlib.Path, default=RELEASE / "sluice")
    parser.add_argument("--generate", type=pathlib.Path, default=RELEASE / "sluice-generate")
    parser.add_argument("--model", type=pathlib.Path,
                        default=RELEASE / "experiments" / "fanout" / "model" / "fanout-model")
    parser.add_argument("--plan", type=pathlib.Path, default=HERE / "plan.json")
    parser.add_argument("--repeats", type=int, help="instead of the plan's")
    parser.add_argument("--policies", metavar="A,B", help="instead of the plan's")
    parser.add_argument("--draws", type=int, default=10, help="seeds 0 to N - 1")
    parser.add_argument("--conditions", type=int, default=1000, help="of each draw")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="draws at once")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)))
    return parser.parse_args()


def refused(sentence):
    print(f"run.py: {sentence}", file=sys.stderr)
    return 2


def main():
    options = read_options()
    if options.check_only:
        return check_groups.run(options.sluice, options.only)
    if options.list_checks:
        print(check_groups.listing(), end="")
        return 0
    programs = {"sluice": options.sluice.resolve(), "fanout-model": options.model.resolve(),
                "sluice-generate": options.generate.resolve()}
    needed = ["fanout-model"] if options.drawn else ["sluice", "sluice-generate"]
    for name in needed:
        if not os.access(programs[name], os.X_OK):
            return refused(f"{programs[name]} is not there: 'make build' makes it")
    output = options.output or options.streams or options.drawn
    try:
        output.mkdir(parents=True)
    except FileExistsError:
        return refused(f"{output} is there already: results go to a new directory only")
    except OSError as error:
        return refused(f"{output} cannot be made: {error.strerror}")
    if options.output:
        right = study(options, programs, output)
    elif options.streams:
        right = streams.run(read_plan(options), programs, output)
    else:
        right = drawn.run(options, programs["fanout-model"], output)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
