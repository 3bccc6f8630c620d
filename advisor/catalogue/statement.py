"""The statement of a rule: its SELECT, the constants of its header, and the texts of its templates.

The generated SQL is the same for every engine, and readable: ``db2tune rules NAME --sql``. The rule's own SELECT
becomes FIGURE; COUNTED adds the claims of database time, WRITTEN the figures as texts, each once. The rest has the
columns of TUNE.FINDING in their order, one row for each setting and each text of the header. Generated names contain
two underscores, other names of a rule do not.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Protocol

from advisor.catalogue.actions import Actions, Row
from advisor.catalogue.claims import PUBLISHED_CONFIDENCE, Claim
from advisor.catalogue.rule_file import list_alternatives
from advisor.catalogue.templates import GENERATED, THEN, Figures, as_bigint, choose_text
from advisor.quoting import literal

SEPARATOR = "; "  # between the parts of the evidence

_NULL = re.compile(r"CAST\(NULL AS [A-Z]+(\(\d+\))?\)\Z")
_CAST = re.compile(r"CAST\((?P<text>.*) AS (?P<kind>[A-Z]+(?:\(\d+\))?)\)", re.DOTALL)
_FINAL = re.compile(r"^SELECT\b", re.MULTILINE)
_EVIDENCE = re.compile(r"(?:(?P<label>[^=,]+)=)?(?P<figure>\w+)(?::(?P<form>\w+))?(?P<optional>\?)?")


class Header(Protocol):
    """The parts of a rule's header for its statement."""

    @property
    def name(self) -> str: ...
    @property
    def header(self) -> dict[str, Any]: ...
    @property
    def select(self) -> str: ...
    @property
    def claims(self) -> list[Claim]: ...
    def get_list(self, key: str) -> list[Any]: ...


@dataclass(frozen=True)
class Parts:
    """A statement in parts: common table expressions, the columns in order with their SQL, and the rest."""

    head: str
    columns: dict[str, str]
    tail: str

    def select(self) -> str:
        """Return the SELECT."""
        selected = ",\n    ".join(f"{text} AS {name}" for name, text in self.columns.items())
        return f"{self.head}SELECT\n    {selected}\n{self.tail}"

    def insertion(self, table: str, added: dict[str, str]) -> str:
        """Return an INSERT of these columns and ``added`` ones, without the columns that are always NULL."""
        columns = added | {name: text for name, text in self.columns.items() if not _NULL.match(text)}
        selected = ",\n    ".join(columns.values())
        return f"INSERT INTO {table} ({', '.join(columns)})\n{self.head}SELECT\n    {selected}\n{self.tail}"


def statement(rule: Header, select: str | None = None) -> str:
    """Return the whole SELECT of a rule, or one over the figures of another SELECT.

    Raise ValueError with the rule's name if its header is wrong.
    """
    return split_statement(rule, select).select()


def split_statement(rule: Header, select: str | None = None) -> Parts:
    """Return the parts of ``statement``. Raise ValueError as it does."""
    try:
        return _statement(rule, rule.select if select is None else select)
    except KeyError as error:
        raise ValueError(f"{rule.name}: the header lacks {error.args[0]}") from error
    except ValueError as error:
        raise ValueError(f"{rule.name}: {error}") from error


def _statement(rule: Header, select: str) -> Parts:
    figures = Figures()
    object_type, object_name, of_database = _object(rule, figures)
    finding = _sentences(rule, figures)
    evidence = _evidence(rule, figures)
    header = rule.header
    rows = Actions(rule.get_list("actions"), header["object"], object_name, header.get("unit"), figures).rows()
    claims = [_build_claim(claim) for claim in rule.claims]
    recover = rule.get_list("recover") or [0] * 3
    columns = {
        "OBJECT_TYPE": object_type,
        "OBJECT_NAME": object_name,
        "MEMBER": f"V.{header['member']}" if "member" in header else "CAST(NULL AS SMALLINT)",
        "CLAIMED_PCT": _double(" + ".join(claims) or "0"),
        **{
            f"RECOVER_{part}": _double(_number(value))
            for part, value in zip(("LOW", "EXPECTED", "HIGH"), recover, strict=True)
        },
        "CONFIDENCE": _double(_confidence(rule)),
        "MEMORY_DELTA_KB": f"COALESCE({as_bigint(_number(header['memory']))}, 0)"
        if "memory" in header
        else "CAST(0 AS BIGINT)",
        **_row_columns(rows),
        "EVIDENCE": f"CAST({evidence} AS VARCHAR(2000))",
        "FINDING": f"CAST({finding} AS VARCHAR(1500))",
        "CLAIM_2_PCT": _double(claims[1] if len(claims) > 1 else "0"),
        "CLAIM_3_PCT": _double(claims[2] if len(claims) > 2 else "0"),
    }
    head, body = _split_select(select)
    counted = _build_claims(rule)
    written = "".join(f",\n        {figure.sql_text} AS {figure.column}" for figure in figures.noted.values())
    named = (
        f",\nNAMED AS (\n    SELECT WRITTEN.*, D.{of_database} AS OF__DATABASE\n    FROM WRITTEN\n"
        "    CROSS JOIN TUNE.RUN_DATABASE AS D\n)"
        if of_database
        else ""
    )
    return Parts(
        f"{head}FIGURE AS (\n{_indent(body)}\n),\n{counted}"
        f"WRITTEN AS (\n    SELECT\n        {'COUNTED' if counted else 'FIGURE'}.*{written}\n"
        f"    FROM {'COUNTED' if counted else 'FIGURE'}\n){named}\n",
        columns,
        f"FROM {'NAMED' if of_database else 'WRITTEN'} AS V{_steps(rows)}",
    )


