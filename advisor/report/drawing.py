"""What a page draws: bars, ranges and courses as SVG that takes its colours from the page's style.

Lengths are percent of the width, so that text keeps its size on a phone, on paper and on a wide screen alike. A drawing
holds numbers and words of this program only, never a name of a database.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from advisor.report.text import number

TOP, BOTTOM = 22.0, 118.0  # of a course, in pixels; above it stand the numbers of its marks, below it its ends
_HEIGHT = 140


def bar(share: float, of_it: float = 0, more: float = 0) -> Markup:
    """Return a bar of a share between 0 and 1, with a highlighted part and its possible extension. Its numbers are in text."""
    parts = [("whole", 0.0, share), ("part", 0.0, of_it), ("more", of_it, more)]
    return _arrange_in_row(
        f'<rect class="{kind}" x="{100 * start:.2f}" y="2" width="{100 * size:.2f}" height="8"/>'
        for kind, start, size in parts
        if size or kind != "more"
    )


def span(low: float, middle: float, high: float) -> Markup:
    """Return a range between 0 and 1 with its expected value. Its numbers are in text."""
    left, right = 100 * low, 100 * high
    return _arrange_in_row(
        [
            f'<rect class="whole" x="{left:.2f}" y="4" width="{max(right - left, 0.5):.2f}" height="4"/>',
            f'<rect class="part" x="{max(0, 100 * middle - 0.5):.2f}" y="1" width="1" height="10"/>',
        ]
    )


def change(low: float, middle: float, high: float, reach: float) -> Markup:
    """Draw a change with its bounds around the line of no change; ``reach`` is the largest value shown."""

    def place(value: float) -> float:
        return 0.5 + 0.5 * max(-1.0, min(1.0, value / (reach or 1)))

    drawn = span(place(low), place(middle), place(high))
    return drawn.replace("</svg>", Markup('<rect class="none" x="49.9" y="0" width=".2" height="12"/></svg>'))


def trend(values: Sequence[float]) -> Markup:
    """Return a small line over time, from zero. Its last value is in text."""
    low, high = min(*values, 0.0), max(*values, 0.0)
    points = (
        f"{100 * n / max(1, len(values) - 1):.2f} {11 - 10 * (value - low) / ((high - low) or 1.0):.2f}"
        for n, value in enumerate(values)
    )
    return _arrange_in_row([f'<path class="line" d="M{"L".join(points)}" vector-effect="non-scaling-stroke"/>'])


def _arrange_in_row(parts: Iterable[str]) -> Markup:
    return Markup(f'<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>')


class Mark(NamedTuple):
    """What happened between two points of a course: at which place of it, the number it has below, and its kind."""

    at: float
    number: int
    kind: str


def course(
    values: Sequence[float | None],
    places: Sequence[float],
    ends: tuple[str, str],
    marks: Iterable[Mark] = (),
    named: str = "",
) -> Markup:
    """Draw values over time as a line with events; ``places`` are between 0 and 1, None is a gap.

    ``ends`` are the first and last time in words, ``named`` the id of the element that names the drawing. The scale begins at
    zero, so that a small change looks small.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Markup()
    low, high = min(*known, 0.0), max(*known, 0.0)
    reach = (high - low) or 1.0

    def height(value: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (value - low) / reach

    parts = [
        *(_line(0, 100, y, "grid") for y in (TOP, BOTTOM)),
        *(part for mark in marks for part in _mark(mark)),
        *_lines(values, places, low, reach),
        *(
            f'<circle class="dot" cx="{100 * place:.2f}%" cy="{height(value):.1f}" r="2.5"/>'
            for place, value in zip(places, values, strict=True)
            if value is not None
        ),
        f'<text class="axis" x="0" y="{TOP - 6}">{number(high)}</text>',
        f'<text class="axis" x="0" y="{BOTTOM - 5}">{number(low)}</text>',
        f'<text class="axis" x="0" y="{_HEIGHT - 6}">{ends[0]}</text>',
        f'<text class="axis" x="100%" y="{_HEIGHT - 6}" text-anchor="end">{ends[1]}</text>',
    ]
    return Markup(f'<svg class="course" role="img" aria-labelledby="{named}">{"".join(parts)}</svg>')


def _line(left: float, right: float, y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{left:.2f}%" x2="{right:.2f}%" y1="{y}" y2="{y}"/>'


def _mark(mark: Mark) -> list[str]:
    at = f"{100 * mark.at:.2f}%"
    return [
        f'<line class="mark {mark.kind}" x1="{at}" x2="{at}" y1="{TOP - 6}" y2="{BOTTOM}"/>',
        f'<text class="mark {mark.kind}" x="{at}" y="{TOP - 9}" text-anchor="middle">{mark.number}</text>',
    ]


def _lines(values: Sequence[float | None], places: Sequence[float], low: float, reach: float) -> Iterable[str]:
    """Draw the line as its own drawing, stretched to the width, because a path cannot use percent."""
    runs: list[list[str]] = [[]]
    for place, value in zip(places, values, strict=True):
        if value is None:
            runs.append([])
        else:
            runs[-1].append(f"{100 * place:.2f} {100 - 100 * (value - low) / reach:.2f}")
    path = "".join(f"M{'L'.join(run)}" for run in runs if run)
    yield (
        f'<svg x="0" y="{TOP}" width="100%" height="{BOTTOM - TOP}" viewBox="0 0 100 100" preserveAspectRatio="none"'
        f' overflow="visible"><path class="line" d="{path}" vector-effect="non-scaling-stroke"/></svg>'
    )
