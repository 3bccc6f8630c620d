"""The curve of a schema as a picture: time saved by number of indexes, promised and measured.

``python -m tools.trials.engine.curve`` writes docs/pages/curve.svg.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.support.paths import DOCS
from tools.trials.engine.capture import read_state, write
from tools.trials.engine.cases import CASES
from tools.trials.engine.cluster import run_cluster, why_not
from tools.trials.engine.engine import Engine, open_case, sum_times
from tools.trials.engine.product import Answer, ask

SCHEMA, LIMIT = "shop", "6"  # the list ends within the curve
WIDTH, HEIGHT, LEFT, TOP = 560, 240, 50, 20
_LINES = (("#0b6e4f", "measured on PostgreSQL"), ("#c2571a", "promised"))


def measure(engine: Engine) -> tuple[Answer, list[tuple[float, float]]]:
    """Return the advice for a schema, and the shares of the time that the first indexes save: measured and promised."""
    runs = [engine.measure(())]
    with tempfile.TemporaryDirectory() as folder:
        answer = ask([*write(read_state(engine, runs[0]), Path(folder)), "--count", LIMIT])
    indexes = [point.definition for point in answer.curve]
    runs += [engine.measure(indexes[:number]) for number in range(1, len(indexes) + 1)]
    times = [sum_times(engine.texts, run) for run in runs]
    promised = [0.0, *(point.saved for point in answer.curve)]
    return answer, [(1 - time / times[0], promise) for time, promise in zip(times, promised, strict=True)]


def draw(points: Sequence[tuple[float, float]], chosen: int) -> str:
    """Return the curve as SVG; a vertical line shows where the list ends."""

    def place(number: float, share: float) -> str:
        return f"{LEFT + number * WIDTH / (len(points) - 1):.1f},{TOP + HEIGHT * (1 - share):.1f}"

    def write_text(at: str, text: str, anchor: str = "start", colour: str = "#444") -> str:
        x, y = at.split(",")
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{text}</text>'

    parts = [
        f'<polyline points="{place(0, share)} {place(len(points) - 1, share)}" stroke="#ddd"/>'
        + write_text(place(-0.1, share), f"{100 * share:.0f} %", "end")
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts += [write_text(place(number, -0.08), str(number), "middle") for number in range(len(points))]
    parts += [
        f'<polyline points="{place(chosen, 0)} {place(chosen, 1)}" stroke="#888" stroke-dasharray="4"/>',
        write_text(place(chosen + 0.1, 0.03), "end of the list"),
        write_text(place((len(points) - 1) / 2, -0.17), "indexes", "middle"),
    ]
    for number, (colour, name) in enumerate(_LINES):
        line = " ".join(place(at, point[number]) for at, point in enumerate(points))
        parts += [f'<polyline points="{line}" stroke="{colour}" stroke-width="2"/>']
        parts += [write_text(place(chosen + 0.1, 0.25 - 0.1 * number), name, colour=colour)]
    size = f'viewBox="0 0 {LEFT + WIDTH + 20} {TOP + HEIGHT + 50}"'
    style = 'font-family="sans-serif" font-size="12" fill="none"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n<rect width="100%" height="100%" fill="#fff"/>\n{body}\n</svg>\n'


def main() -> int:
    """Write the picture, or print why it cannot be measured."""
    if reason := why_not():
        print(reason, file=sys.stderr)
        return 1
    case = next(case for case in CASES if case.name == SCHEMA)
    with run_cluster() as address, open_case(address, case) as engine:
        answer, points = measure(engine)
    (DOCS / "pages" / "curve.svg").write_text(draw(points, len(answer.indexes)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
