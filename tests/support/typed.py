"""Typing of printed lines: what a shell, the command line processor or SQL reads in them.

A hostile machine has a payload in each name. In a printed line it is written raw, or as a quoting form writes it. A
line is read twice: as printed, and with MARK instead of each payload. Both must be the same words; the payload must be
exactly where MARK is.
"""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from advisor.catalogue.commands import BY_HAND
from advisor.judgement.advice import Advice
from advisor.quoting import holds_control
from advisor.report import advis, next_text, statements
from advisor.report import indexes as index_report
from tests.standin.commands.interpreter import printed
from tests.support.hostile import PAYLOADS, WORD

MARK = "\ue000"
SHELLS = [path for path in ("/bin/sh", shutil.which("bash")) if path]
PROGRAMS = (
    *(
        "aws",
        "blockdev",
        "chuser",
        "cpupower",
        "db2",
        "db2advis",
        "db2ckbkp",
        "db2dart",
        "db2exfmt",
        "db2gpmap",
        "db2look",
    ),
    *(
        "db2pd",
        "db2rbind",
        "db2set",
        "db2start",
        "db2stop",
        "db2tbst",
        "db2tune",
        "echo",
        "lvchange",
        "sysctl",
        "tunedasd",
    ),
    "vmo",
)
STATEMENTS = (
    *("ACTIVATE D", "ALTER BUFFERPOOL", "ALTER DATABASE PARTITION", "ALTER STOGROUP", "ALTER TABLE", "ARCHIVE LOG FOR"),
    *("ATTACH TO", "BACKUP D", "CALL ", "CREATE", "DEACTIVATE D", "DROP (?:BUFFERPOOL|INDEX|TABLE|TABLESPACES?) "),
    *(
        "GET DB CFG",
        "REDISTRIBUTE ",
        "REORG (?:INDEXES|TABLE) ",
        "RESTART D",
        "RESTORE D",
        "ROLLFORWARD D",
        "RUNSTATS ",
        "SELECT ",
        "UPDATE DBM? CFG",
    ),
)
_PROGRAM = re.compile(rf"(?<![\w/.-])(?:{'|'.join(PROGRAMS)})(?= [-\w/'\"$<]|$)")
_STATEMENT = re.compile(rf"(?<![\w\"'])(?:{'|'.join(STATEMENTS)})")
_SHELL_WORD = re.compile(r"(?:'[^']*'|\"[^\"]*\"|\\.|[^\s'\"\\();&|<>`])+(?= |$|[();&|<>`])")
_TOKEN = re.compile(r"\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|[\w$#@]+|\S")
_END_OF_STATEMENT = re.compile(r"[.;:](?: |$)|, (?:then|and|or|which|since|in|add|before|later)\b| \(")


@dataclass(frozen=True)
class Payload:
    """A payload as the quoting forms write it."""

    raw: str

    @property
    def forms(self) -> dict[str, str]:
        """The payload, by the quoting form that contains it."""
        name = self.raw.replace('"', '""')
        shell = {form: text.replace("'", "'\\''") for form, text in {"raw": self.raw, "name": name}.items()}
        return {
            "shellname": shell["name"],
            "shell": shell["raw"],
            "shlex": self.raw.replace("'", "'\"'\"'"),
            "literal": self.raw.replace("'", "''"),
            "name": name,
            "raw": self.raw,
        }

    def mark(self, line: str) -> str:
        """Return the line with MARK instead of each payload."""
        forms = sorted({*self.forms.values()}, key=len, reverse=True)
        return re.sub("|".join(map(re.escape, forms)), MARK, line)


@dataclass(frozen=True)
class Part:
    """A command in a line: as printed, and with MARK instead of each payload."""

    printed: str
    marked: str

    @property
    def program(self) -> str:
        return self.marked.split(" ", 1)[0]


def find_commands(line: str, payload: Payload) -> tuple[list[Part], list[Part]]:
    """Return the program calls and the statements in a line."""
    marked = payload.mark(line)
    calls = [_part(line, marked, start, end, payload) for start, end in _calls(marked)]
    statements = [_part(line, marked, start, end, payload) for start, end in _statements(marked)]
    return calls, statements


def _calls(marked: str) -> Iterator[tuple[int, int]]:
    end = 0
    for found in _PROGRAM.finditer(marked):
        if found.start() < end:
            continue
        end = place = found.end()
        while marked[place : place + 1] == " " and (word := _SHELL_WORD.match(marked, place + 1)):
            end = word.end()
            if re.search(r"[,.:]$", word[0]):
                end -= 1
                break
            if re.search(r"\w'\w", word[0]):  # an apostrophe of the text for a person
                end = place
                break
            place = end
        yield found.start(), end


def _statements(marked: str) -> Iterator[tuple[int, int]]:
    last = 0
    for found in _STATEMENT.finditer(marked):
        if found.start() < last:
            continue
        last = found.end()
        for token in _TOKEN.finditer(marked, found.start()):
            if _END_OF_STATEMENT.match(marked, last) and token.start() >= last and marked[last] != " ":
                break
            last = token.end()
        yield found.start(), last


