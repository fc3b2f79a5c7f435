"""One position, with its dice and their results, for each setting that decides a disputed point of the text.

Each is played through an environment; numbers are worked out by hand from the sentence that the ruling names.
"""

import pytest

from tests.games.heart_rush.rules.position import PLAIN, Position

# -- opportunity_first


def ambush(first: bool, dice: list[int]) -> Position:
    """Let a hidden, slow knight strike at a quick rogue in the window in which the rogue sidesteps."""
    knight = {"agility": 4, "conditions": {"hidden": 1}, "at": [2, 2]}
    rogue = {"agility": 12, "at": [3, 2]}
    ground = {"map": ["......"] * 4}
    position = Position({"rogue": rogue}, {"knight": knight}, dice, {"opportunity_first": first}, battlefield=ground)
    position.play(knight="opportunity 1 might", rogue="sidestep e")
    while position.window == "shrug":
        position.play()
    return position


@pytest.mark.heading("Opportunity Attacks", "Chaining Abilities")
def test_opportunity_first_strikes_before_a_quicker_enemy_steps_away() -> None:
    position = ambush(True, [6, 5, 7, 3, 2, 4, 5, 6, 7, 8])  # unseen: five dice more, of which the highest are dropped
    (attack,) = position.told("attack")
    assert (attack["attack_roll"], attack["defense_roll"], attack["damage"]) == (18, 5, 13)
    rogue = position.fighter("rogue")
    assert (rogue["hp"], rogue["wounds"], rogue["at"]) == (27, 13, [4, 2])
    assert position.has_used_its_dice()


@pytest.mark.heading("Opportunity Attacks", "Chaining Abilities")
def test_opportunity_first_off_lets_the_quicker_enemy_step_away() -> None:
    position = ambush(False, [])
    assert (position.fighter("rogue")["hp"], position.fighter("rogue")["at"]) == (40, [4, 2])
    assert [event["fighter"] for event in position.told("fizzle")] == ["knight_0"]
    assert position.fighter("knight")["action"]  # what fizzles costs nothing


@pytest.mark.heading("Opportunity Attacks")
def test_opportunity_first_needs_no_roll_between_a_striker_and_another_of_its_speed() -> None:
    """Equals roll for timing only where the order matters; the striker comes first in any case."""
    blue = {"rogue": {"conditions": {"burning": 1}}}
    position = Position(blue, {"knight": {"conditions": {"hidden": 1}}}, [6, 5, 7, 3, 2, 4, 5, 6, 7, 8], heroes=[])
    position.play(knight="opportunity 1 might", rogue="put_out_fire")
    assert position.told("timing") == []
    position.play()
    assert [event["type"] for event in position.events if event["type"] in ("attack", "declare")] == [
        "declare", "attack", "declare",
    ]  # fmt: skip
    assert position.has_used_its_dice()


# -- talk


def talk(setting: str) -> Position:
    """Return a position with two fighters of blue and one of red, after `a` has said might."""
    position = Position({"a": {}, "b": {}}, {"c": {}}, rules={"talk": setting})
    assert position.window == "action"
    position.play()
    assert position.window == "talk"
    position.play(a="say might")
    assert position.window == "stance"
    return position


@pytest.mark.heading("Strategic Discussion")
@pytest.mark.parametrize(("setting", "before", "after"), [("team", 0, 0), ("open", 0, 1), ("overheard", 1, 1)])
def test_talk_comes_before_stances_and_is_heard_when_the_setting_says(setting: str, before: int, after: int) -> None:
    position = talk(setting)
    assert (position.sees("b", "ally 1 said might"), position.sees("c", "enemy 1 said might")) == (1, before)
    position.play(a="stance might", b="stance cunning", c="stance agility")
    assert (position.sees("b", "ally 1 said might"), position.sees("c", "enemy 1 said might")) == (1, after)


@pytest.mark.heading("Strategic Discussion")
@pytest.mark.parametrize(("setting", "told"), [("team", [None]), ("open", [None, "might"]), ("overheard", ["might"])])
def test_talk_is_told_to_all_no_sooner_than_they_hear_it(setting: str, told: list[str | None]) -> None:
    position = talk(setting)
    assert [event["stance"] for event in position.told("talk")] == told[:1]
    position.play(a="stance cunning")
    assert [(event["fighter"], event["stance"]) for event in position.told("talk")] == [("a_0", said) for said in told]


@pytest.mark.heading("Strategic Discussion")
def test_talk_is_over_with_the_round() -> None:
    position = talk("open")
    position.play(a="stance might")
    position.pass_to("talk")  # of the next round
    assert (position.sees("b", "ally 1 said might"), position.sees("c", "enemy 1 said might")) == (0, 0)


# -- options_on_rolls


def exerting(setting: bool, *, used: bool, dice: list[int]) -> Position:
    """Return a position with the owner of Exert in might against cunning; if `used`, Exert was declared before."""
    position = Position({"a": {"talents": ["exert"]}}, {"b": {}}, dice, {"options_on_rolls": setting})
    if used:
        position.play(a="use a")
    position.engage(a="might", b="cunning")
    position.pass_to("instant" if setting and not used else "attack")
    return position


@pytest.mark.heading("Exert")
def test_options_on_rolls_are_used_in_the_action_phase(plainly: None) -> None:
    position = exerting(False, used=True, dice=[5, 4, 6, 3, 2, 3, 2])
    position.pass_to("attack", "might")
    position.play(a="attack 1")
    assert position.told("attack")[-1]["damage"] == 15  # 15 + 5 against 5
    position.play()
    assert (position.fighter("b")["hp"], position.fighter("b")["wounds"], position.fighter("a")["heart"]) == (25, 15, 6)
    assert position.has_used_its_dice()


