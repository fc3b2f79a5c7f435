"""Agents and fights served over HTTP and WebSocket; needs the extra `server`."""
