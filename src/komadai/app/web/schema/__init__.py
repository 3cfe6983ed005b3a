"""The wire format of HTTP and WebSocket."""
