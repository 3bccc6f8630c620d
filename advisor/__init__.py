"""Tuning advice for Db2 on Linux, UNIX and Windows, ranked by measured database time.

from advisor import advise

document = advise("sales.capture")
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.api import Advice as Advice
    from advisor.api import ImportedTexts as ImportedTexts
    from advisor.api import Recommendation as Recommendation
    from advisor.api import advise as advise
    from advisor.api import import_texts as import_texts
    from advisor.api import judge as judge
    from advisor.api import query as query
    from advisor.errors import UserError as UserError

__version__ = "0.1.0"

_MODULES = {
    "advise": "advisor.api",
    "import_texts": "advisor.api",
    "judge": "advisor.api",
    "query": "advisor.api",
    "ImportedTexts": "advisor.api",
    "Advice": "advisor.api",
    "Recommendation": "advisor.api",
    "UserError": "advisor.errors",
}
__all__ = [  # noqa: RUF022 -- functions first
    "advise",
    "import_texts",
    "judge",
    "query",
    "Advice",
    "ImportedTexts",
    "Recommendation",
    "UserError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Return a name of the Python interface. Its modules are imported at the first use."""
    from importlib import import_module

    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
