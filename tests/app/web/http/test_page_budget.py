"""The budget of pages in transferred bytes. Times are measured by bench/page.py."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import httpx
import pytest

import komadai
from helpers.web.served import Server
from komadai.app import lessons
from komadai.app.web.listening import bind

LARGEST = 400_000
"""Bytes that the page of a game may take from an empty cache to the board, headers and messages included."""


@pytest.fixture
def came(page: Any) -> list[int]:
    """The bytes of each answer and message that the page is sent."""
    sizes: list[int] = []
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    line.on(
        "Network.webSocketFrameReceived", lambda event: sizes.append(len(event["response"]["payloadData"].encode()))
    )
    return sizes


@pytest.mark.parametrize("pieces", ["kanji", "brush", "short"])
def test_the_page_of_the_largest_game_keeps_its_budget(page: Any, server: Server, came: list[int], pieces: str) -> None:
    page.add_init_script(f"localStorage.setItem('komadai.pieces', JSON.stringify('{pieces}'))")
    page.goto(server.page(server.game("ko")))
    page.locator("#board .slot").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert max(came) > 50_000, "the game has come"
    assert sum(came) < LARGEST, sum(came)


def test_the_page_of_a_stage_keeps_the_same_budget(page: Any, server: Server, came: list[int]) -> None:
    game = max(lessons.written(), key=lambda game: len(komadai.variant(game).kinds))
    page.goto(f"{server.url}/learn/{game}/{lessons.course(game).entries[-1].id}")
    page.locator("#board .board-svg").wait_for()
    page.wait_for_load_state("networkidle")
    assert 50_000 < sum(came) < LARGEST


def test_the_loupe_copies_the_board_only_while_it_is_open(page: Any, server: Server) -> None:
    page.goto(server.page(server.game("ko")))
    page.locator("#board .slot").first.wait_for()
    assert page.locator(".loupe use").count() == 1
    assert page.locator(".loupe use[href]").count() == 0


async def test_small_messages_do_not_wait_for_each_other() -> None:
    met: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def meet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = writer.get_extra_info("socket")
        met.set_result(line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    with bind("127.0.0.1", 0) as listening:
        async with await asyncio.start_server(meet, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.close()
            assert await met


def test_files_are_sent_packed_and_only_when_they_have_changed(server: Server) -> None:
    address = f"{server.url}/static/js/board/svg.js"
    whole, packed = httpx.get(address, headers={"accept-encoding": "identity"}), httpx.get(address)
    assert "content-encoding" not in whole.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(whole.content) / 2
    assert packed.text == whole.text
    assert packed.headers["content-type"].split(";")[0].endswith("javascript")
    again = httpx.get(address, headers={"if-none-match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert httpx.get(f"{server.url}/static/fonts/komadai-kanji.woff2").headers["content-type"] == "font/woff2"
