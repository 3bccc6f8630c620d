"""A machine state as CSV files, one for each view of a source, one after the other."""

import csv
import io

from tests.imports.printers.listing import HOLDS, shown
from tests.support.states import State

__all__ = ["HOLDS", "printed"]


def printed(state: State, delimiter: str = ",", newline: str = "\n") -> str:
    """Return the CSV files of a state; a NULL is an empty cell."""
    result = io.StringIO()
    writer = csv.writer(result, delimiter=delimiter, lineterminator=newline)
    for source in HOLDS:
        for pairs in shown(source).values():
            writer.writerow([name for name, _ in pairs])
            writer.writerows([row.get(column.name) for _, column in pairs] for row in state.sources.get(source, []))
            result.write(newline)
    return result.getvalue()
