"""Single steps on a page, and waiting for what comes of them."""

from __future__ import annotations

from typing import Any

from helpers.web.served import Server


def wait_until(page: Any, ready: str, state: Any = "visible", **more: Any) -> None:
    """Wait until the first of these elements, with ``has_text`` if given, can be seen or has that state."""
    page.locator(ready, **more).first.wait_for(state=state)


def visit(page: Any, server: Server, path: str, ready: str, **more: Any) -> None:
    """Go to a page of the server; waits as :func:`wait_until` does."""
    page.goto(server.url + path)
    wait_until(page, ready, **more)


def click_until(page: Any, selector: str, ready: str, **more: Any) -> None:
    """Click, and wait for what comes of it."""
    page.locator(selector).click()
    wait_until(page, ready, **more)


def press_until(page: Any, key: str, ready: str, **more: Any) -> None:
    """Press a key, and wait for what comes of it."""
    page.keyboard.press(key)
    wait_until(page, ready, **more)


def reload_until(page: Any, ready: str, **more: Any) -> None:
    """Load the page again, and wait until it is there."""
    page.reload()
    wait_until(page, ready, **more)


def click(page: Any, *selectors: str) -> None:
    """Click one after the other."""
    for selector in selectors:
        page.locator(selector).click()


def press(page: Any, *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def refill(page: Any, text: str) -> None:
    """Enter another text than stands in the text box."""
    page.locator("#text").fill(text)
    page.keyboard.press("Enter")


def typed(page: Any, text: str) -> None:
    """Type a move or a command."""
    page.keyboard.press("/")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
