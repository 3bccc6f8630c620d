"""The nightly job over the wire: several servers with some failures, mail, and an interrupted program that resumes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.nightly import config, history, job
from advisor.nightly.clock import Clock
from advisor.nightly.estate import survey_outcomes
from tests.support.clp import run_script, statements_of
from tests.support.mail import MailServer, mail_server
from tests.wire.conftest import CAPTURES, Server, standin
from tests.wire.nights import INTERVAL_S, Nights, Stopped

pytestmark = pytest.mark.full

PREFETCH = "SELECT PREFETCHSIZE FROM SYSCAT.TABLESPACES WHERE TBSPACE = 'EMPLOYEE_TABLE'"
DUE = "Prefetch size does not use all disks: table space EMPLOYEE_TABLE"


@pytest.fixture
def mailbox() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


def captures(nights: Nights, name: str) -> list[Path]:
    return sorted((nights.store / name).glob("*.capture"))


def _first_step(capture: Path, folder: Path) -> dict[str, str]:
    """Create a ticket for the first recommendation; return the scripts of the plan's first step by name."""
    ticket = CliRunner().invoke(main, ["ticket", "--capture", str(capture), "--rank", "1", "--format", "text"])
    assert ticket.exit_code == 0, ticket.output
    plan = CliRunner().invoke(main, ["plan", "--capture", str(capture), "--scripts", str(folder)])
    assert plan.exit_code == 0, plan.output
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (folder / "step-1").iterdir()}
    for name in ("apply.sql", "undo.sql"):
        (command,) = [line for line in statements_of(scripts[name]) if line.startswith("ALTER")]
        assert command in ticket.output
    return scripts


def test_two_nights_of_three_databases_of_which_two_fail(steered: Server, mailbox: MailServer, tmp_path: Path) -> None:
    with contextmanager(standin)(CAPTURES / "laptop") as gone:
        wrong = Server(steered.url, "hunter2", steered.standin)
        nights = Nights(tmp_path, {"gone": gone, "wrong": wrong, "good": steered}, mailbox.port)
        with nights.file.open("a", encoding="utf-8") as file:
            file.write("\n[pages]\ndirectory = 'pages'\n")
        gone.say("CALL STANDIN.FAIL('drop', 'MON_GET_TABLESPACE', '1')")
        nights.servers = {"good": steered}
        first = nights.run()
        lost, refused, good = first.outcomes
        assert first.exit_status == 3
        assert "connection" in str(lost.error)
        assert "user or password is wrong" in str(refused.error)
        assert good.run is not None
        assert DUE in [line.title for line in good.run.ranked]

        scripts = _first_step(captures(nights, "good")[0], tmp_path / "scripts")
        with steered.connect() as connection:
            run_script(connection, scripts["apply.sql"])
        nights.pass_time(86_400)
        assert nights.run(only="good").exit_status == 1
        with steered.connect() as connection:
            run_script(connection, scripts["undo.sql"])
            assert list(connection.rows(PREFETCH)) == [(24,)]
    page = (tmp_path / "pages" / "databases" / "good.html").read_text(encoding="utf-8")
    assert ('id="containers"' in page, "Not drawn here" in page) == (True, False)
    one, two = (mail.get_content() for mail in mailbox.mails)
    assert "2 failed" in mailbox.mails[0]["Subject"]
    assert "1 gone" in mailbox.mails[1]["Subject"]
    assert "no earlier run to compare with" in one
    changed = "Changed table space EMPLOYEE_TABLE, PREFETCHSIZE: 24 -> 48; carries out prefetch.size-misaligned"
    assert changed in " ".join(two.split())
    assert f"Gone 13.1 % {DUE} [prefetch.size-misaligned]; carried out" in " ".join(two.split())
    assert "hunter2" not in one + two
    assert steered.password not in one + two
    assert len(captures(nights, "good")) == 2
    index = (tmp_path / "pages" / "index.html").read_text(encoding="utf-8")
    assert 'href="databases/good.html"' in index
    assert "no run yet" in index  # failed in the first night, and skipped in this one
    page = (tmp_path / "pages" / "databases" / "good.html").read_text(encoding="utf-8")
    assert "Tuning advice for" in page
    assert DUE not in page
    shown = CliRunner().invoke(main, ["history", "--store", str(nights.store), "good"]).output
    assert "2026-03-02" in shown
    assert "2026-03-03" in shown


