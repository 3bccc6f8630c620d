"""The inputs of an answer: texts, a statement of a judged capture, a statement text."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.diagnosis.answer import Answer, answer
from advisor.diagnosis.paste import Advised, Paste
from advisor.diagnosis.reading import MOST_CHARACTERS, read_paste
from advisor.errors import UserError
from advisor.imports.inputs import documents, explain_non_text, is_capture
from advisor.imports.lines import Lines
from advisor.plans.plan import Plan
from advisor.plans.words import plan_of_rows

if TYPE_CHECKING:
    from advisor.indexes.advice import IndexAdvice
    from advisor.judgement.advice import Advice
    from advisor.judgement.statements import Statement


MOST_BYTES = 300_000  # own: of the files of one statement
_SECTIONS = re.compile(r"-{8,} STATEMENT \d+\s+SECTION \d+ -{8,}|^SECTION \d+\b|^={8,} STATEMENT ={8,}", re.M)


def read_texts(paths: Iterable[Path]) -> str:
    """Return the texts of documents in their order. Raise UserError for what is not text."""
    found: list[str] = []
    room = MOST_CHARACTERS
    for document in documents(paths):
        if what := explain_non_text(document.head):
            raise UserError(f"{document.name} {what}")
        for line in Lines(document.stream):
            room -= len(line) + 1
            if room < 0:
                return "\n".join(found)
            found.append(line)
        found.append("")
    return "\n".join(found)


def answer_files(files: Sequence[Path]) -> Answer | None:
    """Return the answer if files are a text about one statement; None for other inputs, and for standard input."""
    if not files or any(not path.is_file() or is_capture(path) for path in files) or _size(files) > MOST_BYTES:
        return None
    try:
        text = read_texts(files)
    except UserError:
        return None
    if len(_SECTIONS.findall(text)) > 1:
        return None
    found = answer_text(text)
    return found if found.is_understood else None


def _size(files: Sequence[Path]) -> int:
    return sum(path.stat().st_size for path in files)


def answer_text(text: str, statement: str = "") -> Answer:
    """Return the answer for a pasted text; ``statement`` comes before what the text holds."""
    return answer(read_paste(f"{statement};\n\n{text}" if statement else text))


Explain = Callable[[str, str], Iterable[Sequence[object]]]


def answer_from(advice: "Advice", key: str, statement: str = "", explain: Explain | None = None) -> Answer:
    """Return the answer for a statement of judged advice, by its rank or name, or for another text on its tables.

    ``explain`` returns the operators of the plan for a name and text, as the query ``plan`` of sql/explain/queries.sql.
    Raise UserError if the advice has no such statement, or not its text.
    """
    item = None if statement else _find(advice, key)
    paste = _paste_of(item) if item else read_paste(f"{statement};")
    if advice.indexes and advice.indexes.workload:
        paste.known = advice.indexes.workload.catalog
        paste.proposed = _advised(advice.indexes, item.name) if item else None
    if explain and paste.text:
        paste.plan = _plan(explain(item.name if item else "", paste.text))
    return answer(paste)


def _plan(rows: Iterable[Sequence[object]]) -> Plan | None:
    """Return the plan of rows of the explain tables."""
    texts = [["" if value is None else str(value).strip() for value in row] for row in rows]
    operators = [
        dict(zip(("OPERATOR_ID", "OPERATOR_TYPE", "TOTAL_COST", "IO_COST"), row, strict=False)) for row in texts
    ]
    names = ("SOURCE_ID", "OBJECT_SCHEMA", "OBJECT_NAME", "STREAM_COUNT")
    streams = [{"TARGET_ID": row[0], **dict(zip(names, row[4:], strict=True))} for row in texts if row[4]]
    return plan_of_rows({row["OPERATOR_ID"]: row for row in operators}.values(), streams)


def _advised(advice: "IndexAdvice", name: str) -> Advised | None:
    """Return the index advice for a statement; None if it was not analyzed."""
    found = [
        (chosen.index, 1 - helped.after_ms / helped.before_ms)
        for chosen in advice.chosen
        for helped in chosen.helped
        if helped.key == name and helped.before_ms > 0
    ]
    account = next((each for each in advice.accounts if each.key == name), None)
    return Advised(tuple(found), account.reason) if account else None


def _find(advice: "Advice", key: str) -> "Statement":
    top = advice.statements.top
    if key.isascii() and key.isdecimal() and 0 < int(key) <= len(top):
        return top[int(key) - 1]
    found = [item for item in top if item.name == key]
    if not found:
        raise UserError(f"no statement {key}; 'db2tune statements' lists {len(top)}")
    return found[0]


def _paste_of(item: "Statement") -> Paste:
    if not item.text:
        raise UserError(f"the text of statement {item.name} was not collected")
    paste = read_paste(f"{item.text};")
    if item.ms_per_execution is not None:
        used = (item.rows_per_execution or 0.0) / item.rows_per_row if item.rows_per_row else None
        each = {"TOTAL_ACT_TIME": item.ms_per_execution, "ROWS_READ": item.rows_per_execution, "ROWS_RETURNED": used}
        paste.measured = {name: str(value) for name, value in each.items() if value is not None} | {
            "NUM_EXECUTIONS": "1"
        }
    return paste
