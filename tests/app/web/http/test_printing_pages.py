"""The pages from which a browser prints a game."""

from __future__ import annotations

import re

import httpx
import pytest

import komadai
from helpers.web.served import Server, refused
from komadai.app import printing


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_a_game_is_printed_in_the_language_and_on_the_paper_asked_for(server: Server, name: str) -> None:
    answer = httpx.get(f"{server.url}/print/{name}", params={"paper": "letter"}, headers={"accept-language": "ja"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert '<html lang="ja">' in answer.text
    assert '<section class="page letter">' in answer.text
    assert '<section class="page a4">' not in answer.text


def test_the_styles_are_those_of_the_command(server: Server) -> None:
    answer = httpx.get(f"{server.url}/print.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.text == printing.STYLES.read_text(encoding="utf-8")
    assert '<link rel="stylesheet" href="../print.css">' in httpx.get(f"{server.url}/print/nana").text


def test_it_names_its_icon_so_that_browsers_look_for_no_other(server: Server) -> None:
    [icon] = re.findall(r'<link rel="icon" href="\.\.(/[^"]+)">', httpx.get(f"{server.url}/print/nana").text)
    assert httpx.get(server.url + icon).headers["content-type"] == "image/svg+xml"


def test_rule_options_and_writing_are_kept_in_the_links(server: Server) -> None:
    text = httpx.get(f"{server.url}/print/ki", params={"field": "9x9", "pieces": "letters"}).text
    assert "Board" in text
    assert 'href="../print/ki?paper=letter&amp;pieces=letters&amp;field=9x9"' in text
    assert 'href="../print/ki?paper=a4&amp;pieces=letters&amp;field=9x9" aria-current="true"' in text
    assert 'href="../rules/ki?field=9x9"' in text


@pytest.mark.parametrize(
    ("path", "status", "fault"),
    [
        ("/print/go", 404, "Unknown variant 'go'"),
        ("/print/nana?paper=a5", 422, "The game could not be printed: paper 'a5': did you mean 'a4'?"),
        ("/print/nana?dice=6", 422, "The game could not be printed: options of nana: unknown option 'dice'"),
        ('/print/ki?field="><b>', 422, "cannot be"),
    ],
)
def test_what_cannot_be_printed_is_said(server: Server, path: str, status: int, fault: str) -> None:
    assert fault in refused(httpx.get(f"{server.url}{path}", headers={"accept": "application/json"}), status)
