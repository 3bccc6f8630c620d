"""The lanes of advice, sql/rank/lanes.csv, in their order: prerequisites, safety, performance, housekeeping."""

from dataclasses import dataclass
from functools import cache

from advisor.resources import data_file


@dataclass(frozen=True)
class Lane:
    """One lane: its letter, its name and heading for people.

    ``fail_on`` is its name for --fail-on, empty where nobody fails on it alone; ``figure`` by what its advice is ranked
    and shown (benefit, severity, or nothing), ``brief`` whether it is one line each unless it is asked for, and
    ``reason`` why somebody makes a change that promises no time, with a place for its severity.
    """

    letter: str
    name: str
    heading: str
    fail_on: str
    figure: str
    brief: bool
    colour: str
    reason: str

    @property
    def by_benefit(self) -> bool:
        """Whether its advice is ranked by the database time that it brings back."""
        return self.figure == "benefit"

    @property
    def by_severity(self) -> bool:
        return self.figure == "severity"


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
            row["SHOWN"] == "brief",
            row["COLOUR"],
            row["REASON"],
        )
        for row in data_file("rank", "lanes")
    }


def lane_of(letter: str) -> Lane:
    return all_lanes()[letter]
