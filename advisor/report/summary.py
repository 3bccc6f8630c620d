"""The summary that opens a report: the verdict on one screen of 30 lines.

It names the database and the interval, the urgent changes, one line per recommendation, the total with its range, the
evidence that is missing, and the next commands.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabulate import tabulate
from wcwidth import wcswidth

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.lanes import Lane, lane_of
from advisor.judgement.advice import Recommendation, sum_benefits
from advisor.report import blocks, next_text, spent, text
from advisor.report.fail_on import URGENT_SEVERITIES, is_urgent
from advisor.report.output import Paint, plain
from advisor.report.selection import Selection

LINES = 30  # the most lines of a summary
MOST_URGENT, MOST_SHARES = 3, 4
ALL_RAN = "Every rule that applies could run."
KINDS = URGENT, TIMED, PROBLEM, HOUSEKEEPING = "urgent problem", "performance change", "problem", "housekeeping change"
COLUMNS = ("#", "recommendation", "benefit", "takes effect", "how")


@dataclass(frozen=True)
class Row:
    """One line of the list: a recommendation, or one rule's recommendations for several objects."""

    rank: int
    what: str
    benefit: str
    effect: str
    how: str

    @property
    def cells(self) -> list[str]:
        return [str(self.rank), self.what, self.benefit, self.effect, self.how]


def rows(selection: Selection) -> Iterator[tuple[Lane, list[Row]]]:
    """Yield each lane with its lines, in the order of the list."""
    for lane, items in selection.group_by_lane():
        yield lane, [_row(lane, group) for group in blocks.parts(lane, items)]


def _row(lane: Lane, group: list[Recommendation]) -> Row:
    first = group[0]
    benefit = text.percent(first.benefit) if lane.by_benefit else first.rule.severity if lane.by_severity else ""
    how = "manual" if all(item.by_hand for item in group) else "command"
    assert first.rank is not None  # a selection shows ranked ones
    return Row(first.rank, format_short_title(group), benefit, text.EFFECTS[first.effect], how)


def format_short_title(group: list[Recommendation]) -> str:
    """Return the fault and its object, or the number of objects."""
    first = group[0]
    if len(group) > 1:
        return f"{first.rule.title}: {text.count(len(group), text.kind(first))}"
    whole = first.object_type in {"DATABASE", "INSTANCE"} and first.member is None
    return first.rule.title if whole else f"{first.rule.title}: {text.thing(first)}"


def group_urgent(selection: Selection) -> list[list[Recommendation]]:
    """Return the recommendations against application errors and data loss by rule, the worst first."""
    items = [item for item in selection.ranked if is_urgent(item.lane, item.rule.severity)]
    return blocks.groups(sorted(items, key=lambda item: URGENT_SEVERITIES.index(item.rule.severity)))


def describe_urgent(group: list[Recommendation]) -> str:
    """Return the possible consequence of equal findings, and their ranks."""
    return f"{text.consequence(group[0])} ({text.ranks(group)})"


def verdict(selection: Selection) -> str:
    """Return the state of the database in one sentence."""
    if nothing := selection.explain_empty():
        return nothing
    advice = selection.advice
    kinds = Counter(_kind_of(item) for item in selection.ranked)
    untimed = {PROBLEM: " without a measured cost"}
    parts = [f"{text.count(kinds[kind], kind)}{untimed.get(kind, '')}" for kind in KINDS if kinds[kind]]
    said = ", ".join(parts)
    if not kinds.keys() - {HOUSEKEEPING}:
        left = selection.describe_unexplained()
        said = f"No problem found, only {said}" + (f", but time remains that no rule explains: {left}" if left else "")
    if not advice.measured:
        return f"{said}; {'only this text was checked' if advice.in_text else 'load was not measured'}."
    return f"{said}." if advice.time_spent.is_judged else f"{said}; load was not judged, so performance is unknown."


def _kind_of(item: Recommendation) -> str:
    lane = lane_of(item.lane)
    if is_urgent(item.lane, item.rule.severity):
        return URGENT
    if lane.brief:
        return HOUSEKEEPING
    return TIMED if lane.by_benefit and item.benefit > 0 else PROBLEM


def total(selection: Selection) -> str:
    """Return the benefit of all performance changes with its range, or an empty text."""
    low, expected, high = total_range(selection)
    if not expected:
        return ""
    return f"{text.percent(expected)} of database time ({low:.0f} to {high:.0f} %) with all performance changes"


