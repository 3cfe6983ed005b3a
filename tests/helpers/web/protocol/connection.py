"""A connected client: everything that a server says to it is held against the model when it is sent."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from helpers.web.fitting import spoken

from .course import Course
from .judge import Judge, Person, Sent
from .rules import OVERTAKEN, REUSED, UNCHANGED, UNKNOWN, WATCHING, State
from .servers import Server, Socket
from .views import find_version, seen_sfens, wrong_events

Fields = Mapping[str, Any]

FAR_BEHIND = 6
"""The server's own limit is lowered to this: who missed more events gets the whole state."""


@dataclass(eq=False)
class Due:
    """An answer that is due: to a ``hello`` for that game, to a command, or to any other message.

    Attributes:
        since: the version that the server must know at least. ``faults``: of the server until the message was sent.
    """

    message: Fields
    since: int
    faults: int
    course: Course | None = None
    sent: Sent | None = None


class Connection:
    """A WebSocket of a person.

    Attributes:
        course: the game that the server says it is about, and ``token``: with which it was shown.
        seq: the last event sent here, ``known``: the version that the last message showed.
        client_seq: the last event the client knows: less where messages are on their way, or were lost.
        held: what is on its way while the line is slow.
    """

    def __init__(self, judge: Judge, person: Person, server: Server, name: str) -> None:
        self._judge, self.person, self.server, self.name = judge, person, server, name
        self.course: Course | None = None
        self.token: str | None = None
        self.next_course: Course | None = None  # of the last hello
        self.next_token: str | None = None
        self.seq = self.known = 0
        self.client_seq: int | None = None
        self.client_course: Course | None = None
        self.due: deque[Due] = deque()
        self.held: list[Callable[[], None]] | None = None
        self.presence: tuple[Fields, int] | None = None  # and the version when it came
        self.open = True
        self._socket: Socket = server.connect(self._hear, self._closed)

    @property
    def state(self) -> State:
        """The latest state of the game for which the client has said hello."""
        assert self.next_course is not None
        return self.next_course.now

    # --- What the client does ---

    def hello(self, course: Course | None, token: str | None, seq: int | None = None, shown: str | None = None) -> None:
        """Say hello for a game; ``None``: one that does not exist. ``shown``: a profile's token for the same seat, in
        place of its own."""
        self.next_course, self.next_token = course, token
        self._since = 0 if course is None else course.latest
        self.say({"t": "hello", "game": course.id if course else "nothing", "seq": seq, "token": shown or token})

    def say(self, message: Fields | str | bytes) -> None:
        """Send a message."""
        text = message if isinstance(message, (str, bytes)) else json.dumps(message)
        fields = message if isinstance(message, Mapping) else {"t": "noise"}
        self._judge.note(f"{self.name} ({self.person.name}, {self.server.name}) → {text!r:.150}")
        self._judge.steps += 1
        course, faults = self.next_course, self.server.line.faults
        since = self.known if course is self.course else self._since
        sent = None
        if "id" in fields and course is not None:
            sent = Sent(self.person, course, self.next_token, fields, self.server.line, since, faults)
            self._judge.open.append(sent)
            self._judge.sent.append(sent)
        self.due.append(Due(fields, since, faults, course if fields["t"] == "hello" else None, sent))
        self._socket.say(text)

    def cut(self, lose: bool = False) -> None:
        """Lose the connection, with what is on its way to the client, and perhaps with what is to the server."""
        self._judge.note(f"{self.name} is cut")
        if self.open:
            self._socket.cut(lose)
        self.open, self.held = False, None

    def release(self) -> None:
        """Let everything on its way arrive."""
        arriving, self.held = self.held or [], None
        for arrive in arriving:
            arrive()

    # --- What the server says ---

    def _closed(self, code: int) -> None:
        self._judge.note(f"{self.name} is closed with {code}")
        self.open, self.held = False, None
        asked = self.due[0] if self.due else None
        unread = asked is not None and asked.message["t"] == "hello" and self.server.line.faults > asked.faults
        if code != 1012 and not (code == 1013 and unread):
            self._judge.fault(f"{self.name} was closed with {code}")

    def _hear(self, text: str) -> None:
        if not self.server.up:
            return
        said = json.loads(text)
        self._judge.note(f"{self.name} ({self.person.name}, {self.server.name}) ← {text:.120}")
        for secret in self._judge.secrets:
            if secret in text:
                self._judge.fault(f"{self.name} was sent a secret: {text}")
        try:
            spoken(text)
            wrong = self._judged(said)
        except AssertionError as error:
            wrong = str(error)
        if wrong:
            self._judge.fault(f"{self.name} ({self.person.name} at {self.server.name}) was sent {text:.300}: {wrong}")

    def _arrive(self, arrive: Callable[[], None]) -> None:
        if self.held is None:
            arrive()
        else:
            self.held.append(arrive)

    def _judged(self, said: Fields) -> str | None:
        """The defect of a message, in words."""
        kind, first = said["t"], self.due[0] if self.due else None
        if kind == "presence":
            self.presence = said, 0 if self.course is None else self.course.latest
            return None
        if kind in ("state", "events"):
            answers = (
                first is not None
                and first.message["t"] == "hello"
                and (kind == "state" or (self.course is None and first.message["seq"] is not None))
            )
            return self._shown(said, self.due.popleft() if answers else None)
        if first is None:
            failed = kind == "error" and self.server.line.faults
            return None if failed else "it answers nothing"  # an error to all: the computer cannot move
        if kind == "error" and first.sent is not None and self.course is not None:
            return None if self.server.line.faults else "it answers nothing"
        self.due.popleft()
        return self._answered(said, first)

    def _shown(self, said: Fields, due: Due | None) -> str | None:
        """Judge ``state`` and ``events``, which answer a hello, or not."""
        if due is not None:
            course, token, low, after = due.course, self.next_token, due.since, due.message["seq"]
        else:
            course, token, low, after = self.course, self.token, self.known, self.seq
        if course is None:
            return "there is no such game"
        if due is None and said["t"] == "state" and said["seq"] - self.seq <= FAR_BEHIND:
            return "nobody has asked for that"
        if said["t"] == "events":
            wrong = wrong_events(said["events"], course, after, said["seq"])
            if wrong:
                return wrong
        version, wrong = find_version(course, low, said, token, self._judge.loop.time())
        if version is None:
            return wrong
        self.course, self.token, self.known, self.seq = course, token, version, said["seq"]
        if said["t"] == "state":
            self.presence = said["presence"], version
        self._arrive(lambda: self._learn(course, said["seq"]))
        return None

    def _learn(self, course: Course, seq: int) -> None:
        self.client_course, self.client_seq = course, seq

    def _answered(self, said: Fields, due: Due) -> str | None:
        kind, asked = said["t"], due.message["t"]
        failed = self.server.line.faults > due.faults
        if kind == "error" and asked == "hello":
            self.course = None
            missing = due.course is None and said["reason"].startswith("There is no game of that name")
            return None if missing or failed else "nothing was wrong with it"
        if kind == "error" and asked == "noise":
            return None
        if kind == "error" and self.course is None:
            if due.sent is not None:
                self._close(due.sent, "error")
            return None if said["reason"].startswith("Send hello first") else "it should say that there is no game yet"
        if due.sent is not None:
            return self._command_answered(said, due.sent, failed)
        if kind == {"ping": "pong"}.get(asked):
            return None
        assert self.course is not None
        if asked == "explain":
            return None if kind == "explanation" and said["about"] == due.message["text"] else "no explanation"
        window = self.course.versions[due.since :]
        if asked == "look":
            there = seen_sfens(self.course, due.since, due.message["moves"])
            if kind == "seen":
                return None if said["position"]["sfen"] in there else "that is another position"
            few = any(len(state.moves) < due.message["moves"] for state in window)
            return None if kind == "error" and few else "there is that position"
        if asked == "study":
            hidden = any(state.apart and state.outcome is None for state in window)
            shown = any(not state.apart or state.outcome is not None for state in window)
            solved = self.course.terms.variant == "nana"
            if kind == "study":
                seqs = {state.seq for state in window}
                return None if solved and shown and said["seq"] in seqs else "that should be hidden"
            return None if kind == "error" and (hidden or not solved) else "the values should be shown"
        return f"it answers {asked}"

    def _close(self, sent: Sent, answer: str) -> None:
        sent.answer = answer
        if answer != "doubt" and sent in self._judge.open:
            self._judge.open.remove(sent)

        def hear() -> None:
            sent.heard = True

        self._arrive(hear)

    def _command_answered(self, said: Fields, sent: Sent, failed: bool) -> str | None:
        kind, command, course = said["t"], sent.command, sent.course
        if kind not in ("ack", "refused", "doubt") or said["id"] != command["id"]:
            return f"the answer to {command} is due"
        self._close(sent, kind)
        done = course.done.get((sent.sides, command["id"]))
        if kind == "doubt":
            return None if failed and said["reason"].startswith(UNKNOWN) else "nothing has failed"
        if kind == "ack":
            if done != (command, said["seq"]):
                return f"the command is not what was done: {done}"
            return None if said["seq"] <= self.seq else "its event has not been announced"
        window, reason = course.versions[sent.since :], said["reason"]
        if done is not None and done[0] != command:
            if reason.startswith(REUSED):
                return None
            done = None
        if done is not None and not reason.startswith(WATCHING) and done[1] <= self.seq:
            return f"the command was done by event {done[1]}"
        if reason.startswith(UNCHANGED):
            return None if failed else "nothing has failed"
        if reason.startswith(OVERTAKEN):
            return None if len(window) > 1 else "nothing else has happened"
        why = [word for state in window for word in state.refusals(state.sides(sent.token), command)]
        return None if any(reason.startswith(word) for word in why) else f"it should say one of {why}"
