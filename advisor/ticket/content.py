"""What a change ticket says: the variables of its templates.

Texts are raw: advisor/ticket/formats.py escapes them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from advisor import __version__
from advisor.catalogue.commands import BY_HAND
from advisor.errors import UserError, suggest_nearest_or_all
from advisor.judgement.advice import Advice, Recommendation
from advisor.plan.scripts import save, texts
from advisor.plan.show import WORSE_PCT
from advisor.plan.steps import Step, activation, choose_recommendations, plan
from advisor.report import blocks, spent, statements, text
from advisor.report.explain import list_displaced
from advisor.report.lessons import list_harm
from advisor.ticket import words
from advisor.ticket.evidence import Evidence, evidence, list_sources

APPROVALS = ("Requested by", "Reviewed by", "Approved by", "Executed by")


class Approval(NamedTuple):
    """A line to sign."""

    role: str
    name: str = ""
    date: str = ""


class Summary(NamedTuple):
    """One line about a change."""

    step: str
    what: str
    saves: str
    effect: str
    risk: str


class Spent(NamedTuple):
    """A share of database time, and what recommendations claim of it."""

    what: str
    share: str
    claimed: str


class Top(NamedTuple):
    """A statement that takes much: its share of the time of all statements, what it does, and its text."""

    share: str
    each: str
    text: str


class Need(NamedTuple):
    """A condition before a change, and the query that checks it, or None."""

    what: str
    query: str | None


class Test(NamedTuple):
    """A test of the changes, for the requester to fill in."""

    tested_on: str = ""
    date: str = ""
    result: str = ""


class Script(NamedTuple):
    """A file that makes a change or takes it back, by its path in the folder of --scripts."""

    name: str
    text: str


@dataclass(frozen=True)
class TicketChange:
    """One change of a ticket: ``step`` counts them in the order of the plan, ``rank`` is its place in the advice.

    ``reads`` is what the evidence was read or computed from, ``benefit`` the percent of database time that the change
    saves alone: low, expected and high. ``investigation`` is True if nothing changes: it has no scripts, test or
    rollback. ``when`` is the earliest time to make the change, ``comes_after`` names the changes that come first,
    ``left_out`` what gave way to this change. ``impact`` and ``verification`` are answers by question. Lines of
    ``commands`` and ``undo`` that begin with ``-- `` are for a person, and so of ``activation``, which puts either into
    force where that needs a stop.
    """

    step: int
    rank: int
    rule: str
    title: str
    what: str
    investigation: bool
    when: str
    reason: str
    details: str
    evidence: tuple[Evidence, ...]
    reads: tuple[str, ...]
    benefit: tuple[float, float, float]
    risk: str
    values: tuple[words.Value, ...]
    impact: dict[str, str]
    needs: tuple[Need, ...]
    comes_after: tuple[str, ...]
    commands: tuple[str, ...]
    activation: tuple[str, ...]
    meaning: str
    undo: tuple[str, ...]
    verification: dict[str, str]
    sources: tuple[str, ...]
    left_out: tuple[str, ...]
    scripts: tuple[Script, ...]

    @property
    def restart(self) -> list[str]:
        """The commands of ``activation``."""
        return [line for line in self.activation if not line.startswith(BY_HAND)]


@dataclass(frozen=True)
class Ticket:
    """A change ticket: its title, an ``overview`` as answers by question, and the changes in the order to make them.

    ``kind`` is a change ticket or an investigation, ``tests`` are lines for the requester. ``summary`` has a line for each change, ``time_spent`` one for each large share of database time,
    ``statements`` one for each top statement.
    """

    title: str
    kind: str
    database: str
    overview: dict[str, str]
    summary: tuple[Summary, ...]
    time_spent: tuple[Spent, ...]
    statements: tuple[Top, ...]
    changes: tuple[TicketChange, ...]
    tests: tuple[Test, ...]
    approvals: tuple[Approval, ...]
    version: str


def ticket(advice: Advice, ranks: Sequence[int], window: str | None = None) -> Ticket:
    """Return the ticket for these ranks; ``window`` is the site's change window. Raise UserError if a rank is missing."""
    everything = plan(advice, everything=True)
    steps = plan(replace(advice, recommendations=choose_recommendations(advice, ranks)), everything=True)
    changes = tuple(_change(step, steps, everything, advice) for step in steps)
    items = [item for step in steps for item in step.items]
    harm = list_harm(items)
    effects = [item.effect for item in items if not words.is_examination(item)]
    return Ticket(
        title=words.title(advice.database, items),
        kind=words.kind(items),
        database=advice.database["name"],
        overview=text.describe_advice(advice)
        | {
            "Interruption": words.interruption(effects) if effects else words.NO_CHANGE,
            **({"Duration": words.DURATION} if set(effects) & text.STOPPING else {}),
            **({"Change window": window} if window else {}),
            **({} if advice.time_spent.is_judged else {"What was seen": advice.time_spent.says}),
            "Risk": max((change.risk for change in changes), key=text.RISK_LEVELS.index),
            **({"Done before": " ".join(harm)} if harm else {}),
        },
        summary=tuple(_summary(change, step.items[0]) for change, step in zip(changes, steps, strict=True)),
        time_spent=tuple(Spent(*row.cells) for row in spent.rows(advice.time_spent)),
        statements=tuple(
            Top(text.percent(item.time_pct), statements.format_execution(item), statements.begin(item))
            for item in statements.select_statements(advice.statements)
        ),
        changes=changes,
        tests=(Test(),) if effects else (),
        approvals=tuple(Approval(role) for role in APPROVALS) if effects else (),
        version=__version__,
    )


