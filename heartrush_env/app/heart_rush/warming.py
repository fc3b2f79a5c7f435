"""The parts that `heartrush machine warm` compiles: a function for each part plays or solves something that uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

WINDOWS = 6  # enough to reach the action phase on a map
WITHOUT_MAP = ("duel", "melee")  # fights of two use record types of their own
EVERY_KIND = (*WITHOUT_MAP, "skirmish")


def _fights() -> None:
    for scenario in WITHOUT_MAP:
        _play(scenario)
    _weigh_odds()


def _maps() -> None:
    from heartrush_env.games.heart_rush.engine.outlook import cover_around
    from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield

    _play("skirmish")
    cover_around(Battlefield((".",), 10, "bright"), 0, 0, 1, 1)
    _weigh_odds()
    _weigh_squares()


def _classic() -> None:
    for scenario in EVERY_KIND:
        _play(scenario, "classic")


def _stances() -> None:
    from heartrush_env.games.heart_rush.fights import MANY
    from heartrush_env.tabletop.registry import open_game

    for edition in ("june2025", "classic"):
        for settings in ({}, {"profile": "plain"}):  # the default settings, and one example of others
            rules = {"edition": edition, **settings}
            game = open_game({"scenario": "duel", "rules": rules, "decisions": "stance"})
            for observations in game.observation_kinds:
                game.batch(MANY, observations=observations).start([0], 0, [0])


def _abilities() -> None:
    from heartrush_env.games.heart_rush.scenario.load import load_scenario, with_an_ability

    for observations in ("vector", "entities"):
        for scenario in ("duel", "skirmish"):
            _play(with_an_ability(load_scenario(scenario)), observations=observations)


def _entities() -> None:
    for edition in ("june2025", "classic"):
        for scenario in EVERY_KIND:
            _play(scenario, edition, "entities")


def _play(scenario: Any, edition: str = "june2025", observations: str = "vector") -> None:
    """Play some windows of a fight, calling every compiled function that environments use."""
    from heartrush_env.tabletop.registry import open_game

    game = open_game({"scenario": scenario, "rules": {"edition": edition} if isinstance(scenario, str) else {}})
    batch = game.batch(1, record=True, observations=observations)
    batch.start([0], 0, [0])
    for _ in range(WINDOWS):
        batch.step(batch.masks.argmax(axis=2))
    batch.restore(0, batch.snapshot(0))
    batch.state(0)


def _weigh_odds() -> None:
    """Call every compiled function of agents that calculate odds, and of hints."""
    from heartrush_agents.heart_rush.tactics.odds import ASKS_OUTLOOK, attack_sources, odds_of
    from heartrush_agents.heart_rush.tactics.pairs import Fighter, Pairing, records

    from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER, MIGHT
    from heartrush_env.games.heart_rush.scenario.settings import Settings

    anyone = Fighter(*[DIE_LADDER[0]] * len(Fighter._fields))
    attack_sources(anyone, anyone, MIGHT)
    odds_of(Settings()).ask(ASKS_OUTLOOK, records([Pairing(anyone, anyone, 1, 1)]))


def _weigh_squares() -> None:
    """Call every compiled function of agents that choose where to go on a map."""
    from heartrush_agents import load

    from heartrush_env.tabletop.registry import open_game

    game = open_game({"scenario": "skirmish"})
    batch = game.batch(1)
    batch.start([0], 0, [0])  # in the first window, fighters move
    seen: Any = {"observation": batch.observations[0, 0], "action_mask": batch.masks[0, 0]}
    load("tactician").seat(game).policy(seen)


def _solver() -> None:
    """Solve the smallest duels that each solver supports."""
    from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
    from heartrush_env.research.best_response import exploitability
    from heartrush_env.research.full_rules.solve import solve_by_play
    from heartrush_env.research.solve import solve
    from heartrush_env.research.teams.one_v_two import solve_team
    from heartrush_env.tabletop.registry import open_game

    boar, fox, wolf = (
        {"id": id, "team": team, "might": 4, "agility": 4, "cunning": 4, "presence": 4, "heart": 4, "hp": 1,
         "weapon": "dagger"}
        for id, team in (("boar", "blue"), ("fox", "red"), ("wolf", "red"))
    )  # fmt: skip
    duel = {"victory": "first_down", "max_rounds": 2, "fighter": [boar, fox]}

    def game(**fields: Any) -> HeartRush:
        return as_heart_rush(open_game({"scenario": {**duel, **fields}, "memory": 0}))

    for profile in ("plain", "levels"):
        exploitability(solve(game(rules={"profile": profile})))
    solve_by_play(game(), rounds=1)
    solve_team(game(fighter=[boar, fox, wolf], rules={"profile": "plain"}))


PARTS: dict[str, tuple[str, Callable[[], None]]] = {
    "fights": ("fights without a map", _fights),
    "maps": ("fights on maps", _maps),
    "abilities": ("fights with abilities", _abilities),
    "classic": ("fights of the classic edition", _classic),
    "stances": ("many duels of stances, as for training", _stances),
    "entities": ("observations as entities", _entities),
    "solver": ("the solver", _solver),
}
IN_LIBRARY = tuple(part for part in PARTS if part != "solver")
