"""Names on the project's pages exist: paths (also those in comments), links, make targets."""

import re
from collections.abc import Callable
from pathlib import Path

from tests.support.paths import ROOT

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