def _split_select(select: str) -> tuple[str, str]:
    """Split a SELECT in two: the common table expressions with the beginning of the next one, and the rest."""
    if GENERATED in select:
        raise ValueError(f"names with {GENERATED} are generated: no SELECT may have one")
    finals = list(_FINAL.finditer(select))
    if len(finals) != 1:
        raise ValueError("exactly one SELECT must be at the beginning of a line, that of the figures")
    head, body = select[: finals[0].start()].rstrip(), select[finals[0].start() :]
    return (f"{head},\n" if head else "WITH "), body


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" if line else line for line in text.split("\n"))


def _number(given: str | float, table: str = "V") -> str:
    """Return SQL of a number of the header, or of a figure."""
    return f"{table}.{given}" if isinstance(given, str) else str(given)


def _double(text: str) -> str:
    return f"CAST({text} AS DOUBLE)"


def _build_claims(rule: Header) -> str:
    """Return a common table expression that adds counted claims, in percent of database time; empty without claims."""
    columns = ""
    for claim in rule.claims:
        if not claim.is_counted:
            continue
        if re.search(rf"\b{claim.column}\b", rule.select):
            raise ValueError(f"{claim.column} is counted by the header: the SELECT must not have a column of this name")
        product = f"CAST(FIGURE.{claim.events} AS DOUBLE) * {_number(claim.cost_ms or 0, 'FIGURE')}"
        columns += f",\n        100 * {product} / NULLIF(T.DBT_MS, 0) AS {claim.column}"
    if not columns:
        return ""
    return (
        f"COUNTED AS (\n    SELECT\n        FIGURE.*{columns}\n    FROM FIGURE\n"
        "    CROSS JOIN TUNE.DATABASE_TIME AS T\n),\n"
    )


def _build_claim(claim: Claim) -> str:
    """Return SQL of the claimed percentage of database time in a bucket, never NULL and never below 0."""
    text = f"COALESCE(V.{claim.column}, 0)"
    if claim.is_counted:
        return f"GREATEST({text}, 0)"
    return text if claim.at_most_pct is None else f"LEAST({text}, {claim.at_most_pct:g})"


def _confidence(rule: Header) -> str:
    """Return SQL of the confidence; for a published effect it is low."""
    given = rule.header["confidence"]
    if all(claim.at_most_pct is None for claim in rule.claims):
        return _number(given)
    if not isinstance(given, str) and given > PUBLISHED_CONFIDENCE:
        raise ValueError(f"confidence must be at most {PUBLISHED_CONFIDENCE} if a claim is a published effect")
    return f"LEAST({_number(given)}, {PUBLISHED_CONFIDENCE})"


def _object(rule: Header, figures: Figures) -> tuple[str, str, str]:
    """Return type and name of the object in SQL, and its column in RUN_DATABASE or None."""
    kind, _, name = rule.header["object"].partition(" ")
    if not name:
        columns = {"DATABASE": "DB_NAME", "INSTANCE": "INSTANCE_NAME"}
        if kind not in columns:
            raise ValueError(f"object {kind} has no name")
        return literal(kind), "OF__DATABASE", columns[kind]
    return figures.read(kind).value(), figures.read(name).value(), ""


def _sentences(rule: Header, figures: Figures) -> str:
    """Return SQL of the finding: the sentences that apply, with a blank between them; the title if none does."""
    groups = [list_alternatives(item) for item in rule.get_list("finding")]
    text = THEN.join(
        choose_text(group, [figures.read(f" {each['text']}").expression() for each in group]) for group in groups
    )
    if all("when" in group[-1] for group in groups):
        text = f"COALESCE(NULLIF({text}, ''), {literal(' ' + rule.header['title'])})"
    return f"SUBSTR({text}, 2)"