@pytest.mark.heading("Exert", "Bloodblade", "Hit 'Em Where It Counts")
@pytest.mark.parametrize("talent", ["exert", "bloodblade", "hit_em_where_it_counts"])
@pytest.mark.parametrize("setting", [False, True])
def test_options_on_rolls_are_offered_as_the_phase_begins_only_if_set(
    talent: str, setting: bool, plainly: None
) -> None:
    position = Position({"a": {"talents": [talent]}}, {"b": {}}, rules={"options_on_rolls": setting})
    position.engage(a="might", b="agility")
    windows = {position.window: "use a" in position.legal("a")}
    while position.env.unwrapped.public["phase"] is not None:
        position.play()
        windows.setdefault(position.window, "use a" in position.legal("a"))
    assert windows.get("instant", False) == setting


# -- windows_per_round

FIVE = ["hit_em_where_it_counts", "exert", "bloodblade", "reckless_attack", "overexert"]


@pytest.mark.heading("The Action Phase")
@pytest.mark.parametrize(("setting", "asked"), [("auto", 13), (8, 8)])
def test_windows_per_round_grow_with_the_largest_loadout(setting: str | int, asked: int, plainly: None) -> None:
    """Loadouts of five and of three abilities give eight and five windows if a fighter declares in each."""
    sides = {"a": {"talents": FIVE}}, {"b": {"talents": FIVE[:3]}}
    position = Position(*sides, rules={"windows_per_round": setting})
    uses = [("a", letter) for letter in "aaaaabcde"] + [("b", letter) for letter in "aaaaabc"]
    windows = 0
    for name, letter in uses:
        if position.window != "action":
            break
        windows += 1
        position.play(**{name: f"use {letter}"})
    assert (position.window, windows) == ("stance", asked)


@pytest.mark.heading("The Action Phase")
@pytest.mark.parametrize(("rules", "window"), [({}, "stance"), ({"windows_per_round": 9}, "action")])
def test_windows_per_round_are_eight_without_abilities(rules: dict[str, int], window: str) -> None:
    """Each of eight fighters puts out its fire in a window of its own; all could still rise for a rush point."""
    on_fire = {"conditions": {"burning": 1, "prone": 1}}
    position = Position(dict.fromkeys("abcd", on_fire), dict.fromkeys("efgh", on_fire), rules=rules)
    for name in "abcdefgh":
        assert position.window == "action"
        position.play(**{name: "put_out_fire"})
    assert position.window == window


# -- help_lasts


@pytest.mark.heading("Help")
@pytest.mark.parametrize(
    ("setting", "dice", "rolled"), [("round", [5, 4, 6, 3, 2], 3), ("fight", [5, 4, 6, 3, 3, 2], 4)]
)
def test_help_lasts_for_the_round_or_until_it_is_used(setting: str, dice: list[int], rolled: int) -> None:
    """The advantage die is a d6, and the lowest of four dice is dropped: 15 in both cases, against 5."""
    position = Position({"a": {}, "h": {}}, {"b": {}}, dice, {"help_lasts": setting})
    position.play(h="help 1")
    position.engage()
    position.pass_to("action")
    position.engage(a="might", b="cunning")
    position.pass_to("attack", "might")
    position.play(a="attack 1")
    assert len(position.told("attack")[-1]["attack_dice"]) == rolled
    position.play()
    assert (position.fighter("b")["hp"], position.fighter("b")["wounds"]) == (30, 10)
    assert position.has_used_its_dice()


# -- death_at


@pytest.mark.heading("Zero Hit points")
@pytest.mark.parametrize(("setting", "status"), [("maximum", "standing"), ("reduced_maximum", "dead")])
def test_death_at_the_full_maximum_or_at_what_wounds_leave_of_it(setting: str, status: str) -> None:
    """Damage of 10 at -20 hit points, with a wound of 13, makes -30, against 40, or against 40 - 13 - 10 = 17."""
    hurt = {"hp_now": -20, "wounds": [13]}
    rules = {"death_at": setting, "zero_hp": "all_choose"}
    position = Position({"a": {}}, {"b": hurt}, [5, 4, 6, 3, 2], rules)
    position.engage(a="might", b="cunning")
    position.pass_to("attack", "might")
    position.play(a="attack 1")
    position.play()
    b = position.fighter("b")
    assert (b["hp"], b["wounds"], b["status"]) == (-30, 23, status)
    assert position.has_used_its_dice()
    if status == "standing":
        position.pass_to("action")
        assert "yield" in position.legal("b")


# -- contested


@pytest.mark.heading("Same Stance Combat")
@pytest.mark.parametrize(
    ("setting", "dice", "hp"), [("always", [5, 4, 7, 6, 5, 8], (37, 40)), ("if_able", [5, 4, 7, 6, 5], (40, 35))]
)
def test_contested_with_a_target_that_cannot_reach_back(setting: str, dice: list[int], hp: tuple[int, int]) -> None:
    """The attack of 16 meets an attack of 19 or a defense of 11: claws do not reach the bearer of a halberd."""
    blue, red = {"a": {"weapon": "halberd", "at": [1, 1]}}, {"b": {"at": [3, 1]}}
    position = Position(blue, red, dice, {"contested": setting}, battlefield={"map": ["......"] * 3})
    position.engage(a="might", b="might")
    position.play(a="attack 1")
    position.play()
    assert (position.fighter("a")["hp"], position.fighter("b")["hp"]) == hp
    assert position.has_used_its_dice()


def test_a_plain_fighter_is_as_the_positions_say() -> None:
    assert [PLAIN[key] for key in ("might", "agility", "cunning", "presence", "heart", "hp", "speed")] == [
        6, 6, 6, 6, 8, 40, 60,
    ]  # fmt: skip
