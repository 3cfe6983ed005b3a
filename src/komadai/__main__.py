"""The program ``komadai``, and ``python -m komadai``: the command line."""

import sys


def main() -> None:
    """Run the command line; an interruption ends it with status 130, also while its modules load."""
    try:
        from .cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
