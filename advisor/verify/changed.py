"""Settings that changed and advised indexes that were created between two captures, with their advice and undo."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site
from advisor.indexes.shapes import Candidate
from advisor.judgement import changes
from advisor.judgement.advice import Advice, Recommendation
from advisor.judgement.changes import SettingChange, load_ends
from advisor.judgement.indexes import RULE
from advisor.judgement.lessons import own_benefit
from advisor.judgement.run import advise
from advisor.quoting import quoted
from advisor.report.diff import change_text
from advisor.verify.promises import Promise, list_promises

# Captures list an index only if it is used or large: an older one that is listed first at the end is not new.
_CREATED = """
SELECT DISTINCT A.INDSCHEMA, A.INDNAME, A.TABSCHEMA, A.TABNAME, A.COLNAMES
FROM TUNE.S_INDEX AS A
WHERE A.SNAP_ID = 2 AND A.COLNAMES IS NOT NULL AND COALESCE(A.AGE_D, 0) <= $hours / 24 + 1 AND NOT EXISTS (
    SELECT 1 FROM TUNE.S_INDEX AS B
    WHERE B.SNAP_ID = 1 AND A.INDSCHEMA = B.INDSCHEMA AND A.INDNAME = B.INDNAME AND A.COLNAMES = B.COLNAMES
)
ORDER BY 1, 2
"""


@dataclass(frozen=True)
class Change:
    """One change: a sentence, and the setting with its values, or an index with its promises per statement.

    ``rule`` is the rule of the advice that it carries out, or None. ``benefit`` is the benefit that the advice promised,
    in percent of database time, and ``undo`` its undo commands. ``own_benefit`` is the rule's own estimate, without
    lessons from other changes.
    """

    text: str
    target: str
    rule: str | None
    benefit: float | None = None
    undo: tuple[str, ...] = ()
    old: str | None = None
    new: str | None = None
    object_type: str | None = None
    object_name: str | None = None
    benefit_low: float | None = None
    benefit_high: float | None = None
    own_benefit: float | None = None
    promises: tuple[Promise, ...] = ()


def find_changes(
    before: Path, after: Path, hostfacts: Facts | None = None, site: Site | None = None
) -> tuple[list[Change], dict[str, str]]:
    """Return the changes between the ends of two captures, and the sources that were not compared, with the reason."""
    found, not_compared = changes.changes(before, after)
    with load_ends(before, after, ["index"]) as both:
        created = [] if both.not_compared else list(both.tables.fetch(_CREATED, {"hours": both.hours}))
    if not found and not created:
        return [], not_compared
    advice = advise(before, hostfacts=hostfacts, site=site)
    found = changes.match_recommendations(found, advice)
    return [*map(_make_changed, found), *_match_created(created, advice)], not_compared


def _make_changed(change: SettingChange) -> Change:
    advised = change.advised if change.carries_out else None
    return Change(
        change_text(change) if change.advised else f"{change_text(change)}; no advice asked for it",
        change.target,
        advised.rule.name if advised else None,
        undo=tuple(advised.undo) if advised else (),
        old=change.old,
        new=change.new,
        **_read_promise(advised),
    )


def _read_promise(advised: Recommendation | None) -> dict[str, Any]:
    """Return the object of a recommendation and its promised benefit as fields of a change."""
    if advised is None:
        return {}
    found = {"object_type": advised.object_type, "object_name": advised.object_name}
    if not advised.benefit_high:
        return found
    low, own, high = own_benefit(advised)
    return found | {"benefit": advised.benefit, "benefit_low": low, "benefit_high": high, "own_benefit": own}


def _match_created(created: Sequence[Sequence[str]], advice: Advice) -> Iterator[Change]:
    """Yield the created indexes that the advice proposed, under any name, as changes."""
    for schema, index, *table, columns in created if advice.indexes else ():
        assert advice.indexes is not None
        for chosen in advice.indexes.chosen:
            if table == [chosen.index.schema, chosen.index.table] and _begins_with(columns, chosen.index):
                break
        else:
            continue
        name = f"{chosen.index.schema}.{chosen.name}"
        advised = next((item for item in advice.ranked if item.key == (RULE, "INDEX", name)), None)
        target = f"INDEX:{schema}.{index}"
        yield Change(
            f"index {schema}.{index} created; carries out {RULE}{f' (rank {advised.rank})' if advised else ''}",
            target,
            RULE,
            undo=(f"DROP INDEX {quoted(schema)}.{quoted(index)}",),
            new="created",
            promises=list_promises(advice.indexes, chosen, target),
            **({"object_type": "INDEX", "object_name": name} | _read_promise(advised)),
        )


def _begins_with(columns: str, wanted: Candidate) -> bool:
    """Return whether the COLNAMES of an index begin with the key of a proposed one."""
    key = "".join(("-" if each.descending else "+") + each.column for each in wanted.keys)
    return columns.startswith(key) and columns[len(key) :][:1] in ("", "+", "-", "*")
