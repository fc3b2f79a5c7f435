"""Fights hosted with full rules, for front ends without rules: seats, secret choices, events, a store."""
