"""The simulated list of advice after chosen changes, and its comparison with the current one."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from advisor import capture as captures
from advisor.capture import Capture
from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site
from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.sources import all_sources
from advisor.judgement.advice import Advice, Recommendation, sum_benefits
from advisor.judgement.run import add_broken_files, judge_state
from advisor.plan.steps import Step, choose_recommendations, must_precede, plan
from advisor.report import text
from advisor.whatif.settings import AUTOMATIC, Wanted, checked, list_wanted, memory_kb, read_present, read_values

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables


@dataclass
class SimulatedCapture(Capture):
    """A capture that changes settings when it is loaded, in the given order."""

    settings: Sequence[Wanted] = ()

    @classmethod
    def from_capture(cls, capture: Capture, settings: Sequence[Wanted]) -> Self:
        """Return a copy of the capture with these settings."""
        said = {field.name: getattr(capture, field.name) for field in fields(Capture)}
        return cls(**said | {"columns": dict(capture.columns)}, settings=settings)

    def load(
        self, tables: "Tables", wanted: Collection[str] | None = None, numbers: Mapping[int, int] | None = None
    ) -> None:
        super().load(tables, wanted, numbers)
        for setting in self.settings:
            for statement in setting.known_location.changes:
                tables.execute(statement, setting.parameters(statement))


_BUDGET = "SELECT BUDGET_KB FROM TUNE.MEMORY_BUDGET"
_CONTRADICTING = "SELECT SETTING_NAME, OTHER_NAME, MEANING, REMEDY FROM TUNE.CONTRADICTING ORDER BY 1, 2, 3, 4"
_LOG = Path(__file__).with_name("log_space.sql").read_text(encoding="utf-8")
_ASKED = (_BUDGET, _CONTRADICTING, _LOG)


class SimulatedSetting(NamedTuple):
    """A changed setting. ``rank`` is None if the user named it; ``memory_kb`` is per member, None if unknown.

    ``present`` is the present number of an AUTOMATIC value.
    """

    target: str
    old: str | None
    new: str | None
    rank: int | None
    memory_kb: int | None
    present: int | None = None


class Memory(NamedTuple):
    """Memory in KB per member: the changes' total, and the available memory or None if it is unknown.

    ``unknown`` are changes whose memory is unknown and not in ``delta_kb``.
    """

    delta_kb: int
    budget_kb: int | None
    unknown: tuple[str, ...]


class LogSpace(NamedTuple):
    """Log space of one member in bytes: primary files and maximum, both before and after, and free space."""

    member: int
    primary_before: int
    primary_after: int
    most_before: int | None
    most_after: int | None
    free: int | None


class Moved(NamedTuple):
    """A recommendation that is in both lists."""

    before: Recommendation
    after: Recommendation


@dataclass(frozen=True)
class Simulation:
    """Both lists and their differences. ``left_out`` gives the reason for each chosen rank that was not simulated."""

    before: Advice
    after: Advice
    applied: list[Step]
    changes: list[SimulatedSetting]
    left_out: list[tuple[Recommendation, str]]
    memory: Memory
    log: list[LogSpace]
    conflicts: list[str]
    unknown: list[str]

    @property
    def gain(self) -> tuple[float, float, float]:
        """The benefit of the changes that recommendations explain: low, expected and high."""
        made = {(change.target, change.new) for change in self.changes}
        done = [step.items[0] for step in self.applied]
        done += [
            item
            for item in self.before.ranked
            if item not in done and item.settings and {(one.target, one.proposed) for one in item.settings} <= made
        ]
        return sum_benefits(done)

    @property
    def removed(self) -> list[Recommendation]:
        keys = {_key(item) for item in self.after.ranked}
        return [item for item in self.before.ranked if _key(item) not in keys]

    @property
    def added(self) -> list[Recommendation]:
        keys = {_key(item) for item in self.before.ranked}
        return [item for item in self.after.ranked if _key(item) not in keys]

    @property
    def remaining(self) -> list[Moved]:
        earlier = {_key(item): item for item in self.before.ranked}
        return [Moved(earlier[_key(item)], item) for item in self.after.ranked if _key(item) in earlier]


def _key(item: Recommendation) -> tuple[str, str, str, int | None]:
    return *item.key, item.member


class _Seen(NamedTuple):
    """The values that are read from the tables of one list."""

    budget_kb: int | None
    contradicting: list[tuple[str, str, str, str]]
    log: dict[int, tuple[int, int | None, int | None]]


def simulate(
    capture: Path,
    ranks: Sequence[int],
    named: Sequence[Wanted],
    hostfacts: Facts | None = None,
    site: Site | None = None,
) -> Simulation:
    """Judge a capture, change the settings of the chosen ranks and the named settings, and judge again.

    Raise UserError if a rank or setting does not exist, or if a value is invalid.
    """
    site = site or Site()
    rules = list(site.rules.values())
    with captures.open_capture(capture) as opened:
        opened.hostfacts = hostfacts or {}
        opened.adopt(site)
        last = opened.snapshots[-1].id
        _check(opened, named, last)
        with judge_state(opened, rules, also=_ASKED) as (advice, tables):
            before, seen = add_broken_files(advice, site), _read_tables(tables)
            reasons = [(item, explain_not_simulated(item)) for item in choose_recommendations(before, ranks)]
            left_out = [(item, why) for item, why in reasons if why]
            applied = [item for item, why in reasons if not why]
            settings, conflicts = _merge_wanted([wanted for item in applied for wanted in list_wanted(item)], named)
            changes = [_change(tables, wanted, last) for wanted in settings]
        with judge_state(SimulatedCapture.from_capture(opened, settings), rules, also=_ASKED) as (advice, tables):
            after, then = add_broken_files(advice, site), _read_tables(tables)
    steps = [step for step in plan(before, everything=True, grouped=False) if step.items[0] in applied]
    memory = _memory(applied, changes, seen.budget_kb)
    log = [
        LogSpace(member, seen.log[member][0], primary, seen.log[member][1], most, free)
        for member, (primary, most, free) in then.log.items()
        if member in seen.log
    ]
    conflicts += [f"{one[2]}. Remedy: {one[3]}" for one in then.contradicting if one not in seen.contradicting]
    conflicts += _check_space(memory, log) + _check_order(applied, before)
    return Simulation(before, after, steps, changes, left_out, memory, log, conflicts, _unknown(steps, changes))


def _read_tables(tables: "Tables") -> _Seen:
    budget = tables.execute(_BUDGET).fetchone()
    log = {row[0]: (int(row[1]), _round_value(row[2]), _round_value(row[3])) for row in tables.fetch(_LOG)}
    return _Seen(_round_value(budget[0]) if budget else None, tables.fetch(_CONTRADICTING), log)


def _round_value(value: float | None) -> int | None:
    return None if value is None else int(value)


def explain_not_simulated(item: Recommendation) -> str | None:
    """Return the reason why a recommendation cannot be simulated, or None."""
    if not item.settings:
        return "it is manual" if item.by_hand else "its commands change more than settings"
    if any(
        command.action and not command.action.startswith(BY_HAND) and not command.settings for command in item.commands
    ):
        return "its commands change more than settings"
    if lost := [wanted.target for wanted in list_wanted(item) if wanted.location is None]:
        return f"{lost[0]} cannot be simulated"
    return None


def _merge_wanted(advised: list[Wanted], named: Sequence[Wanted]) -> tuple[list[Wanted], list[str]]:
    """Return each setting once with its last value, and the conflicts between different values."""
    found: list[Wanted] = []
    conflicts = []
    for wanted in [*advised, *named]:
        for other in [other for other in found if wanted.is_same_setting(other)]:
            if other.value != wanted.value:
                one, two = _name_origin(other), _name_origin(wanted)
                conflicts.append(
                    f"{wanted.target}: {one} sets {other.value}, {two} sets {wanted.value}; the latter is simulated"
                )
            if wanted.member in (None, other.member):
                found.remove(other)
        found.append(wanted)
    return found, conflicts


def _name_origin(wanted: Wanted) -> str:
    return "--set" if wanted.by is None else f"rank {wanted.by}"


def _check(capture: Capture, named: Sequence[Wanted], snapshot: int) -> None:
    """Check the user's settings before judging. Raise UserError if one is invalid."""
    sources = {table.removeprefix("S_").lower() for wanted in named for table, _ in wanted.known_location.tables}
    with open_tables() as tables:
        capture.load(tables, sources)
        for wanted in named:
            checked(wanted, read_values(tables, wanted, snapshot), _names(tables, wanted))