def _evidence(rule: Header, figures: Figures) -> str:
    """Return SQL of the evidence, ``name=value`` joined by semicolons."""
    parts = []
    for item in _evidence_items(rule.get_list("evidence")):
        group = list_alternatives(item)
        parts.append(choose_text(group, [_pairs(each["figures"], figures) for each in group]))
    parts += [_arithmetic(claim, figures) for claim in rule.claims if claim.is_counted]
    return f"SUBSTR({THEN.join(parts)}, {len(SEPARATOR) + 1})" if parts else "''"


def _arithmetic(claim: Claim, figures: Figures) -> str:
    """Return SQL of the calculation of a claim; empty if one of its figures is unknown."""
    cost = f"{{{claim.cost_ms}:3}}" if isinstance(claim.cost_ms, str) else claim.cost_ms
    text = f"{SEPARATOR}claimed_{claim.bucket}={{{claim.events}}} {claim.events} x {cost} ms"
    return figures.read(f"[{text}]").expression()


def _evidence_items(items: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the items of the evidence, with successive figures as one."""
    for plain, group in groupby(items, key=lambda item: isinstance(item, str)):
        if plain:
            yield {"figures": list(group)}
        else:
            yield from group


def _pairs(items: list[str], figures: Figures) -> str:
    texts = []
    for item in items:
        found = _EVIDENCE.fullmatch(item)
        if found is None:
            raise ValueError(f"evidence must be FIGURE, name=FIGURE or name=FIGURE:form, not {item!r}")
        figure = f"{{{found['figure']}{':' + found['form'] if found['form'] else ''}}}"
        text = f"{SEPARATOR}{found['label'] or found['figure']}={figure}"
        texts.append(figures.read(f"[{text}]" if found["optional"] else text).expression())
    return THEN.join(texts)


def _row_columns(rows: list[Row]) -> dict[str, str]:
    """Return the columns that differ from row to row."""
    texts = {
        "SETTING_KIND": [row.kind for row in rows],
        "SETTING_OBJECT": [row.object for row in rows],
        "QUOTED_OBJECT": [row.quoted for row in rows],
        "SETTING_NAME": [row.name for row in rows],
        "SETTING_MEMBER": [row.member for row in rows],
        "TARGET": [row.target for row in rows],
        "CURRENT_VALUE": [row.current for row in rows],
        "PROPOSED_VALUE": [row.proposed for row in rows],
        "UNIT": [row.unit for row in rows],
        "ACTION_TEXT": [row.action for row in rows],
        "UNDO_TEXT": [row.undo for row in rows],
    }
    return {
        "STEP": _choose_by_row([f"CAST({row.step} AS SMALLINT)" for row in rows]),
        "PLACE": _choose_by_row([f"CAST({row.place} AS SMALLINT)" for row in rows]),
        **{name: _choose_by_row(values) for name, values in texts.items()},
    }


def _choose_by_row(texts: list[str]) -> str:
    """Return SQL of the text of a row. One CAST gives the type of all; a row without a branch is NULL."""
    if len(set(texts)) == 1:
        return texts[0]
    cells = [_split_cast(text) for text in texts]
    kind = cells[0][1]
    if not kind or any(other != kind for _, other in cells):
        branches = " ".join(f"WHEN {number} THEN {text}" for number, text in enumerate(texts, 1))
        return f"CASE A.ROW__NO {branches} END"
    branches = " ".join(f"WHEN {number} THEN {text}" for number, (text, _) in enumerate(cells, 1) if text != "NULL")
    return f"CAST(CASE A.ROW__NO {branches} END AS {kind})"


def _split_cast(text: str) -> tuple[str, str]:
    """Return the text within the CAST that encloses all of it, and its type; the type is empty without such a CAST."""
    found = _CAST.fullmatch(text)
    if found is None:
        return text, ""
    depth = 0
    for sign in re.sub(r"'[^']*'", "", found["text"]):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return text, ""
    return found["text"], found["kind"]


def _steps(rows: list[Row]) -> str:
    """Return SQL that adds the rows of the header to those of the SELECT if their conditions are true."""
    if len(rows) == 1:
        return f"\nWHERE {rows[0].condition}" if rows[0].condition else ""
    numbers = ", ".join(f"({number})" for number in range(1, len(rows) + 1))
    joined = f"\nCROSS JOIN (VALUES {numbers}) AS A (ROW__NO)"
    if not any(row.condition for row in rows):
        return joined
    holds = " ".join(
        f"WHEN {number} THEN {f'CASE WHEN {row.condition} THEN 1 ELSE 0 END' if row.condition else '1'}"
        for number, row in enumerate(rows, 1)
    )
    return f"{joined}\nWHERE CASE A.ROW__NO {holds} END = 1"
