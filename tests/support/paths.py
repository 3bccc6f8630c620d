"""Where things lie in a checkout."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FIXTURES = ROOT / "fixtures"
CASES = ROOT / "tests" / "rules"
CONTRACT = ROOT / "tests" / "contract"
