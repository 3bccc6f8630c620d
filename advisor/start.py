"""Start of the program ``db2tune``: Ctrl-C ends it without a traceback, even while it loads its modules."""

import signal

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from advisor.cli.main import program

__all__ = ["program"]
