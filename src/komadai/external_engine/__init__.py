"""Engines run as programs of their own, driven over USI or UCI."""
