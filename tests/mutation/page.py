"""docs/mutation.md: the share of the mutants that tests notice, by folder and rule, and those that none does."""

from collections.abc import Iterable, Iterator, Sequence

from tests.mutation.explained import forms, reasons
from tests.mutation.trial import Verdict

HEAD = """# What the tests would notice

Written by `make mutants`. Each number, comparison and operator of the SQL that judges is changed by a program, one at a time
(`tests/mutation/`): another threshold, `<` in place of `<=`, OR in place of AND, the greatest in place of the least, an
arm of a CASE or the default of a COALESCE left out. What a test asserts then fails, or the mutant survives, and a case is
missing. The tests are the cases of the rules, what is advised to be carried out in them, the machines with their expected
advice, and what else is judged together (`tests/judgement/`).
"""


def survivors(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.counts and verdict.by is None]


def page(verdicts: Sequence[Verdict], what: Sequence[str], there_are: int) -> str:
    """The page of what was tried: of so many mutants of these folders all, or a sample."""
    folders = ", ".join(f"`sql/{folder}`" for folder in what)
    tried = f"Tried were {len(verdicts)} of the {there_are} mutants of {folders}, drawn by chance.\n"
    return "\n".join([HEAD, tried, *_shares(verdicts), "", *_left_out(), "", *_survivors(verdicts), ""])


def _group(verdict: Verdict) -> str:
    return "/".join(verdict.mutant.file.split("/")[:2])


def _shares(verdicts: Sequence[Verdict]) -> Iterator[str]:
    counted = [verdict for verdict in verdicts if verdict.counts]
    yield "| folder | mutants | noticed | share |"
    yield "| --- | ---: | ---: | ---: |"
    for folder in dict.fromkeys(verdict.mutant.file.split("/")[0] for verdict in counted):
        yield _row(f"`sql/{folder}`", [v for v in counted if v.mutant.file.startswith(f"{folder}/")])
    yield ""
    yield "| area of rules, or view | mutants | noticed | share |"
    yield "| --- | ---: | ---: | ---: |"
    for group in sorted({_group(verdict) for verdict in counted}):
        yield _row(f"`{group}`", [verdict for verdict in counted if _group(verdict) == group])


def _row(name: str, verdicts: Sequence[Verdict]) -> str:
    killed = sum(verdict.by is not None for verdict in verdicts)
    return f"| {name} | {len(verdicts)} | {killed} | {100 * killed / len(verdicts):.0f} % |"


def _left_out() -> Iterator[str]:
    yield "## What is not tried"
    yield ""
    yield from (f"- {reason}." for reason in forms().values())
    yield "- What says the same in other words, as `tests/mutation/same.py` tells: such as a LEFT JOIN whose columns WHERE compares."
    yield f"- What makes no difference, for the reasons in `tests/mutation/equivalent.csv`: {len(reasons())} rows."


def _survivors(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "## What survives"
    yield ""
    left = survivors(verdicts)
    yield from (f"- `{verdict.mutant}`" for verdict in left)
    if not left:
        yield "None of those that were tried."