def _change(tables: "Tables", wanted: Wanted, snapshot: int) -> SimulatedSetting:
    old = read_values(tables, wanted, snapshot)
    present = read_present(tables, wanted, snapshot) if AUTOMATIC in old else None
    sizes = [str(present) if value == AUTOMATIC and present is not None else value for value in old]
    delta = memory_kb(tables, wanted, sizes) if wanted.by is None else None
    shown = ", ".join("none" if value is None else value for value in sorted(old, key=str)) if old else None
    return SimulatedSetting(wanted.target, shown, wanted.value, wanted.by, delta, present)


def _names(tables: "Tables", wanted: Wanted) -> list[str]:
    """Return the existing names of the setting's kind."""
    source = {"DBCFG": "dbcfg.NAME", "DBMCFG": "dbmcfg.NAME", "BUFFERPOOL": "cat_bufferpool.BPNAME",
              "TABLESPACE": "cat_tablespace.TBSPACE", "STOGROUP": "storage_path.STORAGE_GROUP_NAME"}  # fmt: skip
    name, _, column = source.get(wanted.kind, "").partition(".")
    if not name:
        return []
    rows = tables.fetch(f"SELECT DISTINCT {column} FROM {all_sources()[name].table} ORDER BY 1")
    names = [row[0] for row in rows]
    return [each.lower() for each in names] if column == "NAME" else names


