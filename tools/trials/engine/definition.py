"""Indexes of the proof, as PostgreSQL creates them."""

from dataclasses import dataclass

from advisor.indexes.shapes import Candidate


@dataclass(frozen=True, order=True)
class Definition:
    """An index: its table and its key columns, each with DESC if it is descending."""

    table: str
    columns: tuple[str, ...]

    @classmethod
    def from_candidate(cls, candidate: Candidate) -> "Definition":
        """Return a candidate of db2tune with the names of PostgreSQL."""
        keys = [key.column.lower() + (" DESC" if key.descending else "") for key in candidate.keys]
        return cls(candidate.table.lower(), (*keys, *(name.lower() for name in candidate.include)))

    @property
    def name(self) -> str:
        """Return a name that no other definition has."""
        return "i_" + "_".join((self.table, *(column.replace(" DESC", "_d") for column in self.columns)))[:58]

    @property
    def on(self) -> str:
        """Return the table and columns in the syntax of CREATE INDEX."""
        return f"{self.table} ({', '.join(self.columns)})"
