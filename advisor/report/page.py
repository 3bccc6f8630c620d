"""The advice as one HTML file, to forward, read on a phone, or print."""

from collections.abc import Iterator, Mapping

from advisor.catalogue.lanes import Lane
from advisor.judgement.advice import Recommendation
from advisor.report import blocks, evidence, lock_chains, next_text, pages, pictures, spent, statements, summary, text
from advisor.report.drawing import bar
from advisor.report.explain import benefit_text, claim_text
from advisor.report.pages import Column, Drawn
from advisor.report.selection import Selection


def render(selection: Selection, links: Mapping[str, str] | None = None) -> str:
    """Return the whole page; parts that a terminal shortens are folded. ``links`` lead to other pages."""
    advice = selection.advice
    first = statements.select_statements(advice.statements)
    return pages.render(
        "advice.html",
        f"Tuning advice for {advice.database['name']}",
        scripts=["copy"],
        links=links,
        about=text.describe_advice(advice),
        verdict=summary.verdict(selection),
        passed=selection.passed,
        urgent=summary.group_urgent(selection),
        consequence=summary.describe_urgent,
        summary=list(summary.rows(selection)),
        total=summary.total(selection),
        missing=summary.missing(selection),
        titled=summary.format_short_title,
        columns=[Column("Time"), Column("Share"), Column("Claimed")],
        times=list(_times(selection)),
        notes=list(spent.notes(advice.time_spent, advice.database, listed=bool(advice.statements.top))),
        says=advice.time_spent.says,
        pictures=list(pictures.select_pictures(advice.seen)),
        lacking=pictures.list_missing_pictures(advice.seen),
        statements=first,
        folded=[item for item in advice.statements.top if item not in first],
        statement=statements,
        database=advice.database,
        longest=max((item.time_pct for item in advice.statements.top), default=0) or 1,
        chains=lock_chains.lines(advice.lock_chains),
        lanes=list(selection.group_by_lane()),
        left_out=selection.describe_left_out(),
        suppressed=selection.suppressed,
        reasons=selection.group_reasons(),
        questions=selection.group_questions(everything=True),
        wanted=next_text.parts(advice),
        how_to_answer=text.HOW_TO_ANSWER,
        evidence=evidence.pairs,
        blocks=blocks,
        figure=_figure,
        claim=_claim,
    )


def _times(selection: Selection) -> Iterator[Drawn]:
    rows = spent.rows(selection.advice.time_spent, everything=True)
    largest = max((row.pct for row in rows), default=0) or 1
    for row in rows:
        yield Drawn(row.cells, bar(row.pct / largest, min(row.claimed_pct, row.pct) / largest))


def _claim(item: Recommendation) -> str:
    return f"{claim_text(item)}; {benefit_text(item)}" if item.claimed_pct else ""


def _figure(lane: Lane, item: Recommendation) -> str:
    """Describe the figure by which the recommendation is ranked."""
    if lane.by_benefit:
        return f"{text.percent(item.benefit)} ({text.spread(item)})"
    return text.severity(item) if lane.by_severity else ""
