"""Groups of options that a command gets as one argument."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]


def argument(name: str, made: Callable[..., Any], *options: Decorator[Any]) -> Callable[[Command], Command]:
    """Add options to a command. It gets what is ``made`` of their values, taken by their names, as the argument ``name``."""
    taken = inspect.signature(made).parameters

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def called(*args: Any, **given: Any) -> Any:
            made_of = {option: given.pop(option) for option in taken}
            return command(*args, **given, **{name: made(**made_of)})

        decorated: Any = called
        for option in reversed(options):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate
