"""Settings and the commands that set them, in Db2's words, and the same machine with one of them carried out.

Source: IBM, statements ALTER BUFFERPOOL and ALTER TABLESPACE, "Configuration parameters", "Registry variables".
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.support.paths import ROOT
from tests.twin import settings
from tests.twin.cpu import LARGE_PAGES
from tests.twin.machine import AUTOMATIC

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.twin.machine import Machine


REGISTRY = ("DB2_USE_ALTERNATE_PAGE_CLEANING", "DB2_PARALLEL_IO", "DB2_LARGE_PAGE_MEM")
TUNED = ("SORTHEAP", "SHEAPTHRES_SHR", "LOCKLIST", "MAXLOCKS", "PCKCACHESZ")
LARGE = {"DB": "2M", "DB:64K": "64K", "DB:2M": "2M", "DB:16M": "16M", "DB:16GB": "16GB"}


@dataclass(frozen=True)
class Setting:
    """`kind` is bufferpool, tablespace, dbcfg, dbmcfg, registry, host or device; `of` names the object, if one."""

    kind: str
    name: str
    value: str
    of: str = ""


def apply(machine: Machine, setting: Setting) -> Machine:
    """The machine with the setting. Raises ValueError for an object or an attribute that there is not."""
    if setting.kind not in KINDS:
        raise ValueError(f"no setting is of kind {setting.kind}")
    return KINDS[setting.kind](machine, setting)


def modelled(setting: Setting) -> bool:
    """Return whether the model has an opinion of a setting; a setting that it ignores has no effect in it."""
    if setting.kind == "dbcfg":
        return setting.name.upper() in settings.DEFAULTS
    if setting.kind == "registry":
        return setting.name.upper() in REGISTRY
    if setting.kind == "dbmcfg":
        return setting.name.upper() == "INSTANCE_MEMORY"
    return setting.kind in KINDS


def _one(objects: tuple[Any, ...], setting: Setting, changes: dict[str, Any]) -> tuple[Any, ...]:
    """The objects, with the one that the setting is of changed."""
    if setting.of not in {each.name for each in objects}:
        raise ValueError(f"there is no {setting.kind} {setting.of}")
    return tuple(replace(each, **changes) if each.name == setting.of else each for each in objects)


def _yes(value: str) -> bool:
    return value.upper() in settings.YES


def _attribute(setting: Setting, known: dict[str, tuple[str, Callable[[str], Any]]]) -> dict[str, Any]:
    """Return the object's field for a setting's name, with its value."""
    if setting.name.upper() not in known:
        raise ValueError(f"a {setting.kind} has no {setting.name}")
    name, read = known[setting.name.upper()]
    return {name: read(setting.value)}


def _bufferpool(machine: Machine, setting: Setting) -> Machine:
    """A pool's size; AUTOMATIC keeps the size until self-tuning has another one."""
    if setting.name.upper() in ("SIZE", "NPAGES") and setting.value.upper() == AUTOMATIC:
        return replace(machine, pools=_one(machine.pools, setting, {"automatic": True}))
    changes = _attribute(setting, {"SIZE": ("pages", int), "NPAGES": ("pages", int)}) | {"automatic": False}
    return replace(machine, pools=_one(machine.pools, setting, changes))


def _prefetch(value: str) -> int:
    return -1 if value.upper() == "AUTOMATIC" else int(value)


def _tablespace(machine: Machine, setting: Setting) -> Machine:
    known: dict[str, tuple[str, Callable[[str], Any]]] = {
        "PREFETCHSIZE": ("prefetch", _prefetch),
        "EXTENTSIZE": ("extent", int),
        "CONTAINERS": ("containers", int),
        "BUFFERPOOL": ("pool", str),
        "FILE SYSTEM CACHING": ("file_system_caching", _yes),
    }
    changes = _attribute(setting, known)
    if "pool" in changes and changes["pool"] not in {each.name for each in machine.pools}:
        raise ValueError(f"there is no bufferpool {changes['pool']}")
    return replace(machine, spaces=_one(machine.spaces, setting, changes))


def _dbcfg(machine: Machine, setting: Setting) -> Machine:
    """A database parameter; a heap that becomes AUTOMATIC keeps its size until self-tuning has another one."""
    name, value = setting.name.upper(), setting.value
    if name == "NEWLOGPATH":
        return _moved_log(machine, value)
    if name in TUNED and value.upper() == AUTOMATIC:
        value = f"{AUTOMATIC}({settings.number(machine, name):.0f})"
    return replace(machine, dbcfg=machine.dbcfg | {name: value})


def _moved_log(machine: Machine, path: str) -> Machine:
    """The log on the device of that path; without a path on the device that has nothing else."""
    devices = {settings.log_path(replace(machine, log_device=each.name)): each.name for each in machine.devices}
    name = devices.get(path) if path else settings.spare_device(machine)
    if not name:
        raise ValueError(f"there is no device for the log at {path or 'a path of its own'}")
    return replace(machine, log_device=name)


