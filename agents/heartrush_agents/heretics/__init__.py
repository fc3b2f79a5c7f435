"""Agents of Heretics."""
