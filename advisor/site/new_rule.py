"""Templates of a rule and its cases: the cases pass, and an author replaces them part by part."""

import re
from pathlib import Path

from advisor import files
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError

_NAME = re.compile(r"[a-z][a-z0-9]*\.(?P<file>[a-z0-9-]+)")


def write_rule(name: str, folder: Path) -> tuple[Path, Path]:
    """Write a rule and its cases into a folder, and return both files. Raise UserError for a name that is taken."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise UserError(f"{name}: must be AREA.NAME in lower case letters, digits and hyphens")
    if name in all_rules():
        raise UserError(f"{name}: db2tune has this rule; choose another name")
    rule, cases = (folder / f"{found['file']}{suffix}" for suffix in (".sql", ".yml"))
    for file in (rule, cases):
        if file.exists():
            raise UserError(f"{file}: already exists; choose another name or remove it")
    view = re.sub(r"\W", "_", name).upper()
    for file in (rule, cases):
        text = Path(__file__).with_suffix(file.suffix).read_text(encoding="utf-8")
        files.replace(file, text.replace("{name}", name).replace("{view}", view))
    return rule, cases
