"""What the header of a rule says to do, as rows of the findings: its lines set, do, by-hand and the undo of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from advisor.catalogue.settings import Kind, kind_of
from advisor.catalogue.templates import Figures, Line, Template, chains

BY_HAND = "-- "
SEPARATOR = "; "  # between the settings of one command

_SETTING = re.compile(
    r"(?:(?P<kind>\w+|\{\w+:text\})(?: (?!on )(?P<object>(?:(?!: ).)+?))?? (?!on ))?"
    r"(?P<name>\S+)(?: on (?P<member>\w+))?: +(?P<values>.+)",
    re.DOTALL,
)
_CHANGE = re.compile(r"(?P<old>.*?) *-> *(?P<new>.*?)(?: \((?P<unit>[^()]*)\))?", re.DOTALL)
_UNDO_OF = {"do": "undo", "by-hand": "undo-by-hand"}


@dataclass(frozen=True)
class Row:
    """A row of the findings that a header makes, in SQL: when it is there, and what it says."""

    condition: str | None
    step: int
    place: int = 0
    kind: str = "CAST(NULL AS VARCHAR(20))"
    object: str = "CAST(NULL AS VARCHAR(300))"
    quoted: str = "CAST(NULL AS VARCHAR(520))"  # two names of 128 with each quote in them twice
    name: str = "CAST(NULL AS VARCHAR(128))"
    member: str = "CAST(NULL AS SMALLINT)"
    target: str = "CAST(NULL AS VARCHAR(400))"
    current: str = "CAST(NULL AS VARCHAR(1024))"
    proposed: str = "CAST(NULL AS VARCHAR(1024))"
    unit: str = "CAST(NULL AS VARCHAR(40))"
    action: str = "CAST(NULL AS VARCHAR(2500))"
    undo: str = "CAST(NULL AS VARCHAR(2500))"
    missing: str = ""  # when the action is no command, since a figure lacks


@dataclass(frozen=True)
class Actions:
    """The lines of a header that say what to do, about an ``object`` as the header has it, with its name in SQL."""

    lines: tuple[Line, ...]
    object: str
    object_name: str
    unit: str | None
    figures: Figures

    def rows(self) -> list[Row]:
        """A row for each setting and each text. Raises ValueError for a line that cannot be read, or where there is none."""
        rows: list[Row] = []
        group: list[Line] = []
        step = begun = 0
        for line in self.lines:
            if group and line.field == _UNDO_OF.get(group[-1].field) and rows[-1].undo == Row.undo:
                rows[begun:] = self._with_undo(rows[begun:], line)
            elif line.field in _UNDO_OF.values():  # by itself: it comes after what takes back the steps below
                step += 1
                rows.append(Row(line.condition, step, undo=self._text(line)[0]))
            elif line.field in ("set", *_UNDO_OF):
                group, begun = ([*group, line], begun) if line.follows else ([line], len(rows))
                chains(group)
                step += 1
                holds = _holds(group)
                rows += self._settings(line, step, holds) if line.field == "set" else [self._action(line, step, holds)]
        if not rows:
            raise ValueError("the header says nothing to do: set, do or by-hand")
        return rows

    def _action(self, line: Line, step: int, condition: str | None) -> Row:
        text, missing = self._text(line)
        return Row(condition, step, action=text, missing=missing)

    def _text(self, line: Line) -> tuple[str, str]:
        """SQL of a command or a text for a person, and of when it is NULL: a command that lacks a figure is none."""
        if line.follows and line.field in _UNDO_OF.values():
            raise ValueError(f"an undo is no else: {line.text}")
        if line.field.endswith("by-hand") or line.text.startswith(BY_HAND):
            template = self.figures.read(BY_HAND + line.text.removeprefix(BY_HAND))
            return cell(template.expression(), 2500), ""
        template = self.figures.read(line.text)
        return cell(template.value(), 2500), template.missing

    def _with_undo(self, rows: list[Row], line: Line) -> list[Row]:
        """What takes back each line of a chain that does not say so itself; nothing where there is no command."""
        if line.condition:
            raise ValueError(f"an undo holds when the line above it does: {line.condition}")
        undo, _ = self._text(line)
        return [
            replace(row, undo=f"CASE WHEN {row.missing} THEN NULL ELSE {undo} END" if row.missing else undo)
            if row.undo == Row.undo
            else row
            for row in rows
        ]

    def _settings(self, line: Line, step: int, condition: str | None) -> Iterator[Row]:
        found = _SETTING.fullmatch(line.text)
        if found is None:
            raise ValueError(
                f"a setting reads '[KIND [object]] NAME [on MEMBER]: old -> new [(unit)]', not {line.text!r}"
            )
        first, *more = found["values"].split(SEPARATOR)
        named = [(found["name"], first), *(tuple(item.partition(": ")[::2]) for item in more)]
        kinds = [self._kind(found, name) for name, _ in named]
        statements = {kind.statement for kind in kinds}
        if len(named) > 3 or (more and (len(statements) > 1 or "" in statements)):
            raise ValueError(f"one command sets three settings at most, and all of them: {line.text!r}")
        for place, ((name, values), kind) in enumerate(zip(named, kinds, strict=True), 1):
            change = _CHANGE.fullmatch(values)
            if change is None or "->" in change["new"]:
                raise ValueError(f"a setting changes from 'old -> new', not {values!r}")
            row = self._setting(found, kind, name, change)
            at = place if more else 0
            holds = _changes(row, needed=at > 1 and not kind.unset)
            yield replace(row, condition=f"({condition}) AND {holds}" if condition else holds, step=step, place=at)

    def _kind_said(self, found: re.Match[str]) -> Template:
        """The kind that a line names, else that of the object."""
        return self.figures.read(found["kind"] or self.object.split(" ")[0])

    def _kind(self, found: re.Match[str], name: str) -> Kind:
        return kind_of(self._kind_said(found).constant or "DBCFG", self.figures.read(name).constant or "*")

    def _setting(self, found: re.Match[str], kind: Kind, name: str, change: re.Match[str]) -> Row:
        kind_text, name_text = self._kind_said(found).value(), self.figures.read(name).value()
        member = f"V.{found['member']}" if found["member"] else None
        unit = change["unit"] or self.unit
        target = [
            kind_text,
            self.object_name if kind.object == "host" else None,
            self._object(found["object"], kind) if kind.object != "clause" else None,
            name_text,
            f"COALESCE(CAST({member} AS VARCHAR(20)), '')" if member else None,
        ]
        return Row(
            None,
            0,
            kind=cell(kind_text, 20),
            object=cell(self._object(found["object"], kind) or "NULL", 300),
            quoted=cell(self._object(found["object"], kind, in_command=True) or "NULL", 520),
            name=cell(name_text, 128),
            member=member or Row.member,
            target=cell(_joined([text for text in target if text]), 400),
            current=cell(self.figures.read(change["old"]).value(), 1024),
            proposed=cell(self.figures.read(change["new"]).value(), 1024),
            unit=cell(self.figures.read(unit).value() if unit else "NULL", 40),
        )

    def _object(self, text: str | None, kind: Kind, in_command: bool = False) -> str | None:
        """What a setting is of, that of the finding where its line names none; None where its kind has none."""
        quoted = in_command and kind.object == "name"
        if text is None:
            if kind.object not in ("name", "text"):
                return None
            text = self.object.partition(" ")[2]
        if not text:  # the database or the instance
            return self.object_name
        return self.figures.read(text.replace(":text}", ":name}") if quoted else text).value()


def _changes(row: Row, needed: bool) -> str:
    """SQL of whether the value is to be another one (an arrow is none); with ``needed`` there must be a new one."""
    differs = f"COALESCE({row.proposed}, '->') <> COALESCE({row.current}, '->')"
    return f"{differs} AND {row.proposed} IS NOT NULL" if needed else differs


def _holds(group: list[Line]) -> str | None:
    """SQL of whether the last line of a chain holds; None where it always does."""
    if len(group) == 1:
        return group[0].condition
    last = len(group) - 1
    branches = " ".join(f"WHEN {line.condition} THEN {n}" for n, line in enumerate(group) if line.condition)
    return f"CASE {branches} ELSE {last if group[-1].condition is None else -1} END = {last}"


def _joined(parts: list[str]) -> str:
    """SQL of texts with colons between them; constants that meet become one."""
    return " || ':' || ".join(parts).replace("' || ':' || '", ":")


def cell(text: str, width: int) -> str:
    """SQL of a text that is so many bytes wide."""
    return f"CAST({text} AS VARCHAR({width}))"
