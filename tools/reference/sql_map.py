"""The page docs/sql-map.md: which view reads which, and what each contains."""

import re
from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter

from advisor.catalogue.rules import all_rules
from advisor.catalogue.sqltext import references
from advisor.catalogue.views import CHOICE, describe, model_files, model_views, next_choice, rank_views
from advisor.resources import SQL
from tools.reference.markdown import environment

CHOSEN = "CHOSEN"  # the table that the choice fills
GENERATED = {
    "COUNTER_CHECK": "The worst difference of each source's counters; a negative one means a reset.",
    "SETTING_WORD": "Each setting of the findings with the words of its command.",
    "SETTING_TEXT": "Each setting of the findings as in its command, and each text.",
}
MOST_NAMES = 4  # of readers in the table

Reads = Mapping[str, frozenset[str]]


def page() -> str:
    groups, views = view_groups(), _model() | rank_views() | {CHOICE: next_choice()}
    reads = {name: references(sql) & {*views, CHOSEN} for name, sql in views.items()} | {CHOSEN: frozenset({CHOICE})}
    group_of = {name: group for group, names in groups.items() for name in names}
    ranking = [*rank_views(), CHOICE, CHOSEN]
    tables = {**groups, "Ranking": [name for name in ranking if name != CHOSEN]}
    return (
        environment()
        .get_template("sql_map.md.j2")
        .render(
            between=_graph(_between_groups(reads, group_of)),
            groups={group: _graph(_within(names, reads, group_of)) for group, names in groups.items()},
            ranking=_graph(_within(ranking, reads, dict.fromkeys(group_of, "Model views"))),
            tables={title: [_row(name, reads) for name in sorted(names)] for title, names in tables.items()},
        )
    )


def view_groups() -> dict[str, list[str]]:
    """Return the names of the model views by group, which are the folders of sql/model/."""
    files = model_files() | {"COUNTER_CHECK": model_files()["METRIC"]}
    group_of = {name: files[name].parent.name.capitalize() for name in sorted(_model())}
    return {group: [name for name in group_of if group_of[name] == group] for group in sorted({*group_of.values()})}


def _model() -> dict[str, str]:
    return {name: sql for name, sql in model_views().items() if not name.startswith(("D_", "L_", "O_"))}


def _between_groups(reads: Reads, group_of: dict[str, str]) -> Reads:
    """Return the groups that each group reads, without those that a chain of others implies.

    Raise CycleError if groups read each other.
    """
    direct = {
        group: {
            group_of[read] for name in group_of if group_of[name] == group for read in reads[name] & group_of.keys()
        }
        - {group}
        for group in group_of.values()
    }
    before: dict[str, set[str]] = {}
    for group in TopologicalSorter(direct).static_order():
        before[group] = direct[group].union(*(before[other] for other in direct[group]))
    return {
        group: frozenset(one for one in others if not any(one in before[other] for other in others))
        for group, others in direct.items()
    }


def _within(names: Iterable[str], reads: Reads, group_of: dict[str, str]) -> Reads:
    """Return what each view of a group reads, with the groups instead of views outside."""
    return {name: frozenset(read if read in names else group_of[read] for read in reads[name]) for name in names}


def _graph(reads: Reads) -> list[str]:
    """Return the lines of a Mermaid graph; groups have round ends."""
    nodes = sorted({*reads, *(read for found in reads.values() for read in found)})
    lines = [f'{_node(name)}(["{name}"])' for name in nodes if not name.isupper()]
    lines += [name for name in nodes if name.isupper() and not reads[name]]
    return lines + [
        f"{' & '.join(map(_node, sorted(found)))} --> {_node(name)}" for name, found in sorted(reads.items()) if found
    ]


def _node(name: str) -> str:
    return name.replace(" ", "_")


def _row(name: str, reads: Reads) -> tuple[str, str, str]:
    return name, GENERATED.get(name) or _first_sentence(name), _readers(name, reads)


def _first_sentence(name: str) -> str:
    path = model_files().get(name) or SQL / "rank" / f"{name.lower()}.sql"
    return re.split(r"(?<=\.) ", describe(path))[0]


def _readers(name: str, reads: Reads) -> str:
    views = sorted(reader for reader, read in reads.items() if name in read)
    rules = sum(name in references(rule.select) for rule in all_rules().values())
    words = views if len(views) <= MOST_NAMES else [f"{len(views)} views"]
    return ", ".join([*words, *([f"{rules} rule{'s' * (rules > 1)}"] if rules else [])]) or "the program"
