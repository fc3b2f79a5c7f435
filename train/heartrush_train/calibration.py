"""How strong the enemies are: the levels of an agent, found and measured, and the strengths of all agents.

    levels = calibrate("duelist", HeartRush("duel"))
    write_levels("duelist", levels)

A level is so many mistakes as bring the agent's wins to a target. The yardstick is `uniform`, who takes the three
attacking stances equally often and cannot be read: about what somebody does who has just learnt the rules. Against it
an easy enemy wins one fight in three, a normal one every other, and a hard one plays at its full strength.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from heartrush_agents import AgentError, load
from heartrush_agents.base import AgentLike, Difficulty
from heartrush_agents.difficulty import EASY, HARD, NORMAL, measured_file, weakened
from heartrush_agents.learned.agent import CARD, read_card, shipped
from heartrush_agents.tournament.cross_table import Table, rate
from heartrush_agents.tournament.play import SEED, Progress

from heartrush_env.core.game import Game
from heartrush_env.core.writing import replace_file
from heartrush_train.export import write_card

YARDSTICK: Final = "uniform"
TARGETS: Final = {EASY: 1 / 3, NORMAL: 1 / 2}  # shares of fights won against the yardstick, a draw being half a win
STEPS: Final = 20  # mistakes are looked for in steps of 1/20
PROBES = 1000  # fights of each step that is tried
PANEL: Final = ("uniform", "weighted", "frequency", "markov_1", "tactician")  # of strengths: mixers, readers, the odds

Tell = Callable[[str], None]  # takes a line about what was measured


def calibrate(
    agent: AgentLike,
    game: Game,
    *,
    fights: int = 2000,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
    tell: Tell = lambda line: None,
) -> dict[str, Any]:
    """The levels of an agent as its card holds them: mistakes, temperature, and the wins against two opponents.

    The mistakes of a level are found by halving, with the same dice for every try; then each level is measured against
    the yardstick and against the agent at full strength, in all teams.

    Args:
        agent: At full strength; AgentError where it does not win more than half against the yardstick.
        game: What is fought.
        fights: In which a level is measured against each of the two.
        seed: Of all dice and choices.
        processes: How many work at once; one for each core unless given.
        progress: Called as the fights of each table are done.
        tell: Called with a line for each share that was measured.
    """
    full = load(agent)

    def share(mistakes: int) -> float:
        """What is won with so many twentieths of mistakes."""
        tried = weakened(full, Difficulty(mistakes / STEPS), f"{full.id}@tried")
        table = rate(
            [tried], game, against=[YARDSTICK], fights=PROBES, seed=seed, processes=processes, progress=progress
        )
        found = table.mean(tried.id).score
        tell(f"{full.id} with {mistakes / STEPS:.0%} mistakes wins {found:.1%} against {YARDSTICK}.")
        return found

    found = {**{level: nearest(share, target) for level, target in TARGETS.items()}, HARD: 0}
    if not found[EASY] > found[NORMAL] > found[HARD]:
        raise AgentError(
            f"{full.id!r} gets no levels on {game.scenario_name!r}: at full strength it does not win enough against "
            f"{YARDSTICK!r}, needed: clearly more than half."
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
        "command": f"heartrush calibrate {full.id}",
        **_how(table),
        "targets": {level: _percent(target) for level, target in TARGETS.items()},
        "levels": {
            level: {
                "mistakes": difficulty.mistakes,
                "temperature": difficulty.temperature,
                "against": {id: _interval(table, weaker[level].id, id) for id in against},
            }
            for level, difficulty in levels.items()
        },
    }


def nearest(share: Callable[[int], float], target: float, most: int = STEPS) -> int:
    """Where a falling function of 0 to `most` comes nearest to a target, asked at as few places as it takes."""
    asked: dict[int, float] = {}

    def at(place: int) -> float:
        if place not in asked:
            asked[place] = share(place)
        return asked[place]

    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if at(middle) > target else (low, middle)
    return min((low, high), key=lambda place: abs(at(place) - target))


def strengths(
    agents: Sequence[AgentLike],
    game: Game,
    *,
    fights: int = 1000,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The wins of each agent against a fixed panel: two who mix, two who read habits, and one who knows the odds."""
    table = rate(agents, game, against=PANEL, fights=fights, seed=seed, processes=processes, progress=progress)
    scores = {row: table.mean(row) for row in reversed(table.rows)}
    return {
        **_how(table),
        "panel": list(PANEL),
        "scores": {
            id: [_percent(score.score), _percent(score.low), _percent(score.high)] for id, score in scores.items()
        },
    }


def _how(table: Table) -> dict[str, Any]:
    return {name: getattr(table, name) for name in ("scenario", "fights", "match", "seed", "version")}


def _interval(table: Table, row: str, column: str) -> list[float]:
    score = table.cell(row, column)
    assert score is not None
    return [_percent(number) for number in (score.score, score.low, score.high)]


def _percent(share: float) -> float:
    return round(100 * share, 1)


# -- where it is written -----------------------------------------------------------------------------------------------


def place_of(id_or_folder: str) -> Path:
    """The card of a trained agent, or the file for the other agents of the package."""
    folder = shipped().get(id_or_folder, Path(id_or_folder))
    return folder / CARD if (folder / CARD).is_file() else measured_file()


def write_levels(id_or_folder: str, levels: dict[str, Any]) -> Path:
    """Put an agent's levels where `load` finds them; returns the file."""
    place = place_of(id_or_folder)
    if place.name == CARD:
        write_card(place.parent, {**read_card(place.parent), "levels": levels})
    else:
        _change(lambda measured: {**measured, "agents": {**measured.get("agents", {}), id_or_folder: levels}})
    return place


def write_strengths(found: dict[str, Any]) -> Path:
    """Put the strengths where `heartrush play` finds them; returns the file."""
    return _change(lambda measured: {**measured, "strengths": found})


def _change(how: Callable[[dict[str, Any]], dict[str, Any]]) -> Path:
    place = measured_file()
    before = json.loads(place.read_text(encoding="utf-8")) if place.is_file() else {}
    replace_file(place, (json.dumps(how(before), indent=2) + "\n").encode())
    return place
