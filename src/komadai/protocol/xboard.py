"""The Chess Engine Communication Protocol, version 2, of XBoard and WinBoard.

The first player is "white" here, which is our Black. Moves and positions are those of :class:`XboardView`; a game that
XBoard does not know is described by ``setup`` and ``piece`` when it is chosen, and ``highlight`` lists where
a piece that has been picked up may go. A turn of several landings and shots is one ``move`` line for each leg, all but
the last ending in a comma. Every line that is not understood is answered with ``Error``.

Handlers run in the thread of the loop, and search results are handled in the search's thread; both hold the lock
while they read or change the game, and neither waits for the other while it holds it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator

from .. import __version__
from ..engine import BALANCED, STYLES, Info
from ..errors import KomadaiError, NotationError
from ..game.outcome import Outcome
from ..game.position import Position
from ..notation.xboard import XboardView
from ..spec.board import Side, other
from ..spec.move import Move
from ..spec.numbers import whole_number
from ..variants import build, entry, names, standard, suggest
from . import own_book
from .session import EVAL_FILE, SPINS, STYLE, VARIANT_PATH, GoLimits, Session, rule_options
from .xboard_pace import Pace

_HINT = 0.2  # seconds for a hint
_MATE = 100_000  # thinking output adds the distance to mate in moves to this
_SPINS = {"Level": "level", "MultiPV": "multipv"}
_BOOK = {"OwnBook": own_book.OWN_BOOK, "BookFile": own_book.BOOK_FILE, "BestBookMove": own_book.BEST_MOVE}
_FEATURES = (
    "ping=1 setboard=1 usermove=1 playother=1 san=0 time=1 draw=1 reuse=1 analyze=1",
    "colors=0 name=0 ics=0 pause=0 nps=0 sigint=0 sigterm=0 debug=1 memory=1 smp=1 exclude=1 highlight=1",
)
_IGNORED = ("xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "egtpath", "hover")
_MOVE = re.compile(r"\+?[A-Z]['!]?@[a-y][0-9]+|[a-y][0-9]+[a-y][0-9]+\S{0,400}|@@@@")
_COLOURS = re.compile(r"\b(Black|White)\b")


def _theirs(text: str) -> str:
    """Words of ours with the players' colours as they are called here."""
    return _COLOURS.sub(lambda found: "White" if found[1] == "Black" else "Black", text)


