"""Policies with memory of the last reveals: reading them, best responses, restricted Nash responses."""