def _dbmcfg(machine: Machine, setting: Setting) -> Machine:
    return replace(machine, dbmcfg=machine.dbmcfg | {setting.name.upper(): setting.value})


def _registry(machine: Machine, setting: Setting) -> Machine:
    """A registry variable; DB2_LARGE_PAGE_MEM also says in which pages the system cuts the pools."""
    name = setting.name.upper()
    changed = replace(machine, registry=machine.registry | {name: setting.value})
    if name != "DB2_LARGE_PAGE_MEM":
        return changed
    page = LARGE_PAGES[LARGE.get(setting.value.upper(), "NO")]
    return replace(changed, host=replace(changed.host, large_page=page))


def _host(machine: Machine, setting: Setting) -> Machine:
    """Facts of the host: memory in bytes, whether processes are bound, processors that a guest has."""
    if setting.name.upper() == "VIRTUAL":
        processors = replace(machine.host.processors, virtual=int(setting.value))
        return replace(machine, host=replace(machine.host, processors=processors))
    changes = _attribute(setting, {"MEMORY": ("memory", float), "BOUND": ("bound", _yes)})
    return replace(machine, host=replace(machine.host, **changes))


def _device(machine: Machine, setting: Setting) -> Machine:
    known: dict[str, tuple[str, Callable[[str], Any]]] = {
        "DISKS": ("disks", int),
        "READ AHEAD": ("read_ahead", float),
        "WRITE CACHE": ("write_cache", _yes),
    }
    return replace(machine, devices=_one(machine.devices, setting, _attribute(setting, known)))


KINDS: dict[str, Callable[[Machine, Setting], Machine]] = {
    "bufferpool": _bufferpool,
    "tablespace": _tablespace,
    "dbcfg": _dbcfg,
    "dbmcfg": _dbmcfg,
    "registry": _registry,
    "host": _host,
    "device": _device,
}


NAME = r'"?(?P<of>[^"\s]+)"?'
FORMS = {
    "bufferpool": rf"ALTER BUFFERPOOL {NAME} (?:IMMEDIATE |DEFERRED )?(?P<name>SIZE) (?P<value>.+)",
    "tablespace": rf"ALTER TABLESPACE {NAME} (?P<name>PREFETCHSIZE|EXTENTSIZE|BUFFERPOOL) (?P<value>.+)",
    "dbcfg": rf"UPDATE (?:DB|DATABASE) (?:CFG|CONFIGURATION) FOR {NAME} USING (?P<value>.+)",
    "registry": r"db2set (?P<name>\w+)=(?P<value>.*)",
}
CACHING = re.compile(rf"ALTER TABLESPACE {NAME} (?P<no>NO )?FILE SYSTEM CACHING", re.IGNORECASE)


def settings_of(command: str) -> tuple[Setting, ...]:
    """What a command sets. Raises ValueError for one that is not of the forms known here."""
    text = " ".join(command.replace(";", " ").split())
    if cached := CACHING.fullmatch(text):
        return (Setting("tablespace", "FILE SYSTEM CACHING", "NO" if cached["no"] else "YES", cached["of"]),)
    for kind, form in FORMS.items():
        if found := re.fullmatch(form, text, re.IGNORECASE):
            if kind == "dbcfg":
                return tuple(_parameters(found["value"]))
            of = found["of"] if "of" in found.groupdict() else ""
            return (Setting(kind, found["name"].upper(), _size(kind, found["value"].strip('"')), of),)
    raise ValueError(f"not a command that the model can carry out: {command}")


def _size(kind: str, value: str) -> str:
    """The size of a pool; one that is AUTOMATIC from a size on is AUTOMATIC."""
    return AUTOMATIC if kind == "bufferpool" and value.upper().endswith(AUTOMATIC) else value


def _parameters(text: str) -> list[Setting]:
    """Pairs of name and value; a value may be followed by AUTOMATIC."""
    found: list[Setting] = []
    for name, value, automatic in re.findall(r"(\w+) (\S+)( AUTOMATIC)?(?: |$)", text, re.IGNORECASE):
        found.append(Setting("dbcfg", name.upper(), f"{AUTOMATIC}({value})" if automatic else value))
    return found


def restarts(setting: Setting) -> bool:
    """Return whether a setting needs a new activation of the database, which resets all counters."""
    return setting.kind in ("registry", "dbmcfg") or (setting.kind == "dbcfg" and setting.name in _reactivated())


@cache
def _reactivated() -> frozenset[str]:
    with (ROOT / "tests" / "contract" / "config_params.csv").open(encoding="utf-8") as file:
        return frozenset(row["name"].upper() for row in csv.DictReader(file) if row["apply"] == "reactivate")
