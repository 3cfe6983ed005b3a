"""The folder into which a static site is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ....errors import SiteError
from ....json_text import parsed
from ....storage import write_whole
from .manifest import NAME
from .tree import Tree


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder.

    Attributes:
        former: the paths that the last export has written there. ``finished``: whether it came to its end.
    """

    path: Path
    former: frozenset[str]
    finished: bool = False

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
            about = parsed((path / NAME).read_bytes())
            return cls(path, frozenset(map(str, about["folder"])), not about.get("unfinished", False))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SiteError(
                f"{path} holds other files and is left as it is; name a new or empty folder, or one of a former export"
            ) from None

    def write(self, large: Tree, plain: Tree, about: Mapping[str, object]) -> None:
        """Write the files and the manifest, and remove those of the last export that are no longer needed.

        Others, as a host may ask for, stay. The files whose names change come first, so that a site in use has at every
        moment all files that its pages ask for. Until all are there the manifest says ``unfinished``.

        Raises:
            SiteError: something cannot be written.
        """
        files = {**large, **plain}
        try:
            self._note({**self._noted(), "unfinished": True}, self.former | files.keys())
            for path, data in files.items():
                place = self.path / path
                if not place.is_file() or place.read_bytes() != data:
                    write_whole(place, data)
            self._note(about, files)
            for path in self.former - files.keys():
                self._remove(path)
        except OSError as error:
            raise SiteError(f"{error.filename or self.path} cannot be written: {error.strerror}") from None

    def _noted(self) -> dict[str, Any]:
        """The manifest of the last export, by which its pages find their files."""
        return dict(parsed((self.path / NAME).read_bytes())) if self.former else {}

    def _note(self, about: Mapping[str, object], paths: Iterable[str]) -> None:
        """Write the manifest, with the paths of all files."""
        text = json.dumps({**about, "folder": sorted(paths)}, indent=1, sort_keys=True, ensure_ascii=False)
        write_whole(self.path / NAME, f"{text}\n".encode())

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
