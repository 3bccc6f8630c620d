"""All reference pages by their path below docs/."""

from pathlib import Path

from tools.reference import architecture, commands, hostfacts, practices, rules, sql_map

DOCS = Path(__file__).parent.parent.parent / "docs"


def pages() -> dict[str, str]:
    made = {f"rules/{name}": content for name, content in rules.pages().items()}
    return made | {
        "architecture.md": architecture.page(),
        "commands.md": commands.page(),
        "db2tune.1": commands.manual(),
        "hostfacts.md": hostfacts.page(),
        "papers.md": practices.page(),
        "sql-map.md": sql_map.page(),
    }
