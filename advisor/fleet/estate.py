"""The health of the databases of a fleet, and the changes that save most across them.

The advice of one rule for any number of databases and objects is one change of the fleet. It saves sessions: its
estimated share of a database's time, times the average active sessions there. A change without measured load ranks
below the others.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from advisor.catalogue.lanes import all_lanes, lane_of
from advisor.judgement.advice import Advice, Recommendation
from advisor.report import text
from advisor.report.fail_on import FailOn, is_urgent, reaches_threshold, severity_of

UNREAD, AT_RISK, UNJUDGED, CAN_GAIN = "unread", "at risk", "not judged", "can gain"
UNEXPLAINED, QUIET = "unexplained", "no change known"
UNEXPLAINED_PCT = 25.0  # percent of database time without a known cause or change
# Meaning of each word, worst first.
HEALTH = {
    UNREAD: "could not be read or analyzed",
    AT_RISK: "safety advice, or a condition that can cause application errors or data loss",
    UNJUDGED: "not enough data to analyze its time",
    CAN_GAIN: "has changes that save database time",
    UNEXPLAINED: f"no change known, and more than {UNEXPLAINED_PCT:.0f} % of its time without a known cause",
    QUIET: "none of these",
}
CODES = {UNEXPLAINED: "well", QUIET: "well"}  # where a program reads another word
SAFETY, CONDITION = "S", "C"  # the lanes


@dataclass(frozen=True)
class Found:
    """A recommendation of a list, with its rank there.

    ``benefit`` is in percent of database time. ``after`` is its remaining part after earlier changes, which adds up.
    ``by_hand`` is true if the change is manual, or None if unknown.
    """

    rank: int
    rule: str
    title: str
    lane: str
    thing: str
    benefit: float
    after: float
    by_hand: bool | None

    @property
    def at_risk(self) -> bool:
        """Return whether this is safety advice, or a condition that can cause application errors or data loss."""
        if self.lane != CONDITION:
            return self.lane == SAFETY
        return is_urgent(self.lane, severity_of(self.rule))


@dataclass(frozen=True)
class Surveyed:
    """A database of the fleet. ``name`` is unique. ``error`` is the reason if the other fields are empty.

    ``sessions`` are its average active sessions, or None without usable load. ``unexplained_pct`` is the percent of its
    database time in large shares that no recommendation claims, except work of statements. ``link`` is its page, if any,
    relative to the fleet's page; ``lists`` is true if that page contains its list.
    ``new`` is what the previous run did not recommend, or None without one. ``trend`` is its database time per activity
    in ms over the last runs.
    """

    name: str
    about: str = ""
    interval: str = ""
    sessions: float | None = None
    judged: bool = False
    found: tuple[Found, ...] = ()
    error: str | None = None
    note: str | None = None
    unexplained_pct: float = 0.0
    health: str = ""
    link: str | None = None
    lists: bool = False
    new: tuple[Found, ...] | None = None
    trend: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "health", self.health or self._health())

    def _health(self) -> str:
        if self.error:
            return UNREAD
        if self.risks:
            return AT_RISK
        if not self.judged:
            return UNJUDGED
        if self.promised_pct > 0:
            return CAN_GAIN
        return UNEXPLAINED if self.unexplained_pct > UNEXPLAINED_PCT else QUIET

    @property
    def health_code(self) -> str:
        """Return the health for programs: the words of docs/fleet.schema.json."""
        return CODES.get(self.health, self.health)

    @property
    def risks(self) -> int:
        """Return the number of recommendations about risks."""
        return sum(item.at_risk for item in self.found)

    @property
    def promised_pct(self) -> float:
        """Return the total benefit of its list, in percent of its database time."""
        return _sum_promised(self.found)

    @property
    def saved_sessions(self) -> float | None:
        """Return the total benefit in active sessions."""
        return None if self.sessions is None else self.sessions * self.promised_pct / 100

    def link_to(self, rank: int) -> str | None:
        """Return the link to a recommendation, or only to its page if that page lacks the list."""
        return f"{self.link}#rank-{rank}" if self.lists else self.link

    @property
    def by_hand(self) -> int | None:
        """Return the number of manual recommendations, or None if unknown."""
        known = [item.by_hand for item in self.found]
        return None if None in known else sum(map(bool, known))


@dataclass(frozen=True)
class FleetAdvice:
    """The advice of one rule for the databases of a fleet, most saved first, and ``objects`` objects in total.

    ``low_pct`` and ``high_pct`` are the least and greatest benefit on a database. ``saved`` is in active sessions on
    databases with measured load, or None without any.
    """

    rule: str
    title: str
    lane: str
    on: tuple[Surveyed, ...]
    objects: int
    low_pct: float
    high_pct: float
    saved: float | None

    @property
    def unmeasured(self) -> int:
        """Return the number of databases without load, which ``saved`` does not contain."""
        return sum(database.sessions is None for database in self.on)

    def rank_on(self, database: Surveyed) -> int:
        """Return the first rank of this advice on one of its databases."""
        return next(item.rank for item in database.found if (item.lane, item.rule) == (self.lane, self.rule))


@dataclass(frozen=True)
class Estate:
    """The databases, worst first, and the changes, most urgent lane first."""

    databases: tuple[Surveyed, ...]
    changes: tuple[FleetAdvice, ...]

    @property
    def saving(self) -> list[FleetAdvice]:
        """Return the changes that save database time, most saved first."""
        return [change for change in self.changes if lane_of(change.lane).by_benefit]

    @property
    def others(self) -> list[FleetAdvice]:
        return [change for change in self.changes if not lane_of(change.lane).by_benefit]

    @property
    def failed(self) -> list[Surveyed]:
        return [database for database in self.databases if database.error]

    @property
    def sessions(self) -> float | None:
        """Return the total load of the databases with measured load."""
        known = [database.sessions for database in self.databases if database.sessions is not None]
        return sum(known) if known else None

    def reaches_threshold(self, fail_on: Iterable[FailOn]) -> bool:
        """Return whether a recommendation reaches a level of ``fail_on``."""
        least = list(fail_on)
        return any(
            reaches_threshold(i.lane, severity_of(i.rule), i.benefit, each)
            for one in self.databases
            for i in one.found
            for each in least
        )

    def health(self) -> dict[str, int]:
        """Return the number of databases per health, worst first."""
        counted = {word: sum(one.health == word for one in self.databases) for word in HEALTH}
        return {word: number for word, number in counted.items() if number}


def estate(databases: Iterable[Surveyed], wanted: Callable[[str], bool] = lambda _: True) -> Estate:
    """Return the fleet with the advice of the ``wanted`` rules. All advice determines the health of a database."""
    shown = [_filter_advice(one, wanted) for one in databases]
    shown.sort(key=sort_key)
    return Estate(tuple(shown), tuple(_changes(shown)))


def sort_key(one: Surveyed) -> tuple[object, ...]:
    """Return the key that sorts databases, worst first."""
    return list(HEALTH).index(one.health), -(one.saved_sessions or 0), -one.promised_pct, one.name


def _filter_advice(one: Surveyed, wanted: Callable[[str], bool]) -> Surveyed:
    new = None if one.new is None else tuple(item for item in one.new if wanted(item.rule))
    return replace(one, found=tuple(item for item in one.found if wanted(item.rule)), new=new)


def survey_advice(name: str, advice: Advice, note: str | None = None) -> Surveyed:
    """Return a database of the fleet from its advice."""
    judged = advice.measured and advice.window.usable and advice.time_spent.is_judged
    usable = advice.measured and advice.window.usable
    return Surveyed(
        name=name,
        about=text.database(advice),
        interval=text.interval(advice.window) if advice.measured else "",
        sessions=advice.window.active_sessions if usable else None,
        judged=judged,
        found=tuple(_read_found(item) for item in advice.ranked),
        note=note,
        unexplained_pct=sum(share.unclaimed_pct for share in advice.time_spent.unexplained) if judged else 0.0,
    )


def _read_found(item: Recommendation) -> Found:
    rank, rule, thing = item.rank or 0, item.rule, text.thing(item)  # ranked items have a rank
    return Found(rank, rule.name, rule.title, item.lane, thing, item.benefit, item.benefit_after, item.by_hand)


def _sum_promised(found: Iterable[Found]) -> float:
    return sum(item.after for item in found if lane_of(item.lane).by_benefit)


def _changes(databases: Iterable[Surveyed]) -> list[FleetAdvice]:
    by_rule: dict[tuple[str, str], list[tuple[Surveyed, list[Found]]]] = {}
    for database in databases:
        own: dict[tuple[str, str], list[Found]] = {}
        for item in database.found:
            own.setdefault((item.lane, item.rule), []).append(item)
        for key, items in own.items():
            by_rule.setdefault(key, []).append((database, items))
    return sorted((_change(rule, lane, on) for (lane, rule), on in by_rule.items()), key=_order)


def _change(rule: str, lane: str, on: list[tuple[Surveyed, list[Found]]]) -> FleetAdvice:
    def saved(database: Surveyed, items: list[Found]) -> float | None:
        return None if database.sessions is None else database.sessions * _sum_promised(items) / 100

    on = sorted(on, key=lambda one: (-(saved(*one) or 0), -_sum_promised(one[1]), one[0].name))
    percents = [_sum_promised(items) for _, items in on]
    known = [sessions for one in on if (sessions := saved(*one)) is not None]
    return FleetAdvice(
        rule=rule,
        title=on[0][1][0].title,
        lane=lane,
        on=tuple(database for database, _ in on),
        objects=sum(len(items) for _, items in on),
        low_pct=min(percents),
        high_pct=max(percents),
        saved=sum(known) if known else None,
    )


def _order(change: FleetAdvice) -> tuple[object, ...]:
    lane = list(all_lanes()).index(change.lane)
    return lane, change.saved is None, -(change.saved or 0), -change.high_pct, -len(change.on), change.rule
