"""What keeps a container from running, in words."""


class ContainerError(Exception):
    """No usable container; the first line says why, further lines are the end of its log."""


class ImageAbsentError(ContainerError):
    """The image is not on the engine, and was not or cannot be pulled."""


def one_line(error: Exception) -> str:
    return " ".join(str(error).split())
