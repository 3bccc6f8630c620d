"""Where the SQL and the demo capture lie: in the wheel beside the code, in a checkout above it."""

from pathlib import Path

_INSTALLED = Path(__file__).parent / "share"
ROOT = _INSTALLED if _INSTALLED.is_dir() else Path(__file__).parent.parent

SQL = ROOT / "sql"
PROCEDURES = ROOT / "procedures"
DEMO_CAPTURE = ROOT / "fixtures" / "x445-8way"
