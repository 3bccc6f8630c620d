"""Site rules: judged and shown with the others, tested by their cases, and unable to stop the others."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from advisor.catalogue.rules import all_rules
from advisor.catalogue.site_rules import read_folder
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.install.statements import install_statements
from advisor.judgement.run import advise
from advisor.plan.steps import plan
from advisor.site.files import read_site
from tests.support.site_rule import CASES, NAME, RULE, SHOWN, SITE, named
from tests.support.states import state_of, write_capture


def with_first_action(action: str, name: str) -> str:
    """Return the rule under another name, with an action before its own."""
    return named(name, RULE.replace("actions:", f"actions:\n  - {action}"))


# files that are not rules, and the reported reason
BROKEN = {
    "no-title.sql": (re.sub("title:.*\n", "", named("house.no-title")), "title is missing"),
    "taken/buffer-full.sql": (named("log.buffer-full"), "db2tune has a rule log.buffer-full"),
    "twice/optimization-class.sql": (RULE, "optimization-class.sql has a rule house.optimization-class"),
    "same-view.sql": (named("house.optimization.class"), "rule: must be <area>.<name>"),
    "binary.sql": ("\udcff", "codec can't decode"),
    "include.sql": (with_first_action("include: nothing", "house.include"), "No such file"),
    "yaml.sql": (named("house.yaml", RULE.replace("title: ", "title: [")), "not valid YAML"),
    "field.sql": (named("house.field", RULE.replace("\nwhy:", "\nnotes: x\nwhy:")), "there is no 'notes', did you mean note"),
    "brace.sql": (named("house.brace", RULE.replace("{CLASS}.", "{CLASS.")), "a brace or bracket is not closed"),
    "lane.sql": (named("house.lane", RULE.replace("lane: housekeeping", "lane: X")), "lane: must be one of"),
    "level.sql": (named("house.level", RULE.replace("object:", "applies: {from: new}\nobject:")), "a Db2 level"),
    "needs.sql": (named("house.needs", RULE.replace("dbcfg.VALUE", "dbcfg.VALU")), "dbcfg.VALU does not exist"),
    "wide.sql": (named("house.wide", RULE.replace("title: ", f"title: {'x' * 200}")), "longer than 200 bytes"),
    "reads.sql": (named("house.reads", RULE.replace("TUNE.SETTING", "TUNE.R_LOG_BUFFER_FULL")), "the procedure of a rule"),
    "a.sql": (named("house.a", RULE.replace("object:", "after: [house.b]\nobject:")), "after: house."),
    "b.sql": (named("house.b", RULE.replace("object:", "after: [house.a]\nobject:")), "after: house."),
    "empty.sql": ("", "begin with a header between /*--- and ---*/"),
    "other.sql": (named("house.another"), "house.another must be in a file another.sql"),
}  # fmt: skip


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a site with one good rule, one that fails in SQL, and files that are not rules."""
    rules = tmp_path / "our-rules"
    (rules / "below").mkdir(parents=True)
    (rules / "optimization-class.sql").write_text(RULE, encoding="utf-8")
    (rules / "optimization-class.yml").write_text(CASES, encoding="utf-8")
    (rules / "below" / "fails.sql").write_text(named("house.fails", RULE.replace("S.NUM", "S.NUMB")), encoding="utf-8")
    for file, (text, _) in BROKEN.items():
        (rules / file).parent.mkdir(exist_ok=True)
        (rules / file).write_text(text, encoding="utf-8", errors="surrogateescape")
    (tmp_path / "site.toml").write_text(SITE, encoding="utf-8")
    return rules


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    return write_capture(state_of({"config": {"dft_queryopt": 7}}), tmp_path / "capture")


@pytest.mark.parametrize("file", BROKEN)
def test_file_that_is_not_a_rule_is_reported_with_reason(file: str, folder: Path) -> None:
    reasons = {broken.file: broken.reason for broken in read_folder(folder).broken}
    assert BROKEN[file][1] in reasons[file]
    assert "\n" not in reasons[file]
    assert str(folder.parent) not in reasons[file] or "No such file" in reasons[file]


