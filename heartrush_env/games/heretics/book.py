"""The rule text of Heretics, and the shelf of its choices."""

from functools import partial

from heartrush_env.games.heretics.terms import CHOICES
from heartrush_env.tabletop.books import Book
from heartrush_env.tabletop.choosing import shelf_of_choices

BOOK = Book(__package__, "Heretics")
rule = BOOK.rule
SHELF, choice = shelf_of_choices(CHOICES, "CHOICES in games/heretics/terms.py", BOOK.heading)
ACTS = ("act", "again")  # the windows in which fighters choose actions
action = partial(choice, windows=ACTS, costs={"action": 1})  # the decorator of choices that are actions
