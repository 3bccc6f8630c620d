"""The lanes of advice, sql/rank/lanes.csv, in their order: prerequisites, safety, performance, condition, housekeeping."""

from dataclasses import dataclass
from functools import cache

from advisor.resources import data_file


@dataclass(frozen=True)
class Lane:
    """One lane: its letter, its name and heading for people.

    ``fail_on`` is its name for --fail-on, empty if it cannot be used alone. ``figure`` is the value that ranks its
    advice (benefit, severity, or nothing). ``shown`` is the form: each piece in full, several objects of one rule
    grouped, or in brief one line each by default. ``reason`` is the reason for a change without a promised time, with a
    placeholder for its severity.
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
        """Whether its advice is ranked by the database time that it saves."""
        return self.figure == "benefit"

    @property
    def by_severity(self) -> bool:
        return self.figure == "severity"

    @property
    def brief(self) -> bool:
        """Whether each piece of advice is one line by default."""
        return self.shown == "brief"

    @property
    def grouped(self) -> bool:
        """Whether advice of one rule for several objects is grouped, and its severity shown as a consequence."""
        return self.shown == "grouped"


@cache
def all_lanes() -> dict[str, Lane]:
    """Return every lane by its letter, the most urgent first."""
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
    """Return the lane with this name, in lower case. Raise KeyError for any other name."""
    return {lane.name.lower(): lane for lane in all_lanes().values()}[name]
