"""Agents that play the game Heretics."""
