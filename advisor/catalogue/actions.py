"""The actions of a rule's header as rows of its findings: settings, commands, manual steps, and the undo of each."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.rule_file import Item, as_list, list_alternatives
from advisor.catalogue.settings import Kind, kind_of
from advisor.catalogue.templates import Figures, Template


@dataclass(frozen=True)
class Row:
    """A row of the findings for a header, in SQL: its condition and its columns."""

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
    missing: str = ""  # when the action is not a command, since a figure is NULL


@dataclass(frozen=True)
class Actions:
    """The actions of a header, about an ``object`` as in the header, with its name in SQL."""

    items: list[Item]
    object: str
    object_name: str
    unit: str | None
    figures: Figures

    def rows(self) -> list[Row]:
        """Return a row for each setting and each text. Raise ValueError for an action that cannot be read."""
        rows: list[Row] = []
        step = 0
        for item in self.items:
            group = list_alternatives(item)
            for number, action in enumerate(group):
                step += 1
                holds = _condition(group[: number + 1])
                undo = action.get("undo", item.get("undo") if isinstance(item, dict) else None)
                rows += self._action(action, undo, step, holds)
        return rows

    def _action(self, action: dict[str, Any], undo: dict[str, str] | None, step: int, holds: str | None) -> list[Row]:
        if "set" in action:
            rows = list(self._settings(as_list(action["set"]), step, holds))
        elif "command" in action or "manual" in action:
            text, missing = self._text(action)
            rows = [Row(holds, step, action=text, missing=missing)]
        else:  # an undo by itself: it comes after the undo of the steps below
            rows = [Row(holds, step)]
        if undo is None:
            return rows
        back, _ = self._text(undo)
        return [
            replace(row, undo=f"CASE WHEN {row.missing} THEN NULL ELSE {back} END" if row.missing else back)
            for row in rows
        ]

    def _text(self, action: dict[str, Any]) -> tuple[str, str]:
        """Return SQL of a command or a manual step, and of when it is NULL: a command must have all its figures."""
        if "manual" in action:
            template = self.figures.read(BY_HAND + action["manual"])
            return cell(template.expression(), 2500), ""
        template = self.figures.read(action["command"])
        return cell(template.value(), 2500), template.missing

    def _settings(self, settings: list[dict[str, Any]], step: int, condition: str | None) -> Iterator[Row]:
        kinds = [self._kind(setting) for setting in settings]
        statements = {kind.statement for kind in kinds}
        if len(settings) > 1 and (len(statements) > 1 or "" in statements):
            raise ValueError(f"one command must be able to set all of {', '.join(item['name'] for item in settings)}")
        for place, (setting, kind) in enumerate(zip(settings, kinds, strict=True), 1):
            row = self._setting(setting, kind)
            at = place if len(settings) > 1 else 0
            holds = _changes(row, needed=at > 1 and not kind.unset)
            yield replace(row, condition=f"({condition}) AND {holds}" if condition else holds, step=step, place=at)

    def _kind_template(self, setting: dict[str, Any]) -> Template:
        """Return the kind of a setting, by default the type of the object."""
        return self.figures.read(setting.get("kind") or self.object.split(" ")[0])

    def _kind(self, setting: dict[str, Any]) -> Kind:
        name = self.figures.read(setting["name"]).constant or "*"
        return kind_of(self._kind_template(setting).constant or "DBCFG", name)

    def _setting(self, setting: dict[str, Any], kind: Kind) -> Row:
        kind_text, name_text = self._kind_template(setting).value(), self.figures.read(setting["name"]).value()
        member = f"V.{setting['member']}" if "member" in setting else None
        unit = setting.get("unit") or self.unit
        target = [
            kind_text,
            self.object_name if kind.object == "host" else None,
            self._object(setting, kind) if kind.object != "clause" else None,
            name_text,
            f"COALESCE(CAST({member} AS VARCHAR(20)), '')" if member else None,
        ]
        return Row(
            None,
            0,
            kind=cell(kind_text, 20),
            object=cell(self._object(setting, kind) or "NULL", 300),
            quoted=cell(self._object(setting, kind, in_command=True) or "NULL", 520),
            name=cell(name_text, 128),
            member=member or Row.member,
            target=cell(_join_texts([text for text in target if text]), 400),
            current=cell(self.figures.read(setting.get("from", "")).value(), 1024),
            proposed=cell(self.figures.read(setting.get("to", "")).value(), 1024),
            unit=cell(self.figures.read(unit).value() if unit else "NULL", 40),
        )

    def _object(self, setting: dict[str, Any], kind: Kind, in_command: bool = False) -> str | None:
        """Return SQL of the object of a setting, by default the finding's; None if its kind has none."""
        quoted = in_command and kind.object == "name"
        text = setting.get("object")
        if text is None:
            if kind.object not in ("name", "text"):
                return None
            text = self.object.partition(" ")[2]
        if not text:  # the database or the instance
            return self.object_name
        return self.figures.read(text.replace(":text}", ":name}") if quoted else text).value()


def _changes(row: Row, needed: bool) -> str:
    """Return SQL of whether the value changes (an arrow is not a value); with ``needed`` there must be a new one."""
    differs = f"COALESCE({row.proposed}, '->') <> COALESCE({row.current}, '->')"
    return f"{differs} AND {row.proposed} IS NOT NULL" if needed else differs


def _condition(group: list[dict[str, Any]]) -> str | None:
    """Return SQL of whether the last of these alternatives is taken; None if it always is."""
    last = len(group) - 1
    if not last:
        return group[0].get("when")
    branches = " ".join(f"WHEN {each['when']} THEN {number}" for number, each in enumerate(group) if "when" in each)
    return f"CASE {branches} ELSE {-1 if 'when' in group[-1] else last} END = {last}"


def _join_texts(parts: list[str]) -> str:
    """Return SQL of texts with colons between them; adjacent constants become one."""
    return " || ':' || ".join(parts).replace("' || ':' || '", ":")


def cell(text: str, width: int) -> str:
    """Return SQL of a text with a width in bytes."""
    return f"CAST({text} AS VARCHAR({width}))"
