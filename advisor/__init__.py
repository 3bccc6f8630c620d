"""Tuning advice for Db2 on Linux, UNIX and Windows, ranked by measured database time.

from advisor import advise

document = advise("sales.capture")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.api import advise as advise
    from advisor.errors import UserError as UserError

__version__ = "0.1.0"

_MODULES = {"advise": "advisor.api", "UserError": "advisor.errors"}


def __getattr__(name: str) -> Any:
    """Return a name of the Python interface. Its modules are imported at the first use."""
    from importlib import import_module

    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
