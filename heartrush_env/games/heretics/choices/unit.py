"""The shelf of Heretics' choices."""

from __future__ import annotations

from heartrush_env.games.heretics.terms import CHOICES
from heartrush_env.tabletop.choosing import shelf_of_choices

SHELF, choice = shelf_of_choices(CHOICES, "CHOICES in games/heretics/terms.py")
AN_ACTION = {"action": 1}
ACTS = ("act", "again")  # the windows of actions
