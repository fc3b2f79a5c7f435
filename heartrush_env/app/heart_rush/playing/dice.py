"""Real dice: a window is tried and its next roll is prompted for, until nothing is left to roll.

Only public methods are used. `reset(options={"dice": ...})` takes the results of a fight's first rolls, so a window
is tried by replaying the whole fight with all dice typed so far and one more. A given face that is too large for its
die is refused. This reveals the sides of the next die, or that there is no next die. Two tries that differ only in
that die reveal its purpose: the first event in which they differ. Events that do not depend on further dice are
certain, and they are narrated before the dice are prompted for. So no die is rolled for an event that the table does
not know of yet, and nothing is shown early.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heartrush_env.app.cli.playing.fight import Actions, Fight, Tell
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.rolls import SIDES
from heartrush_env.tabletop.errors import DiceError
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE

Dice = list[tuple[str, int]]  # the name and the sides of each die
Ask = Callable[[str | None, str, Dice], list[int]]  # the fighter, the purpose, the dice -> their faces

TAILS = ((1,) * 12, (4, 1) * 6, (2, 3, 4, 1) * 3)  # faces that any die can show, used as later rolls


class FightWithRealDice(Fight):
    """A fight whose dice are typed in."""

    def __init__(self, env: ParallelFights, seed: int, tell: Tell, narrator: Narrator, ask: Ask) -> None:
        """Prepare the fight; `narrator` must be the one that `tell` uses, so that dice can be named."""
        super().__init__(env, seed, tell)
        self._given: list[int] = []
        self._narrator, self._ask = narrator, ask

    @property
    def dice(self) -> list[int]:
        """All dice so far, in the order in which the fight required them."""
        return self._given

    def _play(self, actions: Actions | None) -> list[Event]:
        if len(self._given) >= MAX_GIVEN_DICE:  # the limit is reached; from here the fight rolls its own dice
            return super()._play(actions)
        told = 0
        while (sides := self._sides_of_next(actions, self._given)) is not None:
            low, high = (self._try(actions, [*self._given, face]) for face in (1, sides))
            others = [self._try(actions, [*self._given, 1, *tail][:MAX_GIVEN_DICE]) for tail in TAILS]
            certain = min(first_difference(low, other) for other in (high, *others))
            certain = max(told, before_timing(low, certain))
            self._tell(low[told:certain])
            told = certain
            fighter, purpose, dice = self._named(low, high, sides)
            self._given += self._ask(fighter, purpose, dice[: MAX_GIVEN_DICE - len(self._given)])
        events = self._try(actions, self._given)
        self._tell(events[told:])
        return events

    def _named(self, low: list[Event], high: list[Event], sides: int) -> tuple[str | None, str, Dice]:
        """Return the fighter and purpose of the next die's roll, and the names and sides of the roll's remaining dice.

        Args:
            low: The window's events if the die shows a 1.
            high: The window's events if the die shows its highest face.
            sides: The sides of the die.
        """
        one = [("die", sides)]
        place = first_difference(low, high)
        if place < min(len(low), len(high)):
            event, other = low[place], high[place]
            side = next((side for side in SIDES if event.get(f"{side}_dice") != other.get(f"{side}_dice")), None)
            if side is not None:
                roll = next(roll for roll in self._narrator.rolls(event) if roll.side == side)
                faces = zip(roll.dice, other[f"{side}_dice"], strict=False)
                first = next((k for k, (die, counterpart) in enumerate(faces) if die.face != counterpart), 0)
                return roll.fighter, roll.purpose, [(die.name, die.sides) for die in roll.dice[first:]]
        window = [*low, *high]
        contenders = dict.fromkeys(event["fighter"] for event in window[place:] if event["type"] == "timing")
        if contenders:
            names = ", ".join(map(self._narrator.name, contenders))
            return None, f"agility, for who goes first ({names}; heart and agility each, in this order)", one
        dirty = {event["fighter"]: None for event in window if event.get("maneuver") == "dirty_strike"}
        if dirty:
            names = " and then ".join(map(self._narrator.name, dirty))
            return next(iter(dirty)) if len(dirty) == 1 else None, f"damage of the dirty strike of {names}", one
        return None, "the next roll of this window", one

    def _sides_of_next(self, actions: Actions | None, dice: Sequence[int]) -> int | None:
        """Return the sides of the die that would be rolled after `dice`, or None if no die is rolled."""
        if len(dice) >= MAX_GIVEN_DICE:
            return None
        *smaller, largest = DIE_LADDER
        if self._accepts(actions, [*dice, largest]):
            return largest if self._try(actions, [*dice, 1]) != self._try(actions, [*dice, largest]) else None
        return next((sides for sides in smaller if not self._accepts(actions, [*dice, sides + 1])), largest)

    def _accepts(self, actions: Actions | None, dice: Sequence[int]) -> bool:
        """Return whether the fight accepts these dice."""
        try:
            self._try(actions, dice)
        except DiceError:
            return False
        return True

    def _try(self, actions: Actions | None, dice: Sequence[int]) -> list[Event]:
        """Replay the whole fight with these dice, and return the last window's events."""
        self._move(None, list(dice))
        for past, _ in self.steps:
            self._move(past)
        if actions is not None:
            self._move(actions)
        return self.env.events


def before_timing(events: Sequence[Event], place: int) -> int:
    """Return `place`, or the start of the series of timing rolls that may include it: a tie rerolls all of them."""
    if place < len(events) and events[place]["type"] != "timing":
        return place
    while place and events[place - 1]["type"] == "timing":
        place -= 1
    return place


def first_difference(one: Sequence[Event], other: Sequence[Event]) -> int:
    """Return the index of the first event in which two event lists differ."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (event, counterpart) in enumerate(pairs) if event != counterpart), min(len(one), len(other)))
