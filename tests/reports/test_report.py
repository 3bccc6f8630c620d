"""The reports on one made-up advice with every lane, hostile names, and all other content."""

import csv
import io
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from advisor.catalogue.commands import BY_HAND, FOR_CLP
from advisor.catalogue.lanes import all_lanes
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Window, Workload
from advisor.judgement.run import advise
from advisor.judgement.time_spent import TimeSpent
from advisor.nightly import config
from advisor.report import catalogue, csvout, evidence, explain, jsonout, markdown, page, summary, table, text
from advisor.report.fail_on import fail_on_names
from advisor.report.selection import select, split_reasons
from advisor.report.values import to_steps
from advisor.resources import data_file
from tests.machines import MACHINES
from tests.support.advised import advised
from tests.support.made_up import IDLE, SPENT, item, rule
from tests.support.paths import DOCS
from tests.support.states import state_of, write_capture

SCHEMA = json.loads((DOCS / "advice.schema.json").read_text(encoding="utf-8"))
LONG = 'ALTER BUFFERPOOL "BP16K" SIZE 60000 -- ' + "X" * 150
HOSTILE = "T\x1b[2J`|\u202e<b>_x_"


def test_lanes_are_those_of_the_table_wherever_they_are_named() -> None:
    assert SCHEMA["$defs"]["recommendation"]["properties"]["lane"]["enum"] == list(all_lanes())
    nightly = json.loads(Path(config.__file__).with_name("nightly.schema.json").read_text(encoding="utf-8"))
    assert tuple(nightly["$defs"]["fail_on"]["items"]["anyOf"][0]["enum"]) == fail_on_names()
    assert {letter for rule in all_rules().values() for letter in rule.lanes} <= all_lanes().keys()


@pytest.fixture(name="advice")
def fixture_advice() -> Advice:
    return Advice(
        database={
            "name": "HRDB",
            "host": "db\x1b[31m1",
            "instance": "hrinst",
            "level": "11.5.8.0",
            "platform": "Linux",
            "topology": "dpf",
            "runs_on": "rds",
            "runs_on_evidence": "instance rdsdb",
        },
        window=Window("2026-03-02T10:00:00", "2026-03-02T10:05:00", 300.0, "DELTA", True, None, 8, 64.04),
        workload=Workload("BI", 0.04321987, 0.95678013),
        recommendations=[
            item(rule("log.first", "prerequisite"), "Q", 1, object_type="DATABASE", name="HRDB"),
            item(
                rule("log.second", "safety", severity="critical"),
                "S",
                2,
                actions=["-- Ask the storage group for a mirror of the log path."],
                undo=["-- Nothing to undo."],
            ),
            item(rule("prefetch.third"), "P", 3),
            item(
                rule("memory.fourth", risk="high", takes_effect="instance restart"),
                "P",
                4,
                HOSTILE,
                actions=[LONG, "-- then wait"],
                memory_delta_kb=491_520,
                benefit=3.25,
                member=3,
            ),
            *(item(rule("config.kept", "housekeeping"), "H", n, f"TS{n}") for n in (5, 6)),
            item(rule("prefetch.loser"), "P", None, superseded_by="prefetch.third", superseded_rank=3),
            item(rule("prefetch.loser"), "P", None, "ELSEWHERE", superseded_by="prefetch.third", superseded_rank=3),
            item(rule("memory.poor"), "P", None, superseded_by="not enough free memory"),
        ],
        not_run=[(f"cpu.r{n}", "host fact cpus is not known") for n in range(6)]
        + [("log.other", "source transaction_log was not collected: no authority; host fact cpus is not known")],
        questions=[{"RULE": f"cpu.r{n}", "QUESTION": "Which processors belong to which core?"} for n in range(6)],
        options={"prefetch.third": {"min_pages": 77}},
        time_spent=SPENT,
    )


@pytest.mark.parametrize("width", [80, 120])
def test_table_wraps_prose_and_never_cuts_a_command(advice: Advice, width: int) -> None:
    lines = table.render(select(advice), width).splitlines()
    assert [line for line in lines if len(line) > width] == [f"    do     {LONG}"]
    assert not any(line.endswith(" ") for line in lines)


