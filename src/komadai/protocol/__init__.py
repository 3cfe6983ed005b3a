"""Protocols through which other programs drive the engine."""
