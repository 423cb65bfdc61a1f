"""Bars with intervals as SVG, readable on light and dark pages."""
import html

LEFT, WIDTH, RIGHT = 210, 420, 90  # of labels, of the longest bar, of figures
BAR, GAP, HEAD = 14, 5, 26
STYLE = """<style>
text { font: 12px sans-serif; fill: #333; } .head { font-weight: bold; }
.own { fill: #1f77b4; } .other { fill: #b0b7bf; } line { stroke: #555; stroke-width: 1.5; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } line { stroke: #eee; } }
</style>"""


class Bar:
    """A value with its interval, in any unit."""

    def __init__(self, label, value, low, high, own):
        self.label, self.value, self.low, self.high, self.own = label, value, low, high, own


def draw_bar(bar, top, scale):
    middle = top + BAR / 2
    kind = "own" if bar.own else "other"
    return "\n".join((
        f'<text x="{LEFT - 8}" y="{top + 11}" text-anchor="end">{html.escape(bar.label)}</text>',
        f'<rect class="{kind}" x="{LEFT}" y="{top}" width="{bar.value * scale:.1f}" '
        f'height="{BAR}"/>',
        f'<line x1="{LEFT + bar.low * scale:.1f}" x2="{LEFT + bar.high * scale:.1f}" '
        f'y1="{middle}" y2="{middle}"/>',
        f'<text x="{LEFT + max(bar.value, bar.high) * scale + 6:.1f}" y="{top + 11}">'
        f'{bar.value:,.0f}</text>'))


def draw(groups):
    """`groups`: [(heading, bars)], each with a scale of its own."""
    parts, top = [], 4
    for heading, bars in groups:
        parts.append(f'<text class="head" x="{LEFT}" y="{top + 14}">{html.escape(heading)}, '
                     "MB/s</text>")
        top += HEAD - GAP
        scale = WIDTH / max((bar.high for bar in bars), default=1)
        for bar in bars:
            parts.append(draw_bar(bar, top, scale))
            top += BAR + GAP
        top += GAP * 2
    size = f'width="{LEFT + WIDTH + RIGHT}" height="{top}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{STYLE}\n' + "\n".join(parts) +
            "\n</svg>\n")
