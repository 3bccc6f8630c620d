"""Lessons: results of verified changes that adjust later advice."""

import textwrap
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from advisor import documents
from advisor.errors import UserError

SCHEMA_VERSION = 1
CONFIRMED, NO_EFFECT, HARMFUL, INCONCLUSIVE = "confirmed", "no effect", "harmful", "inconclusive"
_SCHEMA = Path(__file__).with_name("lessons.schema.json")
_MOST_MB = 16
_SAID, _LONGEST = 3, 60  # settings per change and characters per value in messages


class DatabaseKey(NamedTuple):
    """A database."""

    name: str
    host: str
    instance: str


class Thing(NamedTuple):
    """An object of the database."""

    type: str
    name: str


class Turned(NamedTuple):
    """A setting, without its member, and its old and new values."""

    target: str
    old: str | None
    new: str | None


class Percent(NamedTuple):
    """Percent of database time that a change saves. Negative values are costs."""

    low: float
    expected: float
    high: float


@dataclass(frozen=True)
class Lesson:
    """The verdict on a single change. ``made_on`` is the day on which db2tune noticed it, in ISO 8601.

    ``rule`` is None if no advice caused the change. ``promised_pct`` is the rule's estimate before any lesson, or None
    without one. ``brought_pct`` is measured per activity, or None if only other metrics became worse.
    """

    database: DatabaseKey
    made_on: str
    rule: str | None
    object: Thing | None
    settings: tuple[Turned, ...]
    promised_pct: Percent | None
    brought_pct: Percent | None
    verdict: str

    @property
    def harm_sentence(self) -> str:
        """Describe the harm in one sentence."""
        what = ", ".join(
            f"{each.target} {_shorten(each.old)} -> {_shorten(each.new)}" for each in self.settings[:_SAID]
        )
        brought = self.brought_pct
        worse = (
            f"made it {-brought.expected:.1f} % worse ({-brought.high:.1f} to {-brought.low:.1f})"
            if brought and brought.expected < 0
            else "made a protected metric worse"
        )
        return f"This change was made on {self.made_on} on {self.database.host} ({what}) and {worse}."


def _shorten(value: str | None) -> str:
    return "unset" if value is None else textwrap.shorten(value, _LONGEST, placeholder=" ...")


def document(lessons: Iterable[Lesson]) -> dict[str, Any]:
    return {"schema": SCHEMA_VERSION, "lessons": [entry(lesson) for lesson in lessons]}


def entry(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as a JSON object."""
    said = asdict(lesson)
    named = {name: getattr(lesson, name) for name in ("database", "object", "promised_pct", "brought_pct")}
    tables = {name: None if value is None else value._asdict() for name, value in named.items()}
    return said | tables | {"settings": [each._asdict() for each in lesson.settings]}


def parse(content: bytes, name: str) -> tuple[Lesson, ...]:
    """Return the lessons of a document. ``name`` is its file in messages. Raise UserError if it is invalid."""
    return parse_lessons(documents.from_json(content, name, "export it again"), name)


def parse_lessons(given: Any, name: str) -> tuple[Lesson, ...]:
    documents.check(given, documents.schema_in(_SCHEMA), name)
    return tuple(dict.fromkeys(lesson_of(each) for each in given["lessons"]))


def read(path: Path) -> tuple[Lesson, ...]:
    """Return the lessons of a file. Raise UserError if it is invalid."""
    if not path.is_file():
        raise UserError(f"{path}: no such file; create it with db2tune learned --export FILE")
    return parse(documents.content(path, _MOST_MB, "lessons"), path.name)


def lesson_of(said: dict[str, Any]) -> Lesson:
    """Return the lesson of a checked JSON object."""
    made = {"database": DatabaseKey, "object": Thing, "promised_pct": Percent, "brought_pct": Percent}
    tables = {name: None if said[name] is None else kind(**said[name]) for name, kind in made.items()}
    return Lesson(**said | tables | {"settings": tuple(Turned(**each) for each in said["settings"])})
