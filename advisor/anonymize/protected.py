"""The site option ``protected`` without names: the patterns that match the same objects under their new names."""

from collections.abc import Iterator
from typing import Any

from advisor.anonymize.names import Pick
from advisor.anonymize.rows import Rows
from advisor.catalogue.options import MAX_VALUE, SEPARATOR
from advisor.errors import UserError

_KINDS = ("tablespace", "bufferpool", "group", "workload", "host")  # their names are names of objects of advice
_WHOLE = ("host",)  # kinds that a prefix does not match


class Protected:
    """Translates patterns for the names of a capture."""

    def __init__(self, rows: Rows, database: dict[str, Any], pick: Pick) -> None:
        self._rows = rows
        self._pick = pick
        self._owners = {"database": database["name"], "instance": database["instance"]}

    def patterns(self, text: str) -> str:
        """Return patterns for the same objects; empty if the capture has none of them."""
        found = dict.fromkeys(
            new for pattern in text.split(SEPARATOR) if pattern for new in self._find_matches(pattern)
        )
        joined = SEPARATOR.join(found)
        if len(joined.encode()) > MAX_VALUE:
            raise UserError(
                f"option site.protected matches too many objects to be written without their names ({len(found)});"
                " remove it from the manifest first"
            )
        return joined

    def _find_matches(self, pattern: str) -> Iterator[str]:
        star = "*" if pattern.endswith("*") else ""
        for kind in _KINDS:
            for name in self._rows.names(kind):
                if name == pattern or (kind not in _WHOLE and _matches(name, pattern)):
                    yield self._pick(kind, name) + star
        yield from self._tables(pattern, star)
        yield from self._settings(pattern, star)

    def _tables(self, pattern: str, star: str) -> Iterator[str]:
        for schema in self._rows.names("schema"):
            if star and _matches(f"{schema}.", pattern):
                yield f"{self._pick('schema', schema)}.*"
            elif pattern.startswith(f"{schema}."):
                for name in self._rows.tables(schema):
                    if _matches(f"{schema}.{name}", pattern):
                        yield f"{self._pick('schema', schema)}.{self._pick('table', name)}{star}"

    def _settings(self, pattern: str, star: str) -> Iterator[str]:
        """Return patterns for a database or an instance, or one of its settings: ``SALES LOGPRIMARY``."""
        for kind, name in self._owners.items():
            if name == pattern:
                yield self._pick(kind, name)
            elif pattern.startswith(f"{name} "):
                for setting in self._rows.names("parameter"):
                    if _matches(f"{name} {setting.upper()}", pattern):
                        yield f"{self._pick(kind, name)} {self._pick('parameter', setting).upper()}"


def _matches(name: str, pattern: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern
