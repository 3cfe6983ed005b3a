"""Keys, signs, pieces and rules of a game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.table import Table as RichTable
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static

from ...i18n import safely
from ...spec.kinds import Kind
from ...spec.variant import Variant
from ...variants import entry
from ...view.piece_descriptions import rule_words, words
from .diagram import LEGEND as DIAGRAM_LEGEND
from .diagram import diagram
from .marks import LEGEND as MARK_LEGEND
from .words import capital, kind_title

KEYS: tuple[tuple[str, str], ...] = (
    ("arrows", "move the cursor on the board, or in the list while that has the focus"),
    ("Enter, Space", "take up the piece, take the next step; on the piece itself: end the turn here, or put it down"),
    ("Backspace", "undo one step (also the right button of the mouse)"),
    ("Esc", "cancel the move, leave the list, come back from the record"),
    ("Tab, Shift+Tab", "next and previous square that can be chosen"),
    ("d", "take a piece from the hand, again the next one"),
    ("1 to 9", "choose the face, or what the piece becomes"),
    ("m", "list the moves of the piece, or of all pieces, beside the board: arrows and Enter choose there too"),
    ("/", "type a move, as a move string, as the record writes it or in Japanese; or the word declare"),
    ("u", "take back"),
    ("h", "hint: the engine's move"),
    ("g", "guide: what matters most now"),
    ("[ and ]", "go through the record"),
    ("f", "turn the board round"),
    ("k", "kanji or letters"),
    ("j", "moves in Japanese or in the notation of the game"),
    ("r", "resign"),
    ("a", "agree a draw, where the rules offer it"),
    ("e", "declare that your king has entered, where the rules know that"),
    ("n", "next game of a match, or another game with colours changed once one is over"),
    ("q", "leave; games are always kept"),
)


def _rows(rows: Iterable[tuple[str, str]]) -> RichTable:
    """The meaning of each key or sign."""
    table = RichTable.grid(padding=(0, 2))
    for sign, what in rows:
        table.add_row(Text(sign), Text(what))
    return table


_SIGNS = (
    ("v", "in kanji: a piece of the side at the top"),
    ("P p", "in letters: capitals are Black's, small letters White's"),
    ("+", "in letters: a piece that has been turned over; these are underlined, too"),
    *((mark.sign, what) for mark, what in MARK_LEGEND),
    ("", "in narrow cells a sign takes the place of v or +"),
)


def rules_text(variant: Variant) -> str:
    """The game's summary, options and special rules."""
    parts = [variant.summary]
    options = [f"{one.name}: {variant.option(one.name)}\n    {one.help}" for one in entry(variant.id).all_options]
    parts.append("Rule options in force\n" + "\n".join(options))
    rules = list(dict.fromkeys(f"{rule_words(variant, rule)} [{rule.source}]" for rule in variant.rules))
    count = variant.repetition.count
    loses = "; a side that alone gave check throughout loses" if variant.repetition.perpetual_check_loses else ""
    rules.append(f"The position number {count} of its kind ends the game in a draw{loses}.")
    if variant.agreement is not None:
        region = variant.agreement.region.describe()
        rules.append(f"A draw may be agreed once both kings stand on {region} [{variant.agreement.source}]")
    if variant.declaration is not None:
        rules.append(f"A player whose king has entered may declare (key e), by points [{variant.declaration.source}]")
    if variant.match_wins is not None:
        rules.append(f"{variant.match_wins} wins in a row win the match.")
    parts.append("Rules\n" + "\n".join(rules))
    return "\n\n".join([*parts, f"The rules page: {', '.join(variant.sources)}"])


def kind_text(variant: Variant, kind: Kind) -> str:
    """A kind with its diagram and what it does."""
    drawn = "\n".join(diagram(kind, most=7))
    said = "\n".join(f"- {line}" for line in words(variant, kind))
    return f"{kind_title(kind)}\n\n{drawn}\n\n{DIAGRAM_LEGEND}\n\n{said}"


_PLAIN = "This could not be put into words."


class Help(Screen[None]):
    """Topics on the left, what there is to say on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,question_mark,backspace", "dismiss", "Back", show=False),
        Binding("pagedown,space", "page(1)", "On", show=False),
        Binding("pageup", "page(-1)", "Back", show=False),
    ]

    def __init__(self, variant: Variant) -> None:
        super().__init__()
        topics: list[tuple[str, RichTable | str]] = [
            ("Keys", _rows(KEYS)),
            ("Signs", _rows(_SIGNS)),
            ("Rules", safely(_PLAIN, rules_text, variant)),
        ]
        self._variant = variant
        self._topics = topics + [
            (f"{kind.code:<5}{kind.kanji} {capital(kind.name)}", safely(_PLAIN, kind_text, variant, kind))
            for kind in variant.kinds
        ]

    def compose(self) -> ComposeResult:
        yield Static(f"{self._variant.name} · help (arrows choose, Space pages, q goes back)", id="title", markup=False)
        with Horizontal():
            yield OptionList(*(title for title, _ in self._topics), id="topics", compact=True, markup=False)
            with VerticalScroll(can_focus=False):
                yield Static(id="topic", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()

    @on(OptionList.OptionHighlighted)
    def _show(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#topic", Static).update(self._topics[event.option_index][1])
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_page(self, by: int) -> None:
        """Scroll the text by a page."""
        text = self.query_one(VerticalScroll)
        text.scroll_relative(y=by * (text.size.height - 1), animate=False)
