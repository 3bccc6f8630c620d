"""Words, numbers and lines that every report writes in the same way.

Names, findings and evidence come from the database that was looked at: they are data, and whatever could
steer a terminal is escaped before it is shown.
"""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from itertools import groupby
from typing import Any

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.commands import BY_HAND
from advisor.catalogue.host_items import all_items
from advisor.catalogue.lanes import lane_of
from advisor.catalogue.platforms import HOST, SAID
from advisor.catalogue.rules import Rule, all_rules
from advisor.errors import list_some
from advisor.judgement.advice import Advice, Recommendation, Window
from advisor.resources import data_file

_EFFECTS = data_file("rank", "effects")
EFFECTS = {row["EFFECT"]: row["SHORT"] for row in _EFFECTS}
EFFECT_MEANINGS = {row["EFFECT"]: row["MEANING"] for row in _EFFECTS}
INTERRUPTIONS = {row["EFFECT"]: row["INTERRUPTION"] for row in _EFFECTS}  # in words of everyday
RISK_LEVELS = ("low", "medium", "high")
RISKS = {row["EFFECT"]: row["RISK"] for row in _EFFECTS}  # what a change with this effect has at least
STOPPING = {row["EFFECT"] for row in _EFFECTS if row["STOPS"] == "1"}  # users notice them
_CONSEQUENCES = {row["SEVERITY"]: row["CONSEQUENCE"] for row in data_file("rank", "severities")}

_OBJECTS = {"TABLESPACE": "table space", "BUFFERPOOL": "buffer pool", "PARTITIONGROUP": "partition group"}

SINGLE = "single"
# What a text can hold, by the source that it fills.
_SEEN = {
    "dbcfg": "database setting",
    "dbmcfg": "instance setting",
    "registry": "registry variable",
    "tablespace": "table space",
    "container": "container",
    "bufferpool": "buffer pool",
    "cat_bufferpool": "pool definition",
    "storage_path": "storage path",
    "transaction_log": "log",
    "hadr": "HADR stream",
    "memory_set": "memory set",
    "statement": "statement",
    "table": "table",
    "unit_of_work": "session",
    "event": "event",
}

_NO_BREAK = "\N{NO-BREAK SPACE}"
_COMMAND = re.compile(r"db2tune [a-z]+(?: --[a-z-]+| [A-Z]{2,})*")

HOW_TO_ANSWER = (
    "To answer: run the script that 'db2tune hostfacts' prints on the host, write the other answers into a TOML"
    " file, and pass both to db2tune advise with --hostfacts or, for advice from inside the database, load them with"
    " 'db2tune hostfacts --load FILE --database DB'."
)


def make_printable(text: str) -> str:
    """Return one line of printable text: escape control, bidirectional and other invisible characters."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


# A number of four digits or more that is a quantity: not part of a name, path or key, and not in the text of a statement.
_QUANTITY = re.compile(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CALL|VALUES)\b.*"
    r"|(?<![\w.,/:=\\'\"#$@-])(?<!pplication )(?<!handle )(?<!number )(?P<number>[0-9]{4,})(?=[\s.,;:)%]|$)",
    re.DOTALL,
)


# One of something in the plural, as templates of rules write it.
_ONE = re.compile(
    r"(?<![\w.,])1 (?P<noun>(?:page |NUMA |kernel |parallel |virtual |database partition )?(?:cleaner|container|core|day|"
    r"deadlock|disk|extent|file|group|hour|index(?=e)|limit|member|node|place|processor|read|row|second|statement|table|"
    r"timeout|wait))e?s\b"
)


def finding(item: Recommendation) -> str:
    """Return the finding of a recommendation, with separators in large numbers."""
    said = _QUANTITY.sub(lambda found: f"{int(found['number']):,}" if found["number"] else found[0], item.finding)
    return make_singular(said)


def make_singular(said: str) -> str:
    """Return prose with the singular after 1."""
    return re.sub(r"(?<![\w.,])1 times\b", "once", _ONE.sub(r"1 \g<noun>", said))


def answers() -> dict[str, str]:
    """Return the line of a TOML file that answers a question to the user."""
    found: dict[str, str] = {}
    for row in data_file("schema", "questions"):
        for item in all_items().values():
            if item.name == row["ITEM"] and item.source != "host":
                found.setdefault(row["QUESTION"], item.toml)
    return found


def percent(value: float) -> str:
    return f"{value:.1f} %"


def spread(item: Recommendation) -> str:
    return f"{item.benefit_low:.1f}..{item.benefit_high:.1f}"


def number(value: float) -> str:
    """Return a threshold or an average without insignificant digits."""
    return f"{value:.0f}" if float(value).is_integer() or abs(value) >= 10_000 else f"{value:.4g}"


def size(kb: float) -> str:
    """Format a size in the unit that fits."""
    for unit in ("KB", "MB"):
        if kb < 1024:
            return f"{kb:.4g} {unit}"
        kb /= 1024
    return f"{kb:.4g} GB"


def memory(kb: int) -> str:
    return f"{'+' if kb > 0 else '-'}{size(abs(kb))} per member"


def guard_of(rule: str) -> Mapping[str, str]:
    """Return the first row of sql/plan/guards.csv whose pattern matches the rule; the last one matches a site's rules."""
    return next(row for row in data_file("plan", "guards") if fnmatchcase(rule, row["RULE"]))