def test_table_says_everything_in_its_order(advice: Advice) -> None:
    report = table.render(select(advice), 100)
    marks = [
        "HRDB on db\\x1b[31m1 (instance hrinst), Db2 11.5.8.0, Linux, dpf",
        "2026-03-02 10:00:00 to 2026-03-02 10:05:00 (300 s, two snapshots)",
        "64.0 active sessions on average, 8 members",
        "BI, probability 95.7 %",
        "Verdict     1 urgent problem, 2 performance changes,",
        "Urgent      Title of log.second",
        "Fix these first",
        "Safety, worst first",
        "Performance: best change first",
        "2 housekeeping changes, below",
        "Total       ",
        "Not checked ",
        "Next        db2tune explain 1",
        "Fix these first (1)",
        "Safety, worst first (1)",
        "manual: Ask the storage group for a mirror of the log path.",
        "3   14.5 %  1.5..20.3                 11.6 %  medium      immediately",
        "Title of prefetch.third: table space TS1 [prefetch.third]",
        '    do     ALTER TABLESPACE "TS1" PREFETCHSIZE 48',
        '    undo   ALTER TABLESPACE "TS1" PREFETCHSIZE 24',
        "memory +480 MB per member",
        "Housekeeping (2)",
        "Suppressed by other recommendations (3)",
        "prefetch.loser (table space TS1, table space ELSEWHERE, benefit 14.5 %): prefetch.third",
        "memory.poor (table space TS1, benefit 14.5 %): not enough free memory",
    ]
    asked = [
        "Could not run (7 rules)",
        "host fact cpus is not known (cpu.r0, cpu.r1,",
        "source transaction_log was not collected: no authority (log.other)",
        "Questions (6 rules)",
    ]
    assert not any(mark in report for mark in asked)
    full = table.render(select(advice), 100, everything=True)
    assert all(mark in full for mark in asked)
    places = [report.find(mark) for mark in marks]
    assert -1 not in places, marks[places.index(-1)]
    assert places == sorted(places)


def test_housekeeping_is_brief_unless_asked_for(advice: Advice) -> None:
    command = 'ALTER TABLESPACE "TS5"'
    assert command not in table.render(select(advice), 100)
    assert command in table.render(select(advice), 100, everything=True)
    assert command in table.render(select(advice, areas=("config",)), 100)


@pytest.mark.parametrize("render", [lambda s: table.render(s, 100), markdown.render, jsonout.render, csvout.render])
def test_names_cannot_steer_a_terminal(advice: Advice, render: Any) -> None:
    report = render(select(advice))
    assert all(line.isprintable() for line in report.split("\n"))


def test_nothing_found_is_one_line_with_what_could_not_run(advice: Advice) -> None:
    nothing = select(replace(advice, recommendations=[]))
    assert "\nVerdict     Nothing to recommend.\n" in table.render(nothing, 100)
    assert "\nNothing to recommend.\n" in markdown.render(nothing)
    clean = select(replace(advice, recommendations=[], not_run=[], questions=[]))
    assert "\nVerdict     Nothing to recommend.\n" in table.render(clean, 100)
    assert "\nNot checked 7 rules need host facts" in table.render(nothing, 100)
    assert f"\nChecked     {summary.ALL_RAN}\n" in table.render(clean, 100)


def test_complete_rule_run_is_reported(advice: Advice) -> None:
    for render in (lambda s: table.render(s, 100), markdown.render):
        assert re.search("could not run|not checked", render(select(advice)).lower())
        assert (
            render(select(replace(advice, not_run=[], questions=[]))).count("Every rule that applies could run.") == 1
        )


def test_unusable_or_single_interval_is_reported_in_words(advice: Advice) -> None:
    window = replace(advice.window, begin=None, seconds=93_900.0, usable=False, reason="clock went back")
    report = table.render(select(replace(advice, window=window)), 200)
    assert "since activation, up to 2026-03-02 10:05:00 (93900 s (26.1 hours))" in report
    assert "NOT USABLE: clock went back" in report


def test_selection_keeps_ranks_and_reports_the_rest(advice: Advice) -> None:
    small = select(advice, min_benefit=5)
    assert [found.rank for found in small.ranked] == [1, 2, 3, 5, 6]
    assert small.describe_left_out() == "1 below --min-benefit"
    top = select(advice, top=2)
    assert [found.rank for found in top.ranked] == [1, 2]
    assert top.describe_left_out() == "4 more in the list (--top)"
    area = select(advice, areas=("log", "memory"))
    assert [found.rank for found in area.ranked] == [1, 2, 4]
    assert [name for name, _ in area.not_run] == ["log.other"]
    assert area.questions == []
    assert [found.rule.name for found in area.suppressed] == ["memory.poor"]


