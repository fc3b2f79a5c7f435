"""Stones: a game of another package, which tests copy into a folder of their own, edit and register there."""

from heartrush_env.tabletop.sources import Sources

SOURCES = Sources(__file__, "the rules of Stones", without=("words.py",))
