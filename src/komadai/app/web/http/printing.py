"""The page from which a browser prints a game: its board, pieces and a rule sheet."""

from __future__ import annotations

from functools import partial
from html import escape
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from ....i18n import _
from ....picture import Look
from ....variants import build, entry
from ...printing import PAPERS, STYLES, document, paper_of
from ..engines.work_queue import WorkQueue
from .operations import OPTIONS, Query, operation
from .responses import payer, refusing
from .templates import root_of, static_of

_ADDRESS = "/print.css"
_HEAD = '<link rel="icon" href="{static}/img/icon.svg"><script type="module" src="{static}/js/pages/print.js"></script>'
_PAPER = Query("paper", str, f"The size of the paper: {' or '.join(PAPERS)}; A4 if left out.")
_WRITING = Query("pieces", str, "What is written on the pieces: `letters`; otherwise kanji.")


class Printing:
    """The HTTP interface for printing."""

    def __init__(self, queue: WorkQueue) -> None:
        self._queue = queue

    @operation("GET", "/print/{variant}", ("text/html",), query=(_PAPER, _WRITING, OPTIONS), refuses=(429,))
    async def pages(self, request: Request) -> Response:
        """The pages to be printed, as HTML."""
        name, options = request.path_params["variant"], dict(request.query_params)
        entry(name)
        paper, pieces = options.pop("paper", "a4"), options.pop("pieces", "kanji")
        with refusing(422, _("The game could not be printed")):
            work = partial(_pages, name, options, paper, pieces, root_of(request), alone=request.state.alone)
            return HTMLResponse(await self._queue.run(payer(request), work))

    @operation("GET", _ADDRESS, ("text/css",))
    def styles(self, _request: Request) -> Response:
        """The style sheet of the pages to be printed."""
        return Response(STYLES.read_bytes(), media_type="text/css")


def _pages(name: str, options: dict[str, str], paper: str, pieces: str, root: str, *, alone: bool) -> str:
    return document(
        build(name, **options),
        paper_of(paper),
        Look(letters=pieces == "letters"),
        styles=root + _ADDRESS,
        head=_HEAD.format(static=static_of(root, alone)),
        tools=_tools(name, options, paper, pieces, root),
    )


def _tools(name: str, options: dict[str, str], paper: str, pieces: str, root: str) -> str:
    """Links to the same with other paper and writing, and the button that prints."""

    def link(words: str, **changed: str) -> str:
        asked = {"paper": paper, "pieces": pieces, **changed}
        here = ' aria-current="true"' if asked == {"paper": paper, "pieces": pieces} else ""
        return f'<a href="{root}/print/{name}?{escape(urlencode({**asked, **options}))}"{here}>{escape(words)}</a>'

    links = [link(one.title, paper=one.name) for one in PAPERS.values()]
    links += [link(_("Kanji"), pieces="kanji"), link(_("Letters"), pieces="letters")]
    printing, rules = escape(_("Print")), escape(_("Rules"))
    back = f'<a href="{root}/rules/{name}?{escape(urlencode(options))}">{rules}</a>'
    return f'<p class="row"><button type="button" id="print">{printing}</button> {" ".join(links)} {back}</p>'
