"""Tests of ``db2tune verify`` on captures: nights of the model database, with a change whose true effect is known."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.errors import UserError
from advisor.verify import from_captures
from advisor.verify.measured import DAY, SPAN, Interval
from tests.support.paths import DOCS
from tests.twin import samples
from tests.twin.series import History, series

SCHEMA = json.loads((DOCS / "verdict.schema.json").read_text(encoding="utf-8"))
LARGER, SMALLER = 'ALTER BUFFERPOOL "BP" SIZE 1000000', 'ALTER BUFFERPOOL "BP" SIZE 100000'
MADE = "2026-03-14T04:00"  # six hours before the sixth interval


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> tuple[History, Path]:
    folder = tmp_path_factory.mktemp("larger")
    history = series(samples.orders(), 10, 300, hour=10, changes={6: LARGER}, seed=1)
    history.write(folder)
    return history, folder


def verify(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["verify", *map(str, arguments)])
    return done.exit_code, done.output


@pytest.mark.full
def test_captures_of_nights_show_the_effect_that_the_model_has(larger: tuple[History, Path]) -> None:
    history, folder = larger
    status, output = verify(folder, "--changed", MADE, "--format", "json")
    document = json.loads(output)
    jsonschema.validate(document, SCHEMA)
    assert (status, document["verdict"]) == (0, "confirmed")
    assert document["figure"]["change_pct"] == pytest.approx(-100 * history.effects[6].inside, abs=2)
    assert "BUFFERPOOL:BP:SIZE" in [change["target"] for change in document["changes"]]


@pytest.mark.full
def test_harmful_change_has_status_1_in_any_order(tmp_path: Path) -> None:
    history = series(samples.orders(), 10, 300, hour=10, changes={6: SMALLER}, seed=2)
    nights = history.write(tmp_path)
    after = [part for night in nights[:4:-1] for part in ("--after", night)]
    status, output = verify(*nights[3::-1], "--run", nights[4], *after)
    assert status == 1
    assert output.startswith("Verdict     harmful: database time per activity +")
    assert history.effects[6].inside < -0.05


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "name captures, and use either --after CAPTURE or --changed TIME"),
        (("FOLDER",), "name captures, and use either"),
        (("FOLDER", "--changed", "yesterday"), "--changed yesterday: not a time; write it as 2026-03-02T22:00"),
        (("FOLDER", "--changed", "2026-03-02T22:00Z"), "the time of the server's clock, without a time zone"),
        (("FOLDER", "--after", "nowhere"), "nowhere: no such capture"),
        (("EMPTY", "--changed", MADE), "contains no captures"),
        (("LAST", "--after", "FIRST"), "is older than one from before it"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    larger: tuple[History, Path], tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    nights = sorted(larger[1].iterdir())
    places = {"FOLDER": larger[1], "EMPTY": tmp_path, "FIRST": nights[0], "LAST": nights[-1]}
    status, output = verify(*(places.get(each, each) for each in arguments))
    assert status == 2
    assert said in output
    assert output.count("\n") == 1


def test_two_captures_a_day_in_order_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = [datetime(2026, 3, day, hour) for day in (1, 2, 3, 4) for hour in (10, 15)]
    short = timedelta(minutes=5)
    spans = [Interval(SPAN, at, at + short, 300, None, origins=(str(at), str(at))) for at in starts]
    days = [
        Interval(DAY, one + short, two + short, 86_400, None, origins=(str(one), str(two)))
        for one, two in zip(starts, starts[2:], strict=False)
    ]
    monkeypatch.setattr(from_captures, "captures_in", list)
    monkeypatch.setattr(from_captures, "measure_captures", lambda _: [*spans, *days])
    monkeypatch.setattr(from_captures, "_find_changes", lambda *_: [])
    before, after = ([Path(str(at)) for at in part] for part in (starts[:4], starts[4:]))
    assert from_captures.verify_captures(before, after)[1] == []
    with pytest.raises(UserError, match="is older than one from before it"):
        from_captures.verify_captures(after, before)
