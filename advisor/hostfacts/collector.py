"""The collector of host facts: a shell script made of its parts and the paths of a database."""

from collections.abc import Iterable
from pathlib import Path

_PARTS = ("common", "linux", "aix", "solaris", "main")
_END = """
# the paths of a database
built_in() {{ report{paths} "$@"; }}

# no command may read standard input, which may be this script
main "$@" </dev/null
"""


def script(names: Iterable[str] = ()) -> str:
    """Return the script. ``names`` are paths in addition to its arguments: container:/data/c1, path:/log/."""
    parts = [(Path(__file__).parent / "sh" / f"{part}.sh").read_text(encoding="utf-8") for part in _PARTS]
    paths = "".join(f" \\\n    {_quoted(name)}" for name in sorted(set(names)))
    return "".join(parts) + _END.format(paths=paths)


def _quoted(text: str) -> str:
    """Return a quoted shell word."""
    return "'" + text.replace("'", "'\\''") + "'"
