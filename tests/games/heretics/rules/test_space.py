"""Space: ranges, cover and paths, counted by hand on small maps."""

from itertools import permutations

import numpy as np
import pytest

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.rules.space import blocked_lines
from heartrush_env.tabletop.grids.squares import blocked_corners
from tests.games.heretics.table import OPEN, FighterLike, Table, at

FIRST = 4


ROOM = ["...."] * 3


#
@pytest.mark.parametrize(
    ("case", "blue", "square", "field", "rules", "may_attack"),
    [
        ("a halberd reaches 10 feet", at("halberdier", 0, 1), (2, 1), ROOM, {}, True),
        ("a short sword 5", at("sellsword", 0, 1), (2, 1), ROOM, {}, False),
        ("or 10 by a setting", at("sellsword", 0, 1), (2, 1), ROOM, {"melee_range": "ten_for_all"}, True),
        ("water stops no shot", at("archer", 0, 0), (4, 0), ["..~.."], {}, True),
        ("a wall does", at("archer", 0, 0), (2, 2), ["...", ".#.", "..."], {}, False),
    ],
)
def test_what_an_archer_is_attacked_from(
    case: str, blue: FighterLike, square: tuple[int, int], field: list[str], rules: dict[str, str], may_attack: bool
) -> None:
    table = Table([blue], [at("archer", *square)], field=field, dice=[FIRST], **rules).play("stay")
    assert ("attack 1" in table.legal()) is may_attack


#
@pytest.mark.parametrize(("square", "may_shoot"), [(2, False), (3, True)])
def test_a_shooter_in_an_enemys_melee_range_cannot_shoot(square: int, may_shoot: bool) -> None:
    table = Table([at("sellsword", 1, 1)], [at("archer", square, 1)], field=OPEN, dice=[3]).play("stay")
    assert ("attack 1" in table.legal(), "unarmed 1" in table.legal()) == (may_shoot, not may_shoot)


#
@pytest.mark.parametrize(
    ("case", "field", "enemy", "legal"),
    [
        ("between two walls there is no diagonal step", [".#.", "#.."], (2, 0), {"to 0,0"}),
        ("past one there is", [".#.", "..."], (2, 0), {"to 0,0", "to 0,1", "to 1,1", "to 2,1"}),
        ("water stops steps", ["..~.."], (4, 0), {"to 0,0", "to 1,0"}),
        ("an enemy in a corridor blocks", ["....."], (3, 0), {"to 0,0", "to 1,0", "to 2,0"}),
    ],
)
def test_where_a_move_may_go(case: str, field: list[str], enemy: tuple[int, int], legal: set[str]) -> None:
    table = Table([at("sellsword", 0, 0)], [at("ghoul", *enemy)], field=field, dice=[FIRST]).play("move")
    assert set(table.legal()) == legal


#
def test_target_only_locks_shots_at_the_crowding_enemy_alone() -> None:
    blue = [at("sellsword", 1, 1), at("sellsword", 6, 1)]
    table = Table(blue, [at("archer", 2, 1)], field=OPEN, dice=[3], ranged_lock="target_only").play("stay")
    assert "attack 1" not in table.legal() and "attack 2" in table.legal()


#
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


#
def test_a_corner_between_blocks_some_lines() -> None:
    """From the center of (0, 0) to (2, 2), a wall on (1, 1) blocks all four lines, and one on (1, 0) one of them.

    The lines to (2, 2), (3, 2), (2, 3) and (3, 3) leave (0.5, 0.5) with slopes 1, 0.6, 1.67 and 1. At x = 1 their y is
    1, 0.8, 1.33 and 1, and it grows from there: only the second is in the square (1, 0), where y is below 1.
    """
    full = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=["...", ".#.", "..."], dice=[FIRST])
    assert blocked_lines(full.fight, 0, 1) == 4
    some = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=[".#.", "...", "..."], dice=[FIRST])
    assert blocked_lines(some.fight, 0, 1) == 1


#
def test_a_shot_past_a_corner_has_disadvantage() -> None:
    """In example 5, a d20 of 17 and 9 keeps 9, and 11 misses AD 13."""
    table = Table([at("archer", 0, 0)], [at("archer", 2, 2)], field=[".#.", "...", "..."], dice=[FIRST, 17, 9])
    table.play("stay", "attack 1")
    assert table.told("attack")[0] == {
        "type": "attack", "attacker": "archer_0", "target": "archer_1", "mode": "missile", "natural": 9, "total": 11,
        "hit": False, "helps": [], "hinders": ["cover"],
    }  # fmt: skip


#
def test_allies_are_passed_but_not_ended_on() -> None:
    table = Table([at("sellsword", 0, 0), at("halberdier", 1, 0)], [at("ghoul", 4, 0)], field=["....."], dice=[FIRST])
    table.play({"sellsword_0": "move", "halberdier_0": "stay"})
    assert table.legal("sellsword_0") == ["to 0,0", "to 2,0", "to 3,0"]


#
def test_a_mover_whose_square_was_taken_stops_on_the_last_free_square_before_it() -> None:
    """The halberdier, with the higher dex, goes first to (3, 0); the sellsword stops on (2, 0)."""
    table = Table([at("sellsword", 0, 0), at("halberdier", 1, 0)], [at("ghoul", 4, 0)], field=["....."], dice=[FIRST])
    table.play({"sellsword_0": "move", "halberdier_0": "move"}, {"sellsword_0": "to 3,0", "halberdier_0": "to 2,0"})
    assert (table.at("sellsword_0"), table.at("halberdier_0")) == ((2, 0), (3, 0))


#
def test_of_the_shortest_paths_the_first_by_direction_is_taken() -> None:
    """Two paths lead from (0, 2) to (2, 1); NE comes before E. As (2, 1) is taken, the sellsword stops on (1, 1)."""
    table = Table([at("sellsword", 0, 2), at("halberdier", 4, 0)], [at("ghoul", 9, 9)], field=OPEN, dice=[FIRST])
    table.play({"sellsword_0": "move", "halberdier_0": "move"}, {"sellsword_0": "to 2,-1", "halberdier_0": "to -2,1"})
    assert (table.at("sellsword_0"), table.at("halberdier_0")) == ((1, 1), (2, 1))


#
@pytest.mark.parametrize(("glyph", "die"), [("^", 4), ("*", 6)])
def test_the_ground_harms_at_the_end_of_a_move(glyph: str, die: int) -> None:
    table = Table([at("sellsword", 0, 0)], [at("ghoul", 4, 0)], field=[f".{glyph}..."], dice=[FIRST, die])
    table.play("move", "to 1,0")
    assert table.hp("sellsword_0") == 9 - die


#
@pytest.mark.long
def test_the_blocked_lines_are_counted_anew_wherever_a_fighter_changes_its_square() -> None:
    game = Heretics("gate")
    batch, rng, seen = game.batch(1), np.random.default_rng(5), set()
    batch.start([0], 1, [0])
    for step in range(120):
        row = [rng.choice(legal) if len(legal := batch.legal(0, seat)) else 0 for seat in range(len(game.agents))]
        batch.step(np.array([row]))
        fighters = batch.records[0].fighters[: len(row)]
        if step % 25 == 0:
            for i, j in permutations(range(len(fighters)), 2):
                me, other = fighters[i], fighters[j]
                squares = (int(at) for at in (me.x, me.y, other.x, other.y))
                expected = blocked_corners(batch.records[0], *squares)
                assert me.blocked[j] == expected, (step, i, j)
                seen.add(int(me.blocked[j]))
    assert len(seen) > 2
