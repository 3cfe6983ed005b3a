"""The web app manifest and its icons, by which browsers install the pages like a program."""

from __future__ import annotations

import json
import re
from contextlib import suppress

from ....errors import NotationError
from ....picture.whole import rasterized
from .static_files import STATIC

MANIFEST = "manifest.webmanifest"
_ICON = STATIC / "img/icon.svg"
_MARGIN = 0.25  # of the picture, around an icon of which a system cuts off the corners, or more
_COLOR = "#2f5d4a"


def _whole(svg: str, margin: float) -> str:
    """The icon in the middle of a square that is filled with the colour of its ground."""
    found = re.search(r'viewBox="(\S+) (\S+) (\S+) (\S+)">', svg)
    assert found is not None  # of our own icon
    x, y, width, height = map(float, found.groups())
    x, y, width, height = x - width * margin / 2, y - height * margin / 2, width * (1 + margin), height * (1 + margin)
    edge = f'viewBox="{x:g} {y:g} {width:g} {height:g}">'
    ground = f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{_COLOR}"/>'
    return svg.replace(found[0], edge + ground)


def drawn() -> dict[str, bytes]:
    """The manifest and the icons, by path below the folder of the home page; where resvg is not installed, they are SVG
    alone."""
    svg = _ICON.read_text(encoding="utf-8")
    files = {"icons/icon.svg": svg.encode(), "icons/maskable.svg": _whole(svg, _MARGIN).encode()}
    with suppress(NotationError):
        files |= {
            "icons/icon-192.png": rasterized(svg, 192),
            "icons/icon-512.png": rasterized(svg, 512),
            "icons/maskable-512.png": rasterized(_whole(svg, _MARGIN), 512),
            "icons/apple-touch-icon.png": rasterized(_whole(svg, 0), 180),
        }
    kinds: list[dict[str, str]] = [
        {"src": "icons/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "icons/maskable.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "maskable"},
        {"src": "icons/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "icons/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "icons/maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    listed = [kind for kind in kinds if kind["src"] in files]
    about = {
        "name": "Komadai",
        "short_name": "Komadai",
        "description": "Shogi and its rarer relatives, with an engine",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f5f0e7",
        "theme_color": _COLOR,
        "icons": listed,
    }
    return files | {MANIFEST: json.dumps(about, indent=2).encode() + b"\n"}
