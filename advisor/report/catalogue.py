"""The rules themselves: the list of them, one in full with its SQL, and the options of the site."""

from collections.abc import Callable, Mapping
from typing import Any

from tabulate import tabulate

from advisor.capture.site import Site
from advisor.catalogue.lanes import lane_of
from advisor.catalogue.options import SITE, numbers_of
from advisor.catalogue.rules import Rule, all_rules
from advisor.errors import UserError, suggest_nearest
from advisor.judgement.advice import Recommendation
from advisor.report import text
from advisor.report.confirm import queries
from advisor.report.output import Paint, plain
from advisor.report.selection import check_areas
from advisor.report.values import head
from advisor.resources import data_file

LABEL = 12
TITLE_WIDTH = 45  # a title with less room next to the columns moves below them


def find_rule(name: str, rules: Mapping[str, Rule]) -> Rule:
    if name not in rules:
        hint = suggest_nearest(name, rules) or "; 'db2tune rules' lists them"
        raise UserError(f"{name}: no such rule{hint}")
    return rules[name]


def listing(areas: tuple[str, ...], width: int, site: Site | None = None) -> str:
    """Return the rules by name, then the files of the site that are not rules."""
    site = site or Site()
    known = site.rules
    check_areas(areas, known)
    rules = [known[name] for name in sorted(known) if not areas or known[name].area in areas]
    rows = [[rule.name, lane_words(rule), rule.header["takes_effect"], rule.judged_by] for rule in rules]
    head, *lines = tabulate(rows, headers=["rule", "lane", "takes effect", "evidence"], tablefmt="plain").splitlines()
    beside = width - len(head) >= TITLE_WIDTH
    report = [f"{head}  title" if beside else head]
    for line, rule in zip(lines, rules, strict=True):
        if beside:
            report += text.wrap(rule.title, width, f"{line:<{len(head)}}  ")
        else:
            report += [line, *text.wrap(rule.title, width, " " * 4)]
    report += ["", text.count(len(rules), "rule")]
    for broken in site.own.broken:
        report += text.wrap(f"no rule: {broken.reason}", width, f"{broken.file}: ", " " * 4)
    return "\n".join(report) + "\n"


def entry(name: str, width: int, paint: Paint = plain, rules: Mapping[str, Rule] | None = None) -> str:
    """Describe one of ``rules`` in full, by default of db2tune's, or the options of the site."""
    return _site(width) if name == SITE else _rule(find_rule(name, rules or all_rules()), width, paint)


def as_json(name: str | None, areas: tuple[str, ...], site: Site | None = None) -> str:
    """Return the rules, one rule with its SQL, or the options of the site as JSON."""
    site = site or Site()
    found: dict[str, Any]
    if name == SITE:
        options = [{key.lower(): value for key, value in row.items()} for row in data_file("schema", "site_options")]
        found = {"options": options}
    elif name is not None:
        found = {"rules": [_describe_in_full(find_rule(name, site.rules))]}
    else:
        check_areas(areas, site.rules)
        chosen = [site.rules[each] for each in sorted(site.rules)]
        found = {
            "rules": [_describe(rule) for rule in chosen if not areas or rule.area in areas],
            "broken": [{"file": broken.file, "reason": broken.reason} for broken in site.own.broken],
        }
    return text.json_text({**head(), **found})


def _describe(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.name,
        "area": rule.area,
        "title": rule.title,
        "lane": lane_words(rule),
        "takes_effect": rule.header["takes_effect"],
        "evidence": rule.judged_by,
    }


def _describe_in_full(rule: Rule) -> dict[str, Any]:
    return {
        **_describe(rule),
        "why": rule.why,
        "applies": format_conditions(rule),
        "claims": [claim.description for claim in rule.claims],
        "needs": rule.get_list("needs"),
        "not_if": rule.not_if,
        "severity": rule.severity,
        "effect": rule.effect,
        "risk": rule.risk,
        "excludes": rule.exclusive,
        "defers_to": defers_to_text(rule),
        "after": rule.get_list("after"),
        "note": rule.note,
        "confirm": queries(rule.query),
        "sources": rule.sources,
        "thresholds": [
            {
                "name": option.shown,
                "value": option.number,
                "origin": text.origin(option.provenance),
                "meaning": option.meaning,
            }
            for option in numbers_of(rule)
        ],
        "sql": rule.select,
    }


