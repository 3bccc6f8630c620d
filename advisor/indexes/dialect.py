"""Syntax trees of the SQL that applications send to Db2.

``simplify`` removes the clauses that do not change the rows of a statement before the text is parsed.
"""

from typing import Any, ClassVar, cast

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType
from sqlglot.tokens import Tokenizer

from advisor.indexes.simplify import UnreadableTextError, check_depth, first_word, simplify

MAX_LENGTH = 65_536  # characters: longer texts are generated lists of values, and take seconds to parse

QUERIES = ("SELECT", "WITH", "VALUES", "(")
CHANGES = ("INSERT", "UPDATE", "DELETE", "MERGE")
_XML = {"XMLTABLE", "XMLEXISTS", "XMLQUERY"}
UNITS = tuple(
    f"{unit}{plural}"
    for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND")
    for plural in ("", "S")
)
_AFTER_KEYWORD = (TokenType.FROM, TokenType.STRING, TokenType.VAR, TokenType.IDENTIFIER, TokenType.PLACEHOLDER)


class ChangedRows(exp.Expression):
    """FINAL TABLE, NEW TABLE or OLD TABLE (a data change) in a FROM clause."""

    arg_types: ClassVar = {"this": True, "alias": False}


class _Words(Tokenizer):
    QUOTES: ClassVar = ["'"]
    IDENTIFIERS: ClassVar = ['"']
    HEX_STRINGS: ClassVar = [("X'", "'"), ("x'", "'")]
    COMMENTS: ClassVar = ["--", ("/*", "*/")]
    VAR_SINGLE_TOKENS: ClassVar = {"@", "$", "#"}
    KEYWORDS: ClassVar = {
        **{
            word: token
            for word, token in Tokenizer.KEYWORDS.items()
            if not word.startswith(("CURRENT_", "SESSION_", "{", "-%", "+%", "%", "/*"))
            and word not in ("DIV", "OPTIMIZE", "KILL", "USE", "CACHE", "SHOW", "COPY", "DESC TABLE", "QUALIFY")
            and word not in ("ILIKE", "RLIKE", "GLOB", "REGEXP", "SIMILAR TO", "EXPLAIN", "DECLARE", "CALL")
        },
        "CONCAT": TokenType.DPIPE,
        "(+)": TokenType.JOIN_MARKER,
        "^=": TokenType.NEQ,
        "¬=": TokenType.NEQ,
        "!>": TokenType.LTE,
        "!<": TokenType.GTE,
    }
    COMMANDS: ClassVar = set()


