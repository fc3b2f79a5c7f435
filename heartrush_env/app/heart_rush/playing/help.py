"""The help that `?` shows during a fight: how to answer, and what the conditions in play do."""

from __future__ import annotations

from collections.abc import Iterable

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.words.narrator import Narrator

HELP = """\
Type the number of a choice, its name, or an unambiguous beginning of it.
h  a hint: what {adviser} would do, and the damage to expect
q  leave the fight (Ctrl-C leaves at once)
?  this
Might beats cunning, cunning beats agility, agility beats might. A stance attacks the one it beats, its own (in a \
contest), and the defensive one, which takes half{defensive}. Cunning resolves first, then agility, then might.
Dice in [brackets] do not count: advantage drops the lowest, disadvantage the highest."""
GIVEN = {"blind": "blinded", "trip": "prone", "shove": "off_balanced", "taunt": "enraged", "swing_past": "off_balanced"}
HELP_ON_MAP = """\
dash 7,4  goes to column 7, row 4, one of the squares marked * (of a larger body: where its top left square goes). \
Signed numbers are the action's own name, columns to the east and rows to the south of you: dash -3,+1. \
If you are faster than 12 squares, a dash to a square 12 away may go on: you are asked how far.
walk      dashes along a way of your own: you choose it step by step.
step ne  sidesteps one square to the north-east, up and right on the map; step ne rush pays a rush point for it.
A dash through an enemy's reach may draw an attack; a sidestep is safe. The list leaves out targets that your weapon \
cannot reach from your square, whatever the stances allow."""


def terms(narrator: Narrator, legal: Iterable[str]) -> list[str]:
    """Return a sentence for each condition that a fighter has or that one of the legal actions could inflict."""
    known = catalog.conditions()
    found = {name for other in narrator.known.values() for name in other.conditions}
    for name in legal:
        word, *details = name.replace("+", " ").split()
        found |= known.keys() & {GIVEN.get(word, ""), *details}
    fades = " A level fades as each round begins."
    return [f"{each.name}: {each.effect}{fades * each.fading}" for id, each in known.items() if id in found]
