"""Homebrew abilities: every trigger, use, condition and effect that a declaration may name, with laid-out dice.

The knight owns the ability. An attack rolls heart, ability and weapon, a defense heart and ability (table.py).
"""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

ATTACK, WEAK, DEFENSE = (5, 4, 3), (5, 3, 3), (1, 1)  # 12, 11 and 2
Effects = Mapping[str, Any] | list[Mapping[str, Any]]


def declared(effects: Effects, **fields: Any) -> Fields:
    """Return a declaration with these fields; a single effect may be given without a list."""
    told = effects if isinstance(effects, list) else [effects]
    return {"id": "own", "name": "Own Way", "effect": "It is their own.", "effects": told, **fields}


def fight(ability: Fields, dice: Dice = (), knight: Fields | None = None, rogue: Fields | None = None) -> Table:
    """Begin a fight of the knight, which owns the ability, against the rogue."""
    return Table(
        {"knight": {"abilities": ["own"], **(knight or {})}, "rogue": rogue or {}},
        dice,
        ability=[ability],
        max_rounds=3,
    )


def attacks(ability: Fields, *dice: tuple[int, ...], against: str = "cunning", **fighters: Fields) -> Table:
    """Let the knight attack the rogue in might."""
    table = fight(ability, dice, **fighters).engage(knight="might: attack 1", rogue=against)
    return table.finish_round()


def is_attacked(ability: Fields, *dice: tuple[int, ...], stance: str = "cunning", **fighters: Fields) -> Table:
    """Let the rogue attack the knight in might."""
    table = fight(ability, dice, **fighters).engage(rogue="might: attack 1", knight=stance)
    return table.finish_round()


# -- rolls


@pytest.mark.parametrize(
    ("effect", "dice", "total"),
    [
        ({"do": "extra_dice", "dice": "1d6"}, (*ATTACK, 6), 18),
        ({"do": "extra_dice", "dice": "2d4"}, (*ATTACK, 4, 2), 18),
        ({"do": "bonus", "amount": 3}, ATTACK, 15),
        ({"do": "advantage"}, (*ATTACK, 6), 15),  # 3, the lowest of 5, 4, 3 and 6, does not count
        ({"do": "advantage", "levels": 2}, (*ATTACK, 6, 6), 17),
        ({"do": "disadvantage"}, (*ATTACK, 6), 12),
    ],
)
def test_the_owner_attacks(effect: Fields, dice: tuple[int, ...], total: int) -> None:
    table = attacks(declared(effect, trigger="attack"), dice, DEFENSE)
    assert (table.rolls(), table.hp("rogue")) == ((total, 2), 40 - (total - 2))


def test_the_owner_defends() -> None:
    """2 and 4 and the d6 of 3 make 9; 12 less 9 leave 3."""
    effects = [{"do": "bonus", "amount": 4}, {"do": "extra_dice", "dice": "d6"}]
    table = is_attacked(declared(effects, trigger="defense"), ATTACK, (*DEFENSE, 3))
    assert (table.rolls(), table.hp("knight")) == ((12, 9), 40 - 3)
    assert attacks(declared(effects, trigger="defense"), ATTACK, DEFENSE).rolls() == (12, 2)


def test_the_owner_is_attacked() -> None:
    """Of 5, 4, 3 and 6, the highest does not count; the owner's own attack is as it was."""
    hard = declared({"do": "disadvantage"}, trigger="attacked")
    assert is_attacked(hard, (*ATTACK, 6), DEFENSE).rolls() == (12, 2)
    assert attacks(hard, ATTACK, DEFENSE).rolls() == (12, 2)


def test_an_ability_bends_a_roll_once_it_is_seen() -> None:
    mended = declared({"do": "bonus", "amount": 3}, trigger="attack_rolled", when={"roll_at_most": 11})
    assert attacks(mended, WEAK, DEFENSE).rolls() == (14, 2)
    assert attacks(mended, ATTACK, DEFENSE).rolls() == (12, 2)
    guarded = declared({"do": "bonus", "amount": 3}, trigger="defense_rolled")
    assert is_attacked(guarded, WEAK, DEFENSE).rolls() == (11, 5)
    assert attacks(guarded, WEAK, DEFENSE).rolls() == (11, 2)


# -- damage


def test_the_owner_deals_more_damage_but_none_if_it_deals_none() -> None:
    harder = declared({"do": "more_damage", "amount": 4}, trigger="harms")
    assert attacks(harder, WEAK, DEFENSE).hp("rogue") == 40 - 13
    assert attacks(harder, (1, 1, 1), (4, 4)).hp("rogue") == 40
    assert (
        attacks(declared({"do": "more_damage", "dice": "1d6"}, trigger="harms"), WEAK, DEFENSE, (5,)).hp("rogue") == 26
    )