def test_json_is_what_its_schema_says(advice: Advice) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    document = json.loads(jsonout.render(select(advice)))
    jsonschema.validate(document, SCHEMA)
    assert [found["rank"] for found in document["recommendations"]] == [1, 2, 3, 4, 5, 6, None, None, None]
    third = document["recommendations"][2]
    assert third["benefit_pct"] == {"low": 1.45, "expected": 14.5, "high": 20.3, "after": 11.6}
    assert third["sources"] == ["one source", "another one"]
    assert third["object"] == {"type": "TABLESPACE", "name": "TS1", "member": None}
    assert document["recommendations"][3]["object"]["name"] == HOSTILE
    assert document["workload"] == {"class": "BI", "p_oltp": 0.0432, "p_bi": 0.9568, "windows_disagree": False}


def test_json_schema_admits_no_other_key(advice: Advice) -> None:
    document = json.loads(jsonout.render(select(advice)))
    for place in (
        document,
        document["window"],
        document["time_spent"],
        document["time_spent"]["buckets"][0],
        document["time_spent"]["buckets"][0]["finding"],
        document["recommendations"][0],
        document["recommendations"][0]["object"],
    ):
        place["more"] = 1
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, SCHEMA)
        del place["more"]
    for part in SCHEMA["properties"]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({key: value for key, value in document.items() if key != part}, SCHEMA)


def test_json_of_a_real_run_is_what_its_schema_says(tmp_path: Path) -> None:
    single = advise(write_capture(state_of({"single": True}), tmp_path))
    document = json.loads(jsonout.render(select(single)))
    jsonschema.validate(document, SCHEMA)
    assert document["window"]["begin"] is None
    assert document["window"]["source"] == "ACTIVATION"


@pytest.mark.parametrize("name", MACHINES)
def test_json_of_a_machine_has_numbers_and_steps_by_kind(name: str) -> None:
    found = advised(name)
    document = json.loads(jsonout.render(select(found)))
    jsonschema.validate(document, SCHEMA)
    items = document["recommendations"]
    values = [value for item in items for value in (*item["evidence"].values(), item["current"], item["proposed"])]
    assert not [value for value in values if isinstance(value, str) and re.fullmatch(r"(-?[1-9]\d{0,9})?", value)]
    lines = [line for each in found.recommendations for line in (*each.actions, *each.undo)]
    for line, step in zip(lines, to_steps(lines), strict=True):
        assert (step["kind"] == "manual") == line.startswith(BY_HAND)
        assert (step["kind"] in {"sql", "clp"}) == line.startswith(FOR_CLP)


def test_csv_has_one_line_per_recommendation(advice: Advice) -> None:
    report = csvout.render(select(advice))
    assert len(report.splitlines()) == 1 + 9
    rows = list(csv.DictReader(io.StringIO(report)))
    assert rows[2]["benefit_expected"] == "14.5"
    assert rows[2]["window_begin"], rows[2]["window_end"] == ("2026-03-02T10:00:00", "2026-03-02T10:05:00")
    assert rows[2]["seconds"] == "300.0"
    assert rows[2]["evidence"] == "PREFETCHSIZE=24; containers=2"
    assert rows[3]["actions"] == f"{LONG}; -- then wait"


def test_csv_gives_a_spreadsheet_no_formula(advice: Advice) -> None:
    evil = item(rule("log.evil"), "P", 1, '=HYPERLINK("x")', proposed="-2", current="+5")
    row = next(csv.DictReader(io.StringIO(csvout.render(select(replace(advice, recommendations=[evil]))))))
    assert (row["object_name"], row["proposed"], row["current"]) == ('\'=HYPERLINK("x")', "-2", "+5")