class Db2Reader(Parser):
    """Parser of these statements. It drops types of CAST and units of durations."""

    FUNCTIONS: ClassVar = {}
    NO_PAREN_FUNCTIONS: ClassVar = {}
    COLUMN_OPERATORS: ClassVar = {TokenType.DOT: Parser.COLUMN_OPERATORS[TokenType.DOT]}
    TERM: ClassVar = {TokenType.DASH: exp.Sub, TokenType.PLUS: exp.Add}
    FACTOR: ClassVar = {TokenType.SLASH: exp.Div, TokenType.STAR: exp.Mul}
    FUNC_TOKENS: ClassVar = Parser.FUNC_TOKENS | {TokenType.DPIPE, TokenType.VALUES, TokenType.TRUNCATE}
    FUNCTION_PARSERS: ClassVar = {
        "CAST": lambda self: self._parse_cast(True),
        "EXTRACT": lambda self: self._parse_parts(),
        "TRIM": lambda self: self._parse_parts(),
        "STRIP": lambda self: self._parse_parts(),
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar = {
        word: parser for word, parser in Parser.NO_PAREN_FUNCTION_PARSERS.items() if word in ("ANY", "CASE")
    }
    SUPPORTS_IMPLICIT_UNNEST = False

    def _parse_term(self, parse_mod: bool = True) -> exp.Expr | None:
        """Parse a sum of terms and labeled durations."""
        this = self._parse_factor(parse_mod)
        while self._match_set(self.TERM):
            operation = self.TERM[self._prev.token_type]
            operand = self._parse_factor(parse_mod)
            if self._curr and self._curr.token_type is not TokenType.IDENTIFIER and self._match_texts(UNITS):
                operand = self._make_duration(operand)
            this = self.expression(operation(this=this, expression=operand))
        return this

    def _make_duration(self, number: exp.Expr | None) -> exp.Expr | None:
        """Return the number of a labeled duration, whose unit was read."""
        return number

    def _parse_type(self, parse_interval: bool = True, fallback_to_identifier: bool = False) -> exp.Expr | None:
        if (
            self._next
            and self._next.token_type is TokenType.STRING
            and self._match_texts(("DATE", "TIME", "TIMESTAMP"))
        ):
            return self._parse_primary()
        return self._parse_column()

    def _parse_cast(self, strict: bool, safe: bool | None = None) -> exp.Expr:
        this = self._parse_disjunction()
        depth = 0
        while self._curr and (depth or self._curr.token_type is not TokenType.R_PAREN):
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(self._curr.token_type, 0)
            self._advance()
        return cast("exp.Expr", self.expression(exp.Anonymous(this="CAST", expressions=[this])))

    def _parse_parts(self) -> exp.Expr:
        """Parse the arguments of EXTRACT and TRIM, whose first words are keywords."""
        if self._next and self._next.token_type in _AFTER_KEYWORD:  # not a column B, or one of a table B
            self._match_texts((*UNITS, "BOTH", "LEADING", "TRAILING", "B", "L", "T"))
        arguments = [] if self._match(TokenType.FROM) else self._parse_csv(self._parse_disjunction)
        if not arguments or self._match(TokenType.FROM):
            arguments.append(self._parse_disjunction() or exp.Null())
        return cast("exp.Expr", self.expression(exp.Anonymous(this="PARTS", expressions=arguments)))

    def _parse_as_command(self, start: Token) -> exp.Command:
        """Refuse what sqlglot would accept unread, with a warning that quotes the text."""
        self.raise_error("Unsupported syntax", start)
        return super()._parse_as_command(start)

    def _parse_merge(self) -> exp.Merge:
        merge = super()._parse_merge()
        self._match_text_seq("ELSE", "IGNORE")
        return merge

    def _parse_table(self, *arguments: Any, **options: Any) -> exp.Expr | None:
        for kind in ("FINAL", "NEW", "OLD"):
            if self._match_text_seq(kind, "TABLE"):
                change = self._parse_wrapped(self._parse_statement)
                return cast("exp.Expr", self.expression(ChangedRows(this=change, alias=self._parse_table_alias())))
        return super()._parse_table(*arguments, **options)


class Db2Text(Dialect):
    """SQL that applications send to Db2 for Linux, UNIX and Windows."""

    NULL_ORDERING = "nulls_are_large"
    Tokenizer = _Words
    Parser = Db2Reader


def parse(text: str) -> exp.Expr | None:
    """Return the tree of one statement, or None if it is neither a query nor a data change.

    Raise UnreadableTextError if the text is too long, nested too deeply, or in a syntax that is not supported.
    """
    if len(text) > MAX_LENGTH:
        raise UnreadableTextError(f"The text has {len(text):,} characters. The limit is {MAX_LENGTH:,}.")
    try:
        tokens = simplify(Db2Text().tokenize(text))
        if first_word(tokens) not in (*QUERIES, *CHANGES):
            return None
        check_depth(tokens)
        trees = Db2Reader(dialect=Db2Text()).parse(tokens, text)
    except TokenError:
        raise UnreadableTextError("The text ends within a string, a delimited name or a comment.") from None
    except ParseError as error:
        xml = _XML.intersection(token.text.upper() for token in tokens)
        reason = f"{min(xml)} is not analyzed." if xml else _place(error)
        raise UnreadableTextError(reason) from None
    except (RecursionError, AttributeError, TypeError, IndexError, KeyError):
        raise UnreadableTextError("The text cannot be parsed.") from None
    if len(trees) != 1:
        raise UnreadableTextError("The text contains more than one statement.")
    if not isinstance(trees[0], (exp.Query, exp.Insert, exp.Update, exp.Delete, exp.Merge)):
        raise UnreadableTextError("The text cannot be parsed.")
    return trees[0]


def _place(error: ParseError) -> str:
    """Return where the parser stopped, without words of the text, which may be confidential."""
    found = error.errors[0] if error.errors else {}
    line, column = found.get("line"), found.get("col")
    return f"The text cannot be parsed: line {line}, column {column}." if line else "The text cannot be parsed."
