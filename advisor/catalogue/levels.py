"""Levels of Db2: how they are written, and as one number that compares."""


def level_number(level: str) -> int:
    """A level of Db2 as VVRRMMFF, the way SYSIBM.SYSVERSIONS writes it: 11.5.8 is 11050800."""
    parts = [*(int(part) for part in level.split(".")), 0, 0, 0][:4]
    return parts[0] * 1_000_000 + parts[1] * 10_000 + parts[2] * 100 + parts[3]


def level_text(level: int) -> str:
    """The level as people write it: 11050800 is 11.5.8, and 11010000 is 11.1."""
    parts = [level // 1_000_000, level // 10_000 % 100, level // 100 % 100, level % 100]
    while len(parts) > 2 and parts[-1] == 0:
        parts.pop()
    return ".".join(str(part) for part in parts)
