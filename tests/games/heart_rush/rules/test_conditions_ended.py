"""Conditions: how fighters get rid of them, and what burning and suffocating do until then."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table

PRONE = {"conditions": {"prone": 1}}
BY_THE_ROGUE = {"source": "rogue"}


def of(source: str, levels: int = 1) -> Fields:
    """Return levels of a condition that has a source."""
    return {"levels": levels, "source": source}


@pytest.mark.heading("Breaking Free")
def test_a_grapples_own_restraint_does_not_hinder_breaking_it() -> None:
    knight = {"conditions": {"grappled": BY_THE_ROGUE, "restrained": 2}}
    table = Table({"knight": knight, "rogue": {}}, [4, 4, 8, 8, 2, 3, 8]).play(knight="break_free")
    assert table.rolls("check") == (8, 5)  # D2 for its own restraint alone: 4+4; D1 for holding: 2+3
    assert (table.conditions("knight"), table.conditions("rogue")) == ({"restrained": 2}, {})
    assert table.fighter("rogue")["grappling"] is None


@pytest.mark.heading("Breaking Free", "Grappling")
def test_the_larger_has_one_advantage_for_each_size_when_a_grapple_is_broken() -> None:
    knight = {"size": "L2", "conditions": {"grappled": BY_THE_ROGUE}}
    table = Table({"knight": knight, "rogue": {"size": "small"}}, [4, 4, 1, 1, 1, 2, 3, 8])
    table.play(knight="break_free")
    assert table.rolls("check") == (8, 5)  # three sizes, A3: 4+4; D1: 2+3
    small = {"size": "small", "conditions": {"grappled": BY_THE_ROGUE}}
    table = Table({"knight": small, "rogue": {"size": "L2"}}, [4, 4, 3, 2, 1, 1]).play(knight="break_free")
    assert table.rolls("check") == (8, 5)  # A3 less D1 for holding, A2: 3+2+1+1 without the ones


@pytest.mark.heading("Breaking Free", "Might or Agility")
def test_breaking_free_is_opposed_with_might_or_agility() -> None:
    rogue = {"might": 4, "agility": 12}
    table = Table({"knight": {"conditions": {"grappled": BY_THE_ROGUE}}, "rogue": rogue}, [4, 4, 2, 9, 12])
    table.play(knight="break_free")
    assert table.rolls("check") == (8, 11)  # 2+9+12 without 12
    assert "grappled" in table.conditions("knight")


@pytest.mark.heading("Entangled")
@pytest.mark.parametrize(
    ("choice", "hunter", "dice", "total", "free"),
    [
        # by might against the hunter's might number, 4, and four more; the net's D1 drops the 8
        ("tear_free", {"might": 4, "cunning": 12}, [4, 4, 8], 8, True),
        ("tear_free", {"might": 4, "cunning": 12}, [4, 3, 8], 7, False),
        # by an attack roll of at least ten: heart 2, agility 5, weapon 1, one more weapon die for slashing in agility
        ("cut_free", {}, [2, 5, 1, 2, 8], 10, True),
        ("cut_free", {}, [2, 5, 1, 1, 8], 9, False),
    ],
)
def test_a_net_is_torn_by_might_and_cut_by_an_attack_roll_in_agility(
    choice: str, hunter: Fields, dice: list[int], total: int, free: bool
) -> None:
    weaker = "agility" if choice == "tear_free" else "might"
    knight = {weaker: 4, "weapon": "shortsword", "conditions": {"entangled": {"source": "hunter"}}}
    table = Table({"knight": knight, "hunter": hunter}, dice).play(knight=choice)
    check = {"attack_roll": total, "ability": "might" if choice == "tear_free" else "agility", "success": free}
    assert {key: table.last("check")[key] for key in check} == check
    assert ("entangled" not in table.conditions("knight")) is free


@pytest.mark.heading("Entangled")
def test_abilities_let_the_attack_roll_be_that_cuts_a_net() -> None:
    fights_well = {"talents": ["haphazard"], "abilities": ["favored_attacker"]}
    knight = {"might": 4, "weapon": "shortsword", "conditions": {"entangled": {"source": "hunter"}}, **fights_well}
    table = Table({"knight": knight, "hunter": {}}, [2, 5, 1, 1, 8]).play(knight="cut_free")
    assert table.last("check")["attack_roll"] == 9
    assert "entangled" in table.conditions("knight")


@pytest.mark.heading("Entangled")
@pytest.mark.parametrize(
    ("blade", "cuts"), [("shortsword", True), ("club", False), ("dagger", False), ("shuriken", True)]
)
def test_only_a_slashing_weapon_cuts_nets(blade: str, cuts: bool) -> None:
    entangled = {"conditions": {"entangled": {"source": "hunter"}}}
    table = Table({"knight": {"weapon": blade, **entangled}, "squire": {"team": "blue", **entangled}, "hunter": {}})
    assert ("cut_free" in table.legal("knight")) is cuts
    assert ("cut_loose 1" in table.legal("knight")) is cuts
    assert {"wriggle_free", "tear_free"} <= set(table.legal("knight"))


@pytest.mark.heading("Entangled")
def test_a_slashing_weapon_on_the_floor_cuts_nothing() -> None:
    knight = {"weapon": "shortsword", "conditions": {"entangled": {"source": "hunter"}}}
    table = Table({"knight": knight, "hunter": {"agility": 8}}, [8, 6, 1, 1, 8])
    table.engage(knight="might", hunter="agility: disarm 1")  # 8+6 against 1+1, the net's 8 dropped
    assert "cut_free" not in table.legal("knight")
    table.play(knight="pick_up")
    assert "cut_free" in table.legal("knight")


@pytest.mark.heading("Entangled", "Understanding Actions and Abilities")
def test_an_ally_cuts_a_net_without_a_roll() -> None:
    squire = {"team": "blue", "conditions": {"entangled": {"source": "hunter"}}}
    table = Table({"knight": {"weapon": "shortsword"}, "squire": squire, "hunter": {}}).play(knight="cut_loose 1")
    assert table.conditions("squire") == {} and not table.fighter("knight")["action"]


def carrying(*climbers: str) -> Fields:
    """Return a giant with climbers on it."""
    climbing = {"conditions": {"creature_climber": {"source": "giant"}}}
    return {"giant": {"size": "L2"}, **dict.fromkeys(climbers, climbing)}


@pytest.mark.heading("Shaking Off")
def test_one_roll_shakes_off_every_climber_with_a_lower_total() -> None:
    table = Table(carrying("knight", "rogue", "orc"), [4, 4, 4, 3, 4, 4, 4, 5]).play(giant="shake_off")
    # 8 against 7 falls, against 8 (a tie changes nothing) and 9 holds on
    assert [table.fighter(name)["climbing"] for name in ("knight", "rogue", "orc")] == [None, "giant", "giant"]
    assert "climbed_on" in table.conditions("giant")
    assert [check["success"] for check in table.events_of("check")] == [True, False, False]
    assert not table.fighter("giant")["action"]
    table = Table(carrying("knight"), [4, 4, 4, 3]).play(giant="shake_off")
    assert (table.conditions("giant"), table.conditions("knight")) == ({}, {}), "the last one is off"


@pytest.mark.heading("Shaking Off", "Might or Agility")
def test_shaking_off_and_holding_on_are_might_or_agility() -> None:
    fighters = carrying("knight")
    fighters["giant"] = {"size": "L2", "might": 4, "agility": 12}
    fighters["knight"] = {**fighters["knight"], "might": 10, "agility": 4}
    assert Table(fighters, [1, 11, 1, 9]).play(giant="shake_off").rolls("check") == (12, 10)


@pytest.mark.heading("Creature Climber", "Might or Agility")
@pytest.mark.parametrize(
    ("case", "rogue", "answer", "save", "hp", "holds"),
    [
        ("a save of 8 meets a damage of 8", {}, "take", (4, 4), 32, True),
        ("a save of 7 does not", {}, "take", (4, 3), 32, False),
        ("shrugged off it is 4", {}, "shrug", (2, 2), 36, True),
        ("the agility of d12 is larger", {"agility": 12}, "take", (1, 11), 32, True),
    ],
)
def test_a_climber_who_takes_damage_saves_against_it_or_falls(
    case: str, rogue: Fields, answer: str, save: tuple[int, int], hp: int, holds: bool
) -> None:
    fighters = carrying("rogue")
    fighters = {**fighters, "rogue": {**fighters["rogue"], **rogue}, "knight": {"team": "blue"}}
    table = Table(fighters, [4, 4, 5, 3, 2, *save])  # 13 - 5 = 8
    table.engage(knight="might: attack 1", rogue="cunning").play(rogue=answer)
    check = table.last("check")
    assert (table.hp("rogue"), check["success"], check["attack_roll"]) == (hp, holds, sum(save))
    assert table.fighter("rogue")["climbing"] == ("giant" if holds else None)


@pytest.mark.heading("Putting It Out")
@pytest.mark.parametrize(("levels", "left"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_an_action_puts_out_half_the_fire_rounded_up(levels: int, left: int) -> None:
    table = Table({"knight": {"conditions": {"burning": levels}}, "rogue": {}}).play(knight="put_out_fire")
    assert table.conditions("knight").get("burning", 0) == left and not table.fighter("knight")["action"]


@pytest.mark.heading("Putting It Out")
def test_an_ally_that_burns_may_be_doused() -> None:
    burning = {"team": "blue", "conditions": {"burning": 3}}
    table = Table({"knight": {}, "squire": burning, "page": {"team": "blue"}, "rogue": {}})
    assert [choice for choice in table.legal("knight") if choice.startswith("douse")] == ["douse 1"]
    table.play(knight="douse 1")
    assert table.conditions("squire") == {"burning": 1} and not table.fighter("knight")["action"]


@pytest.mark.heading("Overcoming", "Challenge Numbers")
@pytest.mark.parametrize("condition", ["frightened", "enraged", "aggravated"])
@pytest.mark.parametrize(("die", "free"), [(3, True), (2, False)])
def test_a_cunning_save_against_the_sources_presence_number_clears_every_level(
    condition: str, die: int, free: bool
) -> None:
    # D3 while frightened, and none against the source of one's rage; 5+die against 8
    extra = [8] * 3 if condition == "frightened" else []
    knight = {"might": 4, "agility": 4, "presence": 4, "conditions": {condition: of("rogue", 3)}}
    table = Table({"knight": knight, "rogue": {"presence": 8, "cunning": 12}}, [die, 5, *extra])
    table.play(knight=f"overcome {condition}")
    assert (table.last("check")["attack_roll"], table.last("check")["success"]) == (die + 5, free)
    assert table.conditions("knight") == ({} if free else {condition: 3})
    assert not table.fighter("knight")["action"]


@pytest.mark.heading("Overcoming")
@pytest.mark.parametrize("conditions", [(), ("frightened",), ("enraged",), ("frightened", "enraged")])
def test_a_fighter_overcomes_only_what_it_feels(conditions: tuple[str, ...]) -> None:
    felt = {condition: of("knight") for condition in ("frightened", "enraged", "aggravated")}
    knight = {"conditions": {condition: of("rogue") for condition in conditions}}
    table = Table({"knight": knight, "rogue": {"conditions": felt}})
    offered = {choice.partition(" ")[2] for choice in table.legal("knight") if choice.startswith("overcome")}
    assert offered == set(conditions)


@pytest.mark.heading("Suffocating")
@pytest.mark.parametrize("action", ["put_out_fire", "stand", "rise"])
def test_whoever_moves_or_acts_without_breath_takes_1d6(action: str) -> None:
    knight = {"conditions": {"suffocating": 1, "burning": 1, "prone": 1}}
    table = Table({"knight": knight, "rogue": {"conditions": {"stunned": 1}}}, [4]).play(knight=action)
    table.play(knight="take")
    assert (table.hp("knight"), table.last("damage")["cause"]) == (36, "suffocating")  # 40 - 4
    breathes = Table(
        {"knight": {"conditions": {"burning": 1, "prone": 1}}, "rogue": {"conditions": {"stunned": 1}}}, []
    )
    assert breathes.play(knight=action).hp("knight") == 40


@pytest.mark.heading("Suffocating")
def test_whoever_strikes_at_an_opening_without_breath_takes_1d6() -> None:
    fighters = {"knight": {"conditions": {"suffocating": 1}}, "rogue": PRONE}
    table = Table(fighters, [2, 2, 2, 4, 2, 8, 5]).play(rogue="stand")
    table.play(knight="opportunity 1 might")  # 2+2+2 against 4+2 (the 8 dropped)
    table.play(knight="take")
    assert (table.hp("knight"), table.hp("rogue")) == (35, 40)


@pytest.mark.heading("Suffocating", "Burning and Suffocating")
def test_letting_go_costs_no_breath_and_the_rounds_end_does() -> None:
    held = {"conditions": {"grappled": {"source": "knight"}}}
    table = Table({"knight": {"conditions": {"suffocating": 1}}, "rogue": held}, [6]).play(knight="let_go")
    assert table.hp("knight") == 40
    assert table.finish_round().hp("knight") == 34


@pytest.mark.heading("Burning and Suffocating", "Taking Damage")
def test_fire_and_want_of_breath_are_two_hits_at_the_rounds_end() -> None:
    fighters = {"knight": {"conditions": {"burning": 3, "suffocating": 1}}, "rogue": {}}
    table = Table(fighters, [1, 2, 3, 5]).pass_to("shrug")
    assert table.fighter("knight")["hits"] == [6, 5]  # 3d6: 1+2+3; 1d6: 5
    table.play(knight="shrug").play(knight="shrug")
    assert (table.hp("knight"), table.heart("knight")) == (34, 4)  # 40 - 3 - 3, halves rounded up


@pytest.mark.heading("Burning and Suffocating")
def test_the_unconscious_burn_on_and_the_defeated_do_not() -> None:
    burning = {"conditions": {"burning": 2}, "hp_now": 5}
    burning = {"conditions": {"burning": 2}, "hp_now": 5}
    fighters = {"knight": {"agility": 8}, "squire": {"team": "blue"}, "rogue": burning}
    fighters |= {"monk": {**burning, "team": "gold"}, "orc": {"team": "gold"}}
    # 4+4+4 against 1+1 twice fells both; the monk, a hero, is unconscious and burns on: 2+1
    table = Table(fighters, [4, 4, 4, 1, 1] * 2 + [2, 1], {"zero_hp": "all_out"}, heroes=["gold"])
    table.engage(knight="might: attack 1", squire="might: attack 2", rogue="cunning", monk="cunning", orc="agility")
    table.finish_round()
    assert (table.status("rogue"), table.hp("rogue")) == ("defeated", -5)  # 5 - 10
    assert (table.status("monk"), table.hp("monk")) == ("unconscious", -8)  # 5 - 10 - 3
