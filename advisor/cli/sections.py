"""Help: commands and options by purpose, examples, and rare options, which only --help-all lists."""

from collections.abc import Iterable, Iterator

import click

ACCEPT = "lock.no-wait '*' --reason 'Batch jobs'"
DB = "--database db2://db2inst1@dbhost:50000/SALES"
# Commands by purpose, in the order of a first use.
COMMANDS = {
    "Start": "demo doctor install uninstall help completion",
    "Read advice": "advise query explain statements indexes options runs",
    "Collect": "capture import hostfacts diff",
    "Change": "plan simulate ticket verify accept learned",
    "Watch": "watch nightly history fleet",
    "Extend": "rules sql selftest mcp",
}
# Options by purpose. The empty section has all others.
OPTIONS = {
    "Options": "",
    "Connection": "database user password-fd tls tls-ca tls-hostname-check connect-timeout statement-timeout",
    "Source": "capture run in-database interval name db2-level platform hostfacts options",
    "Lessons and kept runs": "learned no-learned keep no-keep",
    "Help": "help help-all",
}
# Options that only --help-all lists, in each command that has them.
RARE = (
    "user password-fd tls tls-hostname-check connect-timeout statement-timeout name db2-level platform in-database learned"
    " no-learned keep no-keep no-pager min-benefit area all templates field create-explain-tables megabytes scheduler"
    " results each"
)
# Two lines to type for each command.
EXAMPLES = {
    "demo": ("db2tune demo", "db2tune demo --ticket ticket.html"),
    "doctor": (f"db2tune doctor {DB}", f"db2tune doctor {DB} --tls-ca db2.pem"),
    "install": (f"db2tune install {DB}", "db2tune install --script > install.sql"),
    "uninstall": (f"db2tune uninstall {DB}", "db2tune uninstall --script > uninstall.sql"),
    "help": ("db2tune help", "db2tune help advise"),
    "completion": ("db2tune completion bash", "db2tune completion zsh"),
    "advise": (f"db2tune advise {DB}", "db2tune advise db2mon.txt -o advice.html"),
    "query": ("db2tune query plan.txt", "db2tune query --run last 1"),
    "explain": ("db2tune explain --run last 1", "db2tune explain --capture sales.capture 1"),
    "statements": ("db2tune statements --run last", "db2tune statements --capture sales.capture --advis sales.sql"),
    "indexes": ("db2tune indexes --capture sales.capture", f"db2tune indexes {DB} --confirm"),
    "options": ("db2tune options", "db2tune options memory --options site.toml"),
    "runs": ("db2tune runs", "db2tune runs --format json"),
    "capture": (f"db2tune capture {DB} -o sales.capture", "db2tune capture --script > collect.sql"),
    "import": ("db2tune import db2mon.txt -o sales.capture", "db2tune import db2mon.txt --explain"),
    "hostfacts": ("db2tune hostfacts > collector.sh", f"db2tune hostfacts --load hostfacts.json {DB}"),
    "diff": ("db2tune diff before.capture after.capture", "db2tune diff before.capture after.capture -o diff.html"),
    "plan": ("db2tune plan --run last", "db2tune plan --capture sales.capture --scripts steps"),
    "simulate": ("db2tune simulate --run last --apply 1,3", "db2tune simulate --run last --set SORTHEAP=20000"),
    "ticket": ("db2tune ticket --run last --rank 1", "db2tune ticket --run last --rank 1-3 -o ticket.html"),
    "verify": ("db2tune verify before.capture --after after.capture", "db2tune verify SALES --store /var/lib/db2tune"),
    "accept": (f"db2tune accept {ACCEPT} --options site.toml", f"db2tune accept {ACCEPT} {DB}"),
    "learned": ("db2tune learned", "db2tune learned --export lessons.json"),
    "watch": (f"db2tune watch {DB}", f"db2tune watch {DB} --interval 300"),
    "nightly": ("db2tune nightly --init nightly.toml", "db2tune nightly --config nightly.toml"),
    "history": ("db2tune history", "db2tune history SALES --last 10"),
    "fleet": ("db2tune fleet captures", "db2tune fleet --store /var/lib/db2tune -o fleet.html"),
    "rules": ("db2tune rules memory", "db2tune rules memory.package-cache-miss --sql"),
    "sql": ("db2tune sql", "db2tune sql --capture sales.capture 'SELECT * FROM TUNE.DATABASE_TIME'"),
    "selftest": (f"db2tune selftest {DB}", f"db2tune selftest {DB} -o result.json"),
    "mcp": ("db2tune mcp --config nightly.toml", "db2tune mcp --database SALES"),
}
Entry = tuple[str, str]


def _show_all(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        context.meta[__name__] = True
        click.echo(context.get_help())
        context.exit()


HELP_ALL = click.Option(
    ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all, help="Show all options."
)


class Command(click.Command):
    """A command whose help has examples; --help-all lists all options, in sections."""

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        return [*super().get_params(context), HELP_ALL]

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(context, formatter)
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in EXAMPLES[self.name or ""]))

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        every = __name__ in context.meta
        shown = [
            (name, record)
            for each in self.get_params(context)
            if (name := each.opts[-1].strip("-")) and (every or name not in RARE.split())
            if (record := each.get_help_record(context)) and record[1]
        ]
        sections = list(group_by_section(OPTIONS, shown))
        if not every:
            sections = [("Options", [entry for _, entries in sections for entry in entries])]
        for heading, entries in sections:
            with formatter.section(heading):
                formatter.write_dl(entries)


class Group(click.Group):
    """A group with its commands in sections and whole summaries."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [(name, (name, command.get_short_help_str(limit=1000))) for name, command in self.commands.items()]
        for heading, entries in group_by_section(COMMANDS, shown):
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<10}", summary) for name, summary in entries])


def group_by_section(sections: dict[str, str], shown: Iterable[tuple[str, Entry]]) -> Iterator[tuple[str, list[Entry]]]:
    """Yield each section that has entries."""
    found = dict(shown)
    others = [name for name in found if name not in " ".join(sections.values()).split()]
    for heading, names in sections.items():
        if entries := [found[name] for name in names.split() or others if name in found]:
            yield heading, entries
