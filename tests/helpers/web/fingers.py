"""Fingers on the screen of a page, as the browser itself feels them."""

from __future__ import annotations

from typing import Any

Place = tuple[float, float]


class Fingers:
    """The fingers that touch a page, which must be of a context with ``has_touch``."""

    def __init__(self, page: Any) -> None:
        self._line = page.context.new_cdp_session(page)

    def _send(self, kind: str, places: tuple[Place, ...]) -> None:
        points = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(places)]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def press(self, *places: Place) -> None:
        self._send("touchStart", places)

    def move(self, *places: Place) -> None:
        self._send("touchMove", places)

    def lift(self) -> None:
        self._send("touchEnd", ())

    def cancel(self) -> None:
        self._send("touchCancel", ())

    def drag(self, start: Place, end: Place, steps: int = 6) -> None:
        """Press one place and go to another, without lifting the finger there."""
        self.press(start)
        for step in range(1, steps + 1):
            part = step / steps
            self.move((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))

    def sweep(self, start: Place, end: Place, steps: int = 6) -> None:
        """Press one place, go to another and lift the finger there."""
        self.drag(start, end, steps)
        self.lift()

    def spread(self, x: float, y: float, *apart: float) -> None:
        """Two fingers at both sides of a place go apart, from the first of these distances to the last."""
        self.press((x - apart[0], y), (x + apart[0], y))
        for by in apart[1:]:
            self.move((x - by, y), (x + by, y))
        self.lift()


def drag(page: Any, start: Place, end: Place, button: str = "left") -> None:
    """Drag with the mouse."""
    page.mouse.move(*start)
    page.mouse.down(button=button)
    page.mouse.move(*end, steps=4)
    page.mouse.up(button=button)


def middle(page: Any, selector: str) -> Place:
    """The middle of an element on the page."""
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