def lane_words(rule: Rule) -> str:
    """Name the lane of a finding with a claim and, after a slash, the lane of one without."""
    return "/".join(dict.fromkeys(lane_of(letter).name.lower() for letter in rule.lanes))


def format_conditions(rule: Rule) -> str:
    """Name the systems that a rule judges."""
    words: dict[str, Callable[[Any], str]] = {
        "workload": lambda kinds: f"{' or '.join(kinds)} workloads",
        "topology": lambda kind: kind if " " in kind else f"topology {kind}",
        "not": lambda kinds: f"not {' or '.join(kinds)}",
        "from": lambda level: f"from Db2 {level}",
        "to": lambda level: f"up to Db2 {level}",
        "platform": " or ".join,
        "guest": lambda _: "in a virtual machine",
        "quiet": lambda _: "while no utility runs",
    }
    return "; ".join(words[key](value) for key, value in rule.applies.items()) or "everywhere"


def defers_to_text(rule: Rule) -> str:
    """Name the rules that a rule defers to."""
    scopes = {"object": "on the same object", "pool": "in the same buffer pool", "host": "on the same host", "any": ""}
    parts = (
        [other["rule"], scopes[other["within"]], "if larger" if other.get("only_if_larger") else ""]
        for other in rule.get_list("defers_to")
    )
    return ", ".join(" ".join(filter(None, part)) for part in parts)


def list_confirming_queries(
    query: str | None,
    paint: Paint = plain,
    database: Mapping[str, Any] | None = None,
    item: Recommendation | None = None,
) -> list[str]:
    """Return the lines with the queries that confirm a finding."""
    found = queries(query, database, item)
    return [f"{'' if n else 'Confirm':<{LABEL}}{paint(part, fg='cyan')}" for n, part in enumerate(found)]


def _rule(rule: Rule, width: int, paint: Paint) -> str:
    lanes = [lane_of(letter) for letter in rule.lanes]
    lines = [paint(line, bold=True) for line in text.wrap(f"{rule.name}: {rule.title}", width)]
    said = {
        "Why": rule.why,
        "Applies": format_conditions(rule),
        "Evidence": rule.judged_by,
        "Claims": "; ".join(claim.description for claim in rule.claims) or "no database time",
        "Needs": ", ".join(rule.get_list("needs")) or "nothing in particular",
        "Not if": rule.not_if,
        "Lane": " or, if no time is claimed, ".join(dict.fromkeys(lane.name.lower() for lane in lanes)),
        "Severity": rule.severity if any(lane.by_severity for lane in lanes) else "",
        "Effect": text.EFFECT_MEANINGS[rule.effect],
        "Risk": rule.risk,
        "Excludes": rule.exclusive,
        "Defers to": defers_to_text(rule),
        "Comes after": ", ".join(rule.get_list("after")),
        "Note": rule.note,
    }
    for label, value in said.items():
        if value:
            lines += text.wrap(value, width, f"{label:<{LABEL}}")
    lines += list_confirming_queries(rule.query, paint)
    for source in rule.sources:
        lines += text.wrap(source, width, f"{'Source':<{LABEL}}")
    if numbers := numbers_of(rule):
        lines += ["", "Thresholds, which a site can set"]
        for option in numbers:
            start = f"  {option.shown} = {text.number(option.number)} [{text.origin(option.provenance)}] "
            lines += text.wrap(option.meaning, width, start, " " * LABEL)
    return "\n".join([*lines, "", paint(rule.procedure, dim=True), rule.select]) + "\n"


def _site(width: int) -> str:
    lines = ["Options of the site"]
    for row in data_file("schema", "site_options"):
        start = (
            f"  {row['NAME']} ({row['TYPE']}, default {row['DEFAULT'] or 'none'}, [{text.origin(row['PROVENANCE'])}]) "
        )
        lines += text.wrap(row["MEANING"], width, start, " " * LABEL)
    return "\n".join(lines) + "\n"
