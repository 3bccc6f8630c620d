"""Levels of Db2: their notation, and a number for comparisons."""


def level_number(level: str) -> int:
    """Return a level of Db2 as VVRRMMFF, as in SYSIBM.SYSVERSIONS: 11.5.8 is 11050800."""
    parts = [*(int(part) for part in level.split(".")), 0, 0, 0][:4]
    return parts[0] * 1_000_000 + parts[1] * 10_000 + parts[2] * 100 + parts[3]


def level_text(level: int) -> str:
    """Return the level as people write it: 11050800 is 11.5.8, and 11010000 is 11.1."""
    parts = [level // 1_000_000, level // 10_000 % 100, level // 100 % 100, level % 100]
    while len(parts) > 2 and parts[-1] == 0:
        parts.pop()
    return ".".join(str(part) for part in parts)
