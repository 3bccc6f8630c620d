"""What of the advice is shown: the options --area, --top and --min-benefit, and lines that belong together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from advisor.catalogue.lanes import Lane, all_lanes, lane_of
from advisor.catalogue.rules import Rule
from advisor.errors import MOST_NAMED, UserError
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.time_spent import SEEN
from advisor.report.text import count, explain_suppression, percent

NOTHING_JUDGED = "The text has no values that rules can check, so the health of the database is unknown."


@dataclass(frozen=True)
class Selection:
    """The part of the advice that was asked for. Ranks are those of the whole list.

    ``considered`` is the ranked list before --top; ``small`` were left out by --min-benefit.
    """

    advice: Advice
    areas: tuple[str, ...]
    ranked: list[Recommendation]
    considered: list[Recommendation]
    suppressed: list[Recommendation]
    not_run: list[tuple[str, str]]
    questions: list[dict[str, str]]
    small: int

    def rules(self, known: Iterable[str]) -> list[str]:
        """Return the rules in the selected areas."""
        return [rule for rule in known if not self.areas or rule.partition(".")[0] in self.areas]

    def group_by_lane(self) -> Iterator[tuple[Lane, list[Recommendation]]]:
        """Yield the lanes with advice, each with its recommendations."""
        for letter, lane in all_lanes().items():
            if items := [item for item in self.ranked if item.lane == letter]:
                yield lane, items

    def shows_full(self, everything: bool) -> bool:
        """Return whether every recommendation is shown in full, also in short lanes."""
        return everything or bool(self.areas)

    def explain_empty(self) -> str | None:
        """Return the sentence shown instead of an empty list."""
        if self.ranked:
            return None
        spent = self.advice.time_spent
        if not self.advice.measured:
            checks = count(len(self.passed), "check")
            return f"No changes recommended from this text: {checks} ran and passed." if self.passed else NOTHING_JUDGED
        where = f" in {', '.join(self.areas)}" if self.areas else ""
        if spent.state == SEEN:
            return f"Nothing to recommend{where}."
        if not spent.is_judged:
            return f"No recommendation{where}, and not because all is well. {spent.says}"
        return f"No rule knows a change{where}, but time remains that none explains: {self.describe_unexplained()}."

    def describe_unexplained(self) -> str:
        """Return the large shares of time that no recommendation claims."""
        return ", ".join(f"{share.title} {percent(share.pct)}" for share in self.advice.time_spent.unexplained)

    @property
    def passed(self) -> list[str]:
        """The rules in the selected areas that had complete input and found nothing."""
        return self.rules(self.advice.passed)

    def describe_open(self) -> str:
        """Return the areas of the rules that could not run with their numbers, the largest first."""
        rules = {rule for rule, _ in self.not_run}
        need = "needs" if len(rules) == 1 else "need"
        return f"{count(len(rules), 'rule')} {need} more text: {_count_areas(rules)}" if rules else ""

    def describe_passed(self) -> str:
        """Return the rules that passed; of many their areas with their numbers, the largest first."""
        if len(self.passed) <= MOST_NAMED:
            return ", ".join(self.passed)
        return f"{count(len(self.passed), 'rule')}: {_count_areas(self.passed)}"

    def count_not_run(self) -> str:
        rules = {rule for rule, _ in self.not_run}
        return f"{count(len(rules), 'rule')} could not run" if rules else "every rule that applies could run"

    def describe_left_out(self) -> str | None:
        cut = len(self.considered) - len(self.ranked)
        parts = [
            f"{cut} more in the list (--top)" if cut else "",
            f"{self.small} below --min-benefit" if self.small else "",
        ]
        return "; ".join(part for part in parts if part) or None

    def group_reasons(self) -> dict[str, list[str]]:
        """Group the rules that could not run by reason, the most common reason first."""
        return _group_by_size((reason, rule) for rule, said in self.not_run for reason in split_reasons(said))

    def group_questions(self, everything: bool = False) -> dict[str, list[str]]:
        """Group the rules that need an answer by question, the most valuable question first.

        Text input without host facts has none, unless everything is shown.
        """
        if self.advice.in_text and "system" not in self.advice.in_text and not everything:
            return {}
        return _group_by_size((question["QUESTION"], question["RULE"]) for question in self.questions)

    def group_displaced(self) -> dict[tuple[str, str], list[Recommendation]]:
        """Group suppressed recommendations by their rule and the recommendation that displaced them."""
        groups: dict[tuple[str, str], list[Recommendation]] = {}
        for item in self.suppressed:
            groups.setdefault((item.rule.name, explain_suppression(item)), []).append(item)
        return groups


def select(advice: Advice, areas: tuple[str, ...] = (), top: int | None = None, min_benefit: float = 0) -> Selection:
    """Select by area and benefit what is shown; all rules have settled their conflicts before."""

    def wanted(rule: str) -> bool:
        return not areas or rule.partition(".")[0] in areas

    def large(item: Recommendation) -> bool:
        return not lane_of(item.lane).by_benefit or item.benefit >= min_benefit

    found = [item for item in advice.recommendations if wanted(item.rule.name)]
    shown = [item for item in found if large(item)]
    ranked = [item for item in shown if item.rank is not None]
    return Selection(
        advice=advice,
        areas=areas,
        ranked=ranked[:top],
        considered=ranked,
        suppressed=[item for item in shown if item.rank is None],
        not_run=[(rule, reason) for rule, reason in advice.not_run if wanted(rule)],
        questions=[question for question in advice.questions if wanted(question["RULE"])],
        small=sum(item.rank is not None for item in found) - len(ranked),
    )


def split_reasons(said: str) -> list[str]:
    """Return the reasons of a rule that could not run. The message of a failure is not split."""
    before, failed, message = said.partition("failed: ")
    return [*filter(None, before.split("; ")), *([failed + message] if failed else [])]


def areas_of(rules: Mapping[str, Rule]) -> list[str]:
    return sorted({rule.area for rule in rules.values()})


def check_areas(areas: Iterable[str], rules: Mapping[str, Rule]) -> None:
    known = areas_of(rules)
    for area in areas:
        if area not in known:
            raise UserError(f"--area {area}: no such area; there are {', '.join(known)}")


def _count_areas(rules: Iterable[str]) -> str:
    areas = Counter(rule.partition(".")[0] for rule in rules)
    return ", ".join(f"{area} ({n})" for area, n in sorted(areas.items(), key=lambda item: (-item[1], item[0])))


def _group_by_size(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return {key: groups[key] for key in sorted(groups, key=lambda key: (-len(groups[key]), key))}
