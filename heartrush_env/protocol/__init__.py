"""The engine protocol: JSON objects, one per line, between programs that play, referee or show fights."""
