"""``komadai export-site``: a static folder that plays in the browser without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .files import Force, Use, refused
from .options import err


def export_site(
    folder: Annotated[
        Path,
        typer.Argument(
            help="A new or empty folder, or that of a former export, which is gone on with, or with --force brought "
            "up to date.",
        ),
        Use.FOLDER,
    ],
    core: Annotated[
        Path | None,
        typer.Option(
            help="The core built for Pyodide; otherwise pip takes it.", metavar="FILE", dir_okay=False, exists=True
        ),
        Use.READS,
    ] = None,
    pyodide: Annotated[
        Path | None,
        typer.Option(
            help="A folder with the npm package pyodide; otherwise npm takes it.",
            metavar="DIR",
            file_okay=False,
            exists=True,
        ),
        Use.READS,
    ] = None,
    force: Force = False,
) -> None:
    """Write Komadai as a folder for any web host: it plays all games with the engine in the browser, offline, too."""
    from ..site.export import export
    from ..site.export.folder import Folder
    from ..site.export.running import megabytes

    if Folder.at(folder).finished and not force:
        raise refused("FOLDER", folder, "holds an export already; --force brings it up to date")
    made = export(folder, core=core, pyodide=pyodide, say=lambda line: err.print(line, markup=False, highlight=False))
    for name, size in made.sizes.items():
        print(f"{megabytes(size):>8}  {name}")
    first = sum(made.sizes.values())
    print(f"{megabytes(first):>8}  a first visit; {megabytes(made.on_demand)} more on demand")
    print(f"{folder}: version {made.version}, ready for any web host")
