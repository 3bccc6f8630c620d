"""What the program advises of machines of the model is carried out on them."""

from __future__ import annotations

import pytest

from advisor.judge.advice import Setting as Advised
from tests.twin.change import Setting, apply
from tests.twin.machine import space
from tests.twin.model import solve
from tests.twin.study import advised, drawn, gained, translated, trials


def one(kind: str, name: str, of: str | None, proposed: str | None, member: int | None = None) -> Advised:
    return Advised(kind, name, of, member, f"{kind}:{name}", "1", proposed, None)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (one("DBCFG", "LOGBUFSZ", "TWIN", "2048"), Setting("dbcfg", "LOGBUFSZ", "2048", "TWIN")),
        (one("DBCFG", "LOCKLIST", "TWIN", "5000 AUTOMATIC"), Setting("dbcfg", "LOCKLIST", "AUTOMATIC", "TWIN")),
        (
            one("TABLESPACE", "FS_CACHING", "DATA", "NO FILE SYSTEM CACHING"),
            Setting("tablespace", "FILE SYSTEM CACHING", "NO", "DATA"),
        ),
        (one("TABLE", "COMPRESS", "T", "YES"), None),
        (one("DBCFG", "NEWLOGPATH", "TWIN", None), None),
        (one("BUFFERPOOL", "SIZE", "BP", "100", member=3), None),
    ],
)
def test_a_setting_in_the_models_words(given: Advised, wanted: Setting | None) -> None:
    assert translated(given) == wanted


def test_a_change_without_effect_gains_nothing_and_a_worse_one_costs() -> None:
    machine = drawn(17)
    before = solve(machine)
    assert gained(before, solve(apply(machine, Setting("dbmcfg", "INTRA_PARALLEL", "NO")))) == pytest.approx(
        0, abs=1e-6
    )
    assert gained(before, solve(apply(machine, Setting("tablespace", "PREFETCHSIZE", "8", "FACTS")))) < 0


@pytest.mark.full
def test_scans_that_wait_for_prefetchers_gain_what_is_promised() -> None:
    """Requests of 32 pages from containers of 24 read one or two of the four at a time."""
    machine = drawn(17)
    assert space(machine, "FACTS").prefetch == 32
    (advice,) = advised([machine])
    (trial,) = [each for each in trials(17, machine, advice) if each.rule == "prefetch.size-misaligned"]
    assert trial.settings == (Setting("tablespace", "PREFETCHSIZE", "96", "FACTS"),)
    assert trial.low <= trial.gained <= trial.high
