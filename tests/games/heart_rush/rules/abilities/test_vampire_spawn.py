"""The Vampire Spawn: Regeneration, Life Drain."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike, weapon

REGENERATING = {"abilities": ["vampire_spawn.regeneration"]}
DRAINING = {"abilities": ["vampire_spawn.life_drain"], "hp_now": 20}
HITS = [(5, 3, 1), (1, 1)]  # 7 of damage


@pytest.mark.heading("Regeneration")
def test_it_heals_4_as_each_round_starts() -> None:
    table = Table({"spawn": {**REGENERATING, "hp_now": 20}, "knight": {}})
    begun = table.hp("spawn")
    table.finish_round()
    assert (begun, table.hp("spawn")) == (24, 28)
    assert table.last("heal") == {"type": "heal", "fighter": "spawn", "by": "spawn", "amount": 4, "hp": 28}


@pytest.mark.heading("Regeneration")
def test_at_0_hit_points_it_does_not() -> None:
    assert Table({"spawn": {**REGENERATING, "hp_now": 0}, "knight": {}}, heroes="blue").hp("spawn") == 0


@pytest.mark.heading("Regeneration")
@pytest.mark.interplay("overexert", "vampire_spawn.regeneration")
def test_it_heals_unconscious_with_hit_points_left_as_well() -> None:
    spawn = {"talents": ["overexert"], "abilities": ["vampire_spawn.regeneration"], "heart": 4, "hp_now": 20}
    table = Table({"spawn": spawn, "knight": {}, "ally": {"team": "blue"}}).play(spawn="use a")
    table.finish_round()
    assert (table.status("spawn"), table.hp("spawn")) == ("unconscious", 20 + 4 + 4)


@pytest.mark.heading("Life Drain")
def test_it_heals_half_of_what_it_deals_in_melee_rounded_up() -> None:
    table = strike(DRAINING, {}, dice=HITS)
    assert (table.hp("rogue"), table.hp("knight")) == (40 - 7, 20 + 4)


@pytest.mark.heading("Life Drain")
def test_a_shot_and_the_damage_that_it_takes_heal_nobody() -> None:
    table = strike({**DRAINING, "weapon": weapon(attack_type="ranged")}, {}, dice=HITS)
    assert (table.hp("rogue"), table.hp("knight")) == (40 - 7, 20)
    table = strike({}, DRAINING, dice=HITS)
    assert (table.hp("rogue"), table.events_of("heal")) == (20 - 7, [])
