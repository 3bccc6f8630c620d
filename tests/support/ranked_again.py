"""A second, plain implementation of the ranking: one list after the other, with loops.

The result must equal that of sql/rank/. Both follow the comments of sql/rank/ and docs/decisions.md independently, so a
mistake in one of them shows.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from advisor.catalogue.rules import Rule, precedence
from advisor.catalogue.tables import FINDING_COLUMNS
from tests.support.handmade import END, List

EASE = {"ON": 1, "RC": 0.9, "RA": 0.9, "IR": 0.8, "OB": 0.65, "HR": 0.5}
LANES, SEVERITIES = "QSPCH", ("critical", "high", "medium", "low")
EVERYWHERE = ("DATABASE", "INSTANCE")
NO_PATTERN = (*EVERYWHERE, "HOST", "MEMBER")  # of these only the full name is protected

Row = dict[str, Any]
Account = tuple[str, str, str]


@dataclass(eq=False)
class Item:
    """One finding of one rule about one object.

    ``claims`` is by position: bucket and percent of database time.
    """

    rule: Rule
    kind: str
    name: str
    findings: list[Row]
    part: Row
    claims: dict[int, tuple[str, float]]
    row: Row = field(default_factory=dict)
    number: int = 0
    left_out: str | None = None
    factor: float = 0
    severity: int = 0
    floor: float | None = None
    needs: int = 0
    gives: int = 0
    accounts: dict[int, dict[Account, float]] = field(default_factory=dict)
    keys: set[object] = field(default_factory=set)
    yields_to: set["Item"] = field(default_factory=set)
    donors: list["Item"] = field(default_factory=list)
    place: int = 0  # among the findings of its rule that conflict with another one

    @property
    def is_donor(self) -> bool:
        return self.rule.donor

    @property
    def contends(self) -> bool:
        return bool(self.accounts or self.keys or self.needs or self.is_donor)

    @property
    def lane(self) -> int:
        return LANES.index(self.row["LANE"])

    def left(self, charged: dict[Account, float]) -> dict[int, float]:
        """Return the rest of each claim, of which the finding takes the expected part."""
        return {
            position: self.part["RECOVER_EXPECTED"]
            * min(min(self.claims[position][1], max(0, pct - charged[account])) for account, pct in accounts.items())
            for position, accounts in self.accounts.items()
        }


@dataclass
class Choice:
    """A chosen finding, or the donor that pays for one."""

    item: Item
    memory: int
    after: dict[int, float]
    pays_for: Item | None = None


class Ranking:
    """A list computed with loops: ``advice`` and ``plan`` as the rows of those views."""

    def __init__(self, run: List) -> None:
        self.tables = run.tables
        self.buckets: dict[str, float] = dict(self.tables["TIME_BUCKET"])
        self.object_time = {(kind, name, bucket): pct for kind, name, bucket, pct in self.tables["OBJECT_TIME"]}
        self.budget, self.withheld = self.tables["MEMORY_BUDGET"][0]
        self.rules = {rule.name: rule for rule in run.rules}
        self.items = list(self._items())
        for item in self.items:
            self._score(item)
        self.candidates = sorted((item for item in self.items if item.left_out is None), key=self._alone)
        for number, item in enumerate(self.candidates, 1):
            item.number = number
        self._relate()
        if self.budget is not None:
            self.budget += sum(item.gives for item in self.candidates if not item.contends)
        self.chosen: list[Choice] = []
        while choice := self._next():
            self.chosen.append(choice)
        self.advice = self._advice()
        self.plan = self._plan()

    # the claims and promises

    def _items(self) -> Iterator[Item]:
        groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
        for rule, *values in self.tables["FINDING"]:
            row = dict(zip(FINDING_COLUMNS, values, strict=True))
            groups[rule, row["OBJECT_TYPE"], row["OBJECT_NAME"]].append(row)
        for (rule, kind, name), findings in groups.items():
            part = min(
                findings,
                key=lambda row: (
                    -(row["CLAIMED_PCT"] or 0), -1 if row["MEMBER"] is None else row["MEMBER"], row["TARGET"] is None, row["TARGET"] or ""
                ),
            )  # fmt: skip
            yield Item(
                self.rules[rule], kind, name, findings, part, dict(self._claims(self.rules[rule], kind, name, part))
            )

    def _claims(self, rule: Rule, kind: str, name: str, part: Row) -> Iterator[tuple[int, tuple[str, float]]]:
        if (part["CLAIMED_PCT"] or 0) <= 0 or (rule.judged_by == "structure" and self.tables["NO_LOAD"]):
            return
        others = [part["CLAIM_2_PCT"] or 0, part["CLAIM_3_PCT"] or 0]
        parts = [part["CLAIMED_PCT"] - sum(others), *others]
        for position, (claim, pct) in enumerate(zip(rule.claims, parts, strict=False), 1):
            there_is = self.buckets[claim.bucket]
            yield (
                position,
                (claim.bucket, min(pct, there_is, self.object_time.get((kind, name, claim.bucket), there_is))),
            )

    def _score(self, item: Item) -> None:
        part = item.part
        claimed = sum(pct for _, pct in item.claims.values())
        actions = [row["ACTION_TEXT"] for row in item.findings if row["ACTION_TEXT"]]
        by_hand = all(action.startswith("-- ") for action in actions)
        (cap,), (floor,) = self.tables["RUN_WINDOW"][0], self.tables["O_SITE"][0]
        benefit = claimed * part["RECOVER_EXPECTED"]
        untimed = any(rule == item.rule.name and ms is None for rule, _, ms in self.tables["JUDGED_TIME"])
        is_rate = untimed and item.rule.judged_by == "rates" and item.rule.lanes[0] == "P"
        confidence = min(part["CONFIDENCE"], cap, 0.6 if by_hand else 1, 0.3 if is_rate else 1)
        manual = 0.1 if item.rule.header.get("steps_need") == "disks" else 0.25
        ease = min(EASE[item.rule.effect], manual if by_hand else 1)
        members = {row["MEMBER"] for row in item.findings}
        lane = "C" if is_rate and claimed <= 0 else item.rule.lanes[0 if claimed > 0 else 1]
        if item.rule.judged_by in ("config", "structure") and item.rule.lanes == ("P", "H") and benefit < floor:
            lane = "H"
        accepted = self._accepted(item)
        memory = part["MEMORY_DELTA_KB"] or 0
        item.factor = confidence * ease * (0.7 if item.rule.risk == "high" else 1)
        item.severity = SEVERITIES.index(item.rule.severity) if lane in "SC" else -1
        item.floor = floor if lane == "P" and not item.is_donor else None
        item.needs = max(memory, 0) if not item.is_donor else 0
        at_once = not by_hand and item.rule.effect == "ON" and (part["MEMBER"] is None or len(members) > 1)
        item.gives = max(-memory, 0) if not self.withheld and (item.is_donor or at_once) else 0
        if self._is_protected(item):
            item.left_out = "protected"
        elif accepted and not accepted["ACCEPTED_EXPIRED"]:
            item.left_out = "accepted"
        elif item.floor is not None and benefit < item.floor:
            item.left_out = "benefit below the floor"
        item.row = {
            "RULE": item.rule.name, "OBJECT_TYPE": item.kind, "OBJECT_NAME": item.name,
            "MEMBER": part["MEMBER"] if len(members) == 1 else None, "LANE": lane, "CLAIMED_PCT": claimed,
            "BENEFIT_LOW": claimed * part["RECOVER_LOW"], "BENEFIT": benefit,
            "BENEFIT_HIGH": min(100, claimed * part["RECOVER_HIGH"]), "CONFIDENCE": confidence, "EASE": ease,
            "SCORE": benefit * confidence * ease, "TARGET": part["TARGET"], "MEMORY_DELTA_KB": memory,
            "BY_HAND": by_hand, **accepted,
        }  # fmt: skip

    def _is_protected(self, item: Item) -> bool:
        for _, name, patterns, *_ in self.tables["OPTION"]:
            for pattern in filter(None, patterns.split(";") if name == "protected" else ()):
                begins = pattern.endswith("*") and item.kind not in NO_PATTERN and item.name.startswith(pattern[:-1])
                if begins or pattern == item.name:
                    return True
        return False

    def _accepted(self, item: Item) -> Row:
        fits = [
            (until is not None and until < END, -len(pattern), pattern, reason, who)
            for rule, pattern, reason, until, who, _ in self.tables["ACCEPTED"]
            if rule == item.rule.name
            and (pattern == item.name or (pattern.endswith("*") and item.name.startswith(pattern[:-1])))
        ]
        if not fits:
            return {}
        expired, _, _, reason, who = min(fits)
        return {"ACCEPTED_REASON": reason, "ACCEPTED_BY": who, "ACCEPTED_EXPIRED": int(expired)}

    def _alone(self, item: Item) -> tuple[object, ...]:
        """Return the rank of a finding without any other."""
        worth = round(item.row["BENEFIT"] * item.factor, 6)
        looked_at = item.row["BY_HAND"]
        return item.lane, item.severity, -worth, looked_at, -item.row["EASE"], item.rule.name, item.kind, item.name

    # the conflicts

    def _relate(self) -> None:
        for item in self.candidates:
            if item.row["LANE"] == "P" and not item.is_donor:
                item.accounts = {
                    position: self._accounts(item, bucket) for position, (bucket, pct) in item.claims.items() if pct > 0
                }
            item.yields_to = {other for other in self.candidates if other is not item and self._yields(item, other)}
        wanted: dict[object, set[Item]] = defaultdict(set)
        for item, key in self._wants():
            wanted[key].add(item)
        for key, items in wanted.items():
            for item in items if len(items) > 1 else ():
                item.keys.add(key)
        givers: list[Item] = []
        donors = [item for item in self.candidates if item.is_donor]
        for number, item in enumerate(donors):
            if item.gives and not any(item.keys & other.keys for other in donors[:number]):
                givers.append(item)
        places: dict[str, int] = defaultdict(int)
        for item in self.candidates:
            if item.needs:
                item.donors = [donor for donor in givers if not donor.keys & item.keys]
            if item.contends:
                places[item.rule.name] += 1
                item.place = places[item.rule.name]

    def _places(self, item: Item) -> set[tuple[str, str]]:
        found = {(item.kind, item.name)}
        if item.kind == "TABLE":
            for schema, table, *lies_in in self.tables["D_CAT_TABLE"]:
                if f"{schema}.{table}" == item.name:
                    found |= {("TABLESPACE", space) for space in lies_in if space is not None}
        if item.kind == "MEMBER":
            found |= {("HOST", host) for host, member in self.tables["HOST"] if str(member) == item.name}
        spaces = {name for kind, name in found if kind == "TABLESPACE"}
        return found | {("BUFFERPOOL", pool) for name, pool in self.tables["TABLESPACE"] if name in spaces and pool}

    def _accounts(self, item: Item, bucket: str) -> dict[Account, float]:
        found = {(bucket, "-", "-"): self.buckets[bucket]}
        places = self._places(item)
        for kind, name in places:
            pct = self.object_time.get((kind, name, bucket))
            if pct is not None and [other for other, _ in places].count(kind) == 1:
                found[bucket, kind, name] = pct
        return found

    def _yields(self, item: Item, other: Item) -> bool:
        for relation in item.rule.get_list("defers_to"):
            scope, larger = relation["within"], relation.get("only_if_larger")
            more = other.row["BENEFIT"] - item.row["BENEFIT"]
            as_much = other.row["CLAIMED_PCT"] >= 0.9 * item.row["CLAIMED_PCT"] or other.row["LANE"] not in "PCH"
            if relation["rule"] != other.rule.name or not (more > 0 or (not larger and as_much)):
                continue
            if scope == "any" or (item.kind, item.name) == (other.kind, other.name):
                return True
            if scope in ("pool", "host"):
                kind = {"pool": "BUFFERPOOL", "host": "HOST"}[scope]
                shared = {place for place in self._places(item) & self._places(other) if place[0] == kind}
                if shared or item.kind in EVERYWHERE or other.kind in EVERYWHERE:
                    return True
        return False

    def _wants(self) -> Iterator[tuple[Item, object]]:
        settings = [(item, *_parameter(row)) for item in self.candidates for row in item.findings if row["TARGET"]]
        for item, parameter, member in settings:
            yield item, (parameter, member)
            for _, same, one in settings:
                if member is None and same == parameter and one is not None:
                    yield item, (parameter, one)
        for item in self.candidates:
            if group := item.rule.exclusive:
                yield item, (group, item.kind, item.name)
            for other in item.yields_to:
                yield item, (item, other)
                yield other, (item, other)

    # the choice

    def _charged(self, chosen: Iterable[Choice]) -> dict[Account, float]:
        charged: dict[Account, float] = defaultdict(float)
        for choice in chosen:
            for position, accounts in choice.item.accounts.items():
                for account in accounts:
                    charged[account] += choice.after.get(position, 0)
        return charged

    def _next(self) -> Choice | None:
        given = {choice.item for choice in self.chosen}
        taken = set().union(*(item.keys for item in given))
        free = None if self.budget is None else self.budget - sum(choice.memory for choice in self.chosen)
        charged = self._charged(self.chosen)
        paid_for = {choice.pays_for for choice in self.chosen}

        def out(item: Item) -> bool:
            return item in given or bool(item.keys & taken)

        def short(item: Item) -> int:
            return 0 if free is None else max(0, item.needs - free)

        def is_open(item: Item) -> bool:
            if out(item) or not item.contends or item.is_donor or item.place > 100:
                return False
            if item.floor is not None and round(sum(item.left(charged).values()), 6) < item.floor:
                return False
            more = sum(donor.gives for donor in item.donors if not out(donor))
            return item.needs == 0 or free is None or item.needs <= free + more

        can = [item for item in self.candidates if is_open(item)]

        def worth(item: Item) -> float:
            return round(sum(item.left(charged).values()) * item.factor, 6)

        def waits_for(item: Item) -> set[Item]:
            for_memory = {other for donor in item.donors for other in donor.yields_to} if short(item) > 0 else set()
            return {other for other in item.yields_to | for_memory if other in can}

        causes = {other for item in can if worth(item) > 0 for other in waits_for(item)}

        def order(item: Item) -> tuple[object, ...]:
            claims, waits = worth(item) > 0, bool(waits_for(item))
            group = 0 if claims and not waits else 1 if item in causes else 2 if claims else 3
            return item not in paid_for, group, waits, item.lane, item.severity, -worth(item), item.number

        if not can:
            return None
        best = min(can, key=order)
        if missing := short(best):
            donors = [donor for donor in best.donors if not out(donor)]
            enough = [donor for donor in donors if donor.gives >= missing]
            donor = min(enough or donors, key=lambda one: (one.gives if enough else -one.gives, one.number))
            return Choice(donor, -donor.gives, {}, best)
        return Choice(best, best.needs - best.gives, best.left(charged))

    # the output

    def _advice(self) -> list[Row]:
        number = {choice.item: (place, choice) for place, choice in enumerate(self.chosen, 1)}
        given = [item for item in self.candidates if item in number or not item.contends]
        given.sort(key=lambda item: (item.lane, number[item][0] if item.row["LANE"] == "P" else 0, item.number))
        position = {item: place for place, item in enumerate(given, 1)}
        rows = []
        for item in self.items:
            by, reason = None, item.left_out
            if reason is None and item not in position:
                by, reason = self._lost(item)
            rows.append(
                item.row
                | {
                    "POSITION": position.get(item),
                    "BENEFIT_AFTER": sum(number[item][1].after.values()) if item in number else 0,
                    "SUPERSEDED_BY": by.rule.name if by else reason,
                    "BY_POSITION": position[by] if by else None,
                }
            )
        return rows

    def _lost(self, item: Item) -> tuple[Item | None, str | None]:
        """Return the finding that replaced it, or the reason."""
        given = [choice.item for choice in self.chosen]
        spent = sum(choice.memory for choice in self.chosen)
        misfit = self.budget is not None and item.needs > self.budget - spent
        winners = [
            (other not in item.yields_to, place, other)
            for place, other in enumerate(given)
            if other.keys & item.keys and (not misfit or other.number < item.number or other in item.yields_to)
        ]
        if winners:
            return min(winners, key=lambda one: one[:2])[2], None
        if item.place > 100:
            return None, "beyond the first 100 of its rule"
        left = item.left(self._charged(self.chosen))
        if item.floor is not None and left and round(sum(left.values()), 6) < item.floor:
            takers = [taker for accounts in item.accounts.values() if (taker := self._taker(accounts))]
            return min(takers, key=lambda one: one.number, default=None), None
        return None, "no advice needs its memory" if item.is_donor else "not enough free memory"

    def _taker(self, accounts: dict[Account, float]) -> Item | None:
        """Return the finding that took most of the account with the least time left."""
        charged = self._charged(self.chosen)
        least = min(accounts, key=lambda account: (accounts[account] - charged[account], account))
        takers = [
            (-choice.after.get(position, 0), place, choice.item)
            for place, choice in enumerate(self.chosen)
            for position, own in choice.item.accounts.items()
            if least in own
        ]
        return min(takers, key=lambda one: one[:2])[2] if takers else None

    def _plan(self) -> list[Row]:
        before = precedence(list(self.rules.values()))
        ranked = {row["POSITION"]: row for row in self.advice if row["POSITION"] is not None}
        wanted = {
            place: min([place, *(p for p, other in ranked.items() if row["RULE"] in before[other["RULE"]])])
            for place, row in ranked.items()
        }
        needs = [wanted[place] for place, row in ranked.items() if row["MEMORY_DELTA_KB"] > 0]

        def order(place: int) -> tuple[object, ...]:
            frees = ranked[place]["MEMORY_DELTA_KB"] < 0
            at = min([wanted[place], *needs]) if frees else wanted[place]
            return at, not frees, len(before[ranked[place]["RULE"]]), place

        steps, memory = [], 0
        for number, place in enumerate(sorted(ranked, key=order), 1):
            delta = ranked[place]["MEMORY_DELTA_KB"]
            steps.append(
                {"POSITION": place, "STEP": number, "MEMORY_BEFORE_KB": memory, "MEMORY_AFTER_KB": memory + delta}
            )
            memory += delta
        return steps


def _parameter(row: Row) -> tuple[str, int | None]:
    target, member = row["TARGET"], row["SETTING_MEMBER"]
    if row["SETTING_NAME"] == "DEFERRED_SIZE":
        return target.removesuffix("DEFERRED_SIZE") + "SIZE", member
    return target if member is None else target.removesuffix(f":{member}"), member
