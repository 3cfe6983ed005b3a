"""The child process of :class:`.child.ChildBackend`: requests on standard input, answers on standard output."""

from __future__ import annotations

import logging
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import BinaryIO

import msgspec

from ...errors import KomadaiError
from .messages import MAX_LINE, Answer, Failure, Report, SearchRequest, StopRequest, decode_request, encode
from .process_limits import limit_process
from .responder import Responder

log = logging.getLogger(__name__)

_OUT_OF_MEMORY = 3  # the exit status


class Child:
    """Reads requests and writes answers until the input ends."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests, self._answers = requests, answers
        self._writing = Lock()
        self._responder = Responder()

    def run(self) -> None:
        """Serve until the input ends; a search under way is abandoned."""
        with ThreadPoolExecutor(1) as searching:
            while line := self._requests.readline(MAX_LINE):
                match decode_request(line):
                    case SearchRequest() as request:
                        searching.submit(self._search, request)
                    case StopRequest(id=id):
                        self._responder.stop(id)
            os._exit(0)  # without waiting for a search

    def _search(self, request: SearchRequest) -> None:
        def reported(report: Report) -> None:
            self._write(report)

        try:
            answer: Answer = self._responder.answer(request, reported)
        except KomadaiError as error:
            answer = Failure(request.id, str(error))
        except MemoryError:
            os._exit(_OUT_OF_MEMORY)
        except Exception:
            log.exception("a search failed")
            os._exit(1)
        self._write(answer)

    def _write(self, answer: Answer) -> None:
        try:
            with self._writing:
                self._answers.write(encode(answer))
                self._answers.flush()
        except OSError:
            os._exit(0)  # nobody reads


def main() -> None:
    """Serve on the standard streams; the argument is the memory limit in MiB."""
    limit_process(int(sys.argv[1]))
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing else is written among the answers
    try:
        Child(sys.stdin.buffer, answers).run()
    except (msgspec.MsgspecError, KeyboardInterrupt):
        os._exit(2)


if __name__ == "__main__":
    main()
