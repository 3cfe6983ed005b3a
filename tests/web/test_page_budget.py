"""What pages may cost: bytes over the line. Times are measured by bench/page.py."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from served import Server
from support import in_a_loop

from komadai.web.app import bind

LARGEST = 400_000
"""Bytes that the page of a game may take from an empty cache to the board, headers and messages included."""


def test_the_page_of_the_largest_game_keeps_its_budget(page: Any, server: Server) -> None:
    came: list[int] = []
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", lambda event: came.append(int(event["encodedDataLength"])))
    line.on("Network.webSocketFrameReceived", lambda event: came.append(len(event["response"]["payloadData"].encode())))
    page.goto(server.page(server.game("ko")))
    page.locator("#board .slot").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert max(came) > 50_000, "the game has come"
    assert sum(came) < LARGEST


def test_the_loupe_copies_the_board_only_while_it_is_open(page: Any, server: Server) -> None:
    page.goto(server.page(server.game("ko")))
    page.locator("#board .slot").first.wait_for()
    assert page.locator(".loupe use").count() == 1
    assert page.locator(".loupe use[href]").count() == 0


def test_small_messages_do_not_wait_for_each_other() -> None:
    async def work() -> None:
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

    in_a_loop(work())
