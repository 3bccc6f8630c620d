"""The nightly job without a database: its config, comparisons, messages, and the files that start it."""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner
from filelock import FileLock

from advisor.capture import Snapshot
from advisor.capture.site import Site
from advisor.cli.main import main
from advisor.db2.connection import Connection
from advisor.errors import UserError
from advisor.judgement.time_spent import TimeSpent
from advisor.nightly import config, database, history, job, notify, reading, summary
from advisor.nightly.changed import attach_promises, is_carried_out
from advisor.nightly.clock import Clock
from advisor.nightly.database import Outcome
from advisor.nightly.runs import Line, Run, Spent, compare_runs, run_of
from advisor.verify.changed import Change
from tests.support.made_up import IDLE, SPENT, UNEXPLAINED, advice, item, rule
from tests.support.mail import mail_server
from tests.support.paths import DOCS

NIGHTLY = DOCS / "nightly"
NIGHT = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)
MINIMAL = '[store]\npath = "store"\n[[database]]\nname = "SALES"\nurl = "db2://tuner@db.example:50000/SALES"\n'


def line(rule: str, rank: int | None = 1, benefit: float = 5.0, **others: object) -> Line:
    fields = {"lane": "P", "object_type": "TABLESPACE", "object_name": "TS1", "member": None, "title": f"title {rule}"}
    fields |= {"target": None, "current": None, "proposed": None, "superseded_by": None, "accepted": False}
    return Line(rank=rank, rule=rule, benefit=benefit, **(fields | others))  # type: ignore[arg-type]


def run(*lines: Line, not_run: tuple[tuple[str, str], ...] = (), started: datetime = NIGHT) -> Run:
    about = "SALES on db1"
    return Run("SALES", started, about, ("SALES", "db1", "inst"), "300 s", None, lines, (), not_run, None)


def written(folder: Path, text: str) -> Path:
    path = folder / "nightly.toml"
    path.write_text(text, encoding="utf-8")
    return path


def in_database_of(text: str) -> str:
    return MINIMAL + text + "\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[store", "not valid TOML"),
        ('[store]\npath = "x"', "the file: database is missing"),
        (MINIMAL.replace('url = "db2://tuner@db.example:50000/SALES"', ""), "database[0]: url is missing"),
        (in_database_of('password = "hunter2"'), "database.password: do not put a password into this file"),
        (in_database_of('pasword = "hunter2"'), "database[0]: there is no 'pasword'; did you mean password_env?"),
        (in_database_of("interval_s = 59"), "database[0].interval_s: must be 60 or more"),
        (in_database_of('interval_s = "hunter2"'), "interval_s: must be a whole number"),
        (in_database_of("timeout_s = 300"), "database SALES: timeout_s includes interval_s"),
        (
            in_database_of('fail_on = ["often"]'),
            "must be any, condition, performance, safety, prerequisite, urgent or a percentage",
        ),
        (in_database_of('keyring = true\npassword_env = "X"'), "set only one of password_file, password_env, keyring"),
        (in_database_of('in_database = true\nhostfacts = ["a.json"]'), "hostfacts --load"),
        (in_database_of('in_database = true\noptions = "site.toml"'), "TUNE.SET_OPTION"),
        (in_database_of('[[database]]\nname = "sales"\nurl = "S"'), "this name occurs twice"),
        (
            MINIMAL.replace('name = "SALES"', 'name = "../SALES"'),
            "database[0].name: must be a name of at most 64 letters, digits",
        ),
        *(
            (MINIMAL.replace("SALES", name), "but not with history., and is no device of Windows")
            for name in ("history.sqlite", "History.Copy.sqlite", "CON", "com1.x", "Nul")
        ),
        (MINIMAL.replace("tuner@", "tuner:hunter2@"), "database SALES: url must not contain a password"),
        (in_database_of('[notify.webhook]\nurl = "ftp://hunter2"'), "must start with https://"),
        (in_database_of("[notify.webhook]"), "set either url or url_file"),
        (
            in_database_of('[notify.mail]\nhost = "h"\nfrom = "me"\nto = ["a@b"]'),
            "notify.mail.from: must be an email address, NAME@HOST",
        ),
        (in_database_of('[notify.mail]\nhost = "h"\nfrom = "a@b"\nto = ["<c@d"]'), "<c@d is not an email address"),
        (
            in_database_of('[notify.mail]\nhost = "h"\nfrom = "a@b"\nto = ["a@b"]\nuser = "u"'),
            "set both user and password_file, or neither",
        ),
    ],
)
def test_a_wrong_config_is_one_line_without_its_values(tmp_path: Path, text: str, said: str) -> None:
    done = CliRunner(env={"DB2TUNE_DEBUG": "0"}).invoke(main, ["nightly", "--config", str(written(tmp_path, text))])
    assert done.exit_code == 2
    assert said in done.output
    assert len(done.output.splitlines()) == 1
    assert "hunter2" not in done.output
    assert not (tmp_path / "store").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
