"""The folder of a static site, made of made-up parts: none is fetched."""

from __future__ import annotations

import errno
import gzip
import io
import json
import re
import struct
import zipfile
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.command import komadai_says
from helpers.site import CORE, pyodide, wheel
from helpers.solved_cache import lend_nana
from helpers.support import ROOT, in_a_thread
from komadai.app.site.export import Exported, answers, export, paint, parts, tree
from komadai.app.site.export.answers import KeptAnswer
from komadai.app.site.export.folder import Folder
from komadai.app.site.export.running import NOT_FETCHED, FetchError
from komadai.errors import SiteError
from komadai.i18n import LANGUAGES
from komadai.storage import write_whole

GIVEN: list[KeptAnswer] = []


@pytest.fixture(scope="module", autouse=True)
def _without_programs() -> Any:
    """Ask the server once, since the answers are the same, compress in a hurry, and compile nothing."""
    GIVEN[:] = in_a_thread(answers.collect)()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("komadai.app.site.export.manifest.compress", _quickly)
        patch.setattr("komadai.app.site.export.answers.collect", lambda: list(GIVEN))
        patch.setattr("komadai.app.site.export.tree.node", lambda: None)
        patch.setattr("komadai.app.site.export.parts.fetch", _no_program)
        yield


@cache
def _quickly(data: bytes, numiterations: int) -> bytes:
    return gzip.compress(data, compresslevel=1, mtime=0)


