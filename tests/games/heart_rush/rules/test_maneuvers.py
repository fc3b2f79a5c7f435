"""Other Offensive Actions: maneuvers in place of an attack that beats its target."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike, weapon

FREE_HANDS = {"weapon": "claws"}  # part of the body: both hands are free
ON_THE_ROGUE = {"conditions": {"creature_climber": {"source": "rogue"}}}
QUICK = {"agility": 8}  # so that the knight rolls before the rogue
ALL_MANEUVERS = [
    "grapple 1", "dirty_strike 1 dazed", "dirty_strike 1 off_balanced", "dirty_strike 1 weakened", "blind 1", "trip 1",
    "shove 1", "disarm 1", "taunt 1", "swing_past 1",
]  # fmt: skip


def choices(
    knight: Fields, rogue: Fields, stance: str = "might", against: str = "cunning", **scenario: Any
) -> list[str]:
    """Return what the knight may do in its phase, apart from passing and attacking."""
    table = Table({"knight": knight, "rogue": rogue}, **scenario).engage(knight=stance, rogue=against)
    table.pass_to("attack", stance)
    return [choice for choice in table.legal("knight") if not choice.startswith(("pass", "attack"))]


def maneuver(choice: str, dice: Dice, knight: Fields | None = None, rogue: Fields | None = None) -> Table:
    """Let the knight's agility beat the rogue's might, and the knight make this maneuver."""
    return strike({**QUICK, **(knight or {})}, rogue, stance="agility", against="might", choice=choice, dice=dice)


# ---- when they are possible


@pytest.mark.heading("Executing Special Maneuvers", "Core Maneuver Rules")
@pytest.mark.parametrize(("stance", "against"), [("might", "cunning"), ("agility", "might"), ("cunning", "agility")])
def test_a_stance_that_beats_the_targets_allows_maneuvers(stance: str, against: str) -> None:
    assert choices({}, {}, stance, against) == ALL_MANEUVERS


@pytest.mark.heading("Executing Special Maneuvers", "Core Maneuver Rules")
def test_ties_and_the_defensive_allow_none_and_a_maneuver_takes_the_place_of_the_attack() -> None:
    assert choices({}, {}, "might", "might") == choices({}, {}, "might", "defensive") == []
    table = maneuver("trip 1", [])
    assert (table.events_of("attack"), table.hp("rogue"), table.conditions("rogue")) == ([], 40, {"prone": 1})


@pytest.mark.heading("Executing Special Maneuvers", "Resolution Phases")
def test_maneuvers_resolve_after_all_attack_and_defense_rolls_of_their_phase() -> None:
    # The knight is the quicker, and yet the squire's attack and the defense against it are rolled first.
    fighters = {"knight": {"agility": 12}, "squire": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters, [(1, 2, 3, 4, 2), (5, 11, 2, 1)])
    table.engage(knight="agility: swing_past 1", squire="agility: attack 1", rogue="might")
    assert table.last("attack")["attack_dice"] == [1, 2, 3]
    assert table.rolls("maneuver") == (16, 3)  # 5+11, 2+1
    assert table.history("rogue", "off_balanced")[0] == 1


@pytest.mark.heading("Core Maneuver Rules", "Grappling")
def test_nobody_holds_two_or_is_held_by_two() -> None:
    held = {"conditions": {"grappled": {"source": "squire"}}}
    fighters = {"knight": FREE_HANDS, "squire": {"team": "blue", **FREE_HANDS}, "rogue": held, "orc": {}}
    table = Table(fighters).engage(knight="might", squire="might", rogue="cunning", orc="cunning")
    table.pass_to("attack", "might")
    assert "grapple 1" not in table.legal("knight") and "grapple 2" in table.legal("knight")  # 1 is the squire's
    assert not any(choice.startswith("grapple") for choice in table.legal("squire"))  # holds one


@pytest.mark.heading("Core Maneuver Rules", "Climb On", "Hinder", "Stunt")
@pytest.mark.parametrize(
    ("case", "choice", "knight", "rogue", "possible"),
    [
        ("what is climbed on is two sizes larger", "climb_on 1", {"size": "small"}, {"size": "large"}, True),
        ("one size is too little", "climb_on 1", {"size": "medium"}, {"size": "large"}, False),
        ("nobody climbs two", "climb_on 1", ON_THE_ROGUE, {"size": "L2"}, False),
        ("who is tripped is one size larger at most", "trip 1", {}, {"size": "large"}, True),
        ("two sizes are too much", "trip 1", {}, {"size": "L2"}, False),
        ("who is tripped is on its feet", "trip 1", {}, {"conditions": {"prone": 1}}, False),
        ("a dagger is struck down", "disarm 1", {}, {"weapon": "dagger"}, True),
        ("claws are part of the body", "disarm 1", {}, {"weapon": "claws"}, False),
        ("the unarmed have nothing to lose", "disarm 1", {}, {"weapon": "unarmed"}, False),
    ],
)
def test_what_a_maneuver_needs(case: str, choice: str, knight: Fields, rogue: Fields, possible: bool) -> None:
    assert (choice in choices(knight, rogue)) is possible


@pytest.mark.heading("Core Maneuver Rules", "Stunt")
def test_nobody_is_disarmed_twice() -> None:
    table = Table({"knight": QUICK, "rogue": {"agility": 4}}, [8, 6, 1, 1])
    table.engage(knight="agility: disarm 1", rogue="might").engage(knight="agility", rogue="might")
    assert "disarm 1" not in table.legal("knight") and "trip 1" in table.legal("knight")


# ---- grappling


@pytest.mark.heading("Grappling", "Hinder")
def test_the_grappling_example() -> None:
    """Your cunning beats the wolf's agility, and your might with help, 16, its agility, 12: the wolf is held."""
    fighters = {
        "you": {**FREE_HANDS, "might": 10, "agility": 8, "cunning": 8},
        "cleric": {"team": "blue", "agility": 6},
        "wolf": {"team": "red", "might": 4, "agility": 6, "weapon": "teeth"},
    }
    table = Table(fighters, [7, 9, 3, 7, 5]).play(cleric="help 1")
    table.engage(you="cunning: grapple 1", cleric="defensive", wolf="agility")
    assert table.rolls("maneuver") == (16, 12)  # d8 7, d10 9, with advantage a d8 3 that is dropped; 7+5
    assert table.last("maneuver")["attack_causes"] == {"help": 1}
    assert (table.conditions("you"), table.conditions("wolf")) == ({"grappling": 1}, {"grappled": 1})
    assert table.fighter("you")["grappling"] == "wolf"
    table.finish_round()