@pytest.mark.parametrize("shared", ["nightly.toml", "secret"])
def test_file_that_every_user_may_change_is_refused(tmp_path: Path, shared: str) -> None:
    (tmp_path / "secret").write_text("hunter2\n", encoding="utf-8")
    file = written(tmp_path, in_database_of('password_file = "secret"'))
    (tmp_path / shared).chmod(0o666)
    status, (line,) = _check(file)
    assert status == 2
    assert line.endswith(f"{tmp_path / shared}: every user may change this file; run chmod o-w on it")


def _check(file: Path) -> tuple[int, list[str]]:
    done = CliRunner().invoke(main, ["nightly", "--config", str(file), "--check"])
    assert "hunter2" not in done.output
    return done.exit_code, done.stderr.splitlines() or done.stdout.splitlines()


@pytest.mark.usefixtures("no_connection")
def test_check_of_a_correct_config_prints_one_line(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2\n", encoding="utf-8")
    file = written(tmp_path, in_database_of('password_file = "secret"\n[notify.files]\ndirectory = "new/summaries"'))
    assert _check(file) == (0, ["nightly.toml: no problems found"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nightly.toml", "secret"]


@pytest.fixture
def no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "run", None)
    monkeypatch.setattr(Connection, "__init__", None)


@pytest.mark.usefixtures("no_connection")
def test_check_reports_each_missing_file_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HR_PASSWORD", raising=False)
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "site.toml").write_text('[site]\nworkload = "x"\n', encoding="utf-8")
    (tmp_path / "url").write_text("ftp://hunter2\n", encoding="utf-8")
    text = (
        MINIMAL.replace('"store"', '"file/store"')
        + """password_file = "none"
hostfacts = ["a.json", "b.toml"]
options = "site.toml"
[[database]]
name = "HR"
url = "HRDSN"
user = "tuner"
password_env = "HR_PASSWORD"
[pages]
directory = "file"
[notify.files]
directory = "summaries"
[notify.mail]
host = "h"
from = "a@b"
to = ["a@b"]
user = "u"
password_file = "none"
[notify.webhook]
url_file = "url"
"""
    )
    status, lines = _check(written(tmp_path, text))
    assert status == 2
    assert [line.replace(f"{tmp_path}/", "").removeprefix("db2tune: nightly.toml: ") for line in lines] == [
        "database SALES: password: none: cannot be read (No such file or directory); it must contain the password or URL",
        "database SALES: hostfacts: a.json: No such file or directory",
        "database SALES: hostfacts: b.toml: No such file or directory",
        "database SALES: options: site.toml: option site.workload: 'x' must be one of BI, OLTP, MIXED",
        "database HR: password: environment variable HR_PASSWORD is not set; set it to the password",
        "store: file: is not a folder",
        "pages: file: is not a folder",
        "notify.mail: none: cannot be read (No such file or directory); it must contain the password or URL",
        "notify.webhook: the URL must start with https:// or http://",
    ]


def test_check_reports_each_wrong_part_of_the_config(tmp_path: Path) -> None:
    text = (
        MINIMAL.replace("tuner@", "tuner:hunter2@")
        + """[[database]]
name = "HR"
url = "db2://"
[notify.webhook]
url = "ftp://hunter2"
"""
    )
    status, lines = _check(written(tmp_path, text))
    assert (status, len(lines)) == (2, 3)
    parts = ("database SALES: url must not", "database HR: ", "notify.webhook.url: ")
    for line, part in zip(lines, parts, strict=True):
        assert line.startswith(f"db2tune: nightly.toml: {part}")
    assert _check(written(tmp_path, in_database_of('[[database]]\nname = "sales"\nurl = "S"')))[0] == 2
    assert _check(written(tmp_path, "[store"))[0] == 2


def test_check_of_a_read_only_folder_reports_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path)
    file = written(tmp_path, MINIMAL.replace("tuner@", ""))
    assert _check(file) == (2, [f"db2tune: nightly.toml: store: {tmp_path}: is not writable"])


