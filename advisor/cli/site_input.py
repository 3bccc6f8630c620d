"""The options for what a site adds to its data: host facts, its own file and lessons."""

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.arguments import argument, hostfacts_option, site_option

if TYPE_CHECKING:
    from advisor.capture.lessons import Lesson
    from advisor.capture.site import Site

LEARNED = "DB2TUNE_LEARNED"


@dataclass(frozen=True)
class SiteInput:
    """The files of the site. ``site`` is the path of its options."""

    hostfacts: tuple[Path, ...]
    site: Path | None
    learned: Path | None
    no_learned: bool

    @cached_property
    def content(self) -> "Site":
        """The contents of the site's file, which is read once."""
        from advisor.site.files import site_of

        return site_of(self.site)

    def load(self, kept_run: bool) -> "Site":
        """Return the site with the chosen lessons; a kept run contains its own, so the environment adds none."""
        return replace(self.content, lessons=self._lessons(kept_run))

    def _lessons(self, kept_run: bool) -> "tuple[Lesson, ...] | None":
        """Return the lessons, or None if no option names them."""
        if self.no_learned:
            return ()
        always = None if kept_run else os.environ.get(LEARNED)
        path = self.learned or (Path(always) if always else None)
        if path is None:
            return None
        if not path.is_dir():
            from advisor.capture import lessons

            return lessons.read(path)
        from advisor.nightly import history

        with history.open_history(path, create=False) as kept:
            return kept.lessons.load()


site_input_options = argument(
    "site_input",
    SiteInput,
    hostfacts_option,
    site_option,
    click.option(
        "--learned",
        type=click.Path(path_type=Path),
        metavar="PATH",
        help="Lessons of verified changes: the store of the nightly job, or a file of 'db2tune learned --export'."
        f" {LEARNED} also sets it.",
    ),
    click.option("--no-learned", is_flag=True, help="Ignore lessons; use the rules' own estimates."),
)
