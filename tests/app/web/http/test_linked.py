"""The modules of a page in one file behave as they do one by one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from posixpath import dirname, join, normpath

import httpx
import pytest

from helpers.web.served import Server
from komadai.app.web.http.linked import Linker
from komadai.app.web.http.static_files import STATIC, static_version

MODULES = {
    "js/pages/one.js": 'import "../lib/first.js";\nimport { add, COUNT as count } from "../lib/sum.js";\n'
    'import * as place from "../lib/place.js";\n/** a comment */\nconst { later } = await import("../lib/later.js");\n'
    "console.log(JSON.stringify([add(1, count), later(), globalThis.order, place.HERE.slice(-14)]));\n",
    "js/lib/first.js": "globalThis.order = ['first'];\n",
    "js/lib/sum.js": 'import { note } from "./note.js";\n\nexport const COUNT = await Promise.resolve(41);\n\n'
    "export function add(one, other) {\n  return note('sum', one + other);\n}\n",
    "js/lib/note.js": "export const note = (what, value) => {\n  globalThis.order.push(what);\n  return value;\n};\n"
    "globalThis.order.push('note');\n",
    "js/lib/place.js": "export const HERE = new URL('../../', import.meta.url).pathname;\n",
    "js/lib/later.js": 'import { add } from "./sum.js";\nimport { outer } from "../../vendor/outer.js";\n'
    "export const later = () => add(outer, 2);\n",
    "vendor/outer.js": "const hidden = 5;\nexport { hidden as outer };\n",
}


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
@pytest.mark.parametrize("entry", ["js/pages/one.js", "linked/pages/one.js"])
def test_they_run_once_and_in_the_same_order(tmp_path: Path, entry: str) -> None:
    static = tmp_path / "a/static"
    for name, text in {**MODULES, "package.json": '{"type": "module"}'}.items():
        (static / name).parent.mkdir(parents=True, exist_ok=True)
        (static / name).write_text(text, encoding="utf-8")
    linker = Linker(static / "js")
    for path in ("pages/one.js", "pages/one/lib/later.js"):
        text = linker.file(path)
        assert text is not None
        (static / "linked" / path).parent.mkdir(parents=True, exist_ok=True)
        (static / "linked" / path).write_text(text, encoding="utf-8")
    ran = subprocess.run(["node", static / entry], capture_output=True, text=True, check=False)
    place = f"{static}/"[-14:]
    assert ran.stderr == ""
    assert json.loads(ran.stdout) == [42, 7, ["first", "note", "sum", "sum"], place]


def test_modules_in_a_circle_are_refused(tmp_path: Path) -> None:
    for name, other in (("one", "other"), ("other", "one")):
        file = tmp_path / f"pages/{name}.js"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f'import "./{other}.js";\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"pages/other.js and pages/one.js import each other"):
        Linker(tmp_path).file("pages/one.js")


@pytest.mark.parametrize("page", sorted(file.name for file in (STATIC / "js/pages").glob("*.js")))
def test_a_page_and_what_it_loads_later_are_linked_whole(page: str) -> None:
    linker, waiting, seen = Linker(STATIC / "js"), [f"pages/{page}"], set[str]()
    while waiting:
        path = waiting.pop()
        seen.add(path)
        text = linker.file(path)
        assert text is not None, path
        assert not re.search(r"^(?:export (?!const own)|import (?!\* as outer_))", text, re.MULTILINE), path
        blocks = re.findall(r'^if \(!all\["(.+)"\]\)', text, re.MULTILINE)
        assert len(blocks) == len(set(blocks))
        later = re.findall(r'import\("(.+)"\)\.then\(\(\{ own \}\) => own\)', text)
        waiting += {normpath(join(dirname(path), name)) for name in later} - seen


def test_they_are_kept_for_ever_below_their_version(server: Server) -> None:
    def at(path: str) -> tuple[int, str]:
        answer = httpx.get(f"{server.url}/static/{path}")
        return answer.status_code, answer.headers["cache-control"]

    assert at(f"{static_version()}/linked/pages/home.js") == (200, "max-age=31536000, immutable")
    for place in ("linked", f"{'0' * 16}/linked"):
        assert at(f"{place}/pages/home.js") == (200, "no-cache")
    for missing in ("pages/nothing.js", "pages/home/nothing.js", "lib/dom.js"):
        assert at(f"{static_version()}/linked/{missing}")[0] == 404
