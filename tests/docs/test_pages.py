"""Names on the project's pages exist, and what they measured is not much older than what they show."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.paths import DOCS, ROOT
from tools.pictures import list_outdated
from tools.weight import read_limits

FOLDERS = "advisor|docs|fixtures|procedures|sql|tests|tools"
PAGES = [
    path
    for pattern in ("*.md", "docs/**/*.md", "fixtures/*.md", "tests/*/README.md")
    for path in sorted(ROOT.glob(pattern))
    if path.name != "CHANGELOG.md"  # names former files
]
CODE = [path for pattern in ("advisor/**/*.py", "sql/**/*.sql", "procedures/*.sql") for path in ROOT.glob(pattern)]


def _not_there(pattern: str, there: Callable[[Path, str], bool], pages: list[Path] = PAGES) -> list[str]:
    """Return the names on the pages that match a group of the pattern but do not exist."""
    return [
        f"{page.relative_to(ROOT)}: {name}"
        for page in pages
        for name in sorted(set(re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE)))
        if not there(page, name)
    ]


def test_paths() -> None:
    """A placeholder matches any name: ``sql/rules/<area>/<rule>.sql``."""
    path = rf"(?<![\w./<\"'-])((?:{FOLDERS})/[\w./<>*-]*[\w/>])"
    assert _not_there(path, lambda _, name: any(ROOT.glob(re.sub(r"<\w+>", "*", name))), PAGES + CODE) == []


def test_links() -> None:
    assert _not_there(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", lambda page, link: (page.parent / link).exists()) == []


def test_make_targets() -> None:
    targets = re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert _not_there(r"(?:^|`)make ([a-z0-9-]+)", lambda _, target: target in targets) == []


def test_cases_and_tests_that_prove_the_judgement() -> None:
    """The page of fixed errors names the cases and tests of the fixes by file and function."""
    page = [ROOT / "docs" / "advice-errors.md"]
    there = {path.name for folder in ("tests", "sql") for path in (ROOT / folder).rglob("*.*")}
    tests = list((ROOT / "tests").rglob("test_*.py"))
    functions = {name for path in tests for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))}
    assert _not_there(r"([\w-]+\.(?:yml|py|sql|csv))\b", lambda _, name: name in there, page) == []
    known = functions | {path.stem for path in tests}
    assert _not_there(r"\b(test_\w+)\b(?!\.py)", lambda _, name: name in known, page) == []


MOST_DAYS = 30
MEASURED = {
    "docs/benchmarks.md": ("advisor", "sql", "tools/bench"),
    "docs/model-study.md": ("advisor/judgement", "sql/rules", "tests/twin"),
    "docs/mutation.md": ("sql/model", "sql/rank", "sql/rules", "tools/trials/mutation"),
    "docs/test-times.md": ("tests",),
    "docs/trust.md": ("advisor", "tools/trials/faults"),
}


@pytest.mark.parametrize("page", MEASURED)
def test_measurements_are_not_old(page: str) -> None:
    drawn, shown = _committed_at(page), _committed_at(*MEASURED[page])
    days = (shown - drawn) / 86_400
    assert days <= MOST_DAYS, f"{page} is {days:.0f} days older than what it shows; measure it again"


@pytest.mark.full
def test_pictures_show_the_pages_of_today() -> None:
    assert list_outdated() == [], "run make pictures"


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
