"""The page docs/architecture.md: the packages of advisor/ in the layers of import-linter, with their purpose."""

import ast
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools.reference.markdown import environment

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Package:
    """A package or module of advisor/: its path and its purpose."""

    path: str
    purpose: str


def page() -> str:
    return environment().get_template("architecture.md.j2").render(layers=layers(), packages=packages())


def layers() -> list[list[str]]:
    """Return the packages of each layer in pyproject.toml, from the top down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    of_packages = next(contract for contract in contracts if contract.get("containers") == ["advisor"])
    return [layer.split(" | ") for layer in of_packages["layers"]]


def packages() -> dict[str, Package]:
    """Return each package by its name, in the order of the layers."""
    names = [name for layer in layers() for name in layer]
    return {name: Package(_path(name), _first_paragraph(ROOT / "advisor" / name)) for name in names}


def _path(name: str) -> str:
    return f"advisor/{name}/" if (ROOT / "advisor" / name).is_dir() else f"advisor/{name}.py"


def _first_paragraph(package: Path) -> str:
    file = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`")