@pytest.mark.heading("Grappling", "Contested Checks")
@pytest.mark.parametrize(("die", "held"), [(4, True), (3, False)])
def test_a_grapple_is_a_contested_check(die: int, held: bool) -> None:
    table = maneuver("grapple 1", [4, die, 4, 3], FREE_HANDS)  # 4+die against 7; a tie fails
    assert table.last("maneuver")["success"] is held
    assert ("grappled" in table.conditions("rogue")) is held


@pytest.mark.heading("Grappling")
def test_the_larger_has_one_advantage_for_each_size() -> None:
    table = maneuver("grapple 1", [4, 4, 1, 1, 4, 3], {**FREE_HANDS, "size": "L2"})
    assert (table.last("maneuver")["attack_causes"], table.last("maneuver")["defense_causes"]) == ({"size": 2}, {})
    table = maneuver("grapple 1", [4, 4, 4, 3, 1, 1, 1], {**FREE_HANDS, "size": "small"}, {"size": "L2"})
    assert table.last("maneuver")["attack_causes"] == {}
    assert (table.last("maneuver")["defense_causes"], table.rolls("maneuver")) == ({"size": 3}, (8, 7))


@pytest.mark.heading("Grappling")
def test_a_grapple_uses_might_against_might_or_agility() -> None:
    knight = {**FREE_HANDS, "might": 12, "agility": 8}
    table = maneuver("grapple 1", [1, 11, 1, 9], knight, {"might": 10, "agility": 4})
    assert table.rolls("maneuver") == (12, 10)
    rogue = {"might": 4, "agility": 12, "heart": 12}
    table = maneuver("grapple 1", [1, 5, 9, 1], {**FREE_HANDS, "might": 6, "agility": 20}, rogue)
    assert table.rolls("maneuver") == (6, 10)


