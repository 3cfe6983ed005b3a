"""Hostile messages and requests to a server; ``python -m fuzz.messages`` sends them."""
