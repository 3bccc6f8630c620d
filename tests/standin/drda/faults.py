"""Error replies to the client for handlers that fail."""

import logging

from tests.standin.errors import Db2Error, Disconnect

LOGGER = logging.getLogger("standin")


def reported(fault: Exception) -> Db2Error:
    """The condition to answer with: a fault of the stand-in itself is logged and becomes SQL0901N.

    Disconnect passes through: it is not answered.
    """
    if isinstance(fault, Disconnect):
        raise fault
    if isinstance(fault, Db2Error):
        return fault
    LOGGER.error("a statement met a fault of the stand-in", exc_info=fault)
    return Db2Error(-901, "58004", f"{type(fault).__name__}: {fault}")
