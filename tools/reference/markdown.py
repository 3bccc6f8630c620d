"""Rendering of the reference pages: templates in this folder, text escaped as in the Markdown report."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from advisor.catalogue.rules import Rule
from advisor.report import text
from advisor.report.catalogue import lane_words
from advisor.report.markdown import escape


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown, not HTML; the filters escape
    )
    made.filters |= {
        "escape": escape,
        "number": text.number,
        "origin": text.origin,
        "commands": commands,
        "roff": roff,
        "lane_words": lane_words,
        "rule_file": rule_file,
    }
    return made


def roff(line: str) -> str:
    """Return a line of text for troff: a typed hyphen is not a dash, and no part is a request."""
    return f"\\&{line.replace(chr(92), chr(92) + 'e').replace('-', chr(92) + '-')}"


def rule_file(rule: Rule) -> str:
    """Return the path of a rule's file in the repository."""
    return f"sql/rules/{rule.path.parent.name}/{rule.path.name}"


def commands(lines: list[str]) -> str:
    """Return commands as code, and text for a person as text."""
    parts = [
        "\n\n".join(escape(line) for line in run) if by_hand else "\n".join(["```", *run, "```"])
        for by_hand, run in text.commands(lines)
    ]
    return "\n\n".join(parts) or "Nothing to type."