def test_the_owner_takes_less_damage() -> None:
    less = declared({"do": "reduce_damage", "amount": 4}, trigger="harmed")
    assert is_attacked(less, WEAK, DEFENSE).hp("knight") == 40 - 5
    assert is_attacked(less, (1, 3, 1), DEFENSE).hp("knight") == 40
    rolled = declared({"do": "reduce_damage", "dice": "1d6"}, trigger="harmed")
    assert is_attacked(rolled, WEAK, DEFENSE, (2,)).hp("knight") == 40 - 7
    large = declared({"do": "halve_damage"}, trigger="harmed", when={"damage_at_least": 9})
    assert is_attacked(large, WEAK, DEFENSE).hp("knight") == 40 - 5
    assert is_attacked(large, (4, 3, 3), DEFENSE).hp("knight") == 40 - 8
    small = declared({"do": "halve_damage"}, trigger="harmed", when={"damage_at_most": 8})
    assert is_attacked(small, WEAK, DEFENSE).hp("knight") == 40 - 9
    assert is_attacked(small, (4, 3, 3), DEFENSE).hp("knight") == 40 - 4


def test_damage_to_the_owner_heals_it_and_dazes_the_attacker() -> None:
    effects = [{"do": "heal", "amount": 3}, {"do": "give", "condition": "dazed", "levels": 2}]
    table = is_attacked(declared(effects, trigger="hurt"), WEAK, DEFENSE)
    assert (table.hp("knight"), table.history("rogue", "dazed")[0]) == (40 - 9 + 3, 2)
    assert "dazed" not in attacks(declared(effects, trigger="hurt"), WEAK, DEFENSE).conditions("rogue")


# -- after attacks, and by the round


@pytest.mark.parametrize(("against", "levels"), [("cunning", [3, 2]), ("defensive", [])])
def test_an_attack_leaves_a_condition_if_its_stance_beats_the_target(against: str, levels: list[int]) -> None:
    given = {"do": "give", "condition": "shaken", "levels": 3}
    trips = declared(given, trigger="after_attack", when={"own_stance_beats": True})
    table = attacks(trips, WEAK, DEFENSE, against=against)
    assert table.history("rogue", "shaken") == levels


def test_a_condition_with_a_source_comes_from_the_owner() -> None:
    table = attacks(declared({"do": "give", "condition": "frightened"}, trigger="after_attack"), WEAK, DEFENSE)
    assert (table.conditions("rogue")["frightened"], table.fighter("rogue")["sources"]) == (1, {"frightened": "knight"})


def test_an_attacker_is_hurt_in_return() -> None:
    spiked = declared({"do": "harm", "dice": "1d6"}, trigger="struck")
    assert is_attacked(spiked, WEAK, DEFENSE, (4,)).hp("rogue") == 40 - 4
    assert attacks(spiked, WEAK, DEFENSE).hp("knight") == 40


def test_a_round_begins() -> None:
    effects = [{"do": "heal", "amount": 5}, {"do": "rush", "amount": 2}]
    table = fight(declared(effects, trigger="round_starts", when={"own_below_half": True}), knight={"hp_now": 17})
    assert table.facts("knight", ("hp", "rush")) == {"hp": 22, "rush": 3}
    assert (
        fight(declared(effects, trigger="round_starts", when={"own_below_half": True})).fighter("knight")["rush"] == 1
    )


def test_stances_are_shown() -> None:
    calm = declared({"do": "clear", "condition": "Shaken", "levels": 2}, trigger="stances_shown")
    shaken = {"conditions": {"shaken": 5}}
    table = fight(calm, knight=shaken).engage(knight="defensive", rogue="defensive")
    assert table.history("knight", "shaken") == [5, 3, 2]  # the ability, and fading as the next round begins
    calm = declared({"do": "clear", "condition": "shaken"}, trigger="stances_shown")
    table = fight(calm, knight=shaken).engage(knight="defensive", rogue="defensive")
    assert table.history("knight", "shaken") == [5, 0]


