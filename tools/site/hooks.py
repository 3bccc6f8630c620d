"""Hooks of mkdocs: plain names instead of links that lead out of docs/."""

import re
from typing import Any

_RULE = re.compile(r"(?:\.\./)+sql/rules/(?P<area>[\w-]+)/(?P<name>[\w-]+)\.sql")
_OUTSIDE = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<link>(?:\.\./)+[^)\s]*)\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace links to rules by links to their pages, and other links that lead out of docs/ by file names."""
    depth = page.file.src_uri.count("/")
    return _OUTSIDE.sub(lambda found: _without(found, depth), markdown)


def _without(found: re.Match[str], depth: int) -> str:
    link = found["link"]
    if link.count("../") <= depth:  # still below docs/
        return found[0]
    if rule := _RULE.fullmatch(link):
        return f"[{found['text']}]({'../' * depth}rules/{rule['area']}.{rule['name']}.md)"
    name = link.replace("../", "").partition("#")[0]
    return found["text"] if found["text"].strip("`") == name else f"{found['text']} (`{name}`)"
