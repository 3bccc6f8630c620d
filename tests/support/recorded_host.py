"""A recorded host: commands that print recorded output, and files below a directory used as /.

Each file in tests/hostfacts/ records one machine: the files and links of /proc and /sys, those that differ at the
collector's second look (``later``), the output of each command line, and the expected facts.
"""

import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.hostfacts.collector import script
from tests.support.data_files import written
from tests.support.paths import ROOT

RECORDINGS = ROOT / "tests" / "hostfacts"
TOOLS = ("awk", "cat", "date", "grep", "ls", "printf", "sed", "sort", "tr")
SHELLS = {"dash": ["dash"], "bash": ["bash", "--posix"], "busybox": ["busybox", "sh"], "mksh": ["mksh"]}


@dataclass(frozen=True)
class Recorded:
    """A recorded host, written to a directory."""

    folder: Path
    recording: dict[str, Any]

    @property
    def facts(self) -> list[list[str]]:
        """Return the facts that the collector must find: fact, item, value."""
        return [_parts(line) for line in self.recording["facts"].splitlines()]

    def run(self, shell: str, *arguments: str, text: str | None = None) -> subprocess.CompletedProcess[bytes]:
        """Run the collector, or another ``text``, on the host."""
        program = self.folder / "collector.sh"
        program.write_text(text or script(self.recording["names"]), encoding="utf-8")
        return subprocess.run(
            [*SHELLS[shell], str(program), *arguments],
            capture_output=True,
            check=False,
            timeout=60,
            env={"PATH": str(self.folder / "bin"), "DB2TUNE_ROOT": str(self.folder / "root")},
            executable=shutil.which(SHELLS[shell][0]),
        )

    def command(self, name: str, body: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)


def recorded(name: str, folder: Path, awk: str | None = None) -> Recorded:
    """Write a recording to a directory; ``awk`` is the program to use there."""
    recording = written(RECORDINGS / f"{name}.yml")
    (folder / "bin").mkdir()
    for tool in TOOLS:
        (folder / "bin" / tool).symlink_to(shutil.which((awk or tool) if tool == "awk" else tool) or tool)
    root = folder / "root"
    root.mkdir()
    _write(root, recording["files"])
    for link, target in recording.get("links", {}).items():
        (root / link).parent.mkdir(parents=True, exist_ok=True)
        (root / link).symlink_to(target)
    (folder / "later").mkdir()
    _write(folder / "later", recording.get("later", {}))
    host = Recorded(folder, recording)
    outputs: dict[str, list[tuple[str, str]]] = {}
    given = {"uname -s": f"{recording['system']}\n", "uname -n": "db1.example.com\n"} | recording["commands"]
    for line, output in given.items():
        command, _, arguments = line.partition(" ")
        outputs.setdefault(command, []).append((arguments, output))
    for command, cases in outputs.items():
        host.command(command, _cases(cases))
    copy = f"/bin/cp -R {shlex.quote(str(folder / 'later'))}/. {shlex.quote(str(root))}"
    host.command("sleep", f'case $1 in 5) {copy} ;; *) exec /bin/sleep "$1" ;; esac')  # 5 is between two looks
    host.command("poolbind", 'echo "$2\tpool_db"')
    return host


def _cases(cases: list[tuple[str, str]]) -> str:
    lines = [f"{shlex.quote(given)}) printf '%s' {shlex.quote(output)} ;;" for given, output in cases]
    return "\n".join(['case "$*" in', *lines, "*) exit 1 ;;", "esac"])


def _write(root: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")


def _parts(line: str) -> list[str]:
    """Split a line of expected facts; only the fact name and the value may contain blanks."""
    from advisor.catalogue.host_items import all_items

    for _, item in all_items():
        fact, found, value = line.partition(f" {item} ")
        if found and (fact.partition(":")[0], item) in all_items():
            return [fact, item, value]
    raise ValueError(line)
