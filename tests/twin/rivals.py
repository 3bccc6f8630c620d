"""What a site would do instead: Db2's own configuration advisor, rules of ratios, a search by trial.

Formulas of AUTOCONFIGURE are not published. What its page (IBM, r0008960) and those of the parameters say is here: a
share of the memory is the database's, 60 % in its example (t0021273), and counts that can be are AUTOMATIC. The ratios are those
of tools like MySQLTuner and of the handbooks: a ratio below its line doubles the memory behind it.
"""

from __future__ import annotations

import importlib.util
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tests.twin import settings
from tests.twin.change import TUNED, Setting, apply
from tests.twin.days import Levels, gained, most_of
from tests.twin.drawing import CLOSE
from tests.twin.machine import AUTOMATIC
from tests.twin.selftuning import fitted, lived, tuned
from tests.twin.study import MOST_STEPS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.drawing import DrawnSite
    from tests.twin.machine import Machine, Space
    from tests.twin.outcome import Outcome

BLANKET = "everything AUTOMATIC"
UNBOUND = (Setting("dbcfg", "DATABASE_MEMORY", AUTOMATIC), Setting("dbmcfg", "INSTANCE_MEMORY", AUTOMATIC))
MEM_PERCENT = 0.6
HIT_RATIO, OVERFLOWS, PACKAGE_HITS = 0.95, 0.03, 0.95
TRIALS = (20, 60)
AT_RANDOM = 20
MEASURED, ROUGH = 0.5, 1e-3  # a trial: of the response time of a day, and how close to rest


@dataclass(frozen=True)
class Tried:
    """The gain (percent of response time) after a number of changes or trials."""

    gained: float
    changes: int


def everyone(site: DrawnSite) -> dict[str, Tried]:
    """All rivals by name; the search where Optuna is installed."""
    found = _formulas(site)
    if importlib.util.find_spec("optuna"):
        found |= {f"Optuna, {each.changes} trials": each for each in searched(site)}
    return found


def quick(site: DrawnSite) -> dict[str, Tried]:
    """Those that take no long search."""
    return _formulas(site) | {f"{AT_RANDOM} trials at random": at_random(site, AT_RANDOM)}


def _formulas(site: DrawnSite) -> dict[str, Tried]:
    return {
        BLANKET: automatic(site),
        "AUTOCONFIGURE, as published": autoconfigured(site),
        "rules of ratios": by_ratios(site),
    }


def automatic(site: DrawnSite) -> Tried:
    """Set everything AUTOMATIC that can be, without a look at the site."""
    machine = site.machine
    wanted = [Setting("dbcfg", "SELF_TUNING_MEM", "ON"), *UNBOUND]
    wanted += [Setting("dbcfg", name, AUTOMATIC) for name in (*TUNED, "NUM_IOCLEANERS", "NUM_IOSERVERS")]
    wanted += [Setting("bufferpool", "SIZE", AUTOMATIC, each.name) for each in machine.pools]
    wanted += [Setting("tablespace", "PREFETCHSIZE", AUTOMATIC, each.name) for each in machine.spaces]
    return _tried(site, _carried(machine, wanted), len(wanted))


def _carried(machine: Machine, wanted: list[Setting]) -> Machine:
    for one in wanted:
        machine = apply(machine, one)
    return machine


def autoconfigured(site: DrawnSite) -> Tried:
    """All at once: pools share the database's part of real memory by what is stored in them."""
    machine = site.machine
    homes = {each.name: each.pool for each in machine.spaces}
    stored = {
        each.name: max(1000, sum(store.pages for store in machine.stores if homes[store.space] == each.name))
        for each in machine.pools
    }
    whole = sum(stored[each.name] * each.page_size for each in machine.pools)
    share = min(1.0, MEM_PERCENT * settings.instance_memory(machine) / whole)
    wanted = [Setting("bufferpool", "SIZE", str(int(stored[each.name] * share)), each.name) for each in machine.pools]
    wanted += [Setting("dbcfg", name, "AUTOMATIC") for name in ("NUM_IOCLEANERS", "NUM_IOSERVERS")]
    wanted += [Setting("tablespace", "PREFETCHSIZE", "AUTOMATIC", each.name) for each in machine.spaces]
    return _tried(site, _carried(machine, wanted), len(wanted))


def by_ratios(site: DrawnSite) -> Tried:
    """Double the memory of every bad ratio in the watched hour until none is bad or the limit of changes is reached."""
    machine, done = site.machine, 0
    seen = max(site.watched, key=lambda load: site.watched[load])
    while done < MOST_STEPS:
        wanted = ratios(machine, Levels(machine, CLOSE).at(seen).outcome)[: MOST_STEPS - done]
        if not wanted:
            break
        machine = tuned(_carried(machine, wanted))
        done += len(wanted)
    return _tried(site, machine, done)


def _tried(site: DrawnSite, machine: Machine, changes: int) -> Tried:
    """Return what a machine gains, after self-tuning and within its memory: the list's changes pass through that too."""
    return Tried(100 * gained(site.levels, lived(machine, site.day, CLOSE), site.day.whole), changes)


