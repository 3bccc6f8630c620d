"""The Python interface: the advice for a capture as the JSON document of the command line."""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from advisor.errors import UserError, describe_os_error
from advisor.hostfacts.files import read_facts
from advisor.judge import run
from advisor.report.jsonout import document
from advisor.report.selection import check_areas, select
from advisor.site.files import site_of

File = str | PathLike[str]


def advise(  # noqa: PLR0913 -- one argument per option of the command
    capture: File,
    *,
    options: File | None = None,
    hostfacts: Iterable[File] = (),
    areas: Iterable[str] = (),
    top: int | None = None,
    min_benefit: float = 0,
) -> dict[str, Any]:
    """Return the document that ``db2tune advise --capture CAPTURE --format json`` prints.

    The arguments have the meaning of the options of that name; ``options`` is the TOML file of a site. Raise UserError
    for bad input.
    """
    chosen = tuple(areas)
    try:
        site = site_of(None if options is None else Path(options))
        check_areas(chosen, site.rules)
        advice = run.advise(Path(capture), hostfacts=read_facts(map(Path, hostfacts)), site=site)
    except OSError as error:
        raise UserError(describe_os_error(error)) from error
    return document(select(advice, chosen, top, min_benefit))
