"""The simulation as text, Markdown and JSON."""

from typing import Any

from advisor.judgement.advice import Recommendation
from advisor.report import text
from advisor.report.jsonout import describe_run, entry
from advisor.report.markdown import escape
from advisor.report.output import Paint, plain
from advisor.report.values import head, to_number
from advisor.whatif.simulate import LogSpace, SimulatedSetting, Simulation

NEXT = "; the change is made, but the earlier counters suggest more: measure first"
NOTHING_LEFT = "No recommendations remain."


def render(simulation: Simulation, width: int, paint: Paint = plain) -> str:
    lines = [
        line
        for name, value in text.describe_advice(simulation.before).items()
        for line in text.wrap(value, width, f"{name:<10}")
    ]
    for heading, items in sections(simulation).items():
        lines += ["", paint(heading, bold=True)]
        lines += [line for item in items for line in text.wrap(item, width, "  - ")]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def markdown(simulation: Simulation) -> str:
    parts = [
        f"# What if: {escape(simulation.before.database['name'])}",
        "\n".join(f"- {name}: {escape(value)}" for name, value in text.describe_advice(simulation.before).items()),
    ]
    for heading, items in sections(simulation).items():
        parts += [f"## {heading}", "\n".join(f"- {escape(item)}" for item in items)]
    return "\n\n".join(parts) + "\n"


def sections(simulation: Simulation) -> dict[str, list[str]]:
    """Return the sentences by heading, without empty sections."""
    done = {item.rank for step in simulation.applied for item in step.items}
    stays = [
        f"rank {_format_move(two.before, two.after)}: {text.title(two.after)}{NEXT if two.before.rank in done else ''}"
        for two in simulation.remaining
    ]
    said = {
        "Changed": [_format_change(change) for change in simulation.changes],
        "Not carried out": [f"rank {item.rank}, {text.title(item)}: {why}" for item, why in simulation.left_out],
        "Memory and log space": _format_chosen(simulation),
        "Needs": _list_needs(simulation),
        "Conflicts": simulation.conflicts,
        "Gone from the list": [_format_rank(item) for item in simulation.removed],
        "New in the list": [_format_rank(item) for item in simulation.added],
        "Still in the list": stays if simulation.after.ranked else [NOTHING_LEFT],
        "Limits of the simulation": simulation.unknown,
    }
    return {heading: [text.make_printable(line) for line in lines] for heading, lines in said.items() if lines}


def _format_change(change: SimulatedSetting) -> str:
    by = "--set" if change.rank is None else f"rank {change.rank}"
    same = ", unchanged" if change.old == change.new else ""
    present = "" if change.present is None else f" (now {change.present:,})"
    return f"{change.target}: {change.old or 'unknown'}{present} -> {change.new or 'none'} ({by}{same})"


def _format_chosen(simulation: Simulation) -> list[str]:
    memory = simulation.memory
    delta = text.memory(memory.delta_kb) if memory.delta_kb else "unchanged"
    budget = "available memory is unknown"
    if memory.budget_kb is not None:
        budget = f"{text.memory(memory.budget_kb).removeprefix('+')} available for the next step"
        if not memory.budget_kb:
            budget = "no memory is available"
    unknown = f"; unknown for {', '.join(memory.unknown)}" if memory.unknown else ""
    return [f"memory {delta}{unknown}; {budget}", *_logs(simulation.log)]


def _logs(log: list[LogSpace]) -> list[str]:
    """Return the changes of log space, with identical members in one line."""
    alike: dict[str, list[str]] = {}
    for space in log:
        if (space.primary_before, space.most_before) != (space.primary_after, space.most_after):
            alike.setdefault(_log(space), []).append(str(space.member))
    return [f"log, member {', '.join(members)}: {said}" for said, members in alike.items()]


def _log(space: LogSpace) -> str:
    free = "free space is unknown" if space.free is None else f"{_mb(space.free)} free"
    primary = f"{_mb(space.primary_before)} -> {_mb(space.primary_after)} in primary files"
    return f"{primary}, at most {_mb(space.most_before)} -> {_mb(space.most_after)}; {free}"


def _mb(size: int | None) -> str:
    return "unlimited" if size is None else f"{size / 2**20:.0f} MB"


def _list_needs(simulation: Simulation) -> list[str]:
    """Return each restart once with the ranks that need it, then the prerequisites."""
    by_effect: dict[str, list[str]] = {}
    for step in simulation.applied:
        by_effect.setdefault(step.effect, []).append(f"rank {step.items[0].rank}")
    effects = [
        f"{text.EFFECTS[effect]}: {', '.join(by_effect[effect])}" for effect in text.EFFECTS if effect in by_effect
    ]
    needs = dict.fromkeys(need.needs for step in simulation.applied for need in step.prerequisites)
    return [*effects, *needs]


def _format_move(before: Recommendation, after: Recommendation) -> str:
    return f"{after.rank}" if before.rank == after.rank else f"{after.rank} (was {before.rank})"


def _format_rank(item: Recommendation) -> str:
    benefit = f", {text.percent(item.benefit_after)} of database time" if item.benefit_high else ""
    return f"rank {item.rank}: {text.title(item)}{benefit}"


def as_json(simulation: Simulation) -> str:
    memory = simulation.memory
    low, expected, high = simulation.gain
    document: dict[str, Any] = {
        **head(),
        **describe_run(simulation.before),
        "changes": [
            change._asdict() | {"old": to_number(change.old), "new": to_number(change.new)}
            for change in simulation.changes
        ],
        "not_carried_out": [{"rank": item.rank, "reason": why} for item, why in simulation.left_out],
        "gain_pct": {"low": round(low, 4), "expected": round(expected, 4), "high": round(high, 4)} if high else None,
        "memory_kb": {"delta": memory.delta_kb, "budget": memory.budget_kb, "unknown": list(memory.unknown)},
        "log_bytes": [space._asdict() for space in simulation.log],
        "effects": {str(step.items[0].rank): step.effect for step in simulation.applied},
        "conflicts": simulation.conflicts,
        "gone": [entry(item) for item in simulation.removed],
        "new": [entry(item) for item in simulation.added],
        "stay": [{"was": two.before.rank, **entry(two.after)} for two in simulation.remaining],
        "not_known": simulation.unknown,
    }
    return text.json_text(document)
