"""Progress bars on standard error, hidden if it is not a terminal."""

import math
import sys
import time

import click


def bar(label: str, length: int) -> "click._termui_impl.ProgressBar[int]":
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty())


def pause(seconds: float) -> None:
    """Wait between two snapshots."""
    whole = math.ceil(seconds)
    with bar("Second snapshot in", whole) as shown:
        for _ in range(whole):
            time.sleep(1)
            shown.update(1)
