"""The answers for pasted texts: the cases of cases.yml, whole, cut, and with lost indents."""

import re
import time
from functools import cache
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.diagnosis.answer import Answer
from advisor.diagnosis.checks import all_checks
from advisor.diagnosis.door import answer_text
from advisor.report.query import MOST_LINES, document, lines

CASES: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("cases.yml").read_text(encoding="utf-8"))
GRAPHS = [name for name, case in CASES.items() if re.search(r"\(\s+\d+\)", case["text"])]
WIDE = 200  # characters: longer lines are statements


@cache
def answered(name: str) -> Answer:
    return answer_text(CASES[name]["text"])


def shown(found: Answer) -> str:
    """Return the answer as the patterns expect it."""
    return re.sub(r"\s+", " ", "\n".join(lines(found, 100))).upper().replace('"', "")


@pytest.mark.parametrize("name", CASES)
def test_answer_is_right(name: str) -> None:
    found = shown(answered(name))
    assert [pattern for pattern in CASES[name]["right"] if not re.search(pattern, found)] == []
    assert [pattern for pattern in CASES[name].get("wrong", ()) if re.search(pattern, found)] == []


@pytest.mark.parametrize("name", CASES)
def test_answer_fits_on_a_screen(name: str) -> None:
    found = [line for line in lines(answered(name), 100) if len(line) < WIDE]
    assert len(found) <= MOST_LINES + 10 * sum(line.startswith("   CREATE") for line in found)


@pytest.mark.parametrize("name", CASES)
def test_proposal_is_complete(name: str) -> None:
    for proposal in answered(name).proposals:
        assert proposal.steps and proposal.why and proposal.proof and proposal.source
        assert "CREATE INDEX" not in proposal.steps[0] or (proposal.undo and proposal.costs and proposal.saves)
        assert proposal.saves is None or 0 <= proposal.saves[0] <= proposal.saves[1] <= 1


@pytest.mark.parametrize("name", CASES)
def test_no_index_exists_already(name: str) -> None:
    found = answered(name)
    for proposal in found.proposals:
        for match in re.finditer(r"CREATE INDEX \S+ ON (\S+) \(([\w, ]+)\)", " ".join(proposal.steps)):
            schema, _, table = match[1].rpartition(".")
            facts = found.case.facts((schema, table))
            keys = [column.split()[0] for column in match[2].split(", ")]
            known = [[key.column for key in index.keys] for index in facts.indexes.values()] if facts else []
            assert keys not in known


def test_every_check_has_a_case() -> None:
    found = {proposal.check for name in CASES for proposal in answered(name).proposals}
    found |= {right.check for name in CASES for right in answered(name).right}
    assert {check.name for check in all_checks()} <= found


@pytest.mark.parametrize("name", GRAPHS)
def test_lost_indents_change_nothing(name: str) -> None:
    lost = "\n".join(" ".join(line.split()) for line in CASES[name]["text"].split("\n"))
    expected = [proposal.title for proposal in answered(name).proposals]
    assert [proposal.title for proposal in answer_text(lost).proposals] == expected


@pytest.mark.parametrize("name", CASES)
def test_part_of_a_text_never_fails(name: str) -> None:
    text = CASES[name]["text"].split("\n")
    for begin in range(0, len(text), 7):
        document(answer_text("\n".join(text[begin:])))
        document(answer_text("\n".join(text[: begin + 1])))


@settings(max_examples=60)
@given(st.lists(st.sampled_from([line for case in CASES.values() for line in case["text"].split("\n")]), max_size=40))
def test_mixed_lines_never_fail(mixed: list[str]) -> None:
    lines(answer_text("\n".join(mixed)), 80)


@settings(max_examples=60)
@given(st.text(max_size=300))
def test_any_text_never_fails(text: str) -> None:
    assert not any("\x1b" in line for line in lines(answer_text(text), 80))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Everything is slow since Monday.", "no statement and no plan"),
        ("select a from t where (((", "no statement and no plan"),
        ("", "no statement and no plan"),
    ],
)
def test_unreadable_text_has_a_reason(text: str, reason: str) -> None:
    found = answer_text(text)
    assert not found.is_understood and reason in found.sentence and found.paste_next


def test_names_are_quoted_in_commands() -> None:
    found = answer_text('select x from "a b"."t;drop" where "k x" = ?\n\n"t;drop" has 90 million rows')
    steps = " ".join(step for proposal in found.proposals for step in proposal.steps)
    assert 'ON "a b"."t;drop" ("k x")' in steps


def test_registry_value_is_one_word_of_a_shell() -> None:
    text = CASES["inlist-registry"]["text"].replace("DB2_INLIST_TO_NLJN=ON", "DB2_INLIST_TO_NLJN=ON;reboot")
    (undo,) = answer_text(text).proposals[0].undo
    assert undo == "db2set DB2_INLIST_TO_NLJN='ON;reboot'"


REPEATED = ["create table x (\n", "select a from t where \n", "with a as (\n", "values (", "TBSCAN\n(   1)\n", "index on a (b) ", "a", "T has 5 million rows. ", "'"]  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_repeated_text_takes_little_time(piece: str) -> None:
    begin = time.process_time()
    answer_text(piece * (100_000 // len(piece)))
    answer_text("TABNAME CARD\n------- ----\n" + piece * (100_000 // len(piece)))
    assert time.process_time() - begin < 10
