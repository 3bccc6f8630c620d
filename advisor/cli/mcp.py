"""The command ``mcp``: a server of read-only tools for programs that use the Model Context Protocol."""

from pathlib import Path

import click

from advisor.cli.sections import Command
from advisor.errors import UserError

EXTRA = "pip install 'db2tune[mcp]'"


@click.command(cls=Command)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="nightly.toml with the databases that the tools may read.",
)
@click.option(
    "--database",
    "aliases",
    multiple=True,
    metavar="ALIAS",
    help="An alias of db2dsdriver.cfg that the tools may read, as your operating system user. Can be repeated.",
)
def mcp(config: Path | None, aliases: tuple[str, ...]) -> int:
    """Serve read-only tools to an MCP client over standard input and output.

    The tools run advise, explain, plan, ticket, simulate, statements, indexes, fleet, diff, verify and rules.
    They read captures, texts, kept runs, and the databases that you name here. They change no database and keep no run.
    """
    from advisor.mcp.databases import configured

    try:
        from advisor.mcp.server import serve
    except ImportError:
        raise UserError(f"the package mcp, from version 2.3, is not installed; run {EXTRA}") from None
    serve(configured(config, aliases), config)
    return 0