def test_init_writes_the_example_once(tmp_path: Path) -> None:
    file = tmp_path / "our.toml"
    done = CliRunner().invoke(main, ["nightly", "--init", str(file)])
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (
        0,
        f"Adapt it, then check it: db2tune nightly --config {file} --check",
    )
    assert file.read_bytes() == (NIGHTLY / "nightly.toml").read_bytes()
    again = CliRunner().invoke(main, ["nightly", "--init", str(file)])
    assert (again.exit_code, again.stderr) == (
        2,
        f"db2tune: {file}: already exists; choose another name or remove it\n",
    )


def test_nightly_without_a_config_is_refused() -> None:
    done = CliRunner().invoke(main, ["nightly"])
    assert (done.exit_code, done.stderr) == (2, "db2tune: use --config FILE, or --init FILE for an example\n")


def test_defaults_apply_to_a_database_without_options(tmp_path: Path) -> None:
    text = f'[defaults]\ninterval_s = 60\nkeep_days = 7\n{MINIMAL}keep_days = 9\nhostfacts = ["a.json"]\n'
    read = config.read(written(tmp_path, text))
    (each,) = read.databases
    assert (each.interval_s, each.keep_days, each.timeout_s) == (60, 9, config.DEFAULTS["timeout_s"])
    assert each.hostfacts == (tmp_path / "a.json",)
    assert read.store == tmp_path / "store"