def ratios(machine: Machine, outcome: Outcome) -> list[Setting]:
    """What the ratios ask for, in the order in which such tools have it; pools as long as memory is left for them."""
    found, working = [], outcome.working
    pools = sum(each.pages * each.page_size for each in machine.pools)
    for each in machine.pools:
        seen, size = outcome.pools[each.name], each.pages * each.page_size
        if (
            seen.asked
            and 1 - seen.read / seen.asked < HIT_RATIO
            and pools + size < 0.8 * settings.instance_memory(machine)
        ):
            found.append(Setting("bufferpool", "SIZE", str(2 * each.pages), each.name))
            pools += size

    def doubled(name: str) -> None:
        found.append(Setting("dbcfg", name, str(round(2 * settings.number(machine, name)))))

    if working.sorts and working.sort_overflows / working.sorts > OVERFLOWS:
        doubled("SORTHEAP")
    if any(work.dynamic for work in machine.work) and min(outcome.package_hits) < PACKAGE_HITS:
        doubled("PCKCACHESZ")
    if any(outcome.locking.escalated):
        doubled("LOCKLIST")
    if outcome.log.full > 0.01 * outcome.log.writes:
        doubled("LOGBUFSZ")
    return found


def at_random(site: DrawnSite, trials: int) -> Tried:
    """The best of so many configurations that are drawn, the configuration that is there first."""
    draw, weightiest = random.Random(f"trials {site.seed}"), most_of(site.levels, site.day.whole, MEASURED)
    tried = (configured(site.machine, lambda _, values: draw.choice(values)) for _ in range(trials))
    best = max(tried, key=lambda machine: gained(site.levels, Levels(fitted(machine), ROUGH), weightiest))
    reached = _tried(site, best, trials)
    return replace(reached, gained=max(0.0, reached.gained))


def searched(site: DrawnSite, trials: tuple[int, ...] = ()) -> list[Tried]:
    """Return the best of each number of trials of a tree-structured Parzen estimator (Optuna).

    The search starts from the site's configuration.

    Trials are measured at the loads that matter most; the best of them over the whole day.
    """
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)

    def picked(trial: optuna.trial.BaseTrial) -> Machine:
        def pick(name: str, values: list[int]) -> int:
            place: int = trial.suggest_int(name, 0, len(values) - 1)
            return values[place]

        return configured(site.machine, pick)

    def worse(trial: optuna.Trial) -> float:
        return -gained(site.levels, Levels(fitted(picked(trial)), ROUGH), weightiest)

    weightiest = most_of(site.levels, site.day.whole, MEASURED)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=site.seed))
    trials = trials or TRIALS
    study.optimize(worse, n_trials=trials[-1])
    found = []
    for number in trials:
        best = min(study.trials[:number], key=lambda each: each.value if each.value is not None else 0.0)
        reached = _tried(site, picked(optuna.trial.FixedTrial(best.params)), number)
        found.append(replace(reached, gained=max(0.0, reached.gained)))
    return found


SIZES = {
    "SORTHEAP": [64, 256, 1000, 4000, 16000, 64000, 250_000],
    "SHEAPTHRES_SHR": [1000, 5000, 20_000, 100_000, 500_000, 2_000_000],
    "LOCKLIST": [50, 200, 1000, 4096, 20_000, 100_000],
    "MAXLOCKS": [5, 10, 22, 50, 98],
    "PCKCACHESZ": [80, 320, 1280, 5000, 20_000, 60_000],
    "CATALOGCACHE_SZ": [16, 60, 300, 1000],
    "LOGBUFSZ": [8, 64, 256, 1024, 4096],
    "CHNGPGS_THRESH": [5, 10, 20, 30, 40, 60, 80, 99],
    "NUM_IOCLEANERS": [1, 2, 4, 8, 16, 32, 64],
    "NUM_IOSERVERS": [1, 3, 6, 12, 24, 48, 96],
}
PREFETCH = [-1, 0, 8, 16, 32, 64, 128, 256, 512]
POOL_SHARES = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]


def configured(machine: Machine, pick: Callable[[str, list[int]], int]) -> Machine:
    """Return the machine with a new choice for every setting that the model covers."""

    def pages(name: str, page: int) -> int:
        share = POOL_SHARES[pick(f"pool {name}", list(range(len(POOL_SHARES))))]
        return max(250, int(share * machine.host.memory / page))

    def spaced(each: Space) -> Space:
        cached = bool(pick(f"cached {each.name}", [0, 1]))
        return replace(each, prefetch=pick(f"prefetch {each.name}", PREFETCH), file_system_caching=cached)

    values = {"SELF_TUNING_MEM": "OFF"}
    values |= {name: str(pick(name, sizes)) for name, sizes in SIZES.items()}
    if pick("bounds", [0, 1]):
        machine = _carried(machine, list(UNBOUND))
    spare = settings.spare_device(machine)
    if spare and pick("log", [0, 1]):
        machine = replace(machine, log_device=spare)
    values["SEQDETECT"] = ["NO", "YES"][pick("SEQDETECT", [0, 1])]
    cleaning = ["OFF", "ON"][pick("alternate page cleaning", [0, 1])]
    return replace(
        machine,
        dbcfg=machine.dbcfg | values,
        registry=machine.registry | {"DB2_USE_ALTERNATE_PAGE_CLEANING": cleaning},
        pools=tuple(replace(each, pages=pages(each.name, each.page_size)) for each in machine.pools),
        spaces=tuple(spaced(each) for each in machine.spaces),
    )
