"""The page docs/hostfacts.md: the collection of host facts, and the vocabulary with the command for each item."""

from advisor.catalogue.host_items import Item, all_items
from advisor.report.markdown import escape
from tools.reference.markdown import environment


def page() -> str:
    made = environment().overlay()
    made.filters = made.filters | {"collected_by": collected_by}
    return made.get_template("hostfacts.md.j2").render(items=list(all_items().values()))


def collected_by(item: Item, system: str) -> str:
    """Return the collector's command for an item on a system, and "manual" if a person adds it."""
    ways = [escape(item.commands[system])] if item.commands[system] else []
    return ", ".join([*ways, *(["manual"] if item.source != "host" else [])])
