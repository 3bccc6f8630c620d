"""The cases of a rule: what it must say of a state, and where it must say nothing.

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

An edge is of a case that fires: with the first of two values the rule fires still, with the second it is silent. Or it is
of any case, with other values, and what the rule says then: of that what is mentioned is compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from advisor import documents
from advisor.catalogue.rules import Rule
from advisor.catalogue.sources import all_sources
from advisor.errors import UserError, nearest
from advisor.judge.advice import Advice, Recommendation
from advisor.judge.many import judge
from advisor.judge.observed import Observed
from advisor.judge.states import observed, settled, state_of

FIRES, SILENT, EDGES = "fires", "silent", "edges"

_SCHEMA = Path(__file__).with_name("cases.schema.json")
_SHORT = {*documents.schema_in(_SCHEMA)["$defs"]["case"]["properties"]}
_MOST_MB = 4

Case = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """How a rule did in a case: what differs from what is expected, in words."""

    kind: str
    name: str
    differences: list[str]


def check(rule: Rule, path: Path) -> list[Outcome]:
    """Judge each case of a file by the rule alone. Raises UserError with one line for a file that holds no cases."""
    cases = read_cases(path)
    advice = judge([(_state(case, path.name), [rule]) for _, case in cases])
    return [
        Outcome(kind, case["name"], differences(kind, case, said))
        for (kind, case), said in zip(cases, advice, strict=True)
    ]


def read_cases(path: Path) -> list[tuple[str, Case]]:
    """The cases of a file, each with what the rule must do. Raises UserError with one line that says what is wrong."""
    if not path.is_file():
        raise UserError(f"{path}: no such file; the cases of a rule stand beside it")
    document = documents.from_yaml(documents.content(path, _MOST_MB, "cases"), path.name)
    documents.check(document, documents.schema_in(_SCHEMA), path.name)
    cases = [(kind, case) for kind in (FIRES, SILENT) for case in document[kind]]
    try:
        cases += at_edges(document)
    except LookupError as error:
        raise UserError(f"{path.name}: edges: {error.args[0]} is in none of the cases") from None
    for _, case in cases:
        if unknown := next(_unknown(case), None):
            raise UserError(f"{path.name}: {case['name']}: {unknown}")
    return cases


def at_edges(document: dict[str, Any]) -> Iterator[tuple[str, Case]]:
    """The cases that edges are: one in which all values are the last that fire, and of each value one that is beyond.

    Of one that says what to expect it is one case. Raises LookupError with what is in none of the cases.
    """
    cases = {case["name"]: case for kind in (SILENT, FIRES) for case in document.get(kind, ())}
    for edge in document.get(EDGES, ()):
        case = {key: value for key, value in cases[edge["of"]].items() if key not in ("expect", "not_run")}
        case = with_values(case, edge.get("with", {}))
        if "with" in edge:
            says = {"expect": edge["expect"]} if "expect" in edge else {}
            yield FIRES, case | says | {"name": f"{edge['of']}, with {edge['with']}"}
        values = {place: pair for place, pair in edge.items() if place not in ("of", "with", "expect")}
        if values:
            last = with_values(case, {place: fires for place, (fires, _) in values.items()})
            at = ", ".join(f"{place} {fires}" for place, (fires, _) in values.items())
            yield FIRES, last | {"name": f"{edge['of']}, at {at}"}
            for place, (_, beyond) in values.items():
                yield SILENT, with_value(last, place, beyond) | {"name": f"{edge['of']}, at {place} {beyond}"}


def with_value(case: Case, place: str, value: Any) -> Case:
    """A case with another value at a place, such as ``config.sortheap`` or ``tablespace.0.TBSP_USED_PAGES``.

    Without the number of a row it is the value of all rows. Raises LookupError with a place that is not there.
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


def with_values(case: Case, values: dict[str, Any]) -> Case:
    """A case with other values at some places. Raises LookupError with a place that is not there."""
    for place, value in values.items():
        case = with_value(case, place, value)
    return case


def _unknown(case: Case) -> Iterator[str]:
    """Sources and columns that there are not: a state without them would say nothing of the mistake."""
    sources = all_sources()
    for name in case.keys() - _SHORT - sources.keys():
        yield f"there is no {name!r}{nearest(name, [*_SHORT, *sources])}"
    for name in case.keys() & sources.keys():
        known = {column.name for column in sources[name].columns}
        for row in case[name] if isinstance(case[name], list) else []:
            for column in row.keys() - known:
                yield f"{name} has no column {column!r}{nearest(column.upper(), known)}"


def _state(case: Case, file: str) -> Observed:
    try:
        return observed(settled(state_of(case)))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise UserError(f"{file}: {case['name']}: no state can be made of it ({error!r})") from None


def differences(kind: str, case: Case, advice: Advice) -> list[str]:
    """What a rule did not do as its case says, in words; empty where it did all of it."""
    if kind == FIRES and "expect" not in case:
        return (
            [] if _given(advice) else [f"could not run: {reason}" for _, reason in advice.not_run] or ["it is silent"]
        )
    return _fired(advice, case["expect"]) if kind == FIRES else _silent(advice, case.get("not_run"))


def said(advice: Advice) -> list[dict[str, Any]]:
    """What cases compare of each recommendation that is worth to be shown."""
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
        }
        for item in _given(advice)
    ]


def _fired(advice: Advice, expected: list[dict[str, Any]]) -> list[str]:
    found = [f"could not run: {reason}" for _, reason in advice.not_run]
    for number, (have, want) in enumerate(zip_longest(said(advice), expected), 1):
        if have is None:
            found.append(f"expected {number}: nothing is recommended")
        elif want is None:
            found.append(f"not expected: {have}")
        else:
            found += [
                f"expected {number}, {key}: {_listed(key, value)!r}, but it is {have[key]!r}"
                for key, value in want.items()
                if not _as_expected(have[key], _listed(key, value))
            ]
    return found


def _given(advice: Advice) -> list[Recommendation]:
    return [item for item in advice.recommendations if item.superseded_by != "benefit below the floor"]


def _as_expected(have: Any, want: Any) -> bool:
    """Of evidence only what is mentioned is compared."""
    return bool(have.items() >= want.items() if isinstance(want, dict) else have == want)


def _listed(key: str, value: Any) -> Any:
    """A single command as a list of it."""
    return [value] if key in ("action", "undo") and isinstance(value, str) else value


def _silent(advice: Advice, not_run: str | None) -> list[str]:
    reasons, wanted = [reason for _, reason in advice.not_run], [] if not_run is None else [not_run]
    found = [f"not silent: {item.actions}" for item in advice.recommendations]
    if reasons != wanted:
        found.append(f"could not run: {reasons or 'it did'}" + (f", expected {wanted}" if wanted else ""))
    return found
