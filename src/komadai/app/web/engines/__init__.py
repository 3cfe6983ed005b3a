"""Engines, threads and rate limits of the server."""
