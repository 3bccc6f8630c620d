"""What became of a change that was made, for what its rule advises next: a lesson, and many of them as a document."""

import textwrap
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from advisor import documents
from advisor.errors import UserError

SCHEMA_VERSION = 1
CONFIRMED, NO_EFFECT, HARMFUL = "confirmed", "no effect", "harmful"  # what is inconclusive teaches nothing
_SCHEMA = Path(__file__).with_name("lessons.schema.json")
_MOST_MB = 16
_SAID, _LONGEST = 3, 60  # settings that are told of a change, and characters of a value


class Place(NamedTuple):
    """Which database."""

    name: str
    host: str
    instance: str


class Thing(NamedTuple):
    """Which object of it."""

    type: str
    name: str


class Turned(NamedTuple):
    """A setting, without its member, and from which value to which it was turned."""

    target: str
    old: str | None
    new: str | None


class Percent(NamedTuple):
    """Percent of database time that a change saves; less than 0 is what it costs."""

    low: float
    expected: float
    high: float


@dataclass(frozen=True)
class Lesson:
    """One change that was made alone, with the verdict on it. ``made_on`` is the day in ISO 8601 on which it was seen.

    ``rule`` is None where no advice asked for it. ``promised_pct`` is what that rule says of it, before any lesson; None
    where it promises no time. ``brought_pct`` was measured, per activity, None where only something else got worse.
    """

    database: Place
    made_on: str
    rule: str | None
    object: Thing | None
    settings: tuple[Turned, ...]
    promised_pct: Percent | None
    brought_pct: Percent | None
    verdict: str

    @property
    def says_harm(self) -> str:
        """That it did harm, in one sentence."""
        what = ", ".join(f"{each.target} {_short(each.old)} -> {_short(each.new)}" for each in self.settings[:_SAID])
        brought = self.brought_pct
        worse = (
            f"made it {-brought.expected:.1f} % worse ({-brought.high:.1f} to {-brought.low:.1f})"
            if brought and brought.expected < 0
            else "what must not get worse did"
        )
        return f"This was made on {self.made_on} on {self.database.host} ({what}) and {worse}."


def _short(value: str | None) -> str:
    return "unset" if value is None else textwrap.shorten(value, _LONGEST, placeholder=" ...")


def document(lessons: Iterable[Lesson]) -> dict[str, Any]:
    return {"schema": SCHEMA_VERSION, "lessons": [entry(lesson) for lesson in lessons]}


def entry(lesson: Lesson) -> dict[str, Any]:
    """A lesson as a document of JSON says it."""
    said = asdict(lesson)
    named = {name: getattr(lesson, name) for name in ("database", "object", "promised_pct", "brought_pct")}
    tables = {name: None if value is None else value._asdict() for name, value in named.items()}
    return said | tables | {"settings": [each._asdict() for each in lesson.settings]}


def parse(content: bytes, name: str) -> tuple[Lesson, ...]:
    """The lessons of a document; ``name`` is its file in messages. Raises UserError for what is none."""
    return of_document(documents.from_json(content, name, "export it again"), name)


def of_document(given: Any, name: str) -> tuple[Lesson, ...]:
    documents.check(given, documents.schema_in(_SCHEMA), name)
    return tuple(dict.fromkeys(lesson_of(each) for each in given["lessons"]))


def read(path: Path) -> tuple[Lesson, ...]:
    """The lessons of a file. Raises UserError with one line that names the file and what is wrong there."""
    if not path.is_file():
        raise UserError(f"{path}: no such file; db2tune learned --export FILE writes one")
    return parse(documents.content(path, _MOST_MB, "what was learned"), path.name)


def lesson_of(said: dict[str, Any]) -> Lesson:
    """The lesson that a document of JSON says, which was checked."""
    made = {"database": Place, "object": Thing, "promised_pct": Percent, "brought_pct": Percent}
    tables = {name: None if said[name] is None else kind(**said[name]) for name, kind in made.items()}
    return Lesson(**said | tables | {"settings": tuple(Turned(**each) for each in said["settings"])})
