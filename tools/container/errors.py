"""Errors of containers."""


class ContainerError(Exception):
    """No usable container; the first line is the reason, further lines are the end of its log."""


class ImageAbsentError(ContainerError):
    """The image is not on the engine, and was not or cannot be pulled."""


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())
