"""The rules themselves: the list of them, one in full with its SQL, and the options of the site."""

from collections.abc import Mapping

from tabulate import tabulate

from advisor.capture.site import Site
from advisor.catalogue.lanes import all_lanes, lane_of
from advisor.catalogue.options import SITE
from advisor.catalogue.rules import Rule, all_rules
from advisor.errors import UserError, nearest
from advisor.report import text
from advisor.report.output import Paint, plain
from advisor.report.selection import check_areas
from advisor.resources import data_file

LABEL = 12
TITLE_WIDTH = 45  # where a title has less room beside the columns, it goes below them


def known_rule(name: str, rules: Mapping[str, Rule]) -> Rule:
    if name not in rules:
        hint = nearest(name, rules) or "; 'db2tune rules' lists them"
        raise UserError(f"{name}: no such rule{hint}")
    return rules[name]


def listing(areas: tuple[str, ...], width: int, site: Site | None = None) -> str:
    """The rules by their names; below them the files of the site that are none."""
    site = site or Site()
    known = site.rules
    check_areas(areas, known)
    rules = [known[name] for name in sorted(known) if not areas or known[name].fields["area"] in areas]
    rows = [[rule.name, rule.fields["lane"], rule.fields["effect"], rule.fields["judged-by"]] for rule in rules]
    head, *lines = tabulate(rows, headers=["rule", "lane", "effect", "evidence"], tablefmt="plain").splitlines()
    beside = width - len(head) >= TITLE_WIDTH
    report = [f"{head}  title" if beside else head]
    for line, rule in zip(lines, rules, strict=True):
        if beside:
            report += text.wrap(rule.fields["title"], width, f"{line:<{len(head)}}  ")
        else:
            report += [line, *text.wrap(rule.fields["title"], width, " " * 4)]
    lanes = ", ".join(f"{letter} {lane.name.lower()}" for letter, lane in all_lanes().items())
    effects = ", ".join(f"{code} {words}" for code, words in text.EFFECTS.items())
    report += [
        "",
        text.count(len(rules), "rule"),
        *text.wrap(lanes, width, "lane: "),
        *text.wrap(effects, width, "effect: "),
    ]
    for broken in site.own.broken:
        report += text.wrap(f"no rule: {broken.reason}", width, f"{broken.file}: ", " " * 4)
    return "\n".join(report) + "\n"


def entry(name: str, width: int, paint: Paint = plain, rules: Mapping[str, Rule] | None = None) -> str:
    """One of the ``rules`` in full, by default of those of db2tune, or the options of the site."""
    return _site(width) if name == SITE else _rule(known_rule(name, rules or all_rules()), width, paint)


def _rule(rule: Rule, width: int, paint: Paint) -> str:
    fields, lanes = rule.fields, [lane_of(letter) for letter in rule.lanes]
    lines = [paint(line, bold=True) for line in text.wrap(f"{rule.name}: {fields['title']}", width)]
    said = {
        "Why": fields["why"],
        "Applies": fields.get("applies", "everywhere"),
        "Evidence": fields["judged-by"],
        "Claims": "; ".join(claim.said for claim in rule.claims) or "no database time",
        "Needs": fields.get("needs", "nothing in particular"),
        "Not if": fields["not-if"],
        "Lane": " or, where no time is claimed, ".join(dict.fromkeys(lane.name.lower() for lane in lanes)),
        "Severity": fields.get("severity", "medium") if any(lane.by_severity for lane in lanes) else "",
        "Effect": f"{fields['effect']}: {text.EFFECT_MEANINGS[fields['effect']]}",
        "Risk": fields.get("risk", "low"),
        "Excludes": fields.get("exclusive", ""),
        "Yields to": fields.get("yields", ""),
        "Comes after": fields.get("after", ""),
        "See": fields.get("look-at", ""),
        "Note": fields.get("note", ""),
    }
    for label, value in said.items():
        if value:
            lines += text.wrap(value, width, f"{label:<{LABEL}}")
    for source in rule.sources:
        lines += text.wrap(source, width, f"{'Source':<{LABEL}}")
    if rule.thresholds:
        lines += ["", "Thresholds, which a site can set"]
        for threshold in rule.thresholds:
            start = f"  {threshold.name} = {text.number(threshold.value)} [{text.origin(threshold.provenance)}] "
            lines += text.wrap(threshold.why, width, start, " " * LABEL)
    return "\n".join([*lines, "", paint(rule.view, dim=True), rule.select]) + "\n"


def _site(width: int) -> str:
    lines = ["Options of the site"]
    for row in data_file("schema", "site_options"):
        start = (
            f"  {row['NAME']} ({row['TYPE']}, default {row['DEFAULT'] or 'none'}, [{text.origin(row['PROVENANCE'])}]) "
        )
        lines += text.wrap(row["MEANING"], width, start, " " * LABEL)
    return "\n".join(lines) + "\n"
