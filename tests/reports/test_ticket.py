"""Change tickets: their content and order, and that no name becomes markup in any format."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.rules import all_rules
from advisor.cli.arguments import RECORD_FORMATS
from advisor.cli.arguments import TICKET_FORMATS as OFFERED
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.judgement.advice import Acceptance, Advice, Recommendation, Setting
from advisor.judgement.run import advise
from advisor.plan.steps import plan
from advisor.report import text
from advisor.report.text import EFFECTS, INTERRUPTIONS
from advisor.report.values import to_steps
from advisor.resources import DEMO_CAPTURE, PAPER_CAPTURE
from advisor.ticket import words
from advisor.ticket.content import Ticket, TicketChange, ticket
from advisor.ticket.formats import FORMATS
from advisor.ticket.records import JSON, WRITTEN_AS, record
from advisor.ticket.template import fill, find
from tests.support.made_up import item, rule
from tests.support.markup import HOSTILE, Page
from tests.support.paths import DOCS

GUIDE = DOCS / "tickets.md"


def lines_of(form: str, report: str) -> list[str]:
    """Return the visible text, line by line."""
    return [line.strip() for line in (Page(report).text if form == "html" else report).splitlines()]


def write(advice: Advice, ranks: Sequence[int], form: str) -> str:
    return fill(ticket(advice, ranks), find(form))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["ticket", "--capture", str(PAPER_CAPTURE), *arguments])


@pytest.fixture(name="demo", scope="module")
def fixture_demo() -> Advice:
    return advise(PAPER_CAPTURE)


def advised(demo: Advice, *items: Recommendation) -> Advice:
    """Return the demo's database with this advice, the plan's steps as given."""
    return replace(demo, recommendations=list(items))


def named(name: str) -> Recommendation:
    """Return a change of a table space with this name, with the commands that the engine keeps for such a name."""
    quoted = name.replace('"', '""')
    commands = [
        ["-- A name in this command holds a line feed: write the command by hand."]
        if "\n" in name
        else [f'ALTER TABLESPACE "{quoted}" PREFETCHSIZE {pages}', f"-- Tell who owns {name}."]
        for pages in (48, 24)
    ]
    return item(
        rule("prefetch.third"),
        "P",
        1,
        name,
        step=1,
        actions=commands[0],
        undo=commands[1],
        finding=f"Table space {name} is too slow.",
        evidence={"PREFETCHSIZE": "24", "name": name},
    )


# --- what it says ---------------------------------------------------------------------------------------------------


def test_the_formats_on_offer_are_those_there_are() -> None:
    assert set(OFFERED) == set(FORMATS)
    assert set(RECORD_FORMATS) == {JSON, *WRITTEN_AS}


@pytest.mark.parametrize("form", FORMATS)
def test_every_command_is_there_as_it_is(demo: Advice, form: str) -> None:
    ranks = [found.rank for found in demo.ranked if found.rank]
    lines = lines_of(form, write(demo, ranks, form))
    for found in demo.ranked:
        for command in (*found.actions, *found.undo):
            assert command in lines


def test_it_tells_the_numbers_and_where_they_come_from(demo: Advice) -> None:
    first = demo.ranked[0]
    change = ticket(demo, [1]).changes[0]
    for number in (first.claimed_pct, first.benefit_low, first.benefit, first.benefit_high):
        assert f"{number:.1f} %" in change.reason
    assert "medium" in change.reason
    sources = {line.metric: line.source for line in change.evidence}
    assert sources["PREFETCHSIZE"] == "SYSCAT.TABLESPACES"
    assert sources["TBSP_EXTENT_SIZE"] == "MON_GET_TABLESPACE"
    assert sources["PREFETCH_WAIT_TIME_pct"] == "MON_GET_TABLESPACE"
    assert sources["containers"] == "computed"
    assert "MON_GET_TABLESPACE" in change.reads


def test_title_names_change_and_place(demo: Advice) -> None:
    assert ticket(demo, [4]).title == "SORTHEAP of HRDB: 256 to 6400 pages"
    assert ticket(demo, [1]).title == "PREFETCHSIZE of table space EMPLOYEE_TABLE (HRDB): 24 to 48 pages"
    assert ticket(demo, [4, 1]).title == (
        "HRDB, 2 changes: PREFETCHSIZE of table space EMPLOYEE_TABLE: 24 to 48 pages;"
        " SORTHEAP of HRDB: 256 to 6400 pages"
    )
    title = "HRDB, 4 changes: PREFETCHSIZE of table space EMPLOYEE_TABLE; SIZE of buffer pool BP16K; 2 more"
    assert ticket(demo, [1, 2, 3, 4]).title == title


@pytest.mark.parametrize(
    ("target", "name", "what"),
    [
        ("REGISTRY:DB2_X", "inst", "DB2_X of table space inst: 24 to 48 pages"),
        ("REGISTRY:DB2_X", "inst DB2_X", "table space inst DB2_X: 24 to 48 pages"),
        ("DBCFG:NEWLOGPATH:3", "A", "NEWLOGPATH of table space A: 24 to 48 pages"),
        ("TABLESPACE:a:b:PAGESIZE", "a:b", "PAGESIZE of table space a:b: 24 to 48 pages"),
        ("HOST:h1:GUEST_RESERVATION", "h1", "Memory reservation of table space h1: 24 to 48 pages"),
        ("HOST:h1:GUEST:disk:sdb", "h1", "Virtual hardware disk sdb of table space h1: 24 to 48 pages"),
        (None, "A", "Title of prefetch.third: table space A"),
    ],
)
def test_a_change_is_named_by_its_setting(demo: Advice, target: str | None, name: str, what: str) -> None:
    changed = item(rule("prefetch.third"), "P", 1, name, target=target, step=1)
    shown = ticket(advised(demo, changed), [1])
    assert shown.changes[0].what == what
    subject, colon, values = what.rpartition(": ") if target else (what, "", "")
    assert shown.title == f"{subject} (HRDB){colon}{values}"


def test_settings_of_members_are_not_told_by_one_value(demo: Advice) -> None:
    (found,) = [found for found in demo.ranked if found.rule.name == "log.shares-data-device"]
    assert len(found.actions) > 1
    assert found.rank
    assert ticket(demo, [found.rank]).changes[0].what == "NEWLOGPATH of HRDB"


def test_a_lane_without_time_promises_none(demo: Advice) -> None:
    for lane in "QSH":
        unpromised = item(rule("log.first", lane), lane, 1, step=1)
        change = ticket(advised(demo, unpromised), [1]).changes[0]
        assert "%" not in change.reason
        assert change.verification["What to expect"] == "No measured time is promised."


def test_every_area_and_effect_has_words_for_everybody() -> None:
    assert set(words.AREAS) == {known.area for known in all_rules().values()}
    assert all(INTERRUPTIONS[effect] for effect in EFFECTS)


def test_restart_is_listed_with_unnoticeable_changes(demo: Advice) -> None:
    interruption = ticket(demo, [1, 3]).overview["Interruption"]
    assert interruption == INTERRUPTIONS["IR"]
    assert ticket(demo, [1]).overview["Interruption"] == INTERRUPTIONS["ON"]


def test_stop_has_commands_and_rollback_and_is_not_low_risk(demo: Advice) -> None:
    change = ticket(demo, [3]).changes[0]
    assert change.risk == ticket(demo, [1, 3]).overview["Risk"] == "medium"
    assert change.impact["Risk"] == "Medium: the interruption."
    assert ticket(demo, [1]).overview["Risk"] == "low"
    commands = [line for line in change.activation if not line.startswith(BY_HAND)]
    assert commands == ["db2stop", "db2start", "ACTIVATE DATABASE HRDB"]
    for form in FORMATS:
        lines = lines_of(form, write(demo, [3], form))
        assert [lines.count(line) for line in commands] == [2, 2, 2]  # once after the change, once after the undo
    assert ticket(demo, [1]).changes[0].activation == ()


@pytest.mark.parametrize(
    ("action", "database"),
    [("-- Stop it (db2stop), and start it again.", "HRDB"), ("UPDATE DBM CFG USING X 1", "HR;DB")],
)
def test_self_activating_or_unnamed_change_gets_no_command(demo: Advice, action: str, database: str) -> None:
    own = item(rule("config.x", takes_effect="instance restart"), "P", 1, step=1, actions=[action], undo=[action])
    (change,) = ticket(replace(advised(demo, own), database=demo.database | {"name": database}), [1]).changes
    assert bool(change.activation) == (database == "HR;DB")
    assert database not in "".join(change.activation)
    assert not any(line.startswith("ACTIVATE") for line in change.activation)


def test_on_a_primary_the_standby_comes_first(demo: Advice) -> None:
    first = ticket(replace(demo, hadr_role="PRIMARY"), [3]).changes[0].activation[0]
    assert first.startswith("-- ") and "TAKEOVER HADR" in first


def test_every_new_value_is_listed_with_its_old_value(demo: Advice) -> None:
    values = ticket(demo, [3]).changes[0].values
    assert values[0] == ("DB2PROCESSORS of hrinst, member 0", "unset", "4,12")
    assert len(values) == 8
    assert ticket(demo, [1]).changes[0].values == (("PREFETCHSIZE of EMPLOYEE_TABLE", "24", "48"),)


def test_expired_acceptance_is_listed(demo: Advice) -> None:
    expired = Acceptance("the disks come in May", "ann", "2026-01-31", expired=True)
    come_back = item(rule("prefetch.third"), "P", 1, step=1, accepted=expired)
    impact = ticket(advised(demo, come_back), [1]).changes[0].impact
    told = "accepted until 2026-01-31 by ann: expired; the disks come in May"
    assert impact["Risk of not doing it"] == told
    assert "Risk of not doing it" not in ticket(demo, [1]).changes[0].impact


@pytest.mark.parametrize("form", ["markdown", "text", "jira"])
def test_ticket_of_one_change_fits_on_two_pages(demo: Advice, form: str) -> None:
    (found,) = [rank for rank, found in enumerate(demo.ranked, 1) if found.rule.name == "prefetch.size-misaligned"]
    report = write(demo, [found], form)
    assert len(report.splitlines()) <= 110
    assert report.count("ALTER TABLESPACE") == 2  # the change and its undo: no script repeats them
    assert "step-1/apply.sql, step-1/undo.sql" in report.replace("\\", "")


@pytest.mark.parametrize("form", FORMATS)
def test_ticket_has_a_field_for_the_test(demo: Advice, form: str) -> None:
    assert "Tested on" in "\n".join(lines_of(form, write(demo, [1], form)))
    assert ticket(demo, [1]).tests == (("", "", ""),)


LOOK = ["-- Check its plan: db2exfmt", "-- Create one index at a time."]


@pytest.mark.parametrize("form", FORMATS)
def test_investigation_has_no_change_to_undo_or_test(demo: Advice, form: str) -> None:
    look = item(rule("sql.missing-index"), "P", 1, step=1, target=None, actions=LOOK, undo=["-- DROP INDEX"])
    shown = ticket(advised(demo, look), [1])
    assert shown.title == "Investigation: Title of sql.missing-index: table space TS1 (HRDB)"
    assert shown.kind == "Investigation"
    assert (shown.tests, shown.approvals, shown.changes[0].scripts, shown.changes[0].undo) == ((), (), (), ())
    lines = lines_of(form, fill(shown, find(form)))
    assert any("db2exfmt" in line for line in lines)
    for heading in ("Rollback", "Verification", "Test evidence", "Approvals", "Scripts to attach", "DROP INDEX"):
        assert not any(heading in line for line in lines)
    assert record(shown, "servicenow").count("_plan") == 1


@pytest.mark.parametrize(
    ("target", "action", "looks"),
    [
        (None, "-- During the waits, find the blockers: SELECT 1", True),
        (None, "-- Raise the auto-resize limit: ALTER TABLESPACE T MAXSIZE <size> M. Check it.", False),
        (None, "-- BACKUP DATABASE SHOP", False),
        ("HOST:h1:GUEST_RESERVATION", "-- Check the memory: reserve all of it.", False),
        (None, "ALTER TABLESPACE T MAXSIZE NONE", False),
    ],
)
def test_only_examining_steps_make_an_investigation(demo: Advice, target: str | None, action: str, looks: bool) -> None:
    found = item(rule("tablespace.x"), "C", 1, step=1, target=target, actions=[action])
    assert ticket(advised(demo, found), [1]).changes[0].investigation is looks


def test_space_is_not_guarded_by_performance(demo: Advice) -> None:
    full = item(rule("tablespace.nearly-full"), "C", 1, step=1, claimed_pct=0.0)
    checked = ticket(advised(demo, full), [1]).changes[0].verification
    assert checked["When to judge it"] == "Once it is in effect: db2tune advise must no longer list it."
    assert "What must not get worse" not in checked
    assert "What must not get worse" in ticket(demo, [1]).changes[0].verification


def test_settings_name_their_owner_in_plain_words(demo: Advice) -> None:
    """A host's or instance's setting does not belong to the database."""
    kinds = [("HOST", "GUEST_RESERVATION", "HOST:h1:GUEST_RESERVATION"), ("REGISTRY", "DB2_X", "REGISTRY:DB2_X")]
    settings = tuple(Setting(kind, name, None, None, target, None, "1", None) for kind, name, target in kinds)
    on_database = {"object_type": "DATABASE", "proposed": "1", "unit": None, "current": None}
    found = item(rule("config.x"), "P", 1, "HRDB", step=1, target=kinds[1][2], settings=settings, **on_database)
    shown = ticket(advised(demo, found), [1])
    assert [row.setting for row in shown.changes[0].values] == [
        "Memory reservation of host h1",
        "DB2_X of instance hrinst",
    ]
    assert shown.title == "DB2_X of instance hrinst (HRDB): unset to 1 (and 1 more setting)"
    on_host = replace(found, target=kinds[0][2])
    assert ticket(advised(demo, on_host), [1]).changes[0].what.startswith("Memory reservation of host h1: unset to 1")


def test_title_has_no_values_if_members_differ(demo: Advice) -> None:
    target = "DBCFG:SORTHEAP:0"
    settings = tuple(
        Setting("DBCFG", "SORTHEAP", None, member, target, old, "512", "4 KB pages")
        for member, old in ((0, "256"), (1, "128"))
    )
    found = item(rule("memory.x"), "P", 1, "HRDB", object_type="DATABASE", step=1, target=target, settings=settings)
    assert ticket(advised(demo, found), [1]).title == "SORTHEAP of HRDB"


def test_mixed_ticket_counts_steps(demo: Advice) -> None:
    look = item(rule("sql.missing-index"), "P", 1, "A", step=1, target=None, actions=LOOK)
    both = advised(demo, look, item(rule("prefetch.x"), "P", 2, "B", step=2))
    shown = ticket(both, [1, 2])
    assert (shown.kind, shown.title.partition(":")[0]) == ("Change ticket", "HRDB, 2 steps")
    assert [change.when for change in shown.changes] == ["now", "after the evaluation of step 1"]


def test_scripts_that_the_ticket_names_are_written(tmp_path: Path) -> None:
    done = run("--rank", "1,2", "--scripts", str(tmp_path / "scripts"))
    assert done.exit_code == 0
    written = sorted(str(path.relative_to(tmp_path / "scripts")) for path in tmp_path.rglob("step-*/*"))
    assert written
    assert all(name in done.stdout for name in written)
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run("--rank", "1", "--scripts", str(tmp_path / "file" / "below"))
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)


def test_a_manual_change_has_no_scripts(demo: Advice) -> None:
    manual = item(rule("storage.x"), "P", 1, step=1, actions=["-- Add disks."], undo=["-- Remove them."])
    shown = ticket(advised(demo, manual), [1])
    assert shown.changes[0].scripts == ()
    assert "Scripts to attach" not in fill(shown, find("text"))
    assert "- Remove them." in fill(shown, find("text"))


# --- the order ------------------------------------------------------------------------------------------------------


@pytest.fixture(name="traded")
def fixture_traded(demo: Advice) -> Advice:
    """Return advice in which rank 1 takes memory that rank 2 frees, so rank 1 comes second."""
    takes = item(rule("memory.takes", risk="high"), "P", 1, "A", step=2, memory_delta_kb=3072)
    frees = item(rule("memory.frees"), "P", 2, "B", step=1, memory_delta_kb=-2048)
    return advised(demo, takes, frees)


def test_order_is_that_of_the_plan(traded: Advice) -> None:
    changes = ticket(traded, [1, 2]).changes
    assert [change.rank for change in changes] == [step.items[0].rank for step in plan(traded)] == [2, 1]
    assert [change.step for change in changes] == [1, 2]
    assert changes[1].comes_after == ("step 1 of this ticket",)
    memory = [(change.impact["Memory before"], change.impact["Memory after"]) for change in changes]
    assert memory == [("as today", "-2 MB per member"), ("-2 MB per member", "+1 MB per member")]


@pytest.mark.parametrize("form", FORMATS)
def test_rollback_goes_the_other_way(traded: Advice, form: str) -> None:
    lines = lines_of(form, write(traded, [1, 2], form))
    do = [lines.index(f'ALTER TABLESPACE "{name}" PREFETCHSIZE 48') for name in "BA"]
    undo = [lines.index(f'ALTER TABLESPACE "{name}" PREFETCHSIZE 24') for name in "AB"]
    assert do + undo == sorted(do + undo)


def test_missing_prerequisite_is_named(traded: Advice) -> None:
    (change,) = ticket(traded, [1]).changes
    assert change.step == 1
    assert change.comes_after == ("rank 2 of the advice, which is not in this ticket: PREFETCHSIZE of table space B:"
                                  " 24 to 48 pages",)  # fmt: skip
    assert ticket(traded, [1]).overview["Risk"] == "high"


# --- names are data -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_html_shows_a_name_as_it_is(demo: Advice, name: str) -> None:
    plain, page = (Page(write(advised(demo, named(given)), [1], "html")) for given in ("PLAIN", name))
    assert set(page.tags) <= set(plain.tags)
    assert page.open == []
    shown = name if name.isprintable() else name.encode("unicode_escape").decode()
    assert f"Table space {shown} is too slow." in page.text


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("form", ["markdown", "jira", "text"])
def test_a_name_adds_no_line_and_steers_nothing(demo: Advice, form: str, name: str) -> None:
    report = write(advised(demo, named(name)), [1], form)
    assert all(line.isprintable() for line in report.splitlines())
    assert not [line for line in report.splitlines() if line.startswith(("feed", "# h"))]
    assert "write the command by hand" in report if "\n" in name else "PREFETCHSIZE 48" in report


def outside(report: str, fence: str) -> list[str]:
    """Return the lines outside code blocks; assert that each block is closed."""
    kept: list[str] = []
    until = None
    for line in report.splitlines():
        if until is None and (found := re.match(fence, line)):
            until = found[1]
        elif until is not None:
            until = None if line == until else until
        else:
            kept.append(line)
    assert until is None, "a code block that does not end"
    return kept


@pytest.mark.parametrize("name", HOSTILE)
def test_markdown_takes_no_markup_from_a_name(demo: Advice, name: str) -> None:
    prose = outside(write(advised(demo, named(name)), [1], "markdown"), "(`{3,})sql$")
    for line in prose:
        assert not re.search(r"<|(?<!\\)(?:\\\\)*[`*\[\]]", line), line
    (row,) = [line for line in prose if line.startswith("| name ")]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 4


@pytest.mark.parametrize("name", HOSTILE)
def test_jira_takes_no_markup_from_a_name(demo: Advice, name: str) -> None:
    prose = outside(write(advised(demo, named(name)), [1], "jira"), r"(\{code\})$")
    for line in prose:
        assert not re.search(r"(?<!\\)[{}\[\]]|\\\\", line.replace("\\{", "").replace("\\}", "")), line
    (row,) = [line for line in prose if line.startswith("| name ")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4


def test_a_command_that_would_end_a_code_block_stays_a_command(demo: Advice) -> None:
    jira = write(advised(demo, named("{code}")), [1], "jira")
    assert 'ALTER TABLESPACE "\\{code\\}" PREFETCHSIZE 48' in jira.splitlines()
    fenced = write(advised(demo, named("```")), [1], "markdown")
    assert '````sql\nALTER TABLESPACE "```" PREFETCHSIZE 48\n````' in fenced


def test_html_refers_to_nothing_outside(demo: Advice) -> None:
    report = write(demo, [1, 2, 3, 4, 5], "html")
    page = Page(report)
    assert page.open == []
    assert not {"script", "link", "img", "iframe", "object", "base", "a", "form"} & set(page.tags)
    drawn = {"viewbox", "preserveaspectratio", "aria-hidden", "x", "y", "width", "height"}
    assert page.attributes <= {"lang", "charset", "name", "content", "class", "data-label", "scope"} | drawn
    assert not re.search(r"url\(|@import|https?://", report)


# --- templates of a site --------------------------------------------------------------------------------------------


def site(folder: Path, text: str, name: str = "ticket.md") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_template_of_the_site_takes_the_place_of_its_format(demo: Advice, tmp_path: Path) -> None:
    folder = site(tmp_path, "Change on {{ database }}: {{ changes[0].what }}")
    shown = ticket(demo, [1])
    assert fill(shown, find("markdown", folder), folder) == (
        "Change on HRDB: PREFETCHSIZE of table space EMPLOYEE_TABLE: 24 to 48 pages\n"
    )
    assert fill(shown, find("jira", folder), folder) == fill(shown, find("jira"))


@pytest.mark.parametrize("form", FORMATS)
def test_a_template_can_replace_a_part(demo: Advice, tmp_path: Path, form: str) -> None:
    name = FORMATS[form].template
    folder = site(
        tmp_path, '{% extends "default/' + name + '" %}{% block approvals %}Ask the board.{% endblock %}', name
    )
    report = fill(ticket(demo, [1]), find(form, folder), folder)
    assert "Ask the board." in report
    assert "Requested by" not in report
    assert "Rollback" in report


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("fine\n{% for x in %}", 2, "Expected"),
        ("fine\n\n{{ nonsense }}", 3, "nonsense"),
        ("{{ changes[0].nonsense }}", 1, "nonsense"),
        ("{{ title.__class__.__mro__ }}", 1, "unsafe"),
        ("fine\n{% include 'gone.md' %}", 2, "gone.md"),
        ("{{ 1 / 0 }}", 1, "division"),
        ("{{ title | nonsense }}", 1, "nonsense"),
        ('{% extends "default/ticket.md" %}\n{% block reason %}{{ x }}{% endblock %}', 2, "x"),
    ],
)
def test_broken_template_is_reported_with_its_place(
    demo: Advice, tmp_path: Path, text: str, line: int, said: str
) -> None:
    folder = site(tmp_path, text)
    with pytest.raises(UserError) as error:
        fill(ticket(demo, [1]), find("markdown", folder), folder)
    assert str(error.value).startswith(f"{folder / 'ticket.md'}, line {line}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_folder_without_templates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"has none of the templates ticket\.md, ticket\.html"):
        find("markdown", site(tmp_path, "x", "tikcet.md"))


def test_a_template_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ticket.md").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not in UTF-8"):
        find("markdown", tmp_path)


# --- the command ----------------------------------------------------------------------------------------------------


def test_the_command_writes_a_file(demo: Advice, tmp_path: Path) -> None:
    target = tmp_path / "ticket.html"
    result = run("--rank", "2,1,2", "--format", "html", "-o", str(target))
    assert (result.exit_code, result.output) == (0, f"Wrote {target}\n")
    assert target.read_text(encoding="utf-8") == write(demo, [1, 2], "html")


def test_unknown_ranks_are_reported_with_existing_ones(demo: Advice) -> None:
    with pytest.raises(UserError, match=rf"^no rank 77, 99: the list has ranks 1 to {len(demo.ranked)}$"):
        ticket(demo, [1, 77, 99])
    with pytest.raises(UserError, match=r"^no rank 1: the list is empty$"):
        ticket(advised(demo), [1])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--rank", ""],
        ["--rank", "x"],
        ["--rank", "1,,2"],
        ["--rank", "-1"],
        ["--rank", "1", "--templates", "/gone"],
        ["--rank", "1", "--format", "servicenow", "--field", "x"],
        ["--rank", "1", "--format", "servicenow", "--field", "a..b=x"],
        ["--rank", "1", "--field", "a=x"],
        ["--rank", "1", "--format", "servicenow", "--field", "risk.of=x"],
    ],
)
def test_bad_usage_is_one_line(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"db2tune: [^\n]+\n", result.stderr)


def test_demo_writes_a_ticket_and_prints_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["demo", "--ticket", "ticket.html"])
    assert result.exit_code == 0
    where = re.search(r"ticket \S+ \S+ --rank (\d+).*^Wrote (\S+)$", result.output, re.MULTILINE | re.DOTALL)
    assert where is not None
    command = advise(DEMO_CAPTURE).ranked[int(where[1]) - 1].actions[0]
    assert not command.startswith(BY_HAND)
    assert command in unescape(Path(where[2]).read_text(encoding="utf-8"))


# --- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WRITTEN_AS)
def test_record_has_the_whole_change_in_its_systems_fields(demo: Advice, form: str) -> None:
    given = [("assignment_group", "DBA"), ("fields.project.key", "OPS")]
    document = json.loads(record(ticket(demo, [1, 3]), form, given))
    assert document["assignment_group"] == "DBA"
    assert document["fields"]["project"]["key"] == "OPS"
    fields_ = document if form == "servicenow" else document["fields"]
    (title,) = (value for name, value in fields_.items() if name in {"short_description", "summary"})
    assert title == ticket(demo, [1, 3]).title
    lines = [line.strip() for value in fields_.values() if isinstance(value, str) for line in value.splitlines()]
    for found in (demo.ranked[0], demo.ranked[2]):
        assert {*found.actions, *found.undo, "db2stop"} <= set(lines)
    assert form != "servicenow" or document["risk"] == "3"


def test_a_record_for_programs_is_as_its_schema_says(demo: Advice) -> None:
    document = json.loads(record(ticket(demo, [1, 2, 3]), "json"))
    Draft202012Validator(json.loads((DOCS / "ticket.schema.json").read_text(encoding="utf-8"))).validate(document)
    assert [change["commands"] for change in document["changes"]] == [
        to_steps(item.actions) for item in demo.ranked[:3]
    ]


def test_site_window_and_unknown_stop_data_are_listed(tmp_path: Path) -> None:
    site = tmp_path / "site.toml"
    site.write_text('change_window = "Sat 22:00-02:00"\n', encoding="utf-8")
    asked = ("--rule", "memory.sort-overflow", "--options", str(site), "--format")
    written = [run(*asked, form).stdout for form in ("json", "servicenow")]
    assert json.loads(written[0])["overview"]["Change window"] == "Sat 22:00-02:00"
    assert "Sat 22:00-02:00" in json.loads(written[1])["description"]


def test_only_a_stop_has_a_duration(demo: Advice) -> None:
    for rank, found in enumerate(demo.ranked, 1):
        stops = found.effect in text.STOPPING
        assert ("Duration" in ticket(demo, [rank]).overview) == stops


def test_a_block_of_the_site_is_in_its_record(demo: Advice, tmp_path: Path) -> None:
    block = (
        '{% extends "default/ticket.txt" %}\n{% block rollback %}Ask {{ database }} first. {{ super() }}{% endblock %}'
    )
    (tmp_path / "ticket.txt").write_text(block, encoding="utf-8")
    written = json.loads(record(ticket(demo, [1]), "servicenow", folder=tmp_path))
    assert written["backout_plan"].startswith("Ask HRDB first. ")
    assert 'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 24' in written["backout_plan"]
    assert 'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 48' in written["implementation_plan"]


def test_what_a_system_does_not_take_is_cut_or_told(demo: Advice) -> None:
    long = replace(demo, database=demo.database | {"name": "D" * 300})
    assert len(json.loads(record(ticket(long, [1]), "servicenow"))["short_description"]) == 160
    wordy = replace(demo.ranked[0], finding="word " * 8000)
    with pytest.raises(UserError, match="fewer ranks at a time"):
        record(ticket(replace(demo, recommendations=[wordy]), [1]), "jira-issue")


# --- the documentation ----------------------------------------------------------------------------------------------


def test_the_documentation_names_the_variables_that_there_are() -> None:
    tables = re.findall(r"\| variable \|.*?\n\n", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    told = [re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) for table in tables]
    assert told == [[field.name for field in fields(kind)] for kind in (Ticket, TicketChange)]


def test_the_documentation_names_the_blocks_that_there_are() -> None:
    told = re.search(r"replace blocks: (.*?)\.", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert told is not None
    blocks = set(re.findall(r"`(\w+)`", told[1]))
    assert set(find("html").blocks) == blocks
    assert set(find("text").environment.get_template("default/layout.txt").blocks) == blocks - {"style"}
