"""What to paste next: of the commands whose output can be read, the one that would let most rules speak; and what the
script for the command line processor gives, where that is more.

sql/schema/texts.csv lists the sources that a command's output fills, whether it measures an interval, and the platforms
with such a command. A command with WHEN is proposed first, but only then: sessions wait now, and the state of the
application that blocks them is unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from advisor.catalogue.levels import level_number
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.sources import all_sources
from advisor.imports.collect_script import NOT_READ
from advisor.judgement.advice import Advice
from advisor.quoting import shell
from advisor.report.text import count
from advisor.resources import data_file

_LOCK_CHAIN = "lock chain"
_BLOCKED = "Sessions wait for locks now. To show what the head of the chain does, add the output of:"
_SCRIPT = "For {} rules, run twice: db2 -tf tune-collect.sql (db2tune capture --script prints it)"


@dataclass(frozen=True)
class NextText:
    """A command, and how many more rules its output would let run."""

    command: str
    rules: int


def find_next_text(advice: Advice) -> NextText | None:
    """Return the command that would add most to advice on texts, or None if no text would."""
    if not advice.in_text:
        return None
    rules = _list_missed_rules(advice)
    found = [
        NextText(_name_database(row["COMMAND"], advice), _count_runnable(rules, row, advice))
        for row in data_file("schema", "texts")
        if not row["WHEN"] and _is_available(row, advice)
    ]
    best = max(found, key=lambda text: text.rules)
    return best if best.rules else None


def parts(advice: Advice) -> list[str]:
    """Return a sentence, the command, and a sentence about the script; nothing if no text would change much."""
    if advice.in_text and any(node.depth == 0 and node.state is None for node in advice.lock_chains):
        [row] = (row for row in data_file("schema", "texts") if row["WHEN"] == _LOCK_CHAIN)
        return [_BLOCKED, _name_database(row["COMMAND"], advice)]
    found = find_next_text(advice)
    if found is None:
        return []
    said = f"To check {count(found.rules, 'more rule')}, add the output of:"
    read = {"SOURCES": " ".join(all_sources().keys() - NOT_READ), "TIMED": "1"}
    by_script = _count_runnable(_list_missed_rules(advice), read, advice)
    return [said, found.command, *([_SCRIPT.format(by_script)] if by_script > found.rules else [])]


def _list_missed_rules(advice: Advice) -> list[Rule]:
    missed = {name for name, _ in advice.not_run}
    return [rule for rule in all_rules().values() if rule.name in missed]


def _is_available(row: Mapping[str, str], advice: Advice) -> bool:
    """Return whether the command exists at the level and on the platform, if these are known."""
    level, least = advice.database["level"], row["FROM"]
    too_old = level and least and level_number(level) < level_number(least)
    return not too_old and row["NOT_ON"] != advice.database["platform"]


def _count_runnable(rules: list[Rule], row: Mapping[str, str], advice: Advice) -> int:
    sources = {*row["SOURCES"].split(), *advice.in_text}
    timed = row["TIMED"] == "1" or advice.window.usable
    keys = ("needs", "needs_timed") if timed else ("needs",)
    return sum(
        (timed or rule.judged_by not in ("load", "rates"))
        and {need.partition(".")[0] for key in keys for need in rule.get_list(key)} <= sources
        for rule in rules
    )


def _name_database(command: str, advice: Advice) -> str:
    return command.replace("{DB}", shell(advice.database["name"]))
