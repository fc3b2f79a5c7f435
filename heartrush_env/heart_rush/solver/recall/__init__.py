"""Policies that remember the last reveals: read, best responses to them, restricted Nash responses."""
