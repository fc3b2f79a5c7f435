"""The counts of many fights of one encounter, kept in arrays while batches of fights step.

No code here loops over fights: every step reads the events of all slots together, and final states are read from the
engine's records. Damage is counted by its cause and the striker's stance. A new cause in the engine adds a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heartrush_env.app.encounters import tally as any_game
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.games.heart_rush.abilities.all import CODES
from heartrush_env.games.heart_rush.rules.terms import (
    DEAD,
    DEEDS,
    FROM_ATTACK,
    FROM_EXTRA,
    FROM_FOLLOW_UP,
    FROM_OPPORTUNITY,
    HIT_CAUSES,
    NO_STANCE,
    NOBODY,
    SHRUG,
    STANCES,
)
from heartrush_env.games.heart_rush.state.events import (
    ATTACK_EVENT,
    DAMAGE,
    DECLARE,
    HEAL_EVENT,
    MANEUVER,
    REVEAL,
    SHRUG_EVENT,
    USE_EVENT,
    WOUND,
)
from heartrush_env.games.heart_rush.state.record import ROUND_CAP

Counts = any_game.Counts
IN_ENGAGEMENT = (FROM_ATTACK, FROM_FOLLOW_UP, FROM_EXTRA)
BY_STANCE = (len(HIT_CAUSES), len(STANCES) + 1)  # causes of damage; stances plus one column for no stance


@dataclass
class Tally(any_game.Tally):
    """The counts of some fights; `status` is an index into STATUSES.

    Attributes:
        heart: The heart die's sides at the end, (fights, fighters).
        wounds: The number of wounds that were marked, (fights, fighters).
        ranks: The sum of the ranks of these wounds, (fights, fighters).
        lead: The party's smallest and largest lead at the end of a round, as a difference of hit point fractions,
            (fights, 2).
        damage: Hit points taken away in all fights, (fighters + 1, causes, stances + 1); the last row is damage without
            a striker, and the last column damage without a stance.
        blows: The hits that dealt this damage, (fighters + 1, causes, stances + 1).
        attacks: Attack rolls, (fighters, causes, stances + 1).
        stances: Revealed stances, (fighters, stances).
        deeds: Declarations, maneuvers and shrugs, (fighters, deeds).
        worked: Maneuvers that succeeded, (fighters, deeds).
        uses: Uses of abilities, (fighters, numbers of abilities).
        healed: Hit points that the fighter gave to itself or others, (fighters + 1,).
        course: The sum over fights of both sides' hit point fractions after each round, (rounds, 2); an ended fight
            counts with its final fractions.
    """

    heart: Counts
    wounds: Counts
    ranks: Counts
    lead: NDArray[np.float64]
    damage: Counts
    blows: Counts
    attacks: Counts
    stances: Counts
    deeds: Counts
    worked: Counts
    uses: Counts
    healed: Counts
    course: NDArray[np.float64]

    per_fight: ClassVar[tuple[str, ...]] = (*any_game.Tally.per_fight, "lead", "heart", "wounds", "ranks")

    def deathless(self, in_party: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return in which fights no party member died, (fights,)."""
        alive: NDArray[np.bool_] = (self.status[:, in_party] != DEAD).all(axis=1)
        return alive


OF_FIGHTERS = ("hp_before", "hp", "heart", "status", "wounds", "ranks")


