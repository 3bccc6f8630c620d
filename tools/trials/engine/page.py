"""The figures of the proof as Markdown."""

from collections.abc import Iterable

from tools.trials.engine.proof import ALL, EACH, FIXED, OURS, SEARCH, Proof

_LISTS = (
    (OURS, "db2tune"),
    (SEARCH, "what-if search"),
    (EACH, "best index per statement"),
    (FIXED, "fixed benefits per byte"),
    (ALL, "all of these together"),
)


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
        "| schema | time before | of the best saving | least effect of an index | saving, predicted | measured "
        "| size, predicted / real | within a factor of two | more than twice as slow as predicted |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for proof in (each for each in proofs if each.choices[OURS].definitions):
        ratios = proof.predictions().values()
        size = sum(chosen.bytes for chosen in proof.advice.chosen) / max(1, proof.choices[OURS].bytes)
        cells = (
            f"{proof.total(proof.before) / 1000:.0f} s",
            f"{100 * proof.of_best():.0f} %",
            f"{100 * min(proof.effects().values(), default=0.0):.1f} %",
            f"{100 * proof.predicted():.1f} %",
            f"{100 * proof.saved(OURS):.1f} %",
            f"{size:.2f}",
            f"{proof.near()} of {len(ratios)}",
            f"{sum(ratio < 0.5 for ratio in ratios)} of {len(ratios)}",
        )
        lines.append(f"| {proof.case.title} | {' | '.join(cells)} |")
    return "\n".join(lines)


def render(proofs: Iterable[Proof]) -> str:
    """Return both tables."""
    given = list(proofs)
    return f"{render_lists(given)}\n\n{render_targets(given)}\n"
