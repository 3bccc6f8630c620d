"""Packed texts: a damaged archive is refused as a whole, and unpacking has a limit."""

import gzip
import io
import lzma
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from advisor.capture import opening
from advisor.errors import UserError
from advisor.imports.inputs import documents, undamaged

TEXTS = [f" (LOGBUFSZ) = {number}\n".encode() * 400 for number in range(3)]
FORMATS = {"tar": "w", "tar.gz": "w:gz", "tar.bz2": "w:bz2", "tar.xz": "w:xz"}


def tar(mode: str = "w") -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for number, text in enumerate(TEXTS):
            header = tarfile.TarInfo(f"{number}.txt")
            header.size = len(text)
            archive.addfile(header, io.BytesIO(text))
    return made.getvalue()


def zipped(content: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("texts", content)
    return made.getvalue()


def read(path: Path, content: bytes) -> list[bytes]:
    path.write_bytes(content)
    with undamaged(path.name):
        return [document.stream.read() for document in documents([path])]


@pytest.mark.parametrize("mode", FORMATS.values(), ids=FORMATS)
def test_every_text_of_an_archive_is_read(mode: str, tmp_path: Path) -> None:
    assert read(tmp_path / "given", tar(mode)) == TEXTS
    assert read(tmp_path / "given", zipped(tar(mode))) == TEXTS


def test_what_is_packed_twice_is_unpacked(tmp_path: Path) -> None:
    assert read(tmp_path / "given", zipped(gzip.compress(TEXTS[0]))) == TEXTS[:1]
    assert read(tmp_path / "given", zipped(zipped(TEXTS[0]))) == TEXTS[:1]


def test_archives_in_archives_have_a_limit(tmp_path: Path) -> None:
    nested = TEXTS[0]
    for _ in range(8):
        nested = zipped(nested)
    assert read(tmp_path / "given", nested) == TEXTS[:1]
    with pytest.raises(UserError, match="more than 8 archives inside each other; unpack it first"):
        read(tmp_path / "given", zipped(nested))


def damaged(archive: bytes, seed: int) -> bytes:
    """Return the archive with a flipped bit, a missing part, or a missing end."""
    chance = random.Random(seed)
    at = chance.randrange(len(archive))
    return (
        archive[:at] + bytes([archive[at] ^ 1 << chance.randrange(8)]) + archive[at + 1 :],
        archive[:at] + archive[at + chance.randint(1, 2000) :],
        archive[:at],
    )[seed % 3]


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz"])
def test_a_damaged_archive_is_refused_or_says_all_that_it_said(mode: str, tmp_path: Path) -> None:
    archive = tar(mode)
    outcomes = set()
    for seed in range(120):
        try:
            found = read(tmp_path / "given", damaged(archive, seed))
        except UserError:
            outcomes.add("refused")
        else:  # without its first bytes it is not an archive, and not a text either
            outcomes.add("whole" if found == TEXTS else "no archive" if len(found) == 1 else "part")
            assert not set(found) & set(TEXTS) or found == TEXTS
    assert outcomes >= {"refused"}
    assert "part" not in outcomes


@pytest.mark.parametrize("header", [1, 2])
@pytest.mark.parametrize("harm", [b"\xff", b"\x00" * 512, b""])
def test_what_follows_a_damaged_header_is_not_dropped_in_silence(header: int, harm: bytes, tmp_path: Path) -> None:
    """Of a header that is damaged, overwritten by zeros, or the last thing that was copied."""
    archive = tar()
    at = archive.index(f"{header}.txt".encode())
    harmed = archive[:at] + harm + archive[at + len(harm) :] if harm else archive[:at]
    with pytest.raises(UserError, match="given: damaged"):
        read(tmp_path / "given", harmed)


def test_the_checksum_behind_the_last_text_counts(tmp_path: Path) -> None:
    archive = tar("w:gz")
    with pytest.raises(UserError, match="given: damaged"):
        read(tmp_path / "given", archive[:-8] + bytes(4) + archive[-4:])


@pytest.mark.parametrize(
    "bomb",
    {
        "gzip": gzip.compress(bytes(1 << 22)),
        "zip": zipped(bytes(1 << 22)),
        "zip of gzip": zipped(gzip.compress(bytes(1 << 22))),
        "xz": lzma.compress(bytes(1 << 22)),
    }.items(),
    ids=lambda bomb: bomb[0],
)
def test_what_unpacks_without_end_is_refused(
    bomb: tuple[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "ALWAYS_UNPACKED", 1 << 20)
    with pytest.raises(UserError, match="unpacks to more than 100 times its size"):
        read(tmp_path / "given", bomb[1])


def test_a_large_header_of_a_tar_is_not_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header may say that what belongs to it is as long as it likes."""
    monkeypatch.setattr(opening, "ALWAYS_UNPACKED", 1 << 20)
    header = tarfile.TarInfo("long")
    header.size, header.type = 1 << 24, tarfile.XHDTYPE
    archive = header.tobuf(tarfile.PAX_FORMAT) + bytes((1 << 24) + 1024)
    with pytest.raises(UserError, match="unpacks to more than 100 times its size"):
        read(tmp_path / "given", gzip.compress(archive))


@pytest.mark.parametrize("name", [b"\xff\xfe.txt", b"a/b.txt"])
def test_zip_with_undecodable_names_is_refused(name: bytes, tmp_path: Path) -> None:
    made = zipped(TEXTS[0]).replace(b"texts", name[:5].ljust(5, b"x"))
    flagged = made.replace(b"PK\x01\x02\x14\x03\x14\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x08")
    try:
        assert read(tmp_path / "given", flagged) == TEXTS[:1]
    except UserError as error:
        assert "damaged" in str(error)
