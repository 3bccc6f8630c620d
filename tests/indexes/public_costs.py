"""Public what-if costs (hyrise/index_selection_evaluation, PVLDB 13(11), 2020), read from a folder outside the project."""

import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "shared" / "index-selection"

_SIZE = re.compile(r"(\d+) (\d+) # \[(.*)\]")
_COMBINATION = re.compile(r"set indexes_per_combination\[(\d+)\]:= ([\d ]*);")
_COST = re.compile(r"(\d+) (\d+) (\S+)")
_QUERIES = re.compile(r"set QUERIES := ([\d ]+);")


@dataclass
class Costs:
    """The arguments of ``select`` with the numbers of the file."""

    sizes: dict[int, int] = field(default_factory=dict)
    combinations: dict[int, tuple[int, ...]] = field(default_factory=dict)
    costs: dict[tuple[int, int], float] = field(default_factory=dict)
    columns: dict[int, tuple[str, ...]] = field(default_factory=dict)


def load_costs(path: Path) -> Costs:
    """Return the costs of the queries in ``set QUERIES``; the file also has costs of others, which are errors."""
    loaded, queries = Costs(), set[int]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if found := _SIZE.fullmatch(line):
            loaded.sizes[int(found[1])] = int(found[2])
            loaded.columns[int(found[1])] = tuple(found[3].replace("'", "").split(", "))
        elif found := _COMBINATION.fullmatch(line):
            loaded.combinations[int(found[1])] = tuple(int(index) for index in found[2].split())
        elif found := _QUERIES.fullmatch(line):
            queries = {int(query) for query in found[1].split()}
        elif (found := _COST.fullmatch(line)) and int(found[1]) in queries:
            loaded.costs[int(found[1]), int(found[2])] = float(found[3])
    return loaded
