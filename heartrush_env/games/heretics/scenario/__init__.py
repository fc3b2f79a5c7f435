"""Scenarios: their tables, read and checked."""
