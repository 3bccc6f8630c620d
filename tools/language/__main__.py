"""Count the marker phrases of markers.csv in each area: python -m tools.language [--list] [FILE ...]."""

import argparse
import sys
from pathlib import Path

from tools.language.texts import AREAS, LIMIT, Text, markers_of, texts_of


def main(arguments: list[str] | None = None) -> int:
    """Print words, markers and their rate per area. Return 1 if an area exceeds its limit."""
    parser = argparse.ArgumentParser(prog="python -m tools.language", description=__doc__)
    parser.add_argument(
        "--list", action="store_true", help="print each marker with its place and what to write instead"
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="only these files, without a limit")
    asked = parser.parse_args(arguments)
    if asked.files:
        return _report("files", [text for file in asked.files for text in texts_of(file)], None, asked.list)
    return max([_report(area.name, area.texts(), LIMIT, asked.list) for area in AREAS])


def _report(name: str, texts: list[Text], limit: float | None, listed: bool) -> int:
    words = sum(len(text.content.split()) for text in texts)
    hits = [hit for text in texts for hit in markers_of(text)]
    rate = 10_000 * len(hits) / max(words, 1)
    print(
        f"{name:10} {words:8,} words {len(hits):6,} markers {rate:6.1f} in 10,000{f' (limit {limit:g})' if limit else ''}"
    )
    if listed:
        for hit in hits:
            print(f"  {hit.place}: {hit.phrase!r}; write: {hit.instead}")
    return int(limit is not None and rate > limit)


if __name__ == "__main__":
    sys.exit(main())
