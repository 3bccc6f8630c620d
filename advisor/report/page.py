"""The advice as one HTML file: what people forward, open on a phone, and print.

The file needs nothing else: no script, no font, no picture from anywhere, and its own content policy forbids them. The
bars stand in the rows of tables, so that every value can be read beside its picture.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from advisor import __version__
from advisor.catalogue.lanes import Lane
from advisor.judge.advice import Recommendation
from advisor.report import html, next_text, spent, statements, text
from advisor.report.explain import benefit_text, claim_text
from advisor.report.selection import Selection

_FOLDER = Path(__file__).parent / "templates"


def render(selection: Selection) -> str:
    """The whole page; what a terminal shows in brief is folded here, and nothing is left out."""
    advice = selection.advice
    style = _FOLDER.joinpath("page.css").read_text(encoding="utf-8")
    wanted = next_text.lines(advice)
    return (
        _environment()
        .get_template("advice.html")
        .render(
            style=Markup(style),
            style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
            version=__version__,
            title=f"Tuning advice for {advice.database['name']}",
            about=text.about(advice),
            nothing=selection.nothing(),
            times=list(_times(selection)),
            notes=list(spent.notes(advice.time_spent, listed=bool(advice.statements.top))),
            says=advice.time_spent.says,
            statements=statements.shown(advice.statements, everything=True),
            lanes=list(selection.by_lane()),
            largest=max((item.benefit_high for item in selection.ranked), default=0) or 1,
            left_out=selection.left_out(),
            suppressed=selection.suppressed,
            reasons=selection.reasons(),
            questions=selection.asked(everything=True),
            wanted=wanted,
            how_to_answer=text.HOW_TO_ANSWER,
        )
    )


def _times(selection: Selection) -> Iterator[tuple[spent.Row, Markup]]:
    rows = spent.rows(selection.advice.time_spent, everything=True)
    largest = max((row.pct for row in rows), default=0) or 1
    for row in rows:
        yield row, bar(row.pct / largest, min(row.claimed_pct, row.pct) / largest)


def bar(share: float, of_it: float = 0) -> Markup:
    """A bar of a share between 0 and 1, of which a part stands out. The numbers stand beside it."""
    parts = [("whole", share), ("part", of_it)]
    return _drawing(f'<rect class="{kind}" x="0" y="2" width="{100 * size:.2f}" height="8"/>' for kind, size in parts)


def span(low: float, middle: float, high: float) -> Markup:
    """A range between 0 and 1 with its expected value. The numbers stand beside it."""
    left, right = 100 * low, 100 * high
    return _drawing(
        [
            f'<rect class="whole" x="{left:.2f}" y="4" width="{max(right - left, 0.5):.2f}" height="4"/>',
            f'<rect class="part" x="{max(0, 100 * middle - 0.5):.2f}" y="1" width="1" height="10"/>',
        ]
    )


def _drawing(parts: Iterable[str]) -> Markup:
    return Markup(f'<svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">{"".join(parts)}</svg>')


def _claim(item: Recommendation) -> str:
    return f"{claim_text(item)}; {benefit_text(item)}" if item.claimed_pct else ""


def _figure(lane: Lane, item: Recommendation) -> str:
    """What the recommendation is ranked by, in words."""
    if lane.by_benefit:
        return f"{text.percent(item.benefit)} ({text.spread(item)})"
    return text.severity(item) if lane.by_severity else ""


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: value if isinstance(value, Markup) else html.escape(value),
    )
    environment.filters |= {"code": html.code, "claim": _claim, "percent": text.percent}
    environment.globals |= {
        "bar": bar,
        "span": span,
        "figure": _figure,
        "texts": text,
        "statement": statements,
    }
    return environment
