"""Pockets: Pennies with a secret. At first, both put the penny in a pocket that the other never sees.

Then both choose heads or tails. If the choices differ, the second wins. The pocket of the second decides the rest: from
the left one, the first wins if both are heads; from the right one, if both are tails; the other pair is a draw. A first
that knew the pocket would play heads in 1/3 of all fights from the left one (see pennies.py), and in 2/3 from the right
one. It does not know it: if both pockets are equally probable, equal choices are worth 1/2 to it and different ones -1,
so that it plays heads in 1/2 of all fights.
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
    """Keep the pockets in a field that no observation shows."""
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
    """The game of two fighters."""
    return Pockets({"fighter": [{"team": "ants"}, {"team": "bees"}]})
