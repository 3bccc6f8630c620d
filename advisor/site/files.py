"""The TOML file of a site: what TUNE.OPTION and TUNE.ACCEPTED hold, for those who judge outside of the database.

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
import tomllib
from datetime import date, datetime
from pathlib import Path
from typing import Any

from advisor.capture.site import Accepted, Site
from advisor.catalogue.options import SITE, Overrides, all_options, nearest
from advisor.catalogue.rules import all_rules
from advisor.errors import UserError

ACCEPTED = "accepted"
UNTIL = "until"
_WORDS = {"rule": 60, "object": 300, "reason": 1000, "by": 128}  # bytes, as TUNE.ACCEPTED holds them
_MAX_BYTES = 4 * 1024 * 1024
_A_DAY = "a day is wanted, such as 2027-06-30"


def site_of(path: Path | None) -> Site:
    """What the file says, or nothing where there is none."""
    return Site() if path is None else read(path)


def read(path: Path) -> Site:
    """What the file says. Raises UserError with one line that names the file, the key and what is allowed there."""
    if path.stat().st_size > _MAX_BYTES:
        raise UserError(f"{path.name}: more than {_MAX_BYTES >> 20} MB; this is no file of options")
    try:
        return parse(path.read_bytes())
    except UserError as error:
        raise UserError(f"{path.name}: {error}") from None


def parse(content: bytes) -> Site:
    """What the text of such a file says. Raises UserError, which does not name the file."""
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"not valid TOML in UTF-8 ({error})") from None
    risks = document.pop(ACCEPTED, [])
    options = {owner: _options(owner, values) for owner, values in document.items()}
    if not isinstance(risks, list):
        raise UserError(f"{ACCEPTED} is one table; write [[{ACCEPTED}]] for each accepted risk")
    return Site(options, tuple(_accepted(f"{ACCEPTED} {n}", risk) for n, risk in enumerate(risks, 1)))


def _options(owner: str, values: Any) -> dict[str, str | float]:
    """The options of a rule, or of the site."""
    rules = all_rules()
    if owner != SITE and owner not in rules:
        raise UserError(f"{owner[:60]!r} is neither {SITE} nor {ACCEPTED} nor a rule{_meant(owner, values)}")
    if not isinstance(values, dict):
        raise UserError(f"{owner} holds one value; a table of options is wanted")
    known = all_options(rules.values())
    names = [name for rule, name in known if rule == owner]
    found: Overrides = {owner: {}}
    for name, value in values.items():
        if name not in names:
            hint = nearest(name, names) or f"; there is {', '.join(names) or 'none'}"
            raise UserError(f"option {owner}.{name[:60]}: no such option{hint}")
        found[owner][name] = known[owner, name].checked(value)
    return found[owner]


def _meant(owner: str, values: Any) -> str:
    if isinstance(values, dict):
        for name, inside in values.items():
            if isinstance(inside, dict) and f"{owner}.{name}" in all_rules():
                return f'; the name of a rule stands in quotes: ["{owner}.{name}"]'
    return nearest(owner, [SITE, ACCEPTED, *all_rules()]) or "; 'db2tune rules' lists them"


def _accepted(where: str, risk: Any) -> Accepted:
    if not isinstance(risk, dict):
        raise UserError(f"{where}: is no table; write [[{ACCEPTED}]] for each accepted risk")
    keys = [*_WORDS, UNTIL]
    for key in risk:
        if key not in keys:
            raise UserError(f"{where}: no key {key[:60]!r}{nearest(key, keys) or '; there is ' + ', '.join(keys)}")
    words = {key: _word(where, key, risk.get(key), most) for key, most in _WORDS.items()}
    if words["rule"] not in all_rules():
        hint = nearest(words["rule"], all_rules()) or "; 'db2tune rules' lists them"
        raise UserError(f"{where}: {words['rule']}: no such rule{hint}")
    return Accepted(**words, until=_day(where, risk.get(UNTIL)))


def _word(where: str, key: str, value: Any, most: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise UserError(f"{where}: {key} is missing or empty; a text is wanted")
    if len(value.encode()) > most:
        raise UserError(f"{where}: {key} is longer than {most} bytes")
    return value


def _day(where: str, value: Any) -> date | None:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise UserError(f"{where}: {UNTIL} is {value[:60]!r}; {_A_DAY}") from None
    if value is None or (isinstance(value, date) and not isinstance(value, datetime)):
        return value
    raise UserError(f"{where}: {UNTIL} is {str(value)[:60]}; {_A_DAY}")


def with_risk(content: str, risk: Accepted) -> str:
    """The text of a file with one more accepted risk at its end. Raises UserError where the result is not one."""
    site = parse(content.encode())
    if any((known.rule, known.object) == (risk.rule, risk.object) for known in site.accepted):
        raise UserError(f"{risk.rule} on {risk.object} is accepted already; change it there")
    words = {key: getattr(risk, key) for key in _WORDS}
    lines = [f"[[{ACCEPTED}]]", *(f"{key} = {_text(value)}" for key, value in words.items())]
    lines += [f"{UNTIL} = {risk.until.isoformat()}"] if risk.until else []
    new = "\n".join([*([content.rstrip(), ""] if content.strip() else []), *lines]) + "\n"
    parse(new.encode())
    return new


def _text(value: str) -> str:
    """A basic string of TOML, whose escapes are those of JSON; DEL is a control character only there."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
