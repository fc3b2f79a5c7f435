"""Game-independent solver tools: zero-sum matrix games, and checkpoints for long computations."""