def total_range(selection: Selection) -> tuple[float, float, float]:
    """Return the benefit of all performance changes in percent: low, expected and high."""
    items = [item for item in selection.ranked if lane_of(item.lane).by_benefit and item.benefit > 0]
    low, expected, high = sum_benefits(items)
    return low, expected, min(high, 100)


def time_line(selection: Selection) -> str:
    """Return the largest shares of database time in one line; empty if too little was measured."""
    found = spent.rows(selection.advice.time_spent)[:MOST_SHARES]
    return ", ".join(f"{row.title} {text.percent(row.pct)}" for row in found)


def missing(selection: Selection) -> str:
    """Name the rules that need evidence other than text, and how to supply it; empty if none."""
    lacking = {rule for rule, _ in selection.not_run} | {question["RULE"] for question in selection.questions}
    if not lacking or next_text.find_next_text(selection.advice):
        return ""
    rules = text.count(len(lacking), "rule")
    need = "needs" if len(lacking) == 1 else "need"
    of_host = all("host fact" in reason for _, reason in selection.not_run)
    if of_host:
        return f"{rules} {need} host facts: db2tune hostfacts"
    return f"{rules} {need} more evidence"


def describe_placeholders(selection: Selection) -> str:
    """Return how to replace the names in commands that a text lacks; empty if commands contain none."""
    advice = selection.advice
    commands = [line for item in selection.ranked for line in [*item.actions, *item.undo]]
    text_of_all = "\n".join([*commands, *next_text.parts(advice)])
    used = [name for name in UNNAMED.values() if advice.in_text and name in advice.database.values()]
    shown = [name for name in used if re.search(rf"\b{name}\b", text_of_all)]
    option = ", or pass --name" if UNNAMED["database"] in shown else ""
    return f"replace {' and '.join(shown)} in the commands{option}" if shown else ""


def find_first_with_commands(ranked: Sequence[Recommendation]) -> Recommendation:
    """Return the first recommendation that needs no person, or the first of all."""
    return next((item for item in ranked if item.settings and not item.by_hand), ranked[0])


def list_next_commands(selection: Selection, source: str | None) -> list[tuple[str, str]]:
    """Return the next commands with their purpose; ``source`` names the same list, None one that nothing keeps."""
    if source is None or not selection.ranked:
        return []
    first, best = selection.ranked[0], find_first_with_commands(selection.ranked)
    return [
        (f"db2tune explain {source} {first.rank}".replace("  ", " "), f"evidence and undo of rank {first.rank}"),
        (f"db2tune ticket {source} --rank {best.rank}".replace("  ", " "), "the text of a change ticket"),
        (f"db2tune plan {source}".rstrip(), "all changes in order"),
    ]


def lines(selection: Selection, width: int, paint: Paint = plain, source: str | None = "") -> list[str]:
    """Return the summary for a terminal, at most ``LINES`` lines of the width."""
    head = [paint(line, bold=True) for line in text.wrap(text.database(selection.advice), width)]
    head += _interval(selection, width, paint)
    tail = [line for name, said in _facts(selection) for line in _format_labelled(name, said, width, most=2)]
    if wanted := next_text.parts(selection.advice):
        said, command, *script = wanted
        tail += [*_format_labelled("More text", said, width, most=1), f"{'':<12}{paint(command, fg='cyan')}"]
        tail += [line for one in script for line in _format_labelled("", one, width, most=2)]
    commands = list_next_commands(selection, source)
    longest = max((len(command) for command, _ in commands), default=0)
    beside = all(14 + longest + len(purpose) <= width for _, purpose in commands)
    for n, (command, purpose) in enumerate(commands):
        label = "Next" if not n else ""
        shown = paint(f"{command:<{longest}}" if beside else command, fg="cyan")
        tail.append(f"{label:<12}{shown}{f'  {purpose}' if beside else ''}")
    judged = [paint(line, bold=True) for line in _format_labelled("Verdict", verdict(selection), width, most=3)]
    opening = [*head, "", *judged, *_format_urgent(selection, width, paint)]
    return [*opening, *_list(selection, width, paint, LINES - len(opening) - len(tail) - 4), "", *tail]


