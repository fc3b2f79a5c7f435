"""Played duels, read round by round from their public events and from the policies of known players.

The input is the output of `records.replay`, or windows with the same fields from a public environment.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANCES
from heartrush_env.research.duel import why_unsupported
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Event, Observation, Player, policy_of


class Window(Protocol):
    """One step of a fight."""

    @property
    def observations(self) -> Mapping[str, Observation]:
        """Each seat's observation when it chose; empty at the start."""

    @property
    def actions(self) -> Mapping[str, int]:
        """Each seat's action."""

    @property
    def events(self) -> Sequence[Event]:
        """The events that followed."""


@dataclass
class Round:
    """A played round, with all known policies behind its choices; seats count from 0 in agent order."""

    number: int  # from 1
    hp: tuple[int, int]  # at the start of the round
    hearts: tuple[int, int]  # the sides of the heart dice at the start of the round
    stances: tuple[int, int]
    attacks: list[int] = field(default_factory=lambda: [0, 0])  # by seat, 1 for an attack
    hurt: int = NOBODY  # the seat that was hit
    damage: int = 0  # damage of the hit, before shrugging off
    shrugged: bool = False
    mixes: list[Floats | None] = field(default_factory=lambda: [None, None])  # by seat, (stances,) if known
    strikes: list[float | None] = field(default_factory=lambda: [None, None])  # by seat, the probability of attacking
    shrugs: float | None = None  # the probability that the target shrugs off this hit

    @property
    def state(self) -> tuple[int, int, int, int]:
        """The hit points of both fighters, then their heart dice, at the start of the round."""
        return *self.hp, *self.hearts


@dataclass(frozen=True)
class Fight:
    """A finished duel."""

    rounds: Sequence[Round]
    result: float  # 1 if the first fighter won, -1 if the other did, 0 for a draw


def played(game: HeartRush, windows: Iterable[Window], players: Mapping[str, Player] | None = None) -> Fight:
    """Read a duel round by round.

    Args:
        game: The game played: a duel that the solver supports, with any memory.
        windows: The start of the fight and all its windows, in order.
        players: The known players by seat, newly made for this game. They receive everything that their seat saw, and
            are asked for their policy wherever their seat had a choice. Players with memory must have seen the earlier
            fights.
    """
    reason = why_unsupported(game)
    if reason is not None:
        raise SolverError(f"{game.scenario_name!r} cannot be analysed: {reason}.")
    reader = _Reader(game, players or {})
    for window in windows:
        reader.read(window)
    if reader.result is None:
        raise SolverError(f"Expected all windows of a fight of {game.scenario_name!r}, got one without an end.")
    return Fight(reader.rounds, reader.result)


class _Reader:
    """A reader of a fight that tracks hit points, heart dice and choices."""

    def __init__(self, game: HeartRush, players: Mapping[str, Player]) -> None:
        self.game, self.players = game, players
        self.rounds: list[Round] = []
        self.result: float | None = None
        self._seat = {agent: seat for seat, agent in enumerate(game.agents)}
        self._hp = [sheet.hp_now for sheet in game.scenario.fighters]
        self._hearts = [sheet.heart_now for sheet in game.scenario.fighters]
        self._number = 0
        for player in players.values():
            player.new_fight()

    def read(self, window: Window) -> None:
        """Read the next window."""
        mixes: list[Floats | None] = [None, None]
        for agent, player in self.players.items():
            if agent in window.actions:
                self._ask(agent, player, window, mixes)
        for event in window.events:
            self._follow(event, mixes)
        for player in self.players.values():
            player.observe(window.events)

    def _ask(self, agent: str, player: Player, window: Window, mixes: list[Floats | None]) -> None:
        """Record a known player's policy in the current round, if it has a choice."""
        seen, names, seat = window.observations[agent], self.game.action_names, self._seat[agent]
        mask = seen["action_mask"]
        if np.count_nonzero(mask) < 2:
            return
        chances = np.where(mask != 0, np.asarray(policy_of(player, seen), np.float64), 0.0)
        chances /= chances.sum()
        chosen = names[window.actions[agent]]
        if not chances[window.actions[agent]] > 0:
            raise SolverError(f"{agent} chose {chosen!r}, to which {type(player).__name__} gives the probability 0.")
        if chosen.startswith("stance "):
            mixes[seat] = np.array([chances[names.index(f"stance {stance}")] for stance in STANCES])
        elif chosen in ("shrug", "take"):
            self.rounds[-1].shrugs = float(chances[names.index("shrug")])
        elif mask[names.index("attack 1")]:
            self.rounds[-1].strikes[seat] = float(1.0 - chances[names.index("pass")])

    def _follow(self, event: Event, mixes: list[Floats | None]) -> None:
        """Apply an event."""
        kind = event["type"]
        if kind == "round":
            self._number = event["round"]
        elif kind == "reveal":
            first, other = (STANCES.index(event["stances"][agent]) for agent in self.game.agents)
            hp, hearts = (self._hp[0], self._hp[1]), (self._hearts[0], self._hearts[1])
            self.rounds.append(Round(self._number, hp, hearts, (first, other), mixes=list(mixes)))
        elif kind == "attack":
            now = self.rounds[-1]
            now.attacks[self._seat[event["attacker"]]] = 1
            if event["mutual"]:
                now.attacks = [1, 1]
            if event["hurt"] is not None and event["damage"] > 0:
                now.hurt, now.damage = self._seat[event["hurt"]], event["damage"]
        elif kind == "shrug":
            self.rounds[-1].shrugged = True
            self._hearts[self._seat[event["fighter"]]] = event["heart_to"]
        elif kind == "damage":
            self._hp[self._seat[event["fighter"]]] = event["hp"]
        elif kind == "end":
            teams = self.game.teams
            self.result = float((teams[0] in event["winners"]) - (teams[1] in event["winners"]))


def stances_taken(fight: Fight, seat: int) -> list[str]:
    """Return a seat's stances, in order."""
    return [STANCES[now.stances[seat]] for now in fight.rounds]
