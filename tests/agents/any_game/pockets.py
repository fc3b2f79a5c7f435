"""Pockets: Pennies with a secret. First, each fighter puts its penny in a pocket that the other fighter never sees.

Then both fighters choose heads or tails. The second fighter wins if the choices differ. Equal choices depend on the
second fighter's pocket: with the left pocket, two heads win for the first fighter and two tails are a draw; with the
right pocket, two tails win and two heads are a draw. A first fighter that knew the pocket would play heads with
probability 1/3 for the left pocket (see pennies.py), and 2/3 for the right pocket. But it does not know the pocket. If
both pockets are equally probable, equal choices are worth 1/2 to it and unequal choices -1, so it plays heads with
probability 1/2.
"""

from __future__ import annotations

from typing import Any

from heartrush_env.tabletop.batch.fights import Rules
from heartrush_env.tabletop.choosing import NOBODY, Who, Window, asker, deciding, shelf_of_choices
from heartrush_env.tabletop.flow import Machine, flow
from heartrush_env.tabletop.layout import Seen, writers_of
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.tables import Block, one_of
from tests.tabletop.toy_table_game import DRAW, EVENTS, SEEN, VICTORY, Pebbles, begin_round, end_fight, is_able

WINDOWS = (Window("over", Who.NOBODY), Window("pocket", Who.ALL), Window("choose", Who.ALL))
OVER, HIDING, CHOOSING = range(3)
CHOICES = ("pass", "left", "right", "heads", "tails")
PASS, LEFT, RIGHT, HEADS, TAILS = range(5)
SHELF, choice = shelf_of_choices(CHOICES, "CHOICES in tests/agents/any_game/pockets.py")


@choice("pass", windows=(), words="wait")
class Pass:
    """Wait, while others are asked."""


def add_choice(name: str, window: str, fallback: bool) -> None:
    """Put a choice on the shelf."""

    @choice(name, windows=(window,), words=name, fallback=fallback)
    class Chosen:
        """Make the choice."""


for place, name in enumerate(CHOICES[LEFT:]):
    add_choice(name, "pocket" if place < 2 else "choose", place % 2 == 0)


@compiled
def put_away(fight, log):
    """Store the pockets in a field that no observation shows."""
    for i in range(fight.n):
        fight.fighters[i].left[0] = fight.fighters[i].deed


@compiled
def settle(fight, log):
    """Compare the pennies."""
    first, second = fight.fighters[0], fight.fighters[1]
    wins = HEADS if second.left[0] == LEFT else TAILS
    fight.ending = VICTORY
    if first.deed != second.deed:
        fight.winner = 1
    elif first.deed == wins:
        fight.winner = 0
    else:
        fight.ending, fight.winner = DRAW, NOBODY
    if fight.winner != NOBODY:
        fight.fighters[1 - fight.winner].hp = 0


@flow
def whole_fight(fight, log):
    """Play one round."""
    begin_round(fight, log)
    yield ask(fight, HIDING)
    put_away(fight, log)
    yield ask(fight, CHOOSING)
    settle(fight, log)
    end_fight(fight, log)


DECIDING = deciding(SHELF.units(), WINDOWS, ("pebbles",))
ask = asker(DECIDING, WINDOWS, is_able)
MACHINE = Machine(whole_fight, frames=2, numbers=2)
MOMENT = SEEN.moment + Block(
    one_of("window ", tuple(window.name for window in WINDOWS), "the open window", lambda fight: fight.window)
)
SHOWN = Seen(MOMENT, *SEEN[1:])
RULES = Rules("pockets", Sources(__file__, "the rules of Pockets"), MACHINE, DECIDING, writers_of(SHOWN), EVENTS)


class Pockets(Pebbles):
    """One scenario of Pockets."""

    rules_of_play, seen, windows, choices = RULES, SHOWN, WINDOWS, SHELF.units()


def two() -> Any:
    """Return the game of two fighters."""
    return Pockets({"fighter": [{"team": "ants"}, {"team": "bees"}]})
