"""Census of the SQL that a server receives: each distinct construct, as a short text, with a file that uses it.

The grammars of the fake server give the syntax trees. A construct is a function with the kinds of its arguments, an
operator, a join, a clause or a statement. Names, numbers and texts of the product are left out.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from lark import Lark, Token, Tree
from lark.exceptions import LarkError
from sqlglot import exp

from advisor.catalogue.sources import read_sources
from advisor.catalogue.sqltext import remove_comments
from advisor.install.origins import origin
from advisor.install.space import create_spaces
from advisor.install.statements import install_statements, uninstall_statements
from advisor.resources import ROOT, SQL, sections
from tests.sql.expressions import UNKNOWN, Kinds, find_constructs, show_type
from tests.standin import objects, pl
from tests.standin.errors import Db2Error
from tests.standin.objects.dispatch import CHANGE, DEFINITION, PROCEDURAL, QUERY, ROUTINE, kind
from tests.standin.sql.dialect import parse_expression, parse_statement

_FILES = ("doctor", "explain", "plan", "selftest")
_MODULES = (
    *("db2.explaining", "db2.in_database", "nightly.changed", "nightly.reading", "selftest.parts", "site.settings"),
    "verify.reading",
)
_STATEMENT = re.compile(
    r"\s*(SELECT|WITH|VALUES|CALL|INSERT|UPDATE|DELETE|MERGE|CREATE|ALTER|DROP|SET|BEGIN|GRANT|DECLARE)\s"
)
_PLACEHOLDER = re.compile(r"\{\w*\}")
_UNREADABLE = re.compile(r"\bX+\b")  # parts of a dynamic statement that are known at run time only


def list_statements() -> Iterator[tuple[str, str]]:
    """Yield each statement that the product sends, with its file."""
    for made in (*install_statements(), *create_spaces("TUNE"), *uninstall_statements()):
        yield made.text, origin(made).partition(":")[0]
    for source in read_sources().values():
        yield f"{source.statement()}\nWITH UR", f"sql/collect/{source.name}.sql"
    check = (SQL / "plan" / "scripts" / "check.sql").read_text(encoding="utf-8")
    yield remove_comments(check.format(query="SELECT * FROM T", state="75000")), "sql/plan/scripts/check.sql"
    for path in [*(SQL / "run").glob("*.sql"), *(path for name in _FILES for path in (SQL / name).glob("*.sql"))]:
        for text in sections(path).values():
            if _STATEMENT.match(statement := remove_comments(_PLACEHOLDER.sub("X", text))):
                yield statement, str(path.relative_to(ROOT))
    for module in (import_module(f"advisor.{name}") for name in _MODULES):
        path = Path(module.__file__ or "")
        written = [getattr(node, "value", None) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        for text in [*vars(module).values(), *written]:
            if isinstance(text, str) and _STATEMENT.match(text):
                yield text.replace("{}", "X"), str(path.relative_to(ROOT))


def take_census() -> dict[str, str]:
    """Return each construct with the first file that uses it, SQL files first."""
    files = defaultdict[str, set[str]](set)
    trees, variables = list[tuple[exp.Expr, str]](), list[tuple[str, str]]()
    waiting = [(text, file, file.endswith(".py")) for text, file in list_statements()]
    seen = set[tuple[str, str]]()
    while waiting:
        text, file, is_guess = waiting.pop()
        if (text, file) in seen:
            continue
        seen.add((text, file))
        try:
            part = Part(text)
        except (Db2Error, LarkError):
            if not is_guess:
                raise
            continue
        trees += ((tree, file) for tree in part.trees)
        variables += part.variables
        waiting += ((each, file, is_guess) for each in part.statements)
        waiting += ((each, file, True) for each in part.dynamic)
        for construct in part.constructs:
            if not (is_guess and _UNREADABLE.search(construct)):
                files[construct].add(file)
    kinds = Kinds((tree for tree, _ in trees), variables)
    for tree, file in trees:
        for construct in find_constructs(tree, kinds):
            files[construct].add(file)
    return {
        construct: min(names, key=lambda file: (file.endswith(".py"), file))
        for construct, names in files.items()
        if not _has_known_kinds(construct, files)
    }


def _has_known_kinds(construct: str, found: Iterable[str]) -> bool:
    """Return whether another construct is the same with known kinds."""
    pattern = re.compile(re.escape(construct).replace(UNKNOWN, "(text|number|timestamp)"))
    return UNKNOWN in construct and any(pattern.fullmatch(other) for other in found)


_CONTEXT = {  # rules that are a construct of their own, by the text before them
    **dict.fromkeys(("compound", "control", "cursor", "declaration", "handler"), ""),
    **{"alteration": "ALTER TABLE: ", "column_option": "column: ", "constraint": "table: "},
    **{"index_option": "CREATE INDEX: ", "option": "CREATE PROCEDURE: ", "parameter": "parameter: "},
    **{"sequence_option": "sequence: ", "table_option": "CREATE TABLE: ", "type": "type "},
}
_LEFT = {"type": "type", "parameter": "parameter"} | dict.fromkeys(("compound", "control", "statement", "body"), "...")
_KEPT = {"MESSAGE_TEXT", "DB2_TOKEN_STRING", "ROW_COUNT"}
_SPECIMEN = {"WORD": "name", "QUOTED": "name", "STRING": "'text'", "NUMBER": "n"}
_LISTS = (
    *("name = expression", "name type", "name", "expression", r"\.\.\.", "parameter", "SQLSTATE 'text'"),
    r"ELSEIF expression THEN \.\.\.",
)


class Part:
    """A statement taken apart: its own constructs, and the SQL in it. Raise Db2Error or LarkError if it is incomplete."""

    def __init__(self, text: str) -> None:
        self.text, self._is_exact = text, False
        self.trees, self.variables = list[exp.Expr](), list[tuple[str, str]]()
        self.constructs, self.statements, self.dynamic = list[str](), list[str](), list[str]()
        of = kind(text)
        if of in {QUERY, CHANGE}:
            self.trees.append(parse_statement(text))
            self.constructs += re.findall(r"\bWITH UR$", text)
        elif of in {ROUTINE, PROCEDURAL, DEFINITION} or text.startswith("SET"):
            start = {ROUTINE: "routine", PROCEDURAL: "block"}.get(of, "start")
            whole = self._show(_grammar("objects" if start == "start" else "pl").parse(text, start=start))
            self.constructs += {_shorten(whole)} - {"", "..."}
        else:
            self.constructs.append(text)

    def _show(self, node: Tree[Token] | Token) -> str:
        """Return a part without its names and values; parts that are constructs of their own are left out."""
        if isinstance(node, Token):
            word = str(node).upper()
            return word if word in _KEPT else _SPECIMEN.get(node.type, word)
        rule, inner = str(node.data), "" if node.meta.empty else self.text[node.meta.start_pos : node.meta.end_pos]
        if special := getattr(self, f"_show_{rule}", None):
            shown = str(special(node, inner))
        elif rule in {"query", "for_query", "sql"}:
            self.statements.append(inner)
            return "..." if rule == "sql" else "query"
        else:
            shown = " ".join(filter(None, map(self._show, node.children)))
        if rule in {"declaration", "parameter"} and (type_ := next(node.find_data("type"), None)):
            names = [str(name.children[0]) for name in node.find_data("identifier")]
            self.variables += ((name, str(next(type_.scan_values(bool)))) for name in names)
        if rule in _CONTEXT:
            self.constructs += {_shorten(_CONTEXT[rule] + shown)} - {"..."}
            return _LEFT.get(rule, "")
        return _LEFT.get(rule, shown)

    def _show_type(self, _: Tree[Token], inner: str) -> str:
        return show_type(inner)

    def _show_rest(self, _: Tree[Token], inner: str) -> str:
        if _STATEMENT.match(inner):
            self.statements.append(inner)
            return "query"
        return re.sub(r"'.*'|\d+|\bX\b", "value", inner)

    def _show_parens(self, _: Tree[Token], inner: str) -> str:
        self.statements.append(inner[1:-1].strip())
        return "(query)"

    def _show_expression(self, _: Tree[Token], inner: str) -> str:
        if inner.upper() not in {"NULL", "DEFAULT"}:
            tree = parse_expression(inner)
            self.trees.append(tree)
            parts = list(tree.flatten()) if isinstance(tree, exp.DPipe) else [tree]
            written = "".join(part.this if isinstance(part, exp.Literal) else "X" for part in parts)
            self.dynamic += [written] * bool(_STATEMENT.match(written))
            if self._is_exact and isinstance(tree, exp.Column | exp.Literal):
                return "name" if isinstance(tree, exp.Column) else "'text'"
        return "expression"

    def _show_control(self, node: Tree[Token], _: str) -> str:
        """SELECT INTO and VALUES INTO contain a query, whose text is the statement's without INTO."""
        words = [str(child).upper() if isinstance(child, Token) else "" for child in node.children]
        if words[0] not in {"SELECT", "WITH", "VALUES"}:
            self._is_exact = words[0] in {"EXECUTE", "OPEN", "PREPARE", "RESIGNAL", "SIGNAL"}  # not every expression
            return " ".join(filter(None, map(self._show, node.children)))
        into, targets = node.children[words.index("INTO") : words.index("INTO") + 2]
        assert isinstance(into, Token)
        assert isinstance(targets, Tree)
        before, after = (
            self.text[node.meta.start_pos : into.start_pos],
            self.text[targets.meta.end_pos : node.meta.end_pos],
        )
        self.statements.append(before + after)
        return f"{words[0]} ... INTO {self._show(targets)}"


def _shorten(text: str) -> str:
    """Return a skeleton without the second and later items of its lists."""
    text = " ".join(text.replace(";", " ").split())
    text = re.sub(r"\bname (\. name\b ?)+", "name ", text)
    for item in _LISTS:
        text = re.sub(rf"(?<![\w.])({item})(?:(?:,| |, ,)+{item})+(?![\w.])", r"\1, ...", text)
    text = re.sub(r", \.\.\.[ ,]+(?=\))", ", ...", text)
    return re.sub(r" ([,)])", r"\1", re.sub(r"(\() ", r"\1", text)).strip()


@cache
def _grammar(folder: str) -> Lark:
    """Return a grammar of the fake server, with all words in its trees, and rules by their own names."""
    path = next(Path({"pl": pl, "objects": objects}[folder].__file__ or "").parent.glob("*.lark"))
    text = re.sub(r"-> \w+", "", path.read_text(encoding="utf-8"))
    start = ["routine", "block"] if folder == "pl" else "start"
    kept = {"propagate_positions": True, "keep_all_tokens": True, "maybe_placeholders": False}
    return Lark(text, parser="lalr", start=start, **kept)
