"""Game-independent solver tools: zero-sum matrix games, and checkpoints of long computations."""
