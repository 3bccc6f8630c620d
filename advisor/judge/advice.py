"""What comes out of a run: the ranked recommendations with their evidence, commands and undo.

``result`` makes them from the rows of a few views, whichever engine computed these.
"""

from dataclasses import dataclass, field
from typing import Any

from advisor.capture.lessons import Lesson
from advisor.catalogue.options import Overrides
from advisor.catalogue.rules import Rule
from advisor.judge.statements import Statements, statements
from advisor.judge.time_spent import TimeSpent, time_spent

Record = dict[str, Any]

# The views from which advice is made, whichever engine computed them.
REPORT = (
    *("SUMMARY", "ADVICE", "FINDING", "COMMAND", "CLAIM", "PLAN", "NOT_RUN", "QUESTION", "TIME_SPENT", "SILENCE"),
    "TOP_STATEMENT",
)

BY_HAND = "-- "  # begins a line of an action that is for a person


@dataclass(frozen=True)
class Claim:
    """What a recommendation claims from one time bucket and how large that is, in percent of database time."""

    bucket: str
    pct: float
    of_pct: float


@dataclass(frozen=True)
class Setting:
    """What a recommendation sets: of which kind (sql/rank/setting_kinds.csv), of which object and on which member.

    ``current`` and ``proposed`` are the values, with AUTOMATIC where Db2 sets it; None where there is none.
    """

    kind: str
    name: str
    object: str | None
    member: int | None
    target: str
    current: str | None
    proposed: str | None
    unit: str | None


Done = tuple[tuple["Command", ...], tuple[Setting, ...]]  # the commands of a recommendation, and what they set


def asked_for(value: str) -> str:
    """What a value asks of Db2: AUTOMATIC, whatever it begins with, or the value itself."""
    return "AUTOMATIC" if value.endswith("AUTOMATIC") else value


@dataclass(frozen=True)
class Command:
    """One command or text for a person with what takes it back, either of which may lack; and the settings it changes."""

    action: str | None
    undo: str | None
    settings: tuple[Setting, ...] = ()


@dataclass(frozen=True)
class Acceptance:
    """That somebody accepted the risk; ``until`` is the last day in ISO 8601, None for good.

    What ``expired`` before the end of the interval is ranked again.
    """

    reason: str
    by: str
    until: str | None
    expired: bool = False


@dataclass(frozen=True)
class Learned:
    """What verified changes of its rule, the newest first, made of a recommendation, and the one that did ``harm`` here.

    Of its claim ``factor`` times what the rule says, ``recover``, is expected, within the range of the rule; it says
    this ``confidence``. None of ``recover`` and no ``lessons`` where a list was ranked without them.
    """

    lessons: tuple[Lesson, ...]
    factor: float
    recover: float | None
    confidence: float
    harm: Lesson | None


@dataclass(frozen=True)
class Recommendation:
    """One row of TUNE.ADVICE with the commands of its findings.

    Benefits and claims are percent of database time; ``rank`` and ``step``, that of the plan, are None for what was
    found and left out, and then ``superseded_by`` says by what: a rule, of which ``superseded_rank`` is the rank, or a
    reason.
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
        """The change that did harm here when it was made before, if there was one."""
        return self.learned.harm if self.learned else None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same advice in another run."""
        return self.rule.name, self.object_type, self.object_name

    @property
    def actions(self) -> list[str]:
        """What is to be done, a command or a text for a person each."""
        return _lines([command.action for command in self.commands])

    @property
    def by_hand(self) -> bool:
        """Whether there is no command in what is to be done, only text for a person."""
        return all(line.startswith(BY_HAND) for line in self.actions)

    @property
    def undo(self) -> list[str]:
        """What takes it back, in the order in which it runs."""
        return _lines([command.undo for command in reversed(self.commands)])


@dataclass(frozen=True)
class Window:
    """The interval that was judged: seconds, where it came from, and why it cannot be used, if so."""

    begin: str | None
    end: str
    seconds: float | None
    source: str
    usable: bool
    reason: str | None
    members: int
    active_sessions: float | None

    @property
    def timed(self) -> bool:
        """Whether there is an interval at all, be it one that cannot be used."""
        return self.begin is not None or self.seconds is not None


