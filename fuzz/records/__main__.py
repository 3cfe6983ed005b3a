"""Run it."""

import typer

from .processes import main

if __name__ == "__main__":
    typer.run(main)
