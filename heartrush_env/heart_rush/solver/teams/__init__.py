"""Fights of one against two, exact, and of two against two, approximate."""
