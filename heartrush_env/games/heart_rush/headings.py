"""The rule text of Heart Rush: its chapters, and the packages that play them."""

from __future__ import annotations

from heartrush_env.tabletop.books import Book

PACKAGE = "heartrush_env.games.heart_rush"
BOOK = Book(PACKAGE, "Combat", "Classic", rooms=("rules", "abilities", "engine", "editions"))
