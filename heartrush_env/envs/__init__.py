"""Environments for any Game: parallel, turn by turn (AEC), single-agent, vectorised. They contain no rules."""
