"""Print the figures of the proof as Markdown: python -m tools.trials.engine."""

import sys
from collections.abc import Iterable

from tools.trials.engine.cases import INDEXED
from tools.trials.engine.cluster import why_not
from tools.trials.engine.proof import OURS, SEARCH, TEXT, Proof, prove_all

_LISTS = ((OURS, "db2tune"), (TEXT, "from text"), (SEARCH, "what-if search"))


def render_lists(proofs: Iterable[Proof]) -> str:
    """Return the time saved and the size of each list of indexes."""
    lines = ["| schema | list | indexes | MB | time saved |", "|---|---|---:|---:|---:|"]
    for proof in proofs:
        for name, title in _LISTS:
            if name in proof.choices:
                choice = proof.choices[name]
                cells = (len(choice.definitions), f"{choice.bytes / 1e6:.0f}", f"{100 * proof.saved(name):.1f} %")
                lines.append(f"| {proof.case.title} | {title} | {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def render_targets(proofs: Iterable[Proof]) -> str:
    """Return what the advice reaches: its part of the best saving, and how exact its prediction is."""
    lines = [
        "| schema | of the best saving | least effect of an index | saving, predicted | measured "
        "| within a factor of two | helped ones |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for proof in (each for each in proofs if each.case != INDEXED):
        helped = proof.helped()
        cells = (
            f"{100 * proof.of_best():.0f} %",
            f"{100 * min(proof.effects().values(), default=0.0):.1f} %",
            f"{100 * proof.answer.saved:.1f} %",
            f"{100 * proof.saved(OURS):.1f} %",
            f"{proof.near()} of {len(proof.before)}",
            f"{proof.near(helped)} of {len(helped)}",
        )
        lines.append(f"| {proof.case.title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Print the tables, or why they cannot be measured."""
    if reason := why_not():
        print(reason, file=sys.stderr)
        return 1
    proofs = prove_all()
    print(f"{render_lists(proofs)}\n\n{render_targets(proofs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
