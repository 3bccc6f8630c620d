"""A rule that is not the project's own."""

from pathlib import Path

from advisor.catalogue.rules import Rule


def strange_rule(select: str) -> Rule:
    """Return a rule with a SELECT of one column, X."""
    header = {
        "rule": "made.strange", "title": "Made up", "lane": "housekeeping", "takes_effect": "immediately",
        "judged_by": "config", "confidence": 0.6, "object": "DATABASE", "actions": [{"manual": "Look at it."}],
        "finding": "It is made up.", "references": ["nobody"], "why": "Nobody knows.", "not_if": "Never.",
    }  # fmt: skip
    return Rule("made.strange", header, select, Path("strange.sql"))