@pytest.mark.parametrize(
    ("resists", "levels"),
    [
        ({"condition": "shaken", "levels": 2}, [1, 0]),
        ({"condition": "dazed"}, [3, 2]),
        ({}, []),
        ({"levels": 1}, [2, 1]),
    ],
)
def test_the_owner_resists_a_condition(resists: Fields, levels: list[int]) -> None:
    scares = {**declared({"do": "give", "condition": "shaken", "levels": 3}, trigger="after_attack"), "id": "scares"}
    firm = declared({"do": "resist", **resists}, trigger="suffers")
    fighters = {"knight": {"abilities": ["own"]}, "rogue": {"abilities": ["scares"]}}
    table = Table(fighters, [WEAK, DEFENSE], ability=[firm, scares], max_rounds=3)
    table.engage(rogue="might: attack 1", knight="defensive").finish_round()
    assert table.history("knight", "shaken") == levels


# -- conditions


@pytest.mark.parametrize(
    ("when", "knight", "rogue"),
    [
        ({"own_stance": "might"}, {}, {}),
        ({"other_stance": "cunning"}, {}, {}),
        ({"own_condition": "mute"}, {"conditions": {"mute": 1}}, {}),
        ({"other_condition": "Deafened"}, {}, {"conditions": {"deafened": 3}}),
        ({"own_below_half": True}, {"hp_now": 19}, {}),
        ({"other_below_half": True}, {}, {"hp_now": 19}),
        ({"own_wounded": True}, {"wounds": [1]}, {}),
        ({"other_wounded": True}, {}, {"wounds": [1]}),
        ({"own_full_heart": False}, {"heart_now": 6}, {}),
        ({"own_stance_beats": True}, {}, {}),
        ({"first_round": True, "enemy_within": 5}, {}, {}),
        ({"from_round": 1, "other_within": 5}, {}, {}),
    ],
)
def test_a_condition_holds(when: Fields, knight: Fields, rogue: Fields) -> None:
    """The opposite of each, or another fighter, does not hold."""
    bonus = {"do": "bonus", "amount": 3}
    assert (
        attacks(declared(bonus, trigger="attack", when=when), WEAK, DEFENSE, knight=knight, rogue=rogue).rolls()[0]
        == 14
    )
    key = next(iter(when))
    other = {"own_stance": "agility", "other_stance": "might", "from_round": 2}.get(key, not when[key])
    other = "prone" if "condition" in key else other
    table = attacks(declared(bonus, trigger="attack", when={key: other}), WEAK, DEFENSE, knight=knight, rogue=rogue)
    assert table.rolls()[0] == 11


# -- uses


def test_an_action_heals_an_ally_and_clears_a_condition() -> None:
    effects = [{"do": "heal", "dice": "1d8"}, {"do": "clear", "condition": "poisoned"}]
    ability = declared(effects, use="action", aim="ally")
    fighters = {
        "knight": {"abilities": ["own"]},
        "page": {"team": "blue", "hp_now": 20, "conditions": {"poisoned": 2}},
        "rogue": {},
    }
    table = Table(fighters, [6], ability=[ability], max_rounds=3)
    table.play(knight="use_for 1 a")
    assert (table.hp("page"), table.conditions("page"), table.fighter("knight")["action"]) == (26, {}, False)
    assert table.last("use") == {"type": "use", "fighter": "knight", "ability": "own", "target": "page"}
    assert "use_for 1 a" not in table.legal("knight")


def test_an_ability_is_not_offered_where_it_does_nothing() -> None:
    ability = declared({"do": "heal", "amount": 5}, use="action", aim="ally")
    table = Table(
        {"knight": {"abilities": ["own"]}, "page": {"team": "blue"}, "rogue": {}}, ability=[ability], max_rounds=3
    )
    assert "use_for 1 a" not in table.legal("knight")


def test_an_action_harms_an_enemy_in_range() -> None:
    ability = declared({"do": "harm", "dice": "2d6"}, use="action", aim="enemy", range=10)
    fighters = {"knight": {"abilities": ["own"]}, "rogue": {"team": "red"}}
    table = on_map("......\n.K.R..\n......", fighters, [3, 4], ability=[ability], max_rounds=3).play(
        knight="use_at 1 a"
    )
    assert table.pass_to("stance").hp("rogue") == 40 - 7
    table = on_map("......\n.K..R.\n......", fighters, ability=[ability], max_rounds=3)
    assert "use_at 1 a" not in table.legal("knight")


def test_rush_points_lower_damage() -> None:
    ability = declared({"do": "reduce_damage", "amount": 4}, use="damage", rush=2)
    table = fight(ability, [WEAK, DEFENSE], knight={"rush": 3}).engage(rogue="might: attack 1", knight="defensive")
    table.pass_to("instant").play(knight="use a").finish_round()
    assert table.hp("knight") == 40 - 1  # 9, halved by the defensive stance to 5, less 4
    assert table.events_of("rush")[-1] == {"type": "rush", "fighter": "knight", "left": 1, "spent": 2}
    poor = fight(ability, [WEAK, DEFENSE]).engage(rogue="might: attack 1", knight="defensive")
    assert poor.window == "shrug"


