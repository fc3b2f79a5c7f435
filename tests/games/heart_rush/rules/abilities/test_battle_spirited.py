"""Battle Spirited and One with War: effects for rush points, spread evenly over friends in range."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Table

HEALING, DEFENSE, ATTACK, SPEED = (f"pick {1 << k}" for k in range(4))


def spirited(
    points: int | None, once_more: str | None, dice: Dice = (), *more: str, rush: int = 5, hp: int = 40
) -> Table:
    """Return a table at which the knight has spread the effects of so many points."""
    owner = {"abilities": ["battle_spirited", *more], "rush": rush, "hp_now": hp}
    table = Table({"knight": owner, "rogue": {}, "page": {"team": "blue", "hp_now": hp}}, dice)
    table.play(knight="use a")
    for answer in (f"pick {points}" if points else None, once_more):
        if table.choosers() == {"knight"} and table.legal("knight")[0].startswith("pick"):
            table.play(**({"knight": answer} if answer else {}))
    return table


@pytest.mark.heading("Battle Spirited")
@pytest.mark.parametrize("striker", ["knight", "page"])
def test_attacks_of_the_owner_and_its_allies_are_stronger(striker: str) -> None:
    table = spirited(1, ATTACK, [(5, 3, 8), (4, 3)])
    assert table.fighter("knight")["rush"] == 4
    table.engage(**{striker: "might: attack 1", "rogue": "cunning"})
    assert table.rolls() == (17, 7)


@pytest.mark.heading("Battle Spirited")
def test_without_rush_points_it_is_not_offered() -> None:
    assert "use a" not in Table({"knight": {"abilities": ["battle_spirited"], "rush": 0}, "rogue": {}}).legal("knight")


@pytest.mark.heading("Battle Spirited")
def test_defenses_are_stronger() -> None:
    table = spirited(1, DEFENSE, [(5, 3, 8), (4, 3)]).engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 8)


@pytest.mark.heading("Battle Spirited")
def test_each_round_heals_twice_the_points() -> None:
    table = spirited(1, HEALING, hp=20).finish_round()
    assert (table.hp("knight"), table.hp("page"), table.hp("rogue")) == (22, 22, 40)
    table.finish_round()
    assert table.hp("page") == 24


@pytest.mark.heading("Battle Spirited")
def test_each_effect_is_as_strong_as_the_points_and_comes_once_before_any_comes_again() -> None:
    owner = {"abilities": ["battle_spirited"], "rush": 5, "hp_now": 10}
    table = Table({"knight": owner, "rogue": {}}, [(5, 3, 8), (4, 3), (5, 3, 8), (4, 3)]).play(knight="use a")
    assert table.legal("knight") == [f"pick {points}" for points in range(1, 6)]
    table.play(knight="pick 5")
    assert table.legal("knight") == [HEALING, DEFENSE, ATTACK, SPEED], "one of the five effects comes again"
    table.play(knight=ATTACK)
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16 + 2 * 5, 7)
    table.finish_round()
    assert table.hp("knight") == 10 + 2 * 5
    table.engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 7 + 5)


@pytest.mark.heading("Battle Spirited")
def test_four_effects_come_once_each_and_nothing_more_is_asked() -> None:
    table = spirited(4, None, [(5, 3, 8), (4, 3)]).engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (20, 7)


@pytest.mark.heading("Battle Spirited")
def test_a_player_that_does_not_answer_spends_all_its_points() -> None:
    table = spirited(None, None, rush=2)
    assert (table.fighter("knight")["rush"], table.last("pick")["answer"]) == (0, "once more: healing, defense")


@pytest.mark.heading("Battle Spirited")
@pytest.mark.interplay("battle_spirited", "perfect_defense")
def test_perfect_defense_doubles_a_die_and_not_the_bonus() -> None:
    owner = {"abilities": ["battle_spirited"], "talents": ["perfect_defense"], "rush": 1}
    table = Table({"knight": owner, "rogue": {}}, [(5, 3, 8), (8, 3)]).play(knight="use b").play(knight=DEFENSE)
    table.engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 8 + 3 + 3 + 1)


@pytest.mark.heading("Battle Spirited")
def test_an_ally_out_of_range_gets_nothing() -> None:
    fighters = {
        "knight": {"abilities": ["battle_spirited"], "rush": 1}, "page": {"team": "blue", "hp_now": 20},
        "monk": {"team": "blue", "hp_now": 20}, "rogue": {"team": "red"},
    }  # fmt: skip
    table = on_map("K.PM\n...R", fighters).play(knight="use a").play(knight=HEALING).finish_round()
    assert (table.hp("page"), table.hp("monk")) == (22, 20)


@pytest.mark.heading("Battle Spirited")
def test_it_makes_up_for_heavy_equipment() -> None:
    knight = {"abilities": ["battle_spirited"], "rush": 1, "armor": "heavy"}
    table = on_map("K" + "." * 13 + "R", {"knight": knight, "rogue": {}})
    slow = max(int(name.split()[1].split(",")[0]) for name in table.legal("knight") if name.startswith("dash"))
    table.play(knight="use a").play(knight=SPEED)
    fast = max(int(name.split()[1].split(",")[0]) for name in table.legal("knight") if name.startswith("dash"))
    assert (slow < 12, fast) == (True, min(12, slow + 2))


@pytest.mark.heading("One with War")
@pytest.mark.parametrize(("picks", "bonus"), [(1, 2), (3, 2 * 2)])
@pytest.mark.interplay("battle_spirited", "one_with_war")
def test_one_with_war_brings_more_effects_for_each_point(picks: int, bonus: int) -> None:
    # Two points are 2 * 2 effects, each once, or with three picks 2 * 4, each twice.
    table = spirited(2, None, [(5, 3, 8), (4, 3)], *["one_with_war"] * picks)
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (16 + bonus, 7)
