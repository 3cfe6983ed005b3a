"""``komadai completion``: what lets a shell complete commands, options and games."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .base import COMPLETE, Command, Word

_SHELLS = ("bash", "zsh", "fish")


@click.command(cls=Command, variant_files=False)
@click.argument("shell", type=Word(_SHELLS), metavar="SHELL", help=", ".join(_SHELLS) + ".")
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script by which a shell completes commands, options and the names of games.

    For bash add to ~/.bashrc: eval "$(komadai completion bash)". For zsh the same with zsh in ~/.zshrc; for fish:
    komadai completion fish > ~/.config/fish/completions/komadai.fish."""
    found = get_completion_class(shell)
    assert found is not None
    print(found(ctx.find_root().command, {}, "komadai", COMPLETE).source())
