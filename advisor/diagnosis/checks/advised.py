"""Indexes that db2advis recommends."""

from dataclasses import replace

from advisor.diagnosis.case import Case, Proposal, Right, key_list, percent, table_text
from advisor.diagnosis.checks import Found, check
from advisor.diagnosis.checks.access import LEAST, MOST_SAVED, SURE
from advisor.indexes.shapes import Candidate


@check("db2advis", "An index that db2advis recommends", "IBM documentation, Design Advisor (db2advis)")
def recommended(case: Case) -> Found:
    for name, index in case.paste.recommended:
        facts = case.facts(name)
        known = facts.indexes.values() if facts else ()
        if any(each.keys[: len(index.keys)] == index.keys for each in known):
            yield Right(
                f"db2advis recommends {key_list(index.keys)} on {table_text(name)}, which an index begins with."
            )
            continue
        candidate = Candidate(case.used_name(name), name[1], index.keys, index.include, index.is_unique)
        called, create, drop = case.index_commands(replace(candidate, schema=name[0]))
        now = case.cost_with() if case.paste.tree is not None else 0.0
        share = 1 - case.cost_with([candidate]) / now if now else None
        if share is not None and share < LEAST:
            yield Right(
                f"The index on {table_text(name)} ({key_list(index.keys)}) of db2advis saves {percent(share)} of this statement."
            )
            continue
        yield Proposal(
            f"Create the index of db2advis on {table_text(name)} ({key_list(index.keys)})",
            "db2advis estimated that the plan is cheaper with it"
            + ("." if share is None else f"; the model here agrees ({percent(share)})."),
            (create,),
            (drop,),
            saves=(0.0, MOST_SAVED) if share is None else (SURE * share, min(MOST_SAVED, share)),
            costs="Each INSERT and DELETE, and each UPDATE of its columns, changes the index.",
            proof=f"Explain the statement again: it uses {called}.",
            notes=(
                "db2advis knows only the statements that it was given: compare the index with existing ones first.",
            ),
            weight=0.7,
        )
