"""Charts of the results page, as small pictures that stand alone and follow light and dark."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, PANEL, MARGIN, GAP = 800, 190, 56, 34
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
STYLE = (
    "text{font:13px sans-serif;fill:#444}.line{fill:none;stroke-width:2}.grid{stroke:#8886;stroke-width:1}"
    ".one{stroke:#2f5d46}.two{stroke:#b4532a}.one-fill{fill:#2f5d46}.two-fill{fill:#b4532a}.ideal{stroke:#888;"
    "stroke-dasharray:4 4}@media(prefers-color-scheme:dark){text{fill:#ccc}.one{stroke:#7fbf9f}.two{stroke:#f0a070}"
    ".one-fill{fill:#7fbf9f}.two-fill{fill:#f0a070}}"
)


@dataclass(frozen=True)
class Panel:
    """A rectangle of a picture in which numbers from `left` to `right` and from 0 to `top` are drawn."""

    y: int
    left: float
    right: float
    top: float

    def place(self, x: float, y: float) -> str:
        across = MARGIN + (WIDTH - MARGIN - 20) * (x - self.left) / (self.right - self.left)
        return f"{across:.1f} {self.y + PANEL * (1 - y / self.top):.1f}"

    def draw_line(self, points: Iterable[tuple[float, float]], kind: str) -> str:
        path = "L".join(self.place(x, y) for x, y in points)
        return f'<path class="line {kind}" d="M{path}"/>'

    def draw_area(self, points: Sequence[tuple[float, float]], kind: str) -> str:
        path = "L".join(self.place(x, y) for x, y in [(points[0][0], 0), *points, (points[-1][0], 0)])
        return f'<path class="{kind}-fill" fill-opacity=".75" d="M{path}Z"/>'

    def draw_rows(self, values: Iterable[float], digits: int = 0) -> str:
        """Draw a grid line for each value, with its percentage."""
        drawn = []
        for value in values:
            start, end = self.place(self.left, value), self.place(self.right, value)
            height = float(start.split()[1])
            drawn.append(
                f'<path class="grid" d="M{start}L{end}"/>'
                f'<text x="{MARGIN - 6}" y="{height + 4:.1f}" text-anchor="end">{100 * value:.{digits}f} %</text>'
            )
        return "".join(drawn)

    def draw_columns(self, values: Iterable[float], label: str = "{:g}") -> str:
        """Write a number below the panel for each value."""
        return "".join(
            f'<text x="{self.place(value, 0).split()[0]}" y="{self.y + PANEL + 18}" text-anchor="middle">'
            f"{label.format(value)}</text>"
            for value in values
        )


def wrap_picture(height: int, title: str, parts: Iterable[str]) -> str:
    """Make a picture of its parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"><title>{title}</title>'
        f"<style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


def write_legend(x: int, y: int, names: Sequence[tuple[str, str]]) -> str:
    """Write what the colours mean."""
    return "".join(
        f'<path class="line {kind}" d="M{x} {y + 18 * row - 4}h22"/><text x="{x + 28}" y="{y + 18 * row}">{name}</text>'
        for row, (kind, name) in enumerate(names)
    )


def draw_totals(shares: Sequence[float], first: int, reached: Sequence[float], aimed: Sequence[float] | None) -> str:
    """Draw how likely each total from `first` on is, and below it how likely at least as many points are."""
    right = first + len(shares) - 1
    step = next(one for one in (10, 20, 25, 50, 100, 200) if (right - first) / one <= 14)
    marks = range(-(-first // step) * step, right + 1, step)
    top = Panel(12, first, right, max(shares))
    parts = [top.draw_rows([0, max(shares)], 1), top.draw_area(list(enumerate(shares, first)), "one")]
    parts.append(top.draw_columns(marks))
    low = Panel(12 + PANEL + GAP, first, right, 1)
    parts += [low.draw_rows(SHARES), low.draw_columns(marks), low.draw_line(enumerate(reached, first), "one")]
    names = [("one", "at least so many, playing for points")]
    if aimed is not None:
        parts.append(low.draw_line(enumerate(aimed, first), "two"))
        names.append(("two", "playing for just that total"))
    parts.append(write_legend(WIDTH - 270, low.y + 18, names))
    return wrap_picture(low.y + PANEL + 28, "How likely each final total is, and at least as many points", parts)


def draw_calibration(groups: Sequence[tuple[float, float, float]]) -> str:
    """Draw the share of games won against the chance that was given, with 3.5 standard errors to either side."""
    panel = Panel(12, 0, 1, 1)
    parts = [panel.draw_rows(SHARES), panel.draw_columns(SHARES, "{:.0%}"), panel.draw_line([(0, 0), (1, 1)], "ideal")]
    for expected, won, error in groups:
        ends = [(expected, max(won - 3.5 * error, 0)), (expected, min(won + 3.5 * error, 1))]
        x, y = panel.place(expected, won).split()
        parts += [panel.draw_line(ends, "one"), f'<circle class="two-fill" cx="{x}" cy="{y}" r="4"/>']
    return wrap_picture(PANEL + 40, "Games won against the chance that was given", parts)
