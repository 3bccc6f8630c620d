"""The TOML file of a site: the contents of TUNE.OPTION and TUNE.ACCEPTED, for analysis outside of the database.

rules = "our-rules"
change_window = "Sat 22:00-02:00"

[site]
workload = "OLTP"
protected = ["SAP*", "ARCHIVE_DATA"]

["log.buffer-full"]
min_full = 200

[[accepted]]
rule = "log.shares-data-device"
object = "*"
reason = "one array is all there is"
by = "J. Smith"
until = 2027-06-30
"""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from advisor import documents
from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import SITE, Overrides, all_options
from advisor.catalogue.rules import Rule
from advisor.catalogue.site_rules import RuleFolder, read_folder
from advisor.errors import UserError, suggest_nearest, suggest_nearest_or_all

ACCEPTED = "accepted"
RULES = "rules"
WINDOW = "change_window"
UNTIL = "until"
_PATH = Path("site.toml")  # for a text that is not in a file yet
_SCHEMA = Path(__file__).with_name("site.schema.json")
_BYTES = {"rule": 60, "object": 300, "reason": 1000, "by": 128}  # limits of TUNE.ACCEPTED
_MOST_MB = 4


def site_of(path: Path | None) -> Site:
    """Return the contents of the file, or nothing if it does not exist."""
    return Site() if path is None else read_site(path)


def read_site(path: Path) -> Site:
    """Return the contents of the file. Raise UserError with one line: the file, the key and the allowed values."""
    return parse_site(documents.content(path, _MOST_MB, "options"), path)


def parse_site(content: str | bytes, path: Path = _PATH) -> Site:
    """Return the contents of the text of such a file, with the rules in its folder, relative to ``path``.

    Options and acceptances of a rule in a broken file are ignored until the file is fixed.
    """
    name = path.name
    document = documents.from_toml(content, name)
    documents.check(document, documents.schema_in(_SCHEMA), name)
    try:
        own = _rules(path, document.pop(RULES, None))
        rules = Site(own=own).rules
        waiting = {broken.rule for broken in own.broken} - rules.keys()
        risks = document.pop(ACCEPTED, [])
        window = document.pop(WINDOW, None)
        options = {owner: _options(owner, values, rules) for owner, values in document.items() if owner not in waiting}
        accepted = tuple(
            _parse_risk(f"{ACCEPTED}[{number}]", risk, rules)
            for number, risk in enumerate(risks)
            if risk["rule"] not in waiting
        )
    except UserError as error:
        raise UserError(f"{name}: {error}") from None
    return Site(options, accepted, own, window=window)


def _rules(path: Path, folder: str | None) -> RuleFolder:
    if folder is None:
        return RuleFolder()
    try:
        return read_folder(path.parent / folder)
    except UserError as error:
        raise UserError(f"{RULES}: {error}") from None


def _options(owner: str, values: dict[str, Any], rules: Mapping[str, Rule]) -> dict[str, str | float]:
    """Return the options of a rule, or of the site."""
    if owner != SITE and owner not in rules:
        raise UserError(f"{owner[:60]!r} must be {SITE}, {ACCEPTED} or a rule{_suggest_option(owner, values, rules)}")
    known = all_options(rules.values())
    names = [name for rule, name in known if rule == owner]
    found: Overrides = {owner: {}}
    for name, value in values.items():
        if name not in names:
            hint = suggest_nearest_or_all(name, names) if names else "; it has none"
            raise UserError(f"option {owner}.{name[:60]}: no such option{hint}")
        found[owner][name] = known[owner, name].checked(value)
    return found[owner]


def _suggest_option(owner: str, values: dict[str, Any], rules: Mapping[str, Rule]) -> str:
    for name, value in values.items():
        if isinstance(value, dict) and f"{owner}.{name}" in rules:
            return f'; quote the name of a rule: ["{owner}.{name}"]'
    return suggest_nearest(owner, [SITE, ACCEPTED, RULES, WINDOW, *rules]) or "; 'db2tune rules' lists them"


def _parse_risk(where: str, risk: dict[str, str], rules: Mapping[str, Rule]) -> Accepted:
    for key, most in _BYTES.items():
        if len(risk[key].encode()) > most:
            raise UserError(f"{where}.{key}: longer than {most} bytes")
    if risk["rule"] not in rules:
        hint = suggest_nearest(risk["rule"], rules) or "; 'db2tune rules' lists them"
        raise UserError(f"{where}.rule: {risk['rule']}: no such rule{hint}")
    until = date.fromisoformat(risk[UNTIL]) if UNTIL in risk else None
    return Accepted(**{key: risk[key] for key in _BYTES}, until=until)


def append_risk(content: str | bytes, risk: Accepted, path: Path = _PATH) -> str:
    """Return the text of a file with one more accepted risk at its end. Raise UserError if the result is not valid."""
    site = parse_site(content, path)
    if any((known.rule, known.object) == (risk.rule, risk.object) for known in site.accepted):
        raise UserError(f"{path.name}: {risk.rule} on {risk.object} is already accepted; change the existing entry")
    lines = [f"[[{ACCEPTED}]]", *(f"{key} = {_text(getattr(risk, key))}" for key in _BYTES)]
    lines += [f"{UNTIL} = {risk.until.isoformat()}"] if risk.until else []
    before = content.decode("utf-8") if isinstance(content, bytes) else content
    new = "\n".join([*([before.rstrip(), ""] if before.strip() else []), *lines]) + "\n"
    parse_site(new, path)
    return new


def _text(value: str) -> str:
    """Return a basic string of TOML, whose escapes are those of JSON; DEL is a control character only in TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
