"""Hooks of mkdocs: plain names instead of links that lead out of docs/."""

import re
from typing import Any

_OUTSIDE = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<link>(?:\.\./)+[^)\s]*)\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace links that lead out of docs/ by file names; keep links to other pages."""
    depth = page.file.src_uri.count("/")
    return _OUTSIDE.sub(lambda found: _without(found, depth), markdown)


def _without(found: re.Match[str], depth: int) -> str:
    link = found["link"]
    if link.count("../") <= depth:  # still below docs/
        return found[0]
    name = link.replace("../", "").partition("#")[0]
    return found["text"] if found["text"].strip("`") == name else f"{found['text']} (`{name}`)"
