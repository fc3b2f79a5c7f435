"""Where the tactician goes on maps, in drawn positions; each shows a cause of fights that used to stand still."""

from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heart_rush.tactics.constants import USUAL
from heartrush_agents.heart_rush.tactics.default_policy import BUSY, QUIET, MapLayout, layout_of
from heartrush_agents.heart_rush.tactics.matchup import matchups_of
from heartrush_agents.heart_rush.tactics.odds import strike_outside
from heartrush_agents.heart_rush.tactics.pairs import pairing_of
from heartrush_agents.heart_rush.tactics.positioning import Judge, Positioning, View
from heartrush_agents.heart_rush.tactics.squares import DASH, MOVE

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation
from tests.agents.heart_rush.tactics.test_tactician import changed_by
from tests.agents.seats import STANCES, begun, seen_by
from tests.agents.test_on_maps import choice, scene

EVEN = {"might": 6, "agility": 6, "cunning": 6}


def map_layout(game: HeartRush) -> MapLayout:
    """Return the layout of a game on a map."""
    layout = layout_of(game)
    assert isinstance(layout, MapLayout)
    return layout


def dashes_to(game: HeartRush, *squares: tuple[int, int], seat: int = 0) -> tuple[View, Any]:
    """Return what this seat sees at the start, and the facts about a dash to each of these squares, (squares,)."""
    layout, settings = map_layout(game), game.scenario.settings
    view = Positioning(layout, matchups_of(game), settings).view(seen_by(begun(game), seat)["observation"])
    moves = np.array([(0, x - view.own.x, y - view.own.y, DASH) for x, y in squares], MOVE)
    judge = Judge(layout.ground, len(layout.places), 1, moves, settings)
    return view, judge.facts(view, np.ones(1, np.int8), [0.0] * 4, np.inf, USUAL)


@pytest.mark.parametrize("who", ["knight", "rogue", "spear_guard", "ogre", "skeleton"])
def test_two_alike_two_squares_apart_do_not_wait_for_each_other(who: str) -> None:
    game = scene(["." * 12] * 5, (who, "blue", (2, 2)), (who, "red", (4, 2)))
    assert choice("tactician", game).startswith("dash")


@pytest.mark.parametrize(("at", "door"), [((2, 0), "door s"), ((2, 2), "door n")])
def test_it_opens_a_door_that_keeps_it_from_going_around_a_corner(at: tuple[int, int], door: str) -> None:
    """No fighter goes from (2, 0) to the open door at (3, 1) between a wall and the closed door at (2, 1)."""
    game = scene(["...#....", "..+/....", "...#....", "...#...."], ("knight", "blue", at), ("knight", "red", (6, 0)))
    assert choice("tactician", game) == door


def test_who_can_strike_does_not_move_to_an_equal_square() -> None:
    game = scene(["." * 12] * 5, ("knight", "blue", (3, 2)), ("knight", "red", (4, 2)))
    assert choice("tactician", game) == "pass"


def test_a_wide_fighter_stays_at_a_gap_that_it_cannot_pass() -> None:
    """Every place is infinitely far from the archer for the dragon, which fills 2 by 2 squares."""
    rows = [".......#.......", "...............", ".......#.......", ".......#......."]
    dragon, archer = ("young_dragon", "blue"), ("archer", "red", (14, 1))
    near, far = (scene(rows, (*dragon, at), archer) for at in ((5, 0), (0, 0)))
    assert near.scenario.fighters[0].side == 2
    assert choice("tactician", near) == "pass"
    assert choice("tactician", far).startswith("dash 5,")


@pytest.mark.parametrize(("shown", "reply"), [("might", "agility"), ("agility", "cunning"), ("cunning", "might")])
def test_it_answers_the_stances_that_an_enemy_has_shown(shown: str, reply: str) -> None:
    sheet = {**EVEN, "armor": "none", "shield": "none"}
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1), sheet), ("knight", "red", (2, 1), sheet))
    seen = showing(game, shown)
    player = load("tactician").seat(game)
    assert game.action_names[int(player.policy(seen).argmax())] == f"stance {reply}"


def showing(game: HeartRush, stance: str) -> Observation:
    """Return a stance window in which the enemy has shown this stance in all of its last eight rounds."""
    mask = np.array([name.startswith("stance ") for name in game.action_names], np.int8)
    shown = {f"enemy__1__reveal {k} {stance}": 1.0 for k in range(1, 9)}
    return {**changed_by(game, seen_by(begun(game)), **shown), "action_mask": mask}


def test_expected_stances_by_hand() -> None:
    """Eight rounds in might and one of each attacking stance make 9, 1 and 1 of 11; without a map it stays even."""
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1)), ("knight", "red", (2, 1)))
    expects = map_layout(game).expects(showing(game, "might")["observation"][None])[0, 0]
    assert expects.tolist() == pytest.approx([9 / 11, 1 / 11, 1 / 11, 0, 0])
    duel = HeartRush("duel")
    expects = layout_of(duel).expects(showing(duel, "might")["observation"][None])[0, 0]
    assert expects.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0, 0])


