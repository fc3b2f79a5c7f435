"""Agents and fights served over HTTP and WebSocket; this requires `heartrush-env[server]`."""
