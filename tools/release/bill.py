"""Bill of materials of an installation, and whether each licence is acceptable."""

import csv
import json
import sys
from pathlib import Path

from tools.release.environment import ROOT, run

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
