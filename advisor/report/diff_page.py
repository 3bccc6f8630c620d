"""What differs between two captures as one HTML file: settings, where the time went before and after, and the advice."""

from markupsafe import Markup

from advisor.catalogue.lanes import lane_of
from advisor.judgement.advice import Recommendation
from advisor.judgement.changes import Difference, SettingChange
from advisor.judgement.time_spent import Share
from advisor.report import diff, pages, text
from advisor.report.drawing import bar
from advisor.report.pages import Column, Drawn
from advisor.report.spent import shares


def render(found: Difference) -> str:
    return pages.render(
        "diff.html",
        f"What changed in {found.after.database['name']}",
        about={
            "Database": text.database(found.after),
            "Before": text.interval(found.before.window),
            "After": text.interval(found.after.window),
        },
        changes=[_change(change) for change in found.changes],
        time_columns=[Column("Time"), Column("Before"), Column("After")],
        times=_times(found),
        advice_columns=[Column("Advice"), Column("Before"), Column("After"), Column("What became of it", number=False)],
        advice=_advice(found),
        not_compared=found.not_compared,
    )


def _times(found: Difference) -> list[Drawn]:
    """Return the shares of both sides, the largest first."""
    before, after = (
        {share.bucket: share for share in shares(advice.time_spent)} for advice in (found.before, found.after)
    )
    largest = max((share.pct for of in (before, after) for share in of.values()), default=0)
    both = {name: (_pct(before, name), _pct(after, name)) for name in before | after}
    return [
        Drawn(((before | after)[name].title, text.percent(first), text.percent(last)), _pair(first, last, largest))
        for name, (first, last) in sorted(both.items(), key=lambda item: -max(item[1]))
    ]


def _pct(of: dict[str, Share], name: str) -> float:
    return of[name].pct if name in of else 0.0


def _pair(before: float, after: float, largest: float) -> Markup:
    """Return a bar of the earlier share, the present part of it, and its growth in another color."""
    scale = largest or 1
    return bar(before / scale, min(before, after) / scale, max(0.0, after - before) / scale)


def _change(change: SettingChange) -> tuple[str, ...]:
    member = "" if change.member is None else str(change.member)
    return diff.setting(change), member, diff.values(change), diff.mark(change).removeprefix("; ")


def _advice(found: Difference) -> list[Drawn]:
    """Return every recommendation that was added, removed or moved, with its benefits before and after."""
    of = found.advice
    told: list[tuple[Recommendation | None, Recommendation | None, str]] = [
        *((None, item, "new") for item in of.new),
        *((pair.before, pair.after, "worsened") for pair in of.worsened),
        *((pair.before, pair.after, "improved") for pair in of.improved),
        *((item, None, diff.explain_gone(item, found)) for item in of.gone),
        *((item, None, text.describe_acceptance(item) or "") for item in of.accepted),
    ]
    largest = max((item.benefit for before, after, _ in told for item in (before, after) if item), default=0)
    return [_row(before, after, says, largest) for before, after, says in told]


def _row(before: Recommendation | None, after: Recommendation | None, says: str, largest: float) -> Drawn:
    item = after or before
    assert item is not None  # one of the lists has it
    timed = lane_of(item.lane).by_benefit
    cells = [text.percent(each.benefit) if each and timed else "" for each in (before, after)]
    drawn = _pair(before.benefit if before else 0, after.benefit if after else 0, largest) if timed else Markup()
    return Drawn((f"{text.title(item)} [{item.rule.name}]", *cells, says), drawn)
