"""Writer of the reference pages in docs/."""

from tools.reference import rules
from tools.reference.pages import DOCS, PAGES

made = {name: page() for name, page in PAGES.items()} | {
    f"rules/{name}": content for name, content in rules.pages().items()
}
for old in (DOCS / "rules").glob("*.md"):
    old.unlink()
for name, content in made.items():
    (DOCS / name).write_text(content, encoding="utf-8")
