"""Curves as pictures: SVG with axes, a line to compare with, and points sized by the number that they represent."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.twin.figures import Point

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 460, 340, 56, 48, 34, 16
STYLE = "text{font:12px sans-serif;fill:#222}.t{font-weight:bold}.g{stroke:#ddd}.d{stroke:#888;stroke-dasharray:4 4}"


def curve(title: str, across: str, upward: str, points: list[Point], dots: list[tuple[float, float]]) -> str:
    """Draw points over percent from 0 to 100, the diagonal of equality, and single `dots` behind; `upward` from -20."""

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * value / 100

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (max(-20.0, value) + 20) / 120

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text class="t" x="{LEFT}" y="20">{escape(title)}</text>',
    ]
    for value in range(0, 101, 20):
        parts += [
            f'<line class="g" x1="{x(value):.0f}" y1="{y(-20):.0f}" x2="{x(value):.0f}" y2="{y(100):.0f}"/>',
            f'<text x="{x(value):.0f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{value}</text>',
        ]
    for value in range(-20, 101, 20):
        parts += [
            f'<line class="g" x1="{x(0):.0f}" y1="{y(value):.0f}" x2="{x(100):.0f}" y2="{y(value):.0f}"/>',
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.0f}" text-anchor="end">{value}</text>',
        ]
    parts.append(f'<line class="d" x1="{x(0):.0f}" y1="{y(0):.0f}" x2="{x(100):.0f}" y2="{y(100):.0f}"/>')
    parts += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="1.6" fill="#9bc" fill-opacity=".6"/>' for a, b in dots]
    line = " ".join(f"{x(each.at):.1f},{y(each.found):.1f}" for each in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#14589c" stroke-width="2"/>')
    for each in points:
        radius = min(9.0, 2 + each.count**0.5 / 3)
        parts.append(f'<circle cx="{x(each.at):.1f}" cy="{y(each.found):.1f}" r="{radius:.1f}" fill="#14589c"/>')
    parts += [
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">{escape(across)}</text>',
        f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2:.0f}) rotate(-90)" text-anchor="middle">'
        f"{escape(upward)}</text>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
