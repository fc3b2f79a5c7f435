"""Solver tools that know no game: zero-sum matrix games, and checkpoints of long computations."""
