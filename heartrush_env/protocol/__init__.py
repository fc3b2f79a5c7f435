"""The engine protocol: JSON objects, one a line, between programs that play, referee or show fights."""
