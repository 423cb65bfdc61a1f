"""Charts as SVG: stacked bars, bars with ranges, lines. Readable on light and dark pages."""
import html

LEFT, WIDTH, RIGHT = 110, 430, 110  # of labels, of the longest bar, of figures
BAR, GAP = 15, 5
COLOURS = ("#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#9d755d", "#808080")
STYLE = """<style>
svg text { font: 12px sans-serif; fill: currentColor; }
.axis { stroke: currentColor; opacity: .5; } .range { stroke: currentColor; stroke-width: 1.5; }
.bar { fill: #4c78a8; }
</style>"""


def text(x, y, words, anchor="start"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(str(words))}'
            "</text>")


def line(x1, y1, x2, y2, kind):
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def box(x, y, width, colour=None, title=""):
    fill = f' style="fill:{colour}"' if colour else ' class="bar"'
    return (f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}"{fill}>'
            f"<title>{html.escape(title)}</title></rect>")


def svg(width, height, parts, label):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{html.escape(label)}" '
            f'width="{width}" height="{height}">\n' + "\n".join(parts) + "\n</svg>\n")


def bars(rows, unit, label, digits=1):
    """`rows`: [(name, value, least, most)]; the range is drawn over the bar."""
    scale = WIDTH / (max(most for _, _, _, most in rows) or 1)
    parts, top = [], 2
    for name, value, least, most in rows:
        parts += [text(LEFT - 6, top + 12, name, "end"), box(LEFT, top, value * scale),
                  line(LEFT + least * scale, top + BAR / 2, LEFT + most * scale, top + BAR / 2,
                       "range"),
                  text(LEFT + most * scale + 6, top + 12, f"{value:,.{digits}f} {unit}")]
        top += BAR + GAP
    return svg(LEFT + WIDTH + RIGHT, top, parts, label)


def stacks(rows, names, unit, label):
    """`rows`: [(name, values by part, mark)]; the mark is a line with its figure."""
    scale = WIDTH / max(max(sum(values), mark) for _, values, mark in rows)
    parts, top = [], 2
    for name, values, mark in rows:
        parts.append(text(LEFT - 6, top + 12, name, "end"))
        left = LEFT
        for at, value in enumerate(values):
            title = f"{names[at]}: {value:.4f} {unit}"
            parts.append(box(left, top, value * scale, COLOURS[at % len(COLOURS)], title))
            left += value * scale
        at = LEFT + mark * scale
        parts += [line(at, top - 2, at, top + BAR + 2, "range"),
                  text(max(left, at) + 6, top + 12, f"{mark:.3f} {unit}")]
        top += BAR + GAP
    return svg(LEFT + WIDTH + RIGHT, top + 20, parts + legend(names, top + 2), label)


def legend(names, top, left=LEFT):
    parts = []
    for at, name in enumerate(names):
        parts.append(f'<rect x="{left}" y="{top}" width="10" height="10" '
                     f'style="fill:{COLOURS[at % len(COLOURS)]}"/>')
        parts.append(text(left + 14, top + 10, name))
        left += 24 + 7 * len(name)
    return parts


def lines(series, x_unit, y_unit, label, width=760, height=190):
    """`series`: [(name, [(x, y)])] on common axes from 0."""
    most_x = max((x for _, points in series for x, _ in points), default=1) or 1
    most_y = max((y for _, points in series for _, y in points), default=1) or 1
    left, top, bottom = 50, 8, height - 40
    parts = [line(left, bottom, width - 10, bottom, "axis"), line(left, top, left, bottom, "axis"),
             text(left - 4, top + 10, f"{most_y:.2f}", "end"), text(left - 4, bottom, "0", "end"),
             text(left + 4, top + 10, y_unit), text(width - 10, bottom + 14,
                                                    f"{most_x:.0f} {x_unit}", "end")]
    for at, (_, points) in enumerate(series):
        where = " ".join(f"{left + (width - 10 - left) * x / most_x:.1f},"
                         f"{bottom - (bottom - top) * y / most_y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{where}" style="fill:none;stroke:'
                     f'{COLOURS[at % len(COLOURS)]};stroke-width:1.3"/>')
    parts += legend([name for name, _ in series], height - 18, left)
    return svg(width, height, parts, label)