@pytest.mark.heading("Grappling Requirements")
@pytest.mark.parametrize(
    ("arms", "shield", "free"),
    [
        ("claws", "none", 2),
        ("claws", "light_shield", 1),
        ("dagger", "none", 1),
        ("dagger", "light_shield", 0),
        ("longsword", "none", 0),
        ("whip", "none", 1),
        ("shortbow", "none", 0),
    ],
)
def test_a_grapple_takes_a_free_hand_and_with_only_one_counts_half(arms: str, shield: str, free: int) -> None:
    knight = {"weapon": arms, "shield": shield}
    assert ("grapple 1" in choices(knight, {})) is (free > 0)
    if free:
        table = maneuver("grapple 1", [5, 4, 2, 2], knight)
        assert table.rolls("maneuver") == (9 if free == 2 else 5, 4)  # 9 halved, rounded up


@pytest.mark.heading("Grappling Requirements")
def test_a_weapon_on_the_floor_keeps_no_hand_busy_and_other_maneuvers_do_not_count_half() -> None:
    """The quicker rogue has rolled 5+4 against 2+2."""
    table = Table({"knight": {"weapon": "longsword"}, "rogue": {"agility": 8}}, [(8, 6, 1, 1), (5, 4, 2, 2)])
    table.engage(knight="might", rogue="agility: disarm 1").engage(knight="might: grapple 1", rogue="cunning")
    assert table.rolls("maneuver") == (4, 9)
    assert maneuver("disarm 1", [5, 4, 2, 2], {"weapon": "dagger"}).rolls("maneuver") == (9, 4)


@pytest.mark.heading("Grappling")
def test_a_grapple_can_be_let_go_freely() -> None:
    table = Table({"knight": {}, "rogue": {"conditions": {"grappled": {"source": "knight"}}}}).play(knight="let_go")
    assert table.conditions("knight") == table.conditions("rogue") == {}
    assert table.fighter("knight")["action"]


@pytest.mark.heading("Grappling", "Zero Hit points")
@pytest.mark.parametrize(
    ("striker", "blow", "falls", "holder", "held"),
    [("knight", "attack 1", "rogue", "squire", "rogue"), ("wolf", "attack 3", "page", "page", "orc")],
)
def test_a_grapple_ends_when_either_is_out(striker: str, blow: str, falls: str, holder: str, held: str) -> None:
    """The fighter that falls has 5 hit points, and takes 22 against 1+1 and the d8 of its disadvantage."""
    blue = {"team": "blue"}
    fighters: dict[str, Fields] = {"knight": QUICK, "rogue": {}, "squire": blue, "orc": {}, "page": blue, "wolf": {}}
    fighters["rogue"] = {"conditions": {"grappled": {"source": "squire"}}}
    fighters["orc"] = {"conditions": {"grappled": {"source": "page"}}}
    fighters[falls] = {**fighters[falls], "hp_now": 5}
    stances = dict.fromkeys(fighters, "might") | {falls: "agility", striker: f"cunning: {blow}"}
    table = Table(fighters, [8, 6, 8, 1, 1, 8]).engage(**stances).play()
    assert (table.status(falls), table.fighter(holder)["grappling"]) == ("defeated", None)
    assert table.conditions(holder) == table.conditions(held) == table.conditions("knight") == {}


# ---- climbing on


@pytest.mark.heading("Climb On", "Hinder")
def test_climbing_on_is_might_or_agility_against_might_or_agility() -> None:
    knight = {"might": 4, "agility": 12, "size": "small"}
    table = maneuver("climb_on 1", [1, 11, 1, 9], knight, {"size": "large", "might": 10, "agility": 4})
    assert table.rolls("maneuver") == (12, 10)
    assert (table.conditions("knight"), table.conditions("rogue")) == ({"creature_climber": 1}, {"climbed_on": 1})
    assert table.fighter("knight")["climbing"] == "rogue"


