"""What is answered where there is nothing: a page to browsers, JSON to programs."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import httpx
import pytest

from helpers.web.served import Server, refused

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "english", "japanese"),
    [
        ("/nope", "There is nothing at this address.", "このアドレスには何もありません。"),
        ("/new/zzz", "Unknown variant &#x27;zzz&#x27;: choose from", "というゲームはありません"),
        ("/rules/zzz", "Unknown variant &#x27;zzz&#x27;: choose from", "というゲームはありません"),
        ("/static/nope.js", "There is nothing at this address.", "このアドレスには何もありません。"),
    ],
)
def test_a_browser_gets_a_page_in_its_language(server: Server, path: str, english: str, japanese: str) -> None:
    for language, words in (("en", english), ("ja", japanese)):
        answer = httpx.get(server.url + path, headers=BROWSER | {"accept-language": language})
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")
        assert "accept" in answer.headers["vary"]
        assert words in answer.text
        assert f'href="{"/".join([".."] * (path.count("/") - 1)) or "."}/"' in answer.text
        assert "style.css" in answer.text


def test_what_the_address_says_is_no_part_of_the_page(server: Server) -> None:
    answer = httpx.get(f"{server.url}/new/<script>$page", headers=BROWSER)
    assert answer.status_code == 404
    assert "&lt;script&gt;$page" in answer.text
    assert "<script>$page" not in answer.text


@pytest.mark.parametrize("path", ["/nope", "/new/zzz", "/rules/zzz"])
def test_a_program_gets_json(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path)
    assert answer.status_code == 404
    assert list(answer.json()) == ["error"]


def test_the_interface_for_programs_answers_everyone_alike(server: Server) -> None:
    assert refused(httpx.get(f"{server.url}/api/rules/zzz", headers=BROWSER), 404).startswith("Unknown variant")


def test_a_method_that_is_not_possible_is_still_named(server: Server) -> None:
    answer = httpx.delete(f"{server.url}/settings", headers=BROWSER)
    assert answer.status_code == 405
    assert answer.headers["allow"]
    assert "DELETE is not possible at this address." in answer.text


@pytest.mark.parametrize("page", ["perfect", "hardest"])
def test_of_a_game_that_is_not_solved_the_page_leads_to_those_that_are(server: Server, page: str) -> None:
    for language, words in (("en", "is not solved here"), ("ja", "解かれていません")):
        headers = {"accept": "text/html", "accept-language": language}
        answer = httpx.get(f"{server.url}/{page}/shogi", headers=headers)
        assert answer.status_code == 404
        assert words in answer.text
        [link] = re.findall(rf'href="([^"]*/{page}/nana)"', answer.text)
        assert httpx.get(urljoin(str(answer.url), link), headers=headers).status_code == 200
    said = httpx.get(f"{server.url}/{page}/shogi").json()["error"]
    assert "is not solved here" in said
    assert ". These games are solved: " in said
    assert "Nana Shogi" in said
    assert said.endswith(".")
    assert httpx.get(f"{server.url}/{page}/nana?colour=red", headers={"accept": "text/html"}).status_code == 404
