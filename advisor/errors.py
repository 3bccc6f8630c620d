"""Errors that a user can mend: one line that says what is wrong and what to do."""

EXIT_FOUND = 1
EXIT_BAD_INPUT = 2
EXIT_NO_CONNECTION = 3
EXIT_FAULT = 4


class UserError(Exception):
    """Bad usage or bad input; the message is the one line that the user sees."""

    exit_status = EXIT_BAD_INPUT
