"""Questions that are asked over a screen."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static


class Question(ModalScreen[bool]):
    """A question to be answered with yes or no; keys ``y`` and ``n``, Escape is no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes", show=False),
        Binding("n,escape,backspace", "dismiss(False)", "No", show=False),
    ]

    def __init__(self, words: str, yes: str, no: str, *, grave: bool = True) -> None:
        """``yes`` and ``no``: the answers in words; Enter alone is no where it would be ``grave``."""
        super().__init__()
        self._words, self._answers, self._grave = words, (yes, no), grave

    def compose(self) -> ComposeResult:
        yes, no = self._answers
        with Vertical(id="question"):
            yield Static(self._words, markup=False)
            yield OptionList(f"y  {yes}", f"n  {no}", compact=True)

    def on_mount(self) -> None:
        """Begin at the answer that does no harm."""
        self.query_one(OptionList).highlighted = int(self._grave)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index == 0)
