"""The HTML page of a plan: the order with its interruptions, charts of benefit and memory, and the steps."""

from collections.abc import Iterator, Mapping

from advisor.judgement.advice import Advice
from advisor.plan import show
from advisor.plan.steps import Step
from advisor.report import blocks, pages, text
from advisor.report.drawing import bar, span
from advisor.report.pages import Column, Drawn

_Table = tuple[Mapping[str, str], list[Column], list[Drawn]]


def render(steps: list[Step], advice: Advice) -> str:
    """Return the page, with the queries that check the prerequisites of each step."""
    return pages.render(
        "plan.html",
        f"Plan for {advice.database['name']}",
        scripts=["copy"],
        about=text.describe_advice(advice),
        steps=steps,
        nothing=show.NOTHING,
        drawings=[*_benefits(steps), *_memory(steps)],
        heading=show.heading,
        blocks=blocks,
        joint=show.JOINT,
        told=lambda step: [(label.capitalize(), value) for label, value in show.list_details(step).items()],
        queries=lambda step: dict.fromkeys(need.query for need in step.prerequisites if need.query),
    )


def _benefits(steps: list[Step]) -> Iterator[_Table]:
    """Yield a chart of the benefit range of each step that promises time."""
    promised = [step for step in steps if step.benefit[2]]
    if promised:
        largest = max(step.benefit[2] for step in promised)
        rows = []
        for step in promised:
            low, expected, high = step.benefit
            cells = (_name(step), text.percent(expected), f"{low:.1f}..{high:.1f}")
            rows.append(Drawn(cells, span(low / largest, expected / largest, high / largest)))
        yield pages.picture("plan", "benefit"), [Column("Step"), Column("Expected"), Column("Range")], rows


def _memory(steps: list[Step]) -> Iterator[_Table]:
    """Yield a chart of the additional memory per member after each step that changes it."""
    changing = [step for step in steps if step.memory_after_kb != step.memory_before_kb]
    largest = max((max(step.memory_before_kb, step.memory_after_kb, 1) for step in changing), default=0)
    rows = []
    for step in changing:
        before, after = step.memory_before_kb, step.memory_after_kb
        kept = max(0, min(before, after)) / largest
        cells = (_name(step), text.memory(after - before), text.memory(after) if after else "same as today")
        rows.append(Drawn(cells, bar(0, kept, max(0, after) / largest - kept)))
    if rows:
        yield pages.picture("plan", "memory"), [Column("Step"), Column("Adds"), Column("Total")], rows


def _name(step: Step) -> str:
    return f"{step.number}. {text.title(step.items[0])}" + (" and more" if step.joint else "")
