"""The Python interface: advice for captures and texts, as an object or as the JSON document of the command line."""

import weakref
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from advisor.capture import write_capture
from advisor.capture.site import Site
from advisor.errors import UserError, describe_os_error
from advisor.files import temporary
from advisor.hostfacts.files import read_facts
from advisor.imports import texts
from advisor.imports.inputs import only_capture
from advisor.imports.known import Known
from advisor.judgement import run
from advisor.judgement.advice import Advice, Recommendation
from advisor.report.jsonout import document
from advisor.report.selection import check_areas, select
from advisor.site.files import site_of

__all__ = ["Advice", "ImportedTexts", "Recommendation", "advise", "import_texts", "judge", "query"]

File = str | PathLike[str]


@dataclass(frozen=True, eq=False)
class ImportedTexts:
    """A capture made of texts.

    ``notes`` explain parts that were left out, and ``rows`` is the number of rows per source. A capture without a target
    is temporary: ``close``, the end of a ``with`` block or the end of the process removes it.
    """

    capture: Path
    notes: tuple[str, ...]
    rows: dict[str, int]
    temporary: bool

    def close(self) -> None:
        """Remove a temporary capture. Keep one with a target."""
        if finalizer := _TEMPORARY.get(self):
            finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_TEMPORARY: "weakref.WeakKeyDictionary[ImportedTexts, weakref.finalize[Any, ImportedTexts]]" = (
    weakref.WeakKeyDictionary()
)
Source = File | ImportedTexts | Iterable[File]


def import_texts(
    paths: File | Iterable[File],
    target: File | None = None,
    *,
    name: str | None = None,
    db2_level: str | None = None,
    platform: str | None = None,
) -> ImportedTexts:
    """Make a capture of texts: the directory or .capture file ``target``, or a temporary directory.

    ``name``, ``db2_level`` and ``platform`` describe the database if the texts do not. Raise UserError for bad input.
    """
    known = Known(name, db2_level, platform)
    known.check()
    with _one_error(), ExitStack() as stack:
        files = _paths(paths)
        folder = stack.enter_context(temporary() if target is None else write_capture(Path(target)))
        result = texts.import_texts(files, folder, known)
        capture = folder if target is None else Path(target)
        imported = ImportedTexts(capture, tuple(result.notes), dict(result.rows), target is None)
        if target is None:
            _TEMPORARY[imported] = weakref.finalize(imported, stack.pop_all().close)
        return imported


def judge(source: Source, *, options: File | None = None, hostfacts: Iterable[File] = ()) -> Advice:
    """Return the advice for a capture, or for texts.

    ``options`` is the TOML file of a site, ``hostfacts`` are files with host facts. Raise UserError for bad input.
    """
    with _one_error():
        return _judge(source, _site(options), hostfacts)


def advise(  # noqa: PLR0913 -- one argument per option of the command
    source: Source,
    *,
    options: File | None = None,
    hostfacts: Iterable[File] = (),
    areas: Iterable[str] = (),
    top: int | None = None,
    min_benefit: float = 0,
) -> dict[str, Any]:
    """Return the document that ``db2tune advise --format json`` prints for a capture, or for texts.

    The arguments have the meaning of the options of that name. Raise UserError for bad input.
    """
    chosen = tuple(areas)
    with _one_error():
        site = _site(options)
        check_areas(chosen, site.rules)
        return document(select(_judge(source, site, hostfacts), chosen, top, min_benefit))


def query(
    source: Source | None = None, *, statement: str = "", key: str = "", options: File | None = None
) -> dict[str, Any]:
    """Return the answer for one slow statement: the part ``query`` of the document of ``db2tune query --format json``.

    ``source`` are texts with the statement, its plan or both. For a capture, ``key`` is the rank or name of one of its
    statements, or ``statement`` another text on its tables. Raise UserError for bad input.
    """
    from advisor.diagnosis.door import answer_from, answer_text, read_texts
    from advisor.report.query import document as answer_document

    with _one_error():
        if key:
            return answer_document(answer_from(_judge(source or (), _site(options), ()), key, statement))
        if isinstance(source, ImportedTexts):
            raise UserError("name the statement of a capture: key")
        files = _paths(source) if source is not None else []
        if files and only_capture(files):
            if not statement:
                raise UserError("name one of the capture's statements: key or statement")
            return answer_document(answer_from(_judge(files, _site(options), ()), "", statement))
        return answer_document(answer_text(read_texts(files), statement))


def _judge(source: Source, site: Site, hostfacts: Iterable[File]) -> Advice:
    facts = read_facts(map(Path, hostfacts))
    with ExitStack() as stack:
        if isinstance(source, ImportedTexts):
            capture = source.capture
        else:
            files = _paths(source)
            capture = only_capture(files) or stack.enter_context(import_texts(files)).capture
        return run.advise(capture, hostfacts=facts, site=site)


def _paths(source: File | Iterable[File]) -> list[Path]:
    files = [Path(source)] if isinstance(source, str | PathLike) else [Path(file) for file in source]
    if not files:
        raise UserError("name a capture or at least one text")
    return files


def _site(options: File | None) -> Site:
    return site_of(None if options is None else Path(options))


@contextmanager
def _one_error() -> Iterator[None]:
    """Turn errors of the operating system into UserError."""
    try:
        yield
    except OSError as error:
        raise UserError(describe_os_error(error)) from error
