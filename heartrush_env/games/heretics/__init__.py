"""Heretics: sides that act one after the other, d20 checks, and morale."""

from heartrush_env.tabletop.sources import Sources

SOURCES = Sources(
    __file__,
    "the rules of Heretics",
    without=("scenario.py", "data/fighters.toml", "data/scenarios", "data/words.toml", "rules/headings.toml"),
)
