"""Foreign text in every output: names of a database, host, manifest or site stay unchanged and harmless.

Names, paths, texts and values of a machine all end in text that is markup, a formula, a command or a control sequence
elsewhere. Every output is then read as its reader would: HTML and Markdown as elements, CSV as cells, a terminal as
characters, SQL by the command line processor's rules, scripts by a shell in a sandbox with stubs and a canary.
"""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import cycle, product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from markdown_it import MarkdownIt

from advisor.capture.site import Accepted
from advisor.catalogue.commands import FOR_CLP
from advisor.errors import UserError
from advisor.fleet import page as fleet_page
from advisor.fleet import show as fleet_shown
from advisor.fleet.estate import Surveyed, estate, survey_advice
from advisor.judgement.advice import Advice
from advisor.judgement.changes import Difference, compare_advice
from advisor.nightly import history_page, summary
from advisor.nightly import history_show as history
from advisor.nightly.database import Outcome
from advisor.nightly.runs import run_of
from advisor.plan import page as plan_page
from advisor.plan import show as steps_shown
from advisor.plan.scripts import texts
from advisor.plan.steps import plan
from advisor.report import csvout, diff_page, explain, jsonout, markdown, page, table
from advisor.report.pages import FOLDER
from advisor.report.selection import select
from advisor.ticket import template
from advisor.ticket.content import ticket
from advisor.ticket.records import record
from tests.machines import MACHINES
from tests.standin.commands import is_command
from tests.support.clp import statements_of
from tests.support.hostile import COLUMNS, PAYLOADS, WORD, taint
from tests.support.markup import Page
from tests.support.states import observe_state
from tests.support.stepwise import Steps, stepwise

OWN_SCRIPTS = {path.read_text(encoding="utf-8").strip() for path in FOLDER.glob("*.js")}
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
MACHINES_TRIED = ("x445-8way", "vm-oltp-before", "shop-missing-index")
UTILITIES = ("awk", "cat", "cut", "date", "grep", "head", "sed", "sort", "tail", "test", "tr", "wc")
HOST_COMMANDS = re.compile(r"^([a-z][a-z0-9_]*) ", re.MULTILINE)


def _without_own_scripts(page: str) -> str:
    return _SCRIPT.sub(lambda found: "" if found[1].strip() in OWN_SCRIPTS else found[0], page)


def _no_element(written: str) -> None:
    for tag, attributes in Page(_without_own_scripts(written)).elements:
        assert tag not in {"script", "img"}, tag
        assert WORD not in f"{attributes}", (tag, attributes)


def _no_markup(text: str) -> None:
    page = MarkdownIt("commonmark").enable("table").render(text)
    _no_element(page)
    assert f"<strong>{WORD}</strong>" not in page
    assert not re.search(rf"<h\d>{WORD}", page)


def _for_a_terminal(text: str) -> None:
    assert not {character for character in text if character != "\n" and not character.isprintable()}


def _no_formula(text: str) -> None:
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            assert cell[:1] not in tuple("=+@\t\r") and (cell[:1] != "-" or re.fullmatch(r"-[\d.]+", cell)), cell


def _shown(advice: Advice) -> None:
    """Return every output that shows advice."""
    selection = select(advice)
    steps = plan(advice, False, True)
    _for_a_terminal(table.render(selection, 118, everything=True))
    _no_markup(markdown.render(selection, everything=True))
    _no_markup(steps_shown.markdown(steps, advice))
    _for_a_terminal(steps_shown.render(steps, advice, 118))
    _no_formula(csvout.render(selection))
    same = Difference(advice, advice, [], {}, compare_advice(advice, advice))
    for written in (page.render(selection), plan_page.render(steps, advice), diff_page.render(same)):
        _no_element(written)
        _for_a_terminal(written)
    for text in (jsonout.render(selection), steps_shown.as_json(steps, advice)):
        _for_a_terminal(text)
    for item in advice.ranked:
        _for_a_terminal(explain.render(advice, str(item.rank), 118))
    started = datetime(2026, 3, 1, 2, tzinfo=UTC)
    outcome = Outcome("SALES", run=run_of("SALES", started, advice, []))
    _for_a_terminal(summary.render(started, [outcome]))
    _for_a_terminal(summary.subject([outcome]))
    assert "\n" not in summary.subject([outcome])
    _for_a_terminal(summary.as_json(started, [outcome]))
    assert outcome.run is not None
    _for_a_terminal(history.render([outcome.run], 118, "#"))
    _no_element(history_page.render([outcome.run]))
    name = str(advice.database["name"])
    all_of_them = estate([survey_advice(name, advice, name), Surveyed(name, error=name)])
    _for_a_terminal(fleet_shown.render(all_of_them, 118, everything=True))
    _for_a_terminal(fleet_shown.as_json(all_of_them))
    _no_markup(fleet_shown.markdown(all_of_them, everything=True))
    _no_element(fleet_page.render(all_of_them))


