"""The reference pages by their path below docs/; git ignores those that nobody needs in a checkout."""

from pathlib import Path

from tools.reference import commands, gates, hostfacts, platforms, practices, rules, sql_map, text_yields

DOCS = Path(__file__).parent.parent.parent / "docs"


def pages() -> dict[str, str]:
    return {
        "commands.md": commands.page(),
        "db2tune.1": commands.manual(),
        "gates.md": gates.page(),
        "hostfacts.md": hostfacts.page(),
        "papers.md": practices.page(),
        "platforms.md": platforms.page(),
        "rules/README.md": rules.index(),
        "sql-map.md": sql_map.page(),
        "text-yields.md": text_yields.page(),
    }
