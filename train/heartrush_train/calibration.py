"""Calibration of an agent's difficulty levels, and measurement of the strength of all agents.

    levels = calibrate("duelist", open_game({"scenario": "duel"}))
    write_levels("duelist", levels)

A level is the rate of mistakes that brings the agent's win rate to a target. The yardstick is `uniform`, an agent that
takes the three attacking stances equally often. It is unpredictable, and about as good as a person who has just learned
the rules. Against it, an easy enemy wins 1 fight in 3 and a normal enemy 1 in 2; a hard enemy plays at full strength.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from heartrush_agents import AgentError, load
from heartrush_agents.base import AgentLike, Difficulty
from heartrush_agents.difficulty import EASY, HARD, NORMAL, TEN_LEVELS, measured_file, weakened
from heartrush_agents.heart_rush.characters.levels import HABITS
from heartrush_agents.heart_rush.characters.style_metrics import distance, looks, mixes, situations
from heartrush_agents.learned.agent import CARD, read_card, shipped
from heartrush_agents.registry import told
from heartrush_agents.tournament.cross_table import Table, rate
from heartrush_agents.tournament.play import SEED, Progress

from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.writing import replace_file
from heartrush_train.export import in_percent, percent, write_card

YARDSTICK: Final = "uniform"
TARGETS: Final = {EASY: 1 / 3, NORMAL: 1 / 2}  # win rates against the yardstick; a draw counts half
STEPS: Final = 20  # rates of mistakes are multiples of 1/20
PROBES = 1000  # fights for each candidate rate
MATCH: Final = 3  # fights in which a character can learn an opponent's habits
OPPONENT: Final = "tactician"  # opponent in the fights that show a personality
PANEL: Final = ("uniform", "weighted", "frequency", "markov_1", "tactician")  # the opponents of `strengths`

Report = Callable[[str], None]  # receives one line about a measurement


def calibrate(
    agent: AgentLike,
    game: Game,
    *,
    fights: int = 2000,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
    report: Report = lambda line: None,
) -> dict[str, Any]:
    """Measure an agent's levels, in the format of its card: mistakes, temperature, and scores against two opponents.

    A bisection finds the rate of mistakes of each level, with the same dice for every step. Then each level is measured
    against the yardstick and against the agent at full strength, on every team.

    Args:
        agent: The agent at full strength.
        game: The game to measure on.
        fights: Number of fights for each level and opponent.
        seed: Seed of all dice and choices.
        processes: Number of worker processes; one per core by default.
        progress: Called as the fights of each table finish.
        report: Called with one line for each measured win rate.

    Raises:
        AgentError: The agent wins no more than half of its fights against the yardstick.
    """
    full = load(agent)

    def share(mistakes: int) -> float:
        """Return the win rate with a mistake rate of `mistakes` / `STEPS`."""
        tried = weakened(full, Difficulty(mistakes / STEPS), f"{full.id}@tried")
        table = rate(
            [tried], game, against=[YARDSTICK], fights=PROBES, seed=seed, processes=processes, progress=progress
        )
        found = table.mean(tried.id).score
        report(f"{full.id} with {mistakes / STEPS:.0%} mistakes wins {found:.1%} against {YARDSTICK}.")
        return found

    found = {**{level: nearest(share, target) for level, target in TARGETS.items()}, HARD: 0}
    if not found[EASY] > found[NORMAL] > found[HARD]:
        raise AgentError(
            f"{full.id!r} cannot have levels on {game.scenario_name!r}: at full strength it does not win enough "
            f"against {YARDSTICK!r}; it must win clearly more than half."
        )
    levels = {level: Difficulty(mistakes / STEPS) for level, mistakes in found.items()}
    weaker = {level: weakened(full, difficulty, f"{full.id}@{level}") for level, difficulty in levels.items()}
    table = rate(
        list(weaker.values()),
        game,
        against=[YARDSTICK, full],
        fights=fights,
        seed=seed,
        processes=processes,
        progress=progress,
    )
    against = (YARDSTICK, full.id)
    return {
        "command": f"heartrush agent calibrate {full.id}",
        **_how(table),
        **({} if game.name == DEFAULT_GAME else {"game": game.name}),
        "targets": {level: percent(target) for level, target in TARGETS.items()},
        "levels": {
            level: {
                "mistakes": difficulty.mistakes,
                "temperature": difficulty.temperature,
                "against": {id: _cell(table, weaker[level].id, id) for id in against},
            }
            for level, difficulty in levels.items()
        },
    }


def ten_levels(
    agent: AgentLike,
    game: Game,
    *,
    fights: int = 2000,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure ten levels of an agent, from mistakes in nine decisions of ten to none, against its game's yardstick.

    Args:
        agent: The agent at full strength.
        game: The game to measure on.
        fights: Number of fights for each level.
        seed: Seed of all dice and choices; all levels get the same.
        processes: Number of worker processes; one per core by default.
        progress: Called as fights finish.
    """
    full, yardstick = load(agent), told(game.name, "YARDSTICK", YARDSTICK)
    levels = {level: Difficulty(1 - int(level) / len(TEN_LEVELS)) for level in TEN_LEVELS}
    weaker = {level: weakened(full, difficulty, f"{full.id}@{level}") for level, difficulty in levels.items()}
    how: dict[str, Any] = {"fights": fights, "seed": seed, "processes": processes, "progress": progress}
    table = rate(list(weaker.values()), game, against=[yardstick], **how)
    return {
        "command": f"heartrush agent calibrate {full.id}",
        **_how(table),
        "game": game.name,
        "levels": {
            level: {
                "mistakes": round(difficulty.mistakes, 1),
                "temperature": difficulty.temperature,
                "against": {yardstick: _cell(table, weaker[level].id, yardstick)},
            }
            for level, difficulty in levels.items()
        },
    }


