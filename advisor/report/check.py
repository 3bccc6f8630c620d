"""What ``db2tune install --check`` found, as text: each refusal with where its statement comes from."""

from advisor.install.check import Checked, Tried
from advisor.install.origins import find_created_object
from advisor.report import text


def render(found: Checked, width: int) -> str:
    """Return the rejected statements, causes before effects, and a summary."""
    first = [each for each in found.rejected if each.follows is None]
    following = [each for each in found.rejected if each.follows is not None]
    lines = [line for each in first for line in _refusal(each, width)]
    if following:
        lines += ["These follow from the ones above:", ""]
        lines += [line for each in following for line in _refusal(each, width)]
    return "\n".join([*lines, *text.wrap(_result(found, len(first)), width)]) + "\n"


def _refusal(each: Tried, width: int) -> list[str]:
    failure = each.failure
    assert failure is not None  # only refused statements are listed
    after = f", follows from {each.follows}" if each.follows else ""
    head = f"{each.number}  {text.make_printable(each.source)}  {failure.id or failure.sqlcode}  SQLSTATE {failure.sqlstate}{after}"
    what = f"{find_created_object(each.statement) or each.statement.text.splitlines()[0][:80]}: {failure.message}"
    tokens = (
        [f"    tokens: {', '.join(text.make_printable(token) for token in failure.tokens)}"] if failure.tokens else []
    )
    return [head, *text.wrap(what, width, "    "), *tokens, ""]


def _result(found: Checked, first: int) -> str:
    refused = len(found.rejected)
    tried = f"{len(found.tried)} of {found.statements} statements tried"
    if refused == 0:
        return f"{tried}, none refused; all of it was taken back"
    said = (
        f"{tried}, {refused} refused, {refused - first} of them because another refused statement creates what they use"
    )
    ended = found.tried[-1].is_last
    why = "; nothing more can be tried after the last one" if ended and len(found.tried) < found.statements else ""
    return f"{said}{why}; all of it was taken back"
