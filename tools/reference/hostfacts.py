"""docs/hostfacts.md: how facts about hosts are collected, and the vocabulary with the command behind each item."""

from pathlib import Path

from advisor import hostfacts
from advisor.catalogue.host_items import Item, all_items
from advisor.report.markdown import escape
from tools.reference.markdown import environment

SCHEMA = Path(hostfacts.__file__).parent / "hostfacts.schema.json"


def page() -> str:
    made = environment().overlay()
    made.filters = made.filters | {"told": told}
    template = made.get_template("hostfacts.md.j2")
    return template.render(items=list(all_items().values()), schema=SCHEMA.read_text(encoding="utf-8").rstrip())


def told(item: Item, system: str) -> str:
    """Where the collector has an item from on a system, or that a person tells it."""
    ways = [escape(item.commands[system])] if item.commands[system] else []
    return ", ".join([*ways, *(["by hand"] if item.source != "host" else [])])
