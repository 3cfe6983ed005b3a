"""The server in a folder of a host, behind a proxy that takes the folder's name off the path or leaves it there."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from helpers.web.inside import inside
from komadai.app.web.store.sqlite import SqliteStore

FOLDER = "/user/komadai"
PAGES = ["/", "/games", "/study", "/study/x", "/learn/nana/moves", "/puzzles/nana", "/game/x", "/print/nana", "/a/b/c"]
BROWSER = {"accept": "text/html"}


def addresses(page: str) -> list[str]:
    """The addresses in a page."""
    return re.findall(r'(?:href|src)="([^"#]+)"', page)


@pytest.mark.parametrize("before", [FOLDER, ""], ids=["left", "taken off"])
async def test_what_a_page_needs_is_below_the_folder_and_so_is_the_cookie(store: SqliteStore, before: str) -> None:
    async with inside(store, root=before) as at:
        client = at("127.0.0.1")
        first = await client.get(f"{before}/")
        assert f"; Path={before}/;" in first.headers["set-cookie"]
        fresh = {"cookie": ""}
        assert "set-cookie" not in (await client.get(f"{before}/static/style.css", headers=fresh)).headers
        for path in PAGES:
            answer = await client.get(before + path, headers=BROWSER)
            assert answer.headers["content-type"].startswith("text/html")
            found = addresses(answer.text)
            assert found
            for address in found:
                meant = urlsplit(urljoin(f"http://host{FOLDER}{path}", address)).path
                assert meant.startswith(f"{FOLDER}/"), address
                got = await client.get(before + meant.removeprefix(FOLDER))
                assert got.status_code == 200, address


def test_no_script_or_style_has_an_address_of_its_own_host() -> None:
    """Scripts begin their addresses with ROOT (lib/root.js), style sheets are beside what they name."""
    static = Path(__file__).parents[4] / "src/komadai/app/web/static"
    for file in [*static.rglob("*.js"), *static.glob("*.css"), *static.glob("*.html")]:
        text = re.sub(r"/\*.*?\*/|^\s*//.*$", "", file.read_text(encoding="utf-8"), flags=re.S | re.M)
        assert not re.search(r"""(?:["'`]|url\()/(?:api|static|[a-z]+/\$\{|study|games|puzzles|learn)\b""", text), file
