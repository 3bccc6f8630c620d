"""The release has versions, hashes and licences; `make dist` and `make smoke` build it."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tools.release import artifacts, tried
from tools.release.environment import CONSTRAINTS

_PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==(\S+)", re.MULTILINE)


def _versions(text: str) -> dict[str, str]:
    return {name.lower().replace("_", "-"): version for name, version in _PINNED.findall(text)}


def test_container_installs_only_the_tested_versions():
    listed = artifacts.REQUIREMENTS.read_text(encoding="utf-8")
    pinned = _versions(listed)
    tested = _versions(CONSTRAINTS.read_text(encoding="utf-8"))
    assert pinned.items() <= tested.items()
    assert {
        re.split(r"[<>=]", each)[0].lower().replace("_", "-") for each in artifacts.wanted_packages()
    } <= pinned.keys()
    for block in re.split(r"\n(?=\S)", listed):
        assert block.startswith("#") or "--hash=sha256:" in block, block
    assert "://" not in listed


def test_of_every_dependency_the_oldest_is_known():
    assert _versions(tried.oldest()).keys() <= _versions(CONSTRAINTS.read_text(encoding="utf-8")).keys()


@pytest.mark.parametrize(
    ("name", "safe"),
    [("jinja2", (3, 1, 6)), ("filelock", (3, 20, 3)), ("distributed", (2026, 1, 1))],  # that fix published advisories
)
def test_oldest_allowed_version_has_no_known_hole(name, safe):
    (least,) = re.findall(rf'"{name}>=([\d.]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert tuple(map(int, least.split("."))) >= safe


@pytest.mark.parametrize(
    ("licences", "fine"),
    [({"MIT"}, True), ({"GPL-3.0-only"}, False), ({"unnamed"}, False), (set(), False), ({"GPL-2.0", "MIT"}, True)],
)
def test_unreviewed_licence_is_refused(licences, fine):
    assert artifacts.refused({"something": licences}) == (
        []
        if fine
        else [f"something: {', '.join(sorted(licences)) or 'says no licence'}; licences.csv has none of these"]
    )


def test_sums_are_what_sha256sum_reads(tmp_path: Path):
    file = tmp_path / "a.sql"
    file.write_bytes(b"")
    assert artifacts.sums([file]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.sql\n"