def test_the_others_are_read(folder: Path) -> None:
    found = read_folder(folder)
    assert [rule.name for rule in found.rules] == ["house.fails", NAME]
    assert {broken.file for broken in found.broken} == BROKEN.keys()


def test_include_is_next_to_the_rule_or_in_the_product(folder: Path) -> None:
    (folder / "shared.yml").write_text("- manual: As agreed.\n", encoding="utf-8")
    text = with_first_action("include: shared", "house.shared")
    (folder / "below" / "shared.sql").write_text(text, encoding="utf-8")
    assert "below/shared.sql" in {broken.file for broken in read_folder(folder).broken}
    (folder / "shared.sql").write_text(text, encoding="utf-8")
    actions = {rule.name: rule.header["actions"] for rule in read_folder(folder).rules}
    assert actions["house.shared"][0] == {"manual": "As agreed."}


def test_they_judge_with_the_others(folder: Path, capture: Path) -> None:
    advice = advise(capture, site=read_site(folder.parent / "site.toml"))
    (item,) = [item for item in advice.recommendations if item.rule.name == NAME]
    assert item.rank is not None
    assert item.actions == ["UPDATE DB CFG FOR SAMPLE USING DFT_QUERYOPT 3"]  # the site's threshold
    others = advise(capture)
    kept = [other.key for other in advice.ranked if other.rule.name != NAME]
    assert kept == [other.key for other in others.ranked]
    reasons = dict(advice.not_run)
    assert reasons.pop("house.fails").startswith("failed: ")
    assert {file for file in BROKEN if reasons.pop(file, "").startswith("is not a rule: ")} == BROKEN.keys()
    assert reasons == dict(others.not_run)
    assert any(step.items[0].rule.name == NAME and step.guards for step in plan(advice, everything=True))


def test_commands_know_them(folder: Path, capture: Path) -> None:
    site = ("--options", folder.parent / "site.toml")
    listed = run("rules", *site)
    assert NAME in listed.stdout
    assert "taken/buffer-full.sql: no rule: db2tune has a rule log.buffer-full" in listed.stdout
    assert "Database standards of the house" in run("rules", NAME, *site).stdout
    assert "O_HOUSE_OPTIMIZATION_CLASS" in run("rules", NAME, "--sql", *site).stdout
    assert "class" in run("options", NAME, *site).stdout
    asked = ("--capture", capture, *site)
    report = json.loads(run("advise", *asked, "--area", "house", "--format", "json").stdout)
    assert [item["rule"] for item in report["recommendations"]] == [NAME]
    rank = str(report["recommendations"][0]["rank"])
    assert "optimization-class.sql" in run("explain", *asked, NAME).stdout
    for form in ("markdown", "text", "csv"):
        assert NAME in run("advise", *asked, "--format", form, "--all").stdout
    ticket = run("ticket", *asked, "--rank", rank)
    assert "rules of its own" in ticket.stdout, ticket.output
    assert run("rules", NAME).exit_code == run("advise", "--capture", capture, "--area", "house").exit_code == 2


def test_one_can_be_accepted(folder: Path, capture: Path) -> None:
    file = folder.parent / "site.toml"
    assert run("accept", NAME, "*", "--reason", "known", "--by", "A DBA", "--options", file).exit_code == 0
    (item,) = [item for item in advise(capture, site=read_site(file)).recommendations if item.rule.name == NAME]
    assert item.superseded_by == "accepted"


def test_report_of_a_broken_rule_comes_last(folder: Path) -> None:
    file = folder.parent / "site.toml"
    risk = '[[accepted]]\nrule = "house.no-title"\nobject = "*"\nreason = "known"\nby = "A DBA"\n'
    file.write_text(f'{SITE}\n["house.no-title"]\nclass = 1\n{risk}', encoding="utf-8")
    site = read_site(file)
    assert (site.options.keys(), site.accepted) == ({NAME}, ())
    file.write_text(f'{SITE}\n["house.nowhere"]\nclass = 1\n', encoding="utf-8")
    with pytest.raises(UserError, match=r"house\.nowhere"):
        read_site(file)


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text('rules = "nowhere"', encoding="utf-8")
    result = run("rules", "--options", tmp_path / "site.toml")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "site.toml: rules: " in result.stderr
    assert "no such folder of rules" in result.stderr