class XboardDialect:
    """Answers CECP commands."""

    def __init__(self, session: Session, write: Callable[[str], None]) -> None:
        self.session = session
        self.write = write
        self._lock = threading.Lock()
        self._mine: Side | None = "w"  # the side it plays, if any
        self._thinking = False  # the engine is to move
        self._analysing = False
        self._guess: tuple[Move, str] | None = None  # the reply it ponders on, and how that is written
        self._pongs: list[str] = []  # to be sent once it has moved
        self._post = self._ponders = False
        self._pace = Pace()
        self._info: Info | None = None  # the result of the last search
        self._begin()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "protover": self._hello,
            "new": self._new,
            "variant": self._variant,
            "setboard": self._set_board,
            "force": self._force,
            "go": self._go,
            "playother": self._play_other,
            "level": self._pace.read_level,
            "st": self._pace.read_seconds,
            "sd": self._pace.read_depth,
            "time": self._pace.read_clock,
            "otim": lambda words: None,
            "usermove": self._user_move,
            "?": self._move_now,
            "ping": self._ping,
            "draw": self._draw,
            "result": self._force,
            "undo": lambda words: self._take_back(1),
            "remove": lambda words: self._take_back(2),
            "hint": self._hint,
            "bk": self._book,
            "hard": lambda words: self._switch(ponders=True),
            "easy": lambda words: self._switch(ponders=False),
            "post": lambda words: self._switch(post=True),
            "nopost": lambda words: self._switch(post=False),
            "analyze": self._analyse,
            "exit": self._exit,
            ".": self._status,
            "memory": lambda words: self._set_number("hash", words),
            "cores": lambda words: self._set_number("threads", words),
            "option": self._option,
            "lift": self._lift,
            "put": self._put,
            "exclude": lambda words: self._restrict(words, excluded=True),
            "include": lambda words: self._restrict(words, excluded=False),
            **dict.fromkeys(_IGNORED, lambda words: None),
        }

    # --- The loop's side ---

    def handle(self, line: str) -> bool:
        """Answer one line; ``False`` after ``quit``."""
        command, *words = line.split() or [""]
        if command == "quit":
            self._halt()
            return False
        answer = self._commands.get(command)
        if answer is None and _MOVE.fullmatch(command):
            answer, words = self._user_move, [command]
        try:
            if answer is None:
                self.write(f"Error (unknown command): {command[:40]}")
            else:
                answer(words)
        except (KomadaiError, MemoryError) as error:
            why = str(error) or "there is not enough memory for that"
            self.write(f"Error ({why}): {command}")
        return True

    def remark(self, text: str) -> None:
        """Write a line that programs pass over and people read."""
        self.write(f"# {text}")

    def finish(self) -> None:
        """The input has ended: stop what is in progress, and wait for its answer."""
        self.session.stop()
        self._halt()

    # --- The game ---

    @property
    def _position(self) -> Position:
        return self.session.position

    def _begin(self) -> None:
        """The session has another position, which no move has led to."""
        self._view = XboardView(self._position.variant)
        self._ended: Outcome | None = None
        self._fresh()

    def _fresh(self) -> None:
        """The position is another than before."""
        self._excluded: set[Move] = set()
        self._lifted: list[int] = []

    def _halt(self) -> None:
        """End whatever the engine does, without an answer."""
        self.session.stop(answer=False)
        with self._lock:
            self._rest()

    def _rest(self) -> None:
        """It thinks no more."""
        self._thinking, self._guess = False, None
        for number in self._pongs:
            self.write(f"pong {number}")
        self._pongs.clear()

    def _push(self, move: Move) -> None:
        self._view.follow(self._position, move)
        self._position.push(move)
        self._fresh()

    def _claim(self) -> bool:
        """True if the game is over; reports the result once, except in force mode and analysis."""
        outcome = self._ended or self._position.outcome()
        if outcome is not None and self._ended is None and self._mine is not None:
            self._end(outcome)
        return outcome is not None

    def _end(self, outcome: Outcome) -> None:
        self._ended = outcome
        result = {"b": "1-0", "w": "0-1", None: "1/2-1/2"}[outcome.winner]
        self.write(f"{result} {{{_theirs(str(outcome))}}}")

    # --- Searching ---

    def _chosen(self) -> tuple[Move, ...]:
        if not self._excluded:
            return ()
        return tuple(move for move in self._position.legal_moves() if move not in self._excluded)

    def _think(self) -> None:
        """Search for a move to play; nothing else may be in progress."""
        self._thinking = True
        limits = self._pace.limits(self._position.ply, self._chosen())
        self.session.start(limits, self._reporter(), self._done)

    def _resume(self) -> None:
        """Do what is to be done in the position there is now."""
        if self._analysing:
            if not self.session.refused and self._position.outcome() is None:
                self.session.start(GoLimits(searchmoves=self._chosen()), self._reporter(), lambda info: None)
        elif not self._claim() and self._position.turn == self._mine:
            self._think()

    def _reporter(self, position: Position | None = None, view: XboardView | None = None) -> Callable[[Info], None]:
        """A callback that prints search output for a position, by default the present one."""
        position, view = (position or self._position).copy(), (view or self._view).twin()
        lines = self.session.number("multipv")

        def report(info: Info) -> None:
            self._info = info
            if not (self._post or self._analysing):
                return
            if info.book is not None:
                self.write(f"0 {info.score} 0 0 {view.line(position, info.pv)} (book: {own_book.words(info.book)})")
                return
            for line in info.multipv[:lines]:
                score = line.score
                if line.mate is not None:
                    moves = (abs(line.mate) + 1) // 2
                    score = _MATE + moves if line.mate > 0 else -_MATE - moves
                self.write(
                    f"{info.depth} {score} {round(info.seconds * 100)} {info.nodes} {view.line(position, line.pv)}"
                )

        return report

    def _done(self, info: Info) -> None:
        """The search for a move is over; called in its thread."""
        with self._lock:
            if not self._thinking:  # pondering on a move that was not played
                return
            self._info = info
            if (declared := self._position.declaration()) is not None and declared.winner == self._mine:
                self._end(declared)
            if self._ended is not None or info.move is None:
                self._claim()
                self._rest()
                return
            for step in self._view.steps(self._position, info.move):
                self.write(f"move {step}")
            self._push(info.move)
            self._rest()
            if not self._claim() and self._ponders and info.ponder is not None:
                self._ponder(info.ponder)

    def _ponder(self, guess: Move) -> None:
        """Think on as if the opponent had made that move."""
        position, view = self._position.copy(), self._view.twin()
        text = view.write_move(position, guess)
        view.follow(position, guess)
        position.push(guess)
        if position.outcome() is None:
            self._guess = guess, text
            limits = self._pace.limits(position.ply, ponder=True)
            self.session.start(limits, self._reporter(position, view), self._done, position)

    # --- Commands: features and options ---

    def _hello(self, words: list[str]) -> None:
        for features in _FEATURES:
            self.write(f"feature {features}")
        self.write(f'feature myname="Komadai {__version__}"')
        showable = [name for name in names(shelf=True) if XboardView(build(name)).showable]
        self.write(f'feature variants="{",".join(sorted(showable, key=lambda name: name != standard()))}"')
        for name, key in _SPINS.items():
            spin = SPINS[key]
            self.write(f'feature option="{name} -spin {self.session.number(key)} {spin.least} {spin.most}"')
        for name, key in _BOOK.items():
            self.write(f'feature option="{name} {"-check 0" if key in own_book.SWITCHES else "-file "}"')
        for name in (VARIANT_PATH, EVAL_FILE):
            self.write(f'feature option="{name} -file "')
        styles = " /// ".join(f"*{style}" if style == BALANCED else style for style in STYLES)
        self.write(f'feature option="{STYLE} -combo {styles}"')
        for option in rule_options().values():
            values = " /// ".join(f"*{value}" if value == option.default else value for value in option.values)
            what = f"-string {option.default}" if option.sizes else f"-combo {values}"
            self.write(f'feature option="{option.name} {what}"')
        self.write("feature done=1")

    def _option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).partition("=")
        known = (*_SPINS, *_BOOK, VARIANT_PATH, EVAL_FILE, STYLE, *rule_options())
        if name not in known:
            raise NotationError(f"option {name[:40]!r}", [suggest(name[:40], known)])
        self._halt()
        before = self._position
        self.session.set_option({**_SPINS, **_BOOK}.get(name, name), value, name)
        if self._position is not before:
            self._begin()

    def _set_number(self, name: str, words: list[str]) -> None:
        number = whole_number("".join(words), 0, 10**9)
        if number is None:
            raise NotationError("number", [f"{' '.join(words)[:20]!r} is none"])
        self._halt()
        spin = SPINS[name]
        self.session.set_option(name, str(min(max(number, spin.least), spin.most)))

    def _switch(self, *, ponders: bool | None = None, post: bool | None = None) -> None:
        self._ponders = self._ponders if ponders is None else ponders
        self._post = self._post if post is None else post
        if ponders is False and self._guess is not None:
            self._halt()

    # --- Commands: the game ---

    def _new(self, words: list[str]) -> None:
        self._halt()
        if self.session.refused:
            self.session.set_variant(self.session.variant)  # XBoard names the game anew behind this word
        self.session.new_game()
        self._begin()
        self._mine = None if self._analysing else "w"
        self._pace.begin()
        self._info = None
        if self._analysing:
            self._resume()

    def _variant(self, words: list[str]) -> None:
        self._halt()
        self.session.set_variant(" ".join(words))
        self._begin()
        if not entry(self.session.variant).standard:  # which XBoard knows
            for line in self._view.setup():
                self.write(line)

    def _set_board(self, words: list[str]) -> None:
        self._halt()
        view = XboardView(self._position.variant)
        try:
            self.session.set_position(view.read(" ".join(words)))
        except KomadaiError as error:
            self.session.refuse()
            self.write(f"tellusererror Illegal position: {_theirs(str(error))}")
            return
        self._begin()
        self._view = view
        self._resume_analysis()

    def _resume_analysis(self) -> None:
        if self._analysing:
            self._resume()

    def _force(self, words: list[str]) -> None:
        self._halt()
        self._mine, self._analysing = None, False

    def _go(self, words: list[str]) -> None:
        self._halt()
        self._analysing = False
        if self.session.refused:
            raise NotationError("go", [self.session.refused])
        self._mine = self._position.turn
        self._resume()

    def _play_other(self, words: list[str]) -> None:
        self._halt()
        self._analysing = False
        self._mine = other(self._position.turn)

    def _user_move(self, words: list[str]) -> None:
        text = "".join(words)
        hit = False
        with self._lock:
            why, move, lost = self.session.refused or None, None, False
            if why is None and self._thinking:
                why = "it is the engine's turn"
            elif why is None and (outcome := self._ended or self._position.outcome()):
                why = f"the game is over, {_theirs(str(outcome))}"
            else:
                try:
                    move = None if why else self._view.read_move(self._position, text)
                except KomadaiError as error:
                    why = _theirs(str(error)).removeprefix(f"{text} is not legal: ")
                    lost = self._position.variant.illegal_move_loses
            if move is None:
                self.write(f"Illegal move ({why}): {text[:80]}")
                if lost and self._mine not in (None, self._position.turn):
                    self._end(Outcome(self._mine, "illegal"))
                return
            if self._guess is not None and self._guess[0] == move:
                hit, self._guess, self._thinking = True, None, True
                self._push(move)
        if hit:
            self.session.ponderhit()
            return
        self._halt()
        self._push(move)
        self._resume()

    def _take_back(self, moves: int) -> None:
        self._halt()
        if self.session.refused or moves > self._view.made:
            raise NotationError("undo", ["there is no move to take back"])
        for _ in range(moves):
            self.session.pop()
            self._view.back()
        self._ended = None
        self._fresh()
        self._resume_analysis()

    def _draw(self, words: list[str]) -> None:
        """A draw is agreed to where the rules say when, if the engine does not think itself better."""
        with self._lock:
            score = self._info.score if self._info else 0
            agreed = not self.session.refused and self._position.can_agree_draw() and score <= 0
            if agreed and self._mine is not None:
                self.write("offer draw")

    # --- Commands: thinking ---

    def _move_now(self, words: list[str]) -> None:
        if self._thinking:
            self.session.stop()
            with self._lock:
                self._guess = None  # what it had begun to ponder on has been stopped, too

    def _ping(self, words: list[str]) -> None:
        number = " ".join(words)[:40]
        with self._lock:
            if self._thinking:
                self._pongs.append(number)
            else:
                self.write(f"pong {number}")

    def _analyse(self, words: list[str]) -> None:
        self._halt()
        self._mine, self._analysing = None, True
        self._resume()

    def _exit(self, words: list[str]) -> None:
        self._halt()
        self._analysing = False

    def _status(self, words: list[str]) -> None:
        info = self._info
        if self._analysing and info is not None:
            self.write(f"stat01: {round(info.seconds * 100)} {info.nodes} {info.depth} 0 0")

    def _hint(self, words: list[str]) -> None:
        with self._lock:
            guess, busy = self._guess, self._thinking or self._analysing or self.session.refused
        if guess is not None:
            self.write(f"Hint: {guess[1]}")
        elif not busy and self._position.outcome() is None:
            self._halt()
            position, view = self._position.copy(), self._view.twin()

            def tell(info: Info) -> None:
                if info.move is not None:
                    self.write(f"Hint: {view.write_move(position, info.move)}")

            self.session.start(GoLimits(time=_HINT), None, tell)

    def _book(self, words: list[str]) -> None:
        with self._lock:
            position, view = self._position.copy(), self._view.twin()
        book = self.session.book.of(position.variant)
        moves = book.moves(position) if book is not None else []
        for move in moves:
            self.write(f" {view.write_move(position, move.move)}: {own_book.words(move)}")
        if not moves:
            self.write(" There is no book." if book is None else " The book has no move here.")
        self.write("")

    # --- Commands: the user's board ---

    def _restrict(self, words: list[str], *, excluded: bool) -> None:
        """Leave a move, or all, out of what is searched, or take it in again."""
        text = "".join(words)
        if self.session.refused:
            raise NotationError("exclude" if excluded else "include", [self.session.refused])
        with self._lock:
            legal = self._position.legal_moves()
            moves = set(legal) if text == "all" else {self._view.read_move(self._position, text)}
            self._excluded = self._excluded | moves if excluded else self._excluded - moves
        if self._analysing:
            self._halt()
            if len(self._excluded) < len(legal):
                self._resume()

    def _points(self, words: list[str]) -> Iterator[int]:
        """The square that a click was on; clicks beside the board are on none."""
        try:
            yield self._view.point("".join(words).rstrip(","))
        except NotationError:
            return

    def _lift(self, words: list[str]) -> None:
        with self._lock:
            self._lifted = [] if self.session.refused else list(self._points(words))
            self._show()

    def _put(self, words: list[str]) -> None:
        """Say what the piece may become there, or where it may go on to."""
        with self._lock:
            for point in self._points(words) if self._lifted else ():
                self._lifted.append(point)
                choice = self._view.choice(self._position, self._lifted)
                if choice is not None:
                    self.write(f"choice {choice}")
                self._show()

    def _show(self) -> None:
        if self._lifted and not self._thinking:
            colours = self._view.highlight(self._position, self._lifted)
            if colours is not None:
                self.write(f"highlight {colours}")
