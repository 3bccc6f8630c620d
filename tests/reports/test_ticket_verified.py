"""The verification of a ticket, filled in after the change, in every format."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.capture.lessons import CONFIRMED, HARMFUL
from advisor.cli.arguments import VERIFICATION_FORMATS
from advisor.cli.main import main
from advisor.ticket import verified_page as page
from advisor.ticket.template import VERIFIED, fill, find
from advisor.ticket.verified import SIGNED, verification
from advisor.verify.changed import Change
from advisor.verify.verdict import Figure, Guard, StatementChange, Verdict
from tests.support.markup import HOSTILE, Page

UNDO = "UPDATE DB CFG FOR SALES USING SORTHEAP 256"
TIME = Figure("database time per activity", "ms", 12, 13.5, 12.5, 8.0, 17.0, 14, 7)
LOG = replace(TIME, metric="log disk wait per commit", before=1, after=2, change_pct=90.0, low_pct=70.0, high_pct=99.0)
STATEMENT = StatementChange("H1", "SELECT * FROM ORDERS", 40.0, True, replace(TIME, metric="time per execution"))
ASKED = Change("SORTHEAP: 256 -> 512", "DBCFG:SORTHEAP", "r", 9.0, (UNDO,), "256", "512", "DATABASE", "SALES", 3, 15, 9)
WORSE = Verdict(
    HARMFUL,
    "whole day",
    0.98,
    TIME,
    (),
    (Guard(LOG.metric, True, LOG), Guard("pages swapped out", False, None)),
    3,
    (STATEMENT,),
    (("it holds the change", 1),),
    None,
    ("database time per activity got worse",),
)


def written(form: str, verdict: Verdict = WORSE, changed: Change = ASKED) -> str:
    if form == "html":
        return page.render("SALES", [(verdict, [changed])])
    return fill(verification("SALES", [(verdict, [changed])]), find(form, name=VERIFIED))


def read(form: str, report: str) -> str:
    """Return the visible text in one line."""
    return " ".join((Page(report).text if form == "html" else report.replace("\\", "")).split())


@pytest.mark.parametrize("form", VERIFICATION_FORMATS)
def test_ticket_has_figures_verdict_promise_and_signatures(form: str) -> None:
    seen = read(form, written(form))
    for part in (
        "SORTHEAP: 256",
        "harmful: database time per activity +12.5 %",
        "9.0 % of database time, 3.0 % at least and 15.0 % at most",
        "14 whole days before, 7 after",
        "They hold with 98 %",
        "12 ms",
        "13.5 ms",
        "guard: worse",
        "guard: not measured",
        "40 % of the statements' time before",
        UNDO,
        *SIGNED,
    ):
        assert part in seen, part
    assert "Rollback" not in seen
    kept = read(form, written(form, replace(WORSE, verdict=CONFIRMED, reasons=())))
    assert "confirmed" in kept
    assert UNDO not in kept


@pytest.mark.parametrize("form", VERIFICATION_FORMATS)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_becomes_markup(form: str, name: str) -> None:
    plain, odd = (
        written(form, replace(WORSE, changed=(replace(STATEMENT, text=said),)), replace(ASKED, text=said))
        for said in ("harmless", name)
    )
    if form == "html":
        assert Page(odd).tags == Page(plain).tags
    else:
        assert odd.count("\n## " if form == "markdown" else "\nh2. ") == plain.count(
            "\n## " if form == "markdown" else "\nh2. "
        )
        assert odd.count("\n") == plain.count("\n")


def test_a_kept_run_is_one_of_those_before(tmp_path: Path) -> None:
    nowhere = tmp_path / "none.capture"
    done = CliRunner().invoke(main, ["verify", "--run", str(nowhere), "--after", str(nowhere)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "none.capture: no such capture" in done.stderr
    done = CliRunner().invoke(main, ["verify", "--run", "1", "--store", str(tmp_path), "SALES"])
    assert "with --store, give only the name of a database" in done.stderr
