"""The kinds of settings, sql/rank/setting_kinds.csv: their form in commands, and the commands that show their values.

docs/architecture.md explains the columns. The first row that matches KIND and NAME counts.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

from advisor.catalogue.platforms import Way, all_needs, all_ways, condition
from advisor.catalogue.templates import Figure, breaks_word, holds_character, holds_control, read
from advisor.quoting import CONTROLS, literal
from advisor.resources import data_file

# Form of a value in a command, as a form of a figure: templates.py. Values in shell commands have a form of their
# own.
FORMS = {"word": "text", "clause": "text", "name": "name", "path": "path", "quoted": "name"}
_WAY_FORMS = {"json": "text", "literal": "literal", "pages": "text"}  # the same for the commands of platforms

_QUOTE, _YES, _NO = literal("'"), literal("'Y'"), literal("'N'")
_BRACES = {"{": "CHR(123)", "}": "CHR(125)"}  # drivers take braces in a statement for escape clauses (c0004148)
_MOST_WORDS = {"word": 1, "clause": 2, "quoted": 2, "json": 1, "literal": 2, "pages": 1}  # 2 are several

# The step before a change whose instance name cannot be in a command.
NO_INSTANCE = "-- Attach to the instance first; otherwise the change takes effect at the next db2start."


class Words(NamedTuple):
    """The name of a setting, its object, its member, and its value."""

    name: str
    object: str | None
    member: int | None
    value: str = ""


@dataclass(frozen=True)
class Kind:
    """A row of setting_kinds.csv."""

    kind: str
    name: str
    object: str
    statement: str
    setting: str
    value: str
    unset: bool
    left_out: bool
    typed_by: str
    shown_by: str
    checked: str
    look_at: str
    before: str

    @property
    def on_host(self) -> bool:
        return self.typed_by != "database"

    @property
    def condition(self) -> str:
        """SQL of whether a setting is of this kind."""
        return condition(self.kind, self.name)

    def fill(self, text: str, one: Words, write: Callable[[str], str] = str) -> str:
        """Return a text of the row for one setting, each word in the form of ``write``."""
        member = "" if one.member is None else str(one.member)
        instance = f" -i {write(one.object)}" if one.object else ""
        words = {
            "NAME": write(one.name),
            "OBJECT": write(one.object or ""),
            "VALUE": write(one.value),
            "OF_INSTANCE": f"{instance} {member}".rstrip() if instance else "",
            "WHERE": (f" of {one.object}" if one.object else "") + (f" on member {member}" if member else ""),
        }
        return "".join(
            piece if isinstance(piece, str) else words[piece.name] for _, part in read(text).parts for piece in part
        )

    def matches(self, kind: str, name: str) -> bool:
        return self.kind == kind and (name.startswith(self.name[:-1]) if self.name.endswith("*") else name == self.name)


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Return every kind, in the order in which they are tried."""
    return tuple(
        Kind(
            row["KIND"],
            row["NAME"],
            row["OBJECT"],
            row["STATEMENT"],
            row["SETTING"],
            row["VALUE"],
            row["UNSET"] == "yes",
            row["UNSET"] == "left out",
            row["TYPED_BY"],
            row["SHOWN_BY"],
            row["CHECKED"],
            row["LOOK_AT"],
            row["BEFORE"],
        )
        for row in data_file("rank", "setting_kinds")
    )


def kind_of(kind: str, name: str) -> Kind:
    """Return the kind of a setting. Raise ValueError for an unknown one."""
    found = next((item for item in all_kinds() if item.matches(kind, name)), None)
    if found is None:
        raise ValueError(f"{kind} {name}: no such kind of setting in sql/rank/setting_kinds.csv")
    return found


def setting_views(controls: str = CONTROLS) -> dict[str, str]:
    """Return the SELECTs of TUNE.SETTING_WORD and TUNE.SETTING_TEXT, which reads it.

    SETTING_WORD has the settings and texts of the findings with the words of their commands. KIND_NO is the row of
    setting_kinds.csv, NULL for a text, and <column>_WORDS tells whether a value is one word. HOLDS_CONTROL is 1 if a name,
    a value or a text holds one of ``controls``: then sql/rank/command.sql writes no command. NEEDS is what a setting
    needs, NULL if only SQL, or for a text.

    SETTING_TEXT has each setting as in its command. STATEMENT_TEXT is the part that the settings of one command share.
    NEW_TEXT and OLD_TEXT are the part of each setting in the command and in its undo: NULL if it does not exist, blank if
    it is left out. sql/rank/command.sql joins them. BEFORE_TEXT is the command before the change. A value or an object
    that must be a word and is not one gives no command: it could hold a second command. On a platform with commands of
    its own, each setting has its own.
    """
    return {"SETTING_WORD": _setting_word(controls), "SETTING_TEXT": _setting_text()}


