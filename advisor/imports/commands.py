"""Commands as people paste them: what stands before and around one, the lines it goes on for, and what came of it."""

import re
from dataclasses import dataclass

from advisor.imports.reader import Part, is_typed

MOST_LINES = 40  # of one command

# What stands before a command: quotes of mails, marks of lists, the prompt of a shell or of the command line processor.
LEAD = re.compile(
    r"\s*(?:>\s?)*(?:(?:[-*\u2022]|\d{1,2}[.)])\s+)?(?:`{1,3}\s*)?(?P<prompt>"
    r"db2 ?(?:\(cont\.\) ?)?=>|PS [^>]{1,80}>|[A-Za-z]:\\[^>]{0,80}>|\[[^\]]{1,80}\] ?[$#]"
    r"|[\w.@:~/()-]{1,80}(?: [\w.@:~/()-]{1,40})?[$#>](?=\s|db2)|[$%#>]|\++(?=\s))?\s*"
)
# By another user, on another host, in a container.
_ELSEWHERE = re.compile(r"(?:sudo|su|ssh|runuser|docker|podman|kubectl|oc|RUN|bash|sh|nohup|exec)\s+\S")
_FAR = 250  # characters that such a call may take
_CALLED = re.compile(  # from the command line processor, in SQL
    r"(?:!\s*|CALL\s+(?:SYSPROC\s*\.\s*)?ADMIN_CMD\s*\(\s*')?"
    r"(?:\S{0,80}/)?(?:db2(?:\.exe)?\s+(?:[-+]\w+\s+)*)?(?:\\?[\"'`])?\s*",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\\\s*$|\s[-]\s*$")
_GOES_ON = ("\\", "-")
_AGAIN = re.compile(r"\s*(?:>\s?)?(?:db2 ?\(cont\.\) ?=>\s*)?")
_MESSAGE = re.compile(  # that of db2start and db2stop behind the time and the member
    r"\s*\W{0,2}(?:\d\d/\d\d/\d{4} \d\d:\d\d:\d\d\s+\d+\s+\d+\s+)?(?P<code>(?:SQL\d{4,5}|DBI?2?\d{4,5})[NCEWI])\b"
)
_WELL = frozenset({"SQL1063N", "SQL1064N"})  # db2start and db2stop, and yet an N
_WAITS = frozenset({"SQL1362W", "SQL1363W", "SQL1382W"})
_PATIENCE = 2  # lines of a message behind its first


@dataclass(frozen=True)
class Outcome:
    """What a text shows to have come of a command; ``known`` is false where it shows nothing."""

    known: bool = False
    failed: bool = False
    waits: bool = False  # for the next activation or db2start


_NOTHING = Outcome()
_DONE, _WELL_DONE = "DB20000I", Outcome(known=True)


def within(line: str, keyword: re.Pattern[str], at: int = 0) -> tuple[re.Match[str], bool] | None:
    """A command that begins at a place of a line, and whether what stands before it may be the mark of a comment."""
    lead = LEAD.match(line, at)
    assert lead is not None  # it may be empty
    prompt = lead["prompt"]
    for place in (lead.end(), lead.start("prompt")) if prompt else (lead.end(),):
        if _ELSEWHERE.match(line, place):
            found = keyword.search(line, place, place + _FAR)
            return (
                (keyword.match(line, found.start()) or found, False)
                if found and line[found.start() - 1] in " '\"/"
                else None
            )
        called = _CALLED.match(line, place)
        assert called is not None  # it may be empty
        if found := keyword.match(line, called.end()) or (keyword.match(line, place) if called[0] else None):
            return found, prompt == "#"
    return None


def continued(part: Part, text: str) -> str:
    """The text of a command with the lines on which it goes on: behind a backslash, or before the quote is closed."""
    if '"' not in text and text.rstrip()[-1:] not in _GOES_ON:  # as most
        return text
    for _ in range(MOST_LINES):
        mark = _CONTINUED.search(text) if text.rstrip()[-1:] in _GOES_ON else None
        if mark is None and text.count('"') % 2 == 0:
            break
        following = next(part.lines, None)
        if following is None:
            break
        again = _AGAIN.match(following)
        text = f"{text[: mark.start()] if mark else text} {following[again.end() if again else 0 :]}"
    return text


def outcome(part: Part) -> Outcome:
    """What the lines behind a command say of it. They are taken; the first that says nothing is given back."""
    codes: list[str] = []
    patience = 0
    lines = part.lines
    if (line := lines.peek()) is None:
        return _NOTHING
    if line.startswith(f"{_DONE} "):  # and nearly always no more
        next(lines)
        if (line := lines.peek()) is None or is_typed(line):
            return _WELL_DONE
        codes, patience = [_DONE], _PATIENCE
    for line in lines:
        if not line or line.isspace():
            patience = 0  # a message has no empty lines
        elif message := _MESSAGE.match(line):
            codes.append(message["code"].upper())
            patience = _PATIENCE
        elif patience == 0 or _prompted(line) or part.starts(line):
            lines.back()
            break
        else:
            patience -= 1
    if not codes:
        return _NOTHING
    failed = any(code[-1] in "NCE" and code not in _WELL for code in codes)
    return Outcome(True, failed, not _WAITS.isdisjoint(codes))


def is_message(line: str) -> bool:
    """Whether a line is what Db2 says of a command."""
    return _MESSAGE.match(line) is not None


def _prompted(line: str) -> bool:
    lead = LEAD.match(line)
    return lead is not None and bool(lead["prompt"])
