"""Pebbles: a whole game of tables in one file. All fighters throw at once; each pebble costs a hit point."""

from typing import Any

from heartrush_env.tabletop.batch.fights import Rules, fight_record
from heartrush_env.tabletop.choosing import (
    NOBODY,
    Target,
    Who,
    Window,
    asker,
    deciding,
    shelf_of_choices,
)  # fmt: skip
from heartrush_env.tabletop.events import FIGHTER, NUMBER, TEAMS, Events, word_of
from heartrush_env.tabletop.flow import Machine, flow
from heartrush_env.tabletop.layout import Seen, writers_of
from heartrush_env.tabletop.limits import Limits
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.scenario.library import Library
from heartrush_env.tabletop.scenario.reader import Ground, Reader, TableScenario
from heartrush_env.tabletop.scenario.settings import Settings
from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.table_game import Places, TableGame
from heartrush_env.tabletop.tables import Block, feature, flag, one_of
from heartrush_env.tabletop.validate import whole

MOST, LARGEST = 4, 99
GOES_ON, VICTORY, DRAW = range(3)
WINDOWS = (Window("over", Who.NOBODY), Window("throw", Who.ALL))
OVER, THROWING = range(2)
CHOICES = ("pass", "hold", "throw")
THROW = 2
SETTINGS = Settings({"rounds": {"meaning": "the last round", "number": [9, 1, LARGEST]}})

KIND = fight_record(
    MOST, ("pebbles",), [("status", "i1", Limits(0, 1)), ("hp", "i2", Limits(0, LARGEST)), ("hp_max", "i2")],
    [("round_number", "i2", Limits(0, LARGEST)), ("side", "i1"), ("rules", SETTINGS.record)],
    frames=2, numbers=2, nested=1,
)  # fmt: skip

EVENTS = Events()
tell_round = EVENTS.event("round", "Round {round}.", round=NUMBER)
tell_hit = EVENTS.event("hit", "{fighter} is hit, {hp} left.", fighter=FIGHTER, hp=NUMBER)
tell_end = EVENTS.event("end", "The fight is over ({cause}).", cause=word_of(("", "victory", "draw")), winners=TEAMS)
SHELF, choice = shelf_of_choices(CHOICES, "CHOICES in tests/tabletop/toy_table_game.py")


@choice("pass", windows=(), words="wait")
class Pass:
    """Wait, while others are asked."""


@choice("hold", windows=("throw",), words="keep the pebble", fallback=True)
class Hold:
    """Keep the pebble."""


@choice("throw", windows=("throw",), words="throw at {target}", target=Target.ENEMY)
class Throw:
    """Throw the pebble at an enemy that is still there."""

    def may(fight, i, target, detail):
        return is_able(fight, target)


@compiled
def is_able(fight, i):
    """Return whether a fighter is still there."""
    return fight.fighters[i].status == 0


@compiled
def begin_round(fight, log):
    """Count the round and record its event."""
    fight.round_number += 1
    tell_round(fight, log, fight.round_number)


@compiled
def end_round(fight, log):
    """Land all pebbles at once, and check for an end."""
    for i in range(fight.n):
        if fight.fighters[i].deed == THROW and is_able(fight, i):
            target = fight.fighters[i].target
            fight.fighters[target].hp = max(fight.fighters[target].hp - 1, 0)
            tell_hit(fight, log, target, fight.fighters[target].hp)
    left = 0
    for i in range(fight.n):
        fight.fighters[i].status = fight.fighters[i].hp == 0
        if is_able(fight, i):
            left |= 1 << fight.fighters[i].team
    if left == 1 or left == 2:
        fight.ending = VICTORY
        fight.winner = left - 1
    elif left == 0 or fight.round_number >= fight.rules.rounds:
        fight.ending = DRAW
        fight.winner = NOBODY


@flow
def whole_fight(fight, log):
    """Play round after round."""
    while fight.ending == GOES_ON:
        begin_round(fight, log)
        yield ask(fight, THROWING)
        end_round(fight, log)
    end_fight(fight, log)


@compiled
def end_fight(fight, log):
    """Close the last window and record the end."""
    fight.window = OVER
    tell_end(fight, log, fight.ending, fight.winner)


DECIDING = deciding(SHELF.units(), WINDOWS, ("pebbles",))
ask = asker(DECIDING, WINDOWS, is_able)
SEEN = Seen(
    Block(feature("round", 0, 1, "rounds / {scale}", lambda fight: fight.round_number, scale=10, clips=True)),
    Block(
        feature("hp", 0, 1, "hit points / {scale}", lambda fighter: fighter.hp, scale=10, clips=True),
        one_of("", ("able", "out"), "its status", lambda fighter: fighter.status, name="status"),
        one_of("side ", ("first", "second"), "its side", lambda fighter: fighter.team, name="side"),
    ),
    Block(flag("asked", "it is asked now", lambda fighter: fighter.pending)),
    Block(),
    Block(),
)
MACHINE = Machine(whole_fight, frames=2, numbers=2)
RULES = Rules("pebbles", Sources(__file__, "the rules of Pebbles"), MACHINE, DECIDING, writers_of(SEEN), EVENTS)


class NoFiles(Library):
    """A library without any files, for a game whose scenarios are all tables."""

    def __init__(self) -> None:
        super().__init__("tests")
        vars(self)["scenarios"] = {}
        self._tables = {"fighters.toml": {"thrower": {"hp": 2}}}


def fill(fight: Any, scenario: TableScenario) -> None:
    """Write a scenario into the record from which every fight starts."""
    SETTINGS.fill(fight.rules, scenario.rules)
    for fighter, table in zip(fight.fighters, scenario.fighters, strict=False):
        fighter.hp = fighter.hp_max = table["hp"]


READER = Reader(
    NoFiles(), SETTINGS, {}, {"hp": whole(1, LARGEST)}, {"hp": 3}, MOST, 2, Ground(1, 1, {".": "grass"}, ""),
    complete=lambda fighter, where: fighter, check=lambda scenario, where, faults: None,
)  # fmt: skip


class Pebbles(TableGame):
    """One scenario of Pebbles."""

    rules_of_play, seen, windows, choices = RULES, SEEN, WINDOWS, SHELF.units()
    kinds = KIND, KIND
    shapes = Places("pair", 1, 0), Places("crowd", MOST - 1, MOST - 2)
    settings, statuses = SETTINGS, ("able", "out")
    load, fill = staticmethod(READER.read), staticmethod(fill)