def test_the_example_is_a_config(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", "/run/credentials/unit")
    read = config.read(NIGHTLY / "nightly.toml")
    assert read.databases[0].password.file == Path("/run/credentials/unit/sales")
    assert [each.in_database for each in read.databases] == [False, True]
    assert read.mail is not None
    assert read.mail.port == 587


def test_the_password_comes_from_where_the_config_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret").write_text("hunter2\nrest", encoding="utf-8")
    monkeypatch.setenv("SALES_PASSWORD", "hunter3")
    monkeypatch.setenv("DB2TUNE_PASSWORD", "not for this one")
    for extra, expected in (('password_file = "secret"', "hunter2"), ('password_env = "SALES_PASSWORD"', "hunter3")):
        (each,) = config.read(written(tmp_path, in_database_of(extra))).databases
        secret = each.password.find(each.address)
        assert secret is not None
        assert secret.reveal() == expected
        assert expected not in repr(each)
    (each,) = config.read(written(tmp_path, MINIMAL)).databases
    with pytest.raises(UserError, match="no password for tuner"):
        each.password.find(each.address)


def test_what_could_not_be_judged_is_not_gone() -> None:
    before = run(line("a"), line("b", 2), line("c", 3), line("d", 4, 10), line("e", 5))
    after = run(line("a"), line("d", 2, 13), line("e", None, accepted=True), line("f", 3), not_run=(("c", "no rows"),))
    what = compare_runs(before, after)
    assert [each.rule for each in what.new] == ["f"]
    assert [each.rule for each in what.gone] == ["b"]
    assert [each.rule for each in what.unknown] == ["c"]
    assert [each.rule for each in what.accepted] == ["e"]
    assert [(pair.before.benefit, pair.after.benefit) for pair in what.worsened] == [(10, 13)]


@pytest.mark.parametrize(("before", "after", "worse"), [(10, 12.4, False), (2, 2.9, False), (2, 3.1, True)])
def test_worse_is_more_than_noise(before: float, after: float, worse: bool) -> None:
    assert bool(compare_runs(run(line("a", benefit=before)), run(line("a", benefit=after))).worsened) is worse


def test_levels_are_those_of_advise() -> None:
    found = run(line("a", benefit=4), line("b", 2, 0, lane="S"), line("c", None, 99))
    assert found.reaches_threshold(["any"])
    assert found.reaches_threshold(["safety"])
    assert found.reaches_threshold([4])
    assert not found.reaches_threshold(["prerequisite"])
    assert not found.reaches_threshold([4.1])
    assert not found.reaches_threshold([])


def test_the_summary_says_changes_first_and_errors_in_one_line() -> None:
    good = Outcome(
        "SALES", run(line("new"), line("kept", 2)), run(line("kept"), line("old", 2, target="DBCFG:SORTHEAP"))
    )
    good.changes = [Change("SORTHEAP: 256 -> 6400; carries out old", "DBCFG:SORTHEAP", "old")]
    text = summary.render(NIGHT, [good, Outcome("HR", error="user or password is wrong\x1b[2J")])
    assert text.splitlines()[0] == "db2tune: 2 databases, 1 failed, 1 new, 1 gone; night of 2026-03-02"
    assert text.index("SORTHEAP") < text.index("New") < text.index("Gone") < text.index("Top 2")
    assert "\x1b" not in text
    assert "user or password is wrong" in text
    entries = json.loads(summary.as_json(NIGHT, [good]))["databases"]
    assert [each["rule"] for each in entries[0]["new"]] == ["new"]
    assert [each["why"] for each in entries[0]["gone"]] == ["carried out"]


def test_summary_lists_failures_first_and_unchanged_last() -> None:
    quiet = Outcome("QUIET", run(line("kept")), run(line("kept")), changes=[])
    moved = Outcome("MOVED", run(line("new")), run(line("old")), changes=[])
    text = summary.render(NIGHT, [quiet, moved, Outcome("HR", error="user or password is wrong")])
    assert [part.split("\n")[0] for part in text.split("\n\n")][1:] == ["Failed", "MOVED", "Unchanged"]
    (short,) = text.split("Unchanged\n")[1].splitlines()
    assert short.startswith("  QUIET  1 recommendation; first: 5.0 % title kept [kept]")


def test_advice_is_compared_with_the_last_run_that_judged_it() -> None:
    judged, discarded = run(line("kept")), replace(run(), discarded="interval discarded: the clock went back")
    outcome = Outcome("SALES", run(line("kept")), changes=[])
    database.compare_with(outcome, [judged, discarded])
    assert (outcome.before, outcome.compared) == (discarded, judged)
    assert "Unchanged\n  SALES  1 recommendation" in summary.render(NIGHT, [outcome])


@pytest.mark.parametrize("reason", ["fact", "other"])
def test_summary_repeats_no_reason_of_the_previous_run(reason: str) -> None:
    before, now = (replace(run(line("kept")), not_run=(("a.b", said),)) for said in ("fact", reason))
    text = summary.render(NIGHT, [Outcome("SALES", now, before, changes=[])])
    assert ("Unchanged" in text) is (reason == "fact")
    assert ("Not run   1 rule: other" in text) is (reason == "other")


def test_summary_lists_time_by_bucket_and_differences() -> None:
    waits = Spent("WLM_QUEUE", "Queues", 45.2, 0, "a threshold", "SELECT WLM_QUEUE_TIME_TOTAL")
    now = replace(run(), time_spent=(waits, Spent("LOCK", "Locks", 9, 0, None, None)), says="No rule knows a change.")
    before = replace(run(), time_spent=(Spent("LOCK", "Locks", 8, 0, None, None),))
    lines = summary.render(NIGHT, [Outcome("SALES", now, before)]).splitlines()
    assert "  Time      Queues 45.2 % (was 0.0 %), Locks 9.0 %" in lines
    look = lines.index("  Look      Queues 45.2 %, not covered by a recommendation: a threshold")
    assert lines[look + 1] == "            SELECT WLM_QUEUE_TIME_TOTAL;"
    assert "  Result    No rule knows a change." in lines
    assert not any("nothing to recommend" in line for line in lines)
    (entry,) = json.loads(summary.as_json(NIGHT, [Outcome("SALES", now, before)]))["databases"]
    assert (entry["run"]["says"], entry["run"]["time_spent"][0]["pct"]) == ("No rule knows a change.", 45.2)


@pytest.mark.parametrize(
    ("of", "says", "looks"),
    [
        (SPENT, "Nothing to recommend.", []),
        (UNEXPLAINED, "No rule knows a change", ["WLM_QUEUE", "LOCK"]),
        (IDLE, "No recommendation, and not because all is well. The database was idle.", []),
    ],
    ids=lambda value: value.state if isinstance(value, TimeSpent) else "",
)
def test_time_shares_are_kept(of: TimeSpent, says: str, looks: list[str]) -> None:
    kept = run_of("SALES", NIGHT, advice(of), [])
    assert kept.says is not None
    assert kept.says.startswith(says)
    assert [spent.bucket for spent in kept.time_spent if spent.query] == looks
    with_list = run_of("SALES", NIGHT, advice(of, item(rule("log.first"), "P", 1)), [])
    assert with_list.says == (of.says if of is IDLE else None)


@pytest.mark.parametrize(
    ("target", "rule", "done"),
    [
        ("DBCFG:SORTHEAP", "a", True),
        ("DBCFG:SORTHEAP:3", "a", True),
        ("DBCFG:SORTHEAPTHRES", "a", False),
        (None, "a", False),
        ("DBCFG:SORTHEAP", "b", False),
        ("DBCFG:SORTHEAP", None, False),
    ],
)
def test_carried_out_is_what_the_rule_said_of_that_setting(target: str | None, rule: str | None, done: bool) -> None:
    assert is_carried_out(line("a", target=target), [Change("text", "DBCFG:SORTHEAP", rule)]) is done


def test_ledger_change_has_the_promise_of_its_advice() -> None:
    """The ledger of TUNE stores only the rule's name."""
    one, other = (line("a", target=f"TABLESPACE:{name}:PREFETCHSIZE") for name in ("ONE", "OTHER"))
    only = line("b", target="DBCFG:SHEAPTHRES_SHR")
    changed = [
        Change("text", "TABLESPACE:OTHER:PREFETCHSIZE", "a"),
        Change("text", "DBCFG:SORTHEAP", "b"),  # next to the object that the line names
        Change("text", "TABLESPACE:GONE:PREFETCHSIZE", "a"),
        Change("text", "DBCFG:LOGBUFSZ", None),
    ]
    lines = [replace(one, object_name="ONE"), replace(other, object_name="OTHER", benefit=7.0), only]
    found = attach_promises(changed, lines)
    assert [(each.object_name, each.own_benefit) for each in found] == [
        ("OTHER", 7.0),
        (only.object_name, only.benefit),
        (None, None),
        (None, None),
    ]


def test_holder_of_a_database_is_named(tmp_path: Path) -> None:
    (each,) = config.read(written(tmp_path, MINIMAL)).databases
    folder = tmp_path / "SALES"
    folder.mkdir()
    (folder / "holder").write_text("process 4711, since 2026-03-02 02:00:00,", encoding="utf-8")
    held = []

    def try_it() -> None:
        held.append(database.run(each, tmp_path, Clock(lambda: NIGHT)))

    with FileLock(folder / "lock"):
        other = threading.Thread(target=try_it)
        other.start()
        other.join()
    assert "process 4711, since 2026-03-02 02:00:00" in str(held[0].error)
    assert held[0].run is None


@pytest.fixture
def hook() -> Iterator[HTTPServer]:
    """Run a server that stores the posts it receives; /gone answers 410, /elsewhere redirects."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            server.received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))  # type: ignore[attr-defined]
            self.send_response({"/gone": 410, "/elsewhere": 302}.get(self.path, 200))
            self.send_header("Location", "/")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.received = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def notified(tmp_path: Path, text: str) -> tuple[list[str], list[Outcome]]:
    outcomes = [Outcome("SALES", run(line("a")))]
    read = config.read(written(tmp_path, in_database_of(text)))
    said = [notify.tell(read, way, NIGHT, outcomes) for way in notify.ways(read)]
    return [reason for reason in said if reason], outcomes


def test_webhook_and_files_get_the_same(tmp_path: Path, hook: HTTPServer) -> None:
    text = f'[notify.webhook]\nurl = "http://127.0.0.1:{hook.server_port}/token"\n[notify.files]\ndirectory = "out"'
    failed, outcomes = notified(tmp_path, text)
    assert failed == []
    assert hook.received == [summary.document(NIGHT, outcomes, f"db2tune fleet --store {tmp_path}/store")]  # type: ignore[attr-defined]
    assert json.loads((tmp_path / "out" / "db2tune-2026-03-02.json").read_text(encoding="utf-8")) == hook.received[0]  # type: ignore[attr-defined]
    assert (tmp_path / "out" / "db2tune-2026-03-02.txt").read_text(encoding="utf-8") == hook.received[0]["text"]  # type: ignore[attr-defined]


def test_webhook_text_escapes_markup_of_names(tmp_path: Path, hook: HTTPServer) -> None:
    each = Outcome("SALES", run(line("a")), notes=["<!channel> <https://a.example|Sign in> & more"])
    given = f'[notify.webhook]\nurl = "http://127.0.0.1:{hook.server_port}/token"'
    assert notify.tell(config.read(written(tmp_path, in_database_of(given))), "webhook", NIGHT, [each]) is None
    (received,) = hook.received  # type: ignore[attr-defined]
    assert "&lt;!channel&gt; &lt;https://a.example|Sign in&gt; &amp; more" in received["text"]
    assert "<" not in received["text"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("gone?token=hunter2", "cannot be reached"),
        ("elsewhere", "answered with HTTP status 302"),
        ("a b?hunter2", "the URL is invalid"),
    ],
)
def test_an_outlet_that_fails_stops_no_other_and_shows_no_secret(
    tmp_path: Path, hook: HTTPServer, path: str, said: str
) -> None:
    port = 1 if said == "cannot be reached" else hook.server_port
    text = f'[notify.webhook]\nurl = "http://127.0.0.1:{port}/{path}"\n[notify.files]\ndirectory = "out"'
    failed, _ = notified(tmp_path, text)
    assert len(failed) == 1
    assert failed[0].startswith("notify.webhook: ")
    assert said in failed[0]
    assert "hunter2" not in failed[0]
    assert (tmp_path / "out" / "db2tune-2026-03-02.txt").is_file()


def test_an_address_from_a_file_is_one_of_the_web(tmp_path: Path) -> None:
    (tmp_path / "address").write_text(f"file://{tmp_path}/address\n", encoding="utf-8")
    failed, _ = notified(tmp_path, '[notify.webhook]\nurl_file = "address"')
    assert failed == ["notify.webhook: the URL must start with https:// or http://"]


def test_a_mail_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    text = '[notify.mail]\nhost = "127.0.0.1"\nport = 1\nstarttls = false\nfrom = "a@b"\nto = ["c@d"]'
    failed, _ = notified(tmp_path, text)
    assert failed == ["notify.mail: 127.0.0.1:1: Connection refused"]


def test_without_tls_nothing_is_sent_unless_configured(tmp_path: Path) -> None:
    with mail_server() as server:
        mail = f'[notify.mail]\nhost = "127.0.0.1"\nport = {server.port}\nfrom = "a@b"\nto = ["c@d"]\nstarttls = '
        failed, _ = notified(tmp_path, mail + "true")
        assert "does not support STARTTLS" in failed[0]
        assert server.mails == []
        assert notified(tmp_path, mail + "false")[0] == []
        assert len(server.mails) == 1


def test_each_channel_gets_a_night_once_if_another_fails(tmp_path: Path, hook: HTTPServer) -> None:
    with mail_server() as server:
        text = (
            f'[notify.webhook]\nurl = "http://127.0.0.1:1/"\n[notify.mail]\nhost = "127.0.0.1"\nport = {server.port}\n'
            'starttls = false\nfrom = "a@b"\nto = ["c@d"]\n[notify.files]\ndirectory = "out"'
        )
        down = config.read(written(tmp_path, in_database_of(text)))
        up = config.read(written(tmp_path, in_database_of(text.replace(":1/", f":{hook.server_port}/"))))
        with history.open_history(down.store) as kept:
            kept.add(run(line("a")))
        outcomes = [Outcome("SALES", run(line("a"))), Outcome("HR", error="no answer")]
        for _ in range(3):
            assert [reason.partition(":")[0] for reason in job._notify(down, NIGHT, outcomes)] == ["notify.webhook"]
        assert job._notify(up, NIGHT, outcomes) == job._notify(up, NIGHT, outcomes) == []
        assert (len(server.mails), len(hook.received)) == (1, 1)  # type: ignore[attr-defined]
        outcomes[1].error = "another one"
        assert job._notify(up, NIGHT, outcomes) == []
        assert (len(server.mails), len(hook.received)) == (2, 2)  # type: ignore[attr-defined]


def test_unusable_mail_password_is_one_line_and_hidden(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("geheïm\n", encoding="utf-8")
    text = (
        '[notify.mail]\nhost = "127.0.0.1"\nfrom = "a@b"\nto = ["c@d"]\nuser = "u"\npassword_file = "secret"\n'
        '[notify.files]\ndirectory = "out"'
    )
    (failed,), _ = notified(tmp_path, text)
    assert "non-ASCII" in failed
    assert not set("ï") & set(failed)
    assert (tmp_path / "out" / "db2tune-2026-03-02.txt").stat().st_mode & 0o777 == 0o600


def test_a_server_that_drips_does_not_hold_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte arrives within the socket's time-out, but the answer never ends."""
    monkeypatch.setattr(notify, "LONGEST_S", 1)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def drip() -> None:
            with suppress(OSError), listening.accept()[0] as caller:
                while True:
                    caller.sendall(b"2")
                    time.sleep(0.05)

        threading.Thread(target=drip, daemon=True).start()
        begun = time.monotonic()
        (failed,), _ = notified(tmp_path, f'[notify.webhook]\nurl = "http://127.0.0.1:{listening.getsockname()[1]}/"')
    assert (failed, time.monotonic() - begun < 5) == ("notify.webhook: took longer than 1 s", True)


def test_a_wrong_name_of_a_database_names_those_there_are(tmp_path: Path) -> None:
    arguments = ["nightly", "--config", str(written(tmp_path, MINIMAL)), "--only", "SALE"]
    done = CliRunner().invoke(main, arguments)
    assert (done.exit_code, done.output) == (2, "db2tune: --only SALE: no such database; choose from SALES\n")


@pytest.mark.parametrize("name", ["db2tune-nightly.service", "crontab", "Containerfile"])
def test_job_starters_use_existing_commands_and_options(name: str) -> None:
    text = (NIGHTLY / name).read_text(encoding="utf-8").replace('", "', " ")
    found = re.findall(r"nightly (--config) /etc/db2tune/nightly\.toml", text)
    assert found
    options = {option for parameter in main.commands["nightly"].params for option in parameter.opts}
    assert set(found) <= options


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not here")
    for path in NIGHTLY.glob("db2tune-nightly.*"):
        text = path.read_text(encoding="utf-8").replace("/opt/db2tune/bin/db2tune", "/bin/true")
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    units = [str(path) for path in sorted(tmp_path.iterdir())]
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_run_of_another_database_is_not_compared() -> None:
    outcome = Outcome("SALES", run(line("a")))
    database.compare_with(outcome, [replace(run(line("b")), identity=("SALES", "db2", "inst"))])
    assert outcome.before is None
    assert "another database" in outcome.notes[0]


@pytest.mark.parametrize(
    ("age_s", "database", "left", "said"),
    [
        (100, "A", 200, "resumed a stopped run"),
        (400, "A", 0, "resumed a stopped run"),
        (601, "A", None, "it is 601 s old"),
        (-5, "A", None, "clock went back"),
        (100, "B", None, "another server"),
    ],
)
def test_a_first_snapshot_is_used_while_it_is_fresh(
    monkeypatch: pytest.MonkeyPatch, age_s: int, database: str, left: float | None, said: str
) -> None:
    pending = Snapshot(1, NIGHT, {"name": "A"})
    now = Snapshot(1, NIGHT + timedelta(seconds=age_s), {"name": database})
    monkeypatch.setattr(reading, "identity", lambda _: now)
    notes: list[str] = []
    assert reading._remaining_seconds(pending, None, 300, notes.append) == left  # type: ignore[arg-type]
    assert said in notes[0]


def test_prune_deletes_own_captures_without_a_run(tmp_path: Path) -> None:
    (each,) = config.read(written(tmp_path, in_database_of("keep_days = 10"))).databases
    folder = tmp_path / "SALES"
    folder.mkdir()
    names = [f"{day}T020000.capture" for day in ("1960-01-01", "2026-02-01", "2262-01-01")]
    for name in (*names, "mine.capture"):
        (folder / name).touch()
    with history.open_history(tmp_path) as kept:
        kept.add(replace(run(started=NIGHT - timedelta(days=29)), capture=names[1]))
    database._prune(Outcome("SALES"), each, tmp_path, Connection)  # type: ignore[arg-type]
    assert sorted(path.name for path in folder.iterdir()) == [names[1], "mine.capture"]


def test_damaged_capture_of_last_night_only_loses_changes(tmp_path: Path) -> None:
    (tmp_path / "old.capture").write_text("no zip", encoding="utf-8")
    outcome = Outcome("SALES", replace(run(), capture="new.capture"), replace(run(), capture="old.capture"))
    database._compare_settings(outcome, tmp_path, {}, Site())
    assert outcome.changes is None
    assert outcome.notes[0].startswith("changed settings are unknown: old.capture: not a complete zip file")