@dataclass(frozen=True)
class Workload:
    """What kind of work the database does, and how sure that is; whether parts of the interval are of both kinds.

    Not ``known`` where neither the site declared it nor anything was measured.
    """

    name: str
    p_oltp: float
    p_bi: float
    windows_disagree: bool = False
    known: bool = True


@dataclass(frozen=True)
class Advice:
    """The result of one run; ``options`` are those that the site set, ``hadr_role`` is PRIMARY, STANDBY or STANDARD.

    ``in_text`` is, of a capture that was made of texts, how many rows of each source these held; ``seen`` are the rows
    of statements that were asked besides, for pictures.
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
    hadr_role: str | None = None
    in_text: dict[str, int] = field(default_factory=dict)
    seen: dict[str, list[Record]] = field(default_factory=dict)

    @property
    def measured(self) -> bool:
        """Whether there is an interval to tell of: of texts only where they say how much time requests took."""
        return self.window.timed and not (self.in_text and self.window.active_sessions is None)

    @property
    def ranked(self) -> list[Recommendation]:
        return [item for item in self.recommendations if item.rank is not None]


def result(
    records: dict[str, list[Record]],
    rules: list[Rule],
    database: dict[str, Any],
    taken: tuple[str | None, str],
    options: Overrides,
) -> Advice:
    """The advice from the rows of the REPORT views, whichever engine computed them."""
    known = {rule.name: rule for rule in rules}
    done = what_is_done(records["FINDING"], records["COMMAND"])
    claims: dict[tuple[str, str, str], list[Claim]] = {}
    for row in sorted(records["CLAIM"], key=lambda row: int(row["POSITION"])):
        claims.setdefault(_identity(row), []).append(Claim(row["BUCKET"], row["CLAIM_PCT"], row["BUCKET_PCT"]))
    steps = {row["POSITION"]: row["STEP"] for row in records["PLAN"]}
    summary = records["SUMMARY"][0]
    return Advice(
        database=database,
        window=Window(
            begin=taken[0],
            end=taken[1],
            seconds=summary["SECONDS"],
            source=summary["SOURCE"],
            usable=summary["USABLE"] == 1,
            reason=summary["REASON"],
            members=summary["MEMBERS"],
            active_sessions=summary["ACTIVE_SESSIONS"],
        ),
        workload=Workload(
            summary["CLASS"],
            summary["P_OLTP"],
            summary["P_BI"],
            summary["WINDOWS_DISAGREE"] == 1,
            summary["CLASS_KNOWN"] == 1,
        ),
        recommendations=[
            _recommendation(
                row,
                known,
                done.get(_identity(row), ((), ())),
                claims.get(_identity(row), []),
                steps,
            )
            for row in sorted(records["ADVICE"], key=_advice_order)
            if row["RULE"] in known
        ],
        not_run=_not_run(records["NOT_RUN"]),
        questions=sorted(records["QUESTION"], key=lambda row: (row["QUESTION"], row["RULE"])),
        options=options,
        time_spent=time_spent(records["TIME_SPENT"], records["SILENCE"]),
        statements=statements(records["TOP_STATEMENT"]),
        hadr_role=summary["HADR_ROLE"],
    )


def _identity(row: Record) -> tuple[str, str, str]:
    return row["RULE"], row["OBJECT_TYPE"], row["OBJECT_NAME"]


def what_is_done(findings: list[Record], commands: list[Record]) -> dict[tuple[str, str, str], Done]:
    """Commands and settings of each recommendation, by rule, type and name of its object: rows of FINDING and COMMAND."""
    set_by: dict[tuple[str, str, str], list[Record]] = {}
    for row in sorted(findings, key=_order_of_settings):
        if row["SETTING_KIND"] is not None:
            set_by.setdefault(_identity(row), []).append(row)
    made: dict[tuple[str, str, str], list[Command]] = {}
    for row in sorted(commands, key=_order_of_commands):
        settings = [_setting(item) for item in set_by.get(_identity(row), []) if _of_command(item, row)]
        made.setdefault(_identity(row), []).append(Command(row["ACTION_TEXT"], row["UNDO_TEXT"], tuple(settings)))
    return {
        key: (tuple(made.get(key, ())), tuple(_setting(item) for item in set_by.get(key, ())))
        for key in made.keys() | set_by.keys()
    }


def _order_of_settings(row: Record) -> tuple[Any, ...]:
    return *_order(row), row["PLACE"], row["TARGET"] or ""


def _order_of_commands(row: Record) -> tuple[Any, ...]:
    return *_order(row), row["TARGET"] or "", row["ACTION_TEXT"] or ""


def _order(row: Record) -> tuple[Any, ...]:
    return *_identity(row), -1 if row["MEMBER"] is None else row["MEMBER"], row["STEP"]


def _of_command(setting: Record, command: Record) -> bool:
    """Whether a setting is one that a command changes: alone, or with the others of its line."""
    same = (setting["MEMBER"], setting["STEP"]) == (command["MEMBER"], command["STEP"])
    return same and (setting["PLACE"] > 0 or setting["TARGET"] == command["TARGET"])


def _setting(row: Record) -> Setting:
    return Setting(
        row["SETTING_KIND"],
        row["SETTING_NAME"],
        row["SETTING_OBJECT"],
        row["SETTING_MEMBER"],
        row["TARGET"],
        row["CURRENT_VALUE"],
        row["PROPOSED_VALUE"],
        row["UNIT"],
    )


def _advice_order(row: Record) -> tuple[Any, ...]:
    place = row["POSITION"]
    return place is None, place or 0, -row["SCORE"], *_identity(row)


def _not_run(rows: list[Record]) -> list[tuple[str, str]]:
    reasons: dict[str, set[str]] = {}
    for row in rows:
        reasons.setdefault(row["RULE"], set()).add(row["REASON"])
    return [(rule, "; ".join(sorted(reasons[rule]))) for rule in sorted(reasons)]


def _recommendation(
    row: Record,
    rules: dict[str, Rule],
    done: Done,
    claims: list[Claim],
    steps: dict[int, int],
) -> Recommendation:
    return Recommendation(
        rank=row["POSITION"],
        rule=rules[row["RULE"]],
        object_type=row["OBJECT_TYPE"],
        object_name=row["OBJECT_NAME"],
        member=row["MEMBER"],
        lane=row["LANE"],
        claimed_pct=row["CLAIMED_PCT"],
        claims=claims,
        benefit_low=row["BENEFIT_LOW"],
        benefit=row["BENEFIT"],
        benefit_high=row["BENEFIT_HIGH"],
        benefit_after=row["BENEFIT_AFTER"],
        confidence=row["CONFIDENCE"],
        ease=row["EASE"],
        score=row["SCORE"],
        target=row["TARGET"],
        current=row["CURRENT_VALUE"],
        proposed=row["PROPOSED_VALUE"],
        unit=row["UNIT"],
        memory_delta_kb=row["MEMORY_DELTA_KB"],
        evidence=_pairs(row["EVIDENCE"]),
        finding=row["FINDING"],
        commands=done[0],
        settings=done[1],
        superseded_by=row["SUPERSEDED_BY"],
        accepted=_acceptance(row),
        step=steps.get(row["POSITION"]),
        superseded_rank=row["BY_POSITION"],
    )


def _acceptance(row: Record) -> Acceptance | None:
    if row["ACCEPTED_REASON"] is None:
        return None
    until = row["ACCEPTED_UNTIL"]
    last_day = None if until is None else str(until)
    return Acceptance(row["ACCEPTED_REASON"], row["ACCEPTED_BY"], last_day, row["ACCEPTED_EXPIRED"] == 1)


def _pairs(evidence: str | None) -> dict[str, str]:
    pairs = (pair.partition("=") for pair in (evidence or "").split("; ") if pair)
    return {name: value for name, _, value in pairs}


def _lines(texts: list[str | None]) -> list[str]:
    """Return commands and texts for a person; the same one of several members is given once."""
    return list(dict.fromkeys(text for text in texts if text))
