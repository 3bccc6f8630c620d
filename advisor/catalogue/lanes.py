"""The lanes of advice, sql/rank/lanes.csv, in their order: prerequisites, safety, condition, performance, housekeeping."""

from dataclasses import dataclass
from functools import cache

from advisor.resources import data_file


@dataclass(frozen=True)
class Lane:
    """One lane: its letter, its name and heading for people.

    ``fail_on`` is its name for --fail-on, empty where nobody fails on it alone; ``figure`` by what its advice is ranked
    and shown (benefit, severity, or nothing), ``shown`` how: each in full, what one rule says of several objects
    grouped, or in brief one line each unless it is asked for. ``reason`` is why somebody makes a change that promises
    no time, with a place for its severity.
    """

    letter: str
    name: str
    heading: str
    fail_on: str
    figure: str
    shown: str
    colour: str
    reason: str

    @property
    def by_benefit(self) -> bool:
        """Whether its advice is ranked by the database time that it brings back."""
        return self.figure == "benefit"

    @property
    def by_severity(self) -> bool:
        return self.figure == "severity"

    @property
    def brief(self) -> bool:
        """Whether it is one line each, unless it was asked for."""
        return self.shown == "brief"

    @property
    def grouped(self) -> bool:
        """Whether what one rule says of several objects is told once, and its severity as what may come of it."""
        return self.shown == "grouped"


@cache
def all_lanes() -> dict[str, Lane]:
    """Every lane by its letter, the most urgent first."""
    return {
        row["LANE"]: Lane(
            row["LANE"],
            row["NAME"],
            row["HEADING"],
            row["FAIL_ON"],
            row["FIGURE"],
            row["SHOWN"],
            row["COLOUR"],
            row["REASON"],
        )
        for row in data_file("rank", "lanes")
    }


def lane_of(letter: str) -> Lane:
    return all_lanes()[letter]


def lane_named(name: str) -> Lane:
    """Return the lane with this name, in lower case. Raises KeyError if there is none."""
    return {lane.name.lower(): lane for lane in all_lanes().values()}[name]
