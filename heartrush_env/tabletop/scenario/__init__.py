"""Scenarios: the data files of a game, maps drawn by glyph, and the settings of its rules."""
