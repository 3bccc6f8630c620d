"""Which pages are in which buffer pool: references of all classes, what is found, what goes to the file system below.

For each pool one least-recently-used list by Che's approximation (module `cache`), for all table spaces with FILE
SYSTEM CACHING one page cache below. Rates per second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tests.twin import cache, cleaning, devices, settings
from tests.twin.machine import Access, Machine, Pool, Store, page_size, space

if TYPE_CHECKING:
    from tests.twin.queueing import Floats

FLOOR = 0.02  # of real memory an operating system keeps for files whatever happens


@dataclass(frozen=True)
class Found:
    """Of a store's references the shares found: in the pool, in the page cache below; random and sequential ones.

    `faults` is the share that is in a pool, but in a part of it that is not in real memory.
    """

    random: float
    sequential: float
    random_below: float
    sequential_below: float
    faults: float


@dataclass(frozen=True)
class Below:
    """Of a store's references that its pool has not, the shares in the page cache: random ones by group, scans."""

    random: Floats
    scanned: float


@dataclass(frozen=True)
class PoolState:
    """A pool at rest: its contents and cleaning, and for each of its stores the slice of groups."""

    contents: cache.Contents
    cleaning: cleaning.Cleaning
    slices: dict[str, slice]
    count: Floats
    scans: cache.Scans


@dataclass(frozen=True)
class Buffers:
    """All pools and all stores."""

    pools: dict[str, PoolState]
    found: dict[str, Found]


def accesses(machine: Machine) -> dict[str, list[tuple[int, Access]]]:
    """By store the accesses to it, each with its class's number."""
    by_store: dict[str, list[tuple[int, Access]]] = {store.name: [] for store in machine.stores}
    for number, work in enumerate(machine.work):
        for access in work.accesses:
            by_store[access.store].append((number, access))
    return by_store


def guessed(machine: Machine, access: Access) -> devices.Guess:
    """What sequential detection makes of an access's runs, for each run."""
    if not settings.on(machine, "SEQDETECT"):
        return devices.Guess(0.0, 0.0, 0.0)
    owner = space(machine, next(store.space for store in machine.stores if store.name == access.store))
    return devices.guess(access.run, settings.prefetch_size(machine, owner))


@dataclass(frozen=True)
class Asked:
    """References to the pages of a pool, by group: random ones and updates a second to one page, scans of the store."""

    count: Floats
    alone: Floats
    updates: Floats
    scans: cache.Scans
    slices: dict[str, slice]

    @property
    def rate(self) -> Floats:
        """All references a second to one page."""
        return self.alone + self.scans.rate


def scans_of(
    store: Store, uses: list[tuple[int, Access]], rate: Floats, response: Floats
) -> tuple[float, float, float]:
    """Return the scans of a store a second, the part of it that each reads, and how many there are at a time."""
    many = pages = streams = 0.0
    for number, access in uses:
        if access.sequential > 0:
            each = float(rate[number]) * access.sequential
            many += each / min(access.sequential, store.pages)
            pages += each
            streams += float(rate[number] * response[number])
    return many, min(1.0, pages / many / store.pages) if many else 0.0, max(1.0, streams)


def asked(machine: Machine, pool: Pool, rate: Floats, response: Floats) -> Asked:
    """Return what all classes ask of the pages of a pool."""
    uses = accesses(machine)
    homes = {each.name: each.pool for each in machine.spaces}
    counts, alone, updates, scans, slices, at = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)], [np.zeros((3, 0))], {}, 0
    for store in machine.stores:
        if homes[store.space] != pool.name:
            continue
        popularity = store.popularity
        each = popularity.share / popularity.count
        slices[store.name] = slice(at, at + len(each))
        at += len(each)
        counts.append(popularity.count)
        alone.append(sum(float(rate[number]) * access.random for number, access in uses[store.name]) * each)
        updates.append(sum(float(rate[number]) * access.updates for number, access in uses[store.name]) * each)
        scans.append(np.tile(np.array([scans_of(store, uses[store.name], rate, response)]).T, len(each)))
    return Asked(
        np.concatenate(counts),
        np.concatenate(alone),
        np.concatenate(updates),
        cache.Scans(*np.concatenate(scans, axis=1)),
        slices,
    )


