"""report.html: the study on one page that needs nothing else."""
import html

import charts
from measure import REGIONS

MIB = 1 << 20
HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Who holds the buffer?</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .15em .7em; }
td { text-align: right; } td:first-child, th { text-align: left; }
tr { border-bottom: 1px solid #8884; } .pair { display: flex; flex-wrap: wrap; gap: 1em; }
</style>
"""
BLOCKS = {"study": "the study's blocks: one record each, capacities in powers of two",
          "shipping": "shipping blocks and capacities"}


def table(heads, rows):
    head = "".join(f"<th>{html.escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
                   for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>\n"


class Page:
    """`summary`: by (block, condition, policy); `virtual`: runs by the same."""

    def __init__(self, plan, environment, summary, virtual):
        self.plan, self.environment, self.virtual = plan, environment, virtual
        self.summary = {(each["block"], each["condition"], each["policy"]): each
                        for each in summary}

    def figure(self, block, condition, policy, metric, unit=1.0):
        found = self.summary.get((block, condition, policy))
        return found and tuple(found[metric][each] / unit for each in ("median", "min", "max"))

    def bars(self, block, condition, metric, unit_name, unit=1.0, digits=1):
        rows = [(policy, *figure) for policy in self.plan["policies"]
                if (figure := self.figure(block, condition, policy, metric, unit))]
        return charts.bars(rows, unit_name, f"{metric}, {condition}", digits) if rows else ""

    def peaks(self, block, condition):
        rows = []
        for policy in self.plan["policies"]:
            peak = self.figure(block, condition, policy, "peak_managed_bytes", MIB)
            if peak:
                parts = [self.figure(block, condition, policy, f"peak_{region}", MIB)[0]
                         for region in REGIONS]
                rows.append((policy, parts, peak[0]))
        return charts.stacks(rows, REGIONS, "MiB", f"peaks, {condition}") if rows else ""

    def retention(self, block, condition):
        held = 1 + REGIONS.index("input"), 1 + REGIONS.index("record")
        series = [(policy, [(point[0], sum(point[at] for at in held) / MIB) for point in
                            self.virtual[block, condition, policy]["series"]])
                  for policy in self.plan["policies"] if (block, condition, policy) in self.virtual]
        return charts.lines(series, "ms", "MiB held", f"held over time, {condition}") if series \
            else ""

    def beside_the_study(self):
        published, rows = self.plan["published"], []
        for condition, peaks in published["peak_mib"].items():
            for policy, peak in peaks.items():
                own = self.figure("study", condition, policy, "peak_managed_bytes", MIB)
                copied = self.figure("study", condition, policy, "copied_bytes", MIB)
                elapsed = self.figure("study", condition, policy, "elapsed_ms")
                virtual = self.virtual.get(("study", condition, policy))
                rows.append((
                    condition, policy, f"{peak:.3f}",
                    f"{virtual['peak_managed_bytes'] / MIB:.3f}" if virtual else "-",
                    f"{own[0]:.3f}" if own else "-",
                    published["copied_mib"].get(condition, {}).get(policy, "-"),
                    f"{copied[0]:.3f}" if copied else "-",
                    published["ms"].get(condition, {}).get(policy, "-"),
                    f"{virtual['time_ns'] / 1e6:.1f}" if virtual else "-",
                    f"{elapsed[0]:.1f}" if elapsed else "-"))
        return table(("condition", "policy", "peak MiB: published", "virtual", "measured",
                      "copied MiB: published", "measured", "ms: published", "virtual", "measured"),
                     rows)

    def latencies(self, block, condition):
        sinks = next(each["sinks"] for each in self.plan["conditions"]
                     if each["name"] == condition)
        rows = []
        for policy in self.plan["policies"]:
            if (block, condition, policy) not in self.summary:
                continue
            cells = []
            for number in range(len(sinks)):
                cells.append(" / ".join(
                    f"{self.figure(block, condition, policy, f's{number}_{each}_ms')[0]:.2f}"
                    for each in ("p50", "p99", "max")))
            seconds = self.figure(block, condition, policy, "original_byte_seconds")[0]
            rows.append((policy, f"{seconds:,.0f}", *cells))
        names = [f"{select}, {hold} ms: p50 / p99 / max" for select, hold in sinks]
        return table(("policy", "originals' byte-seconds", *names), rows)

    def condition(self, block, name):
        return (f"<h3>{html.escape(name)}</h3>\n"
                f"<p>Peak of managed memory (the line), and each region's own peak:</p>"
                f"{self.peaks(block, name)}"
                f"<p>Copied:</p>{self.bars(block, name, 'copied_bytes', 'MiB', MIB, 3)}"
                f"<p>Time, with its range:</p>{self.bars(block, name, 'elapsed_ms', 'ms')}"
                f"<p>Originals and copies held, in virtual time:</p>{self.retention(block, name)}"
                f"{self.latencies(block, name)}")

    def html(self):
        own = self.environment
        parts = [HEAD, charts.STYLE, "</head><body>\n<h1>Who holds the buffer?</h1>\n",
                 f"<p>{html.escape(own['sluice'] or '')}; {html.escape(own['processor'])}, "
                 f"{html.escape(own['system'])}; {self.plan['repeats']} repeats, medians. Peaks of "
                 "regions come at different times and do not add up. Quantiles of latency are at "
                 "most 12.5 % too high.</p>\n<h2>Beside the published figures</h2>\n",
                 self.beside_the_study()]
        for block in self.plan["blocks"]:
            parts.append(f"<h2>On {BLOCKS[block]}</h2>\n")
            parts += [self.condition(block, each["name"]) for each in self.plan["conditions"]]
        return "".join(parts) + "</body></html>\n"
