"""Space: ranges, cover and paths, counted by hand on small maps."""

from __future__ import annotations

import pytest

from heartrush_env.games.heretics.rules.space import blocked_lines
from tests.games.heretics.table import OPEN, Table, at

FIRST = 4


def test_melee_range_is_5_feet_and_10_with_a_reach_weapon_in_two_hands() -> None:
    """An archer at 10 feet is in reach of a halberd, not of a short sword."""
    field = ["....", "....", "...."]
    halberd = Table([at("halberdier", 0, 1)], [at("archer", 2, 1)], field=field, dice=[FIRST])
    halberd.play("stay")
    assert "attack 1" in halberd.legal()
    sword = Table([at("sellsword", 0, 1)], [at("archer", 2, 1)], field=field, dice=[FIRST])
    sword.play("stay")
    assert "attack 1" not in sword.legal()
    assert "attack 1" in _after_staying("sellsword", melee_range="ten_for_all").legal()


def _after_staying(name: str, **rules: str) -> Table:
    table = Table([at(name, 0, 1)], [at("archer", 2, 1)], field=["....", "....", "...."], dice=[FIRST], **rules)
    table.play("stay")
    return table


def test_a_shooter_in_an_enemys_melee_range_cannot_shoot() -> None:
    near = Table([at("sellsword", 1, 1)], [at("archer", 2, 1)], field=OPEN, dice=[3])
    near.play("stay")
    assert "attack 1" not in near.legal() and "unarmed 1" in near.legal()
    far = Table([at("sellsword", 1, 1)], [at("archer", 3, 1)], field=OPEN, dice=[3])
    far.play("stay")
    assert "attack 1" in far.legal()


def test_target_only_locks_shots_at_the_crowding_enemy_alone() -> None:
    blue = [at("sellsword", 1, 1), at("sellsword", 6, 1)]
    table = Table(blue, [at("archer", 2, 1)], field=OPEN, dice=[3], ranged_lock="target_only")
    table.play("stay")
    assert "attack 1" not in table.legal() and "attack 2" in table.legal()


@pytest.mark.parametrize(
    ("rows", "blocked"),
    [
        ([".....", ".....", "....."], 0),
        ([".....", "..#..", "....."], 4),
        (["..#..", ".....", "....."], 0),
        ([".....", "...#.", "....."], 4),
        (["...#.", ".....", "....."], 0),
    ],
)
def test_a_wall_in_the_row_blocks_all_lines_and_one_beside_it_none(rows: list[str], blocked: int) -> None:
    """From the center of (0, 1) all lines to the corners of (4, 1) stay within row 1."""
    table = Table([at("archer", 0, 1)], [at("archer", 4, 1)], field=rows, dice=[FIRST])
    assert blocked_lines(table.fight, 0, 1) == blocked


def test_a_corner_between_blocks_some_lines() -> None:
    """From the center of (0, 0) to (2, 2), a wall on (1, 1) blocks all four lines; one on (1, 0) one of them.

    The lines to (2, 2), (3, 2), (2, 3) and (3, 3) leave (0.5, 0.5) with slopes 1, 0.6, 1.67 and 1. Between x = 1 and 2
    they run from y = 1, 0.8, 1.33 and 1 on: only the second is in the square (1, 0), where y is below 1.
    """
    full = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=["...", ".#.", "..."], dice=[FIRST])
    assert blocked_lines(full.fight, 0, 1) == 4
    some = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=[".#.", "...", "..."], dice=[FIRST])
    assert blocked_lines(some.fight, 0, 1) == 1


def test_a_shot_past_a_corner_has_disadvantage() -> None:
    """Example 5: d20 17 and 9, keeps 9: 11 misses AD 13."""
    table = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=[".#.", "...", "..."], dice=[FIRST, 17, 9])
    table.play("stay", "attack 1")
    assert table.told("attack")[0] == {
        "type": "attack", "attacker": "archer_0", "target": "archer_1", "mode": "missile", "natural": 9, "total": 11,
        "hit": False, "helps": [], "hinders": ["cover"],
    }  # fmt: skip


def test_no_line_of_sight_no_attack() -> None:
    table = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=["...", ".#.", "..."], dice=[FIRST])
    table.play("stay")
    assert "attack 1" not in table.legal()


def test_a_move_goes_as_far_as_the_speed_and_not_through_enemies_or_walls() -> None:
    """A corridor of one square: the enemy on (3, 0) blocks, so that (2, 0) is the farthest square."""
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 3, 0)], field=["....."], dice=[FIRST])
    table.play("move")
    assert set(table.legal()) == {"to 0,0", "to 1,0", "to 2,0"}


def test_allies_are_passed_but_not_ended_on() -> None:
    table = Table([at("sellsword", 0, 0), at("halberdier", 1, 0)], [at("ghoul", 4, 0)], field=["....."], dice=[FIRST])
    table.play({"sellsword_0": "move", "halberdier_0": "stay"})
    assert table.legal("sellsword_0") == ["to 0,0", "to 2,0", "to 3,0"]


def test_a_diagonal_step_needs_a_square_beside_it_free_of_walls() -> None:
    closed = Table([at("sellsword", 0, 0)], [at("ghoul", 3, 1)], field=[".#..", "#..."], dice=[FIRST])
    closed.play("move")
    assert closed.legal() == ["to 0,0"]
    open_ = Table([at("sellsword", 0, 0)], [at("ghoul", 3, 1)], field=[".#..", "...."], dice=[FIRST])
    open_.play("move")
    assert "to 1,1" in open_.legal()


def test_a_mover_whose_square_was_taken_stops_on_the_last_free_square_before_it() -> None:
    """The halberdier, with the higher dex, goes first to (3, 0); the sellsword stops on (2, 0)."""
    table = Table([at("sellsword", 0, 0), at("halberdier", 1, 0)], [at("ghoul", 4, 0)], field=["....."], dice=[FIRST])
    table.play({"sellsword_0": "move", "halberdier_0": "move"}, {"sellsword_0": "to 3,0", "halberdier_0": "to 2,0"})
    assert (table.at("sellsword_0"), table.at("halberdier_0")) == ((2, 0), (3, 0))


def test_of_the_shortest_paths_the_first_by_direction_is_taken() -> None:
    """From (0, 2) to (2, 1) in two steps: NE comes before E. The last step's square is held; so it stops on (1, 1)."""
    table = Table([at("sellsword", 0, 2), at("halberdier", 4, 0)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play({"sellsword_0": "move", "halberdier_0": "move"}, {"sellsword_0": "to 2,-1", "halberdier_0": "to -2,1"})
    assert (table.at("sellsword_0"), table.at("halberdier_0")) == ((1, 1), (2, 1))


@pytest.mark.parametrize(("glyph", "die"), [("^", 4), ("*", 6)])
def test_the_ground_harms_at_the_end_of_a_move(glyph: str, die: int) -> None:
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 4, 0)], field=[f".{glyph}..."], dice=[FIRST, die])
    table.play("move", "to 1,0")
    assert table.hp("sellsword_0") == 9 - die
    table.done()


def test_water_stops_steps_and_not_shots() -> None:
    table = Table([at("archer", 0, 0)], [at("archer", 4, 0)], field=["..~.."], dice=[FIRST])
    table.play("stay")
    assert "attack 1" in table.legal()
    table = Table([at("archer", 0, 0)], [at("archer", 4, 0)], field=["..~.."], dice=[FIRST])
    table.play("move")
    assert table.legal() == ["to 0,0", "to 1,0"]
