"""Db2's syntax of queries and data changes for sqlglot.

Functions stay calls by name, since the binder has its own table of them; what Db2 does not know is left
out of the parser's tables or refused by the binder, which knows a fixed set of nodes.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.generator import Generator
from sqlglot.parser import Parser
from sqlglot.tokens import Token, Tokenizer, TokenType

from tests.standin.errors import Db2Error

DURATIONS = {
    f"{unit}{plural}": unit
    for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND")
    for plural in ("", "S")
}

REGISTERS = (
    ("CLIENT", "ACCTNG"),
    ("CLIENT", "APPLNAME"),
    ("CLIENT", "USERID"),
    ("CLIENT", "WRKSTNNAME"),
    ("CLIENT_ACCTNG",),
    ("CLIENT_APPLNAME",),
    ("CLIENT_USERID",),
    ("CLIENT_WRKSTNNAME",),
    ("DATE",),
    ("DBPARTITIONNUM",),
    ("DEFAULT", "TRANSFORM", "GROUP"),
    ("DEGREE",),
    ("EXPLAIN", "MODE"),
    ("EXPLAIN", "SNAPSHOT"),
    ("ISOLATION",),
    ("LOCALE", "LC_MESSAGES"),
    ("LOCALE", "LC_TIME"),
    ("LOCK", "TIMEOUT"),
    ("MEMBER",),
    ("NODE",),
    ("PATH",),
    ("QUERY", "OPTIMIZATION"),
    ("REFRESH", "AGE"),
    ("SCHEMA",),
    ("SERVER",),
    ("SQLID",),
    ("TIME",),
    ("TIMESTAMP",),
    ("TIMEZONE",),
    ("USER",),
)
"""Special registers by the words that follow CURRENT, the longer ones first where one begins another."""

SPELLINGS = {
    "NODE": "DBPARTITIONNUM",
    "SQLID": "SCHEMA",
    "TIME ZONE": "TIMEZONE",
    "CLIENT ACCTNG": "CLIENT_ACCTNG",
    "CLIENT APPLNAME": "CLIENT_APPLNAME",
    "CLIENT USERID": "CLIENT_USERID",
    "CLIENT WRKSTNNAME": "CLIENT_WRKSTNNAME",
}
SINGLE_WORD = {f"CURRENT_{name}": name for name in ("DATE", "TIME", "TIMESTAMP", "SERVER", "SCHEMA", "PATH", "USER")}
SINGLE_WORD |= {"CURRENT_TIMEZONE": "TIMEZONE"}
USERS = ("USER", "SESSION_USER", "SYSTEM_USER")


CLAUSES = (TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.HAVING, TokenType.ORDER_BY, TokenType.FETCH)


class Register(exp.Expression):
    """A special register; ``this`` is its full name."""

    arg_types: ClassVar = {"this": True}


class SequenceValue(exp.Expression):
    """NEXT VALUE FOR or PREVIOUS VALUE FOR a sequence."""

    arg_types: ClassVar = {"this": True, "previous": False}


class ChangedRows(exp.Expression):
    """FINAL TABLE, NEW TABLE or OLD TABLE (a data change) in a FROM clause."""

    arg_types: ClassVar = {"this": True, "kind": True, "alias": False}


class Duration(exp.Expression):
    """A labelled duration: a number and its unit."""

    arg_types: ClassVar = {"this": True, "unit": True}


class Db2Tokenizer(Tokenizer):
    QUOTES: ClassVar = ["'"]
    IDENTIFIERS: ClassVar = ['"']
    HEX_STRINGS: ClassVar = [("X'", "'"), ("x'", "'"), ("BX'", "'"), ("bx'", "'")]
    COMMENTS: ClassVar = ["--", ("/*", "*/")]
    VAR_SINGLE_TOKENS: ClassVar = {"@", "$", "#"}
    KEYWORDS: ClassVar = {
        **{
            word: token
            for word, token in Tokenizer.KEYWORDS.items()
            if word not in {"CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "CURRENT_SCHEMA"}
            and word not in {"SESSION_USER", "DIV", "OPTIMIZE", "KILL", "USE", "CACHE", "SHOW", "COPY", "DESC TABLE"}
            and word not in {"||", "{%", "{%+", "{%-", "%}", "+%}", "-%}", "{{+", "{{-", "+}}", "-}}"}
        },
        "||": TokenType.DPIPE,
        "CONCAT": TokenType.DPIPE,
        "^=": TokenType.NEQ,
        "¬=": TokenType.NEQ,
        "OPTIMIZE FOR": TokenType.HINT,
    }
    COMMANDS: ClassVar = set()


class Db2Parser(Parser):
    FUNCTIONS: ClassVar = {}
    NO_PAREN_FUNCTIONS: ClassVar = {}
    COLUMN_OPERATORS: ClassVar = {TokenType.DOT: Parser.COLUMN_OPERATORS[TokenType.DOT]}
    TERM: ClassVar = {TokenType.DASH: exp.Sub, TokenType.PLUS: exp.Add}
    FACTOR: ClassVar = {TokenType.SLASH: exp.Div, TokenType.STAR: exp.Mul}
    QUERY_MODIFIER_PARSERS: ClassVar = {
        token: parser
        for token, parser in Parser.QUERY_MODIFIER_PARSERS.items()
        if token
        in {
            TokenType.WHERE,
            TokenType.GROUP_BY,
            TokenType.HAVING,
            TokenType.ORDER_BY,
            TokenType.LIMIT,
            TokenType.FETCH,
            TokenType.OFFSET,
        }
    }
    QUERY_MODIFIER_TOKENS: ClassVar = set(QUERY_MODIFIER_PARSERS)
    FUNC_TOKENS: ClassVar = Parser.FUNC_TOKENS | {TokenType.DPIPE, TokenType.VALUES, TokenType.TRUNCATE}
    STATEMENT_PARSERS: ClassVar = {
        token: Parser.STATEMENT_PARSERS[token]
        for token in (TokenType.INSERT, TokenType.UPDATE, TokenType.DELETE, TokenType.MERGE)
    }
    FUNCTION_PARSERS: ClassVar = {
        "CAST": lambda self: self._parse_cast(True),
        "EXTRACT": lambda self: self._parse_extract_of(),
        "TRIM": lambda self: self._parse_trim_of("TRIM"),
        "STRIP": lambda self: self._parse_trim_of("STRIP"),
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar = {
        "CASE": lambda self: self._parse_case(),
        "CURRENT": lambda self: self._parse_register(),
        "NEXT": lambda self: self._parse_sequence_value(),
        "NEXTVAL": lambda self: self._parse_sequence_value(),
        "PREVIOUS": lambda self: self._parse_sequence_value(),
        "PREVVAL": lambda self: self._parse_sequence_value(),
        **dict.fromkeys((*SINGLE_WORD, *USERS), lambda self: self._parse_register()),
    }
    SUPPORTS_IMPLICIT_UNNEST = False

    def _parse_statement(self) -> exp.Expr | None:
        if self._match_set(self.STATEMENT_PARSERS):
            change: exp.Expr = self.STATEMENT_PARSERS[self._prev.token_type](self)
            return change
        query = self._parse_select(nested=True, parse_subquery_alias=False)
        return self._parse_query_modifiers(self._parse_set_operations(query)) if query else None

    def parse_whole(self, tokens: list[Token], text: str, what: Callable[["Db2Parser"], Any]) -> exp.Expr:
        """One statement or expression that takes up the whole text, but for clauses of isolation and use."""

        def all_of_it(self: Any) -> Any:
            parsed = what(self)
            self._skip_tail()
            return parsed

        (parsed,) = self._parse(all_of_it, tokens, text)
        if parsed is None:
            raise syntax_error("END-OF-STATEMENT", text)
        return parsed

    def _skip_tail(self) -> None:
        """WITH UR, FOR READ ONLY, OPTIMIZE FOR n ROWS and their like: they change no result."""
        while self._match_set((TokenType.WITH, TokenType.FOR, TokenType.HINT)):
            if self._prev.token_type is TokenType.WITH:
                known = self._match_texts(("UR", "CS", "RS", "RR"))
            elif self._prev.token_type is TokenType.HINT:
                known = self._match(TokenType.NUMBER) and self._match_texts(("ROW", "ROWS"))
            else:
                known = self._match_texts(("READ", "FETCH")) and self._match_text_seq("ONLY")
            if not known:
                self.raise_error("Unexpected token")

    def _values_to_select(self, values: exp.Values) -> Any:
        return values

    def _parse_term(self, parse_mod: bool = True) -> exp.Expr | None:
        this = self._parse_factor(parse_mod)
        while self._match_set(self.TERM):
            operation = self.TERM[self._prev.token_type]
            operand = self._parse_factor(parse_mod)
            if operand and self._curr.token_type is not TokenType.IDENTIFIER and self._match_texts(DURATIONS):
                operand = self.expression(Duration(this=operand, unit=DURATIONS[self._prev.text.upper()]))
            this = self.expression(operation(this=this, expression=operand))
        return this

    def _parse_type(self, parse_interval: bool = True, fallback_to_identifier: bool = False) -> exp.Expr | None:
        if (
            self._next
            and self._next.token_type is TokenType.STRING
            and self._match_texts(("DATE", "TIME", "TIMESTAMP"))
        ):
            to = self._prev.text.upper()
            return self.expression(exp.Cast(this=self._parse_primary(), to=exp.var(to)))
        return self._parse_column()

    def _parse_cast(self, strict: bool, safe: bool | None = None) -> exp.Expr:
        this = self._parse_disjunction()
        self._expect(TokenType.ALIAS)
        return self.expression(exp.Cast(this=this, to=exp.var(self._parse_type_text())))

    def _expect(self, token: TokenType) -> None:
        if not self._match(token):
            self.raise_error(f"Expected {token.name}")

    def _parse_type_text(self) -> str:
        words, depth = [], 0
        while self._curr and (depth or self._curr.token_type is not TokenType.R_PAREN):
            depth += {TokenType.L_PAREN: 1, TokenType.R_PAREN: -1}.get(self._curr.token_type, 0)
            words.append(self._curr.text)
            self._advance()
        return " ".join(words)

    def _parse_extract_of(self) -> exp.Expr:
        if not self._match_texts(DURATIONS):
            self.raise_error("Expected a unit")
        unit = self._prev.text.upper()
        self._expect(TokenType.FROM)
        return self.expression(exp.Anonymous(this=unit, expressions=[self._parse_disjunction()]))

    def _parse_trim_of(self, name: str) -> exp.Expr:
        side = self._match_texts(("BOTH", "LEADING", "TRAILING", "B", "L", "T")) and self._prev.text.upper()[0]
        if side and not self._match(TokenType.FROM):
            characters = self._parse_disjunction()
            self._expect(TokenType.FROM)
            arguments = [self._parse_disjunction(), characters]
        else:
            arguments = self._parse_csv(self._parse_disjunction)
            if not side and name == "STRIP" and len(arguments) > 1:
                side = str(arguments.pop(1)).upper()[:1]
        function = {"L": "LTRIM", "T": "RTRIM"}.get(side or "B", "TRIM")
        return self.expression(exp.Anonymous(this=function, expressions=arguments))

    def _parse_value(self, values: bool = True) -> exp.Tuple | None:
        row = self._parse_disjunction()
        if row is None or isinstance(row, exp.Tuple):
            return row
        return self.expression(exp.Tuple(expressions=[row.this if isinstance(row, exp.Paren) else row]))

    def _parse_merge(self) -> exp.Merge:
        merge = super()._parse_merge()
        self._match_text_seq("ELSE", "IGNORE")
        return merge

    def _parse_register(self) -> exp.Expr | None:
        word = self._prev.text.upper()
        if word in USERS:
            return self.expression(Register(this=word))
        if word in SINGLE_WORD:
            return self.expression(Register(this=f"CURRENT {SINGLE_WORD[word]}"))
        for words in REGISTERS:
            if self._match_text_seq(*words):
                name = " ".join(words)
                return self.expression(Register(this=f"CURRENT {SPELLINGS.get(name, name)}"))
        return self.expression(exp.Column(this=exp.Identifier(this=self._prev.text)))

    def _parse_sequence_value(self) -> exp.Expr | None:
        word = self._prev
        short = word.text.upper() in {"NEXTVAL", "PREVVAL"}
        if self._match_text_seq(*(("FOR",) if short else ("VALUE", "FOR"))):
            previous = word.text.upper().startswith("PREV")
            return self.expression(SequenceValue(this=self._parse_table_parts(), previous=previous))
        return self._parse_column_ops(self.expression(exp.Column(this=exp.Identifier(this=word.text))))

    def _parse_table(self, *arguments: Any, **options: Any) -> exp.Expr | None:
        for kind in ("FINAL", "NEW", "OLD"):
            if self._match_text_seq(kind, "TABLE"):
                change = self._parse_wrapped(self._parse_statement)
                return self.expression(ChangedRows(this=change, kind=kind, alias=self._parse_table_alias()))
        return super()._parse_table(*arguments, **options)


class Db2Generator(Generator):
    """Only for messages."""

    TRANSFORMS: ClassVar = {
        **Generator.TRANSFORMS,
        ChangedRows: lambda self, node: f"{node.args['kind']} TABLE",
        Duration: lambda self, node: f"{self.sql(node, 'this')} {node.args['unit']}",
        Register: lambda self, node: str(node.this),
        SequenceValue: lambda self, node: f"NEXT VALUE FOR {self.sql(node, 'this')}",
    }


class Db2(Dialect):
    """Db2 for Linux, UNIX and Windows."""

    NULL_ORDERING = "nulls_are_large"

    Tokenizer = Db2Tokenizer
    Parser = Db2Parser
    Generator = Db2Generator


def shown(node: exp.Expr) -> str:
    """The beginning of a part of a statement, for a message."""
    return str(node.sql(Db2))[:20]


def only(node: exp.Expr, *known: str) -> None:
    """Refuse the clauses that the parser accepts of other databases. Raises -104."""
    for name, value in node.args.items():
        if value and name not in known:
            raise syntax_error(name.strip("_").upper(), shown(node))


@cache
def parse_statement(text: str) -> exp.Expr:
    """Return the tree of one query or data change; callers share it and must not change it. Raise -104."""
    return _parsed(text, Db2Parser._parse_statement)


@cache
def parse_expression(text: str) -> exp.Expr:
    """Return the tree of one expression or search condition; callers share it and must not change it. Raise -104."""
    return _parsed(text, Db2Parser._parse_expression)


def _parsed(text: str, what: Callable[[Db2Parser], Any]) -> exp.Expr:
    try:
        tokens = Db2().tokenize(text)
        _refuse_loose_commas(tokens)
        return Db2Parser(dialect=Db2()).parse_whole(tokens, text, what)
    except (ParseError, TokenError) as error:
        place = error.errors[0] if isinstance(error, ParseError) and error.errors else {}
        raise syntax_error(place.get("highlight") or "END-OF-STATEMENT", place.get("start_context") or text) from None


def _refuse_loose_commas(tokens: list[Token]) -> None:
    """The parser forgives a comma after the last item of a list; Db2 does not."""
    ends = {TokenType.R_PAREN, TokenType.COMMA, *CLAUSES}
    for place, token in enumerate(tokens):
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if token.token_type is TokenType.COMMA and (after is None or after.token_type in ends):
            raise syntax_error(after.text if after else "END-OF-STATEMENT", ",")


def syntax_error(token: str, before: str) -> Db2Error:
    """Return SQL0104N: the unexpected token, the text before it, and the expected tokens."""
    return Db2Error(-104, "42601", token, " ".join(before.split())[-20:], "<space>")
