"""The program ``komadai``, and ``python -m komadai``: the engine for other programs, and the command line."""

import sys


def main() -> None:
    """Run a command; an interruption ends it with status 130, also while its modules load."""
    try:
        from .console import run

        run(_engine if sys.argv[1:2] == ["engine"] else _command_line)
    except KeyboardInterrupt:
        sys.exit(130)


def _engine() -> None:
    from .protocol.command import main as engine

    engine(sys.argv[2:])


def _command_line() -> None:
    try:
        from .app.cli import main as command_line
    except ModuleNotFoundError as missing:
        if missing.name != "click":
            raise
        from .errors import NotationError, lacking

        asked = sys.argv[1] if len(sys.argv) > 1 else "the command line"
        raise NotationError(asked, [lacking(missing), "`komadai engine` needs no package"]) from None
    command_line()


if __name__ == "__main__":
    main()