def _interval(selection: Selection, width: int, paint: Paint) -> list[str]:
    advice = selection.advice
    if not advice.measured:
        return text.wrap(f"From text: {text.describe_texts(advice)}", width) if advice.in_text else []
    said = text.wrap(text.interval(advice.window), width)
    said = said if advice.window.usable else [paint(line, fg="yellow") for line in said]
    workload = f", workload {text.workload(advice)}" if advice.workload.known else ""
    return [*said, *text.wrap(f"{text.load(advice)}{workload}", width)]


def _facts(selection: Selection) -> Iterator[tuple[str, str]]:
    """Return the lines below the list: passed checks, open questions, total, time, omissions."""
    lacking = missing(selection)
    for name, said in (
        ("Passed", "" if selection.ranked else selection.describe_passed()),
        ("Not judged", selection.describe_open() if selection.advice.in_text else ""),
        ("Total", total(selection)),
        ("Time", time_line(selection) or _explain_missing_time(selection)),
        ("Not shown", selection.describe_left_out() or ""),
        ("Not checked", f"{lacking} (list: --all)" if lacking else ""),
        ("Placeholder", describe_placeholders(selection)),
        ("Checked", "" if selection.not_run or lacking else ALL_RAN),
    ):
        if said:
            yield name, said


def _explain_missing_time(selection: Selection) -> str:
    """Explain why no time is shown, if something was measured and a list follows."""
    return selection.advice.time_spent.says if selection.ranked and selection.advice.measured else ""


def _format_labelled(name: str, said: str, width: int, most: int) -> list[str]:
    found = text.wrap(said, width, f"{name:<12}", " " * 12)
    return found if len(found) <= most else [*found[: most - 1], _truncate(f"{found[most - 1]} {found[most]}", width)]


def _format_urgent(selection: Selection, width: int, paint: Paint) -> list[str]:
    groups = group_urgent(selection)
    found: list[str] = []
    for group in groups[:MOST_URGENT]:
        said = describe_urgent(group)
        label = "Urgent" if not found else ""
        title = _truncate(format_short_title(group), width - 14 - len(said))
        found.append(paint(f"{label:<12}{title}; {said}", fg="red", bold=True))
    if len(groups) > MOST_URGENT:
        found.append(f"{'':<12}and {text.count(len(groups) - MOST_URGENT, 'more rule')}")
    return found


def _list(selection: Selection, width: int, paint: Paint, most: int) -> list[str]:
    """Return the list in at most ``most`` lines, with the heading of each lane."""
    if not selection.ranked:
        return []
    lanes = [(lane, found) for lane, found in rows(selection) if not lane.brief or selection.areas]
    brief = [item for item in selection.ranked if lane_of(item.lane).brief and not selection.areas]
    room = most - len(lanes) - bool(brief)
    shown = [(lane, row) for lane, found in lanes for row in found]
    cut = shown[: max(room, 3)]
    cells = _columns([row.cells for _, row in cut], width)
    said: list[str] = ["", paint(cells[0], dim=True)] if cut else [""]
    last: Lane | None = None
    for (lane, row), line in zip(cut, cells[1:], strict=True):
        if lane is not last:
            said.append(paint(lane.heading, bold=True))
        last = lane
        said.append(paint(line, fg=lane.colour) if lane.by_severity and row.benefit in URGENT_SEVERITIES else line)
    if more := len(shown) - len(cut):
        said.append(f"and {more} more, below")
    if brief:
        said.append(f"{text.count(len(brief), 'housekeeping change')}, below")
    return said


def _columns(cells: list[list[str]], width: int) -> list[str]:
    """Return the lines of the table, the header first, with titles cut to the width."""
    room = (
        width - 2 * len(COLUMNS) - sum(max(wcswidth(row[n]) for row in [list(COLUMNS), *cells]) for n in (0, 2, 3, 4))
    )
    short = [[row[0], _truncate(row[1], max(room, 20)), *row[2:]] for row in cells]
    return tabulate(
        [list(COLUMNS), *short],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right", "left", "right", "left", "left"],
    ).splitlines()


def _truncate(line: str, width: int) -> str:
    """Return a line cut to the columns of a terminal, on which some characters take two."""
    if wcswidth(line) <= width:
        return line
    while wcswidth(line) > width - 3:
        line = line[:-1]
    return f"{line.rstrip()}..."
