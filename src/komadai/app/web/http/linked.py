"""The modules of a page in one file, so that a browser asks once for what would be some eighty files.

A linked file has the modules in the order in which they run, each a block whose exports are kept in a table of the
window. What the page imports later is a file of its own, with those of its modules that the page has not:

- ``pages/home.js`` is the page's,
- ``pages/home/game/memory.js`` that of a module which this page imports later.

Only what the client's modules use of JavaScript is understood: imports and exports that begin a line.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

_FILE = re.compile(r"pages/(\w+)(?:\.js|/([\w/]+\.js))")
_IMPORT = re.compile(r'^import (?:(?:\{([^}]*)\}|\* as (\w+)) from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (?:(\w+)|\{([^}]*)\})", re.MULTILINE)
_LATER = re.compile(r'\bimport\("(\.[^"]+\.js)"\)')
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
_TABLE = 'const all = (globalThis[Symbol.for("komadai.modules")] ??= {});\n'


def _target(module: str, address: str) -> str:
    """The path below the folder of modules of what a module imports from an address."""
    return normpath(join(dirname(module), address))


def _way(here: str, target: str) -> str:
    """The address of a file in an import by another."""
    way = relpath(normpath(f"/js/{target}"), dirname(normpath(f"/js/{here}")))
    return json.dumps(way if way.startswith(".") else f"./{way}")


class Linker:
    """Links the modules below a folder ``js``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._texts: dict[str, str] = {}

    def file(self, path: str) -> str | None:
        """The linked file with that path; ``None`` if there is none.

        Raises:
            ValueError: modules import each other in a circle.
        """
        found = _FILE.fullmatch(path)
        if found is None:
            return None
        page = f"pages/{found[1]}.js"
        module = found[2] or page
        try:
            there = self._gather(page, {}) if found[2] else {}
            modules = [one for one in self._gather(module, {}) if one not in there and not one.startswith("../")]
        except (FileNotFoundError, IsADirectoryError):
            return None
        blocks = [self._block(one, found[1], f"../linked/{path}") for one in modules]
        heads = dict.fromkeys(head for heads, _ in blocks for head in heads)
        own = f"export const own = all[{json.dumps(module)}];\n" if found[2] else ""
        return "".join([*heads, _TABLE, *(text for _, text in blocks), own])

    def _text(self, module: str) -> str:
        """A module without the comments that have lines of their own."""
        if module not in self._texts:
            self._texts[module] = _COMMENT.sub("", (self._folder / module).read_text(encoding="utf-8"))
        return self._texts[module]

    def _gather(self, module: str, found: dict[str, bool]) -> dict[str, bool]:
        """Add a module to those found, after all that it imports at once; true: it is complete."""
        if not found.setdefault(module, False):
            for *_names, address in _IMPORT.findall(self._text(module)):
                target = _target(module, address)
                if found.get(target) is False:
                    raise ValueError(f"{module} and {target} import each other; expected modules without circles")
                self._gather(target, found)
            del found[module]
            found[module] = True  # after all that it needs
        return found

    def _block(self, module: str, page: str, here: str) -> tuple[list[str], str]:
        """The imports of the linked file ``here`` that a module needs, and its block."""
        heads, names = list[str](), list[str]()

        def take(found: re.Match[str]) -> str:
            named, whole, address = found.groups()
            target = _target(module, address)
            source = f"all[{json.dumps(target)}]"
            if target.startswith("../"):  # what is not ours stays as it was published
                source = "outer_" + re.sub(r"\W", "_", target)
                heads.append(f"import * as {source} from {_way(here, target)};\n")
            if named is None and whole is None:
                return ""
            return f"const {whole or '{' + named.replace(' as ', ': ') + '}'} = {source};\n"

        def give(found: re.Match[str]) -> str:
            names.extend(name.strip() for name in (found[2] or found[3]).split(","))
            return found[0].removeprefix("export ")

        def later(found: re.Match[str]) -> str:
            target = f"../linked/pages/{page}/{_target(module, found[1])}"
            return f"import({_way(here, target)}).then(({{ own }}) => own)"

        text = _LATER.sub(later, _EXPORT.sub(give, _IMPORT.sub(take, self._text(module))))
        text = text.replace("import.meta.url", f"new URL({_way(here, module)}, import.meta.url)")
        key = json.dumps(module)
        return heads, f"if (!all[{key}]) {{\n{text}all[{key}] = {{ {', '.join(names)} }};\n}}\n"
