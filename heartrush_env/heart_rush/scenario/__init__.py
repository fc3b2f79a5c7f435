"""Scenarios: fighters, map and settings read from a file or a table, checked, and looked up in the catalog."""
