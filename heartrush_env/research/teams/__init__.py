"""Fights of one against two, solved exactly."""
