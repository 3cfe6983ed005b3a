"""Refuse files that are too large: the repository and the wheel stay small.

    python tools/check_size.py [FILE ...]

Without names it looks at every file that git has.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePath

NETS = "src/komadai/engine/weights/*.net"
MOST_NETS = 6_000_000
"""Bytes of all nets of the package together."""
BOUNDS = {
    NETS: 2_000_000,
    "bench/results/**/*.jsonl": 1_000_000,  # records of matches
    "src/komadai/locale/**/*.po": 1_000_000,
    "*.whl": 12_000_000,
    "**": 400_000,
}
"""The most bytes that a file may have, by its path; the first pattern that fits holds."""


def bound(path: str) -> int:
    """The most bytes that a file may have, by its path from the root."""
    return next(most for pattern, most in BOUNDS.items() if pattern == "**" or fits(path, pattern))


def fits(path: str, pattern: str) -> bool:
    """True if a path matches a pattern, in which ``**`` matches any number of folders."""
    folder, _stars, name = pattern.rpartition("**/")
    return path.startswith(folder) and PurePath(path).match(name if folder else pattern)


def main() -> None:
    """Name each file that is too large."""
    tracked = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    names = sys.argv[1:] or [name for name in tracked.split("\0") if name and Path(name).is_file()]
    sizes = {name: Path(name).stat().st_size for name in names}
    said = [f"{name}: {size:,} bytes, more than {bound(name):,}" for name, size in sizes.items() if size > bound(name)]
    nets = sum(path.stat().st_size for path in Path().glob(NETS))
    if nets > MOST_NETS:
        said.append(f"{NETS}: {nets:,} bytes together, more than {MOST_NETS:,}")
    print(*said, sep="\n", file=sys.stderr, end="\n" if said else "")
    sys.exit(bool(said))


if __name__ == "__main__":
    main()