def test_markdown_cells_and_code_hold_any_name(advice: Advice) -> None:
    report = markdown.render(select(advice))
    assert r"T\\x1b\[2J\`\|\\u202e&lt;b>\_x\_" in report
    rows = [line for line in report.splitlines() if line.startswith("| ")]
    columns = {len(re.findall(r"(?<!\\)\|", line)) for line in rows}
    assert columns <= {4, 5, 6, 7}
    ticks = item(rule("log.ticks"), "P", 1, "a```b")
    code = markdown.render(select(replace(advice, recommendations=[ticks])))
    assert '````sql\nALTER TABLESPACE "a```b" PREFETCHSIZE 48\n````' in code
    assert "- Ask the storage group for a mirror of the log path." in report


def test_explain_shows_the_arithmetic(advice: Advice) -> None:
    report = explain.render(advice, "3", 500)
    for part in (
        "rank 3, prefetch.third: Title of prefetch.third: table space TS1",
        "29.0 % of database time: PREFETCH_WAIT 20.0 of 20.0, POOL_READ 9.0 of 10.0",
        "expected 14.5 % of database time",
        "claim x 0.05 / 0.50 / 0.70",
        "11.6 % after those above it",
        "+17.0 % for the same sessions, as g = B / (1 - B)",
        "6.96 = benefit after those above 11.60 x confidence 0.6 x ease 1",
        "takes effect immediately",
        "min_pages  77  site",
        "TABLESPACE:TS1:PREFETCHSIZE from 24 to 48 pages",
        "one source\nSource      another one",
        "prefetch.loser: table space TS1, benefit 14.5 %",
        "prefetch.loser: table space ELSEWHERE",
        "Not checked 7 rules need host facts: db2tune hostfacts",
        "2026-03-02 10:00:00",
    ):
        assert part in report
    assert "sorted at 0.7 of it" in explain.render(advice, "4", 100)


def test_explain_names_the_winner_over_a_loser(advice: Advice) -> None:
    second = item(rule("prefetch.third"), "P", 7, "ELSEWHERE")
    given = [replace(i, superseded_rank=7) if i.object_name == "ELSEWHERE" else i for i in advice.recommendations]
    advice = replace(advice, recommendations=[*given, second])
    assert "ELSEWHERE" not in explain.render(advice, "3", 100)
    assert "prefetch.loser: table space ELSEWHERE" in explain.render(advice, "7", 100)


def test_explain_takes_a_rule(advice: Advice) -> None:
    known = next(iter(all_rules().values()))
    lost = item(known, "P", None, superseded_by="other.rule")
    kept = item(known, "S", 9, "TS2")
    both = explain.render(replace(advice, recommendations=[kept, lost]), known.name, 100)
    assert "rank 9, " in both
    assert "not ranked, " in both
    assert "Gave way to other.rule" in both
    assert f"{known.name} found nothing" in explain.render(advice, known.name, 100)
    broken = replace(advice, not_run=[(known.name, "no authority")])
    assert f"{known.name} could not run: no authority." in explain.render(broken, known.name, 100)


@pytest.mark.parametrize(("wanted", "message"), [("9", "the list has 6"), ("0", "the list has 6")])
def test_explain_refuses_a_rank_that_is_not_there(advice: Advice, wanted: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        explain.render(advice, wanted, 100)


@pytest.mark.parametrize("width", [80, 120])
def test_catalogue_lists_every_rule_and_shows_each_in_full(width: int) -> None:
    listing = catalogue.listing((), width)
    for name, known in all_rules().items():
        assert f"\n{name} " in listing
        entry = catalogue.entry(name, width)
        assert entry.endswith(known.select + "\n")
        assert all(threshold.name in entry for threshold in known.thresholds)


def test_catalogue_knows_the_site_and_near_misses() -> None:
    site = catalogue.entry("site", 80)
    assert all(f"  {row['NAME']} (" in site for row in data_file("schema", "site_options"))
    name = next(iter(all_rules()))
    with pytest.raises(UserError, match=f"did you mean {name}"):
        catalogue.entry(name + "x", 80)
    with pytest.raises(UserError, match="db2tune rules"):
        catalogue.entry("zzzzzz", 80)
    with pytest.raises(UserError, match="no such area"):
        catalogue.listing(("nowhere",), 80)


def test_every_default_says_in_words_where_it_comes_from() -> None:
    tags = {threshold.provenance for rule in all_rules().values() for threshold in rule.thresholds}
    tags |= {row["PROVENANCE"] for row in data_file("schema", "site_options")}
    assert tags <= set(text.origins())


def test_the_message_of_a_failure_is_one_reason() -> None:
    assert split_reasons("host fact a is not known; no b; failed: no c; or d") == [
        "host fact a is not known", "no b", "failed: no c; or d",
    ]  # fmt: skip
    assert split_reasons("no b; no c") == ["no b", "no c"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("reads 810000 rows to return 2", "reads 810,000 rows to return 2"),
        (
            "1458000000 in all (33554432), 123456.7 ms, 2026 and 4711/1",
            "1,458,000,000 in all (33,554,432), 123,456.7 ms, 2,026 and 4711/1",
        ),
        ("application handle 82091 holds it", None),
        (
            "1 page cleaners on 1 NUMA nodes missed 1 times, 1 indexes; member 1 has",
            "1 page cleaner on 1 NUMA node missed once, 1 index; member 1 has",
        ),
        ("application 65711 holds /db/12345/log, key=12345, x'00012345', 1.23456", None),
        (
            "20000 executions. SELECT A FROM T WHERE ID IN (12345, 23456)",
            "20,000 executions. SELECT A FROM T WHERE ID IN (12345, 23456)",
        ),
    ],
)
def test_quantities_of_a_finding_have_separators_and_number(said: str, shown: str | None) -> None:
    assert text.finding(item(rule("a.b"), "P", 1, finding=said)) == (shown or said)