def test_a_night_is_made_once_and_what_was_stopped_goes_on(
    steered: Server, mailbox: MailServer, tmp_path: Path
) -> None:
    nights = Nights(tmp_path, {"good": steered}, mailbox.port)
    nights.stop = True
    with pytest.raises(Stopped):
        nights.run()
    assert mailbox.mails == []
    nights.stop = False
    nights.pass_time(100)
    began = nights.now
    (outcome,) = nights.run().outcomes
    assert outcome.notes == ["resumed a stopped run: its first snapshot is 100 s old"]
    assert outcome.run is not None
    assert outcome.run.discarded is None
    assert f"{INTERVAL_S} s" in outcome.run.interval
    assert nights.now - began == timedelta(seconds=INTERVAL_S - 100)

    again = nights.run()
    assert again.outcomes[0].run == outcome.run
    assert (again.exit_status, again.outcomes[0].fresh, len(mailbox.mails)) == (1, False, 1)
    with history.open_history(nights.store) as kept:
        assert len(kept.runs()) == 1

    nights.pass_time(1)
    nights.between = "CALL STANDIN.RESTART()"
    (reset,) = nights.run(again=True).outcomes
    assert reset.run is not None
    assert "activated again" in str(reset.run.discarded)
    assert "activated again" in mailbox.mails[-1].get_content()
    assert [line for line in reset.run.ranked if line.lane == "P"] == []


def test_fleet_is_judged_like_a_night_and_not_kept(steered: Server, tmp_path: Path) -> None:
    nights = Nights(tmp_path, {"good": steered})
    (good,) = survey_outcomes(nights.survey())
    assert good.error is None
    assert "prefetch.size-misaligned" in [item.rule for item in good.found]
    assert good.sessions
    assert not nights.store.exists()


def test_a_database_that_takes_too_long_is_given_up(steered: Server, tmp_path: Path) -> None:
    steered.say("CALL STANDIN.FAIL('hang', 'MON_GET_CONTAINER', '30')")
    nights = Nights(tmp_path, {"good": steered})
    read = config.read(nights.file)
    hurried = replace(read, databases=(replace(read.databases[0], timeout_s=2),))
    night = job.run(hurried, clock=Clock(lambda: nights.now, nights.wait))
    assert night.exit_status == 3
    assert night.outcomes[0].run is None
    assert "took longer than timeout_s" in str(night.outcomes[0].error)


def test_inside_of_the_database_the_runs_stay_there(steered: Server, installed: Server, tmp_path: Path) -> None:
    nights = Nights(tmp_path, {"good": installed}, good="in_database = true\nkeep_days = 1\n")
    nights.stop = True
    with pytest.raises(Stopped):
        nights.run()
    nights.stop = False
    nights.between = 'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 32'
    night = nights.run()
    (outcome,) = night.outcomes
    assert night.exit_status == 1, outcome.error
    assert outcome.notes == ["resumed a stopped run: its first snapshot is 0 s old"]
    assert outcome.run is not None
    assert DUE in [line.title for line in outcome.run.ranked]
    assert outcome.changes is not None
    assert [change.text for change in outcome.changes] == ["table space EMPLOYEE_TABLE, PREFETCHSIZE: 24 -> 32"]
    assert any(metric.value for metric in outcome.run.metrics if metric.unit == "ms")
    assert captures(nights, "good") == []
    with installed.connect() as connection:
        assert list(connection.rows("SELECT COUNT(*) FROM TUNE.RUN WHERE FINISHED_AT IS NOT NULL")) == [(1,)]
        (item,) = [line for line in outcome.run.ranked if line.title == DUE]
    nights.pass_time(86_400)
    nights.between = 'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE 48'
    (change,) = nights.run().outcomes[0].changes or []
    assert (change.rule, change.benefit) == (item.rule, item.benefit)
    assert change.undo == (f'ALTER TABLESPACE "EMPLOYEE_TABLE" PREFETCHSIZE {item.current}',)


def test_missing_schema_is_reported(steered: Server, tmp_path: Path) -> None:
    (outcome,) = Nights(tmp_path, {"good": steered}, good="in_database = true\n").run().outcomes
    assert "db2tune install" in str(outcome.error)
