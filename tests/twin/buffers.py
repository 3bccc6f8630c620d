"""Which pages are in which buffer pool: references of all classes, what is found, what goes to the file system below.

For each pool one least-recently-used list by Che's approximation (module `cache`), for all table spaces with FILE
SYSTEM CACHING one page cache below. Rates per second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tests.twin import cache, cleaning, prefetch, settings
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
class PoolState:
    """A pool at rest: its contents and cleaning, and for each of its stores the slice of groups."""

    contents: cache.Contents
    cleaning: cleaning.Cleaning
    slices: dict[str, slice]
    count: Floats


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


def guessed(machine: Machine, access: Access) -> prefetch.Guess:
    """What sequential detection makes of an access's runs, for each run."""
    if not settings.on(machine, "SEQDETECT"):
        return prefetch.Guess(0.0, 0.0, 0.0)
    owner = space(machine, next(store.space for store in machine.stores if store.name == access.store))
    return prefetch.guess(access.run, settings.prefetch_size(machine, owner))


def _store_rates(store: Store, uses: list[tuple[int, Access]], rate: Floats) -> tuple[cache.Popularity, Floats, Floats]:
    """A store's groups, and references and updates a second to one page of each."""
    popularity = cache.zipf(store.pages, store.skew)
    each = popularity.share / popularity.count
    random = sum(rate[number] * access.random for number, access in uses)
    scanned = sum(rate[number] * access.sequential for number, access in uses)
    update = sum(rate[number] * access.updates for number, access in uses)
    return popularity, random * each + scanned / store.pages, update * each


def _pool_state(
    machine: Machine, pool: Pool, stores: list[Store], rate: Floats, waste: float, oldest: float, fastest: float
) -> tuple[PoolState, Floats]:
    """One pool, and the references a second to a page of each of its groups."""
    uses = accesses(machine)
    counts, rates, updates, slices, at = [], [], [], {}, 0
    for store in stores:
        popularity, reads, changes = _store_rates(store, uses[store.name], rate)
        slices[store.name] = slice(at, at + len(reads))
        at += len(reads)
        counts.append(popularity.count)
        rates.append(reads)
        updates.append(changes)
    if not stores:
        empty = np.zeros(0)
        idle = cleaning.Cleaning(empty, empty, math.inf, 0.0, 0.0, 0.0, 0.0, 0.0)
        stays = pool.pages / waste if waste > 0 else math.inf
        return PoolState(cache.Contents(stays, empty, empty), idle, {}, empty), empty
    count, reads, changes = np.concatenate(counts), np.concatenate(rates), np.concatenate(updates)
    inside = cache.contents(reads, count, pool.pages, waste)
    threshold = settings.number(machine, "CHNGPGS_THRESH") / 100
    proactive = settings.on(machine, "DB2_USE_ALTERNATE_PAGE_CLEANING")
    crew = settings.cleaners(machine)
    writes = cleaning.cleaning(reads, changes, count, inside, pool.pages, threshold, oldest, proactive, fastest, crew)
    return PoolState(inside, writes, slices, count), reads


def waste_rate(machine: Machine, pool: Pool, rate: Floats, extra: float) -> float:
    """Pages a second that come into a pool for nothing: prefetched and not used, and `extra` temporary ones."""
    total = extra
    members = {each.name: each for each in machine.stores if space(machine, each.space).pool == pool.name}
    for number, work in enumerate(machine.work):
        for access in work.accesses:
            if access.store in members and access.run > 1:
                total += rate[number] * access.random / access.run * guessed(machine, access).wasted
    return total


def page_cache(machine: Machine, states: dict[str, tuple[PoolState, Floats]], room: float) -> dict[str, Floats]:
    """By store that uses it: shares found in the page cache of `room` bytes, by group."""
    below = [store for store in machine.stores if space(machine, store.space).file_system_caching]
    if not below:
        return {}
    parts = []
    for store in below:
        state, reads = states[space(machine, store.space).pool]
        where = state.slices[store.name]
        size = float(page_size(machine, store.space))
        upper = np.full(len(reads[where]), state.contents.time)
        parts.append((store, reads[where], state.count[where] * size, state.contents.hit[where], upper))
    rates, weights = np.concatenate([p[1] for p in parts]), np.concatenate([p[2] for p in parts])
    hits, times = np.concatenate([p[3] for p in parts]), np.concatenate([p[4] for p in parts])
    lower = cache.below(rates * (1 - hits), weights, times, room)
    result, at = {}, 0
    for store, reads, *_ in parts:
        result[store.name] = lower[at : at + len(reads)]
        at += len(reads)
    return result


def buffers(
    machine: Machine,
    rate: Floats,
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
        stores = [store for store in machine.stores if space(machine, store.space).pool == pool.name]
        own = bool(machine.temporary) and space(machine, machine.temporary).pool == pool.name
        waste = waste_rate(machine, pool, rate, temporary if own else 0.0)
        states[pool.name] = _pool_state(machine, pool, stores, rate, waste, oldest, fastest.get(pool.name, math.inf))
    below = page_cache(machine, states, room)
    found = {}
    for store in machine.stores:
        state, reads = states[space(machine, store.space).pool]
        found[store.name] = _found(machine, store, state, reads, below.get(store.name), overcommit)
    return Buffers({name: state for name, (state, _) in states.items()}, found)


def _found(
    machine: Machine,
    store: Store,
    state: PoolState,
    reads: Floats,
    below: Floats | None,
    overcommit: float,
) -> Found:
    where = state.slices[store.name]
    popularity = cache.zipf(store.pages, store.skew)
    even = popularity.count / store.pages
    hit = state.contents.hit[where]
    lower = below if below is not None else np.zeros_like(hit)
    random, scanned = float((popularity.share * hit).sum()), float((even * hit).sum())
    faults = 0.0
    if overcommit > 0:
        real = pool_pages(machine, store) * (1 - overcommit)
        held = cache.contents(reads, state.count, real).hit[where]
        faults = max(0.0, random - float((popularity.share * held).sum()))
    random_below = float((popularity.share * (1 - hit) * lower).sum()) / max(1e-12, 1 - random)
    scanned_below = float((even * (1 - hit) * lower).sum()) / max(1e-12, 1 - scanned)
    return Found(random, scanned, random_below, scanned_below, faults)


def pool_pages(machine: Machine, store: Store) -> int:
    """Pages of the pool that a store is in."""
    name = space(machine, store.space).pool
    return next(pool.pages for pool in machine.pools if pool.name == name)
