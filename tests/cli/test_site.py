"""Site options: the TOML file, its effect on advice, and the commands that print and write it."""

import json
import re
import tomllib
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import all_options
from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.run import advise
from advisor.report import csvout, explain, jsonout, markdown, table
from advisor.report.selection import select
from advisor.resources import PAPER_CAPTURE
from advisor.site.files import append_risk, parse_site, read_site
from advisor.site.settings import find_mistyped
from tests.support.paths import DOCS, FIXTURES
from tests.support.states import state_of, write_capture

SCHEMA = json.loads((DOCS / "advice.schema.json").read_text(encoding="utf-8"))
RULE = "log.buffer-full"
PREFETCH = "prefetch.size-misaligned"
END = date(2026, 3, 2)  # the last day of the demo's interval
RISK = f'[[accepted]]\nrule = "{RULE}"\nobject = "*"\nreason = "known"\nby = "A DBA"\n'

WRONG = {
    "no TOML": ("site", "not valid TOML"),
    "another encoding": (b"# \xff", "not UTF-8 text"),
    "one value": ("site = 1", "site.toml: site: must be a table of options, not 1"),
    "unknown table": ("[sites]", "'sites' must be site, accepted or a rule; did you mean site?"),
    "unknown rule": ('["log.bufer-full"]', f"did you mean {RULE}?"),
    "rule without quotes": (f"[{RULE}]\nmin_full = 1", f'quote the name of a rule: ["{RULE}"]'),
    "unknown option": ("[site]\nworkloat = 'BI'", "option site.workloat: no such option; did you mean workload?"),
    "unknown threshold": (f'["{RULE}"]\nx = 1', "no such option; there are full_per_1000, min_full"),
    "no number": (f'["{RULE}"]\nmin_full = "many"', f"option {RULE}.min_full: 'many' is not a number"),
    "truth for a number": (f'["{RULE}"]\nmin_full = true', "True is not a number"),
    "below zero": (f'["{RULE}"]\nmin_full = -1', "-1 must be a number from 0 to 1E15"),
    "too many days": ("[site]\nkeep_days = 1e30", "1e+30 must be a number from 0 to 36500"),
    "infinite": ("[site]\nfloor_pct = inf", "inf is not a number"),
    "no choice": ("[site]\nworkload = 'DSS'", "'DSS' must be one of BI, OLTP, MIXED"),
    "list for a text": ("[site]\nworkload = ['BI']", "is not a text"),
    "no name": ("[site]\nprotected = []", "contains no name"),
    "too many names": (f"[site]\nprotected = '{'A' * 255}'", "longer than 254 bytes"),
    "one acceptance": (
        RISK.replace("[[accepted]]", "[accepted]"),
        "accepted: must be a list: write [[accepted]] for each accepted risk, not a table",
    ),
    "acceptance is no table": (
        "accepted = [1]",
        "accepted[0]: must be a table: write [[accepted]] for each accepted risk, not 1",
    ),
    "acceptance of no rule": (RISK.replace(RULE, "log.buffer-ful"), f"no such rule; did you mean {RULE}?"),
    "acceptance without a reason": (
        RISK.replace('"known"', '" "'),
        "accepted[0].reason: must be a text that is not empty",
    ),
    "acceptance without a name": (RISK.replace('by = "A DBA"', ""), "accepted[0]: by is missing"),
    "long reason": (RISK.replace("known", "k" * 1001), "accepted[0].reason: longer than 1000 bytes"),
    "unknown key": (f"{RISK}untill = 2027-01-01", "accepted[0]: there is no 'untill'; did you mean until?"),
    "no day": (f'{RISK}until = "soon"', "accepted[0].until: must be a day, such as 2027-06-30, not 'soon'"),
    "a moment": (f"{RISK}until = 2027-01-01T10:00:00", "must be a day, such as 2027-06-30, not '2027-01-01T10:00:00'"),
}


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.parametrize(("content", "reason"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_one_line(content: str | bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(UserError) as caught:
        read_site(path)
    assert str(caught.value).startswith("site.toml: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_says_options_and_risks() -> None:
    site = parse_site(
        b"[site]\nworkload = 'bi'\nprotected = ['SAP*', 'A B']\n"
        + f'["{RULE}"]\nmin_full = 200\n{RISK}until = 2027-01-01\n'.encode()
    )
    assert site.options == {"site": {"workload": "BI", "protected": "SAP*;A B"}, RULE: {"min_full": "200"}}
    assert site.accepted == (Accepted(RULE, "*", "known", "A DBA", date(2027, 1, 1)),)


@given(words=st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=32)] * 3))
def test_any_text_can_be_written_down(words: tuple[str, str, str]) -> None:
    pattern, reason, by = words
    risk = Accepted(RULE, pattern, reason, by, date(2027, 1, 1))
    if not all(word.strip() for word in words):
        with pytest.raises(UserError):
            append_risk("", risk)
        return
    assert parse_site(
        append_risk(f"# a comment\n{RISK}".replace('"*"', '"never the same pattern as this one"'), risk).encode()
    )
    assert parse_site(append_risk("", risk).encode()).accepted == (risk,)


def test_every_option_of_the_tables_can_be_set() -> None:
    for option in all_options(all_rules().values()).values():
        value = option.choices[0] if option.kind == "text" else "7"
        assert option.checked(value) == value


# --- effect on advice ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="advice")
def fixture_advice() -> Advice:
    return advise(
        PAPER_CAPTURE,
        site=Site(
            {"site": {"protected": "NOBODY;BP16*", "workload": "MIXED"}},
            (
                Accepted("prefetch.size-misaligned", "EMP*", "moved next month", "A DBA", END - timedelta(days=1)),
                Accepted("memory.sort-overflow", "*", "a batch", "B DBA", END),
                Accepted("memory.sort-overflow", "HR*", "too late", "B DBA", END - timedelta(days=1)),
                Accepted("cpu.affinity-missing", "OTHER", "not this one", "C DBA", None),
            ),
        ),
    )


def _of(advice: Advice, rule: str) -> Recommendation:
    return next(item for item in advice.recommendations if item.rule.name == rule)


def test_accepted_risk_is_not_listed_until_its_last_day_ends(advice: Advice) -> None:
    item = _of(advice, "memory.sort-overflow")
    assert (item.rank, item.superseded_by) == (None, "accepted")
    assert item.accepted is not None
    assert (item.accepted.reason, item.accepted.expired) == ("a batch", False)  # not the longer pattern, which expired


def test_an_expired_acceptance_is_ranked_again_and_marked(advice: Advice) -> None:
    item = _of(advice, "prefetch.size-misaligned")
    assert item.rank == 1
    assert item.accepted is not None
    assert item.accepted.expired


def test_an_acceptance_of_another_object_changes_nothing(advice: Advice) -> None:
    item = _of(advice, "cpu.affinity-missing")
    assert item.rank is not None
    assert item.accepted is None


def test_what_is_found_on_a_protected_object_is_left_out(advice: Advice) -> None:
    found = {item.superseded_by for item in advice.recommendations if item.object_name == "BP16K"}
    assert found == {"protected"}
    assert any(item.rank is not None for item in advice.recommendations if item.object_type == "INSTANCE")


@pytest.mark.parametrize(
    ("pattern", "spared"), [("HR*", set()), ("HRDB", {"DATABASE"}), ("*", {"BUFFERPOOL", "TABLESPACE"})]
)
def test_a_beginning_spares_objects_and_not_the_database_itself(pattern: str, spared: set[str]) -> None:
    advice = advise(PAPER_CAPTURE, site=Site({"site": {"protected": pattern}}))
    kinds = {item.object_type for item in advice.recommendations if item.superseded_by == "protected"}
    assert kinds & {"DATABASE", "INSTANCE", "HOST", "BUFFERPOOL", "TABLESPACE"} == spared


def test_indexes_are_left_out_with_their_table() -> None:
    """One is proposed, one exists."""
    advice = advise(FIXTURES / "webshop.capture", site=Site({"site": {"protected": "SHOP.ORDERS"}}))
    found = {item.rule.name for item in advice.recommendations if item.superseded_by == "protected"}
    assert found == {"sql.missing-index", "sql.unused-index"}


def test_the_file_comes_over_the_options_of_the_capture(advice: Advice) -> None:
    assert advice.workload.name == "mixed"
    assert advice.options["site"]["workload"] == "MIXED"


def test_every_output_lists_accepted_and_expired_risks(advice: Advice) -> None:
    expired = "accepted until 2026-03-01 by A DBA: expired; moved next month"
    accepted = "accepted until 2026-03-02 by B DBA: a batch"
    selection = select(advice)
    for report in (table.render(selection, 132), markdown.render(selection), csvout.render(selection)):
        assert expired in report
        assert accepted in report
    assert expired in explain.render(advice, "1", 132)
    assert accepted in explain.render(advice, "memory.sort-overflow", 132)
    document = jsonout.document(selection)
    jsonschema.validate(document, SCHEMA)
    assert [item["accepted"]["expired"] for item in document["recommendations"] if item["accepted"]] == [True, False]


# --- the commands -------------------------------------------------------------------------------------------


def test_options_are_listed_with_their_origin(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f'["{RULE}"]\nmin_full = 200\n{RISK}', encoding="utf-8")
    done = run("options", "--capture", PAPER_CAPTURE, "--options", path, "--format", "json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    rows = {(row["rule"], row["name"]): row for row in document["options"]}
    assert rows.keys() == all_options(all_rules().values()).keys()
    assert (rows[RULE, "min_full"]["value"], rows[RULE, "min_full"]["set_in"]) == (200, "site.toml")
    assert rows[RULE, "min_full"]["default"] == 100.0
    assert rows["site", "workload"]["set_in"] == PAPER_CAPTURE.name
    assert rows["site", "floor_pct"]["set_in"] is None
    assert document["accepted"][0]["set_in"] == "site.toml"


def test_one_rule_is_listed_with_meanings(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(f'["{RULE}"]\nmin_full = 200\n{RISK}', encoding="utf-8")
    report = run("options", "--options", path, RULE).output
    meaning = "min_full 200 fewer come from a single bulk change (default 100, our own; set in site.toml)"
    assert meaning in " ".join(report.split())
    assert "known" in report


def test_options_of_each_area_have_a_meaning() -> None:
    shown = run("options").output
    options = all_options(all_rules().values())
    areas = Counter(rule.partition(".")[0] for rule, _ in options)
    assert len(shown.splitlines()) <= 30
    assert {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", shown, re.MULTILINE)} == areas
    for area in areas:
        listed = " ".join(run("options", area).output.split())
        for (rule, name), option in options.items():
            explained = f" {name} {(option.default or 'none').removesuffix('.0')} {' '.join(option.meaning.split())}"
            assert (explained in f" {listed}") == rule.startswith(area), (area, rule, name)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["sit"], "did you mean site?"),
        (["--capture", "x", "--database", "db2://u@h:1/D"], "use either"),
        (["--options", "missing.toml"], "does not exist"),
    ],
)
def test_options_refuses(arguments: list[str], reason: str) -> None:
    done = run("options", *arguments)
    assert done.exit_code == 2
    assert reason in done.output


def test_accept_writes_what_advise_reads(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("# ours\n[site]\nworkload = 'OLTP'", encoding="utf-8")
    words = ("accept", RULE, "SALES*", "--reason", 'said "yes"', "--options", path)
    done = run(*words, "--by", "A DBA", "--until", "2099-01-31")
    assert done.exit_code == 0
    assert done.stderr == f'Accepted {RULE} for SALES* until 2099-01-31: said "yes"\n'
    assert path.read_text(encoding="utf-8").startswith("# ours\n[site]\nworkload = 'OLTP'\n")
    assert read_site(path).accepted == (Accepted(RULE, "SALES*", 'said "yes"', "A DBA", date(2099, 1, 31)),)
    again = run(*words)
    assert again.exit_code == 2
    assert "is already accepted" in again.output
    assert len(tomllib.loads(path.read_text(encoding="utf-8"))["accepted"]) == 1


def test_possibly_mistyped_acceptance_is_reported(advice: Advice) -> None:
    advised = [(item.rule.name, item.object_name) for item in advice.recommendations]
    name = dict(advised)[PREFETCH]
    risks = [Accepted(PREFETCH, given, "known", "A DBA") for given in (f"{name}S", f"{name[:4]}*", "MENDED", name)]
    assert list(find_mistyped(risks, advised)) == [
        f"{PREFETCH} is accepted for {name}S, which matches no finding; did you mean {name}?"
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([RULE, "*", "--reason", "x"], "use either --options FILE or --database"),
        (["log.buffer-ful", "*", "--reason", "x", "--options", "s.toml"], f"did you mean {RULE}?"),
        (
            [RULE, "*", "--reason", " ", "--options", "s.toml"],
            "s.toml: accepted[0].reason: must be a text that is not empty",
        ),
        ([RULE, "*", "--reason", "x", "--options", "s.toml", "--until", "soon"], "soon"),
        ([RULE, "*", "--reason", "x", "--options", "s.toml", "--until", "2020-01-31"], "2020-01-31 has passed"),
        ([RULE, "*", "--reason", "x", "--database", "db2://u@h:1/D", "--by", "me"], "omit --by"),
    ],
)
def test_accept_refuses_and_writes_nothing(
    arguments: list[str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("accept", *arguments)
    assert done.exit_code == 2
    assert reason in done.output
    assert list(tmp_path.iterdir()) == []


def test_explain_reads_the_file(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("[site]\nworkload = 'DSS'", encoding="utf-8")
    capture = write_capture(state_of({}), tmp_path / "capture")
    for command in (("advise",), ("explain", RULE)):
        done = run(command[0], "--capture", capture, "--options", path, *command[1:])
        assert done.exit_code == 2
        assert "site.toml: option site.workload" in done.output


def test_a_file_is_not_mixed_with_the_options_of_a_database(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text("", encoding="utf-8")
    done = run("advise", "--in-database", "--database", "db2://u@h:1/D", "--options", path)
    assert done.exit_code == 2
    assert "TUNE.OPTION" in done.output
