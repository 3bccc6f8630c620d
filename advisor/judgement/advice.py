"""The result of a run: ranked recommendations with evidence, commands and undo."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from advisor.capture.lessons import Lesson
from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.options import Overrides
from advisor.catalogue.rules import Rule
from advisor.judgement.lock_chains import LockNode
from advisor.judgement.statements import Statements
from advisor.judgement.time_spent import TimeSpent

if TYPE_CHECKING:
    from advisor.indexes.advice import IndexAdvice

Record = dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """A recommendation's claim on one time bucket, and the bucket's size, both in percent of database time."""

    bucket: str
    pct: float
    of_pct: float


@dataclass(frozen=True)
class Setting:
    """A setting that a recommendation changes: kind (sql/rank/setting_kinds.csv), name, object and member.

    ``current`` and ``proposed`` are its values, AUTOMATIC if Db2 chooses the value, None without a value.
    """

    kind: str
    name: str
    object: str | None
    member: int | None
    target: str
    current: str | None
    proposed: str | None
    unit: str | None


Done = tuple[tuple["Command", ...], tuple[Setting, ...]]  # the commands of a recommendation, and their settings


def requested_value(value: str) -> str:
    """Return AUTOMATIC if the value ends with it, otherwise the value itself."""
    return "AUTOMATIC" if value.endswith("AUTOMATIC") else value


@dataclass(frozen=True)
class Command:
    """One command or manual line, its undo, and the settings that it changes. Action or undo may be None."""

    action: str | None
    undo: str | None
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True)
class Acceptance:
    """An accepted risk; ``until`` is the last day in ISO 8601, or None without an end.

    ``expired`` is True if it ended before the end of the interval; the recommendation is then ranked again.
    """

    reason: str
    by: str
    until: str | None
    expired: bool = False


@dataclass(frozen=True)
class Learned:
    """The effect of lessons on a recommendation: its rule's lessons, newest first, and the harmful change, if any.

    The expected benefit is ``factor`` times the rule's own ``recover``, within the rule's range. ``confidence`` is the
    rule's own confidence. ``recover`` is None and ``lessons`` is empty if the list was ranked without lessons.
    """

    lessons: tuple[Lesson, ...]
    factor: float
    recover: float | None
    confidence: float
    harm: Lesson | None


@dataclass(frozen=True)
class Recommendation:
    """One row of TUNE.ADVICE with the commands of its findings.

    Benefits and claims are in percent of database time. ``rank`` and ``step`` (of the plan) are None for a finding that
    is left out; ``superseded_by`` is then the rule that replaces it, with the rank ``superseded_rank``, or a reason.
    ``effect`` is the code in sql/rank/effects.csv for when the change takes effect.
    """

    rank: int | None
    rule: Rule
    object_type: str
    object_name: str
    member: int | None
    lane: str
    claimed_pct: float
    claims: list[Claim]
    benefit_low: float
    benefit: float
    benefit_high: float
    benefit_after: float
    confidence: float
    ease: float
    effect: str
    score: float
    target: str | None
    current: str | None
    proposed: str | None
    unit: str | None
    memory_delta_kb: int
    evidence: dict[str, str]
    finding: str
    commands: tuple[Command, ...]
    settings: tuple[Setting, ...]
    superseded_by: str | None
    accepted: Acceptance | None = None
    step: int | None = None
    superseded_rank: int | None = None
    learned: Learned | None = None

    @property
    def harm(self) -> Lesson | None:
        """The earlier harmful change of this kind on this database, if any."""
        return self.learned.harm if self.learned else None

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of this advice across runs."""
        return self.rule.name, self.object_type, self.object_name

    @property
    def actions(self) -> list[str]:
        """The commands and manual lines of the recommendation."""
        return _lines([command.action for command in self.commands])

    @property
    def by_hand(self) -> bool:
        """Whether all actions are manual."""
        return all(line.startswith(BY_HAND) for line in self.actions)

    @property
    def undo(self) -> list[str]:
        """The undo commands in running order."""
        return _lines([command.undo for command in reversed(self.commands)])


@dataclass(frozen=True)
class Window:
    """The judged interval: its length in seconds, its source, and the reason if it cannot be used.

    ``quiet_s`` is the length of an interval with too little load, if the time since activation is judged instead.
    """

    begin: str | None
    end: str
    seconds: float | None
    source: str
    usable: bool
    reason: str | None
    members: int
    active_sessions: float | None
    quiet_s: float | None = None

    @property
    def timed(self) -> bool:
        """Whether there is an interval, usable or not."""
        return self.begin is not None or self.seconds is not None


@dataclass(frozen=True)
class Workload:
    """The kind of work with its probabilities; ``windows_disagree`` if parts of the interval are of different kinds.

    ``known`` is False if the site did not declare it and nothing was measured.
    """

    name: str
    p_oltp: float
    p_bi: float
    windows_disagree: bool = False
    known: bool = True


@dataclass(frozen=True)
class Advice:
    """The result of one run; ``options`` are the site's options, ``hadr_role`` is PRIMARY, STANDBY or STANDARD.

    ``in_text`` is the number of rows per source, if the capture was made from texts. ``seen`` are the rows of additional
    queries, for charts. ``indexes`` is None without statement texts or column statistics. ``passed`` are the rules that
    had complete input and found nothing.
    """

    database: dict[str, Any]
    window: Window
    workload: Workload
    recommendations: list[Recommendation]
    not_run: list[tuple[str, str]]
    questions: list[dict[str, str]]
    options: Overrides
    time_spent: TimeSpent
    statements: Statements = field(default_factory=Statements)
    lock_chains: tuple[LockNode, ...] = ()
    hadr_role: str | None = None
    in_text: dict[str, int] = field(default_factory=dict)
    seen: dict[str, list[Record]] = field(default_factory=dict)
    indexes: "IndexAdvice | None" = None
    passed: list[str] = field(default_factory=list)

    @property
    def measured(self) -> bool:
        """Whether there is a measured interval: texts must also contain the time of requests."""
        return self.window.timed and not (self.in_text and self.window.active_sessions is None)

    @property
    def ranked(self) -> list[Recommendation]:
        return [item for item in self.recommendations if item.rank is not None]


def sum_benefits(items: Iterable[Recommendation]) -> tuple[float, float, float]:
    """Return the benefit of recommendations after those above each: low, expected and high."""
    left = [(item, item.benefit_after / item.benefit if item.benefit else 0) for item in items]
    return (
        sum(item.benefit_low * part for item, part in left),
        sum(item.benefit * part for item, part in left),
        sum(item.benefit_high * part for item, part in left),
    )


def _lines(texts: list[str | None]) -> list[str]:
    """Return the distinct lines: several members may have the same one."""
    return list(dict.fromkeys(text for text in texts if text))
