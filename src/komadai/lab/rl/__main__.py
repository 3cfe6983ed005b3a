"""The encoding of a game as JSON: ``python -m komadai.lab.rl GAME > encoding.json``."""

from __future__ import annotations

import argparse
import json
import sys
from typing import get_args

from ...errors import KomadaiError
from .encoding import Actions, Encoding


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m komadai.lab.rl", description=__doc__)
    parser.add_argument("game", help="the name of a game")
    parser.add_argument("--actions", choices=get_args(Actions), default="flat")
    parser.add_argument("--history", type=int, default=1)
    args = parser.parse_args()
    try:
        encoding = Encoding(args.game, args.actions, args.history)
    except KomadaiError as error:
        print(error, file=sys.stderr)
        return 2
    json.dump(encoding.describe(), sys.stdout, ensure_ascii=False, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