def _no_program(command: Any, doing: str, *_rest: Any) -> str:
    raise FetchError(f"{doing} failed: there is no network here")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with parts: ``pyodide``, ``core.so``, and the site in ``site``."""
    for game, faces in product(("nana", "nana-1998"), ("any", "front")):
        lend_nana(game, drop_faces=faces)
    folder = tmp_path_factory.mktemp("made")
    pyodide(folder / "pyodide")
    (folder / "core.so").write_bytes(CORE)
    exported(folder, "site")
    return folder


def exported(folder: Path, name: str) -> Exported:
    return export(folder / name, core=folder / "core.so", pyodide=folder / "pyodide", say=lambda _line: None)


def files_of(folder: Path) -> dict[str, bytes]:
    return tree.read(folder)


def about(site: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((site / "files.json").read_text(encoding="utf-8"))
    return data


def contents(site: Path, name: str) -> bytes:
    """The content of a file of the manifest, unpacked."""
    entry = about(site)["files"][name]
    data = (site / entry["path"]).read_bytes()
    return gzip.decompress(data) if entry["gzip"] else data


# --- The folder -----------------------------------------------------------------------------------------------------


def test_the_manifest_says_what_the_files_hold(made: Path) -> None:
    site = made / "site"
    found = about(site)
    assert {"answers.pack", "python.zip", "pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip"} <= found[
        "files"
    ].keys()
    for name, entry in found["files"].items():
        data = (site / entry["path"]).read_bytes()
        raw = contents(site, name)
        assert (entry["bytes"], entry["raw"], entry["sha256"]) == (len(data), len(raw), sha256(raw).hexdigest())
        assert entry["sha256"][:16] in entry["path"]
    assert found["files"]["pyodide/pyodide.asm.wasm"]["gzip"]
    assert found["files"]["pyodide/pyodide.asm.wasm"]["type"] == "application/wasm"
    assert sorted(found["folder"]) == sorted(files_of(site).keys() - {"files.json"})
    assert (found["komadai"], found["pyodide"], found["python"]) == (komadai.__version__, "9.9.9", "3.14")
    assert found["games"] == sorted(komadai.variants(shelf=False))


def test_solved_games_and_nets_are_taken_on_demand_and_all_else_at_the_start(made: Path) -> None:
    when = {name: entry["when"] for name, entry in about(made / "site")["files"].items()}
    lent = {name for name in when if name.startswith("lent/")}
    assert {name for name, said in when.items() if said == "demand"} == lent
    tables = {f"lent/{game}-1{faces}.table" for game in ("nana", "nana-1998") for faces in ("", "-drop_faces=front")}
    assert {name for name in lent if name.endswith(".table")} == tables, "of every game that is quick to solve"
    assert "lent/shogi.net" in lent


def test_the_same_parts_make_the_same_bytes(made: Path) -> None:
    exported(made, "again")
    assert files_of(made / "again") == files_of(made / "site")


def test_another_core_makes_another_version_and_former_files_go(made: Path, tmp_path: Path) -> None:
    first = exported(made, str(tmp_path / "site"))
    (tmp_path / "site/CNAME").write_text("play.example.org", encoding="utf-8")
    (tmp_path / "core.so").write_bytes(CORE + b"\0")
    second = export(tmp_path / "site", core=tmp_path / "core.so", pyodide=made / "pyodide", say=lambda _line: None)
    assert first.version != second.version
    assert second.version in (tmp_path / "site/index.html").read_text(encoding="utf-8")
    found = files_of(tmp_path / "site")
    assert sorted(found) == sorted([*about(tmp_path / "site")["folder"], "files.json", "CNAME"])


def test_a_folder_with_other_files_is_left_alone(made: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear", encoding="utf-8")
    with pytest.raises(SiteError, match="holds other files and is left as it is; name a new or empty folder"):
        exported(made, str(tmp_path))
    with pytest.raises(SiteError, match="is no folder"):
        exported(made, str(tmp_path / "letter.txt"))
    assert files_of(tmp_path) == {"letter.txt": b"Dear"}


def test_an_export_that_was_interrupted_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Path
) -> None:
    site = tmp_path / "site"
    Folder.at(site).write({"a": b"1", "b": b"1"}, {"index.html": b"1"}, {"version": "1"})
    assert Folder.at(site).finished
    for failing in range(1, 5):
        calls = iter(range(5))

        def fail(path: Path, *chunks: bytes, calls: Iterator[int] = calls, failing: int = failing) -> None:
            if next(calls) == failing:
                raise OSError(errno.ENOSPC, "No space left on device")
            write_whole(path, *chunks)

        data = b"%d" % failing
        with monkeypatch.context() as patched:
            patched.setattr("komadai.app.site.export.folder.write_whole", fail)
            with pytest.raises(SiteError, match="cannot be written: No space left"):
                Folder.at(site).write({"a": data, "c": data}, {"index.html": data}, {"version": "2"})
        assert not Folder.at(site).finished
        assert about(site)["version"] == "1", "pages of the former export find their files"
    Folder.at(site).write({"a": b"9", "d": b"9"}, {"index.html": b"9"}, {"version": "3"})
    assert Folder.at(site).finished
    assert files_of(site).keys() == {"a", "d", "index.html", "files.json"}
    ran = komadai_says(
        "export-site", "-o", str(site), "--core", str(made / "core.so"), "--pyodide", str(made / "pyodide")
    )
    assert (ran.status, "holds an export already; --force brings it up to date" in ran.err) == (2, True)


def test_a_manifest_cannot_have_files_outside_the_folder_removed(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear", encoding="utf-8")
    site = tmp_path / "site"
    site.mkdir()
    listed = ["../letter.txt", str(tmp_path / "letter.txt"), "old/page.html"]
    (site / "files.json").write_text(json.dumps({"folder": listed}), encoding="utf-8")
    (site / "old").mkdir()
    (site / "old/page.html").write_text("", encoding="utf-8")
    Folder.at(site).write({}, {"index.html": b""}, {})
    assert files_of(tmp_path).keys() == {"letter.txt", "site/index.html", "site/files.json"}
    assert not (site / "old").exists()


def test_the_shell_has_its_values_and_each_game_its_page(made: Path) -> None:
    found = files_of(made / "site")
    pages = {name: data.decode() for name, data in found.items() if name.endswith("index.html")}
    assert pages.keys() == {"index.html", *(f"rules/{name}/index.html" for name in komadai.variants(shelf=False))}
    for text in pages.values():
        for name in ("ROOT", "TITLE", "STYLE", "PAINT", "VERSION"):
            assert f"@{name}@" not in text
    assert "../../manifest.webmanifest" in pages["rules/ko/index.html"]


def test_the_shell_has_the_translations_of_what_its_scripts_say(made: Path) -> None:
    found = {name: data.decode() for name, data in files_of(made / "site").items() if name.endswith((".html", ".js"))}
    shell = found["index.html"]
    data = shell.partition('<script type="application/json" id="translations">')[2].partition("</script>")[0]
    said = json.loads(data)["ja"]
    scripts = [found[name] for name in ("words.js", "early.js")]
    marked = {json.loads(text) for text in re.findall(r'\bt\(\s*("(?:[^"\\]|\\.)*")', "".join(scripts))}
    assert len(marked) == 18
    assert said.keys() == marked


def test_it_can_be_installed(made: Path) -> None:
    site = made / "site"
    manifest = json.loads((site / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("./", "./", "standalone")
    assert {"any maskable", "maskable"} & {icon.get("purpose") for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        data = (site / icon["src"]).read_bytes()
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", data[16:24])
            assert (data[:8], f"{width}x{height}") == (b"\x89PNG\r\n\x1a\n", icon["sizes"])


def test_the_licences_of_all_parts_are_named(made: Path) -> None:
    text = (made / "site/licences.txt").read_text(encoding="utf-8")
    for words in (
        "The Komadai developers",
        "Mozilla Public License 2.0",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
        "SIL OPEN FONT LICENSE",
        "The licence of starlette.",
        "The licence of typing-extensions.",
    ):
        assert words in text, words


# --- Python in the tab ----------------------------------------------------------------------------------------------


def test_the_python_of_the_tab(made: Path) -> None:
    archive = zipfile.ZipFile(io.BytesIO(contents(made / "site", "python.zip")))
    names = set(archive.namelist())
    assert archive.testzip() is None
    assert archive.read("komadai/_core.cpython-314-wasm32-emscripten.so") == CORE
    assert {"komadai/app/web/app.py", "komadai/app/web/static/index.html", "komadai/rules/ko.md"} <= names
    assert {"komadai/locale/ja/LC_MESSAGES/komadai.mo", "komadai/app/lessons/ko.toml", "starlette/__init__.py"} <= names
    for part in (
        "komadai/app/cli/",
        "komadai/app/tui/",
        "komadai/app/site/export/",
        "komadai/engine/weights/shogi.net",
        "komadai/app/web/static/js/",
    ):
        assert not any(name.startswith(part) for name in names), part
    assert not any(name.endswith((".po", ".pyi", ".typed")) or ".dist-info" in name for name in names)
    library = zipfile.ZipFile(io.BytesIO(contents(made / "site", "pyodide/python_stdlib.zip"))).namelist()
    assert sorted(library) == ["json/__init__.py", "textwrap.py"]
    assert json.loads(contents(made / "site", "pyodide/pyodide-lock.json"))["packages"] == {}


# --- Answers and first paint ----------------------------------------------------------------------------------------


def test_the_pack_holds_the_answers(made: Path) -> None:
    data = contents(made / "site", "answers.pack")
    (length,) = struct.unpack_from("<I", data)
    index, bodies = json.loads(data[4 : 4 + length]), data[4 + length :]
    found = {}
    for row in index["answers"]:
        headers = dict(index["headers"][row["headers"]])
        found[row["path"], row["language"]] = bodies[row["at"] : row["at"] + row["length"]]
        assert "content-security-policy" in headers
        assert not {"set-cookie", "etag", "content-length"} & headers.keys()
    assert found == {(one.path, one.language): one.body for one in GIVEN}
    assert {
        ("/", None),
        ("/game/{game}", None),
        ("/learn/{variant}/{stage}", None),
        ("/static/style.css", None),
    } <= found.keys()
    for name in komadai.variants(shelf=False):
        for language in LANGUAGES:
            assert json.loads(found[f"/api/rules/{name}", language])["variant"]["id"] == name


def test_no_answer_depends_on_the_day_or_on_games() -> None:
    paths = {one.path for one in GIVEN}
    assert not {"/api/puzzles", "/api/games", "/api/lobby"} & paths


def test_the_first_paint_can_be_read_without_scripts() -> None:
    painted = {one.path: one for one in paint.paints(GIVEN)}
    home = painted[""]
    assert all(name in home.body for name in ("Nana Shogi", "Kō Shōgi", "駒台"))
    assert 'href="./rules/ko/"' in home.body
    rules = painted["rules/ko"]
    assert rules.title.startswith("Kō Shōgi: the rules")
    assert "drum" in rules.body
    for one in painted.values():
        assert "<script" not in one.body
        assert ".hero" in one.style or ".book" in one.style
        assert "url(" not in one.style
        assert 'href="/' not in one.body


# --- What is missing is said ----------------------------------------------------------------------------------------


def test_a_folder_that_is_no_pyodide(made: Path, tmp_path: Path) -> None:
    with pytest.raises(SiteError, match=r"is no folder of Pyodide: it lacks pyodide\.mjs, "):
        parts.pyodide(tmp_path, print)
    pyodide(tmp_path / "odd")
    (tmp_path / "odd/pyodide-lock.json").write_text('{"info": {}}', encoding="utf-8")
    with pytest.raises(SiteError, match="does not say which Python it is"):
        parts.pyodide(tmp_path / "odd", print)


def test_only_a_part_that_cannot_be_downloaded_excuses_ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(parts, "program", lambda name, _use: name)
    with pytest.raises(FetchError, match=f"^{NOT_FETCHED}fetching Pyodide failed: there is no network here$"):
        parts.pyodide(None, print)
    assert f"'^(pyodide_core|komadai): {NOT_FETCHED}'" in (ROOT / ".ci/run").read_text(encoding="utf-8")

    def brings_another(_command: Any, _doing: str, folder: Path) -> str:
        (folder / "pyodide.tgz").write_bytes(b"other")
        return ""

    monkeypatch.setattr(parts, "fetch", brings_another)
    with pytest.raises(SiteError, match="npm brought another file") as caught:
        parts.pyodide(None, print)
    assert not isinstance(caught.value, FetchError)


def test_wheels_beside_pyodide_have_to_be_complete(tmp_path: Path) -> None:
    found = parts.pyodide(pyodide(tmp_path / "pyodide"), print)
    next(found.folder.glob("starlette-*.whl")).unlink()
    with pytest.raises(SiteError, match="lacks those of starlette"):
        parts.wheels(found, print)


def test_a_core_that_is_none(made: Path, tmp_path: Path) -> None:
    found = parts.pyodide(made / "pyodide", print)
    (tmp_path / "core.so").write_bytes(b"\x7fELF")
    with pytest.raises(SiteError, match=r"core\.so is no WebAssembly module; expected the core built for Pyodide"):
        parts.core(tmp_path / "core.so", found, print)


def test_without_a_core_the_message_says_how_to_build_one(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said: list[str] = []
    with pytest.raises(SiteError, match=r"Build it from the sources.*tools/pyodide_core\.py.*--core"):
        parts.core(None, parts.pyodide(made / "pyodide", print), said.append)
    assert "by pip" in said[0]


def test_the_core_of_a_wheel(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = parts.pyodide(made / "pyodide", print)

    def download(command: list[str], _doing: str, *_rest: Any) -> str:
        folder = Path(command[command.index("--dest") + 1])
        folder.mkdir()
        wheel(folder, "komadai", komadai.__version__)
        with zipfile.ZipFile(next(folder.glob("*.whl")), "a") as archive:
            archive.writestr("komadai/_core.cpython-314-wasm32-emscripten.so", CORE)
        return ""

    monkeypatch.setattr(parts, "fetch", download)
    assert parts.core(None, found, print) == CORE


def test_the_command(made: Path, tmp_path: Path) -> None:
    given = ("--core", str(made / "core.so"), "--pyodide", str(made / "pyodide"))
    ran = komadai_says("export-site", "-o", str(tmp_path / "site"), *given)
    assert ran.status == 0
    assert "a first visit" in ran.out
    assert about(tmp_path / "site")["version"] in ran.out
    (tmp_path / "letter.txt").write_text("Dear", encoding="utf-8")
    refused = komadai_says("export-site", "-o", str(tmp_path), *given)
    assert (refused.status, refused.out) == (2, "")
    assert "holds other files" in refused.err
