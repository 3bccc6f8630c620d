"""The released files: wheel, source archive, scripts, bill of materials with accepted licences, versions with hashes.

With docs/nightly/requirements.txt, pip installs nothing else, whatever the index offers.
"""

import csv
import hashlib
import json
import sys
import tarfile
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.release.environment import CONSTRAINTS, ROOT, run

SCRIPTS = {
    "tune-install.sql": ("install", "--script"),
    "tune-check.sql": ("install", "--check", "--script"),
    "tune-uninstall.sql": ("uninstall", "--script"),
    "tune-collect.sql": ("capture", "--script"),
}
SUMS = "SHA256SUMS"


def build(checkout: Path, target: Path) -> list[Path]:
    """Build wheel and source archive of a checkout with the hatchling of this environment."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", target, checkout)
    return sorted([*target.glob("*.whl"), *target.glob("*.tar.gz")])


def scripts(target: Path) -> list[Path]:
    """Write the scripts for users who have only Db2's command line processor."""
    for name, words in SCRIPTS.items():
        (target / name).write_text(run(Path(sys.executable).with_name("db2tune"), *words), encoding="utf-8")
    return [target / name for name in SCRIPTS]


def sums(files: list[Path]) -> str:
    """Return the files and sums in the format of ``sha256sum --check``."""
    return "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(files))


def built_elsewhere(archive: Path) -> str:
    """Return the sums of a build from the source archive: elsewhere, with another time zone, file times and umask."""
    with TemporaryDirectory() as folder:
        target = Path(folder, "dist")
        with tarfile.open(archive) as packed:
            packed.extractall(Path(folder, "a place"), filter="data")
        (checkout,) = Path(folder, "a place").iterdir()
        run("find", checkout, "-type", "f", "-exec", "touch", "-d", "2001-02-03 04:05:06", "{}", "+")
        command = f'umask 077; exec "{sys.executable}" -m build --no-isolation --outdir "$1" "$2"'
        also = {"TZ": "Asia/Kolkata", "LC_ALL": "C", "PYTHONHASHSEED": "1"}
        run("sh", "-c", command, "sh", target, checkout, also=also)
        return sums([*target.glob("*.whl"), *target.glob("*.tar.gz")])


LICENCES = Path(__file__).with_name("licences.csv")
NOT_OURS = {"pip", "setuptools", "db2tune"}  # in an environment before any installation, and the program


def bill(environment: Path, target: Path) -> dict[str, set[str]]:
    """Write the environment's bill as CycloneDX, with each component's own names for its licences."""
    tool = Path(sys.executable).with_name("cyclonedx-py")
    options = ["--output-reproducible", "--output-format", "JSON", "--pyproject", str(ROOT / "pyproject.toml")]
    run(tool, "environment", *options, "--output-file", target, environment)
    document = json.loads(target.read_text(encoding="utf-8"))
    document["components"] = [each for each in document["components"] if each["name"] not in NOT_OURS]
    names = {each["bom-ref"] for each in [document["metadata"]["component"], *document["components"]]}
    document["dependencies"] = [each for each in document.get("dependencies", []) if each["ref"] in names]
    target.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return {each["name"]: _licences(each) for each in document["components"]}


def _licences(component: dict[str, object]) -> set[str]:
    found = set()
    listed = component.get("licenses") or []
    assert isinstance(listed, list)
    for each in listed:
        licence = each.get("license", {})
        found.add(each.get("expression") or licence.get("id") or licence.get("name") or "unnamed")
    return found


def refused(found: dict[str, set[str]]) -> list[str]:
    """Return one line per component without a licence in licences.csv."""
    with LICENCES.open(encoding="utf-8", newline="") as file:
        fine = {row["LICENCE"] for row in csv.DictReader(file)}
    return [
        f"{name}: {', '.join(sorted(licences)) or 'says no licence'}; licences.csv has none of these"
        for name, licences in sorted(found.items())
        if not licences & fine
    ]


REQUIREMENTS = ROOT / "docs" / "nightly" / "requirements.txt"
HEAD = """\
# What db2tune[db2,verify] needs, by version and hash: pip install --require-hashes -r requirements.txt
# Written by `python -m tools.release hashes`; no index is named, yours is used.
"""


def wanted_packages() -> list[str]:
    """Return the dependencies of the program, with the driver and the packages of verdicts."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    return [*project["dependencies"], *extras["db2"], *extras["verify"]]


def write_requirements() -> None:
    """Write the versions with the hashes from the index."""
    with TemporaryDirectory() as folder:
        asked, found = Path(folder, "asked.in"), Path(folder, "found.txt")
        asked.write_text("\n".join(wanted_packages()), encoding="utf-8")
        options = ["--generate-hashes", "--no-emit-index-url", "--no-emit-trusted-host", "--no-annotate", "--no-header"]
        options += ["--strip-extras", "--no-emit-find-links", "--constraint", str(CONSTRAINTS)]
        run(Path(sys.executable).with_name("pip-compile"), "--quiet", *options, "--output-file", found, asked)
        REQUIREMENTS.write_text(HEAD + found.read_text(encoding="utf-8").lstrip(), encoding="utf-8")
