"""Analyses based on a solved duel: where players lose value, how lucky they were, and how predictable they are."""