def risk(item: Recommendation) -> str:
    """Return the rule's risk, and at least the risk of the interruption."""
    return max(item.rule.risk, RISKS[item.effect], key=RISK_LEVELS.index)


def describe_risk(item: Recommendation, interruption: str | None = None) -> str:
    """Return the risk with what may go wrong; ``interruption`` is by default the sentence for the effect."""
    own = guard_of(item.rule.name)["RISK"] if item.rule.risk == risk(item) != "low" else ""
    stops = (interruption or INTERRUPTIONS[item.effect].rstrip(".")) if item.effect in STOPPING else ""
    return ": ".join(filter(None, (risk(item), "; ".join(filter(None, (own, stops))))))


def confidence(value: float) -> str:
    return "high" if value >= 0.8 else "medium" if value >= 0.5 else "low"


def severity(item: Recommendation) -> str:
    """Return the severity, or the possible consequence of a condition."""
    word = item.rule.severity
    return _CONSEQUENCES[word] if lane_of(item.lane).grouped else word


def consequence(item: Recommendation) -> str:
    """Describe by the severity what can happen without a change."""
    return _CONSEQUENCES[item.rule.severity]


def title(item: Recommendation) -> str:
    """Return the fault with its object, and a warning if the change did harm before."""
    said = f" (made on {item.harm.made_on}, and did harm)" if item.harm else ""
    return f"{item.rule.title}: {thing(item)}{said}"


def thing(item: Recommendation) -> str:
    """Name the object of a recommendation."""
    return thing_of(item.object_type, item.object_name, item.member)


def thing_of(object_type: str, name: str, member: int | None) -> str:
    """Return an object in words, with its member."""
    of_member = "" if member is None or object_type == "MEMBER" else f", member {member}"
    return f"{kind_of(object_type)} {make_printable(name)}{of_member}"


def ranks(items: Sequence[Recommendation]) -> str:
    """Name the ranks of some recommendations, in order."""
    known = [item.rank or 0 for item in items]
    if len(known) == 1:
        return f"rank {known[0]}"
    if len(known) == 2:
        return f"ranks {known[0]} and {known[1]}"
    if known[-1] - known[0] == len(known) - 1:
        return f"ranks {known[0]} to {known[-1]}"
    return f"ranks {list_some([str(rank) for rank in known], 3)}"


def kind(item: Recommendation) -> str:
    """Name the kind of a recommendation's object."""
    return kind_of(item.object_type)


def kind_of(object_type: str) -> str:
    """Name a type of objects."""
    return _OBJECTS.get(object_type, object_type.lower())


def description(rule: Rule) -> str:
    """Return the command that prints the whole rule, or the file of a site's rule."""
    return f"db2tune rules {rule.name}" if rule.name in all_rules() else rule.path.as_posix()


@cache
def origins() -> dict[str, str]:
    """Describe by provenance the origin of a default of a threshold or option."""
    papers = {row["KEY"]: row["SHORT"] for row in data_file("schema", "papers")}
    return papers | {row["PROVENANCE"]: row["MEANING"] for row in data_file("schema", "provenances")}


def origin(provenance: str) -> str:
    """Return a provenance in words. A site's own provenance is its own text."""
    return origins().get(provenance, provenance)


def describe_acceptance(item: Recommendation) -> str | None:
    """Return who accepted the risk, until when and why, or None."""
    if item.accepted is None:
        return None
    until = f" until {item.accepted.until}" if item.accepted.until else ""
    expired = "expired; " if item.accepted.expired else ""
    return make_printable(f"accepted{until} by {item.accepted.by}: {expired}{item.accepted.reason}")


def explain_suppression(item: Recommendation) -> str:
    """Explain what suppressed a recommendation."""
    return (describe_acceptance(item) if item.superseded_by == "accepted" else None) or item.superseded_by or ""


def change(item: Recommendation) -> str | None:
    """Return the setting with its old and new value, if the recommendation sets one."""
    if item.target is None or item.proposed is None:
        return None
    unit = f" {item.unit}" if item.unit else ""
    return make_printable(f"{item.target} from {item.current or 'unset'} to {item.proposed}{unit}")


def commands(lines: list[str]) -> Iterator[tuple[bool, list[str]]]:
    """Yield runs of lines of one kind: commands, or (True) text for people."""
    for by_hand, run in groupby(_mark_unsafe(lines), key=lambda line: line.startswith(BY_HAND)):
        yield by_hand, [make_printable(make_singular(line.removeprefix(BY_HAND)) if by_hand else line) for line in run]


