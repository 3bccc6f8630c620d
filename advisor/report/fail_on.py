"""The levels of --fail-on and fail_on: from which advice on somebody wants to hear of it."""

Level = str | float

LANES = ("prerequisite", "safety", "performance")
ANY = "any"
_LETTERS = "QSPH"


def reaches(lane: str, benefit_pct: float, level: Level) -> bool:
    """Whether advice of a lane (Q, S, P or H) is at or above a level: a lane's name, ``any``, or a benefit in percent."""
    if isinstance(level, str):
        return lane in (_LETTERS if level == ANY else _LETTERS[: LANES.index(level) + 1])
    return lane == "P" and benefit_pct >= level
