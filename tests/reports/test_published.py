"""The nightly job's folder of pages, and its metrics."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from advisor.catalogue.rules import all_rules
from advisor.catalogue.views import model_views
from advisor.fleet import page as fleet_page
from advisor.fleet.estate import Surveyed, estate, survey_advice
from advisor.judgement.advice import Advice
from advisor.nightly import config, history, job, metrics, published
from advisor.nightly.database import Outcome
from advisor.nightly.estate import TIME, load_last_runs, survey_run
from advisor.nightly.runs import SESSIONS, Metric, Run, run_of
from advisor.report.pages import escape
from advisor.resources import csv_rows
from tests.support.browser import BROWSER, run, without_policy
from tests.support.made_up import SPENT, advice, item, rule
from tests.support.markup import HOSTILE, Page
from tests.support.paths import DOCS

NIGHT = datetime(2026, 3, 2, 2, 0, tzinfo=UTC)


def given(rules: tuple[str, ...] = ("memory.sort-overflow", "lock.x")) -> Advice:
    return advice(SPENT, *(item(rule(name), "P", n) for n, name in enumerate(rules, 1)))


def night(
    store: Path, *names: str, of: Advice | None = None, day: int = 2, time_ms: float | None = None
) -> list[Outcome]:
    """Return a night in which databases were judged and saved."""
    outcomes = []
    with history.open_history(store) as kept:
        for name in names:
            said = of or given()
            values = [Metric("commits per second", "1/s", 4.5), Metric(TIME, "ms", time_ms)]
            found = run_of(name, NIGHT.replace(day=day), said, values)
            kept.add(found)
            outcomes.append(Outcome(name, run=found, advice=said))
    return outcomes


def written(folder: Path) -> dict[str, int]:
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_every_link_leads_to_a_page_and_nothing_is_loaded(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "pages"
    store.mkdir()
    outcomes = [*night(store, "SALES", "HR"), Outcome("DOWN", error="no answer")]
    published.publish(folder, store, ["SALES", "HR", "DOWN", "LATER"], outcomes)
    pages = list(folder.rglob("*.html"))
    assert {str(path.relative_to(folder)) for path in pages} == {
        "index.html", "databases/SALES.html", "databases/HR.html", "history/SALES.html", "history/HR.html",
        "rules/memory.sort-overflow.html", "rules/lock.x.html",
    }  # fmt: skip
    parsed = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in pages}
    reached = set()
    for path, page in parsed.items():
        assert page.open == []
        assert not {"link", "img", "iframe"} & set(page.tags)
        for link in (of["href"] for _, of in page.elements if of.get("href")):
            target, _, anchor = (link or "").partition("#")
            to = (path.parent / target).resolve() if target else path
            assert not anchor or anchor in {of.get("id") for _, of in parsed[to].elements}
            reached |= {to} if target else set()
    assert reached == parsed.keys()
    index = Page(folder.joinpath("index.html").read_text(encoding="utf-8")).text
    assert "no answer" in index
    assert "no run yet" in index


def test_links_lead_to_the_rank_and_its_reason(tmp_path: Path) -> None:
    known = all_rules()["prefetch.size-misaligned"]
    said = advice(SPENT, item(rule("lock.x"), "P", 1), item(known, "P", 2))
    published.publish(tmp_path, tmp_path, ["SALES"], night(tmp_path, "SALES", of=said))
    index, of_rule = (tmp_path.joinpath(name).read_text() for name in ("index.html", f"rules/{known.name}.html"))
    assert '<p><a href="databases/SALES.html#rank-2">SALES</a></p>' in index
    assert f'<a href="#Performance-{known.name}">{known.title}</a>' in index
    assert '<a href="../databases/SALES.html#rank-2">SALES</a>' in of_rule
    assert str(escape(known.why)) in of_rule
    assert f"<pre><code>{escape(known.query)};\n</code></pre>" in of_rule  # with a button that copies it
    (tmp_path / "databases" / "SALES.html").unlink()
    published.publish(tmp_path, tmp_path, ["SALES"], [])
    assert '<p><a href="history/SALES.html">SALES</a></p>' in (tmp_path / "index.html").read_text()


def test_pages_run_only_scripts_that_their_policy_allows(tmp_path: Path) -> None:
    published.publish(tmp_path, tmp_path, ["SALES"], night(tmp_path, "SALES"))
    number = {"index.html": 3, "rules/lock.x.html": 3, "databases/SALES.html": 1, "history/SALES.html": 0}
    for name, expected in number.items():
        text = tmp_path.joinpath(name).read_text(encoding="utf-8")
        scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
        hashed = [base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
        assert re.findall(r"'sha256-([^']+)'", text)[1:] == hashed  # the first one is the style's
        assert len(scripts) == expected
        assert text.count("<script") == len(scripts)


@pytest.mark.full
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_what_is_typed_chooses_rows(tmp_path: Path) -> None:
    published.publish(tmp_path, tmp_path, ["SALES", "HR"], night(tmp_path, "SALES", "HR"))
    page = tmp_path / "index.html"
    done = run("--dump-dom", page.as_uri())
    assert "CONSOLE" not in done.stderr  # the policy allows the script
    assert '<p id="search"><label>' in done.stdout
    typed = "let field = document.querySelector('input'); field.value = 'sal'; field.dispatchEvent(new Event('input'));"
    text = without_policy(page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", f"<script>{typed}</script></body>"), encoding="utf-8")
    found = run("--dump-dom", page.as_uri()).stdout
    rows = re.findall(r"<tr( hidden=\"\")?><th scope=\"row\">(?:<a[^>]*>)?(SALES|HR)", found)
    assert set(rows) == {(' hidden=""', "HR"), ("", "SALES")}
    assert re.search(r"<output role=\"status\">\d+ of \d+ entries</output>", found)


@pytest.mark.full
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
@pytest.mark.parametrize(
    ("presses", "expected"),
    [(["Saved"], ["BUSY", "HR", "DOWN"]), (["Saved", "Saved"], ["HR", "BUSY", "DOWN"]), (["Database"], ["BUSY", "DOWN", "HR"]), (["Risks", "Health"], ["DOWN", "BUSY", "HR"])],
)  # fmt: skip
def test_heading_sorts_databases(tmp_path: Path, presses: list[str], expected: list[str]) -> None:
    """Numbers sort downwards first, and databases without a value are last."""
    seen = [
        replace(survey_run(run_of(name, NIGHT, given(), [])), sessions=load) for name, load in (("HR", 9), ("BUSY", 40))
    ]
    page = tmp_path / "index.html"
    page.write_text(fleet_page.render(estate([*seen, Surveyed("DOWN", error="no answer")])))
    assert "CONSOLE" not in run("--dump-dom", page.as_uri()).stderr  # the policy allows the script
    press = "".join(
        f"[...document.querySelectorAll('th button')].find(each => each.textContent === '{each}').click();"
        for each in presses
    )
    page.write_text(without_policy(page.read_text()).replace("</body>", f"<script>{press}</script></body>"))
    found = run("--dump-dom", page.as_uri()).stdout
    assert re.findall(r'<tr><th scope="row">([A-Z]+)', found) == expected
    assert len(re.findall(r'<th[^>]* aria-sort="', found)) == 1


@pytest.mark.full
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_long_database_name_moves_no_column_out_of_view(tmp_path: Path) -> None:
    name = "W" * 63
    for day in (2, 3):
        outcomes = night(tmp_path, name, "HR", day=day, time_ms=4321)
    published.publish(tmp_path, tmp_path, [name, "HR"], outcomes)
    page = tmp_path / "index.html"
    look = "const table = document.querySelector('.scroll'); document.title = table.scrollWidth - table.clientWidth;"
    text = without_policy(page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", f"<script>{look}</script></body>"), encoding="utf-8")
    found = run("--dump-dom", "--window-size=1440,900", page.as_uri()).stdout
    assert "<title>0</title>" in found
    assert ">4,321 ms<br>" in found


def test_fleet_page_reports_news_and_trend(tmp_path: Path) -> None:
    """The news are those of the previous run of the same database; a failed database has none."""
    store = tmp_path / "store"
    store.mkdir()
    names = ("SALES", "MOVED", "DOWN", "LATER")
    old = given(("lock.x",))
    for day in (2, 3):
        night(store, "SALES", "DOWN", of=old, day=day, time_ms=10)
    night(store, "MOVED", of=replace(old, database={**old.database, "host": "other"}), day=3, time_ms=10)
    outcomes = night(store, "SALES", "MOVED", "DOWN", day=4, time_ms=12)[:2]
    published.publish(tmp_path, store, names, [*outcomes, Outcome("DOWN", error="no answer")])
    index = (tmp_path / "index.html").read_text()
    table, news = (index.split(f'<h2 id="{name}">')[1].partition("</section>")[0] for name in ("databases", "new"))
    rows = {row[0]: row[1] for row in re.findall(r'<tr><th scope="row">(?:<a[^>]*>)?([A-Z]+)(.*?)</tr>', table)}
    assert 'data-label="New" class="number">1</td>' in rows["SALES"]
    assert '<td data-label="Time" class="number">12 ms<br>+20 %<br><svg' in rows["SALES"]
    assert all('data-label="New" class="number"></td>' in rows[name] for name in ("MOVED", "DOWN", "LATER"))
    assert "12 ms<br><svg" in rows["MOVED"]
    assert 'class="interval">2026-03-02 10:00:00 to 10:05:00 (300 s, two snapshots)</td>' in rows["SALES"]
    assert news.count("<tr><th") == 2
    assert '<a href="databases/SALES.html#rank-1">Title of memory.sort-overflow: table space TS1</a>' in news
    assert [one.new for one in load_last_runs(store) if one.name == "MOVED"] == [None]


def test_only_what_changed_is_written_and_what_is_gone_goes(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "pages"
    store.mkdir()
    published.publish(folder, store, ["SALES", "HR"], night(store, "SALES", "HR"))
    (folder / "rules" / "own.html").write_text("<p>of somebody else</p>", encoding="utf-8")
    before = written(folder)
    published.publish(folder, store, ["SALES", "HR"], [])
    assert written(folder) == before
    fewer = given(("lock.x",))
    published.publish(folder, store, ["SALES"], night(store, "SALES", of=fewer, day=3))
    after = written(folder)
    gone = {"databases/HR.html", "history/HR.html", "rules/memory.sort-overflow.html"}
    assert before.keys() - after.keys() == gone
    assert {name for name in after if after[name] != before[name]} == {
        "index.html", "metrics.prom", "databases/SALES.html", "history/SALES.html", "rules/lock.x.html",
    }  # fmt: skip


def test_one_that_fails_keeps_its_last_run_with_the_reason(tmp_path: Path) -> None:
    store, folder = tmp_path / "store", tmp_path / "pages"
    store.mkdir()
    night(store, "SALES")
    published.publish(folder, store, ["SALES"], [Outcome("SALES", error="no answer")])
    index = folder.joinpath("index.html").read_text(encoding="utf-8")
    assert 'href="history/SALES.html"' in index  # this night has no list
    assert "no answer" in Page(index).text
    assert "Title of lock.x" in index
    assert 'db2tune_health{database="SALES",health="unread"} 1\n' in (folder / "metrics.prom").read_text()


def test_unwritable_folder_is_reported(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "nightly.toml").write_text(
        '[store]\npath = "store"\n[pages]\ndirectory = "file"\n[[database]]\nname = "SALES"\nurl = "S"\n',
        encoding="utf-8",
    )
    (said,) = job._publish(config.read(tmp_path / "nightly.toml"), night(store, "SALES"))
    assert re.fullmatch(r"pages: .*file.*: (Not a directory|File exists)", said)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_stay_names_on_the_page_of_a_rule(name: str) -> None:
    plain, odd = (
        Page(
            fleet_page.render_rule(
                "a.b", [survey_advice(one, advice(SPENT, item(rule("a.b"), "P", 1, one)))], {"All": "x"}
            )
        )
        for one in ("SALES", name)
    )
    assert odd.open == []
    assert [tag for tag, _ in odd.elements] == [tag for tag, _ in plain.elements]
    assert odd.attributes == plain.attributes


# --- metrics -----------------------------------------------------------------------------------------------------------


def known(name: str = "SALES") -> list[tuple[Surveyed, Run | None]]:
    values = [Metric(row["METRIC"], "", 250.0) for row in named() if row["METRIC"] != SESSIONS]
    run = run_of(name, NIGHT, given(), values)
    return [(survey_run(run), run), (Surveyed("DOWN", error="no answer"), None)]


def named() -> list[dict[str, str]]:
    return [dict(row) for row in csv_rows(Path(metrics.__file__).with_name("metrics.csv"))]


def read(text: str) -> dict[str, list[tuple[str, float]]]:
    """Return the samples by metric, as Prometheus reads them; raise an error if the text is not OpenMetrics."""
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.type == "gauge"  # readers of the older text format also support these
        assert {sample.name for sample in family.samples} <= {family.name}
        found[family.name] = [(_labels(sample.labels), sample.value) for sample in family.samples]
    return found


def _labels(of: Mapping[str, str]) -> str:
    return ",".join(f'{name}="{value}"' for name, value in of.items())


def test_metrics_have_base_units() -> None:
    found = read(metrics.render(known()))
    assert found["db2tune_log_disk_wait_per_commit_seconds"] == [('database="SALES"', 0.25)]
    assert found["db2tune_sort_overflows_ratio"] == [('database="SALES"', 2.5)]
    assert found["db2tune_promised_ratio"] == [('database="SALES"', 0.232)]
    assert ('database="SALES",lane="performance"', 2.0) in found["db2tune_recommendations"]
    assert ('database="SALES",bucket="PREFETCH_WAIT"', 0.3) in found["db2tune_database_time_ratio"]
    assert found["db2tune_last_run_timestamp_seconds"] == [('database="SALES"', NIGHT.timestamp())]
    assert [labels for labels, on in found["db2tune_health"] if on] == [
        'database="SALES",health="can gain"', 'database="DOWN",health="unread"',
    ]  # fmt: skip


def test_what_a_discarded_interval_says_is_not_there() -> None:
    (_, whole), _ = known()
    assert whole is not None
    run = replace(whole, discarded="reset")
    found = read(metrics.render([(survey_run(run), run)]))
    assert [name for name, samples in found.items() if samples] == [
        "db2tune_health", "db2tune_last_run_timestamp_seconds", "db2tune_recommendations",
    ]  # fmt: skip


@pytest.mark.parametrize("name", [*HOSTILE, 'a"} 1\n# EOF\\'])
def test_no_name_ends_its_label(name: str) -> None:
    assert len(read(metrics.render(known(name)))["db2tune_active_sessions"]) == 1


def test_every_metric_that_a_run_keeps_has_a_name() -> None:
    kept = re.findall(r"SELECT\s+'([^']+)'(?: AS METRIC)?,", model_views()["METRIC"])
    assert {*kept, SESSIONS} == {row["METRIC"] for row in named()}


def test_dashboard_queries_existing_metrics() -> None:
    board = json.loads((DOCS / "nightly" / "grafana.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    asked += [each["query"] for each in board["templating"]["list"] if each["type"] == "query"]
    text = metrics.render(known())
    names = {name for expression in asked for name in re.findall(r"\b(db2tune_\w+)\b(?!=)", expression)}
    assert names
    assert names <= set(read(text))
