"""Pages and pictures with measurements are not much older than what they show."""

import re
import subprocess

import pytest

from tests.support.paths import DOCS, ROOT
from tools.weight import read_limits

MOST_DAYS = 30
MEASURED = {
    "docs/benchmarks.md": ("advisor", "sql", "tools/bench"),
    "docs/model-study.md": ("advisor/judgement", "sql/rules", "tests/twin"),
    "docs/mutation.md": ("sql/model", "sql/rank", "sql/rules", "tools/trials/mutation"),
    "docs/pages": ("advisor/report", "tools/pictures.py"),
    "docs/test-times.md": ("tests",),
    "docs/trust.md": ("advisor", "tools/trials/faults"),
}


@pytest.mark.parametrize("page", MEASURED)
def test_measurements_are_not_old(page: str) -> None:
    drawn, shown = _committed_at(page), _committed_at(*MEASURED[page])
    days = (shown - drawn) / 86_400
    assert days <= MOST_DAYS, f"{page} is {days:.0f} days older than what it shows; measure it again"


def test_the_share_of_detected_mutants_does_not_fall() -> None:
    page = (DOCS / "mutation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `sql/(\w+)` .* (\d+) % \|$", page, re.MULTILINE)
    shares = {f"mutants_{folder}": int(share) for folder, share in rows}
    assert [name for name, least in read_limits("proof").items() if shares[name] < least] == []


def _committed_at(*paths: str) -> int:
    """Return the time of the last commit that changed one of the paths, in seconds."""
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct", "--", *paths], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if not done.stdout.strip():
        pytest.skip("the history of the files is not here")
    return int(done.stdout)
