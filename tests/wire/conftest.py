"""The server for the wire tests, which use IBM's driver.

By default it is the fake server with the demo machine. DB2TUNE_TEST_URL (with the password in DB2TUNE_PASSWORD) names
another database; the tests that control the fake server's clock or faults are then skipped.
"""

import csv
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result

from advisor.catalogue.reliance import VITAL
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.views import model_views, next_choice, rank_views, views_read_by
from advisor.cli.main import main
from advisor.db2.address import parse_address
from advisor.db2.connection import Connection
from advisor.db2.password import Secret
from advisor.install import origins
from advisor.install.compiled import view_columns
from advisor.install.loading import KEPT
from advisor.plan import steps
from advisor.resources import PROCEDURES, SQL
from advisor.selftest import measure
from advisor.verify import reading
from tests.standin.backend import OWNER, PASSWORD, Served, serving
from tests.standin.errors import Db2Error
from tests.standin.objects.image import Image, put, take
from tests.standin.sql import kept
from tests.support.once import lasting, once
from tests.support.paths import CAPTURES, ROOT

URL = "DB2TUNE_TEST_URL"
FEW = (
    "bufferpool.hit-ratio-low", "bufferpool.never-sized", "config.monitoring-off", "cpu.affinity-missing",
    "log.buffer-full", "log.shares-data-device", "memory.sort-overflow", "prefetch.automatic-behind",
    "prefetch.size-misaligned", "sql.duplicate-index", "sql.missing-index", "sql.unused-index",
)  # fmt: skip
WHOLE = {
    "test_collect_script", "test_fixed_point", "test_levels", "test_modes",
    "test_online_changes", "test_parity", "test_plan_scripts", "test_verified",
}  # fmt: skip


@dataclass(frozen=True)
class Server:
    """A database that accepts connections; ``standin`` is None for a real one."""

    url: str
    password: str = field(repr=False)
    standin: Served | None = None

    def connect(self, user: str | None = None, password: str | None = None, timeout_s: int = 300) -> Connection:
        target = parse_address(self.url if user is None else self.url.replace("//db2inst1@", f"//{user}@"))
        return Connection(target, Secret(password or self.password), statement_timeout_s=timeout_s)

    def tune(self, *arguments: str, user: str | None = None, password: str | None = None) -> Result:
        """Run ``db2tune`` on this database."""
        url = self.url if user is None else self.url.replace("//db2inst1@", f"//{user}@")
        runner = CliRunner(env={"DB2TUNE_PASSWORD": password or self.password, "DB2TUNE_DEBUG": "0"})
        return runner.invoke(main, [arguments[0], "--database", url, *arguments[1:]])

    def say(self, statement: str) -> None:
        """Execute one statement as administrator, and commit."""
        with self.connect() as connection:
            connection.execute(statement)
            connection.commit()

    def advance(self, seconds: float) -> None:
        """Let time pass on the fake server, so that its counters grow."""
        self.say(f"CALL STANDIN.ADVANCE({float(seconds)!r})")


def standin(state: Path, **options: object) -> Iterator[Server]:
    """Run a fake server over a fixture while the test needs it."""
    with serving(state, **options) as running:
        yield Server(f"db2://{OWNER}@127.0.0.1:{running.port}/{running.database}", PASSWORD, running)


def hostfacts(fixture: Path) -> list[dict[str, str]]:
    """Return the host facts of a fixture's last snapshot, as text of a facts file."""
    with (fixture / "hostfact.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    last = max((row["SNAP_ID"] for row in rows), default=None)
    return [{key: row[key] for key in ("HOST", "FACT_KEY", "ITEM", "VALUE")} for row in rows if row["SNAP_ID"] == last]


@pytest.fixture
def server() -> Iterator[Server]:
    """Return a server without schema TUNE; the objects that a test installs are removed afterwards."""
    if url := os.environ.get(URL):
        real = Server(url, os.environ["DB2TUNE_PASSWORD"])
        yield real
        real.tune("uninstall", "--yes")
    else:
        yield from standin(CAPTURES / "x445-8way")


@pytest.fixture
def steered(server: Server) -> Server:
    """Return a server whose clock and faults the test controls: only the fake server."""
    if server.standin is None:
        pytest.skip("steers the stand-in's clock or makes it fail")
    return server


@contextmanager
def _with_tune() -> Iterator[Server]:
    """Return a fake server on which the installer has run."""
    with contextmanager(standin)(CAPTURES / "x445-8way") as server:
        done = server.tune("install")
        assert done.exit_code == 0, done.output
        yield server


@pytest.fixture(scope="module", autouse=True)
def rules(request: pytest.FixtureRequest) -> Iterator[None]:
    """Install FEW rules with the views that they need, except in the modules that compare WHOLE lists."""
    if request.module.__name__.rpartition(".")[2] in WHOLE or URL in os.environ:
        yield
        return
    with few_rules():
        yield


@contextmanager
def few_rules() -> Iterator[None]:
    """Let the product have only the FEW rules, with the views that they need."""
    rules, views = _list_few()
    with patch.dict(all_rules(), rules, clear=True), patch.dict(model_views(), views, clear=True):
        yield


@cache
def _list_few() -> tuple[dict[str, Rule], dict[str, str]]:
    """Return the FEW rules, and the views that these, the ranking, procedures and programs read."""
    for whole in (view_columns, origins._files, steps._precedence, measure._objects, reading._views):
        whole()  # fills a cache that serves whichever module comes next
    rules = {name: all_rules()[name] for name in FEW}
    folders = (PROCEDURES, SQL / "run", SQL / "pictures", ROOT / "advisor")
    paths = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".sql", ".py")]
    named = {name for path in paths for name in re.findall(r"\bTUNE\.(\w+)", path.read_text(encoding="utf-8"))}
    named_views = " ".join(f"TUNE.{name}" for name in named | VITAL | KEPT)
    selects = [rule.select for rule in rules.values()]
    return rules, views_read_by([*selects, *rank_views().values(), next_choice(), named_views])


@pytest.fixture(scope="module")
def compiled(rules: None) -> None:
    """Load the fake server's translations of an installation and a list, made once for all workers."""
    _learn_translations(len(all_rules()))


@cache
def _learn_translations(rules: int) -> None:
    """Learn the translations for so many rules, once in a process."""

    def make() -> bytes:
        with _with_tune() as server, server.connect(timeout_s=600) as connection:
            connection.call("TUNE.ADVISE", [])
        return kept.everything()

    kept.learn(lasting(f"compiled with {rules} rules", make))


@pytest.fixture(scope="module")
def image(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return schema TUNE as installed: created once, and then copied to each test that needs it."""

    def make() -> Image:
        with _with_tune() as server:
            return taken(server, tmp_path_factory)

    return once(f"installed with {len(all_rules())} rules", make)


def taken(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return the image of a fake server's contents."""
    assert server.standin is not None
    return take(server.standin.backend.database, tmp_path_factory.mktemp("image") / "tune.duckdb")


@pytest.fixture
def installed(server: Server, request: pytest.FixtureRequest) -> Server:
    """Return the server with schema TUNE."""
    if server.standin is None:
        done = server.tune("install")
        assert done.exit_code == 0, done.output
    else:
        try:
            put(server.standin.backend.database, request.getfixturevalue("image"))
        except Db2Error as error:
            if error.code != -286:
                raise
            pytest.skip(f"no table space with pages that take the widest row: {error}")
    return server