def _setting_word(controls: str) -> str:
    numbers = ((kind.condition, str(number)) for number, kind in enumerate(all_kinds(), 1))
    return f"""\
WITH SETTING AS (
    SELECT
        F.*,
        P.RUNS_ON,
        CASE WHEN T.NAME IS NULL THEN 0 ELSE 1 END AS LISTED,
        COALESCE(F.QUOTED_OBJECT, '') AS OBJECT,
        D.DB_NAME,
        W.ALIAS AS DB_ALIAS,
        D.INSTANCE_NAME,
        CASE
            WHEN F.SETTING_MEMBER IS NULL OR D.TOPOLOGY = 'single' THEN ''
            WHEN D.DB2_LEVEL < 10010000 THEN ' DBPARTITIONNUM ' || CAST(F.SETTING_MEMBER AS VARCHAR(20))
            ELSE ' MEMBER ' || CAST(F.SETTING_MEMBER AS VARCHAR(20))
        END AS OF_MEMBER,
        CAST(CASE
            WHEN F.SETTING_KIND IS NULL THEN COALESCE(F.ACTION_TEXT, ' ') || COALESCE(F.UNDO_TEXT, ' ')
            ELSE COALESCE(F.TARGET, ' ') || COALESCE(F.QUOTED_OBJECT, ' ') || COALESCE(F.CURRENT_VALUE, ' ')
                || COALESCE(F.PROPOSED_VALUE, ' ') || D.DB_NAME
        END AS VARCHAR(5000)) AS GIVEN
    FROM TUNE.FINDING AS F
    CROSS JOIN TUNE.RUN_DATABASE AS D
    CROSS JOIN TUNE.RUNS_ON AS P
    CROSS JOIN TUNE.DATABASE_WORD AS W
    LEFT JOIN TUNE.TUNEABLE AS T
        ON P.RUNS_ON = T.RUNS_ON AND F.SETTING_KIND = T.KIND AND F.SETTING_NAME = T.NAME
)
SELECT
    RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER, STEP, PLACE, SETTING_KIND, SETTING_OBJECT, SETTING_MEMBER, SETTING_NAME,
    TARGET, ACTION_TEXT, UNDO_TEXT, CURRENT_VALUE, PROPOSED_VALUE, OBJECT, DB_NAME, DB_ALIAS, INSTANCE_NAME, OF_MEMBER,
    RUNS_ON, LISTED,
    CASE WHEN {holds_control("GIVEN", controls)} THEN 1 ELSE 0 END AS HOLDS_CONTROL,
    CASE WHEN LENGTH('x' || OF_MEMBER) = 1 THEN 0 ELSE 1 END AS OF_ONE_MEMBER,
    SETTING_NAME AS NAME,
    LOWER(SETTING_NAME) AS LOWER_NAME,
    CASE
        WHEN SETTING_MEMBER IS NULL THEN ''
        ELSE ' DBPARTITIONNUM ' || CAST(SETTING_MEMBER AS VARCHAR(20))
    END AS ON_PARTITION,
    CASE
        WHEN QUOTED_OBJECT IS NULL THEN ''
        WHEN SETTING_MEMBER IS NULL THEN ' -i ' || QUOTED_OBJECT
        ELSE ' -i ' || QUOTED_OBJECT || ' ' || CAST(SETTING_MEMBER AS VARCHAR(20))
    END AS OF_INSTANCE,
    {_words("PROPOSED_VALUE")} AS PROPOSED_VALUE_WORDS,
    {_words("CURRENT_VALUE")} AS CURRENT_VALUE_WORDS,
    {_words("QUOTED_OBJECT")} AS OBJECT_WORDS,
    {_words("SETTING_NAME")} AS NAME_WORDS,
    {_words("INSTANCE_NAME")} AS INSTANCE_WORDS,
    {_case((holds, literal(needs)) for holds, needs in all_needs())} AS NEEDS,
    {_case(numbers)} AS KIND_NO
FROM SETTING"""


def _setting_text() -> str:
    new = partial(_way_text, value="PROPOSED_VALUE", other="CURRENT_VALUE")
    old = partial(_way_text, value="CURRENT_VALUE", other="PROPOSED_VALUE")
    statements = _by_kind(lambda kind: _text(kind.statement))
    new_texts = _by_kind(lambda kind: _setting(kind, "PROPOSED_VALUE"))
    old_texts = _by_kind(lambda kind: _setting(kind, "CURRENT_VALUE", kind.left_out))
    return f"""\
SELECT
    RULE, OBJECT_TYPE, OBJECT_NAME, MEMBER, STEP, PLACE, SETTING_KIND, SETTING_OBJECT, SETTING_MEMBER, TARGET,
    ACTION_TEXT, UNDO_TEXT, HOLDS_CONTROL, NEEDS, RUNS_ON, LISTED, SETTING_NAME, OF_ONE_MEMBER,
    {_case([*_ways(lambda _: "''"), *statements])} AS STATEMENT_TEXT,
    CAST({_case([*_ways(new), *new_texts])} AS VARCHAR(2500)) AS NEW_TEXT,
    CAST({_case([*_ways(old), *old_texts])} AS VARCHAR(2500)) AS OLD_TEXT,
    {_case(_by_kind(_before))} AS BEFORE_TEXT
FROM TUNE.SETTING_WORD"""


