"""The rule text of Heretics, and the shelf of its choices."""

from heartrush_env.games.heretics.terms import CHOICES
from heartrush_env.tabletop.books import Book
from heartrush_env.tabletop.choosing import shelf_of_choices

BOOK = Book(__package__, "Heretics")
rule = BOOK.rule
SHELF, choice = shelf_of_choices(CHOICES, "CHOICES in games/heretics/terms.py", BOOK.heading)
AN_ACTION = {"action": 1}
ACTS = ("act", "again")  # the windows in which fighters choose actions
