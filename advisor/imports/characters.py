"""Plain characters: the quotation marks, dashes and blanks of mail programs, and colours of terminals, replaced."""

import re

_PLAIN = {
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-", "\u2014": "--",
    "\u2007": " ", "\u2009": " ", "\u3000": " ",
    "\u200b": "", "\u200e": "", "\u200f": "", "\u2060": "", "\ufeff": "", "\u00ad": "",
    "\u2026": "...", "\uff08": "(", "\uff09": ")", "\uff1d": "=", "\uff1a": ":",
}  # fmt: skip
_NO_BREAK = re.compile("(?<!\\d)[\u00a0\u202f]|[\u00a0\u202f](?!\\d)")  # between digits it groups thousands
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


def replace_characters(lines: list[str]) -> list[str]:
    """Return the lines with plain characters; the number of lines stays the same."""
    text = "\n".join(lines)
    if text.isascii() and "\x1b" not in text:
        return lines
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    for character, plain in _PLAIN.items():
        if character in text:  # faster than translate
            text = text.replace(character, plain)
    if "\u00a0" in text or "\u202f" in text:
        text = _NO_BREAK.sub(" ", text)
    return text.split("\n")
