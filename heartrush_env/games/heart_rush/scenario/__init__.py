"""Scenarios: fighters, map and settings, read from a file or a table and validated, with names from the catalog."""