def ranks_of(advice: Advice, rule: str, object_name: str | None = None) -> tuple[int, ...]:
    """Return the ranks of a rule, for one object or all. Raise UserError without any."""
    found = {item.object_name: item.rank for item in advice.ranked if item.rule.name == rule and item.rank}
    if not found:
        raise UserError(f"{rule}: is not in the list; db2tune explain shows why")
    if object_name is not None and object_name not in found:
        raise UserError(f"{rule}: advises nothing about {object_name}{suggest_nearest_or_all(object_name, found)}")
    return tuple(rank for name, rank in found.items() if object_name in (None, name))


def _change(step: Step, steps: list[Step], everything: list[Step], advice: Advice) -> TicketChange:
    group = step.items
    item = group[0]
    assert item.rank is not None  # a plan holds nothing else
    return TicketChange(
        step=step.number,
        rank=item.rank,
        rule=item.rule.name,
        title=blocks.heading(group),
        what=words.describe_group(group, advice.database),
        investigation=words.is_examination(item),
        when=step.when,
        reason=words.reason(item),
        details=words.details(group[: blocks.NAMED]),
        evidence=evidence(item),
        reads=list_sources(item.rule),
        benefit=(item.benefit_low, item.benefit, item.benefit_high),
        risk=words.risk(item),
        values=tuple(value for each in group[: blocks.MOST_LINES] for value in words.values(each, advice.database)),
        impact=_impact(step, item),
        needs=_list_needs(step),
        comes_after=_list_predecessors(item, steps, everything, advice.database),
        commands=tuple(blocks.actions_of(group)),
        activation=activation(step, advice),
        meaning=words.sentence(step.meaning),
        undo=() if words.is_examination(item) else tuple(blocks.undo_of(group)),
        verification=_verification(step, item),
        sources=(*item.rule.sources, f"'db2tune rules {item.rule.name}' describes the rule"),
        left_out=tuple(text.title(other) for other in list_displaced(advice, item)),
        scripts=_scripts(step, advice),
    )


def _summary(change: TicketChange, item: Recommendation) -> Summary:
    saves = text.percent(item.benefit) if item.benefit_high else "not promised"
    return Summary(str(change.step), change.what, saves, text.EFFECTS[item.effect], change.risk)


def _impact(step: Step, item: Recommendation) -> dict[str, str]:
    """Compare memory with today, after the earlier steps of the ticket."""
    accepted = text.describe_acceptance(item)
    before, after = step.memory_before_kb, step.memory_after_kb
    memory = {"Memory before": words.memory(before), "Memory after": words.memory(after)} if before != after else {}
    return {
        "Who notices it": words.NO_CHANGE if words.is_examination(item) else text.INTERRUPTIONS[step.effect],
        "Risk": words.sentence(words.describe_risk(item)),
        **memory,
        **({"Risk of not doing it": accepted} if accepted else {}),
    }


def _verification(step: Step, item: Recommendation) -> dict[str, str]:
    expect = words.sentence(words.benefit(item)) if item.claimed_pct else "No measured time is promised."
    if not step.guards:
        return {"When to judge it": words.sentence(step.verify), "What to expect": expect}
    guards = f"{', '.join(step.guards)}: by {WORSE_PCT} % at most. If they do, roll back."
    return {
        "When to judge it": f"With db2tune verify, at the earliest {step.verify}.",
        "What to expect": expect,
        "What must not get worse": guards,
    }


def _list_needs(step: Step) -> tuple[Need, ...]:
    """Return the prerequisites; those that one query checks become one."""
    checked: dict[str | None, list[str]] = {}
    for prerequisite in step.prerequisites:
        checked.setdefault(prerequisite.query, []).append(prerequisite.needs)
    return tuple(Need("; ".join(dict.fromkeys(needs)), query) for query, needs in checked.items())


def _scripts(step: Step, advice: Advice) -> tuple[Script, ...]:
    """Return the scripts of a step; names that no script can hold do not prevent the ticket."""
    if words.is_examination(step.items[0]):
        return ()
    try:
        found = texts(step, advice, manual=False)
    except UserError as error:
        return (Script(f"none: {error}", ""),)
    return tuple(Script(f"step-{step.number}/{name}", content) for name, content in found.items())


def write_scripts(written: Ticket, directory: Path) -> None:
    """Write the scripts of all changes into a directory. Raise UserError if that fails."""
    save(
        {script.name: script.text for change in written.changes for script in change.scripts if script.text}, directory
    )


def _list_predecessors(
    item: Recommendation, steps: list[Step], everything: list[Step], database: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the changes to make first: other steps of the ticket, and changes outside of it."""
    own = next(step for step in everything if item in step.items)
    here = {each.rank: step.number for step in steps for each in step.items}
    return tuple(
        f"step {here[first.rank]} of this ticket"
        if first.rank in here
        else f"rank {first.rank} of the advice, which is not in this ticket: {words.describe_change(first, database)}"
        for step in everything
        if step.number in own.comes_after
        for first in step.items
    )
