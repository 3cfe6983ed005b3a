"""Tests of environments need NumPy."""

import pytest

pytest.importorskip("numpy", reason="environments need NumPy: pip install 'komadai[lab]'")
