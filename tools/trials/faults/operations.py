"""Operations under faults: each file that the program writes, and the check of its state afterwards."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from advisor.capture.opening import open_capture as opened_capture
from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.judgement.states import observe_state
from advisor.nightly import history, old_history
from advisor.plan import scripts, steps
from advisor.report.output import emit
from tests.machines import MACHINES
from tests.reports import test_old_history
from tests.reports.test_history import run
from tests.support.advised import judge
from tests.support.paths import FIXTURES


@dataclass(frozen=True)
class Operation:
    """One operation: the state before, the work, and the state afterwards as comparable text.

    ``state`` raises the program's own error if it cannot read the state.
    """

    name: str
    prepare: Callable[[Path], object]
    do: Callable[[Path], object]
    state: Callable[[Path], str]


def _nothing(_: Path) -> None:
    pass


def _text(name: str) -> Callable[[Path], str]:
    return lambda folder: (folder / name).read_text(encoding="utf-8") if (folder / name).exists() else ""


def _command(*arguments: str) -> None:
    """Run a user's command and return if it succeeds."""
    try:
        main(list(arguments))
    except SystemExit as end:
        if end.code:
            raise


def _an_option_file(folder: Path) -> None:
    (folder / "site.toml").write_text('[site]\nworkload = "OLTP"\n', encoding="utf-8")


def _accept(folder: Path) -> None:
    file = str(folder / "site.toml")
    _command("accept", "log.circular", "*", "--reason", "a copy", "--by", "me", "--options", file)


def _capture(name: str) -> Callable[[Path], str]:
    """Return the capture if the file exists: the same text gives the same capture."""

    def state(folder: Path) -> str:
        if not (folder / name).exists():
            return ""
        with opened_capture(folder / name) as capture:
            return " ".join(
                f"{source}:{hashlib.sha256(path.read_bytes()).hexdigest()}"
                for source, path in sorted(capture.files.items())
            )

    return state


def _import(name: str) -> Callable[[Path], None]:
    text = str(FIXTURES / "imports" / "configuration-oltp.txt")
    return lambda folder: _command("import", text, "-o", str(folder / name))


def _one_run(folder: Path) -> None:
    with history.open_history(folder) as kept:
        kept.add(run(1))


def _old_store(folder: Path) -> None:
    with duckdb.connect(str(folder / old_history.FILE)) as connection:
        connection.execute(test_old_history.FIRST + test_old_history.LATER + test_old_history.ROWS)


def _open(folder: Path) -> None:
    with history.open_history(folder):
        pass


def _another_run(folder: Path) -> None:
    with history.open_history(folder) as kept:
        kept.add(run(2))


def _runs(folder: Path) -> str:
    if not (folder / history.FILE).exists():
        return ""
    with history.open_history(folder, create=False) as kept:
        return " ".join(each.started_at.isoformat() for each in kept.runs("SALES"))


# before any trial: judging would write temporary files in it
(_ADVICE,) = judge([(observe_state(MACHINES["x445-8way"]()), list(all_rules().values()))])
_STEP = next(iter(steps.plan(_ADVICE)))


def _scripts(folder: Path) -> object:
    return scripts.write(_STEP, _ADVICE, folder / "scripts")


def _each_script(folder: Path) -> str:
    """Return the names of the scripts; each file is complete, and no change exists without its undo."""
    whole = scripts.texts(_STEP, _ADVICE)
    there = {path.name: path.read_text(encoding="utf-8") for path in sorted((folder / "scripts").glob("[!.]*"))}
    if any(there[name] != whole.get(name) for name in there):
        return "a script in part"
    ways = {way for way in ("apply", "undo") if {n for n in whole if n.startswith(way)} <= set(there)}
    if any(name.startswith("apply") for name in there) and "undo" not in ways:
        return "a change without its way back"
    return json.dumps(sorted(there)) if ways == {"apply", "undo"} else ""


OPERATIONS = (
    Operation("a report in a new file", _nothing, lambda f: emit("new\n" * 9, f / "report.txt"), _text("report.txt")),
    Operation(
        "a report in place of another",
        lambda f: (f / "report.txt").write_text("old\n", encoding="utf-8"),
        lambda f: emit("new\n" * 9, f / "report.txt"),
        _text("report.txt"),
    ),
    Operation("a risk in the file of a site", _an_option_file, _accept, _text("site.toml")),
    Operation("a capture of a text, a folder", _nothing, _import("new"), _capture("new")),
    Operation("a capture of a text, a file", _nothing, _import("new.capture"), _capture("new.capture")),
    Operation("the first run of a store", _nothing, _one_run, _runs),
    Operation("the conversion of an old store", _old_store, _open, _runs),
    Operation("another run of a store", _one_run, _another_run, _runs),
    Operation("the scripts of a step", _nothing, _scripts, _each_script),
)
