"""Damaged inputs: each is refused in one line, or read like the original if required; never an internal error.

Seeds damage each kind of input. A damaged input with a checksum gives the original's result, or nothing. Other results
may differ, but `advise` accepts every capture that `import` writes.
"""

import hashlib
import io
import json
import random
import shutil
import tarfile
import tempfile
import time
import traceback
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from advisor.anonymize import anonymize_capture
from advisor.capture.opening import open_capture
from advisor.catalogue.embedded import open_tables
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.hostfacts.files import read_facts
from advisor.imports.texts import import_texts
from advisor.nightly import config
from advisor.report.text import make_printable
from advisor.site.files import read_site
from tests.imports.samples import samples
from tests.support.advised import judge
from tests.support.paths import CAPTURES, ROOT
from tools.trials.faults import mutations

MOST_S = 20  # CPU time for one input
REFUSED = (UserError, OSError)
LONGEST = 2_000  # characters of an error line
TOGETHER = 40  # captures that are judged together

Mutate = Callable[[bytes, random.Random], bytes]


@dataclass(frozen=True)
class Input:
    """A kind of input: its originals by name, and its reader.

    The result is compared if the input is ``checked``. A ``judged`` result is judged together with others.
    """

    name: str
    originals: Callable[[], dict[str, bytes]]
    mutate: Mutate
    read: Callable[[Path], str]
    checked: bool = False
    judged: Callable[[Path], Path] | None = None  # the folder of the resulting capture
    seeds: int = 2500  # of the full run


@dataclass(frozen=True)
class Tried:
    """A damaged input and its failure, or None."""

    kind: str
    seed: str
    why: str | None

    def __str__(self) -> str:
        return f"{self.kind}, {self.seed}: {self.why}"


# --- originals ------------------------------------------------------------------------------------------------


def _texts() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in samples() if path.is_file()}


@cache
def _capture() -> Path:
    """Create a small capture with checksums that exists until the process ends."""
    folder = Path(_lasting.enter_context(tempfile.TemporaryDirectory(prefix="fuzz-")))
    anonymize_capture(CAPTURES / "docker-default", folder / "whole")
    return folder / "whole"


_lasting = ExitStack()


def _packed() -> dict[str, bytes]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(_capture().iterdir()):
            archive.write(file, file.name)
    return {"one.capture": packed.getvalue()}


def _archives() -> dict[str, bytes]:
    some = {name: _texts()[name] for name in ("configuration-oltp.txt", "list-tablespaces.txt")}
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in some.items():
            archive.writestr(name, content)
    with tarfile.open(fileobj=tarred, mode="w:gz") as archive:
        for name, content in some.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return {"texts.zip": zipped.getvalue(), "texts.tgz": tarred.getvalue()}


def _files(suffix: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in _capture().iterdir() if path.suffix == suffix}