def test_the_latest_stances_that_an_enemy_has_shown_weigh_most() -> None:
    """By hand: rounds weigh 1, 0.8, 0.64 ..., 4.161 in all; four in might have 2.952 of it, or 5.675 of 8 rounds."""
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1)), ("knight", "red", (2, 1)))
    shown = {f"enemy__1__reveal {k} {'might' if k <= 4 else 'cunning'}": 1.0 for k in range(1, 9)}
    seen = changed_by(game, seen_by(begun(game)), **shown)["observation"]
    expects = map_layout(game).expects(seen[None])[0, 0]
    assert expects.tolist() == pytest.approx([6.675 / 11, 1 / 11, 3.325 / 11, 0, 0], abs=1e-3)


def test_the_modeller_weighs_the_latest_rounds_like_all_others() -> None:
    """By hand: 30 rounds in agility count as the 8 latest, in might; with one for each stance, 9, 9 and 1 of 19."""
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1)), ("knight", "red", (2, 1)))
    player: Any = load("modeller").seat(game)
    player._history.memories[0].counts[1, STANCES.index("agility")] = 30
    expects = player._expects(showing(game, "might")["observation"][None])[0, 0]
    assert expects.tolist() == pytest.approx([9 / 19, 9 / 19, 1 / 19, 0, 0])


def test_a_stance_that_is_struck_dirty_each_round_is_given_up() -> None:
    """Choose cunning, which agility cannot strike at all, although five levels of dazed leave it little to strike with.

    In might, the knight would lose no hit points to the guard's attacks, but a d4 to each of its dirty strikes.
    """
    dazed = {"hp_now": 13, "conditions": {"dazed": 5}}
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1), dazed), ("spear_guard", "red", (2, 1)))
    policy = load("tactician").seat(game).policy(showing(game, "agility"))
    assert game.action_names[int(policy.argmax())] == "stance cunning"


def test_patience_ends_in_quiet_rounds_and_lasts_in_busy_ones() -> None:
    game = scene(["." * 6] * 3, ("knight", "blue", (1, 1)), ("knight", "red", (2, 1)))
    layout, start = map_layout(game), seen_by(begun(game))
    found = []
    for round, share in ((1, 1.0), (QUIET, 1.0), (QUIET, 0.5), (QUIET + BUSY, 0.0)):
        seen: Any = changed_by(game, start, enemy__1__hp_share=share)["observation"]
        layout.round.write(seen, round)
        found.append(float(layout.patience(seen)))
    assert found == pytest.approx([1 - 1 / QUIET, 0, BUSY / 2 / QUIET, 0])


def test_a_way_past_a_guard_costs_the_blow_that_it_draws() -> None:
    """In two rows each way past the guard in column 4 leads through its reach; up to its reach, the way is free."""
    game = scene(["." * 9] * 2, ("knight", "blue", (0, 1)), ("knight", "red", (4, 0)))
    view, facts = dashes_to(game, (2, 1), (3, 1), (6, 1))
    blow = strike_outside(pairing_of(view.pairs[0]).turned(), game.scenario.settings).max()
    assert facts["blows"].tolist() == pytest.approx([0, 0, blow])
    assert blow > 0


def test_of_two_allies_the_nearer_has_the_square() -> None:
    """Leave columns 4 and 5 to the knight in column 2, which is nearer to them than the knight in column 0."""
    allies = ("knight", "blue", (0, 1)), ("knight", "blue", (2, 1))
    game = scene(["." * 9] * 3, *allies, ("ogre", "red", (6, 0)))
    for seat, crowded in enumerate(([0, 1, 1], [1, 0, 0])):
        assert dashes_to(game, (0, 0), (5, 1), (4, 1), seat=seat)[1]["crowded"].tolist() == crowded


def test_a_dash_evades_a_guard_only_if_there_is_room() -> None:
    """Pass the guard in column 4, who threatens columns 3 to 5, out of its reach in four rows but not in two."""
    for rows, y, free in ((2, 1, 4), (4, 2, 7)):  # in column 3 it may stop at once; six squares at most
        game = scene(["." * 9] * rows, ("knight", "blue", (0, 1), {"speed": 30}), ("knight", "red", (4, 0)))
        view, facts = dashes_to(game, *((x, y) for x in range(9)))
        assert view.own.speed == 6
        assert (facts["blows"] == 0).tolist() == [True] * free + [False] * (9 - free)


@pytest.mark.parametrize(
    ("conditions", "costs"), [({"off_balanced": 1}, True), ({}, False), ({"off_balanced": 1, "prone": 1}, False)]
)
def test_a_place_beside_an_enemy_costs_who_may_be_tripped_there(conditions: dict[str, int], costs: bool) -> None:
    fighters = ("knight", "blue", (1, 3), {"conditions": conditions}), ("duelist", "red", (1, 1), {})
    beside, away = dashes_to(scene(["......"] * 6, *fighters), (2, 2), (5, 5))[1]["fall"]
    assert (beside > 0) == costs and away == 0
