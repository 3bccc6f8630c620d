"""Fast paths and skipped parts give the same result as careful reading."""

import random
import re

from advisor.imports.formats import all_formats, commands
from advisor.imports.reader import is_typed
from tests.imports.reading import Reading, reading
from tests.imports.samples import samples

SEED, TEXTS, LINES = 20260304, 40, 25
PROMPTS = ("", "$ ", "# ", "> ", "! ", "db2 => ", "DB2 => ", "[db2inst1@db1 ~]$ ", "[root@db1 ~]# ", "1. ")
CALLS = ("", "", "db2 ", 'db2 "', "DB2 ", "! ", "db2  ")
UPDATES = ("update db cfg", "UPDATE DBM CFG", "update db cfg for shop", "update  db cfg", "upd db cfg for 'shop'")
NAMES = ("LOGFILSIZ", "sortheap", "LOCKLIST", "NEWLOGPATH", "NOSUCH", "DEFERRED", "AUTOMATIC")
VALUES = ("1000", "8 AUTOMATIC", "AUTOMATIC", "8 manual", "'/db2/log'", "$SIZE", "10 20")
ENDS = (
    "",
    "",
    ";",
    ";;",
    '"',
    " -",
    "\\",
    " && db2stop",
    "\nusing SORTHEAP 5",
    "\nLOGPRIMARY 9;",
    "\ndb2set DB2COMM=TCPIP",
)
OUTCOMES = ("DB20000I  Done.", "SQL1363W  It waits.", "SQL5099N  No.", "", "more of a message", "$ ls", "[a@b c]$ ls")
PROMPT = "[db2inst1@db1 ~]$ "


def text(chance: random.Random) -> str:
    """Return a script or a session with plain, repeated, annotated, truncated and meaningless parts."""
    lines: list[str] = []
    start = chance.choice(PROMPTS) + chance.choice(CALLS)
    for _ in range(LINES):
        pairs = "".join(f" {chance.choice(NAMES)} {chance.choice(VALUES)}" for _ in range(chance.randrange(4)))
        command = f"{chance.choice(UPDATES)} using{pairs}"
        if chance.random() < 0.2:
            command = f"db2set {chance.choice(('DB2_PARALLEL_IO=*', 'db2_x=1,2', 'DB2COMM =TCPIP', '-g DB2_Y=5'))}"
        if chance.random() < 0.2:
            start = chance.choice(PROMPTS) + chance.choice(CALLS)
        lines.append(start + command + chance.choice(ENDS))
        lines += chance.choices([lines[-1], *OUTCOMES], k=chance.randrange(3))
    return "\n".join(lines)


def test_plain_commands_give_what_careful_reading_gives(monkeypatch):
    chance = random.Random(SEED)
    texts = [text(chance) for _ in range(TEXTS)]
    assert sum(commands._PLAIN.match(line) is not None for item in texts for line in item.split("\n")) > TEXTS
    at_once = [reading(item) for item in texts]
    monkeypatch.setattr(commands, "_PLAIN", re.compile(r"(?!)"))
    commands._find_first_command.cache_clear()
    carefully: list[Reading] = [reading(item) for item in texts]
    commands._find_first_command.cache_clear()
    assert at_once == carefully
    assert sum(len(rows) for item in carefully for rows in item.rows.values()) > TEXTS


def test_behind_a_prompt_nothing_starts_but_what_is_typed():
    lines = {line for path in samples() if path.suffix == ".txt" for line in path.read_text("utf-8").split("\n")[:150]}
    others = [format for format in all_formats() if not format.typed]
    typed = {PROMPT + line for line in lines if is_typed(PROMPT + line)}
    assert len(typed) > len(lines) // 10
    assert [(line, format.name) for line in typed for format in others if format.starts(line, PROMPT)] == []
