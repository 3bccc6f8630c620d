"""Differences between two captures of one database: settings, then advice.

sql/model/interval/changed.sql compares the settings; it also fills the change ledger in Db2.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from advisor import capture as captures
from advisor.capture.hostfacts import Facts
from advisor.capture.manifest import other_database
from advisor.capture.site import Site
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.sources import Source, all_sources
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import model_views
from advisor.errors import UserError
from advisor.judgement.advice import Advice, Recommendation, Setting, requested_value
from advisor.judgement.comparison import Comparison, compare
from advisor.judgement.run import advise

if TYPE_CHECKING:
    from advisor.catalogue.embedded import Tables

_KINDS = {"DB": "DBCFG", "DBM": "DBMCFG", "REG": "REGISTRY"}


@dataclass(frozen=True)
class SettingChange:
    """One changed setting, a row of TUNE.CHANGED.

    ``member`` is None if all members changed in the same way; ``old`` or ``new`` is None without a value. ``advised`` is
    the earlier recommendation about this setting; ``carries_out`` is True if the new value is the proposed one.
    """

    scope: str
    member: int | None
    name: str
    old: str | None
    new: str | None
    advised: Recommendation | None = None
    carries_out: bool = False

    @property
    def target(self) -> str:
        """The setting as recommendations name it."""
        return self.name if self.scope == "DDL" else f"{_KINDS[self.scope]}:{self.name.upper()}"


@dataclass(frozen=True)
class Ends:
    """The ends of two captures, ``hours`` apart; ``not_compared`` gives sources that cannot be compared, with reasons."""

    tables: "Tables"
    not_compared: dict[str, str]
    hours: float


@dataclass(frozen=True)
class Difference:
    """All differences between the ends of two captures; ``not_compared`` gives sources with reasons."""

    before: Advice
    after: Advice
    changes: list[SettingChange]
    not_compared: dict[str, str]
    advice: Comparison[Recommendation]


def difference(before: Path, after: Path, hostfacts: Facts | None = None, site: Site | None = None) -> Difference:
    """Judge and compare two captures. Raise UserError if their databases differ, or if the order is wrong."""
    found, not_compared = changes(before, after)
    first, last = advise(before, hostfacts=hostfacts, site=site), advise(after, hostfacts=hostfacts, site=site)
    return Difference(first, last, match_recommendations(found, first), not_compared, compare_advice(first, last))


def compare_advice(before: Advice, after: Advice) -> Comparison[Recommendation]:
    """Compare the advice of two runs."""
    accepted = [item for item in after.recommendations if item.accepted and not item.accepted.expired]
    return compare(before.ranked, after.ranked, accepted)


def match_recommendations(found: Iterable[SettingChange], advice: Advice) -> list[SettingChange]:
    """Add to each change the earlier ranked recommendation about its setting, if any."""
    return [_match_recommendation(change, advice.ranked) for change in found]


def changes(before: Path, after: Path) -> tuple[list[SettingChange], dict[str, str]]:
    """Return the settings that differ between the ends of two captures, and the sources that cannot be compared."""
    read = references(model_views()["CHANGED"])
    sources = [source.name for source in all_sources().values() if source.table.removeprefix("TUNE.") in read]
    with load_ends(before, after, sources) as both:
        rows = both.tables.fetch(
            f"SELECT SCOPE, MEMBER, NAME, OLD_VALUE, NEW_VALUE FROM ({model_views()['CHANGED']}) AS C"
            " ORDER BY SCOPE, NAME, MEMBER NULLS LAST"
        )
    return [SettingChange(*row) for row in rows], both.not_compared


@contextmanager
def load_ends(before: Path, after: Path, sources: Iterable[str]) -> Iterator[Ends]:
    """Load the ends of two captures into the tables of these sources, as snapshots 1 and 2.

    Raise UserError if their databases differ, or if the order is wrong.
    """
    with captures.open_capture(before) as first, captures.open_capture(after) as last:
        _check(first, last, before.name, after.name)
        with open_tables() as tables:
            not_compared = _load(tables, first, last, [all_sources()[name] for name in sources])
            seconds = last.snapshots[-1].epoch_s - first.snapshots[-1].epoch_s
            yield Ends(tables, not_compared, seconds / 3600)


def _check(first: captures.Capture, last: captures.Capture, before: str, after: str) -> None:
    if other := other_database(first.database, last.database):
        raise UserError(
            f"{before} and {after} are of different databases ({other}); compare two captures of one database"
        )
    if first.snapshots[-1].epoch_s > last.snapshots[-1].epoch_s:
        raise UserError(f"{before} was taken after {after}; name the earlier capture first")


def _load(tables: "Tables", first: captures.Capture, last: captures.Capture, sources: list[Source]) -> dict[str, str]:
    """Load both ends as snapshots 1 and 2 of one run; return the sources that cannot be compared, with reasons."""
    for number, capture in enumerate((first, last), 1):
        capture.load(tables, [source.name for source in sources], {capture.snapshots[-1].id: number})
    tables.fill([("CHANGE_SPAN", (1, 2))])
    not_compared = {
        source.name: reason
        for source in sources
        if (reason := _explain_incomparable(source.name, first.columns, last.columns))
    }
    tables.insert("SNAPSHOT_SOURCE", ["SNAP_ID", "SOURCE", "REASON"], [(2, *item) for item in not_compared.items()])
    return not_compared


def _explain_incomparable(source: str, first: dict[str, list[str]], last: dict[str, list[str]]) -> str | None:
    """Return the reason why a source cannot be compared, or None: it is missing, or its columns differ."""
    for columns, which in ((first, "earlier"), (last, "later")):
        if not columns[source]:
            return f"not in the {which} capture"
    return None if set(first[source]) == set(last[source]) else "the captures have different columns"


def _match_recommendation(change: SettingChange, ranked: list[Recommendation]) -> SettingChange:
    for item in ranked:
        if about := [setting for setting in item.settings if _is_about(setting, change)]:
            done = any(_value(setting) == change.new for setting in about)
            return replace(change, advised=item, carries_out=done)
    return change


def _is_about(setting: Setting, change: SettingChange) -> bool:
    """Return whether a change affects a setting, on its member or on all members."""
    if setting.member is None or change.member is None:
        member = "" if setting.member is None else f":{setting.member}"
        return setting.target == change.target + member
    return setting.member == change.member and setting.target == f"{change.target}:{setting.member}"


def _value(setting: Setting) -> str | None:
    return None if setting.proposed is None else requested_value(setting.proposed)
