"""Blitz, Dance of One Thousand Strikes and Harass: strikes and steps one after another."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table

HIT, MISS = [(4, 3, 5), (1, 1)], [(1, 1, 1), (8, 6)]  # 12 against 2: 10 damage


# -- Blitz


@pytest.mark.heading("Blitz")
def test_each_rush_point_buys_a_strike_at_another_enemy_and_a_sidestep() -> None:
    fighters = {"knight": {"abilities": ["blitz"], "rush": 2}, "rogue": {}, "fox": {}}
    table = on_map("......\n.KR.F.\n......", fighters, HIT).play(knight="use a")
    assert (table.window, table.legal("knight")) == ("pick", ["pass", "pick_at 1"])
    table.play(knight="pick_at 1").play()
    assert (table.hp("rogue"), table.fighter("knight")["rush"], table.window) == (30, 1, "pick")
    table.play(knight="sidestep n")
    assert (at(table, "knight"), table.window) == ((1, 0), "action"), "no other enemy is in reach"
    assert table.fighter("knight")["action"] and "use a" not in table.legal("knight")


@pytest.mark.heading("Blitz", "Opportunity Attacks")
def test_it_strikes_each_enemy_once_while_points_are_left() -> None:
    fighters = {"knight": {"abilities": ["blitz"], "rush": 3}, "rogue": {}, "fox": {}}
    table = Table(fighters, [*HIT, *HIT]).play(knight="use a").play(knight="pick_at 2").play()
    assert table.legal("knight") == ["pass", "pick_at 1"]
    table.play(knight="pick_at 1").play()
    assert [table.hp(name) for name in ("rogue", "fox")] == [30, 30]
    assert (table.window, table.fighter("knight")["rush"], table.fighter("knight")["action"]) == ("action", 1, True)


@pytest.mark.heading("Blitz")
def test_it_is_not_used_without_a_point_or_an_enemy_in_reach() -> None:
    table = Table({"knight": {"abilities": ["blitz"], "rush": 0}, "rogue": {}})
    assert table.window == "stance"
    table = on_map("K....R", {"knight": {"abilities": ["blitz"], "rush": 1}, "rogue": {}})
    assert "use a" not in table.legal("knight")


@pytest.mark.heading("Blitz")
def test_what_others_have_declared_in_the_window_follows() -> None:
    fighters = {"knight": {"abilities": ["blitz"], "rush": 1, "agility": 12}, "rogue": {}}
    table = on_map("......\n.KR...\n......", fighters, HIT).play(knight="use a", rogue="sidestep e")
    table.play(knight="pick_at 1").play().play()
    assert (table.hp("rogue"), at(table, "rogue"), table.events_of("fizzle")) == (30, (3, 1), [])


# -- Dance of One Thousand Strikes


@pytest.mark.heading("Dance of One Thousand Strikes")
@pytest.mark.interplay("dance_of_one_thousand_strikes", "several_attacks")
def test_each_attack_earns_a_step_after_the_phase() -> None:
    owner = {"abilities": ["several_attacks", "dance_of_one_thousand_strikes"]}
    table = on_map(".....\n.KR..\n.....", {"knight": owner, "rogue": {}}, [*MISS, *MISS])
    table.engage(knight="cunning: attack 1", rogue="agility")
    assert (table.window, table.choosers()) == ("pick", {"knight"})
    assert table.legal("knight") == ["pass", *(f"sidestep {way}" for way in ("n", "ne", "se", "s", "sw", "w", "nw"))]
    table.play(knight="sidestep w").play(knight="sidestep n")
    assert (at(table, "knight"), table.phase) == ((0, 0), "agility")


@pytest.mark.heading("Dance of One Thousand Strikes", "Blitz")
@pytest.mark.interplay("blitz", "dance_of_one_thousand_strikes")
def test_the_strikes_of_a_blitz_earn_steps_too_and_one_that_declines_is_not_asked_again() -> None:
    owner = {"abilities": ["blitz", "dance_of_one_thousand_strikes"], "rush": 1}
    table = on_map(".....\n.KR..\n.....", {"knight": owner, "rogue": {}}, MISS).play(knight="use a")
    use = next(name for name in table.legal("knight") if name.startswith("pick_at"))
    table.play(knight=use).play(knight="sidestep w").play(knight="sidestep n")
    assert (at(table, "knight"), table.window, table.fighter("knight")["action"]) == ((0, 0), "action", True)


@pytest.mark.heading("Dance of One Thousand Strikes")
def test_a_step_declined_in_the_action_phase_is_not_owed_in_the_engagement() -> None:
    fighters = {"knight": {"abilities": ["dance_of_one_thousand_strikes"]}, "rogue": {"conditions": {"prone": 1}}}
    table = on_map(".....\n.KR..\n.....", fighters, [(1, 1, 1), (8, 6, 8), *MISS]).play(rogue="stand")
    assert table.play(knight="opportunity 1 might").window == "pick"
    table.play(knight="pass").engage(knight="cunning: attack 1", rogue="agility")
    assert table.window == "pick"
    assert table.play(knight="sidestep w").window == "attack", "one attack, one step"


@pytest.mark.heading("Dance of One Thousand Strikes")
def test_a_step_declined_in_one_round_is_not_owed_in_the_next() -> None:
    fighters = {"knight": {"abilities": ["dance_of_one_thousand_strikes"]}, "rogue": {}}
    table = on_map(".....\n.KR..\n.....", fighters, [*MISS, *MISS])
    assert table.engage(knight="cunning: attack 1", rogue="agility").window == "pick"
    table.play(knight="pass").finish_round().play(rogue="dash 2,0")
    assert table.play(knight="opportunity 1 might").window == "pick"
    assert table.play(knight="sidestep w").window == "action", "one attack, one step"


# -- Harass


@pytest.mark.heading("Harass", "Sidestep")
@pytest.mark.parametrize(("ground", "pinned"), [("KR.\n...", True), (".....\n.....\n.KR..\n.....\n.....", False)])
def test_an_enemy_beside_a_wall_does_not_sidestep_until_the_next_round_ends(ground: str, pinned: bool) -> None:
    table = on_map(ground, {"knight": {"talents": ["harass"]}, "rogue": {}}, MISS)
    table.engage(knight="agility: attack 1", rogue="might")
    while table.round == 1:
        table.play()
    for steps in (not pinned, True):
        assert bool([name for name in table.legal("rogue") if name.startswith("sidestep")]) is steps
        table.finish_round()


@pytest.mark.heading("Harass")
def test_an_opportunity_attack_does_not_harass() -> None:
    table = on_map("KR...\n.....", {"knight": {"talents": ["harass"]}, "rogue": {}}, MISS).play(rogue="dash 2,0")
    table.play(knight="opportunity 1 might")
    assert "sidestep s" in table.legal("rogue")