def _mark_unsafe(lines: list[str]) -> Iterator[str]:
    """Yield lines to show; after a command that escaping changes, add a warning not to copy it."""
    for line in lines:
        yield line
        if not line.isprintable() and not line.startswith(BY_HAND):
            yield f"{BY_HAND}A name in this command holds characters that cannot be shown: copy it from the JSON."


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Wrap prose to the width; longer words and db2tune commands stay whole."""
    indent = " " * len(first) if rest is None else rest
    whole = _COMMAND.sub(lambda found: found[0].replace(" ", _NO_BREAK), make_printable(text))
    lines = textwrap.wrap(
        whole, width, initial_indent=first, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace(_NO_BREAK, " ") for line in lines] or [first.rstrip()]


def database(advice: Advice) -> str:
    """Describe the database as far as it is known; a text may lack its name, level or platform."""
    what, untold = advice.database, set(UNNAMED.values()) if advice.in_text else set()
    where = "" if what["host"] in untold else f" on {what['host']}"
    of = "" if what["instance"] in untold else f" (instance {what['instance']})"
    level = f"Db2 {what['level']}" if what["level"] else "Db2 of an unknown level"
    name = "no name in the text" if what["name"] in untold else f"{what['name']}{where}{of}"
    # What a text does not say looks like one member.
    topology = "" if advice.in_text and what["topology"] == SINGLE else what["topology"]
    known = [name, level, what["platform"] or "", topology, platform_name(what)]
    return make_printable(", ".join(part for part in known if part))


def platform_name(what: Mapping[str, Any]) -> str:
    """Return the managed platform that a database runs on, with its sign if it was recognised, or nothing."""
    runs_on, evidence = what.get("runs_on"), what.get("runs_on_evidence")
    if runs_on in (None, HOST):
        return ""
    return _platforms()[runs_on] + ("" if evidence in (None, *SAID) else f" ({evidence})")


@cache
def _platforms() -> dict[str, str]:
    return {row["RUNS_ON"]: row["NAME"] for row in data_file("schema", "platforms")}


def interval(window: Window) -> str:
    if window.begin is None:
        text = f"since activation, up to {_moment(window.end)} ({duration(window.seconds)}); averages hide the peaks"
        if window.quiet_s is not None:
            reason = "are too short to judge (at least 60 s)" if window.quiet_s < 60 else "had too little load to judge"
            text += f"; the {duration(window.quiet_s)} between the snapshots {reason}"
    else:
        text = f"{_moment(window.begin)} to {_moment(window.end)} ({duration(window.seconds)}, two snapshots)"
    return text if window.usable else f"{text}; NOT USABLE: {make_printable(window.reason or 'no reason given')}"


def _moment(iso: str) -> str:
    return iso.replace("T", " ")


def duration(seconds: float | None) -> str:
    if seconds is None:
        return "length unknown"
    exact = f"{number(round(seconds))} s"
    if abs(seconds) < 7200:
        return exact
    return (
        f"{exact} ({seconds / 3600:.1f} hours)" if abs(seconds) < 172_800 else f"{exact} ({seconds / 86_400:.1f} days)"
    )


def load(advice: Advice) -> str:
    sessions, members = advice.window.active_sessions, advice.window.members
    known = "unknown" if sessions is None else f"{sessions:.1f}"
    return f"{known} active sessions on average, {count(members, 'member')}"


def workload(advice: Advice) -> str:
    what = advice.workload
    if advice.options.get("site", {}).get("workload"):
        return f"{what.name}, as the site declares it"
    if what.windows_disagree:
        return f"{what.name}: one part of the interval is BI, another OLTP"
    sure = {"BI": what.p_bi, "OLTP": what.p_oltp}.get(what.name)
    if sure is None:
        return f"{what.name}: BI {percent(100 * what.p_bi)}, OLTP {percent(100 * what.p_oltp)}"
    return f"{what.name}, probability {percent(100 * sure)}"


def describe_advice(advice: Advice) -> dict[str, str]:
    """Return the head of a report: database, interval and load, as far as known."""
    if not advice.measured:
        return {"Database": database(advice)} | ({"Seen": describe_texts(advice)} if advice.in_text else {})
    found = {"Database": database(advice), "Interval": interval(advice.window), "Load": load(advice)}
    return found | ({"Workload": workload(advice)} if advice.workload.known else {})


def describe_texts(advice: Advice) -> str:
    """Return the content of the texts in words. Sources with few rows are left out."""
    said = [count(rows, _SEEN[source]) for source, rows in advice.in_text.items() if source in _SEEN and rows]
    return ", ".join(said) or "little that rules use"


def count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}{'es' if noun.endswith('x') else 's'}"


def json_text(document: dict[str, Any]) -> str:
    """Return a document as JSON in ASCII, so that no name of the database can steer the terminal."""
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"
