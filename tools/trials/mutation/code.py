"""``python -m tools.trials.mutation.code [--sample N] [--seed N] [MODULE ...]``: try changes of Python.

One comparison, number, operator, condition or result of a module is changed at a time, in a copy of the project, and the
quick tests of that module (code.csv) run on it. Survivors are printed. A mutant takes a second or more, so --sample draws
N mutants of each module.
"""

import argparse
import ast
import copy
import csv
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support.paths import ROOT

LONGEST_S = 600  # of the tests of one mutant: it may go on for ever
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
CLEANING = {"replace", "strip", "rstrip", "lstrip", "removeprefix", "removesuffix", "lower", "upper"}  # left out


@dataclass(frozen=True)
class CodeMutant:
    """Another text of a module; ``line`` is where it differs."""

    module: str
    line: int
    before: str
    after: str
    mutated: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.before} -> {self.after}"


def mutants_of(module: str, source: str) -> list[CodeMutant]:
    """Return the mutants of a module, in the order of its text."""
    found = [_mutant(module, source, node, other) for node, other in _changes(ast.parse(source))]
    return sorted(found, key=lambda mutant: mutant.line)


def _mutant(module: str, source: str, node: ast.expr, other: ast.expr) -> CodeMutant:
    lines = source.encode().splitlines(keepends=True)
    assert node.end_lineno is not None
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + (node.end_col_offset or 0)
    text = source.encode()
    mutated = text[:start] + f"({ast.unparse(other)})".encode() + text[end:]
    return CodeMutant(module, node.lineno, ast.unparse(node), ast.unparse(other), mutated.decode())


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield each expression with its replacement; annotations and texts stay."""
    for node in _code(tree):
        if isinstance(node, ast.Compare):
            for number, operator in enumerate(node.ops):
                if type(operator) in SWAPPED:
                    other = copy.deepcopy(node)
                    other.ops[number] = SWAPPED[type(operator)]()  # type: ignore[call-overload]
                    yield node, other
        elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPPED and not _joins_texts(node):
            changed = copy.deepcopy(node)
            changed.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
            yield node, changed
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, node.operand
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            value = node.value
            yield node, ast.Constant(not value if isinstance(value, bool) else value + 1)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLEANING:
            yield node, node.func.value
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield node.value, ast.Constant(None)


def _joins_texts(node: ast.AST) -> bool:
    """Return whether + concatenates texts, which no other operator does."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    texts = any(isinstance(part, ast.JoinedStr) or getattr(part, "value", None).__class__ is str for part in parts)
    return texts or any(isinstance(part, ast.BinOp) and _joins_texts(part) for part in parts)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run: no annotations, and no parts of f-strings, which have no position."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "type_params") or isinstance(value, ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from _code(child)


class Copy:
    """A copy of the project in which a module can be another one; what is not Python of the program is linked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for path in ROOT.iterdir():
            if path.name != "advisor" and not path.name.startswith((".git", "build")):
                (folder / path.name).symlink_to(path)
        shutil.copytree(ROOT / "advisor", folder / "advisor", ignore=shutil.ignore_patterns("__pycache__"))

    def passes(self, module: str, text: str, tests: Sequence[str]) -> bool:
        """Return whether the tests pass with this text of a module."""
        path = self.folder / module
        kept = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not full"]
        command = [sys.executable, "-m", "pytest", *options, *tests]
        environment = os.environ | {"PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=LONGEST_S, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        finally:
            path.write_text(kept, encoding="utf-8")
        return done.returncode == 0


def tests_of() -> dict[str, list[str]]:
    """Return the quick tests of each module."""
    with Path(__file__).with_name("code.csv").open(encoding="utf-8", newline="") as file:
        return {row["MODULE"]: row["TESTS"].split() for row in csv.DictReader(file)}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.trials.mutation.code", description=__doc__)
    parser.add_argument("--sample", type=int, metavar="N", help="N of each module, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--least", type=float, default=0.9, metavar="SHARE", help="that must be noticed")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    asked = parser.parse_args(arguments)
    known = tests_of()
    tried = noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copied = Copy(Path(folder))
        for module in asked.modules or known:
            source = (ROOT / module).read_text(encoding="utf-8")
            mutants = mutants_of(module, source)
            if asked.sample is not None and asked.sample < len(mutants):
                mutants = random.Random(asked.seed).sample(mutants, asked.sample)
            if not copied.passes(module, source, known[module]):
                raise RuntimeError(f"{module}: its tests fail before anything is changed")
            left = [mutant for mutant in mutants if copied.passes(module, mutant.mutated, known[module])]
            summary = f"{module}: {len(mutants) - len(left)} of {len(mutants)} mutants are noticed"
            print(*left, summary, sep="\n", flush=True)
            tried, noticed = tried + len(mutants), noticed + len(mutants) - len(left)
    print(f"{noticed} of {tried} mutants are noticed")
    return 0 if noticed >= asked.least * tried else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
