"""The command ``completion``: shell completion for commands, options, rules and areas."""

import click

from advisor.cli.sections import Command

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "db2tune"


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print the completion script for a shell.

    For bash, add eval "$(db2tune completion bash)" to ~/.bashrc. For zsh, add the same with zsh to ~/.zshrc. For
    fish, write it to ~/.config/fish/completions/db2tune.fish.
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None  # click supports each of SHELLS
    click.echo(
        made(click.get_current_context().find_root().command, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source()
    )
    return 0