def test_check_tells_how_each_case_went(folder: Path) -> None:
    file = folder / "optimization-class.sql"
    result = run("rules", "--check", file)
    assert (result.exit_code, result.stdout) == (0, SHOWN.partition("\n")[2])
    cases = CASES.replace("dft_queryopt: 5}", "dft_queryopt: 6}").replace(
        "SAMPLE USING DFT_QUERYOPT 5", "SAMPLE USING X"
    )
    file.with_suffix(".yml").write_text(cases, encoding="utf-8")
    result = run("rules", "--check", file)
    assert result.exit_code == 1
    assert "expected 1, action: ['UPDATE DB CFG FOR SAMPLE USING X'], got" in result.stdout
    assert "not silent: ['UPDATE DB CFG FOR SAMPLE USING DFT_QUERYOPT 5']" in result.stdout
    assert "3 cases, 2 failed" in result.stdout


def test_check_looks_at_the_edges_of_a_case(folder: Path) -> None:
    file = folder / "optimization-class.sql"
    edges = (
        "edges: [{of: a user set 7, config.dft_queryopt: [6, 5]}, {of: a user set 7, config.dft_queryopt: [5, 4]}]\n"
    )
    file.with_suffix(".yml").write_text(CASES + edges, encoding="utf-8")
    said = run("rules", "--check", file).stdout
    assert "ok      fires   a user set 7, at config.dft_queryopt 6\n" in said
    assert "ok      silent  a user set 7, at config.dft_queryopt 5\n" in said
    assert "differs fires   a user set 7, at config.dft_queryopt 5\n        it is silent\n" in said
    assert "differs silent  a user set 7, at config.dft_queryopt 4\n        not silent:" in said


def test_check_looks_at_cases_with_other_values(folder: Path) -> None:
    file = folder / "optimization-class.sql"
    edges = [("a user set 7", 5, "[]"), ("a user set 7", 6, "[]"), ("a user set 7", 6, "[{}]")]
    text = "".join(
        f"  - {{of: {of}, with: {{config.dft_queryopt: {value}}}, expect: {said}}}\n" for of, value, said in edges
    )
    file.with_suffix(".yml").write_text(f"{CASES}edges:\n{text}", encoding="utf-8")
    said = run("rules", "--check", file).stdout
    assert "ok      fires   a user set 7, with {'config.dft_queryopt': 5}\n" in said
    assert "differs fires   a user set 7, with {'config.dft_queryopt': 6}\n        not expected: " in said
    assert "ok      fires   a user set 7, with {'config.dft_queryopt': 6}\n" in said


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("S.NUM", "S.NUMB", "line 25: no such column: S.NUMB; did you mean NUM?"),
        ("FROM TUNE", "FORM TUNE", 'line 23: near "TUNE": syntax error'),
        ("TUNE.SETTING", "TUNE.SETING", "line 23: SETING: no such view; did you mean SETTING?"),
        ("the house is {CLASS}", "the house is {CLAS}", "line 14: no such column: CLAS"),
        ("---*/\nSELECT", "---*/\n\nSELECT\n    NOSUCH(1) AS X,", "line 22: no such function: NOSUCH"),
    ],
)
def test_check_of_a_fault_in_sql_names_the_line_once(old: str, new: str, fault: str, folder: Path) -> None:
    file = folder / "optimization-class.sql"
    file.write_text(RULE.replace(old, new), encoding="utf-8")
    result = run("rules", "--check", file)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.output
    assert f"db2tune: optimization-class.sql: {fault}" in result.stderr


def test_fault_in_sql_is_reported_with_file_and_line(folder: Path, capture: Path) -> None:
    site = read_site(folder.parent / "site.toml")
    reason = dict(advise(capture, site=site).not_run)["house.fails"]
    assert reason == "failed: fails.sql: line 25: no such column: S.NUMB; did you mean NUM?"


