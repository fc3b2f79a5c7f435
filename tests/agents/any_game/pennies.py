"""Pennies: a game of one secret choice, whose solution is known.

Both fighters choose heads or tails. The first fighter wins two heads, two tails are a draw, and the second fighter wins
unequal choices. If the second fighter plays heads with probability q, heads is worth 2q - 1 to the first fighter, and
tails -q. So both fighters play heads with probability 1/3, and the game is worth -1/3. Tails is completed by a pick: a
fighter that lays the penny down loosely loses.
"""

from typing import Any

from heartrush_env.tabletop.batch.fights import Rules
from heartrush_env.tabletop.choosing import NOBODY, Who, Window, asker, deciding, shelf_of_choices
from heartrush_env.tabletop.flow import Machine, flow
from heartrush_env.tabletop.layout import writers_of
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources
from tests.tabletop.toy_table_game import DRAW, EVENTS, SEEN, VICTORY, Pebbles, begin_round, end_fight, is_able

WINDOWS = (Window("over", Who.NOBODY), Window("choose", Who.ALL))
OVER, CHOOSING = range(2)
CHOICES = ("pass", "heads", "tails", "lay")
PASS, HEADS, TAILS, LAY = range(4)
FIRM, LOOSE = range(2)
SHELF, choice = shelf_of_choices(CHOICES, "CHOICES in tests/agents/any_game/pennies.py")


@choice("pass", windows=(), words="wait")
class Pass:
    """Wait, while others are asked."""


@choice("heads", windows=("choose",), words="heads", fallback=True)
class Heads:
    """Choose heads."""


@choice("tails", windows=("choose",), words="tails")
class Tails:
    """Choose tails, and then how to lay the penny down."""

    def next_pick(fight, i):
        return LAY if fight.fighters[i].picked[0] == NOBODY else NOBODY


@choice("lay", windows=(), words="lay it down {detail}", pick=True, details=("firmly", "loosely"))
class Lay:
    """Lay the penny down."""


@compiled
def settle(fight, log):
    """Compare the pennies."""
    first, second = fight.fighters[0], fight.fighters[1]
    fight.ending = VICTORY
    if (first.picked[0] == LOOSE) != (second.picked[0] == LOOSE):
        fight.winner = 1 if first.picked[0] == LOOSE else 0
    elif first.deed != second.deed:
        fight.winner = 1
    elif first.deed == HEADS:
        fight.winner = 0
    else:
        fight.ending, fight.winner = DRAW, NOBODY
    if fight.winner != NOBODY:
        fight.fighters[1 - fight.winner].hp = 0


@flow
def whole_fight(fight, log):
    """Play one round."""
    begin_round(fight, log)
    yield ask(fight, CHOOSING)
    settle(fight, log)
    end_fight(fight, log)


DECIDING = deciding(SHELF.units(), WINDOWS, ("pebbles",))
ask = asker(DECIDING, WINDOWS, is_able)
MACHINE = Machine(whole_fight, frames=2, numbers=2)
RULES = Rules("pennies", Sources(__file__, "the rules of Pennies"), MACHINE, DECIDING, writers_of(SEEN), EVENTS)


class Pennies(Pebbles):
    """One scenario of Pennies."""

    rules_of_play, windows, choices = RULES, WINDOWS, SHELF.units()


def two() -> Any:
    """Return the game of two fighters."""
    return Pennies({"fighter": [{"team": "ants"}, {"team": "bees"}]})
