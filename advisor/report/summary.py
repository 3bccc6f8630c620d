"""The summary that opens a report: the verdict on one screen of 30 lines.

It names the database and the interval, the urgent changes, one line per recommendation, the total with its range, the
evidence that is missing, and the next commands.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabulate import tabulate

from advisor.capture.manifest import UNNAMED
from advisor.catalogue.lanes import Lane, lane_of
from advisor.judgement.advice import Recommendation
from advisor.report import blocks, next_text, spent, text
from advisor.report.fail_on import URGENT_SEVERITIES, is_urgent
from advisor.report.output import Paint, plain
from advisor.report.selection import Selection

LINES = 30  # the most lines of a summary
MOST_URGENT, MOST_SHARES = 3, 4
ALL_RAN = "Every rule that applies could run."
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
        groups = blocks.groups(items) if lane.grouped or lane.brief else [[item] for item in items]
        yield lane, [_row(lane, group) for group in groups]


def _row(lane: Lane, group: list[Recommendation]) -> Row:
    first = group[0]
    benefit = text.percent(first.benefit) if lane.by_benefit else first.rule.severity if lane.by_severity else ""
    how = "manual" if all(item.by_hand for item in group) else "command"
    assert first.rank is not None  # a selection shows ranked ones
    return Row(first.rank, format_short_title(group), benefit, text.EFFECTS[first.rule.effect], how)


def format_short_title(group: list[Recommendation]) -> str:
    """Return the fault and its object, or the number of objects."""
    first = group[0]
    if len(group) > 1:
        return f"{first.rule.title}: {text.count(len(group), text.kind(first))}"
    whole = first.object_type in {"DATABASE", "INSTANCE"} and first.member is None
    return first.rule.title if whole else f"{first.rule.title}: {text.thing(first)}"


def select_urgent(selection: Selection) -> list[Recommendation]:
    """Return the recommendations against application errors and data loss, the worst first."""
    items = [item for item in selection.ranked if is_urgent(item.lane, item.rule.severity)]
    return sorted(items, key=lambda item: URGENT_SEVERITIES.index(item.rule.severity))


def total(selection: Selection) -> str:
    """Return the benefit of all performance changes with its range, or an empty text."""
    items = [item for item in selection.ranked if lane_of(item.lane).by_benefit and item.benefit > 0]
    if not items:
        return ""
    low = sum(item.benefit_after * item.benefit_low / item.benefit for item in items)
    high = sum(item.benefit_after * item.benefit_high / item.benefit for item in items)
    expected = text.percent(sum(item.benefit_after for item in items))
    return f"{expected} of database time ({low:.0f} to {min(high, 100):.0f} %) with all performance changes"


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
        return f"{rules} {need} host facts: db2tune hostfacts (list: --all)"
    return f"{rules} {need} more evidence; --all lists it"


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


def list_next_commands(selection: Selection, source: str) -> list[tuple[str, str]]:
    """Return the next commands with their purpose; ``source`` is the option that names the same list."""
    if not selection.ranked:
        return []
    first, best = selection.ranked[0], find_first_with_commands(selection.ranked)
    return [
        (f"db2tune explain {source} {first.rank}".replace("  ", " "), f"evidence and undo of rank {first.rank}"),
        (f"db2tune ticket {source} --rank {best.rank}".replace("  ", " "), "the text of a change ticket"),
        (f"db2tune plan {source}".rstrip(), "all changes in order"),
    ]


def lines(selection: Selection, width: int, paint: Paint = plain, source: str = "") -> list[str]:
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
    return [
        *head,
        *_format_urgent(selection, width, paint),
        *_list(selection, width, paint, LINES - len(head) - len(tail) - 6),
        "",
        *tail,
    ]


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
        ("Passed", "" if selection.ranked else ", ".join(selection.passed)),
        ("Not judged", selection.describe_open() if selection.advice.in_text else ""),
        ("Total", total(selection)),
        ("Time", time_line(selection) or _explain_missing_time(selection)),
        ("Not shown", selection.describe_left_out() or ""),
        ("Not checked", lacking),
        ("Placeholder", describe_placeholders(selection)),
        ("Checked", ALL_RAN if selection.ranked and not selection.not_run and not lacking else ""),
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
    items = select_urgent(selection)
    found: list[str] = []
    for item in items[:MOST_URGENT]:
        said = f"{format_short_title([item])}; {text.consequence(item)} (rank {item.rank})"
        label = "Urgent" if not found else ""
        found.append(paint(_truncate(f"{label:<12}{said}", width), fg="red", bold=True))
    if len(items) > MOST_URGENT:
        found.append(f"{'':<12}and {len(items) - MOST_URGENT} more")
    return ["", *found] if found else []


def _list(selection: Selection, width: int, paint: Paint, most: int) -> list[str]:
    """Return the list in at most ``most`` lines, with the heading of each lane."""
    if nothing := selection.explain_empty():
        return ["", *text.wrap(nothing, width)]
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
    room = width - 2 * len(COLUMNS) - sum(max(len(row[n]) for row in [list(COLUMNS), *cells]) for n in (0, 2, 3, 4))
    short = [[row[0], _truncate(row[1], max(room, 20)), *row[2:]] for row in cells]
    return tabulate(
        [list(COLUMNS), *short],
        tablefmt="plain",
        disable_numparse=True,
        colalign=["right", "left", "right", "left", "left"],
    ).splitlines()


def _truncate(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 3].rstrip()}..."
