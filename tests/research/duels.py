"""Small duels that tests solve, in the formats of the package and of the slow reference, and common checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, load
from heartrush_agents.base import Player
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.tournament.play import LOSS, WIN

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import best_response, head_to_head, read_policies
from heartrush_env.research.levels.duel import LevelsDuel
from heartrush_env.research.solve import read_duel
from tests.reference.solver import Duelist, Table

SIZES = {12: "heavy", 8: "light", 4: "ultralight"}
UNEVEN = Duelist(might=6, hp=9, heart=6, weapon=8, damage_type="slashing"), Duelist(cunning=8, hp=7, heart=8, armor=2)
LONG = {"max_rounds": 10_000}


def game_of(first: Duelist, second: Duelist, table: Table | None = None, **options: Any) -> HeartRush:
    """Return the game of the reference's duelists; `options` are fields of the scenario, `rules` or `decisions`."""
    table = table or Table()
    decisions = options.pop("decisions", "full")
    heroes = [team for duelist, team in ((first, "blue"), (second, "red")) if duelist.fights_on]
    scenario = {
        "victory": "last_standing" if heroes else "first_down",
        **({"heroes": heroes} if heroes else {}),
        "round_cap": "hp" if table.by_hp else "draw",
        "rules": rules_of(table) | options.pop("rules", {}),
        "fighter": [fighter(first, "ann", "blue"), fighter(second, "bob", "red")],
    }
    return HeartRush(scenario | options, decisions=decisions, memory=0)


def fighter(duelist: Duelist, id: str, team: str) -> dict[str, Any]:
    kinds = {"attack_type": duelist.attack_type, "damage_type": duelist.damage_type}
    return {
        "id": id,
        "team": team,
        "presence": 4,
        **{word: getattr(duelist, word) for word in ("might", "agility", "cunning", "heart", "hp")},
        "weapon": {"size": SIZES[duelist.weapon], "natural": True, **kinds},
        "defense_bonus": duelist.armor,
    }


def rules_of(table: Table) -> dict[str, Any]:
    """Return the rule settings that are equivalent to the reference's table."""
    return {
        "profile": "plain",
        "contested": "mutual" if table.mutual else "if_able",
        "armor_in_contest": table.armor_in_contest,
        "defensive_is_beaten": table.defensive_is_beaten,
    }


def levels_duel_of(game: HeartRush) -> LevelsDuel:
    """Return the numbers of a duel with levels."""
    duel = read_duel(game)
    assert isinstance(duel, LevelsDuel)
    return duel


def chances(*dice: int, own: int) -> tuple[float, float]:
    """Return the probabilities that the sum of the first `own` dice exceeds that of the others, and the reverse."""
    totals = [sum(throw[:own]) - sum(throw[own:]) for throw in product(*(range(1, sides + 1) for sides in dice))]
    return sum(total > 0 for total in totals) / len(totals), sum(total < 0 for total in totals) / len(totals)


class Watcher(Player):
    """A player that records its observations and mixes all legal actions evenly."""

    def __init__(self, game: HeartRush) -> None:
        super().__init__(game)
        self.seen: set[tuple[bytes, bytes]] = set()

    def policies(self, features: np.ndarray, masks: np.ndarray) -> np.ndarray:
        self.seen |= {(row.tobytes(), mask.tobytes()) for row, mask in zip(features, masks, strict=True)}
        return masks / masks.sum(axis=1, keepdims=True)

    def policy(self, observation: dict[str, np.ndarray]) -> np.ndarray:  # type: ignore[override]
        return self.policies(observation["observation"][None], observation["action_mask"][None])[0]


def check_all_was_seen(watcher: Watcher, seat: int, steps: int) -> int:
    """Check that a watcher has seen every observation of its seat in real fights that asks for a choice that matters.

    Returns:
        The number of these observations.
    """
    game = watcher.game
    fights, rng, asked = game.batch(64), np.random.default_rng(3), 0
    fights.start(range(64), 11, range(64))
    hp, hit = (game.feature_names.index(f"self {word}") for word in ("hp", "hit"))
    for _ in range(steps):
        for features, mask in zip(fights.observations[:, seat], fights.masks[:, seat], strict=True):
            lost = round(float(features[hit]) * 40)
            if mask.sum() > 1 and (lost + 1) // 2 < round(float(features[hp]) * 40):
                assert (features.tobytes(), mask.tobytes()) in watcher.seen
                asked += 1
        weights = np.where(fights.masks != 0, rng.random(fights.masks.shape), -1)
        fights.step(weights.argmax(axis=2), autoreset=True)
    return asked


def check_best_answers(policies: Sequence[Any]) -> list[float]:
    """Check the claimed values of best responses by evaluating the responses, and return the values of both seats."""
    answers = [best_response(policy) for policy in policies]
    first, second = answers
    assert head_to_head(policies[0], first.policy) == pytest.approx(-first.value, abs=1e-9)
    assert head_to_head(second.policy, policies[1]) == pytest.approx(second.value, abs=1e-9)
    return [answer.value for answer in answers]


def worth_against(agent: Agent, opponents: Sequence[str], solved: Any) -> dict[str, tuple[float, float]]:
    """Return an agent's exact results against each opponent, in the first seat and in the second."""
    own, *others = (read_policies(load(id).seat(solved.duel.game), solved) for id in (agent.id, *opponents))
    return {
        id: (head_to_head(own[0], theirs[1]), -head_to_head(theirs[0], own[1]))
        for id, theirs in zip(opponents, others, strict=True)
    }


def check_pay(
    agent: Agent, game: HeartRush, exact: Mapping[str, tuple[float, float]], fights: int, least: float = 1e-9
) -> None:
    """Check in fights that the mean result in each seat lies within four standard errors of the exact one.

    Args:
        agent: The agent.
        game: The duel.
        exact: The exact results against each opponent, in the first seat and in the second.
        fights: The number of fights against each opponent.
        least: The smallest variance to assume.
    """
    rated = rate([agent], game, against=list(exact), fights=fights, match=1, processes=1)
    for opponent, results in exact.items():
        for place, result in enumerate(results):
            counts = rated.outcomes[agent.id, opponent][:, place].sum(axis=0)
            error = np.sqrt(max(least, 1 - result**2) / counts.sum())
            assert (counts[WIN] - counts[LOSS]) / counts.sum() == pytest.approx(result, abs=4 * error)
