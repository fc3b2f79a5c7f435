"""Duels that tests analyse, and random policies for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.duel import EXCHANGES, Duel
from heartrush_env.research.plain.policy import Policy
from tests.reference.solver import Duelist, Table
from tests.research.duels import LONG, UNEVEN, chances, game_of


def even_duel(hp: int = 1, **options: Any) -> HeartRush:
    """Return a duel of equals with only d4s; at 1 hp the first hit decides, and attacking stances are equally good."""
    return game_of(Duelist(hp=hp), Duelist(hp=hp), **({**LONG, **options}))


STRIKE = chances(4, 4, 4, 4, 4, own=3)[0]  # heart, ability and weapon against heart and ability
CONTEST = sum(chances(4, 4, 4, 4, 4, 4, own=3))  # the probability that a fighter is hurt


def random_policy(duel: Duel, seed: int) -> Policy:
    """Return a policy with random mixes, random holding back, and random shrugs that depend on who attacked whom."""
    rng = np.random.default_rng(seed)
    stances = rng.dirichlet(np.ones(len(STANCES)), duel.shape)
    free = rng.random if duel.free else np.ones
    attacks = np.asarray(free((*duel.shape, len(STANCES), len(STANCES))), np.float32)
    shrugs = rng.random((*duel.shape, len(EXCHANGES), len(duel.halves)), np.float32)
    return Policy(duel, stances, attacks, shrugs)


GAMES = {
    "without a cap": game_of(*UNEVEN, **LONG),
    "mutual contests": game_of(*UNEVEN, Table(mutual=True), **LONG),
    "stances alone": game_of(*UNEVEN, **LONG, decisions="stance"),
    "a cap that counts": game_of(*UNEVEN, Table(mutual=True, by_hp=True), max_rounds=5),
}
