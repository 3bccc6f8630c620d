"""Writes into folders that other users can change: no write is redirected, and private files stay private."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor import files
from advisor.capture import write_capture
from advisor.cli.main import main
from advisor.errors import UserError
from advisor.nightly import history, published
from tests.support.paths import CAPTURES, FIXTURES

OTHER = 4242  # a user without a name
root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """Return a folder such as /tmp."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def link_of(user: int, link: Path, target: Path) -> Path:
    link.symlink_to(target)
    os.chown(link, user, user, follow_symlinks=False)
    return link


def report(file: Path) -> None:
    files.replace(file, "new")


def capture(file: Path) -> None:
    with write_capture(file) as folder:
        (folder / "manifest.json").touch()


def store(file: Path) -> None:
    with history.open_history(file):
        pass


@root
def test_replace_of_a_link_by_another_user_is_refused(shared: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("old")
    link = link_of(OTHER, shared / "report.txt", victim)
    with pytest.raises(UserError, match=r"report\.txt: another user can change this symbolic link"):
        files.replace(link, "new")
    assert (victim.read_text(), list(shared.iterdir())) == ("old", [link])


@root
def test_replace_of_a_link_in_a_folder_of_another_is_refused(tmp_path: Path) -> None:
    """Root may have created the link, but the folder's owner can still replace it."""
    folder, victim = tmp_path / "theirs", tmp_path / "victim"
    folder.mkdir()
    os.chown(folder, OTHER, OTHER)
    victim.write_text("old")
    link = link_of(0, folder / "report.txt", victim)
    with pytest.raises(UserError, match="another user can change this symbolic link"):
        files.replace(link, "new")
    assert victim.read_text() == "old"


@root
@pytest.mark.parametrize("write", [report, capture, store, files.folder], ids=lambda each: each.__name__)
def test_write_below_a_link_of_another_user_is_refused(
    write: Callable[[Path], object], shared: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    link = link_of(OTHER, shared / "out", victim)
    with pytest.raises(UserError, match="out: another user can change this symbolic link"):
        write(link / "made.capture")
    assert list(victim.iterdir()) == []


@root
def test_replace_after_a_trusted_link_checks_the_next_one(shared: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("old")
    link_of(OTHER, shared / "theirs", victim)
    (tmp_path / "mine").symlink_to("shared/theirs")
    with pytest.raises(UserError, match="theirs: another user can change this symbolic link"):
        files.replace(tmp_path / "mine", "new")
    assert victim.read_text() == "old"


@root
def test_store_behind_a_link_of_another_user_is_refused(shared: Path, tmp_path: Path) -> None:
    (tmp_path / "victim").mkdir()
    store(tmp_path / "victim")
    link_of(OTHER, shared / history.FILE, tmp_path / "victim" / history.FILE)
    with pytest.raises(UserError, match=r"history\.sqlite: another user can change this symbolic link"):
        store(shared)


@root
def test_replace_of_anothers_file_in_a_shared_folder_fails(shared: Path) -> None:
    file = shared / "report.txt"
    file.write_text("theirs")
    os.chown(file, OTHER, OTHER)
    with pytest.raises(UserError, match="belongs to another user in a shared folder"):
        files.replace(file, "new")
    assert file.read_text() == "theirs"


@posix
def test_replace_in_a_shared_folder_writes_own_files(shared: Path) -> None:
    for text in ("first", "second"):
        files.replace(shared / "report.txt", text)
        assert (shared / "report.txt").read_text() == text


@posix
@pytest.mark.parametrize("write", [report, capture, store, files.folder], ids=lambda each: each.__name__)
@pytest.mark.parametrize("place", ["open/made.capture", "open/deeper/made.capture"])
def test_write_in_a_folder_of_everybody_is_refused(place: str, write: Callable[[Path], object], tmp_path: Path) -> None:
    folder = tmp_path / "open"
    (folder / "deeper").mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(UserError, match=r"open: every user may write to this folder; .* chmod o-w"):
        write(tmp_path / place)
    assert sorted(tmp_path.rglob("*")) == [folder, folder / "deeper"]


@posix
def test_replace_keeps_own_links_in_the_path(tmp_path: Path) -> None:
    (tmp_path / "real" / "in").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "in" / "report.txt").symlink_to("../../report.txt")
    files.replace(tmp_path / "link" / "in" / "report.txt", "new")
    assert (tmp_path / "report.txt").read_text() == "new"
    assert files.resolve_file(tmp_path / "link" / "in" / ".." / "x") == tmp_path.resolve() / "real" / "x"


@posix
def test_replace_of_a_circle_of_links_is_an_error_of_files(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    for file in (tmp_path / "one", tmp_path / "one" / "report.txt"):
        with pytest.raises(OSError, match="symbolic links"):
            files.replace(file, "new")


@posix
def test_replace_while_its_folder_is_exchanged_stays_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report's folder is renamed, and a link to a victim's folder takes its name."""
    folder, victim, moved = tmp_path / "out", tmp_path / "victim", tmp_path / "moved"
    for each in (folder, victim):
        each.mkdir()
    (victim / "report.txt").write_text("old")

    def exchange(_: Path) -> None:
        folder.rename(moved)
        folder.symlink_to(victim)

    monkeypatch.setattr(files, "tidy", exchange)
    files.replace(folder / "report.txt", "new")
    assert ((victim / "report.txt").read_text(), (moved / "report.txt").read_text()) == ("old", "new")


@root
@pytest.mark.parametrize("command", ["advise -o FILE", "ticket --rank 1 -o FILE", "plan --scripts FOLDER"])
def test_command_with_a_link_of_another_user_exits_with_2(command: str, shared: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.mkdir()
    link = link_of(OTHER, shared / "out", victim)
    words = command.replace("FILE", str(link / "report.txt")).replace("FOLDER", str(link)).split()
    done = CliRunner().invoke(main, [*words, "--capture", str(CAPTURES / "x445-8way")])
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1), done.output
    assert "another user can change this symbolic link" in done.output
    assert list(victim.iterdir()) == []


@posix
def test_store_in_a_folder_of_all_readers_is_private(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    before = os.umask(0o022)
    try:
        for _ in range(2):
            with history.open_history(tmp_path, copy=True) as kept:
                kept.record_notifications("mail", {"SALES": "run 1"})
                modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        assert os.umask(before) == 0o022
    written = {history.COPY, *(f"{history.FILE}{log}" for log in ("", "-wal", "-shm"))}
    assert modes == dict.fromkeys(written, 0o600)


@posix
@pytest.mark.parametrize(("mode", "page"), [(None, 0o600), (0o755, 0o644), (0o750, 0o640), (0o1777, 0o644)])
def test_pages_have_the_readers_of_their_folder(mode: int | None, page: int, tmp_path: Path) -> None:
    folder, inside = tmp_path / "pages", 0o700 if mode is None else mode & 0o755
    if mode is not None:
        folder.mkdir()
        folder.chmod(mode)
    (tmp_path / "store").mkdir()
    published.publish(folder, tmp_path / "store", ["SALES"], [])
    assert stat.S_IMODE((folder / "index.html").stat().st_mode) == page
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir() if each.is_dir()} == {inside}


@posix
def test_folders_of_runs_are_private_at_every_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DB2TUNE_RUNS", str(tmp_path / "state" / "runs"))
    words = ["advise", str(FIXTURES / "imports" / "configuration-oltp.txt")]
    done = subprocess.run([sys.executable, "-m", "advisor.cli.main", *words], check=False, capture_output=True)
    assert done.returncode == 0
    found = [stat.S_IMODE(path.stat().st_mode) for path in sorted(tmp_path.rglob("*"))]
    assert found == [0o700, 0o700, 0o600]
