"""A ticket through its template: those of this package, or those that a site has in their place.

Templates of a site are not trusted with more than the ticket: they run in jinja2's sandbox, an unknown variable is an
error. Every error is one line with its position in the template.
"""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from advisor.errors import UserError
from advisor.report import drawing, pages
from advisor.ticket.content import Ticket
from advisor.ticket.formats import FORMATS, Format, Rows, wrapped
from advisor.ticket.verified import Verification

OWN = Path(__file__).parent / "templates"
VERIFIED = "verified.txt"
DEFAULT = "default"  # a site's template extends default/ticket.md to change only a part of it


def find(form: str, folder: Path | None = None, name: str = "") -> jinja2.Template:
    """Return the template of a format, from the folder if it has one. Raise UserError if it cannot be parsed.

    ``name`` is a template that extends the one of the format: VERIFIED shows what was verified of a ticket.
    """
    wanted = FORMATS[form]
    names = [known.template for known in FORMATS.values()]
    if folder is not None and not any((folder / name).is_file() for name in names):
        raise UserError(f"{folder}: has none of the templates {', '.join(names)}")
    try:
        return _environment(wanted, folder).get_template(name or wanted.template)
    except jinja2.TemplateSyntaxError as error:
        raise UserError(_syntax(error)) from error
    except UnicodeDecodeError as error:
        raise UserError(f"{folder}: {wanted.template} is not in UTF-8") from error


def fill(
    ticket: Ticket | Verification, chosen: jinja2.Template, folder: Path | None = None, blocks: Sequence[str] = ()
) -> str:
    """Return the text of the ticket, or of some blocks. Raise UserError if a template of the site in ``folder`` fails."""
    given = {field.name: getattr(ticket, field.name) for field in fields(ticket)}
    try:
        parts = _blocks(chosen, blocks, given) if blocks else [chosen.render(given)]
        return "\n\n".join(part.strip("\n") if blocks else part for part in parts).rstrip() + "\n"
    except jinja2.TemplateSyntaxError as error:  # of a template that the chosen one takes in
        raise UserError(_syntax(error)) from error
    except Exception as error:
        place = _place(error, folder)
        if place is None:
            raise
        raise UserError(f"{place}: {_describe_error(error)}") from error


def _blocks(chosen: jinja2.Template, names: Sequence[str], given: Mapping[str, object]) -> list[str]:
    """Render blocks alone, after the template around them, whose names they use."""
    context = chosen.new_context(dict(given))
    for _ in chosen.root_render_func(context):
        pass
    return ["".join(context.blocks[name][0](context)) for name in names if name in context.blocks]


def _syntax(error: jinja2.TemplateSyntaxError) -> str:
    return f"{error.filename or error.name}, line {error.lineno}: {error.message}"


def _place(error: Exception, folder: Path | None) -> str | None:
    """Return file and line of an error in a site's template, or None for another template."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if folder is not None and Path(frame.filename).is_relative_to(folder)]
    return f"{ours[-1].filename}, line {ours[-1].lineno}" if ours else None


def _describe_error(error: Exception) -> str:
    if isinstance(error, jinja2.TemplateNotFound):
        return f"there is no template {error.name}"
    return str(error) or type(error).__name__


def _environment(form: Format, folder: Path | None) -> jinja2.Environment:
    own = jinja2.FileSystemLoader([OWN, pages.FOLDER])
    site = [jinja2.FileSystemLoader(folder)] if folder is not None else []
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.ChoiceLoader([*site, own, jinja2.PrefixLoader({DEFAULT: own})]),
        undefined=jinja2.StrictUndefined,
        autoescape=True,  # what finalize returns is Markup already, in each format
        finalize=partial(_escape, form),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    def table(rows: Rows, *headers: str) -> Markup:
        return Markup(form.table(headers, rows))

    def code(lines: Sequence[str]) -> Markup:
        return Markup(form.code(lines))

    def verbatim(block: str) -> Markup:
        return Markup(form.verbatim(block))

    environment.globals |= {"span": drawing.span, "ticket": form.template}
    environment.filters |= {"table": table, "code": code, "verbatim": verbatim, "wrap": wrapped}
    return environment


def _escape(form: Format, value: object) -> object:
    """Return a printed value: unchanged from a filter, escaped otherwise."""
    if isinstance(value, (Markup, jinja2.Undefined)):
        return value
    return Markup(form.escape(str(value)))
