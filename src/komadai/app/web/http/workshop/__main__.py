"""The child process of :mod:`.sandbox`: questions on standard input, answers on standard output.

Each question has so many seconds of the processor (the second argument), and all of them so much memory (the first, in
MiB): the system ends whoever takes more.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from typing import BinaryIO

import msgspec

from .....errors import KomadaiError
from .....i18n import sentence
from ....engine_service.process_limits import limit_process, limit_processor
from .answers import answer
from .messages import MAX_LINE, OUT_OF_MEMORY, Ask, WorkshopAnswer

log = logging.getLogger(__name__)


def serve(questions: BinaryIO, answers: BinaryIO, seconds: int) -> None:
    """Answer until the input ends."""
    while line := questions.readline(MAX_LINE):
        limit_processor(seconds)
        began = time.process_time()
        try:
            said = WorkshopAnswer(msgspec.Raw(answer(msgspec.json.decode(line, type=Ask))))
        except KomadaiError as error:
            said = WorkshopAnswer(refused=sentence(error))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)
        said.seconds = time.process_time() - began
        answers.write(msgspec.json.encode(said) + b"\n")
        answers.flush()


def main() -> None:
    """Serve on the standard streams."""
    limit_process(int(sys.argv[1]))
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # nothing else is written among the answers
    try:
        serve(sys.stdin.buffer, answers, int(sys.argv[2]))
    except (OSError, KeyboardInterrupt):
        os._exit(0)  # nobody reads
    except Exception:
        log.exception("a question about a variant file failed")
        os._exit(1)


if __name__ == "__main__":
    main()