def _of_page(name: str) -> bytes:
    """Return the TOML example of a page."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    return page.partition("```toml\n")[2].partition("```")[0].encode()


def _facts() -> dict[str, bytes]:
    facts = [{"fact": "device:sda", "item": "strip_kb", "value": "64"}]
    document = {"schema": 1, "host": "db1", "os": "Linux", "facts": facts}
    return {"facts.json": json.dumps(document).encode(), "own.toml": _of_page("hostfacts.md")}


def _nightly() -> dict[str, bytes]:
    return {"nightly.toml": (ROOT / "docs" / "nightly" / "nightly.toml").read_bytes()}


# --- readers --------------------------------------------------------------------------------------------------


def _digest(folder: Path) -> str:
    parts = [path.name.encode() + path.read_bytes() for path in sorted(folder.glob("*.csv"))]
    return hashlib.sha256(b"".join(parts)).hexdigest()


def _imported(path: Path) -> str:
    target = path.parent / "made"
    target.mkdir()
    import_texts([path], target)
    return _digest(target)


def _loaded(path: Path) -> str:
    """Load the whole capture with the damaged file in it, or the packed capture."""
    with open_capture(path) as capture, open_tables() as tables:
        capture.load(tables)
        return _digest(capture.directory)


def _put(path: Path) -> Path:
    """Return a capture without checksums that contains this file."""
    target = path.parent / "made"
    shutil.copytree(_plain(), target)
    shutil.copy(path, target / path.name)
    return target


@cache
def _plain() -> Path:
    return CAPTURES / "docker-default"


def _beside(path: Path) -> str:
    return _loaded(_put(path))


def _in_whole(path: Path) -> str:
    target = path.parent / "made"
    shutil.copytree(_capture(), target)
    shutil.copy(path, target / path.name)
    return _loaded(target)


def _read(what: Callable[[Path], object]) -> Callable[[Path], str]:
    return lambda path: str(what(path))


def _made(path: Path) -> Path:
    return path.parent / "made"


def _plain_csv() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(_plain().glob("*.csv"))}


INPUTS = (
    Input("texts", _texts, mutations.text, _imported, judged=_made, seeds=100),
    Input("archives of texts", _archives, mutations.damaged, _imported, checked=True, seeds=500),
    Input("captures in a file", _packed, mutations.damaged, _loaded, checked=True, seeds=500),
    Input("CSV that has a checksum", lambda: _files(".csv"), mutations.text, _in_whole, checked=True, seeds=50),
    Input("CSV", _plain_csv, mutations.text, _beside, judged=_made, seeds=50),
    Input("manifests", lambda: _files(".json"), mutations.text, _in_whole, judged=_made, seeds=150),
    Input("options of a site", lambda: {"site.toml": _of_page("site-options.md")}, mutations.text, _read(read_site)),
    Input("nightly.toml", _nightly, mutations.text, _read(config.read)),
    Input("host facts", _facts, mutations.text, _read(lambda path: read_facts([path]))),
)
QUICK = [each for each in INPUTS if each.seeds >= 500]


# --- trying ---------------------------------------------------------------------------------------------------


def tried(kind: Input, seeds: range) -> Iterator[Tried]:
    """Try the input with the damage of each seed."""
    originals = kind.originals()
    with tempfile.TemporaryDirectory() as place:
        right = {}
        for name, content in sorted(originals.items())[: None if kind.checked else 2]:
            folder = Path(place, f"right-{name}")
            folder.mkdir()
            (folder / name).write_bytes(content)
            right[name] = kind.read(folder / name)
        waiting: list[tuple[str, Path]] = []
        for seed in seeds:
            name = sorted(originals)[seed % len(originals)]
            chance = random.Random(f"{kind.name} {seed}")
            label = f"{name} by seed {seed}"
            folder = Path(place, str(seed))
            folder.mkdir()
            (folder / name).write_bytes(kind.mutate(originals[name], chance))
            why, is_read = _wrong(kind, folder / name, right[name] if kind.checked else None)
            if why is None and is_read and kind.judged:
                waiting.append((label, kind.judged(folder / name)))
            else:
                shutil.rmtree(folder)
                yield Tried(kind.name, label, why)
            if len(waiting) == TOGETHER:
                yield from _judged(kind, waiting)
                waiting = []
        yield from _judged(kind, waiting)


def _wrong(kind: Input, path: Path, right: str | None) -> tuple[str | None, bool]:
    """Return the failure to read it, and whether it was read."""
    begun = time.process_time()
    try:
        result = kind.read(path)
    except REFUSED as error:
        line = make_printable(str(error).strip())  # as the command line words it
        why = None if line and len(line) <= LONGEST else f"no line: {line[:LONGEST]!r}"
        return why or _took(begun), False
    except Exception:
        return traceback.format_exc(), False
    if right is not None and result != right:
        return "it was read as something else", True
    return _took(begun), True


def _took(begun: float) -> str | None:
    seconds = time.process_time() - begun
    return f"took {seconds:.0f} s" if seconds > MOST_S else None


def _judged(kind: Input, waiting: list[tuple[str, Path]]) -> Iterator[Tried]:
    """Return whether each capture can be judged: all together, and each alone if that fails."""
    if not waiting:
        return
    try:
        _judge([path for _, path in waiting])
        failed: dict[str, str] = {}
    except Exception:
        failed = {label: why for label, path in waiting if (why := _fails(path))}
        if not failed:
            failed = {waiting[0][0]: f"together with others: {traceback.format_exc()}"}
    for label, path in waiting:
        shutil.rmtree(path.parent)
        yield Tried(kind.name, label, failed.get(label))


def _fails(path: Path) -> str | None:
    try:
        _judge([path])
    except Exception:
        return traceback.format_exc()
    return None


def _judge(paths: list[Path]) -> None:
    rules = list(all_rules().values())
    with ExitStack() as stack:
        captures = [stack.enter_context(open_capture(path)) for path in paths]
        list(judge((capture, rules) for capture in captures))