def _pool_state(machine: Machine, pool: Pool, of: Asked, waste: float, oldest: float, fastest: float) -> PoolState:
    """One pool at rest."""
    if not of.slices:
        empty = np.zeros(0)
        idle = cleaning.Cleaning(empty, empty, math.inf, 0.0, 0.0, 0.0, 0.0, 0.0)
        stays = pool.pages / waste if waste > 0 else math.inf
        return PoolState(cache.Contents(stays, empty, empty, empty), idle, {}, empty, of.scans)
    inside = cache.contents(of.rate, of.count, pool.pages, waste, of.scans)
    threshold = settings.number(machine, "CHNGPGS_THRESH") / 100
    proactive = settings.on(machine, "DB2_USE_ALTERNATE_PAGE_CLEANING")
    crew = settings.cleaners(machine)
    writes = cleaning.cleaning(
        of.rate, of.updates, of.count, inside, pool.pages, threshold, oldest, proactive, fastest, crew
    )
    return PoolState(inside, writes, of.slices, of.count, of.scans)


def waste_rate(machine: Machine, pool: Pool, rate: Floats, extra: float) -> float:
    """Pages a second that come into a pool for nothing: prefetched and not used, and `extra` temporary ones."""
    total = extra
    members = {each.name: each for each in machine.stores if space(machine, each.space).pool == pool.name}
    for number, work in enumerate(machine.work):
        for access in work.accesses:
            if access.store in members and access.run > 1:
                total += rate[number] * access.random / access.run * guessed(machine, access).wasted
    return total


def page_cache(machine: Machine, states: dict[str, tuple[PoolState, Floats]], room: float) -> dict[str, Below]:
    """By store that uses it: shares found in the page cache of `room` bytes, by group."""
    below = [store for store in machine.stores if space(machine, store.space).file_system_caching]
    if not below:
        return {}
    missed, weights, times, scans, slices, at = [], [], [], [], {}, 0
    for store in below:
        state, reads = states[space(machine, store.space).pool]
        where = state.slices[store.name]
        slices[store.name] = slice(at, at + len(reads[where]))
        at += len(reads[where])
        missed.append(reads[where] * (1 - state.contents.hit[where]))
        weights.append(state.count[where] * float(page_size(machine, store.space)))
        times.append(np.full(len(reads[where]), state.contents.time))
        seen = state.scans.each[where] * (1 - state.contents.scanned[where])
        scans.append(np.array([seen, state.scans.part[where], state.scans.streams[where]]))
    lower = cache.below(
        np.concatenate(missed),
        np.concatenate(weights),
        np.concatenate(times),
        room,
        cache.Scans(*np.concatenate(scans, axis=1)),
    )
    return {name: Below(lower.hit[where], float(lower.scanned[where].mean())) for name, where in slices.items()}


def buffers(
    machine: Machine,
    rate: Floats,
    response: Floats,
    log_rate: float,
    overcommit: float,
    room: float,
    temporary: float,
    fastest: dict[str, float],
) -> Buffers:
    """All pools at `rate` transactions a second by class; `room` bytes are left for files, `overcommit` is paged out.

    `fastest` are the pages a second that cleaners can write of each pool.
    """
    oldest = settings.oldest(machine, log_rate)
    states = {}
    for pool in machine.pools:
        own = bool(machine.temporary) and space(machine, machine.temporary).pool == pool.name
        waste = waste_rate(machine, pool, rate, temporary if own else 0.0)
        of = asked(machine, pool, rate, response)
        states[pool.name] = _pool_state(machine, pool, of, waste, oldest, fastest.get(pool.name, math.inf)), of.rate
    below = page_cache(machine, states, room)
    found = {}
    for store in machine.stores:
        state, reads = states[space(machine, store.space).pool]
        found[store.name] = _found(machine, store, state, reads, below.get(store.name), overcommit)
    return Buffers({name: state for name, (state, _) in states.items()}, found)


def _found(
    machine: Machine, store: Store, state: PoolState, reads: Floats, below: Below | None, overcommit: float
) -> Found:
    where = state.slices[store.name]
    share = store.popularity.share
    held, scanned = state.contents.held[where], float(state.contents.scanned[where].mean())
    lower = below.random if below is not None else np.zeros_like(held)
    random = float((share * held).sum())
    faults = 0.0
    if overcommit > 0:
        real = pool_pages(machine, store) * (1 - overcommit)
        there = cache.contents(reads, state.count, real, scans=state.scans).held[where]
        faults = max(0.0, random - float((share * there).sum()))
    random_below = float((share * (1 - held) * lower).sum()) / max(1e-12, 1 - random)
    return Found(random, scanned, random_below, below.scanned if below is not None else 0.0, faults)


def pool_pages(machine: Machine, store: Store) -> int:
    """Pages of the pool that a store is in."""
    name = space(machine, store.space).pool
    return next(pool.pages for pool in machine.pools if pool.name == name)
