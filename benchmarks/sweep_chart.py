"""Draw what a sweep found: the upper section with its bonus against the lower one.

python -m benchmarks.sweep_chart bonus/results.csv    writes docs/results/which-bonus.svg

The key that varies is the first column of the table.
"""

import csv
import sys
from pathlib import Path

from benchmarks.result_charts import MARGIN, PANEL, WIDTH, Panel, wrap_picture, write_legend

INTO = Path(__file__).parents[1] / "docs" / "results" / "which-bonus.svg"


def draw_sections(rows: list[dict[str, str]]) -> str:
    """Draw both sections over the values of the key, and where they meet."""
    key = next(iter(rows[0]))
    points = [float(row[key]) for row in rows]
    upper = [float(row["upper_mean"]) + float(row["bonus_mean"]) for row in rows]
    lower = [float(row["lower_mean"]) for row in rows]
    panel = Panel(12, points[0], points[-1], 1.1 * max(*upper, *lower))
    # Every second value is written, since two of them may be close.
    parts = [panel.draw_columns(points[::2])]
    for height in range(0, int(panel.top), 40):
        y = float(panel.place(panel.left, height).split()[1])
        parts.append(f'<path class="grid" d="M{MARGIN} {y}H{WIDTH - 20}"/>')
        parts.append(f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{height}</text>')
    parts += [panel.draw_line(zip(points, upper, strict=True), "one")]
    parts += [panel.draw_line(zip(points, lower, strict=True), "two")]
    parts.append(write_legend(WIDTH - 300, PANEL - 42, [("one", "upper boxes and bonus"), ("two", "lower boxes")]))
    return wrap_picture(PANEL + 40, f"Mean points of both sections, by {key}", parts)


def main() -> None:
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        INTO.write_text(draw_sections(list(csv.DictReader(file))), encoding="utf-8")


if __name__ == "__main__":
    main()
