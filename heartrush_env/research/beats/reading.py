"""Policies of players in a duel in beats: as they give them, or read from their answers to all observations.

A player may give its policy in every state by a method `beat_policy(seat)`. Otherwise its policy is read from its
answers to the observations of all states, in duels of three choices alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.research.beats.figures import CHOICES, read_duel
from heartrush_env.research.beats.solve import Plays, Policy
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.game import Game, Player, policies_of, policy_of

REVEALS = tuple(f"{side} {choice} " for side in ("first", "second") for choice in CHOICES)
HP_SCALE, BEAT_SCALE = 20, 50  # of the features


def why_unread(seat: Callable[[Game], Player], game: Game) -> str | None:
    """Return why the policy of a player that `seat` makes cannot be read in a game, as a clause, or None if it can."""
    player = seat(game)
    if hasattr(player, "beat_policy"):
        return None
    if game.rules["duel_profile"] != "plain":
        return "policies are read under the duel_profile plain only"
    return None if player.memory == 0 else f"it remembers past beats (memory {player.memory!r})"


def refuse_unread(name: str, seat: Callable[[Game], Player], game: Game) -> None:
    """Raise SolverError if the policy of a player that `seat` makes cannot be read in a game."""
    reason = why_unread(seat, game)
    if reason is not None:
        raise SolverError(f"{name} cannot be analysed on {game.scenario_name!r}: {reason}.")


def read_policy(player: Player, game: Game, seat: int) -> Policy:
    """Return a player's policy in a seat of a plain duel; raise SolverError if it depends on more than the state."""
    refuse_unread(type(player).__name__, lambda game: player, game)
    given: Any = getattr(player, "beat_policy", None)
    if given is not None:
        found: Policy = given(seat)
        return found
    duel, batch, names = read_duel(game), game.batch(1), list(game.feature_names)
    batch.start([0], 0, [0])
    first, mask = batch.observations[0][seat].copy(), batch.masks[0][seat].copy()
    shown = [names.index(name) for name in ("self hp", "enemy 1 hp", "beat")]
    states = np.argwhere(np.ones((duel.beats, *(it.hp for it in duel.duelists)), np.bool_)) + 1  # left, hp, hp
    rows = np.repeat(first[None], len(states), axis=0)
    hp = states[:, 1:] if seat == 0 else states[:, :0:-1]
    rows[:, shown[:2]] = np.minimum(hp / HP_SCALE, 5.0)
    rows[:, shown[2]] = np.minimum((duel.beats + 1 - states[:, 0]) / BEAT_SCALE, 1.0)
    mixes = _answers(player, game, rows, mask)
    past = [place for place, name in enumerate(names) if name.startswith(REVEALS)]
    rows[:, past] = np.random.default_rng(0).integers(0, 2, (len(rows), len(past)))
    if not np.allclose(mixes, _answers(player, game, rows, mask), atol=1e-6):
        raise SolverError(f"{type(player).__name__} cannot be analysed: its choices depend on past beats.")
    by_left = mixes.reshape(duel.beats, *(1,) * 6, *(it.hp for it in duel.duelists), len(CHOICES))
    return lambda left: Plays(by_left[left - 1])


def _answers(player: Any, game: Game, rows: Any, mask: Any) -> Any:
    """Return a player's mixes of the choices for many observations, (n, choices)."""
    if hasattr(player, "policies"):
        found = policies_of(player, rows, np.repeat(mask[None], len(rows), axis=0))
    else:
        found = np.array([policy_of(player, {"observation": row, "action_mask": mask}) for row in rows])
    mixes = np.asarray(found, np.float64)[:, [game.action_names.index(choice) for choice in CHOICES]]
    return mixes / mixes.sum(axis=1, keepdims=True)
