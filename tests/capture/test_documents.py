"""Documents checked against a schema: any error is one line with the location and the expected value."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import advisor
from advisor import documents
from advisor.errors import UserError

SCHEMAS = [documents.schema_in(path) for path in sorted(Path(advisor.__file__).parent.glob("*/*.schema.json"))]
SECRET = "hunter2"
PLACE: documents.Schema = {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}}


def keys_of(schema: Any) -> set[str]:
    """Return every name that a schema contains, so that made-up documents come close to it."""
    if isinstance(schema, dict):
        return set(schema.get("properties", {})).union(*map(keys_of, schema.values()))
    return set().union(*map(keys_of, schema)) if isinstance(schema, list) else set()


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.just(SECRET) | st.text()
KEYS = st.sampled_from(sorted(set().union(*map(keys_of, SCHEMAS)))) | st.text()
DOCUMENTS = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema["title"])
@settings(max_examples=50)
@given(document=st.dictionaries(KEYS, DOCUMENTS) | DOCUMENTS)
def test_a_fault_is_one_line_and_keeps_a_secret(schema: documents.Schema, document: Any) -> None:
    with suppress(UserError):
        documents.check(document, schema, "f.json", secret=True)
        return  # valid by chance
    with pytest.raises(UserError) as caught:
        documents.check(document, schema, "f.json", secret=True)
    message = str(caught.value)
    assert message.startswith("f.json: ")
    assert message.isprintable()
    assert SECRET not in message or SECRET in repr(keys_in(document))


def keys_in(document: Any) -> list[str]:
    if isinstance(document, dict):
        return [*document, *(key for value in document.values() for key in keys_in(value))]
    return [key for value in document for key in keys_in(value)] if isinstance(document, list) else []


@pytest.mark.parametrize(
    ("name", "document", "message"),
    [
        ("f.json", {"a": [1, "x"]}, "f.json: a[1]: must be a whole number, not 'x'"),
        ("f.toml", {"a": {}}, "f.toml: a: must be a list, not a table"),
        ("f.json", {"a": {}}, "f.json: a: must be a list, not an object"),
        ("f.json", {"a b\n": True}, 'f.json: "a b\\n": must be a list, not true'),
        ("f.json", [], "f.json: the file: must be an object, not a list"),
    ],
)
def test_fault_names_place_and_expected_value(name: str, document: Any, message: str) -> None:
    with pytest.raises(UserError) as caught:
        documents.check(document, PLACE, name)
    assert str(caught.value) == message


def test_a_date_of_toml_is_its_text() -> None:
    assert documents.from_toml("day = 2027-06-30\nlist = [{at = 10:00:00}]", "f.toml") == {
        "day": "2027-06-30",
        "list": [{"at": "10:00:00"}],
    }


@pytest.mark.parametrize("text", ["NaN", "[1, -Infinity]", "1e400", '"\\ud800"', '{"a": "\\udc00x"}', "9" * 5000])
def test_json_with_unrepresentable_values_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="x: not valid JSON"):
        documents.from_json(text, "x", "write it again")


def test_characters_that_are_escaped_as_two_halves_are_whole() -> None:
    assert documents.from_json('"\\ud83d\\ude00"', "x", "") == "\U0001f600"


def test_a_pattern_ends_where_the_text_ends() -> None:
    schema = {"type": "string", "pattern": "^[0-9]+$"}
    documents.check("1", schema, "x")
    with pytest.raises(UserError, match="must be a text that matches"):
        documents.check("1\n", schema, "x")
