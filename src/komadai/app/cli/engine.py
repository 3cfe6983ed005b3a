"""``komadai engine`` among the other commands; ``komadai.__main__`` starts it without them."""

from __future__ import annotations

import click

from ...protocol.command import DESCRIPTION, main
from .base import Command


@click.command(
    cls=Command,
    help=DESCRIPTION,
    add_help_option=False,  # argparse reads all its words
    context_settings={"ignore_unknown_options": True},
    variant_files=False,
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def engine(words: tuple[str, ...]) -> None:
    main(words)