@pytest.mark.parametrize(
    ("cases", "reason"),
    [
        ("fires: [", "not valid YAML"),
        ("fires: 1\nsilent: []", "must be a list"),
        ("fires: [{name: x, expect: []}]\nsilent: [{name: y}]", "fires[0].expect"),
        (CASES.replace("    expect:", "    expects:"), "expect is missing"),
        (CASES.replace("undo:", "undone:"), "optimization-class.yml: fires[0].expect[0]"),
        (CASES.replace("config: {dft_queryopt: 5}", "lok: [{}]"), "'lok' does not exist"),
        (CASES.replace("config: {dft_queryopt: 5}", "tablespace: [{TBSP_NAM: A}]"), "no column 'TBSP_NAM'"),
        (CASES.replace("config: {dft_queryopt: 5}", "workload: [{TOTAL_RQST_TIME: many}]"), "cannot be turned into a state"),
        (CASES.replace("config: {dft_queryopt: 5}", "thresholds: {x.y: {z: 1}}"), "option x.y.z: no such option"),
        (CASES + "edges: [{of: nobody, config.dft_queryopt: [6, 5]}]", "edges: no case contains nobody"),
        (CASES + "edges: [{of: a user set 7, dbm.x: [6, 5]}]", "edges: no case contains dbm.x"),
        (CASES + "edges: [{of: a user set 7, config.dft_queryopt: [6]}]", "must be a list with at least 2 entries"),
        (CASES + "edges: [{of: a user set 7, seconds: [1, 2, 3]}]", "must be a list with at most 2 entries"),
        (CASES + "edges: [{of: a user set 7, with: {dbm.x: 6}, expect: []}]", "edges: no case contains dbm.x"),
        (CASES.replace("dft_queryopt: 5}", "dft_queryopt: 5, stmm: OFF}"), "config.stmm: must be a text or number, with OFF"),
        (None, "no such file"),
    ],
)  # fmt: skip
def test_check_of_bad_cases_is_one_line(cases: str | None, reason: str, folder: Path) -> None:
    path = folder / "optimization-class.yml"
    path.unlink() if cases is None else path.write_text(cases, encoding="utf-8")
    result = run("rules", "--check", folder / "optimization-class.sql")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.output
    assert reason in result.stderr


def test_check_of_no_rule_is_one_line(folder: Path) -> None:
    result = run("rules", "--check", folder / "no-title.sql")
    assert (result.exit_code, result.stderr) == (2, "db2tune: no-title.sql: the header: title is missing\n")


def test_they_are_installed_each_by_itself(folder: Path) -> None:
    own = read_folder(folder).rules
    statements = install_statements(own=own)
    plain = {statement.text for statement in install_statements()}
    assert {statement.rule for statement in statements if statement.rule} == all_rules().keys() | {NAME, "house.fails"}
    new = [statement for statement in statements if statement.text not in plain]
    views = {re.findall(r"PROCEDURE (TUNE\.R_\w+)", statement.text)[0] for statement in new if statement.rule}
    assert views == {rule.procedure for rule in own}
    assert any(f"'{NAME}'" in statement.text and "TUNE.RULE_TEXT" in statement.text for statement in new)
    script = run("install", "--script", "--rules", folder)
    assert script.exit_code == 0
    assert "PROCEDURE TUNE.R_HOUSE_OPTIMIZATION_CLASS" in script.stdout
    assert "taken/buffer-full.sql was not installed: db2tune has a rule log.buffer-full" in script.stderr


def test_new_rule_passes_its_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written = run("rules", "--new", "house.first-rule")
    assert (written.exit_code, sorted(path.name for path in tmp_path.iterdir())) == (
        0,
        ["first-rule.sql", "first-rule.yml"],
    )
    tested = run("rules", "--check", "first-rule.sql")
    assert (tested.exit_code, tested.stdout.splitlines()[-1][:17]) == (0, "3 cases, 0 failed")


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("House.rule", "lower case"),
        ("rule", "AREA.NAME"),
        ("log.buffer-full", "has this rule"),
        ("a.taken", "already exists"),
    ],
)
def test_new_rule_with_a_bad_name_is_refused(
    name: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.yml").write_text("mine", encoding="utf-8")
    result = run("rules", "--new", name)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert fault in result.stderr
    assert (tmp_path / "taken.yml").read_text(encoding="utf-8") == "mine"