def nearest(share: Callable[[int], float], target: float, most: int = STEPS) -> int:
    """Find by bisection the step from 0 to `most` at which a decreasing function is closest to a target."""
    shares: dict[int, float] = {}

    def at(step: int) -> float:
        if step not in shares:
            shares[step] = share(step)
        return shares[step]

    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at(middle) > target else (low, middle)
    return min((low, high), key=lambda step: abs(at(step) - target))


def strengths(
    agents: Sequence[AgentLike],
    game: Game,
    *,
    fights: int = 1000,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure the win rate of each agent against a fixed panel.

    The panel has two mixers, two readers of habits, and one agent that calculates the odds of the dice. Win rates are
    percentages, each with the ends of its 95 % confidence interval.
    """
    table = rate(agents, game, against=PANEL, fights=fights, seed=seed, processes=processes, progress=progress)
    return {
        **_how(table),
        "panel": list(PANEL),
        "scores": {row: in_percent(table.mean(row)) for row in reversed(table.rows)},
    }


def _how(table: Table) -> dict[str, Any]:
    return {name: getattr(table, name) for name in ("scenario", "fights", "match", "seed", "version")}


def _cell(table: Table, row: str, column: str) -> list[float]:
    score = table.cell(row, column)
    assert score is not None
    return in_percent(score)


# -- characters --------------------------------------------------------------------------------------------------------


def character_levels(
    id: str,
    game: Game,
    *,
    levels: Sequence[str] = TEN_LEVELS,
    fights: int = 1200,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Measure the win rates of a character's levels against the panel of habits, in percent, with 95 % intervals.

    Args:
        id: The character.
        game: The game to measure on.
        levels: The levels to measure.
        fights: Number of fights for each level, divided among the panel.
        seed: Seed of all dice and choices; all levels get the same.
        processes: Number of worker processes; one per core by default.
        progress: Called as fights finish.
    """
    agents = [load(id, level=level) for level in levels]
    each = max(2, fights // len(HABITS))
    how: dict[str, Any] = {"fights": each, "match": MATCH, "seed": seed, "processes": processes, "progress": progress}
    table = rate(agents, game, against=HABITS, **how)
    return {
        "command": f"heartrush agent calibrate {id} --fights {fights}",
        **_how(table),
        "panel": list(HABITS),
        "levels": {level: in_percent(table.mean(agent.id)) for level, agent in zip(levels, agents, strict=True)},
    }


def personalities(
    ids: Sequence[str], game: Game, map: Game, *, duels: int = 6, fights: int = 10, seed: int = SEED
) -> dict[str, Any]:
    """Measure how much the stance mixes of characters differ, and what happens in their fights on a map.

    Args:
        ids: The characters.
        game: A duel, whose stance windows are the situations of the comparison.
        map: A game on a map; the characters command its second team.
        duels: Number of duels from which the situations are taken.
        fights: Number of fights against the tactician on the map for each character.
        seed: Seed of all dice and choices.
    """
    met = situations(game, load(YARDSTICK), duels, seed)
    played = {id: mixes(load(id), game, met) for id in ids}
    return {
        "command": f"heartrush agent calibrate personalities --fights {fights}",
        "scenario": game.scenario_name,
        "map": map.scenario_name,
        "duels": duels,
        "fights": fights,
        "seed": seed,
        "situations": sum(len(duel) for duel in met),
        "characters": {
            id: {
                "mix": [round(float(share), 3) for share in played[id].mean(axis=0)],
                "apart": {other: round(distance(played[id], played[other]), 3) for other in ids if other != id},
                **{
                    word: round(number, 3)
                    for word, number in looks(load(id), load(OPPONENT), map, fights, seed).items()
                },
            }
            for id in ids
        },
    }


# -- files -------------------------------------------------------------------------------------------------------------


def place_of(id_or_folder: str) -> Path:
    """Return the file for an agent's levels: its card if it was trained, otherwise the package's common file."""
    folder = shipped().get(id_or_folder, Path(id_or_folder))
    return folder / CARD if (folder / CARD).is_file() else measured_file()


def write_levels(id_or_folder: str, levels: dict[str, Any]) -> Path:
    """Write an agent's levels where `load` finds them, and return the file's path."""
    place = place_of(id_or_folder)
    if place.name == CARD:
        write_card(place.parent, {**read_card(place.parent), "levels": levels})
        return place
    room = levels.get("game", "")  # the levels of an agent of another game are with that game's agents
    return _change(lambda found: {**found, "agents": {**found.get("agents", {}), id_or_folder: levels}}, room)


def write_character(id: str, found: dict[str, Any]) -> Path:
    """Write the measured levels of a character, and return the file's path."""
    return _change(lambda measured: {**measured, "characters": {**measured.get("characters", {}), id: found}})


def write_personalities(found: dict[str, Any]) -> Path:
    """Write the measured personalities, and return the file's path."""
    return _change(lambda measured: {**measured, "personalities": found})


def write_strengths(found: dict[str, Any]) -> Path:
    """Write the strengths where `heartrush play` finds them, and return the file's path."""
    return _change(lambda measured: {**measured, "strengths": found})


def _change(how: Callable[[dict[str, Any]], dict[str, Any]], room: str = "") -> Path:
    place = measured_file(room)
    before = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    replace_file(place, (json.dumps(how(before), indent=2) + "\n").encode())
    return place
