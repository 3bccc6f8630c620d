"""The verdict on the changes between captures."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from advisor.capture.hostfacts import Facts
from advisor.capture.site import Site
from advisor.errors import UserError
from advisor.judgement.weeks import read_periods
from advisor.verify import changed
from advisor.verify.changed import Change
from advisor.verify.comparable import Moment
from advisor.verify.measured import SPAN, Interval
from advisor.verify.promises import judge_promises, sum_figures
from advisor.verify.reading import captures_in, measure_captures
from advisor.verify.verdict import Verdict, judge, judge_sides


def verify_captures(
    before: Sequence[Path],
    after: Sequence[Path],
    when: datetime | None = None,
    hostfacts: Facts | None = None,
    site: Site | None = None,
) -> tuple[Verdict, list[Change]]:
    """Return the verdict, and the settings that changed between the last capture before and the first one after.

    With ``when``, all captures are in ``before``, and this time divides them. Raise UserError if there is no interval.
    """
    first, last = captures_in(before), captures_in(after)
    intervals = measure_captures([*first, *last])
    if not intervals:
        raise UserError("the captures contain no interval: each has one snapshot, and no two are consecutive")
    if when is None:
        named = set(map(str, last))
        after_it = [each for each in intervals if each.origins[-1] in named]
        before_it = [each for each in intervals if each.origins[-1] not in named]
        mixed = [each for each in after_it if each.origins[0] not in named]
        verdict = judge_sides(before_it, [each for each in after_it if each not in mixed])
        ends = before_it, after_it
        if before_it and after_it and min(each.end for each in after_it) < max(each.end for each in before_it):
            raise UserError(
                "a capture from after the change is older than one from before it; give them in the right order"
            )
    else:
        moment = Moment.from_time(when)
        verdict = judge(intervals, moment)
        ends = [each for each in intervals if each.end <= when], [each for each in intervals if each.end > when]
    found = _find_changes(*ends, hostfacts, site)
    promises = [promise for change in found for promise in change.promises]
    if promises:
        later = dict.fromkeys(Path(each.origins[-1]) for each in ends[1] if each.kind == SPAN)
        periods = read_periods(list(later), site or Site(), lambda _: None)
        figures = sum_figures(periods, {each.statement for each in promises})
        verdict = replace(verdict, promised=judge_promises(promises, figures))
    return verdict, found


def _find_changes(
    before: Sequence[Interval], after: Sequence[Interval], hostfacts: Facts | None, site: Site | None
) -> list[Change]:
    if not before or not after:
        return []
    newest = max(before, key=lambda each: each.end).origins[-1]
    oldest = min(after, key=lambda each: each.end).origins[-1]
    return changed.find_changes(Path(newest), Path(oldest), hostfacts, site)[0]
