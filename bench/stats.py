"""Medians, intervals and tables. Means are useless here: on a shared machine some runs take several
times as long as the rest."""
import csv
import math
import statistics


def interval_of_median(values):
    """The 95 % interval of the median by order statistics; asks nothing of the distribution."""
    ordered = sorted(values)
    count = len(ordered)
    tail, below = 0.0, -1
    while tail + math.comb(count, below + 1) / 2**count <= 0.025:
        below += 1
        tail += math.comb(count, below) / 2**count
    below = max(below, 0)
    return ordered[below], ordered[count - 1 - below]


def middle_half(values):
    quarters = statistics.quantiles(values, n=4)
    return quarters[0], quarters[2]


def paired_ratios(over, under):
    """over[i] / under[i] for the rounds that both took part in."""
    return [a / b for a, b in zip(over, under)]


def describe(ratios):
    low, high = interval_of_median(ratios)
    return f"{statistics.median(ratios):.2f}", f"{low:.2f}-{high:.2f}"


def describe_ratio(over, under):
    return describe(paired_ratios(over, under))


def print_table(title, heads, rows):
    """The first column is text and left-aligned, the others are right-aligned."""
    cells = [heads, *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]
    print(f"\n{title}")
    for row in cells:
        first = row[0].ljust(widths[0])
        rest = "  ".join(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))
        print(f"  {first}  {rest}".rstrip())


def write_csv(path, heads, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows(rows)
    print(f"\nraw rows: {path}")