def _by_kind(text: Callable[[Kind], str | None]) -> Iterator[tuple[str, str]]:
    """Yield the condition of each text that is not None, over the numbers of its kinds."""
    numbers = defaultdict[str, list[str]](list)
    for number, kind in enumerate(all_kinds(), 1):
        if written := text(kind):
            numbers[written].append(str(number))
    for written, of in numbers.items():
        yield f"KIND_NO IN ({', '.join(of)})", written


def _case(branches: Iterable[tuple[str, str]]) -> str:
    """Return SQL of the text of the first condition that is true."""
    lines = "\n".join(f"        WHEN {condition} THEN {text}" for condition, text in branches)
    return f"CASE\n{lines}\n    END"


def _ways(text: Callable[[Way], str]) -> Iterator[tuple[str, str]]:
    """Yield the conditions and texts of the commands of platforms."""
    for way in all_ways():
        if way.setting:
            listed = " AND LISTED = 1" if way.way == "listed" else ""
            here = f"RUNS_ON = '{way.runs_on}' AND NEEDS = '{way.needs}' AND OF_ONE_MEMBER = 0"
            yield here + listed, text(way)


def _way_text(way: Way, value: str, other: str) -> str:
    """Return SQL of a platform's command for a setting; NULL if the value, or the way without a value, is missing."""
    said = f"{value} IS NOT NULL"
    words = {}
    if way.value == "pages":
        pages = f"CASE WHEN {value} = 'AUTOMATIC' THEN {other} ELSE {value} END"
        words["PAGES"] = f"REPLACE({pages}, ' AUTOMATIC', '')"
        words["AUTOMATIC"] = f"CASE WHEN {value} LIKE '%AUTOMATIC' THEN {_YES} ELSE {_NO} END"
        said += f" AND {pages} <> 'AUTOMATIC' AND {other}_WORDS = 1"
    else:
        words["VALUE"] = Figure(value, _WAY_FORMS[way.value]).sql_text
    fits = f"{value}_WORDS <= {_MOST_WORDS[way.value]} AND NAME_WORDS = 1"
    unset = f" WHEN {value} IS NULL AND NAME_WORDS = 1 THEN {_text(way.unset)}" if way.unset else ""
    return f"CASE WHEN {said} AND {fits} THEN {_text(way.setting, **words)}{unset} END"


def _setting(kind: Kind, value: str, left_out: bool = False) -> str | None:
    """Return SQL of a setting with its value, which is NULL for a missing value; None for a kind without a command."""
    if not kind.setting:
        return None
    written = _format_value(kind, value)
    text = _text(kind.setting, VALUE=f"COALESCE({written}, '')" if kind.unset else written)
    said = " AND ".join([*([] if kind.unset else [f"{value} IS NOT NULL"]), *_guard_conditions(kind, value)])
    none = "' '" if left_out else "NULL"
    return f"CASE WHEN {said} THEN {text} WHEN {value} IS NULL THEN {none} END" if said else text


def _before(kind: Kind) -> str | None:
    """Return SQL of the command that must precede the change; None for a kind without one."""
    if not kind.before:
        return None
    return f"CASE WHEN INSTANCE_WORDS = 1 THEN {_text(kind.before)} ELSE {literal(NO_INSTANCE)} END"


def _format_value(kind: Kind, value: str) -> str:
    """Return SQL of a value in the form of its kind."""
    if kind.value == "shell":
        return f"CASE WHEN {value}_WORDS = 1 THEN {value} ELSE {_QUOTE} || {value} || {_QUOTE} END"
    return Figure(value, FORMS[kind.value]).sql_text


def _guard_conditions(kind: Kind, value: str) -> list[str]:
    """Return SQL of the condition on a value and its object that keeps a command from containing anything else."""
    found = [f"{value}_WORDS <= {_MOST_WORDS[kind.value]}"] if kind.value in _MOST_WORDS else []
    if kind.value == "shell":
        found.append(f"({value} IS NULL OR NOT {holds_character(value, _QUOTE)})")
    if kind.object not in ("", "name"):
        found.append("OBJECT_WORDS = 1")
    return found


def _words(text: str) -> str:
    """Return SQL of the form of a text: 1 a word, or one that Db2 may change (5000 AUTOMATIC), 2 several, 3 none."""
    blank = holds_character(f"REPLACE({text}, ' AUTOMATIC', '')", "' '")
    return f"CASE WHEN {breaks_word(text)} THEN 3 WHEN {blank} THEN 2 ELSE 1 END"


def _text(template: str, **words: str) -> str:
    """Return SQL of a template over the columns of SETTING. ``words`` are the SQL of other figures by name."""
    pieces = [piece for _, part in read(template).parts for piece in part]
    return " || ".join(_format_piece(piece, words) for piece in pieces) or "''"


def _format_piece(piece: str | Figure, words: dict[str, str]) -> str:
    if isinstance(piece, str):
        return " || ".join(_BRACES.get(part) or literal(part) for part in re.split(r"([{}])", piece) if part)
    if piece.name in words:
        return words[piece.name]
    return piece.sql_text if piece.form else piece.name
