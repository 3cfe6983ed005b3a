"""Sphinx configuration of the documentation; ``make docs`` builds it with warnings as errors."""

from __future__ import annotations

import os
import sys
import tomllib
from pathlib import Path

import komadai

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

_URLS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]

project = "Komadai"
author = "The Komadai developers"
copyright = author  # Sphinx's own name for it
version = release = komadai.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxext.opengraph",
    "komadai_docs",
]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_ext"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "fieldlist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_preprocess_types = False

html_theme = "furo"
html_title = "Komadai"
html_baseurl = os.environ.get("READTHEDOCS_CANONICAL_URL", "")  # where the pages are published
html_favicon = "../src/komadai/app/web/static/img/icon.svg"
html_static_path = ["_static"]
html_css_files = ["komadai.css"]
html_show_sphinx = False
html_copy_source = False
html_search_scorer = str(Path(__file__).parent / "_ext/search_scorer.js")
html_theme_options = {
    "source_edit_link": _URLS["Homepage"] + "/edit/main/docs/{filename}",
    "source_view_link": _URLS["Homepage"] + "/blob/main/docs/{filename}",
    "footer_icons": [{"name": "Report a problem", "url": _URLS["Issues"], "html": "Report a problem", "class": ""}],
    "light_css_variables": {"color-brand-primary": "#8a4b12", "color-brand-content": "#8a4b12"},
    "dark_css_variables": {"color-brand-primary": "#e0a860", "color-brand-content": "#e0a860"},
}

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
ogp_site_url = html_baseurl
ogp_image = "_images/ko.jpg"
ogp_image_alt = "Kō Shōgi in the browser"
ogp_social_cards = {"enable": False}
