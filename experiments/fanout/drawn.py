"""Drawn conditions in virtual time: how often `auto` is beaten, and by how much it misses the best.

The rule of the draws is in RULE.md."""
import concurrent.futures
import csv
import json
import math
import statistics
import subprocess

import virtual

POLICIES = ("auto", "borrow", "compact", "copy", "copy_no_pool", "shared_copy", "threshold2",
            "threshold8")  # in the order in which the model runs them
CHUNK = 25  # conditions a call of the model
SAME_TIME = 1.001  # what the virtual clock's rounding of costs a record may add up to
MARGIN = 0.95  # "more than 5 % smaller"
NEAR = 1.05
COLUMNS = ("seed", "condition", "policy", "budget_bytes", "peak_managed_bytes", "copied_bytes",
           "time_ns", "original_byte_seconds")


def wrong(run):
    if run.get("stuck"):
        return True
    if run["outstanding_bytes"] or run["peak_managed_bytes"] > run["budget_bytes"]:
        return True
    return any(records != run["records_in"] for records in run["records"])


def runs_of(model, seed, start, end):
    """Runs of these conditions. Where one does not end, a run that says so stands for it and those of
    the policies behind it."""
    found = []
    while start < end:
        try:
            return found + virtual.runs(model, "drawn", "--seed", seed, "--from", start, "--count",
                                        end - start)
        except subprocess.CalledProcessError as error:
            some = [json.loads(line) for line in error.stdout.splitlines()]
            # In the order in which the model takes them, which may have more than are compared.
            taken = list(dict.fromkeys(run["policy"] for run in some)) or list(POLICIES)
            whole, behind = divmod(len(some), max(len(taken), len(POLICIES)))
            start += whole
            stuck = taken[behind] if behind < len(taken) else "unknown"
            found += some + [{"condition": str(start), "policy": stuck, "stuck": True}]
            start += 1
    return found


def draw(model, seeds, conditions, jobs, say=lambda words: None):
    """{seed: its runs}; the chunks of all draws run `jobs` at once."""
    chunks = [(seed, start) for seed in seeds for start in range(0, conditions, CHUNK)]

    def one(chunk):
        seed, start = chunk
        count = min(CHUNK, conditions - start)
        return runs_of(model, seed, start, start + count)

    found = {seed: [] for seed in seeds}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (seed, start), some in zip(chunks, pool.map(one, chunks)):
            found[seed] += some
            if start + CHUNK >= conditions:
                say(f"draw {seed}: {len(found[seed])} runs")
    return found


def by_condition(runs):
    """Those that all policies brought to an end; others than those compared do not count."""
    conditions = {}
    for run in runs:
        if not run.get("stuck") and run["policy"] in POLICIES:
            conditions.setdefault(run["condition"], {})[run["policy"]] = run
    return [policies for policies in conditions.values() if len(policies) == len(POLICIES)]


def beats(other, own):
    """No worse in peak, time and copied bytes, and more than 5 % better in peak or time."""
    no_worse = (other["peak_managed_bytes"] <= own["peak_managed_bytes"] and
                other["copied_bytes"] <= own["copied_bytes"] and
                other["time_ns"] <= own["time_ns"] * SAME_TIME)
    return no_worse and (other["peak_managed_bytes"] < MARGIN * own["peak_managed_bytes"] or
                         other["time_ns"] < MARGIN * own["time_ns"])


class Standing:
    """How one policy does over the conditions of a draw, against the best of all."""

    def __init__(self, policy, conditions):
        peaks, times, near, self.beaten_in = [], [], 0, []
        for runs in conditions:
            own = runs[policy]
            peak = own["peak_managed_bytes"] / min(r["peak_managed_bytes"] for r in runs.values())
            time = own["time_ns"] / min(run["time_ns"] for run in runs.values())
            peaks.append(math.log(peak))
            times.append(math.log(time))
            near += peak <= NEAR and time <= NEAR
            if any(beats(other, own) for name, other in runs.items() if name != policy):
                self.beaten_in.append(own["condition"])
        self.beaten = len(self.beaten_in) / len(conditions)
        self.peak = math.exp(statistics.fmean(peaks))
        self.time = math.exp(statistics.fmean(times))
        self.near = near / len(conditions)
        self.copied_mib = sum(runs[policy]["copied_bytes"] for runs in conditions) / (1 << 20)


def mean(standings, name):
    return statistics.fmean(getattr(each, name) for each in standings)


def table(draws):
    """Markdown: policies by how often they are beaten, means over the draws."""
    policies = sorted(draws[0], key=lambda policy: -mean([d[policy] for d in draws], "near"))
    rows = ["| policy | peak / best of all | time / best | copied MiB a draw | both within 5 % | "
            "beaten by another, of 1,000 |", "|---|---:|---:|---:|---:|---:|"]
    for policy in policies:
        each = [standings[policy] for standings in draws]
        rows.append(f"| `{policy}` | {mean(each, 'peak'):.3f} | {mean(each, 'time'):.4f} | "
                    f"{mean(each, 'copied_mib'):,.0f} | {mean(each, 'near') * 100:.1f} % | "
                    f"{mean(each, 'beaten') * 1000:.1f} |")
    return "\n".join(rows) + "\n"


def judge(runs):
    """{policy: Standing} of one draw."""
    conditions = by_condition(runs)
    return {policy: Standing(policy, conditions) for policy in conditions[0]}


def run(options, model, output):
    """Draws, judges and writes all of it down. Whether every run was right."""
    found = draw(model, range(options.draws), options.conditions, options.jobs,
                 lambda words: print(words, flush=True))
    failed = [run for runs in found.values() for run in runs if wrong(run)]
    draws = [judge(runs) for runs in found.values()]
    with open(output / "runs.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
        writer.writeheader()
        for seed, runs in found.items():
            writer.writerows({"seed": seed, **run} for run in runs)
    beaten = {seed: standings["auto"].beaten_in for seed, standings in zip(found, draws)}
    (output / "beaten.json").write_text(json.dumps(beaten, indent=1) + "\n", encoding="utf-8")
    summary = (f"{options.draws} draws of {options.conditions} conditions.\n\n{table(draws)}\n"
               "`auto` is beaten, draw by draw: " +
               " ".join(str(len(conditions)) for conditions in beaten.values()) + ".\n")
    for seed, runs in found.items():
        for each in filter(lambda run: run.get("stuck"), runs):
            summary += (f"Condition {each['condition']} of draw {seed} does not end under "
                        f"`{each['policy']}`.\n")
    (output / "summary.md").write_text(summary, encoding="utf-8")
    print(summary)
    print(f"{sum(map(len, found.values()))} runs, {len(failed)} failed; {output}/summary.md")
    return not failed
