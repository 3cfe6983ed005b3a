"""A name of any length, width and script leaves the clock, the board and the hands in sight, wherever it stands."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.web.browsing import paste
from helpers.web.meeting import Meeting
from helpers.web.screens import sit
from helpers.web.served import TOKENS, Server
from helpers.web.steps import click_until, visit

NAMES = ("W" * 40, "将棋" * 20, "سلام" * 10, "Z\u0335\u0327\u031b" * 10)
SIZES = ((1280, 800), (820, 1180), (390, 844), (320, 568), (844, 390))

_COVERED = """() => {
  const found = [], boxes = [];
  const beside = ["plate", "clock", "tray"].flatMap((part) => [`#${part}-far`, `#${part}-near`]);
  for (const name of [...beside, "#board .wood"]) {
    const part = document.querySelector(name), box = part?.getBoundingClientRect();
    if (!box?.width) continue;
    if (part.scrollWidth > part.clientWidth + 1) found.push(`${name} is too narrow for what is in it`);
    for (const [other, at] of boxes)
      if (box.left < at.right - 1 && at.left < box.right - 1 && box.top < at.bottom - 1 && at.top < box.bottom - 1)
        found.push(`${name} lies upon ${other}`);
    boxes.push([name, box]);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth} pixels wide`);
  return found;
}"""


def faults(page: Any, what: str) -> list[str]:
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{what} at {width}×{height}: {fault}" for fault in page.evaluate(_COVERED)]
    return found


@pytest.mark.parametrize("variant", ["shogi", "hand", "ko"])
def test_no_name_covers_anything_beside_the_board(page: Any, server: Server, variant: str) -> None:
    found = []
    for name in NAMES:
        meeting = Meeting(server, variant, time="10m 3x30s", name=name)
        assert meeting.accept(name).status_code == 200, name
        TOKENS[meeting.game] = meeting.tokens["b"]
        with meeting.client("w") as other:
            sit(page, server, meeting.game)
            assert other.command("greet", what="hello")["t"] == "ack"
            page.locator("#notice", has_text=name).wait_for()
            found += faults(page, f"{name} is here")
        page.locator("#plate-far", has_text="(away)").wait_for()
        assert page.locator("#plate-far .name").get_attribute("title") == name
        found += faults(page, f"{name} is away")
    assert not found, "\n".join(found)


def test_no_name_is_wider_than_the_other_pages(page: Any, server: Server) -> None:
    found = []
    for name in NAMES:
        meeting = Meeting(server, "shogi", time="3d", name=name)
        visit(page, server, f"/join#{meeting.invite}", "#asks", has_text=name)
        found += faults(page, f"invited by {name}")
        assert meeting.accept(name).status_code == 200
        TOKENS[meeting.game] = meeting.tokens["b"]
        sit(page, server, meeting.game)
        for path, place in (("/", "#games li"), ("/games", ".played")):
            visit(page, server, path, place, has_text=name)
            found += faults(page, f"{path} with {name}")
    assert not found, "\n".join(found)


def test_no_name_of_a_record_covers_anything(page: Any, server: Server) -> None:
    found = []
    for name in (*NAMES, "W" * 300):
        paste(page, server, f"先手：{name}\n後手：{name}\n手数----指手---------消費時間--\n   1 ７六歩(77)\n")
        page.locator("#plate-far", has_text=name).wait_for()
        found += faults(page, f"a study with {name}")
        click_until(page, "#open", "#drafts a", has_text=name)
        found += faults(page, f"the list of studies with {name}")
    assert not found, "\n".join(found)
