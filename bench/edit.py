"""A small edit of a document of 100 MB, beside reading the document again."""
import statistics
import subprocess

import stats

STEPS = ("read the document", "patch a record in its middle", "merge one member into it",
         "write all of it", "read it again instead")


def run(bench):
    answer = subprocess.run([bench.program("edit_sluice"), str(bench.rounds)], check=True,
                            text=True, stdout=subprocess.PIPE).stdout
    rounds = [line.split() for line in answer.splitlines()]
    seconds = [[float(row[step]) for row in rounds] for step in range(len(STEPS))]
    text_bytes, index_bytes, edit_bytes = map(int, rounds[-1][len(STEPS):])
    reading = seconds[-1]
    rows = [[step, f"{statistics.median(taken) * 1e3:,.3f}",
             *stats.describe_ratio(reading, taken)] for step, taken in zip(STEPS, seconds)]
    stats.print_table(f"edits of {text_bytes / 1e6:.0f} MB", ["", "ms", "x reading again", "95 %"],
                      rows)
    print(f"index: {index_bytes / 1e6:.1f} MB, {index_bytes / text_bytes:.2f} bytes a byte of text;"
          f" edits: {edit_bytes:,} bytes")
    stats.write_csv(bench.results / "edit.csv", ["step", "round", "seconds"],
                    [[step, index, taken] for step, all_taken in zip(STEPS, seconds)
                     for index, taken in enumerate(all_taken)])
