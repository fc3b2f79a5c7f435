"""Fights of one against two, solved exactly, and of two against two, approximated."""
