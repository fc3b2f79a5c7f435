"""Abilities of monsters."""
