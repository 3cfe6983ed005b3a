"""Static files below their version: kept for ever as long as it is theirs, and asked for each time otherwise."""

from __future__ import annotations

import os
import re
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from helpers.web.inside import inside
from helpers.web.served import Server
from komadai.app.web.http import static_files
from komadai.app.web.http.static_files import Files, static_version, version_of
from komadai.app.web.store.sqlite import SqliteStore

FOREVER = "max-age=31536000, immutable"
PAGES = ("/", "/games", "/lobby", "/settings", "/new/nana", "/game/x", "/study", "/learn/nana", "/print/nana", "/a/b")


def named(text: str) -> list[str]:
    """The addresses of static files in a page."""
    return re.findall(r'(?:href|src)="([^"]*/static/[^"]+)"', text)


def test_pages_name_static_files_below_their_version(server: Server) -> None:
    found: set[str] = set()
    for page in PAGES:
        addresses = named(httpx.get(server.url + page, headers={"accept": "text/html"}).text)
        assert addresses, page
        found.update(addresses)
    for address in found:
        assert f"/static/{static_version()}/" in address
        answer = httpx.get(f"{server.url}/static/{address.partition('/static/')[2]}")
        assert answer.status_code == 200, address
        assert answer.headers.get_list("cache-control") == [FOREVER]


def test_without_their_version_or_with_another_they_are_asked_for_each_time(server: Server) -> None:
    now = httpx.get(f"{server.url}/static/{static_version()}/js/board/svg.js")
    for place in ("", f"{'0' * 16}/"):
        answer = httpx.get(f"{server.url}/static/{place}js/board/svg.js")
        assert answer.headers.get_list("cache-control") == ["no-cache"]
        assert (answer.content, answer.headers["etag"]) == (now.content, now.headers["etag"])
    for missing in (f"{static_version()}/js/nothing.js", f"{static_version()}/", "0123/style.css"):
        answer = httpx.get(f"{server.url}/static/{missing}")
        assert (answer.status_code, answer.headers.get_list("cache-control")) == (404, ["no-cache"])
    assert httpx.get(f"{server.url}/static/{static_version()}/..%2f..%2fapp.py").status_code == 404


def test_they_have_heads_and_tags(server: Server) -> None:
    address = f"{server.url}/static/{static_version()}/style.css"
    head, whole = httpx.head(address), httpx.get(address)
    assert head.content == b""
    for name in ("content-length", "etag", "cache-control", "content-type", "content-encoding"):
        assert head.headers[name] == whole.headers[name]
    again = httpx.get(address, headers={"if-none-match": whole.headers["etag"]})
    assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", FOREVER)


async def test_an_edited_file_changes_the_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_files, "STATIC", tmp_path)
    (tmp_path / "js").mkdir()
    for name in ("js/one.js", "js/other.js"):
        (tmp_path / name).write_text("1", encoding="utf-8")
    app = Starlette(routes=[Mount("/static", Files(directory=tmp_path))])
    first = static_version()
    assert static_version() == first == version_of({"js/one.js": b"1", "js/other.js": b"1"})

    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:

        async def kept(version: str, name: str) -> tuple[str, bool]:
            answer = await client.get(f"/static/{version}/js/{name}.js")
            return answer.text, "immutable" in answer.headers.get("cache-control", "")

        assert await kept(first, "one") == ("1", True)
        (tmp_path / "js/one.js").write_text("2", encoding="utf-8")
        os.utime(tmp_path / "js/one.js", ns=(1, 1))
        assert await kept(first, "one") == ("2", False)
        assert (second := static_version()) != first
        assert await kept(second, "one") == ("2", True)
        assert await kept(first, "one") == ("2", False)
        (tmp_path / "js/new.js").write_text("3", encoding="utf-8")
        assert static_version() not in (first, second)
        assert await kept(static_version(), "new") == ("3", True)


@pytest.mark.parametrize("before", ["/user/komadai", ""], ids=["left", "taken off"])
async def test_in_a_folder_of_a_host_they_are_below_it(store: SqliteStore, before: str) -> None:
    async with inside(store, root=before) as at:
        answer = await at("127.0.0.1").get(f"{before}/static/{static_version()}/js/lib/root.js")
        assert (answer.status_code, answer.headers["cache-control"]) == (200, FOREVER)


async def test_in_a_tab_they_have_the_version_of_the_site(store: SqliteStore) -> None:
    async with inside(store, alone=True) as at:
        assert static_version() not in (await at("127.0.0.1").get("/")).text