def _part(line: str, marked: str, start: int, end: int, payload: Payload) -> Part:
    """Return the part of a line that is between two places of the marked one."""
    forms = sorted({*payload.forms.values()}, key=len, reverse=True)
    places, at = [0] * (len(marked) + 1), 0
    for number, character in enumerate(marked):
        places[number] = at
        at += next(len(one) for one in forms if line.startswith(one, at)) if character == MARK else 1
    places[-1] = at
    return Part(line[places[start] : places[end]], marked[start:end])


def read_tokens(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a statement: a delimited identifier, a literal, or other characters, each with its text."""
    return [_token(found[0]) for found in _TOKEN.finditer(text)]


def _token(text: str) -> tuple[str, str]:
    quote = text[0]
    if quote not in "\"'":
        return "", text
    return quote, text[1:-1].replace(quote * 2, quote)


def type_into_shell(shell: str, lines: Sequence[str], programs: set[str]) -> tuple[list[list[str]], list[str]]:
    """Return the arguments of each program that a shell ran, and the names of the files that it created.

    A program ``next`` runs before each line. There are no programs but stubs.
    """
    with TemporaryDirectory() as folder:
        stubs, place, calls = Path(folder, "bin"), Path(folder, "place"), Path(folder, "calls")
        stubs.mkdir()
        place.mkdir()
        stub = stubs / "next"
        stub.write_text(f"""#!/bin/sh\nprintf '%s\\0' "$#" "${{0##*/}}" "$@" >>'{calls}'\n""", encoding="utf-8")
        stub.chmod(0o755)
        for name in programs - {"next"}:
            stubs.joinpath(name).symlink_to(stub)
        script = "".join(f"next\n{line}\n" for line in lines)
        subprocess.run(
            [shell, "-c", f'echo() {{ "{stubs}/echo" "$@"; }}\n{script}'],
            cwd=place,
            env={"PATH": str(stubs), "HOME": str(place)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        words = iter(calls.read_text(encoding="utf-8").split("\0")[:-1]) if calls.exists() else iter(())
        ran = [[next(words) for _ in range(int(number) + 1)] for number in words]
        return ran, [file.name for file in place.iterdir()]


WIDE = 100_000  # so that no line is wrapped
TYPED = {name: text for name, text in PAYLOADS.items() if not holds_control(text)}  # the others reach no command


def actions(advice: Advice) -> list[str]:
    return [line for item in advice.recommendations for line in (*item.actions, *item.undo)]


def _texts(advice: Advice) -> Iterator[str]:
    """Yield the lines with commands of reports and files, except the actions."""
    given = advice.statements
    yield from statements.list_all(given, advice.database["name"], WIDE)
    yield from (line for line in advis.render(given, advice.database["name"]).split("\n") if line.startswith("-- "))
    yield from index_report.lines(advice, WIDE)
    in_text = replace(advice, in_text={"dbcfg": 1})
    yield from next_text.parts(in_text)


def check(advice: Advice, payload: Payload) -> None:
    """Check all program calls, statements and documents in the lines of an advice."""
    calls: list[Part] = []
    own = actions(advice)
    for line in dict.fromkeys([*own, *_texts(advice)]):
        if line.startswith(("POST ", "spec: ")):
            _check_document(line.removeprefix("POST /manage/deployments/custom_setting "), payload)
            continue
        is_command = line in own and not line.startswith(BY_HAND)
        if is_command:
            whole = [Part(line, payload.mark(line))]
            found, texts = (whole, []) if whole[0].program in PROGRAMS else ([], whole)
        else:
            found, texts = find_commands(line, payload)
            assert not found or WORD not in payload.mark(line), line
        calls += found
        for text in texts:
            check_statement(text, payload, whole=is_command)
    check_calls(calls, payload)


def check_statement(text: Part, payload: Payload, whole: bool) -> None:
    expected = [(quote, word.replace(MARK, payload.raw)) for quote, word in read_tokens(text.marked)]
    assert read_tokens(text.printed) == expected, text
    assert not [word for quote, word in expected if not quote and WORD in word], text
    if whole and not text.printed.startswith("CALL RDSADMIN."):
        printed().parse(text.printed)


def _check_document(text: str, payload: Payload) -> None:
    written, meant = yaml.safe_load(text), yaml.safe_load(payload.mark(text).replace(MARK, "MARK"))
    assert json.loads(json.dumps(meant).replace("MARK", json.dumps(payload.raw)[1:-1])) == written, text


def _argument(word: str, payload: Payload) -> str:
    inside = payload.forms["name"] if word[:1] == word[-1:] == '"' else payload.raw
    return word.replace(MARK, inside)


def _typed(text: str) -> str:
    """Return a command without redirection to a file of the kernel, and without a variable."""
    return text.replace(" > /", " /").replace('"$DB_PARAMETER_GROUP"', "group")


def check_calls(calls: list[Part], payload: Payload) -> None:
    expected = [[_argument(word, payload) for word in shlex.split(_typed(call.marked))] for call in calls]
    for program in SHELLS if calls else ():
        ran, files = type_into_shell(
            program, [_typed(call.printed) for call in calls], {call.program for call in calls}
        )
        assert files == []
        assert ran == [one for argv in expected for one in (["next"], argv)]
