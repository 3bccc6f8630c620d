"""The check of nightly.toml without a connection: what the job would find wrong in the night, now."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from advisor.errors import UserError, describe_os_error
from advisor.hostfacts.files import read_facts
from advisor.nightly import config
from advisor.nightly.config import Config, Database, secret_of
from advisor.site.files import read_site


def problems(file: Path) -> list[str]:
    """Return the problems of a configuration and of the files and folders that it names, one line each."""
    try:
        given, faults = config.check(file)
    except UserError as error:
        return [str(error)]
    if faults:
        return [str(fault) for fault in faults]
    return [f"{file.name}: {where}: {text}" for where, check in _checks(given) if (text := _problem(check))]


def _checks(given: Config) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield each check with the location in the configuration that it concerns."""
    for each in given.databases:
        yield from ((f"database {each.name}: {key}", check) for key, check in _checks_of(each))
    yield "store", partial(_check_folder, given.store)
    if given.pages:
        yield "pages", partial(_check_folder, given.pages)
    if given.files:
        yield "notify.files", partial(_check_folder, given.files)
    if given.mail and given.mail.password_file:
        yield "notify.mail", partial(secret_of, given.mail.password_file)
    if given.webhook:
        yield "notify.webhook", given.webhook.address


def _checks_of(given: Database) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "password", partial(given.password.find, given.address)
    for path in given.hostfacts:
        yield "hostfacts", partial(read_facts, [path])
    if given.options:
        yield "options", partial(read_site, given.options)


def _problem(check: Callable[[], object]) -> str | None:
    try:
        check()
    except UserError as error:
        return str(error)
    except OSError as error:
        return describe_os_error(error)
    return None


def _check_folder(folder: Path) -> None:
    """Raise UserError unless the job can write into a folder, or create it."""
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not existing.is_dir():
        raise UserError(f"{existing}: is not a folder")
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UserError(f"{existing}: is not writable")
