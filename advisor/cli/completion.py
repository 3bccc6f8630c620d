"""The command ``completion``: what a shell needs to complete commands, options, rules and areas."""

import click

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "db2tune"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> int:
    """Print what completes db2tune in a shell: put eval "$(db2tune completion bash)" into ~/.bashrc.

    The same with zsh into ~/.zshrc; for fish, write it to ~/.config/fish/completions/db2tune.fish.
    """
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None  # click knows each of them
    click.echo(
        made(click.get_current_context().find_root().command, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source()
    )
    return 0
