"""Lock chains: a tree in the text, a list in JSON, and what to paste next."""

import pytest

from advisor.imports.texts import import_texts
from advisor.judgement.lock_chains import LockNode, lock_chains
from advisor.judgement.run import advise
from advisor.report import jsonout, markdown, page, table
from advisor.report.lock_chains import MOST_LINES, lines
from advisor.report.selection import select
from tests.support.paths import FIXTURES

SAMPLE = (FIXTURES / "imports" / "db2pd-wlocks.txt").read_text(encoding="utf-8")
NEXT = "db2pd -db SHOP -wlocks -applications -transactions"


def row(handle, waiters=None, waits_for=None, **values):
    columns = {"SESSION_AUTH_ID": None, "CLIENT_APPLNAME": None, "WORKLOAD_OCCURRENCE_STATE": None, "UOW_AGE_S": None}
    return (
        {"APPLICATION_HANDLE": handle, "WAITERS": waiters, "WAITS_FOR": waits_for, "LONGEST_WAIT_S": None}
        | columns
        | values
    )


@pytest.fixture(name="judge")
def judge_text(tmp_path):
    def judge(text):
        path = tmp_path / "sample.txt"
        path.write_text(text, encoding="utf-8")
        folder = tmp_path / "capture"
        folder.mkdir()
        import_texts([path], folder)
        return select(advise(folder))

    return judge


def test_chain_is_a_tree_below_its_head(judge):
    text = table.render(judge(SAMPLE), 100)
    tree = text[text.index("Lock chains") :].split("\n\n")[0].splitlines()
    assert tree == [
        "Lock chains",
        "  4711 WEBSHOP (java): head, waits for its client, blocks 2 sessions",
        "    4733 BATCH (ORDER BATCH): blocks 1 session",
        "      4740 REPORTS (db2bp)",
        "    4720 WEBSHOP (java)",
    ]
    assert NEXT not in text


def test_json_lists_the_chain_from_its_head(judge):
    nodes = jsonout.document(judge(SAMPLE))["lock_chains"]
    assert [(node["handle"], node["depth"], node["waits_for"]) for node in nodes] == [
        (4711, 0, None),
        (4733, 1, 4711),
        (4740, 2, 4733),
        (4720, 1, 4711),
    ]


def test_unknown_head_state_asks_for_applications(judge):
    assert NEXT in table.render(judge(SAMPLE.partition("Applications:")[0]), 100)


def test_waiters_without_a_handle_are_counted():
    nodes = lock_chains([row(1, waiters=5, LONGEST_WAIT_S=90, UOW_AGE_S=1800), row(2, waiters=1, waits_for=1)])
    assert lines(nodes)[2:] == [
        "  1: head, open for 1,800 s, blocks 5 sessions, longest wait 90 s",
        "    4 sessions without a known handle",
        "    2: blocks 1 session",
        "      1 session without a known handle",
    ]


def test_sessions_in_a_cycle_have_no_head():
    assert lock_chains([row(1, waiters=1, waits_for=2), row(2, waiters=1, waits_for=1)]) == ()


@pytest.mark.parametrize(("sessions", "last"), [(MOST_LINES - 1, "    19"), (MOST_LINES + 4, "  ... 5 more lines")])
def test_long_chain_is_cut(sessions, last):
    nodes = lock_chains(
        [row(100, waiters=sessions), *(row(number, waits_for=100) for number in range(1, sessions + 1))]
    )
    found = lines(nodes)
    assert (found[-1], len(found)) == (last, min(len(nodes), MOST_LINES + 1) + 2)


def test_names_cannot_steer_a_terminal():
    [node] = lock_chains([row(1, waiters=0, SESSION_AUTH_ID="A\x1b[31m")])
    assert isinstance(node, LockNode)
    assert "\x1b" not in "".join(lines((node,)))


def test_pages_and_markdown_draw_the_chain(judge):
    selection = judge(SAMPLE.replace("WEBSHOP", "<b>WEB"))
    drawn = markdown.render(selection)
    assert "## Lock chains\n\n```text\n  4711 <b>WEB (java): head" in drawn
    shown = page.render(selection)
    assert "<pre><code>  4711 &lt;b&gt;WEB (java): head" in shown
    assert "<b>WEB" not in shown
