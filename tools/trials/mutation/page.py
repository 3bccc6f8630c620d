"""The page docs/mutation.md: the share of detected mutants by folder and rule, and the undetected ones."""

from collections.abc import Iterable, Iterator, Sequence

from tools.trials.mutation.explained import list_forms, list_reasons
from tools.trials.mutation.run import Verdict

HEAD = """# Mutants

Written by `make mutants`. A program changes each number, comparison and operator of the judging SQL, one at a time
(`tools/trials/mutation/`): another threshold, `<` instead of `<=`, OR instead of AND, MAX instead of MIN, a missing CASE branch
or COALESCE default. A mutant that no test detects needs a case. The tests are the cases of the rules with their advice
carried out, the machines with expected advice, and `tests/judgement/`.
"""

FEWEST = 5  # mutants of a group that make a share meaningful


def list_survivors(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.valid and verdict.by is None]


def write_page(verdicts: Sequence[Verdict], what: Sequence[str], there_are: int) -> str:
    """Return the page about all mutants of these folders, or a sample."""
    folders = ", ".join(f"`sql/{folder}`" for folder in what)
    tried = f"Tried at random: {len(verdicts)} of {there_are:,} mutants of {folders}.\n"
    return "\n".join([HEAD, tried, *_shares(verdicts), "", *_left_out(), "", *_survivors(verdicts), ""])


def _group(verdict: Verdict) -> str:
    return "/".join(verdict.mutant.file.split("/")[:2])


def _shares(verdicts: Sequence[Verdict]) -> Iterator[str]:
    counted = [verdict for verdict in verdicts if verdict.valid]
    yield "| folder | mutants | detected | share |"
    yield "| --- | ---: | ---: | ---: |"
    for folder in dict.fromkeys(verdict.mutant.file.split("/")[0] for verdict in counted):
        yield _row(f"`sql/{folder}`", [v for v in counted if v.mutant.file.startswith(f"{folder}/")])
    yield ""
    yield f"| area of rules, or view, with at least {FEWEST} mutants | mutants | detected | share |"
    yield "| --- | ---: | ---: | ---: |"
    for group in sorted({_group(verdict) for verdict in counted}):
        own = [verdict for verdict in counted if _group(verdict) == group]
        if len(own) >= FEWEST:
            yield _row(f"`{group}`", own)


def _row(name: str, verdicts: Sequence[Verdict]) -> str:
    killed = sum(verdict.by is not None for verdict in verdicts)
    return f"| {name} | {len(verdicts)} | {killed} | {100 * killed / len(verdicts):.0f} % |"


def _left_out() -> Iterator[str]:
    yield "## Excluded"
    yield ""
    yield from (f"- {reason}." for reason in list_forms().values())
    yield "- Equivalent SQL by `tools/trials/mutation/same.py`, such as a LEFT JOIN whose columns WHERE compares."
    yield f"- Mutants without an effect, with reasons in `tools/trials/mutation/equivalent.csv`: {len(list_reasons())} rows."


def _survivors(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "## Undetected"
    yield ""
    left = list_survivors(verdicts)
    yield from (f"- `{verdict.mutant}`" for verdict in left)
    if not left:
        yield "None."
