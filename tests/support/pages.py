"""The HTML pages, each with made-up data that contains every possible part once."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import sin

from advisor.capture.lessons import CONFIRMED, HARMFUL
from advisor.fleet import page as fleet_page
from advisor.fleet.estate import Surveyed, estate, survey_advice
from advisor.judgement.advice import Acceptance, Advice
from advisor.judgement.changes import Difference, SettingChange, compare_advice
from advisor.nightly import history_page
from advisor.nightly.runs import Line, Metric, Run
from advisor.plan import page as plan_page
from advisor.plan.steps import plan
from advisor.report import diff_page, page, pictures
from advisor.report.selection import select
from advisor.resources import data_file
from advisor.ticket import verified_page
from advisor.verify.changed import Change
from advisor.verify.nights import Verified
from advisor.verify.regressed import Beside, Regressed
from advisor.verify.verdict import Figure, Guard, Seen, StatementChange, Verdict
from tests.support.made_up import SPENT, UNEXPLAINED, advice, item, rule

FIRST = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)
TIME = Figure("database time per activity", "ms", 12, 13.5, 12.5, 8.0, 17.0, 14, 7)
LOG = replace(TIME, metric="log disk wait per commit", before=1, after=2, change_pct=90.0, low_pct=70.0, high_pct=99.0)
UNDO = "UPDATE DB CFG FOR SALES USING SORTHEAP 256"


def advised(name: str = "TS1") -> Advice:
    """Return a list with a change that interrupts, one that takes memory, and one that was left out."""
    of = [
        rule("prefetch.size-misaligned"),
        rule("memory.sort-overflow", takes_effect="instance restart"),
        rule("log.shares-data-device"),
    ]
    given = (
        item(of[0], "P", 1, name, step=1, memory_delta_kb=40_000),
        item(of[1], "P", 2, name, step=2, memory_delta_kb=-10_000, finding=name, evidence={"NAME": name}),
        item(of[2], "P", None, name, superseded_by=of[0].name),
    )
    seen = {of: [_row(of, name), _row(of, name)] for of in pictures.statements()}
    asked = [{"QUESTION": name, "RULE": "x.y"}]
    return replace(advice(SPENT, *given), questions=asked, not_run=[("x.z", name)], seen=seen)


def _row(picture: str, name: str) -> dict[str, object]:
    """Return a row of a chart with a name in each text."""
    columns = [row for row in data_file("pictures", "columns") if row["PICTURE"] == picture]
    return {row["COLUMN"]: name if row["FORMAT"] == "text" else 4096 for row in columns}


def _plan(name: str) -> str:
    given = advised(name)
    return plan_page.render(plan(given), given)


def _diff(name: str) -> str:
    before = advised(name)
    moved = [
        replace(each, benefit=each.benefit / 3, accepted=Acceptance(name, name, None))
        for each in before.recommendations[1:]
    ]
    after = replace(advice(UNEXPLAINED, *moved, item(rule("lock.x"), "P", 3, name)), options={})
    carried = SettingChange("DDL", 1, f"TABLESPACE:{name}:PREFETCHSIZE", "24", name, before.ranked[0], True)
    made = SettingChange("DB", None, "sortheap", "256", "512")
    return diff_page.render(
        Difference(before, after, [carried, made], {"registry": name}, compare_advice(before, after))
    )


def _verdict(name: str) -> str:
    statement = StatementChange("H1", name, 40.0, True, replace(TIME, metric="time per execution"))
    begin = FIRST.replace(tzinfo=None)
    course = tuple(Seen(begin + timedelta(days=n), 12 + (n > 13) * 1.5 + 0.3 * sin(5 * n), n > 13) for n in range(21))
    worse = Verdict(
        HARMFUL, "whole day", 0.98, TIME, (LOG,),
        (Guard(LOG.metric, True, LOG), Guard("pages swapped out", False, None)),
        3, (statement,), (("it holds the change", 1),), None, ("database time per activity got worse",), course,
    )  # fmt: skip
    open_ = replace(worse, verdict="inconclusive", figure=None, course=(), others=(), guards=(), changed=())
    return verified_page.render(name, [(worse, [_changed(name)]), (open_, [])])


def _changed(name: str) -> Change:
    said = f"SORTHEAP of {name}: 256 -> 512"
    return Change(said, "DBCFG:SORTHEAP", "r", 9.0, (UNDO,), "256", "512", "DATABASE", name, 3, 15, 9)


def history(name: str = "SALES", nights: int = 60) -> str:
    """Return this many nights of a database with two changes, slower from one of the nights on."""
    line = Line(1, "P", "prefetch.x", "TABLESPACE", name, None, name, 12.5, "T", "32", "48", None, False)
    units = {"database time per activity": "ms", "log disk wait per commit": "ms", "active sessions": "sessions"}
    runs = [
        Run(
            name, FIRST + timedelta(days=night), f"{name} on db1", (name,), "300 s", name if night == 3 else None,
            (line,), tuple(_metric(metric, unit, night) for metric, unit in units.items()), (), None, (), name,
        )
        for night in range(nights)
    ]  # fmt: skip
    at = [FIRST + timedelta(days=night) for night in (15, 31, 45)]
    changes = [
        Verified(name, 15, at[0], (_changed(name),), CONFIRMED, "confirmed: -12.0 % (-15.0 to -9.0)", 14, True),
        Verified(name, 31, at[1], (_changed(name),), HARMFUL, "harmful: +8.0 % (+5.0 to +11.0)", 3, False),
    ]
    since = at[2].replace(tzinfo=None)
    slower = Regressed(
        since, since, since, "whole day", 9.0, 11.0, "ms", 20.0, 12.0, 28.0,
        (Beside("volume", name),),
    )  # fmt: skip
    return history_page.render(runs, changes, {name: [slower]})


def _metric(name: str, unit: str, night: int) -> Metric:
    value = 12 - 1.5 * (15 <= night < 31) + 2 * (night >= 45) + 0.5 * sin(len(name) * night)
    return Metric(name, unit, None if night == 7 else value)


def advice_page(name: str) -> str:
    return page.render(select(advised(name)))


def _fleet(name: str) -> str:
    """Return a fleet: an unreadable database, one without load, and enough others that names are collapsed."""
    given = advised(name)
    idle = replace(given, window=replace(given.window, active_sessions=None))
    safety = replace(given, recommendations=[item(rule("log.y", "safety"), "S", 1, name)])
    others = [survey_advice(f"{name}{n}", each, name) for n, each in enumerate([given] * 4 + [idle, safety])]
    courses = [tuple(12 + night * rise / 30 + sin(night) for night in range(30)) for rise in (0, 4, -2, 0)]
    compared = [replace(one, new=one.found[:1], trend=course) for one, course in zip(others, courses, strict=False)]
    others = [replace(compared[0], link="#new"), *compared[1:], *others[4:]]
    return fleet_page.render(estate([Surveyed(name, error=f"the server did not answer: {name}"), *others]))


PAGES: dict[str, Callable[[str], str]] = {
    "advice": advice_page,
    "plan": _plan,
    "diff": _diff,
    "verdict": _verdict,
    "fleet": _fleet,
    "history": partial(history, nights=60),
}
