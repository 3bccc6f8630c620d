"""Commands in pasted texts: prompts and marks before them, continuation lines, and their outcome."""

import re
from dataclasses import dataclass

from advisor.imports.reader import Part, is_typed

MOST_LINES = 40  # per command

# Before a command: quotes of mails, marks of lists, the prompt of a shell or of the command line processor.
LEAD = re.compile(
    r"\s*(?:>\s?)*(?:(?:[-*\u2022]|\d{1,2}[.)])\s+)?(?:`{1,3}\s*)?(?P<prompt>"
    r"db2 ?(?:\(cont\.\) ?)?=>|PS [^>]{1,80}>|[A-Za-z]:\\[^>]{0,80}>|\[[^\]]{1,80}\] ?[$#]"
    r"|[\w.@:~/()-]{1,80}(?: [\w.@:~/()-]{1,40})?[$#>](?=\s|db2)|[$%#>]|\++(?=\s))?\s*"
)
# As another user, on another host, in a container.
_ELSEWHERE = re.compile(r"(?:sudo|su|ssh|runuser|docker|podman|kubectl|oc|RUN|bash|sh|nohup|exec)\s+\S")
_FAR = 250  # characters that such a call may have
_CALLED = re.compile(  # by the command line processor, in SQL
    r"(?:!\s*|CALL\s+(?:SYSPROC\s*\.\s*)?ADMIN_CMD\s*\(\s*')?"
    r"(?:\S{0,80}/)?(?:db2(?:\.exe)?\s+(?:[-+]\w+\s+)*)?(?:\\?[\"'`])?\s*",
    re.IGNORECASE,
)
_CONTINUED = re.compile(r"\\\s*$|\s[-]\s*$")
_GOES_ON = ("\\", "-")
_AGAIN = re.compile(r"\s*(?:>\s?)?(?:db2 ?\(cont\.\) ?=>\s*)?")
_MESSAGE = re.compile(  # of db2start and db2stop after the time and the member
    r"\s*\W{0,2}(?:\d\d/\d\d/\d{4} \d\d:\d\d:\d\d\s+\d+\s+\d+\s+)?(?P<code>(?:SQL\d{4,5}|DBI?2?\d{4,5})[NCEWI])\b"
)
_WELL = frozenset({"SQL1063N", "SQL1064N"})  # of db2start and db2stop, although they end in N
_WAITS = frozenset({"SQL1362W", "SQL1363W", "SQL1382W"})
_PATIENCE = 2  # lines of a message after its first


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command as the text shows it; ``known`` is false if it shows none."""

    known: bool = False
    failed: bool = False
    waits: bool = False  # until the next activation or db2start


_NOTHING = Outcome()
_DONE, _WELL_DONE = "DB20000I", Outcome(known=True)


def find_command(line: str, keyword: re.Pattern[str], at: int = 0) -> tuple[re.Match[str], bool] | None:
    """Return a command that starts at an offset of a line, and whether the text before it may mark a comment."""
    lead = LEAD.match(line, at)
    assert lead is not None  # always matches, maybe empty
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
        assert called is not None  # always matches, maybe empty
        if found := keyword.match(line, called.end()) or (keyword.match(line, place) if called[0] else None):
            return found, prompt == "#"
    return None


def join_continuation(part: Part, text: str) -> str:
    """Return a command with its continuation lines: after a backslash, or until the quote is closed."""
    if '"' not in text and text.rstrip()[-1:] not in _GOES_ON:  # the usual case
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
    """Take the lines after a command and return its outcome. The first line without an outcome is given back."""
    codes: list[str] = []
    patience = 0
    lines = part.lines
    if (line := lines.peek()) is None:
        return _NOTHING
    if line.startswith(f"{_DONE} "):  # and nearly always nothing else
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
        elif patience == 0 or _has_prompt(line) or part.starts(line):
            lines.push_back()
            break
        else:
            patience -= 1
    if not codes:
        return _NOTHING
    failed = any(code[-1] in "NCE" and code not in _WELL for code in codes)
    return Outcome(True, failed, not _WAITS.isdisjoint(codes))


def is_message(line: str) -> bool:
    """Return whether a line is a message of Db2 about a command."""
    return _MESSAGE.match(line) is not None


def _has_prompt(line: str) -> bool:
    lead = LEAD.match(line)
    return lead is not None and bool(lead["prompt"])