@pytest.mark.heading("Climb On")
def test_size_gives_no_advantage_against_climbers() -> None:
    table = maneuver("climb_on 1", [4, 4, 4, 4], {"size": "small"}, {"size": "L4"})
    assert (table.last("maneuver")["success"], table.conditions("rogue")) == (False, {})  # a tie


@pytest.mark.heading("Climb On", "Dash")
def test_a_climber_hops_off_with_its_free_dash_and_the_creature_stays_climbed_on_while_another_rides_it() -> None:
    riding = {"conditions": {"creature_climber": {"source": "giant"}}}
    table = Table({"giant": {"size": "L2"}, "rogue": riding, "thief": riding}).play(rogue="hop_off")
    assert (table.conditions("giant"), table.conditions("rogue")) == ({"climbed_on": 1}, {})
    assert (table.fighter("rogue")["dash"], table.fighter("rogue")["action"]) == (False, True)
    table.play(thief="hop_off")
    assert table.conditions("giant") == {}


@pytest.mark.heading("Climb On", "Zero Hit points")
def test_a_climb_ends_when_the_climber_or_the_creature_is_out() -> None:
    """The rogue's save, 4+3 against 6, succeeds, but the rogue has no hit points left."""
    riding = {"conditions": {"creature_climber": {"source": "giant"}}}
    fighters = {"giant": {"size": "L2"}, "knight": {"team": "red"}, "rogue": {**riding, "hp_now": 5}, "thief": riding}
    table = Table(fighters, [(2, 3, 3, 8, 8, 8, 1, 1), (4, 3)])  # 8, three 8 dropped, against 1+1
    table.engage(giant="cunning: attack 2", knight="cunning", rogue="agility", thief="agility").play()
    assert table.last("check")["success"]
    assert (table.conditions("rogue"), table.conditions("giant")) == ({}, {"climbed_on": 1})
    fighters = {"giant": {"size": "L2", "hp_now": 5}, "troll": {"team": "blue"}, "rogue": riding, "thief": riding}
    table = Table(fighters, [8, 6, 8, 1, 1, 1, 1, 1])  # 8+6+8 and three dropped ones
    table.engage(rogue="cunning: attack 1", giant="agility", thief="agility").play()
    assert [table.conditions(name) for name in ("giant", "rogue", "thief")] == [{}, {}, {}]


# ---- hinder


@pytest.mark.heading("Hinder")
@pytest.mark.parametrize("condition", ["dazed", "off_balanced", "weakened"])
def test_a_dirty_strike_is_1d4_damage_and_two_levels(condition: str) -> None:
    table = maneuver(f"dirty_strike 1 {condition}", [3])
    assert (table.hp("rogue"), table.last("damage")["cause"]) == (37, "dirty_strike")
    assert table.history("rogue", condition) == [2, 1]  # the next round's start takes one


@pytest.mark.heading("Hinder")
def test_a_dirty_strike_comes_after_the_attacks_and_before_anyone_is_judged() -> None:
    fighters = {"knight": {"agility": 12}, "squire": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters, [(4, 4, 4, 1, 1), (4)])
    table.engage(knight="agility: dirty_strike 1 dazed", squire="agility: attack 1", rogue="might")
    assert table.fighter("rogue")["hits"] == [10, 4]
    table.play(rogue="take").play(rogue="shrug")
    assert table.hp("rogue") == 28  # 40 - 10 - 2


@pytest.mark.heading("Hinder")
def test_sand_in_the_eyes() -> None:
    """The orc gains one level of blinded, and its next attack has disadvantage."""
    fighters = {"rogue": QUICK, "orc": {"weapon": "greataxe", "might": 10}}
    table = Table(fighters, [6, 7, 11, 12, 2, 1]).engage(rogue="agility: blind 1", orc="might")
    table.engage(rogue="cunning", orc="might: attack 1")
    assert (table.last("attack")["attack_causes"], table.rolls()) == ({"blinded": -1}, (24, 3))  # 6+7+11+12 without 12
    table.play()


