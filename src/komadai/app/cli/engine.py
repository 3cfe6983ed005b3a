"""``komadai engine`` among the other commands; ``komadai.__main__`` starts it without them."""

from __future__ import annotations

import typer

from ...protocol.command import DESCRIPTION, main


def engine(ctx: typer.Context) -> None:
    main(ctx.args)


engine.__doc__ = DESCRIPTION
