"""The query for the identity of a server, on the fake server."""

import pytest

from advisor.catalogue.sqltext import statement_of
from tests.standin.backend import OWNER, PASSWORD, Backend
from tests.standin.machine.identity import Identity
from tests.support.paths import CAPTURES


@pytest.mark.parametrize(
    ("level", "number"),
    [
        ("v11.5.8.0", 11050800),
        ("v12.1.4.10", 12010410),
        ("v11.5", 11050000),
        ("v11.5.8a.2", 11050002),
        ("v11.5.x.special_1", 11050000),
    ],
)
def test_level_with_text_is_read_without_error(level: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Identity, "service_level", property(lambda _: f"DB2 {level}"))
    backend = Backend.of(CAPTURES / "warehouse-tuned")
    session = backend.connect(backend.database.name, OWNER, PASSWORD)
    assert session is not None
    statement = statement_of("run/scope", "identity")
    result = session.prepare(statement).execute().result
    assert result is not None
    ((_, _, _, _, _, found, _, _),) = result.fetch(1)
    assert found == number
