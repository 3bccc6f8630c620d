"""Names that would be markup, and a page as its reader sees it."""

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


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
