"""The kernel that values squares agrees with a plain reading, square by square, in positions of random fights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from heartrush_agents.heart_rush.tactics.constants import USUAL
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout, layout_of
from heartrush_agents.heart_rush.tactics.matchup import matchups_of
from heartrush_agents.heart_rush.tactics.positioning import Judge, Positioning, View, judge_of, moves_of
from heartrush_agents.heart_rush.tactics.rounds import SLIGHT
from heartrush_agents.heart_rush.tactics.squares import DASH, MOVE, STAY
from heartrush_agents.heart_rush.tactics.terrain import Body, Ground

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield
from heartrush_env.games.heart_rush.scenario.settings import Settings
from tests.reference.squares import Reading

PRICES = [0.05, 0.02, 0.03, -0.01]
FACTS = ("dealt", "lost", "risk", "nearest", "blows", "fall", "crowded")
STEEP = {  # heights, water and a deadly edge, with a wide fighter, bows, thrown weapons and a pike
    "name": "steep", "victory": "last_standing", "heroes": ["blue", "red"],
    "battlefield": {
        "map": ["..h..v.....^", ".~~..v..#..^", ".~w....,#..^", "....l..,....", "..,...s..+..", "v........#.."],
        "drop": 30, "light": "dim",
    },
    "fighter": [
        {"from": "young_dragon", "team": "blue", "at": [0, 0]},
        {"from": "archer", "team": "blue", "at": [0, 3]},
        {"from": "knight", "team": "blue", "at": [3, 5]},
        {"from": "spear_guard", "team": "red", "weapon": "pike", "shield": "none", "at": [6, 3]},
        {"from": "rogue", "team": "red", "weapon": "throwing_knives", "at": [11, 0]},
        {"from": "knight", "team": "red", "at": [4, 4], "conditions": {"off_balanced": 2}},
    ],
}  # fmt: skip


def positions(game: HeartRush, windows: int, seed: int) -> Iterator[tuple[Any, Any]]:
    """Yield the observation and mask of each seat that may dash, in some windows of random fights."""
    dashes = np.array([name.startswith("dash ") for name in game.action_names])
    batch, chance = game.batch(1), np.random.default_rng(seed)
    batch.start([0], seed, [0])
    for _ in range(windows):
        masks = batch.masks[0]
        for seat in np.flatnonzero(masks[:, dashes].any(axis=1)).tolist():
            yield batch.observations[0, seat].copy(), masks[seat].copy()
        batch.step((masks * chance.random(masks.shape)).argmax(axis=1)[None])


def judged(game: HeartRush) -> tuple[MapLayout, Positioning]:
    """Return a game's layout and its evaluation of moves."""
    layout = layout_of(game)
    assert isinstance(layout, MapLayout)
    return layout, Positioning(layout, matchups_of(game), game.scenario.settings)


def plain(game: HeartRush, view: View) -> Reading:
    """Return the plain reading of a view."""
    field = game.scenario.battlefield
    assert field is not None
    return Reading(field, game.scenario.settings, view, USUAL.push, USUAL.fear)


def everywhere(layout: MapLayout, view: View) -> Any:
    """Return a move to each square on which the fighter fits, by a dash and by a step."""
    own, rows, columns = view.own, *layout.ground.shape
    squares = [(x, y) for y in range(rows - own.side + 1) for x in range(columns - own.side + 1)]
    return np.array([(0, x - own.x, y - own.y, kind) for kind in (DASH, STAY) for x, y in squares], MOVE)


@pytest.mark.parametrize("scenario", ["tower", STEEP, pytest.param("skirmish", marks=pytest.mark.long)])
def test_each_fact_of_each_square_is_that_of_the_plain_reading(scenario: Any) -> None:
    game = HeartRush(scenario)
    layout, positioning = judged(game)
    found = list(positions(game, 60, seed=3))
    for features, _ in found[:: max(1, len(found) // 4)]:
        view = positioning.view(features)
        moves = everywhere(layout, view)
        judge = Judge(layout.ground, len(layout.places), 1, moves, game.scenario.settings)
        facts = judge.facts(view, np.ones(1, np.int8), PRICES, np.inf, USUAL)
        reading = plain(game, view)
        for move, fact in zip(moves, facts, strict=True):
            x, y = view.own.x + int(move.x), view.own.y + int(move.y)
            expected = reading.facts(x, y, dashed=move.kind == DASH)
            assert {name: fact[name] for name in FACTS} == pytest.approx(expected, abs=1e-12), (x, y)


@pytest.mark.parametrize(
    ("scenario", "windows"),
    [
        ("skirmish", 12), (STEEP, 30),
        *(pytest.param(name, 60, marks=pytest.mark.long) for name in ("bridge", "tower", "dragon", "warband")),
        *(pytest.param(f"random:{seed}", 60, marks=pytest.mark.long) for seed in range(6)),
    ],
)  # fmt: skip
def test_it_chooses_the_move_that_the_plain_reading_chooses(scenario: Any, windows: int) -> None:
    game = HeartRush(scenario)
    layout, positioning = judged(game)
    judge, moves = judge_of(layout, game.scenario.settings), moves_of(layout)
    for features, mask in positions(game, windows, seed=4):
        view = positioning.view(features)
        best, chosen = judge.best(view, mask, PRICES, 3, USUAL)
        reading = plain(game, view)
        walks = reading.walks(view.own.side, view.own)
        worth = [
            reading.worth(move, PRICES, care=view.care, nearer=USUAL.nearer, crowded=USUAL.crowded)
            if move.kind == STAY or (mask[move.action] and may_shoot(view, walks, move, 3))
            else -np.inf
            for move in moves
        ]
        assert best == pytest.approx(max(worth), abs=1e-12)
        assert chosen == next(k for k, value in enumerate(worth) if value >= max(worth) - SLIGHT)


def may_shoot(view: View, walks: dict[tuple[int, int], float], move: Any, most: int) -> bool:
    """Return whether a bow may still be shot after a move, which a long dash rules out."""
    there = view.own.x + int(move.x), view.own.y + int(move.y)
    return move.kind != DASH or view.own.weapon != "ranged" or walks.get(there, np.inf) + 1 <= most


def test_walking_distances_are_those_of_dijkstra() -> None:
    """Compare all distances on a map of walls, rough ground, doors and an edge, for walkers of one and two squares."""
    rows = ["..,#....", ".#,#.##.", ".#...#..", ".####+#.", "...v....", ".,,,.#.."]
    field = Battlefield(tuple(rows), 10, "bright")
    ground, bare = Ground(field), Reading(field, Settings(), None, 0, 0)
    for side in (1, 2):
        for x, y in ((7, 2), (0, 0), (4, 5)):
            target = Body(x, y, 1, 6, 0, "melee", 1, True, True)
            walks = bare.walks(side, target)
            found = ground.walk(side, x, y, 1)
            assert [[walks.get((x, y), np.inf) for x in range(8)] for y in range(6)] == found.tolist()
