"""The lines of one document, one after the other, in memory that does not depend on its size."""

import codecs
import io
import re
from collections.abc import Iterator

BLOCK = 1 << 20
LONGEST = 1 << 16  # characters of one line that are looked at; no report has longer ones

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBERED = re.compile(r" *(\d+)(?:[:.)|\t]| {1,4}(?=\S)| {5,}| *$)")


class Lines:
    """An iterator over the lines, without line ends; ``number`` is that of the line last given, from 1.

    A line can be given back once, so that whoever reads next finds it.
    """

    def __init__(self, stream: io.BufferedReader) -> None:
        self.encoding = encoding_of(stream.peek(1))
        self.number = 0
        self.previous = ""  # the last line before this one that was not empty
        self._line = ""
        self._given_back = False
        self._lines = _unnumbered(_split(io.TextIOWrapper(stream, self.encoding, errors="replace", newline=None)))

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self._given_back:
            self._given_back = False
        else:
            if self._line:
                self.previous = self._line
            self._line = next(self._lines)
        self.number += 1
        return self._line

    def back(self) -> None:
        """Give the line that was got last once more."""
        self._given_back = True
        self.number -= 1


def encoding_of(head: bytes) -> str:
    """The encoding of a text by its beginning; latin-1 reads anything when nothing else fits."""
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name
    nuls = head[:4096].count(0)
    if nuls > len(head[:4096]) // 4:
        return "utf-16-le" if head[1:4096:2].count(0) > nuls // 2 else "utf-16-be"
    for name in ("utf-8", "gb18030"):
        try:
            codecs.getincrementaldecoder(name)("strict").decode(head, final=False)
        except UnicodeDecodeError:
            continue
        else:
            return name
    return "latin-1"


def _split(stream: io.TextIOWrapper) -> Iterator[list[str]]:
    """Lists of lines; one that is longer than LONGEST comes in pieces."""
    rest = ""
    while text := stream.read(BLOCK):
        lines = (rest + text.replace("\0", "")).split("\n")
        rest = lines.pop()
        if len(rest) > LONGEST:
            lines.append(rest)
            rest = ""
        yield lines
    if rest:
        yield [rest]


def _unnumbered(blocks: Iterator[list[str]]) -> Iterator[str]:
    """The lines without the numbers that articles put before them, where the first lines are all numbered."""
    first = next(blocks, [])
    if _is_numbered(first):
        for block in (first, *blocks):
            yield from (_NUMBERED.sub("", line, count=1) for line in block)
        return
    yield from first
    for block in blocks:
        yield from block


def _is_numbered(lines: list[str]) -> bool:
    matches = [_NUMBERED.match(line) for line in lines[:40] if line.strip()]
    numbers = [int(match[1]) for match in matches if match and len(match[1]) < 9]
    return len(matches) >= 5 and len(numbers) == len(matches) and numbers == [*range(numbers[0], numbers[-1] + 1)]
