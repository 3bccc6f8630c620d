"""The collector of host facts: one shell script, put together from its parts and the paths of a database."""

from collections.abc import Iterable
from pathlib import Path

_PARTS = ("common", "linux", "aix", "solaris", "main")
_LINE = "built_in() {{ report{paths}{arguments}; }}\n\n# nothing below reads the standard input: it may be this script\nmain \"$@\" </dev/null\n"


def script(names: Iterable[str] = ()) -> str:
    """The script; ``names`` are paths that it looks at beside those of its arguments: container:/data/c1, path:/log/."""
    parts = [(Path(__file__).parent / "sh" / f"{part}.sh").read_text(encoding="utf-8") for part in _PARTS]
    paths = "".join(f" \\\n    {_quoted(name)}" for name in sorted(set(names)))
    end = ' \\\n    "$@"' if paths else ' "$@"'
    return "".join(parts) + "\n" + _LINE.format(paths=paths, arguments=end)


def _quoted(text: str) -> str:
    """A word of the shell that stands for exactly this text."""
    return "'" + text.replace("'", "'\\''") + "'"
