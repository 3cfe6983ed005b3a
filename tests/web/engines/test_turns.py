"""Whose turn it is to use an engine."""

from __future__ import annotations

import asyncio

from helpers.support import in_a_loop
from komadai.web.engines.rate_limits import is_loopback, network
from komadai.web.engines.turns import Payer, Turns


def test_addresses_take_turns_and_so_do_owners() -> None:
    async def run() -> list[Payer]:
        turns, order = Turns(1), list[Payer]()
        await turns.take(Payer("busy", "o"))

        async def wait(payer: Payer) -> None:
            await turns.take(payer)
            order.append(payer)
            turns.release()

        asked = [Payer("busy", str(number % 2)) for number in range(4)] + [Payer("quiet", "q"), Payer("busy", "late")]
        waiting = [asyncio.create_task(wait(payer)) for payer in asked]
        await asyncio.sleep(0)
        assert turns.waiting
        turns.release()
        await asyncio.gather(*waiting)
        assert not turns.waiting
        return order

    names = ["".join(payer) for payer in in_a_loop(run())]
    assert names == ["quietq", "busy0", "busy1", "busylate", "busy0", "busy1"]


def test_who_no_longer_waits_takes_no_turn() -> None:
    async def run() -> None:
        turns = Turns(1)
        await turns.take(Payer("a"))
        waiting = [asyncio.create_task(turns.take(Payer(name))) for name in "bcd"]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        turns.release()
        waiting[1].cancel()  # its turn has come
        await asyncio.gather(*waiting[1:], return_exceptions=True)
        assert not waiting[2].cancelled()
        turns.release()
        assert not turns.full

    in_a_loop(run())


def test_a_household_is_counted_as_one() -> None:
    assert network("192.0.2.7") == network("::ffff:192.0.2.7") == "192.0.2.7"
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert network("2001:db8:1:3::9") != network("2001:db8:1:2::9")
    assert network("testclient") == "testclient"
    assert [is_loopback(network(host)) for host in ("127.0.0.1", "::1", "192.0.2.7")] == [True, True, False]
