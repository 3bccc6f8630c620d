"""What verified changes taught, in words: for one recommendation, and all that a store has of it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import mean

from advisor.capture.lessons import Lesson, Percent
from advisor.judgement.advice import Recommendation
from advisor.judgement.lessons import factor, own_benefit, select_counted
from advisor.report.text import count, kind_of, make_printable, percent, wrap

NONE = "Nothing was learned yet: db2tune nightly keeps what became of changes, once a verdict is final."
SHOWN = 5
UNASKED = "no advice asked for it"


def explain_lessons(item: Recommendation) -> list[str]:
    """Explain the lessons for a recommendation's rule, and the changes behind them."""
    known = item.learned
    if known is None or not known.lessons:
        return []
    own = f" ({percent(own_benefit(item)[1])})" if item.claimed_pct else ""
    said = (
        f"{_describe_lessons(known.lessons)}: expected is {known.factor:.2f} of the rule's estimate{own}, within its range;"
        f" it alone has confidence {known.confidence:.2g}"
    )
    more = len(known.lessons) - SHOWN
    return [said, *map(line, known.lessons[:SHOWN]), *([f"and {more} more: db2tune learned"] if more > 0 else [])]


def list_harm(items: Iterable[Recommendation]) -> list[str]:
    """List earlier harmful changes among recommendations, one sentence each."""
    return list(dict.fromkeys(item.harm.harm_sentence for item in items if item.harm))


def render(lessons: Sequence[Lesson], width: int) -> str:
    """Return all lessons by rule, the newest first."""
    if not lessons:
        return NONE + "\n"
    lines: list[str] = []
    for rule in sorted({lesson.rule or "" for lesson in lessons}):
        of_rule = [lesson for lesson in lessons if (lesson.rule or "") == rule]
        of_rule.sort(key=lambda lesson: (lesson.made_on, str(lesson)), reverse=True)
        lines += wrap(_heading(rule, of_rule), width, rest="    ")
        lines += [each for lesson in of_rule for each in wrap(line(lesson), width, "    ", "      ")]
    return "\n".join(lines) + "\n"


def line(lesson: Lesson) -> str:
    """Describe one change: time, database, promised and measured benefit."""
    what = f"{kind_of(lesson.object.type)} {lesson.object.name}" if lesson.object else lesson.settings[0].target
    promised = f"promised {_range(lesson.promised_pct, '..')}, " if lesson.promised_pct else ""
    brought = f"brought {_range(lesson.brought_pct, ' to ')}, " if lesson.brought_pct else ""
    return f"{lesson.made_on} {lesson.database.name} on {lesson.database.host}, {what}: {promised}{brought}{lesson.verdict}"


def places(lessons: Iterable[Lesson]) -> str:
    """Return the databases of lessons, with their counts."""
    found = Counter(lesson.database for lesson in lessons)
    return make_printable(", ".join(f"{n} of {place.name} on {place.host}" for place, n in found.items()))


def _heading(rule: str, lessons: Sequence[Lesson]) -> str:
    if not rule:
        return f"{UNASKED[0].upper()}{UNASKED[1:]}: {count(len(lessons), 'change')} did harm"
    usable = select_counted(lessons, rule)
    if not usable:
        return f"{rule}: {count(len(lessons), 'change')}, of which no time was promised"
    return f"{rule}: {_describe_lessons(usable)}; expected is {factor(usable):.2f} of the rule's estimate"


def _describe_lessons(lessons: Sequence[Lesson]) -> str:
    promised = mean(lesson.promised_pct.expected for lesson in lessons if lesson.promised_pct)
    brought = mean(lesson.brought_pct.expected if lesson.brought_pct else 0.0 for lesson in lessons)
    average = " on average" if len(lessons) > 1 else ""
    return f"{count(len(lessons), 'change')} promised {percent(promised)}{average} and brought {percent(brought)}"


def _range(value: Percent, to: str) -> str:
    return f"{percent(value.expected)} ({value.low:.1f}{to}{value.high:.1f})"