class Counting:
    """Counts the events of a batch's fights as they are played."""

    def __init__(self, met: Encounter, fights: int, slots: int, most_rounds: int) -> None:
        """Allocate the counts.

        Args:
            met: The encounter.
            fights: The number of fights to count.
            slots: The number of slots of the batch.
            most_rounds: The round cap.
        """
        n = self._fighters = len(met.in_party)
        self._sides, self._party_teams = np.stack([met.in_party, ~met.in_party]), met.party_teams
        self._stance = np.full((slots, n), NO_STANCE)  # each fighter's last stance, in the engagement and outside
        self._outside = np.full((slots, n), NO_STANCE)
        self._round = np.zeros(slots, np.int64)
        self.new_wounds: list[Counts] = []  # rows of fight, fighter and rank
        self.tally = Tally(
            **{name: np.zeros((fights, n), np.int64) for name in OF_FIGHTERS},
            rounds=np.zeros(fights, np.int64),
            result=np.zeros(fights, np.int64),
            capped=np.zeros(fights, np.bool_),
            lead=np.tile([np.inf, -np.inf], (fights, 1)),
            damage=np.zeros((n + 1, *BY_STANCE), np.int64),
            blows=np.zeros((n + 1, *BY_STANCE), np.int64),
            attacks=np.zeros((n, *BY_STANCE), np.int64),
            stances=np.zeros((n, len(STANCES)), np.int64),
            deeds=np.zeros((n, len(DEEDS)), np.int64),
            worked=np.zeros((n, len(DEEDS)), np.int64),
            uses=np.zeros((n, len(CODES)), np.int64),
            healed=np.zeros(n + 1, np.int64),
            course=np.zeros((most_rounds + 1, 2)),
        )

    def begin(self, slots: NDArray[np.intp], fight: Counts, batch: Any) -> None:
        """Start counting fights in these slots; `fight` is the fight that each slot plays."""
        fighters = batch.records["fighters"][slots, : self._fighters]
        self._stance[slots] = self._outside[slots] = NO_STANCE
        self._round[slots] = 1
        self.tally.hp_before[fight[slots]] = fighters["hp"]
        self.tally.ranks[fight[slots]] = -fighters["wounds"].astype(np.int64)  # the end adds the final value
        self.tally.wounds[fight[slots]] = -fighters["wound_count"].astype(np.int64)

    def step(self, batch: Any, fight: Counts, live: NDArray[np.bool_]) -> None:
        """Count the events of the latest step in the live slots."""
        logs = batch.logs
        self._read_rounds(batch.records, fight, live)
        most = int(np.where(live, logs["count"], 0).max())
        if most:
            events = logs["events"][:, :most]
            told = live[:, None] & (np.arange(most) < logs["count"][:, None])
            self._read_events(events, np.where(told, events["kind"], NOBODY), fight)

    def _read_rounds(self, records: Any, fight: Counts, live: NDArray[np.bool_]) -> None:
        """Record both sides' hit point fractions in the fights whose round is over."""
        passed = np.flatnonzero(live & (records["round_number"] > self._round))
        if len(passed):
            shares = self._shares(records, passed, fight)
            np.add.at(self.tally.course, self._round[passed], shares)
            self._note_lead(fight[passed], shares)
            self._round[passed] = records["round_number"][passed]

    def _read_events(self, events: Any, kinds: NDArray[Any], fight: Counts) -> None:
        def these(kind: int) -> tuple[Any, Any]:
            at = np.nonzero(kinds == kind)
            return at[0], events[at]

        tally = self.tally
        slots, found = these(REVEAL)
        self._stance[slots, found["fighter"]] = found["detail"]
        chosen = found["detail"] < NO_STANCE
        np.add.at(tally.stances, (found["fighter"][chosen], found["detail"][chosen]), 1)
        slots, found = these(ATTACK_EVENT)
        outside = found["detail"] == FROM_OPPORTUNITY
        self._outside[slots[outside], found["fighter"][outside]] = found["stance"][outside]
        np.add.at(tally.attacks, (found["fighter"], found["detail"], found["stance"]), 1)
        both = found[found["mutual"]]  # one contest in which both fighters attack
        np.add.at(tally.attacks, (both["other"], both["detail"], both["stance"]), 1)
        slots, found = these(DAMAGE)
        striker, cause = found["other"], found["detail"]
        stance = np.where(np.isin(cause, IN_ENGAGEMENT), self._stance[slots, striker], NO_STANCE)
        stance = np.where(cause == FROM_OPPORTUNITY, self._outside[slots, striker], stance)
        np.add.at(tally.damage, (striker, cause, stance), found["amount"])  # last row: damage without a striker
        np.add.at(tally.blows, (striker, cause, stance), 1)
        for kind in (DECLARE, MANEUVER):
            _, found = these(kind)
            np.add.at(tally.deeds, (found["fighter"], found["detail"]), 1)
        np.add.at(tally.worked, (found["fighter"], found["detail"]), found["flag"])
        _, found = these(SHRUG_EVENT)
        np.add.at(tally.deeds, (found["fighter"], SHRUG), 1)
        _, found = these(USE_EVENT)
        np.add.at(tally.uses, (found["fighter"], found["amount"]), 1)
        _, found = these(HEAL_EVENT)
        np.add.at(tally.healed, found["other"], found["amount"])
        slots, found = these(WOUND)
        self.new_wounds.append(np.stack([fight[slots], found["fighter"], found["amount"]], axis=1).astype(np.int64))

    def end(self, slots: NDArray[np.intp], batch: Any, fight: Counts) -> None:
        """Record the results of the fights in these slots."""
        if not len(slots):
            return
        records = batch.records
        tally, ended, place = self.tally, records[slots], fight[slots]
        fighters = ended["fighters"][:, : self._fighters]
        tally.rounds[place] = ended["round_number"]
        won = ended["winner"]
        tally.result[place] = np.where(won == NOBODY, 0, np.where(self._party_teams[won], 1, -1))
        tally.capped[place] = ended["ending"] == ROUND_CAP
        for name in ("hp", "heart", "status"):
            getattr(tally, name)[place] = fighters[name]
        tally.ranks[place] += fighters["wounds"]
        tally.wounds[place] += fighters["wound_count"]
        shares = self._shares(records, slots, fight)
        self._note_lead(place, shares)
        for side in (0, 1):  # the final fractions also count in all later rounds
            held = np.bincount(ended["round_number"], shares[:, side], len(tally.course))
            tally.course[:, side] += np.cumsum(held)

    def _shares(self, records: Any, slots: NDArray[np.intp], fight: Counts) -> NDArray[np.float64]:
        """Return each side's fraction of its initial hit points, (slots, sides); negative hit points count as 0."""
        hp = np.maximum(0, records["fighters"]["hp"][slots, : self._fighters])
        before = np.maximum(0, self.tally.hp_before[fight[slots]])
        return np.stack(
            [hp[:, side].sum(axis=1) / np.maximum(1, before[:, side].sum(axis=1)) for side in self._sides], axis=1
        )

    def _note_lead(self, place: Counts, shares: NDArray[np.float64]) -> None:
        lead = shares[:, 0] - shares[:, 1]
        self.tally.lead[place, 0] = np.minimum(self.tally.lead[place, 0], lead)
        self.tally.lead[place, 1] = np.maximum(self.tally.lead[place, 1], lead)
