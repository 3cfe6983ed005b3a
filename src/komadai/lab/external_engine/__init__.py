"""Engines run as programs of their own, driven over USI or UCI."""

from . import client as client
from . import replies as replies
from . import requests as requests
