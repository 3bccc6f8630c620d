"""The cases of a rule: states in which it must report something, and states in which it must be silent.

fires:
  - name: the class is 3
    config: {dft_queryopt: 3}
    expect: [{action: UPDATE DB CFG FOR SAMPLE USING DFT_QUERYOPT 5, undo: UPDATE DB CFG FOR SAMPLE USING DFT_QUERYOPT 3}]
silent:
  - name: it is as it should be
edges:
  - of: the class is 3
    config.dft_queryopt: [4, 5]
  - of: the class is 3
    with: {config.dft_queryopt: 0}
    expect: [{benefit: 2.5}]

An edge belongs to a case that fires: the rule still fires with the first of two values, and is silent with the second.
Or it changes values of any case and gives the expected result. A comparison covers only the listed keys.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from advisor import documents
from advisor.catalogue.rules import Rule
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError, suggest_nearest
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.observed import Observed
from advisor.judgement.run import evaluate
from advisor.judgement.states import observe_state, settle_state, state_of

FIRES, SILENT, EDGES = "fires", "silent", "edges"

_SCHEMA = Path(__file__).with_name("cases.schema.json")
_SHORT = {*documents.schema_in(_SCHEMA)["$defs"]["case"]["properties"]}
_MOST_MB = 4

Case = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The result of a case: sentences about differences between expected and actual advice."""

    kind: str
    name: str
    differences: list[str]


def check(rule: Rule, path: Path) -> list[Outcome]:
    """Judge each case of a file with only this rule. Raise UserError if the file contains no cases."""
    cases = read_cases(path)
    return [
        Outcome(kind, case["name"], find_differences(kind, case, evaluate(_state(case, path.name), [rule])))
        for kind, case in cases
    ]


def read_cases(path: Path) -> list[tuple[str, Case]]:
    """Return the cases of a file, each with its kind. Raise UserError if the file is invalid."""
    if not path.is_file():
        raise UserError(f"{path}: no such file; put the cases next to the rule")
    document = documents.from_yaml(documents.content(path, _MOST_MB, "cases"), path.name)
    documents.check(document, documents.schema_in(_SCHEMA), path.name)
    cases = [(kind, case) for kind in (FIRES, SILENT) for case in document[kind]]
    try:
        cases += make_edge_cases(document)
    except LookupError as error:
        raise UserError(f"{path.name}: edges: no case contains {error.args[0]}") from None
    for _, case in cases:
        if unknown := next(_unknown(case), None):
            raise UserError(f"{path.name}: {case['name']}: {unknown}")
    return cases


def make_edge_cases(document: dict[str, Any]) -> Iterator[tuple[str, Case]]:
    """Yield the cases of the edges: one with all values at their last firing value, and one beyond each value.

    An edge with an expected result is one case. Raise LookupError with a name or location that no case contains.
    """
    cases = {case["name"]: case for kind in (SILENT, FIRES) for case in document.get(kind, ())}
    for edge in document.get(EDGES, ()):
        case = {key: value for key, value in cases[edge["of"]].items() if key not in ("expect", "not_run")}
        case = set_values(case, edge.get("with", {}))
        if "with" in edge:
            says = {"expect": edge["expect"]} if "expect" in edge else {}
            yield FIRES, case | says | {"name": f"{edge['of']}, with {edge['with']}"}
        values = {place: pair for place, pair in edge.items() if place not in ("of", "with", "expect")}
        if values:
            last = set_values(case, {place: fires for place, (fires, _) in values.items()})
            at = ", ".join(f"{place} {fires}" for place, (fires, _) in values.items())
            yield FIRES, last | {"name": f"{edge['of']}, at {at}"}
            for place, (_, beyond) in values.items():
                yield SILENT, set_value(last, place, beyond) | {"name": f"{edge['of']}, at {place} {beyond}"}


