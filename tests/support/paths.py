"""Paths in a checkout."""

import json
from pathlib import Path

from advisor.catalogue.rules import Rule

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIXTURES = ROOT / "fixtures"
CAPTURES = ROOT / "build" / "machines"  # of all machines; tests.machines.build writes them
CASES = ROOT / "tests" / "rules"
CONTRACT = ROOT / "tests" / "contract"

KEPT = sorted(FIXTURES.glob("*.capture"))
EXPECTED = FIXTURES / "expected.json"  # advice for each machine
NAMES = sorted(json.loads(EXPECTED.read_text(encoding="utf-8")))


def cases_path(rule: Rule) -> Path:
    """Return the file of a rule's cases."""
    return CASES / rule.path.parent.name / f"{rule.path.stem}.yml"


def _kind(name: str) -> tuple[str, ...]:
    """Return the kind of a server: its platform and topology, without its level."""
    told = json.loads((CAPTURES / name / "manifest.json").read_text(encoding="utf-8"))["snapshots"][0]["database"]
    return str(told["platform"]), told["topology"]


def kinds() -> list[str]:
    """Return one machine of each kind: results that depend only on the kind need no other machine."""
    return sorted({_kind(name): name for name in reversed(NAMES)}.values())
