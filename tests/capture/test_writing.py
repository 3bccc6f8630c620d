"""File writes: complete, once, for their owner; killed processes leave nothing for long."""

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path

import pytest

from advisor import files
from advisor.capture import write_capture
from advisor.errors import UserError

NAMES = ["made", "made.capture"]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("name", NAMES)
def test_capture_in_progress_is_next_to_target_and_private(name: str, tmp_path: Path) -> None:
    """It is on the target's file system, so that one rename completes it."""
    target = tmp_path / "new" / name
    with write_capture(target) as folder:
        assert folder.is_relative_to(target.parent)
        (folder / "manifest.json").write_text("{}")
    assert mode(target) == (0o600 if target.is_file() else 0o700)
    assert [mode(file) for file in target.rglob("*")] == ([] if target.is_file() else [0o600])
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("name", NAMES)
def test_what_fails_leaves_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), write_capture(tmp_path / name, lambda *_: None) as folder:
        (folder / "half").write_text("x")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_original_is_in_a_private_folder_outside_the_capture(tmp_path: Path) -> None:
    with write_capture(tmp_path / "made", lambda _, new: (new / "named").touch()) as original:
        (original / "secret").touch()
        assert mode(original.parent) == 0o700
    assert [file.name for file in (tmp_path / "made").iterdir()] == ["named"]
    assert not original.exists()


@pytest.mark.parametrize("name", NAMES)
def test_of_two_captures_under_one_name_one_succeeds(name: str, tmp_path: Path) -> None:
    target = tmp_path / name
    with pytest.raises(UserError, match="already exists"), write_capture(target) as second:
        (second / "second").write_text("2")
        with write_capture(target) as first:
            (first / "first").write_text("1")
    assert target.is_file() or [file.name for file in target.iterdir()] == ["first"]
    assert list(tmp_path.iterdir()) == [target]


def test_without_links_a_name_is_still_taken_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    for number, taken in ((1, False), (2, True)):
        new = tmp_path / f"new{number}"
        new.write_text(str(number))
        with pytest.raises(UserError) if taken else nullcontext():
            files.place(new, tmp_path / "target")
    assert (tmp_path / "target").read_text() == "1"


KILLED = """
import os, sys
from pathlib import Path
from advisor.capture import write_capture
with write_capture(Path(sys.argv[1]), lambda *_: None) as folder:
    (folder / "original").write_text("names")
    os.kill(os.getpid(), 9)
"""


def test_leftovers_of_a_killed_process_are_removed_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary, place = tmp_path / "tmp", tmp_path / "out"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    environment = os.environ | {"TMPDIR": str(temporary)}
    subprocess.run([sys.executable, "-c", KILLED, str(place / "made")], env=environment, check=False)
    left = [*temporary.iterdir(), *place.iterdir()]
    assert len(left) == 2
    for folder in left:
        os.utime(folder, (time.time() - 3600,) * 2)
    with files.temporary() as used:
        os.utime(used.parent, (time.time() - 3600,) * 2)
        with write_capture(place / "made") as folder:
            (folder / "manifest.json").touch()
        assert used.is_dir()  # a running process keeps its files
    assert (list(temporary.iterdir()), [path.name for path in place.iterdir()]) == ([], ["made"])


def test_what_only_has_such_a_name_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user's folder and files, of any age."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("db2tune-notes", ".db2tune-notes"):
        (tmp_path / name).mkdir(mode=0o700)
        (tmp_path / name / "note").write_text("mine")
        (tmp_path / f"{name}.txt").write_text("mine")
        for path in (tmp_path / name, tmp_path / f"{name}.txt"):
            os.utime(path, (0, 0))
    before = sorted(tmp_path.rglob("*"))
    with files.temporary(), files.create_folder_beside(tmp_path / "new"):
        files.tidy(tmp_path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_others_can_write_to_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    strange = tmp_path / "db2tune-strange"
    strange.mkdir(mode=0o700)
    (strange / ".db2tune.lock").touch()
    strange.chmod(0o777)
    os.utime(strange, (0, 0))
    with files.temporary():
        pass
    assert strange.is_dir()


def test_replaced_file_keeps_its_mode_and_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "site.toml", tmp_path / "link.toml"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    files.replace(link, "new")
    assert (link.is_symlink(), file.read_text(), mode(file)) == (True, "new", 0o640)
    files.replace(tmp_path / "private", "x", files.PRIVATE)
    assert mode(tmp_path / "private") == 0o600


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "site.toml"
    file.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.replace(file, "new")
    assert (file.read_text(), list(tmp_path.iterdir())) == ("old", [file])


def test_who_changes_a_file_at_once_takes_turns(tmp_path: Path) -> None:
    file = tmp_path / "count"
    file.write_text("0")

    def add(_: int) -> None:
        with files.lock_folder(tmp_path):
            number = int(file.read_text())
            time.sleep(0.005)
            file.write_text(str(number + 1))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(16)))
    assert file.read_text() == "16"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder in which even root cannot create files")
def test_folder_without_room_for_files_is_named_in_the_error() -> None:
    with (
        pytest.raises(OSError, match="cannot create files here") as failed,
        files.create_folder_beside(Path("/proc/made")),
    ):
        pass
    assert failed.value.filename == "/proc"