def test_markdown_opens_with_the_summary(advice: Advice) -> None:
    said = markdown.render(select(advice))
    opening = said[: said.index("\n## ")]
    assert f"Total: {summary.total(select(advice))}." in opening
    ranks = [row.rank for _, rows in summary.rows(select(advice)) for row in rows]
    assert [int(rank) for rank in re.findall(r"^\| (\d+) \|", opening, re.MULTILINE)] == ranks


@pytest.mark.parametrize("name", MACHINES)
def test_a_report_keeps_what_its_lines_promise(name: str) -> None:
    """Something follows each colon, what is not checked is said once, and the first command is about rank 1."""
    selection = select(advised(name))
    for everything in (False, True):
        lines = table.render(selection, 100, everything=everything, source="FILE").splitlines()
        assert [
            line for line, following in pairwise([*lines, ""]) if line.endswith(":") and not following.strip()
        ] == []
        assert sum(line.startswith(("Not checked ", "Checked ")) for line in lines) <= 1
        assert any(line.startswith("Next        db2tune explain FILE 1 ") for line in lines) == bool(selection.ranked)


def test_claims_in_the_evidence_are_in_words() -> None:
    seen = {"executions": "1800", "APPLICATION_HANDLE": "82091", "claimed_PROCESSING": "1299985 SAVED_ROWS x 1.000 ms"}
    assert evidence.pairs(item(rule("a.b"), "P", 1, evidence=seen)) == [
        ("executions", "1,800"),
        ("APPLICATION_HANDLE", "82091"),
        ("claim: Running statements", "1,299,985 saved rows x 1 ms"),
    ]


@pytest.mark.parametrize("name", all_rules())
def test_every_risk_says_what_may_go_wrong(name: str) -> None:
    found = item(all_rules()[name], "P", 1)
    assert (": " in text.describe_risk(found)) == (text.risk(found) != "low")


@pytest.mark.parametrize(
    ("lanes", "of", "verdict"),
    [
        ("H", SPENT, "No problem found, only 1 housekeeping change."),
        ("CH", SPENT, "1 problem without a measured cost, 1 housekeeping change."),
        ("PPH", SPENT, "2 performance changes, 1 housekeeping change."),
        ("P", IDLE, "1 performance change; load was not judged, so performance is unknown."),
        ("", IDLE, "No recommendation, and not because all is well. The database was idle."),
        ("", SPENT, "Nothing to recommend."),
    ],
)
def test_verdict_is_one_sentence_in_each_case(advice: Advice, lanes: str, of: TimeSpent, verdict: str) -> None:
    items = [item(rule("config.x"), lane, rank) for rank, lane in enumerate(lanes, 1)]
    given = replace(advice, recommendations=items, not_run=[], questions=[], time_spent=of)
    assert summary.verdict(select(given)) == verdict
    for render in (lambda s: table.render(s, 200), markdown.render, page.render):
        assert verdict in render(select(given)).replace("&#39;", "'")
