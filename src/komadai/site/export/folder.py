"""The folder into which a static site is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ...errors import SiteError
from ...storage import write_whole
from .manifest import NAME
from .tree import Tree


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder; ``former``: the paths that the last export has written there."""

    path: Path
    former: frozenset[str]

    @classmethod
    def at(cls, path: Path) -> Folder:
        """The folder at a path.

        Raises:
            SiteError: it holds what this command has not written.
        """
        if not path.exists():
            return cls(path, frozenset())
        if not path.is_dir():
            raise SiteError(f"{path} is no folder; name a new or empty one, or one of a former export")
        if not any(path.iterdir()):
            return cls(path, frozenset())
        try:
            written = json.loads((path / NAME).read_text(encoding="utf-8"))["folder"]
            return cls(path, frozenset(map(str, written)))
        except (OSError, ValueError, KeyError, TypeError):
            raise SiteError(
                f"{path} holds other files and is left as it is; name a new or empty folder, or one of a former export"
            ) from None

    def write(self, large: Tree, plain: Tree, about: Mapping[str, object]) -> None:
        """Write the files and the manifest, and remove those of the last export that are no longer needed.

        Others, as a host may ask for, stay. The files whose names change come first, so that a site in use has at every
        moment all files that its pages ask for.

        Raises:
            SiteError: something cannot be written.
        """
        files = {**large, **plain}
        text = json.dumps({**about, "folder": sorted(files)}, indent=1, sort_keys=True, ensure_ascii=False)
        try:
            for path, data in files.items():
                place = self.path / path
                if not place.is_file() or place.read_bytes() != data:
                    write_whole(place, data)
            write_whole(self.path / NAME, text.encode() + b"\n")
            for path in self.former - files.keys():
                self._remove(path)
        except OSError as error:
            raise SiteError(f"{error.filename or self.path} cannot be written: {error.strerror}") from None

    def _remove(self, path: str) -> None:
        """Remove a file of a former export, and its folders if they are empty; a path out of the folder is none."""
        parts = PurePosixPath(path).parts
        if not parts or parts[0] == "/" or ".." in parts:
            return
        place = self.path.joinpath(*parts)
        place.unlink(missing_ok=True)
        for folder in place.parents:
            if folder == self.path or any(folder.iterdir()):
                break
            folder.rmdir()