@pytest.mark.heading("Hinder")
@pytest.mark.parametrize(
    ("choice", "condition", "history"),
    [("trip 1", "prone", [1]), ("shove 1", "off_balanced", [2, 1]), ("blind 1", "blinded", [1])],
)
def test_a_trip_a_shove_and_sand_in_the_eyes_need_no_roll(choice: str, condition: str, history: list[int]) -> None:
    table = maneuver(choice, [])
    assert table.history("rogue", condition) == history and table.last("maneuver")["success"]


# ---- stunts


@pytest.mark.heading("Stunt", "Hinder")
def test_a_disarm_is_might_against_might_or_agility_and_the_weapon_falls() -> None:
    table = maneuver("disarm 1", [1, 11, 1, 9], {"might": 12, "agility": 8}, {"might": 10, "agility": 4})
    assert table.rolls("maneuver") == (12, 10)
    assert not table.fighter("rogue")["armed"]
    table = maneuver("disarm 1", [1, 6, 6, 5], {"might": 6, "agility": 20}, {"might": 4, "agility": 12})
    assert table.rolls("maneuver") == (7, 11)  # the knight's might, the rogue's agility
    assert table.fighter("rogue")["armed"]


@pytest.mark.heading("Stunt", "Hinder")
def test_a_taunt_is_presence_against_cunning_and_enrages() -> None:
    knight = {"presence": 12, "might": 4}
    table = maneuver("taunt 1", [1, 11, 1, 9], knight, {"cunning": 10, "might": 4, "agility": 4})
    assert (table.rolls("maneuver"), table.conditions("rogue")) == ((12, 10), {"enraged": 1})
    assert table.fighter("rogue")["sources"] == {"enraged": "knight"}


@pytest.mark.heading("Stunt")
@pytest.mark.parametrize(
    ("source", "levels", "causes"), [("knight", 1, {"charm": 1}), ("knight", 2, {"charm": 1}), ("orc", 2, {})]
)
def test_the_charmed_are_easier_to_taunt_by_their_charmer(source: str, levels: int, causes: dict[str, int]) -> None:
    rogue = {"conditions": {"charmed": {"levels": levels, "source": source}}}
    table = Table({"knight": QUICK, "rogue": rogue, "orc": {}}, [4, 4, *[1] * len(causes), 3, 4])
    table.engage(knight="agility: taunt 1", rogue="might", orc="cunning")
    assert table.last("maneuver")["attack_causes"] == causes


@pytest.mark.heading("Stunt", "Hinder")
def test_swinging_past_is_agility_against_agility_and_unbalances() -> None:
    table = maneuver("swing_past 1", [1, 11, 1, 9], {"agility": 12, "might": 4}, {"agility": 10, "might": 4})
    assert (table.rolls("maneuver"), table.history("rogue", "off_balanced")) == ((12, 10), [1, 0])


@pytest.mark.heading("Stunt", "Core Maneuver Rules")
@pytest.mark.parametrize("choice", ["disarm 1", "taunt 1", "swing_past 1", "grapple 1"])
def test_a_contest_that_is_lost_does_nothing(choice: str) -> None:
    table = maneuver(choice, [1, 1, 8, 6], FREE_HANDS, {"agility": 6})
    assert not table.last("maneuver")["success"]
    assert table.conditions("rogue") == table.conditions("knight") == {}
    assert table.fighter("rogue")["armed"]


@pytest.mark.heading("Core Maneuver Rules", "Stunt")
def test_maneuvers_use_no_weapon_and_no_armor() -> None:
    knight = {"weapon": weapon("heavy", damage_type="slashing"), "armor": "heavy"}
    table = maneuver("swing_past 1", [4, 4, 3, 3], knight, {"armor": "heavy"})
    assert (table.last("maneuver")["attack_dice"], table.rolls("maneuver")) == ([4, 4], (8, 6))
