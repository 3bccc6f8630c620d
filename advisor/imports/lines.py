"""The lines of one document, in memory that does not depend on its size."""

import codecs
import io
import re
from collections.abc import Container, Iterator, Mapping
from itertools import chain, pairwise

from advisor.imports.framing import unframed

BLOCK = 1 << 16
LONGEST = 1 << 16  # characters of one line that are read; no report has longer lines

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBERED = re.compile(r" *(\d+)(?:[:.)|\t]| {1,4}(?=\S)| {5,}| *$)")


class Lines:
    """An iterator over the lines, without line ends. The last line can be given back, once."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.encoding = encoding_of(stream.peek(1))
        self._blocks = _strip_line_numbers(
            _split(io.TextIOWrapper(stream, self.encoding, errors="replace", newline=None))
        )
        self._block: list[str] = []
        self._at = 0  # of the next line in the block
        self._passed = 0  # lines before the block
        self._last = ""  # the last non-empty line before the block

    def __iter__(self) -> Iterator[str]:
        """Yield the remaining lines. It is a generator, since loops over it run for millions of lines."""
        while True:
            at, block = self._at, self._block
            if at < len(block):
                self._at = at + 1
                yield block[at]
            elif not self._fill():
                return

    def __next__(self) -> str:
        if self._at >= len(self._block) and not self._fill():
            raise StopIteration
        self._at += 1
        return self._block[self._at - 1]

    @property
    def number(self) -> int:
        """The number of the last line, from 1."""
        return self._passed + self._at

    @property
    def previous(self) -> str:
        """The last non-empty line before the current one."""
        block, at = self._block, self._at - 2
        while at >= 0:
            if (line := block[at]) and not line.isspace():
                return line
            at -= 1
        return self._last

    def push_back(self) -> None:
        """Give back the last line."""
        self._at -= 1

    def peek(self) -> str | None:
        """Return the next line without taking it; None at the end."""
        return self._block[self._at] if self._at < len(self._block) or self._fill() else None

    def look_ahead(self) -> list[str]:
        """Return the next lines in memory without taking them."""
        return self._block[self._at :] if self._fill() else []

    def find_end(self, ends: tuple[str, ...], most: int) -> list[str]:
        """Return the next lines in memory up to one with one of these ends, without taking them; [] if none has."""
        block, begin = self._block, self._at
        for at in range(begin, min(begin + most, len(block))):
            if block[at].rstrip().endswith(ends):
                return block[begin : at + 1]
        return []

    def take_lines(self, count: int) -> None:
        """Take lines that find_end returned."""
        self._at += count

    def pass_over(self, labels: Container[str]) -> None:
        """Skip the next lines while the text before their ``=`` is one of the labels."""
        block = self._block
        for at in range(self._at, len(block)):
            if block[at].partition("=")[0] not in labels:
                self._at = at
                return
        self._at = len(block)

    def take(self, labels: Mapping[str, str], values: dict[str, str]) -> str:
        """Take the next lines while the text before their ``=`` is a label, and return the last name, or "".

        The text after it is added to the values under the label's name, unless there is one.
        """
        block, last = self._block, ""
        for at in range(self._at, len(block)):
            label, _, text = block[at].partition("=")
            name = labels.get(label)
            if name is None:
                self._at = at
                return last
            values.setdefault(name, text)
            last = name
        self._at = len(block)
        return last

    def matching(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the next lines while their beginning matches. All must be taken."""
        match = pattern.match
        while self._fill():
            block, begin = self._block, self._at
            for at in range(begin, len(block)):
                found = match(block[at])
                if found is None:
                    self._at = at
                    return
                yield found
            self._at = len(block)

    def match_lines(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Yield the next lines while their beginning matches or they are empty; the first other line is given back."""
        for line in self:
            if match := pattern.match(line):
                yield match
            elif line.strip():
                self.push_back()
                return

    def _fill(self) -> bool:
        """Load the next line; return False at the end."""
        while self._at >= len(self._block):
            following = next(self._blocks, None)
            if following is None:
                return False
            kept = self._block[-1:]  # it may be given back
            self._last = next((line for line in self._block[-2::-1] if line.strip()), self._last)
            self._passed += len(self._block) - len(kept)
            self._block, self._at = kept + following, len(kept)
        return True


def encoding_of(head: bytes) -> str:
    """Return the encoding of a text by its beginning; latin-1 can read anything if nothing else fits."""
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
    """Yield lists of lines; a line longer than LONGEST comes in pieces."""
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


def _strip_line_numbers(blocks: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield the lines without line numbers as in articles, if the first lines are all numbered."""
    first = unframed(next(blocks, []))
    numbered = _is_numbered(first)
    for block in chain([first], map(unframed, blocks)):
        yield [_NUMBERED.sub("", line, count=1) for line in block] if numbered else block


def _is_numbered(lines: list[str]) -> bool:
    """Return whether the first lines are all numbered in sequence; each part of an article may start again."""
    matches = [_NUMBERED.match(line) for line in lines[:40] if line.strip()]
    numbers = [int(match[1]) for match in matches if match and len(match[1]) < 9]
    if len(matches) < 5 or len(numbers) < len(matches):
        return False
    breaks = [later for earlier, later in pairwise(numbers) if later != earlier + 1]
    return len(breaks) <= len(numbers) // 5 and set(breaks) <= {0, 1, numbers[0]}
