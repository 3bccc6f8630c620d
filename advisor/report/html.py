"""Text and commands in HTML: what came from a database is never markup."""

from collections.abc import Sequence

from markupsafe import Markup
from markupsafe import escape as escaped

from advisor.report import text


def escape(value: object) -> Markup:
    """Return one line of visible text."""
    return escaped(text.make_printable(str(value)))


def code(lines: Sequence[str]) -> Markup:
    """Return commands as blocks to copy and other text as paragraphs, in their order."""
    return Markup("\n").join(
        Markup("\n").join(Markup('<p class="by-hand">{}</p>').format(line) for line in run) if by_hand else pre(run)
        for by_hand, run in text.commands(list(lines))
    )


def pre(lines: Sequence[str]) -> Markup:
    """Make each line an element, so that wrapped lines stay distinct."""
    return Markup("<pre>{}</pre>").format(Markup("").join(Markup("<code>{}\n</code>").format(line) for line in lines))
