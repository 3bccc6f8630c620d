"""Conditions as Db2 reports them: SQLCODE, SQLSTATE and message tokens."""


class Db2Error(Exception):
    """A negative SQLCODE with its SQLSTATE and tokens; the driver makes the message text from them."""

    def __init__(self, code: int, state: str, *tokens: str) -> None:
        super().__init__(code, state, *tokens)
        self.code = code
        self.state = state
        self.tokens = tokens

    def __str__(self) -> str:
        return f"SQL{abs(self.code):04d}N {', '.join(self.tokens)} SQLSTATE={self.state}"


class Disconnect(Exception):  # noqa: N818 -- not an error of a statement: the server is gone
    """The connection is to be dropped without an answer, as when the server dies."""