def set_value(case: Case, place: str, value: Any) -> Case:
    """Change the value at a location, such as ``config.sortheap`` or ``tablespace.0.TBSP_USED_PAGES``.

    Without a row number, change all rows. Raise LookupError with a location that does not exist.
    """
    first, _, rest = place.partition(".")
    here = case.get(first)
    if here is None or ((rest or not isinstance(value, list)) and bool(rest) != isinstance(here, list | dict)):
        raise LookupError(place)
    if not rest:
        return case | {first: value}
    if isinstance(here, dict):
        return case | {first: here | {rest: value}}
    number, _, column = rest.partition(".") if rest[0].isdigit() else ("", "", rest)
    rows = [row | {column: value} if number in ("", str(n)) else row for n, row in enumerate(here)]
    return case | {first: rows}


def set_values(case: Case, values: dict[str, Any]) -> Case:
    """Change the values at several locations. Raise LookupError with a location that does not exist."""
    for place, value in values.items():
        case = set_value(case, place, value)
    return case


def _unknown(case: Case) -> Iterator[str]:
    """Yield unknown sources and columns, which a state would otherwise ignore."""
    sources = all_sources()
    for name in case.keys() - _SHORT - sources.keys():
        yield f"{name!r} does not exist{suggest_nearest(name, [*_SHORT, *sources])}"
    for name in case.keys() & sources.keys():
        known = {column.name for column in sources[name].columns}
        for row in case[name] if isinstance(case[name], list) else []:
            for column in row.keys() - known:
                yield f"{name} has no column {column!r}{suggest_nearest(column.upper(), known)}"


def _state(case: Case, file: str) -> Observed:
    try:
        return observe_state(settle_state(state_of(case)))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise UserError(f"{file}: {case['name']}: cannot be turned into a state ({error!r})") from None


def find_differences(kind: str, case: Case, advice: Advice) -> list[str]:
    """Return the differences between a case and the advice, as sentences."""
    if kind == FIRES and "expect" not in case:
        return (
            []
            if _select_recommendations(advice)
            else [f"could not run: {reason}" for _, reason in advice.not_run] or ["it is silent"]
        )
    return _check_fired(advice, case["expect"]) if kind == FIRES else _check_silent(advice, case.get("not_run"))


def list_compared_values(advice: Advice) -> list[dict[str, Any]]:
    """Return the values that cases compare, for each recommendation above the minimum benefit."""
    return [
        {
            "object": f"{item.object_type} {item.object_name}",
            "member": item.member,
            "lane": item.lane,
            "action": item.actions,
            "undo": item.undo,
            "benefit": round(item.benefit, 1),
            "range": [round(item.benefit_low, 1), round(item.benefit_high, 1)],
            "confidence": round(item.confidence, 2),
            "memory_kb": item.memory_delta_kb,
            "finding": item.finding,
            "evidence": item.evidence,
            "effect": item.effect,
        }
        for item in _select_recommendations(advice)
    ]


def _check_fired(advice: Advice, expected: list[dict[str, Any]]) -> list[str]:
    found = [f"could not run: {reason}" for _, reason in advice.not_run]
    for number, (have, want) in enumerate(zip_longest(list_compared_values(advice), expected), 1):
        if have is None:
            found.append(f"expected {number}: nothing is recommended")
        elif want is None:
            found.append(f"not expected: {have}")
        else:
            found += [
                f"expected {number}, {key}: {_as_list(key, value)!r}, got {have[key]!r}"
                for key, value in want.items()
                if not _matches(have[key], _as_list(key, value))
            ]
    return found


def _select_recommendations(advice: Advice) -> list[Recommendation]:
    return [item for item in advice.recommendations if item.superseded_by != "benefit below the floor"]


def _matches(have: Any, want: Any) -> bool:
    """Return whether a value matches; evidence is compared only for the listed names."""
    return bool(have.items() >= want.items() if isinstance(want, dict) else have == want)


def _as_list(key: str, value: Any) -> Any:
    """Return a single command as a list."""
    return [value] if key in ("action", "undo") and isinstance(value, str) else value


def _check_silent(advice: Advice, not_run: str | None) -> list[str]:
    reasons, wanted = [reason for _, reason in advice.not_run], [] if not_run is None else [not_run]
    found = [f"not silent: {item.actions}" for item in advice.recommendations]
    if reasons != wanted:
        found.append(f"could not run: {reasons or 'it did'}" + (f", expected {wanted}" if wanted else ""))
    return found
