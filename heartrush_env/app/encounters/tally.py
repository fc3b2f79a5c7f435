"""The counts of many fights of one encounter of any game: who won, how long it took, and how the fighters ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.tabletop.game import Game

Counts = NDArray[np.int64]


@dataclass
class Tally:
    """The counts of some fights; a game may count more.

    Attributes:
        rounds: The rounds of each fight, (fights,).
        result: 1 if the party won, -1 if another team won, 0 without a winner, (fights,).
        capped: Whether the round cap ended the fight, (fights,).
        hp_before: Hit points at the start, (fights, fighters); 0 if the game does not tell them.
        hp: Hit points at the end, (fights, fighters).
        status: How each fighter ended, an index into a list of the game, (fights, fighters).
    """

    rounds: Counts
    result: Counts
    capped: NDArray[np.bool_]
    hp_before: Counts
    hp: Counts
    status: Counts

    per_fight: ClassVar[tuple[str, ...]] = ("rounds", "result", "capped", "hp_before", "hp", "status")

    @property
    def fights(self) -> int:
        """The number of fights."""
        return len(self.rounds)

    @property
    def tells_hp(self) -> bool:
        """Whether hit points are known."""
        return bool(self.hp_before.any())

    def deathless(self, in_party: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return in which fights no party member died, (fights,); all of them if the game does not tell deaths."""
        return np.ones(self.fights, np.bool_)


AnyTally = TypeVar("AnyTally", bound=Tally)


def together(tallies: Sequence[AnyTally]) -> AnyTally:
    """Return the combined tally of several consecutive tallies."""
    kind, found = type(tallies[0]), dict[str, Any]()
    for entry in fields(kind):
        parts = [getattr(tally, entry.name) for tally in tallies]
        found[entry.name] = np.concatenate(parts) if entry.name in kind.per_fight else sum(parts[1:], parts[0])
    return kind(**found)


def spent_shares(tally: Tally, in_party: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the fraction of its hit points that the party has lost by the end of each fight, (fights,)."""
    before = np.maximum(0, tally.hp_before[:, in_party]).sum(axis=1)
    after = np.maximum(0, tally.hp[:, in_party]).sum(axis=1)
    shares: NDArray[np.float64] = 1 - after / np.maximum(1, before)
    return shares


def time_unit(game: Game) -> str:
    """Return the public fact that counts how long a fight lasts: the game's attribute `time_unit`, else "round"."""
    return str(getattr(game, "time_unit", "round"))


class Counting:
    """Counts the fights of a batch of any game as they end, from the last event and the public facts of each fight."""

    def __init__(self, encounter: Encounter, fights: int) -> None:
        """Allocate the counts of this number of fights."""
        self._met, self._agents = encounter, encounter.game.agents
        self._unit = time_unit(encounter.game)
        shape = (fights, len(self._agents))
        self.tally = Tally(
            rounds=np.zeros(fights, np.int64),
            result=np.zeros(fights, np.int64),
            capped=np.zeros(fights, np.bool_),
            hp_before=np.zeros(shape, np.int64),
            hp=np.zeros(shape, np.int64),
            status=np.zeros(shape, np.int64),
        )

    def begin(self, slots: NDArray[np.intp], fight: Counts, batch: Any) -> None:
        """Start counting fights in these slots; `fight` is the fight that each slot plays."""
        for slot in slots:
            self.tally.hp_before[fight[slot]] = self._hit_points(batch.describe(slot))

    def step(self, batch: Any, fight: Counts, live: NDArray[np.bool_]) -> None:
        """Count nothing of a step."""

    def end(self, slots: NDArray[np.intp], batch: Any, fight: Counts) -> None:
        """Record the results of the fights in these slots."""
        for slot in slots:
            tally, place = self.tally, fight[slot]
            view, last = batch.describe(slot), batch.events(slot)[-1]
            won = [team in self._met.party for team in last["winners"]]
            tally.result[place] = 0 if not won else 1 if any(won) else -1
            tally.rounds[place] = view.get(self._unit, 0)
            tally.capped[place] = last.get("cause") == "round_cap"
            tally.hp[place] = self._hit_points(view)
            tally.status[place] = batch.out[slot]

    def _hit_points(self, view: Mapping[str, Any]) -> list[int]:
        """Return the fighters' hit points in the public facts of a fight; 0 where these do not tell them."""
        shown = {fighter["fighter"]: fighter.get("hp", 0) for fighter in view.get("fighters", ())}
        return [shown.get(name, 0) for name in self._agents]
