"""Refuse files above 400 kB: the repository stays small."""

from __future__ import annotations

import sys
from pathlib import Path

LIMIT = 400_000

large = [name for name in sys.argv[1:] if Path(name).stat().st_size > LIMIT]
for name in large:
    print(f"{name}: {Path(name).stat().st_size} bytes, more than {LIMIT}", file=sys.stderr)
sys.exit(bool(large))
