"""docs/architecture.md: the rooms of advisor/ as import-linter holds them, with what each says of itself and imports."""

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

import grimp

from tools.reference.markdown import environment

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Room:
    """A package of advisor/, or a module beside them: what it is for, and the rooms that it imports."""

    path: str
    says: str
    imports: tuple[str, ...]


def page() -> str:
    return environment().get_template("architecture.md.j2").render(layers=layers(), rooms=rooms())


def layers() -> list[list[str]]:
    """The rooms from the top floor down, as pyproject.toml has them."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    of_rooms = next(contract for contract in contracts if contract.get("containers") == ["advisor"])
    return [layer.split(" | ") for layer in of_rooms["layers"]]


def rooms() -> dict[str, Room]:
    """Every room by its name, in the order of the layers."""
    names = [name for layer in layers() for name in layer]
    imports = graph()
    return {
        name: Room(
            _path(name),
            _first_paragraph(ROOT / "advisor" / name),
            tuple(
                other
                for other in names
                if other != name
                and imports.direct_import_exists(
                    importer=f"advisor.{name}", imported=f"advisor.{other}", as_packages=True
                )
            ),
        )
        for name in names
    }


def graph() -> grimp.ImportGraph:
    """Which module imports which, as import-linter sees it."""
    return grimp.build_graph("advisor", cache_dir=None)


def _path(name: str) -> str:
    return f"advisor/{name}/" if (ROOT / "advisor" / name).is_dir() else f"advisor/{name}.py"


def _first_paragraph(room: Path) -> str:
    file = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`")
