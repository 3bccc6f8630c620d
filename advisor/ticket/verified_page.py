"""The verification of a ticket as one HTML file, with what was measured drawn: interval by interval, and as bounds."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from markupsafe import Markup

from advisor.report import drawing, pages
from advisor.report.drawing import Mark
from advisor.report.pages import Column, Drawn
from advisor.report.text import number
from advisor.ticket.verified import Judged, list_measured, verification
from advisor.verify import show
from advisor.verify.changed import Change
from advisor.verify.verdict import Seen, Verdict

_COLUMNS = [Column("Metric"), Column("Before"), Column("After"), Column("Change"), Column("What it says", number=False)]
_REACH_PCT = 100.0  # larger changes are drawn at this length; their numbers are exact


class _Shown(NamedTuple):
    """A verdict with its pictures. ``course`` is empty without a comparison."""

    judged: Judged
    course: Markup
    caption: str
    intervals: list[tuple[str, str, str]]
    rows: list[Drawn]


def render(database: str, verdicts: Sequence[tuple[Verdict, Sequence[Change]]]) -> str:
    """Return the whole page, with the lines to sign."""
    content = verification(database, verdicts)
    shown = [
        _show_change(number_, judged, verdict)
        for number_, (judged, (verdict, _)) in enumerate(zip(content.verdicts, verdicts, strict=True), 1)
    ]
    return pages.render("verdict.html", content.title, verdicts=shown, columns=_COLUMNS, approvals=content.approvals)


def _show_change(place: int, judged: Judged, verdict: Verdict) -> _Shown:
    figure = verdict.figure
    caption = pages.picture("verdict", "course")["CAPTION"]
    return _Shown(
        judged,
        _course(verdict.course, show.KINDS.get(verdict.verdict, ""), f"course-{place}"),
        caption.format(metric=figure.metric, unit=figure.unit) if figure else "",
        [
            (_format_time(each.begin), "after" if each.after else "before", number(each.value))
            for each in verdict.course
        ],
        _rows(verdict),
    )


def _course(seen: Sequence[Seen], kind: str, named: str) -> Markup:
    """Return each interval, with the change between the sides."""
    if not seen:
        return Markup()
    first, span = seen[0].begin, (seen[-1].begin - seen[0].begin).total_seconds() or 1.0
    places = [(each.begin - first).total_seconds() / span for each in seen]
    last = max((place for place, each in zip(places, seen, strict=True) if not each.after), default=0.0)
    next_ = min((place for place, each in zip(places, seen, strict=True) if each.after), default=1.0)
    ends = _format_time(first), _format_time(seen[-1].begin)
    return drawing.course([each.value for each in seen], places, ends, [Mark((last + next_) / 2, 1, kind)], named)


def _rows(verdict: Verdict) -> list[Drawn]:
    given = list(list_measured(verdict))
    limit = max((abs(pct) for _, of in given if of for pct in (of.low_pct, of.high_pct)), default=0.0)
    limit = min(limit, _REACH_PCT)
    return [
        Drawn(row, drawing.change(of.low_pct, of.change_pct, of.high_pct, limit) if of else Markup())
        for row, of in given
    ]


def _format_time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
