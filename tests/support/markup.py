"""Names that contain markup, and the visible content of a page."""

from html.parser import HTMLParser

HOSTILE = [
    "<script>alert(1)</script>",
    "a|b",
    "{code}",
    "x{noformat}y",
    "```",
    "*bold*",
    "[a](http://b)",
    "_i_",
    "back\\slash\\\\",
    "&lt;",
    "line\nfeed\n# h",
    "\x1b[2J\u202e",
    "{{ version }}",
    "(x) :) --",
]


EMPTY = {"meta", "rect", "br", "hr", "link", "img", "input"}


class Page(HTMLParser):
    """The elements of a page with their attributes, and its text without styles.

    ``open`` contains the elements that are not closed. Raise AssertionError if an element is closed in the wrong order.
    """

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(source)
        self.close()

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    @property
    def attributes(self) -> set[str]:
        return {name for _, attributes in self.elements for name in attributes}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in {"td", "dd"}:
            self.text += " "
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += data
