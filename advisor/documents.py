"""Input files in JSON, TOML and YAML, checked against a JSON schema.

Every fault raises UserError with one line: the file, the location in it and the allowed values. The schema's
``description`` of a value, if any, describes the allowed values. Dates in TOML and YAML become text in ISO 8601.
"""

import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.errors import UserError, suggest_nearest_or_all

if TYPE_CHECKING:
    from jsonschema import ValidationError

Schema = Mapping[str, Any]

LONGEST = 60  # characters of a value or name in messages
_BARE = re.compile(rf"[\w-]{{1,{LONGEST}}}", re.ASCII)
_NAMES = {
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def content(path: Path, most_mb: int, what: str) -> bytes:
    """Return the content of a file. Raise UserError if it has more than ``most_mb`` MB; ``what`` describes the file."""
    if path.stat().st_size > most_mb << 20:
        raise UserError(f"{path.name}: more than {most_mb} MB; this is not a file of {what}")
    return path.read_bytes()


def from_json(text: str | bytes, name: str, remedy: str) -> Any:
    """Return a JSON document. ``name`` is the file and ``remedy`` the advice in messages."""
    try:
        decoded = _decode(text, name)
        document = json.loads(decoded, parse_constant=_reject_number, parse_float=_finite)
        if "\\u" in decoded:  # reject lone surrogates, which only escapes can express
            json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise UserError(f"{name}: not valid JSON ({error}); {remedy}") from None
    return document


def _reject_number(word: str) -> float:
    raise ValueError(f"{word} is not a number")


def _finite(text: str) -> float:
    return float(text) if math.isfinite(float(text)) else _reject_number(text[:LONGEST])


def from_toml(text: str | bytes, name: str) -> dict[str, Any]:
    """Return a TOML document."""
    try:
        return {key: _to_json_value(value) for key, value in tomllib.loads(_decode(text, name)).items()}
    except (ValueError, RecursionError) as error:
        raise UserError(f"{name}: not valid TOML ({error})") from None


def from_yaml(text: str | bytes, name: str) -> Any:
    """Return a YAML document."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # without libyaml: same result, ten times slower
    try:
        return _to_json_value(yaml.load(_decode(text, name), loader))
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        raise UserError(f"{name}: not valid YAML ({line}{error.problem})") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"{name}: not valid YAML ({' '.join(str(error).split())})") from None


@cache
def schema_in(path: Path) -> Schema:
    """Return the JSON schema in a file of the product."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def check(document: Any, schema: Schema, name: str, secret: bool = False, whole: str = "the file") -> None:
    """Raise UserError for the first fault of a document. Messages call it ``whole``, and omit ``secret`` values."""
    from jsonschema import Draft202012Validator, FormatChecker, validators
    from jsonschema.exceptions import best_match

    _check_version(document, schema, name)
    validator = validators.extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]
    fault = best_match(validator(schema, format_checker=FormatChecker(["date"])).iter_errors(document))
    if fault is not None:
        table = "a table" if name.endswith(".toml") else "an object"
        raise UserError(f"{name}: {place(fault.absolute_path) or whole}: {_describe_fault(fault, table, secret)}")


def _pattern(_: Any, pattern: str, text: Any, __: Schema) -> "Iterator[ValidationError]":
    """Match patterns up to the end of the text. Python's $ would allow a line feed after it."""
    from jsonschema import ValidationError

    if isinstance(text, str) and re.search(re.sub(r"\$\Z", r"\\Z", pattern), text) is None:
        yield ValidationError(f"does not match {pattern}")


def place(path: Iterable[str | int]) -> str:
    """Return a location in a document as text, such as ``database[0].fail_on``. Quote all but plain words."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            word = part if _BARE.fullmatch(part) else json.dumps(part[:LONGEST])
            text += f".{word}" if text else word
    return text


def _decode(text: str | bytes, name: str) -> str:
    try:
        return text.decode("utf-8") if isinstance(text, bytes) else text
    except UnicodeDecodeError:
        raise UserError(f"{name}: not UTF-8 text") from None


def _to_json_value(value: Any) -> Any:
    """Return the JSON equivalent of a TOML or YAML value."""
    if isinstance(value, dict):
        return {str(key): _to_json_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_to_json_value(item) for item in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def _check_version(document: Any, schema: Schema, name: str) -> None:
    """Raise UserError if a later db2tune wrote the document."""
    known = schema.get("properties", {}).get("schema", {}).get("const")
    given = document.get("schema") if isinstance(document, dict) else None
    if known is not None and isinstance(given, int) and given > known:
        raise UserError(f"{name}: schema {given} is newer than the schema of this db2tune ({known}); upgrade db2tune")


def _describe_fault(fault: "ValidationError", table: str, secret: bool) -> str:
    given: Any = fault.instance
    schema: Any = fault.schema
    if fault.validator == "additionalProperties":
        known = list(schema.get("properties", {}))
        unknown = min(key for key in given if key not in known)
        return f"there is no {unknown[:LONGEST]!r}{suggest_nearest_or_all(unknown, known)}"
    if fault.validator == "required":
        return f"{next(key for key in schema['required'] if key not in given)} is missing"
    wanted = schema.get("description") or _describe_allowed(str(fault.validator), fault.validator_value, table)
    return f"must be {wanted}{'' if secret else f', not {_show_value(given, table)}'}"


def _describe_allowed(keyword: str, allowed: Any, table: str) -> str:
    """Describe the values that a JSON schema keyword allows."""
    if keyword == "type":
        kinds = [allowed] if isinstance(allowed, str) else allowed
        return " or ".join(_NAMES.get(kind, table) for kind in kinds)
    if keyword == "enum":
        return f"one of {', '.join(json.dumps(value).strip(chr(34)) for value in allowed)}"
    words = {
        "const": f"{allowed}",
        "format": f"a {allowed} in ISO 8601",
        "maxItems": f"a list with at most {allowed} entries",
        "maxLength": f"at most {allowed} characters long",
        "maximum": f"{allowed} or less",
        "minItems": f"a list with at least {'one entry' if allowed == 1 else f'{allowed} entries'}",
        "minLength": "a text that is not empty",
        "minimum": f"{allowed} or more",
        "pattern": f"a text that matches {allowed}",
    }
    return words[keyword]


def _show_value(value: Any, table: str) -> str:
    if isinstance(value, dict | list):
        return table if isinstance(value, dict) else "a list"
    return repr(value[:LONGEST]) if isinstance(value, str) else json.dumps(value)