def test_a_bonus_comes_after_both_rolls() -> None:
    ability = declared({"do": "bonus", "amount": 5}, use="second_roll", frequency="minor", when={"roll_at_most": 11})
    table = fight(ability, [WEAK, DEFENSE]).engage(knight="might: attack 1", rogue="cunning")
    table.play(knight="use a").pass_to("shrug")
    assert (table.rolls(), table.fighter("knight")["rush"]) == ((16, 2), 0)
    table = fight(ability, [WEAK, DEFENSE]).engage(rogue="might: attack 1", knight="cunning")
    table.play(knight="use a").pass_to("shrug")
    assert table.rolls() == (11, 7)
    assert fight(ability, [ATTACK, DEFENSE]).engage(knight="might: attack 1", rogue="cunning").window == "shrug"


def test_a_use_prepares_a_trigger_for_the_rest_of_the_round() -> None:
    ability = declared({"do": "bonus", "amount": 5}, use="action", trigger="attack", rush=1, costs_action=False)
    table = fight(ability, [WEAK, DEFENSE, WEAK, DEFENSE]).play(knight="use a")
    assert "use a" not in table.legal("knight")
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.rolls()[0] == 16
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.rolls()[0] == 11


def test_a_major_ability_is_used_once_even_at_a_price() -> None:
    ability = declared({"do": "rush", "amount": 3}, use="action", frequency="major", rush=1, costs_action=False)
    table = fight(ability).play(knight="use a")
    assert table.fighter("knight")["rush"] == 1 - 1 + 3
    assert "use a" not in table.legal("knight")
    assert "use a" not in table.finish_round().legal("knight")


def test_each_use_costs_its_fixed_price() -> None:
    ability = declared({"do": "heal", "amount": 1}, use="action", frequency="at_will", rush=1, costs_action=False)
    table = fight(ability, knight={"rush": 3, "hp_now": 20}).play(knight="use a").play(knight="use a")
    assert table.facts("knight", ("hp", "rush")) == {"hp": 22, "rush": 1}


def test_a_bonus_is_not_offered_to_an_owner_that_has_not_rolled() -> None:
    ability = declared({"do": "bonus", "amount": 5}, use="second_roll", rush=1)
    fighters = {"knight": {"abilities": ["own"]}, "page": {"team": "blue"}, "rogue": {}}
    table = Table(fighters, [WEAK, DEFENSE], ability=[ability], max_rounds=3)
    assert table.engage(rogue="might: attack 2", page="cunning", knight="defensive").window == "shrug"


def test_a_fixed_price_is_not_changed_by_abilities_that_copy_minor_ones() -> None:
    """Frenzy copies minor abilities alone, and the fifth use costs as much as the first."""
    ability = declared({"do": "heal", "amount": 1}, use="action", frequency="at_will", rush=1, costs_action=False)
    knight = {"talents": ["frenzy"], "abilities": ["tactics", "own"], "rush": 10, "hp_now": 1}
    table = fight(ability, knight=knight).play(knight="use a").play()
    for left in (9, 8, 7, 6, 5):
        table.play(knight="use c").play()
        assert table.fighter("knight")["rush"] == left


def test_damage_to_others_is_no_damage_of_its_own() -> None:
    ability = declared({"do": "rush", "amount": 2}, use="damage", when={"damage_at_most": 5})
    fighters = {"knight": {"abilities": ["own"]}, "squire": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters, [ATTACK, DEFENSE], ability=[ability]).engage(squire="might: attack 1", rogue="cunning")
    assert table.window == "shrug", "the knight is not asked about the 10 damage to the rogue"


def test_a_condition_is_not_given_beyond_its_highest_level() -> None:
    ability = declared({"do": "give", "condition": "prone"}, use="action", aim="enemy", costs_action=False)
    assert "use_at 1 a" in fight(ability).legal("knight")
    assert "use_at 1 a" not in fight(ability, rogue={"conditions": {"prone": 1}}).legal("knight")


def test_blinded_by_an_attack_lasts_through_the_next_round() -> None:
    """Blinded that is gained in the engagement first fades at the second round start after it."""
    table = attacks(declared({"do": "give", "condition": "blinded"}, trigger="after_attack"), ATTACK, DEFENSE)
    assert (table.round, table.conditions("rogue")) == (2, {"blinded": 1})
    assert table.finish_round().conditions("rogue") == {}
