"""Write Komadai as a folder of static files, which any web host serves and which plays without a server.

The folder holds ``index.html`` (the shell, with the first paint of the home page), the other files of
:mod:`komadai.app.site`'s ``static``, ``sw.js`` (the service worker, which the server's pages have too),
``rules/NAME/index.html`` (the shell with the first paint of a game's rules), the large files with their manifest
(:mod:`.manifest`), the web app manifest with its icons, and ``licences.txt``.

In the files of ``static`` stand some names between ``@``, for which the export puts values: ``@VERSION@``; and in
``index.html`` ``@TRANSLATIONS@``, of what its scripts say, ``@ROOT@``, the way up to the folder of the home page,
``@TITLE@``, ``@STYLE@`` and ``@PAINT@`` (:mod:`.paint`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from .... import __version__
from ....errors import SiteError
from ....i18n import LANGUAGES
from ....solve import files, find, is_quick
from ....solve import open as open_table
from ....variants import build, entry, names
from ...web.http.icons import drawn
from ...web.http.installing import worker
from ...web.http.static_files import version_of
from . import answers, licences, parts, tree
from .folder import Folder
from .manifest import Entry, listed
from .paint import Paint, paints
from .running import Say
from .tree import PACKAGE, Tree

_STATIC = PACKAGE / "app/site/static"
_PAGES = PACKAGE / "app/web/static"
_NETS = "engine/weights/*.net"
_SHELL = "index.html"
_WORKER = "sw.js"
_SPEAKING = ("early.js", "words.js")
_TEXTS = (".css", ".html", ".js")
"""The suffixes of the files in which names between ``@`` are replaced."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A static site that has been written.

    Attributes:
        sizes: of what a first visit takes, by name, in bytes.
        on_demand: the bytes of the files that are taken when they are needed.
    """

    folder: Path
    version: str
    sizes: dict[str, int]
    on_demand: int


def export(target: Path, *, core: Path | None = None, pyodide: Path | None = None, say: Say) -> Exported:
    """Write the site into a folder, which is empty, new, or one that this function has written.

    Args:
        core: the core as a module for Pyodide; by default that of this version's wheel for Pyodide.
        pyodide: a folder with Pyodide's npm package; by default it is fetched.
        say: takes lines about what is done.

    Raises:
        SiteError: the folder holds something else, or a part is missing and cannot be fetched.
        TableError: a game cannot be solved for want of a place for its table.
    """
    folder = Folder.at(target)
    found = parts.pyodide(pyodide, say)
    module = parts.core(core, found, say)
    wheels = parts.wheels(found, say)
    lent = sorted([*PACKAGE.glob(_NETS), *_tables(say)], key=lambda path: path.name)
    say("asking the server for its pages")
    given = answers.collect()
    say("compiling the Python of the tab")
    site, library = tree.compiled(tree.tree(module, wheels, found), tree.library(found), found, say)
    entries = [Entry(f"pyodide/{name}", data, "start") for name, data in parts.pyodide_files(found).items()]
    entries += [
        Entry("pyodide/python_stdlib.zip", tree.stored(library), "start"),
        Entry("python.zip", tree.stored(site), "start"),
        Entry("answers.pack", answers.pack(given), "start"),
    ]
    entries += [Entry(f"lent/{path.name}", path.read_bytes(), "demand") for path in lent]
    say("compressing the files")
    made = listed(entries)
    facts = {
        "komadai": __version__,
        "pyodide": found.version,
        "python": found.python,
        "games": sorted(names(shelf=False)),
    }
    plain = drawn() | {"licences.txt": licences.text(wheels, found).encode()}
    templates = _templates()
    version = version_of(plain | templates, json.dumps({**facts, "files": made.about}, sort_keys=True).encode())
    plain |= _filled(templates, paints(given), version)
    folder.write(made.files, plain, {"version": version, **facts, "files": made.about})
    first = {name: int(str(about["bytes"])) for name, about in made.about.items() if about["when"] == "start"}
    later = sum(int(str(about["bytes"])) for about in made.about.values() if about["when"] == "demand")
    shell = sum(len(plain[name]) for name in templates)
    return Exported(target, version, {**first, "the page and its scripts": shell}, later)


def _tables(say: Say) -> Iterator[Path]:
    """The tables of all games that are quick to solve, under each of their own rule options; new ones take seconds.

    Raises:
        TableError: a new one cannot be written.
    """
    for name in names(shelf=True):
        options = entry(name).options
        for values in product(*(option.values for option in options)):
            variant = build(name, **{option.name: value for option, value in zip(options, values, strict=True)})
            if is_quick(variant):
                if find(variant, everything=True) is None:
                    say(f"solving {files.file_name(variant).removesuffix('.table')}")
                yield open_table(variant).path


def _templates() -> Tree:
    """The files of the shell."""
    found = tree.read(_STATIC) | {_WORKER: (_PAGES / _WORKER).read_bytes()}
    if _SHELL not in found:
        raise SiteError(f"this installation of Komadai lacks {_STATIC / _SHELL}; install it anew")
    scripts = "".join(found[name].decode() for name in _SPEAKING)
    said = json.dumps({code: _translations(code, scripts) for code in LANGUAGES[1:]}, ensure_ascii=False)
    return {**found, _SHELL: found[_SHELL].replace(b"@TRANSLATIONS@", said.replace("<", "\\u003c").encode())}


_MARKED = re.compile(r'\bt\(\s*("(?:[^"\\]|\\.)*")')
"""A message of a script."""


def _translations(language: str, scripts: str) -> dict[str, str]:
    """The messages of scripts of the shell in a language, by their English, as far as there are any."""
    catalogue = json.loads((_PAGES / "locale" / f"{language}.json").read_text(encoding="utf-8"))
    marked = {json.loads(text) for text in _MARKED.findall(scripts)}
    return {text: said for text, said in catalogue.items() if text in marked}


def _filled(templates: Tree, painted: list[Paint], version: str) -> Tree:
    """The files of the shell with the values of the names in them, and the shell at each painted page."""
    texts = {
        name: data.decode().replace("@VERSION@", version) for name, data in templates.items() if name.endswith(_TEXTS)
    }
    texts[_WORKER] = worker("site", version)
    shell = texts.pop(_SHELL)
    for paint in painted:
        values = {"ROOT": paint.root, "TITLE": paint.title, "STYLE": paint.style, "PAINT": paint.body}
        text = shell
        for name, value in values.items():
            text = text.replace(f"@{name}@", value)
        texts[f"{paint.path}/{_SHELL}".lstrip("/")] = text
    return {**templates, **{name: text.encode() for name, text in texts.items()}}
