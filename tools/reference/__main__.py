"""Writer of the reference pages in docs/."""

from tools.reference.pages import DOCS, pages

made = pages()
for name, content in made.items():
    path = DOCS / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content, encoding="utf-8")
for path in (DOCS / "rules").iterdir():
    if f"rules/{path.name}" not in made:
        path.unlink()
