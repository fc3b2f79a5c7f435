"""Duels that tests analyse, and ways to play them that are drawn at random."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.duel import EXCHANGES, Duel
from heartrush_env.research.plain.policy import Policy
from tests.reference.solver import Duelist, Table
from tests.research.duels import game_of

UNEVEN = Duelist(might=6, hp=9, heart=6, weapon=8, damage_type="slashing"), Duelist(cunning=8, hp=7, heart=8, armor=2)
LONG = {"max_rounds": 10_000}


def even_duel(hp: int = 1, **options: Any) -> HeartRush:
    """Two equals with d4s alone: with 1 hp the first hit decides, and might, agility and cunning are alike."""
    return game_of(Duelist(hp=hp), Duelist(hp=hp), **({**LONG, **options}))


def chances(*dice: int, own: int) -> tuple[float, float]:
    """How often the first `own` dice together exceed the others, and the reverse, by all throws."""
    totals = [sum(throw[:own]) - sum(throw[own:]) for throw in product(*(range(1, sides + 1) for sides in dice))]
    return sum(total > 0 for total in totals) / len(totals), sum(total < 0 for total in totals) / len(totals)


STRIKE = chances(4, 4, 4, 4, 4, own=3)[0]  # heart, ability and weapon against heart and ability
CONTEST = sum(chances(4, 4, 4, 4, 4, 4, own=3))  # that somebody is hurt


def random_policy(duel: Duel, seed: int) -> Policy:
    """Any mix, any holding back, and a shrug rule that looks at who attacked whom."""
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
