"""The release: ``python -m tools.release dist DIR`` writes all files. ``try WHEEL``, ``hashes``: see there."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.release import artifacts, tried
from tools.release.environment import CONSTRAINTS, made, run


def dist(target: Path) -> None:
    """Write wheel, source archive, scripts, bill of materials and sums; remove files of earlier builds."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    run(sys.executable, "-m", "tools.reference")
    packages = artifacts.build(Path(), target)
    wheel, archive = sorted(packages, key=lambda package: package.suffix != ".whl")
    if artifacts.sums(packages) != artifacts.built_elsewhere(archive):
        raise SystemExit("the source archive gives other bytes elsewhere: users could not check the build")
    listed = target / "db2tune.cdx.json"
    with TemporaryDirectory() as folder:
        inside = made(Path(folder, "environment"), Path(sys.executable), [f"{wheel}[verify]"], CONSTRAINTS)
        found = artifacts.bill(inside.parents[1], listed)
    if lines := artifacts.refused(found):
        raise SystemExit("\n".join(lines))
    files = [*packages, *artifacts.scripts(target), listed]
    (target / artifacts.SUMS).write_text(artifacts.sums(files), encoding="utf-8")
    print(artifacts.sums(files), end="")


def main() -> None:
    """Run the command of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("dist", help="write all released files").add_argument("target", type=Path)
    commands.add_parser("try", help="try a wheel in empty environments").add_argument("wheel", type=Path)
    commands.add_parser("hashes", help="write docs/nightly/requirements.txt")
    chosen = parser.parse_args()
    if chosen.command == "dist":
        dist(chosen.target)
    elif chosen.command == "try":
        for line in tried.tried(chosen.wheel.absolute()):
            print(line)
    else:
        artifacts.write_requirements()


main()
