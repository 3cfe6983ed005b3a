"""Write the current rules hash into table files of solved games.

    python tools/rehash_tables.py src/komadai/solve/tables/*.table

Only the description of a file changes. Before that its checksum, its rules and the digest of all its values are
checked; a file that fails is left as it is.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import komadai
from komadai.errors import KomadaiError
from komadai.solve import Table, files
from komadai.storage import write_whole


def rehash(path: Path) -> str:
    """Bring one file up to date; returns what happened to it.

    Raises:
        KomadaiError: the file is no sound table, or one of other rules.
    """
    contents = files.read(path)
    about = contents.about
    variant = komadai.variant(about["variant"], **about["options"])
    table = Table(variant, contents, path)
    if hashlib.sha256(table.values()).hexdigest() != about["values"]:
        raise KomadaiError(f"{path}: the values do not have the digest that its description gives")
    rules = variant.play_hash
    if about["rules"] == rules:
        return f"{path}: up to date"
    write_whole(path, files.pack(replace(contents, about={**about, "rules": rules})))
    return f"{path}: {about['rules'][:8]}… is now {rules[:8]}…"


def main() -> int:
    failed = False
    for name in sys.argv[1:]:
        try:
            print(rehash(Path(name)))
        except KomadaiError as error:
            print(error, file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
