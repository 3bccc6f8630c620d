"""The values of --fail-on and fail_on: the least urgent advice that counts."""

from advisor.catalogue.lanes import all_lanes, lane_of

FailOn = str | float  # a lane's name, ANY, or a benefit in percent of database time

ANY = "any"


def fail_on_names() -> tuple[str, ...]:
    """Return the names of thresholds, the widest first."""
    return ANY, *(lane.fail_on for lane in reversed(all_lanes().values()) if lane.fail_on)


def reaches_threshold(letter: str, benefit_pct: float, fail_on: FailOn) -> bool:
    """Return whether a lane is the named one or a more urgent one."""
    if fail_on == ANY:
        return True
    if isinstance(fail_on, str):
        lanes = list(all_lanes().values())
        last = next(number for number, lane in enumerate(lanes) if lane.fail_on == fail_on)
        return lane_of(letter) in lanes[: last + 1]
    return lane_of(letter).by_benefit and benefit_pct >= fail_on
