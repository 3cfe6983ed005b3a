"""Play in the browser: an ASGI application over a SQLite event log, and a client that knows no rules."""
