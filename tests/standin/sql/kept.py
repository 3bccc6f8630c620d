"""A cache of compiled SQL for the process: a text keeps its meaning as long as all its names keep theirs.

The cache stores each result with the questions that the compiler asked and the answers that it got. Before a result is
reused, the current session answers the same questions. So a changed object needs no invalidation, and servers share
compiled statements.
"""

import pickle
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from tests.standin import results
from tests.standin.api import Compiled, Names, Relation, Scope
from tests.standin.errors import Db2Error
from tests.standin.types import Column, SqlType

_MOST = 4  # of one text: as many databases, levels or variables of other types
_compiled: dict[tuple[Hashable, ...], list["_Known"]] = {}


@dataclass
class Asked:
    """Names and Scope that note every question with its answer."""

    names: Names
    scope: Scope | None
    answers: dict[tuple[str, tuple[Any, ...]], Any] = field(default_factory=dict)

    def relation(self, schema: str | None, name: str) -> Relation:
        return self._noted("relation", schema, name)

    def table_function(self, schema: str | None, name: str, arguments: int) -> Relation:
        return self._noted("table_function", schema, name, arguments)

    def variable(self, schema: str | None, name: str) -> tuple[Column, str] | None:
        return self._noted("variable", schema, name)

    def sequence(self, schema: str | None, name: str) -> tuple[SqlType, str]:
        return self._noted("sequence", schema, name)

    def register(self, name: str) -> tuple[Column, str] | None:
        return self._noted("register", name)

    def mode(self, name: str) -> bool:
        return self._noted("mode", name)

    def written(self, kind: SqlType) -> SqlType:
        return self._noted("written", kind)

    def declared(self, qualifier: str | None, name: str) -> Column | None:
        return self._noted("declared", qualifier, name)

    def value(self, qualifier: str | None, name: str) -> Any:
        raise NotImplementedError("compiling needs no values")

    def _noted(self, question: str, *about: Any) -> Any:
        answer = self.answers[question, about] = _ask(self.names, self.scope, question, about)
        return answer


@dataclass(frozen=True)
class _Known:
    answers: dict[tuple[str, tuple[Any, ...]], Any]
    compiled: Compiled

    def holds(self, names: Names, scope: Scope | None) -> bool:
        try:
            return all(_ask(names, scope, *asked) == answer for asked, answer in self.answers.items())
        except Db2Error:  # an object is missing: the compiler names the first one
            return False


def everything() -> bytes:
    """Return all that is known, for another process."""
    return pickle.dumps((_compiled, results.known))


def learn(known: bytes) -> None:
    """Know what another process of the same program knew."""
    compiled, known = pickle.loads(known)
    for key, some in compiled.items():
        _compiled.setdefault(key, some)
    results.known.update(known)


def _ask(names: Names, scope: Scope | None, question: str, about: tuple[Any, ...]) -> Any:
    return getattr(scope if question == "declared" else names, question)(*about)


def compiled(
    what: Callable[..., Compiled], text: str, names: Names, scope: Scope | None, *others: Hashable
) -> Compiled:
    """Return the stored result if all answers are the same, else compile the text. Errors are not stored."""
    known = _compiled.setdefault((what, text, scope is None, *others), [])
    for one in known:
        if one.holds(names, scope):
            return one.compiled
    asked = Asked(names, scope)
    found = what(text, asked, None if scope is None else asked, *others)
    known.insert(0, _Known(asked.answers, found))
    del known[_MOST:]
    return found
