"""Lessons from verified changes: they adjust a rule's expected benefit and confidence, and warn of harmful changes.

A rule's own numbers weigh as much as WEIGHT changes, so one lucky night moves little. All adjustments have limits. Every
single change with a final verdict counts, by its measurement and not by its verdict: counting only decided changes would
select those with a large measured effect.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from advisor.capture.lessons import HARMFUL, Lesson, Turned
from advisor.judgement.advice import Advice, Learned, Recommendation, requested_value

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

WEIGHT = 4.0
MIN_FACTOR, MAX_FACTOR = 0.5, 1.5  # times the rule's expected benefit
LEVEL = 0.3  # largest change of confidence: from low to medium, or from medium to high
MAX_CONFIDENCE = 0.9
MIN_CONFIDENCE = 0.3  # lowest confidence that lessons can cause, and the confidence of a change that did harm
OF_DATABASE = ("sql.missing-index",)  # rules that model a database, so that only its own changes count
MODELLED = "INDEX", "TABLE"  # objects of their findings whose benefit already has the factor
MAX_RATIO = 2.0  # times the promised benefit: most that one change counts for
_SIGMAS = 4  # distance of a verdict's bounds, in standard deviations

_CHANGE = """UPDATE TUNE.FINDING SET CONFIDENCE = ?, RECOVER_EXPECTED =
    GREATEST(RECOVER_LOW, LEAST(RECOVER_HIGH, RECOVER_EXPECTED * ?)) WHERE rowid = ?"""

Harmful = dict[str, list[tuple[Turned, Lesson]]]  # by the setting without its member
Key = tuple[str, str, str]  # rule, type and name of the object


class Wanted(NamedTuple):
    """A setting that a recommendation would change; ``target`` contains its member, if any."""

    target: str
    member: int | None
    current: str | None
    proposed: str | None


def factor(lessons: Iterable[Lesson]) -> float:
    """Return the factor for a rule's expected benefit: the mean fraction of the promised benefit that was measured."""
    return min(MAX_FACTOR, max(MIN_FACTOR, _average(1.0, [(_weight(each), _part(each)) for each in lessons])))


def confidence(own: float, lessons: Iterable[Lesson]) -> float:
    """Return a rule's adjusted confidence, from the fraction of its changes that reached their promise."""
    share = _average(own, [(_weight(each), float(_is_kept(each))) for each in lessons])
    return min(max(own, MAX_CONFIDENCE), own + LEVEL, max(min(own, MIN_CONFIDENCE), own - LEVEL, share))


def _average(own: float, parts: Sequence[tuple[float, float]]) -> float:
    """Return the weighted mean of a rule's own number and of parts, each with its weight."""
    return (WEIGHT * own + fsum(weight * part for weight, part in parts)) / (WEIGHT + fsum(of for of, _ in parts))


def select_counted(lessons: Iterable[Lesson], rule: str, database: str | None = None) -> tuple[Lesson, ...]:
    """Return the lessons about a rule's promised benefit, on a database if this matters, newest first."""
    of_rule = [each for each in lessons if each.rule == rule and each.promised_pct and each.promised_pct.expected > 0]
    if database and rule in OF_DATABASE:
        of_rule = [each for each in of_rule if each.database.name.upper() == database.upper()]
    usable = [each for each in of_rule if each.brought_pct or each.verdict == HARMFUL]
    return tuple(sorted(usable, key=_place, reverse=True))


def find_harmful(lessons: Iterable[Lesson], database: str) -> Harmful:
    """Return the harmful changes of a database by setting."""
    found: Harmful = {}
    for each in lessons:
        if each.verdict == HARMFUL and each.database.name.upper() == database.upper():
            for turned in each.settings:
                found.setdefault(turned.target, []).append((turned, each))
    return found


def harm(known: Harmful, settings: Iterable[Wanted]) -> Lesson | None:
    """Return the newest harmful change that moved one of the settings in the same direction, or None."""
    found = [
        lesson
        for setting in settings
        for turned, lesson in known.get(setting.target.removesuffix(f":{setting.member}"), ())
        if _moves_same_way(setting, turned)
    ]
    return max(found, key=_place, default=None)


def learn(tables: "Tables", lessons: Sequence[Lesson], database: str) -> dict[Key, Learned]:
    """Apply the lessons to TUNE.FINDING before the ranking; return their effect on each recommendation."""
    if not lessons:
        return {}
    rows = tables.fetch(
        "SELECT RULE, OBJECT_TYPE, OBJECT_NAME, RECOVER_EXPECTED, CONFIDENCE, rowid,"
        " TARGET, SETTING_MEMBER, CURRENT_VALUE, PROPOSED_VALUE FROM TUNE.FINDING"
        " ORDER BY COALESCE(CLAIMED_PCT, 0) DESC, rowid"
    )
    by_key: dict[Key, list[Any]] = {}
    for rule, kind, name, *rest in rows:
        by_key.setdefault((rule, kind, name), []).append(rest)
    known = {rule: select_counted(lessons, rule, database) for rule in {rule for rule, _, _ in by_key}}
    did_harm = find_harmful(lessons, database)
    found: dict[Key, Learned] = {}
    for key, of in by_key.items():
        of_rule = known[key[0]]
        harmed = harm(did_harm, [Wanted(*rest[3:]) for rest in of if rest[3] is not None])
        if not of_rule and harmed is None:
            continue
        learned = factor(of_rule)
        applied = learned if key[0] in OF_DATABASE and key[1] in MODELLED else 1.0
        found[key] = Learned(of_rule, learned, of[0][0] and of[0][0] / applied, of[0][1], harmed)
        for _, own, row, *_ in of:
            sure = confidence(own, of_rule)
            tables.execute(_CHANGE, (min(MIN_CONFIDENCE, sure) if harmed else sure, learned / applied, row))
    return found


def attach_lessons(advice: Advice, known: Mapping[Key, Learned]) -> Advice:
    """Add the lessons to each recommendation; put the warning of an earlier harmful change first in its finding."""
    items = list(advice.recommendations)
    for place, item in enumerate(items):
        if learned := known.get(item.key):
            said = f"{learned.harm.harm_sentence} " if learned.harm else ""
            items[place] = replace(item, learned=learned, finding=f"{said}{item.finding}")
    return replace(advice, recommendations=items)


def attach_warnings(advice: Advice, lessons: Sequence[Lesson]) -> Advice:
    """Add warnings of earlier harmful changes to advice that was ranked without lessons."""
    did_harm = find_harmful(lessons, advice.database["name"])
    found = {
        item.key: Learned((), 1.0, None, item.confidence, harmed)
        for item in advice.recommendations
        if (harmed := harm(did_harm, [Wanted(s.target, s.member, s.current, s.proposed) for s in item.settings]))
    }
    return attach_lessons(advice, found)


def own_benefit(item: Recommendation) -> tuple[float, float, float]:
    """Return the low, expected and high benefit that the rule itself promises, without lessons."""
    own = item.learned.recover if item.learned else None
    return item.benefit_low, item.benefit if own is None else item.claimed_pct * own, item.benefit_high


def _moves_same_way(setting: Wanted, turned: Turned) -> bool:
    """Return whether a setting would move as before: both up, both down, or to the same value."""
    proposed = setting.proposed and requested_value(setting.proposed)
    return proposed == turned.new or _way(setting.current, proposed) == _way(turned.old, turned.new) != 0


def _way(old: str | None, new: str | None) -> int:
    """Return 1 for more, -1 for less, and 0 if the values are not numbers or equal."""
    try:
        before, after = float(old or ""), float(new or "")
    except ValueError:
        return 0
    return (after > before) - (after < before)


def _weight(lesson: Lesson) -> float:
    """Return the weight of a change: lower if the measured bounds are wide compared with the promised benefit."""
    assert lesson.promised_pct is not None  # ``counted`` requires it
    width = lesson.brought_pct.high - lesson.brought_pct.low if lesson.brought_pct else 0.0
    promised = lesson.promised_pct.expected**2
    return promised / (promised + (width / _SIGMAS) ** 2)


def _part(lesson: Lesson) -> float:
    """Return the measured fraction of the promised benefit; 0 for a harmful change."""
    assert lesson.promised_pct is not None
    if lesson.verdict == HARMFUL or lesson.brought_pct is None:
        return 0.0
    return min(MAX_RATIO, max(0.0, lesson.brought_pct.expected / lesson.promised_pct.expected))


def _is_kept(lesson: Lesson) -> bool:
    assert lesson.promised_pct is not None
    brought = lesson.brought_pct
    return lesson.verdict != HARMFUL and brought is not None and brought.expected >= lesson.promised_pct.low


def _place(lesson: Lesson) -> tuple[str, ...]:
    return lesson.made_on, *lesson.database, str(lesson)