def _in_tickets(advice: Advice) -> None:
    ranks = [item.rank for item in advice.ranked if item.rank is not None]
    try:
        content = ticket(advice, ranks)
    except UserError as error:  # names that do not use up every character that could end a statement
        assert "its object names contain every character" in str(error)
        return
    filled = {form: template.fill(content, template.find(form)) for form in ("markdown", "html", "jira", "text")}
    _no_markup(filled["markdown"])
    _no_element(filled["html"])
    for text in filled.values():
        _for_a_terminal(text)
    for form in ("json", "servicenow"):
        written = record(content, form)
        _for_a_terminal(written)
        assert json.loads(written)


def _scripts(advice: Advice) -> Iterator[dict[str, str]]:
    for step in plan(advice, False, True):
        try:
            found = texts(step, advice)
        except UserError as error:
            assert "its object names contain every character" in str(error)
            continue
        yield found
        for text in found.values():
            _for_a_terminal(text)
        for way in ("apply", "undo"):
            lines = [line for item in step.items for line in (item.actions if way == "apply" else item.undo)]
            meant = [line for line in lines if is_command(line) and line.startswith(FOR_CLP)]
            files = [text for name, text in found.items() if name.startswith(way) and name.endswith(".sql")]
            read = [s for text in files for s in statements_of(text) if not s.startswith("BEGIN") and s != "DETACH"]
            assert sorted(read) == sorted(meant)


def _run(scripts: dict[str, str]) -> None:
    """Run the scripts in a shell with only stubs: unchanged, and without their first checks."""
    with TemporaryDirectory() as folder:
        stubs, place = Path(folder, "bin"), Path(folder, "place")
        stubs.mkdir()
        place.mkdir()
        for name in UTILITIES:
            stubs.joinpath(name).symlink_to(shutil.which(name) or "/bin/false")
        for text in scripts.values():
            for name in {*HOST_COMMANDS.findall(text), "db2", "db2set", "sysctl"} - {*UTILITIES, "set", "echo", "exit"}:
                stub = stubs / name
                if not stub.exists():
                    stub.write_text("#!/bin/sh\n", encoding="utf-8")
                    stub.chmod(0o755)
        for text in scripts.values():
            inside = re.sub(r"> */", f"> {place}/", text)
            _, _, unchecked = inside.partition("set -eu\n")
            commands = "\n".join(line for line in unchecked.split("\n") if not line.startswith("expect "))
            for script in (inside, commands):
                shell = ["/bin/sh", "-c", script]
                with_stubs = {"PATH": str(stubs), "HOME": str(place)}
                subprocess.run(shell, cwd=place, env=with_stubs, capture_output=True, timeout=20, check=False)
        assert not [file for file in place.iterdir() if WORD in file.name], scripts


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "which", "payload"), [(n, *pair) for n, pair in zip(cycle(MACHINES_TRIED), product(COLUMNS, PAYLOADS))]
)
@stepwise
def test_what_it_is_called_is_nothing_else(name: str, which: str, payload: str) -> Steps:
    state = taint(MACHINES[name](), which, PAYLOADS[payload])
    advice = yield state
    _shown(advice)
    _in_tickets(advice)
    for scripts in _scripts(advice):
        for_shell = {file: text for file, text in scripts.items() if file.endswith(".sh")}
        if for_shell:
            _run(for_shell)
    first = next(iter(advice.ranked), None)
    if first is None:
        return
    said = Accepted(first.rule.name, "*", PAYLOADS[payload], PAYLOADS[payload])
    advice = yield replace(observe_state(state), accepted=(said,))
    assert first.key not in {item.key for item in advice.ranked}
    _shown(advice)


@stepwise
def test_a_machine_that_is_not_tainted_gives_scripts_that_run() -> Steps:
    """The same commands with an additional one, which the sandbox must detect."""
    advice = yield MACHINES["vm-oltp-before"]()
    (first, *_) = [
        {file: text for file, text in scripts.items() if file.endswith(".sh")}
        for scripts in _scripts(advice)
        if any(file.endswith(".sh") for file in scripts)
    ]
    _run(first)
    name = next(iter(first))
    with pytest.raises(AssertionError):
        _run({name: first[name] + f": >{WORD}\n"})
