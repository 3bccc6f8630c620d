"""How platforms change settings: sql/rank/needs.csv and sql/rank/ways.csv.

needs.csv lists the need of a setting by its KIND and NAME (a name, the start of one and ``*``, or ``*``); the first row
that matches counts. A row without NEEDS needs only SQL. ways.csv describes for platforms (RUNS_ON) and needs, each a
list of words, how they are changed there (WAY, described in sql/schema/words.sql). A need without a row is changed as on
a host of one's own. SETTING is the command for one setting, VALUE the form of the value in it, UNSET the command that
undoes it if there was no value, and REMARK the words before a step for a person. sql/plan/recipients.csv lists the
users who may run a command, and what shows that it is complete.
"""

from dataclasses import dataclass
from functools import cache
from itertools import product

from advisor.resources import data_file

HOST = "host"  # a host of one's own
SAID = ("set by the site", "stated in the capture")  # evidence of TUNE.RUNS_ON from people


@dataclass(frozen=True)
class Way:
    """A row of ways.csv, for one of its platforms and one of its needs."""

    runs_on: str
    needs: str
    way: str
    setting: str
    value: str
    unset: str
    remark: str


def condition(kind: str, name: str) -> str:
    """Return SQL of whether a setting is of a kind, and of a name, the start of one and ``*``, or ``*`` for any."""
    of_kind = f"SETTING_KIND = '{kind}'"
    if name == "*":
        return of_kind
    of_name = f"SETTING_NAME LIKE '{name[:-1]}%'" if name.endswith("*") else f"SETTING_NAME = '{name}'"
    return f"{of_kind} AND {of_name}"


@cache
def all_needs() -> tuple[tuple[str, str], ...]:
    """Return the SQL condition of each need, and the need, in the order in which they are tried."""
    return tuple(
        (condition(row["KIND"], row["NAME"]), row["NEEDS"]) for row in data_file("rank", "needs") if row["NEEDS"]
    )


@cache
def all_ways() -> tuple[Way, ...]:
    """Return every way, for one platform and one need each."""
    names = ("WAY", "SETTING", "VALUE", "UNSET", "REMARK")
    return tuple(
        Way(runs_on, needs, *(row[name] for name in names))
        for row in data_file("rank", "ways")
        for runs_on, needs in product(row["RUNS_ON"].split(), row["NEEDS"].split())
    )