def _memory(applied: list[Recommendation], changes: list[SimulatedSetting], budget_kb: int | None) -> Memory:
    """Return the memory of the changes: the rules' figures, and an estimate for the user's settings."""
    named = [change for change in changes if change.rank is None]
    taken_over = {change.target for change in named}
    ruled = [item for item in applied if not taken_over & {setting.target for setting in item.settings}]
    delta = sum(item.memory_delta_kb for item in ruled) + sum(change.memory_kb or 0 for change in named)
    return Memory(delta, budget_kb, tuple(change.target for change in named if change.memory_kb is None))


def _check_space(memory: Memory, log: list[LogSpace]) -> list[str]:
    found = []
    if memory.budget_kb is not None and memory.delta_kb > memory.budget_kb:
        more = text.memory(memory.delta_kb - memory.budget_kb).removeprefix("+")
        found.append(f"Memory: the changes need {more} more than is available")
    for space in log:
        if space.free is not None and space.most_after is not None:
            missing = space.most_after - space.primary_before - space.free
            if missing > 0 and (space.most_before is None or space.most_after > space.most_before):
                found.append(
                    f"Log: member {space.member} may need {missing / 2**20:.0f} MB more than its file system has free"
                )
    return found


def _check_order(applied: list[Recommendation], advice: Advice) -> list[str]:
    """Return a sentence for each chosen change that must follow a change that was not chosen."""
    return [
        f"Rank {item.rank} must follow rank {first.rank}, which was not chosen: {text.title(first)}"
        for item in applied
        for first in advice.ranked
        if first not in applied and must_precede(first, item)
    ]


def _unknown(steps: list[Step], changes: list[SimulatedSetting]) -> list[str]:
    """Return the limits of the simulation, most important first."""
    found = ["Counters are from before the changes: hit ratios, waits and shares of time stay as measured."]
    low, expected, high = sum_benefits(step.items[0] for step in steps)
    if high:
        found.append(
            f"The benefit, {expected:.1f} % of database time ({low:.1f} to {high:.1f}), is estimated and not measured."
        )
    if lost := [change.target for change in changes if change.old is None]:
        found.append(f"The current value of {', '.join(lost)} is unknown, so its change does not affect the list.")
    if any(change.new and change.new.upper().endswith("AUTOMATIC") for change in changes):
        found.append("AUTOMATIC values keep their current size here; Db2 may choose another one.")
    if any(change.rank is None for change in changes):
        found.append(
            "Db2 may reject or defer a value from --set: DEFERRED_VALUE of the configuration shows it after the change."
        )
    return found
