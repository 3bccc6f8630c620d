"""Help in sections: commands and options by purpose."""

from collections.abc import Iterable, Iterator

import click

# Commands by purpose, in the order of a first use.
COMMANDS = {
    "Start": ("demo", "doctor", "install", "uninstall", "help", "completion"),
    "Read advice": ("advise", "explain", "statements", "indexes", "options", "runs"),
    "Collect": ("capture", "import", "hostfacts", "diff"),
    "Change": ("plan", "simulate", "ticket", "verify", "accept", "learned"),
    "Watch": ("nightly", "history", "fleet"),
    "Extend": ("rules", "sql", "selftest", "mcp"),
}
# Options by purpose. All others come first, as "Options".
OPTIONS = {
    "Source": ("capture", "run", "in_database", "interval_s", "name", "db2_level", "platform", "hostfacts", "site"),
    "Connection": (
        "database",
        "user",
        "password_fd",
        "tls",
        "tls_ca",
        "tls_hostname_check",
        "connect_timeout",
        "statement_timeout",
    ),
    "Lessons and kept runs": ("learned", "no_learned", "keep", "no_keep"),
}
Entry = tuple[str, str]


class Command(click.Command):
    """A command with its options in sections."""

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [
            (each.name or "", record) for each in self.get_params(context) if (record := each.get_help_record(context))
        ]
        *sections, own = _group_by_section(OPTIONS, shown, "Options")
        for heading, entries in [own, *sections]:
            with formatter.section(heading):
                formatter.write_dl(entries)


class Group(click.Group):
    """A group with its commands in sections and whole summaries."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [(name, (name, _summary(command))) for name, command in self.commands.items()]
        for heading, entries in _group_by_section(COMMANDS, shown, "Commands"):
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<10}", summary) for name, summary in entries])


def _summary(command: click.Command) -> str:
    """Return the first sentence of the help."""
    return command.get_short_help_str(limit=1000)


def _group_by_section(
    sections: dict[str, tuple[str, ...]], shown: Iterable[tuple[str, Entry]], others: str
) -> Iterator[tuple[str, list[Entry]]]:
    """Yield each section with its entries, the entries of no section last."""
    left = dict(shown)
    for heading, names in sections.items():
        if entries := [left.pop(name) for name in names if name in left]:
            yield heading, entries
    if left:
        yield others, list(left.values())
