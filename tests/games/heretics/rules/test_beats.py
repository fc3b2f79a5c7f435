"""A duel in beats, by the worked examples of the rule text and by hand.

The sellsword has +2, AD 15 and 9 hit points, the brigand +2, AD 14 and 5; both hold a short sword and a shield. So the
sellsword needs a 12 and the brigand a 13, without bonuses.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from heartrush_env import heretics_v0
from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.terms import ENDINGS
from heartrush_env.tabletop.errors import HeartRushError
from tests.games.heretics.table import OPEN, FighterLike, Table, at

SELLSWORD, BRIGAND = "sellsword_0", "brigand_0"
BEATS = {"mode": "beats"}
STURDY = {"from": "brigand", "hp": 20}
PARRY, BOTH_PARRY = "parry", ("parry", "parry")


def duel(dice: Sequence[int], blue: FighterLike = "sellsword", red: FighterLike = "brigand", **options: Any) -> Table:
    """Return a duel in beats from the start."""
    return Table([blue], [red], dice=dice, more=BEATS, **options)


def beat(table: Table, choices: Sequence[str], sunder: Sequence[str] = (), shield: Sequence[str] = ()) -> Table:
    """Play a beat: the choices of those that are asked, and the names of those that break a weapon or a shield."""
    table.play(dict(zip(table.asked, choices, strict=True)))
    for window, deed, names in (("sunder", "sunder", sunder), ("shield", "break_shield", shield)):
        if table.window == window:
            assert set(names) <= set(table.asked)
            table.play({agent: deed if agent in names else "keep" for agent in table.asked})
    return table


def left(table: Table) -> tuple[int, int]:
    """Return the hit points of both duelists."""
    return table.hp(table.game.fighters[0]), table.hp(table.game.fighters[1])


def test_example_1_both_fall() -> None:
    """Feint beats parry: 9 + 2 + 3 hits AD 14. Then push beats feint; 1 + 3 and 5 + 3 fell both."""
    table = beat(duel([9, 13, 4, 2, 12, 20, 1, 5, 3]), ("feint", "parry"))
    assert (left(table), [event["total"] for event in table.told("attack")]) == ((7, 1), [14, 15])
    beat(table, ("push", "feint"))
    assert (left(table), ENDINGS[table.fight.ending], int(table.fight.winner)) == ((0, 0), "draw", -1)
    assert table.batch.rewards.tolist() == [[0, 0]]
    said = [table.game.words.sentence(event) for event in table.events if event["type"] in ("beat", "reveal")]
    assert said == [
        "Beat 1.", "Sellsword feints.", "Brigand parries.", "Beat 2.", "Sellsword pushes.", "Brigand feints.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("choices", "rules", "dice", "hp"),
    [
        (("feint", "parry"), {}, [9, 12, 4], (9, 1)),  # 9 + 2 + 3 reaches 14, and 12 + 2 misses 15
        (("feint", "parry"), {}, [8, 12], (9, 5)),
        (("feint", "push"), {}, [11, 13, 2], (4, 5)),  # the loser's 11 + 2 misses; 2 + 3 damage
        (("feint", "push"), {"duel_bonus": "chooser"}, [11, 13, 1, 2], (4, 4)),  # 11 + 2 + 3 hits
        (("parry", "push"), {}, [11, 15], (9, 5)),  # 15 + 2 misses 15 + 3
        (("parry", "push"), {}, [11, 16, 2], (7, 5)),  # 16 + 2 hits, and the loser does 2 alone
        (("parry", "feint"), {"duel_bonus": "chooser"}, [11, 12], (9, 5)),  # 12 + 2 + 3 misses 15 + 3
        (("parry", "feint"), {}, [11, 10, 1], (8, 5)),  # 10 + 2 + 3 hits 15
        (("parry", "parry"), {}, [14, 16, 2], (7, 5)),  # equal choices: 14 + 2 misses 14 + 3; 16 + 2 hits 15 + 3
        (("push", "push"), {}, [12, 13, 1, 2], (4, 1)),  # 1 + 3 and 2 + 3
        (("feint", "feint"), {}, [9, 10, 3, 2], (7, 2)),  # 9 + 5 and 10 + 5 hit
    ],
)
def test_whose_bonus_counts(
    choices: tuple[str, str], rules: dict[str, str], dice: list[int], hp: tuple[int, int]
) -> None:
    """R-49 and R-51: only a choice that beats or equals the other has its bonus, unless a setting says otherwise."""
    assert left(beat(duel(dice, **rules), choices)) == hp


UNARMED, WEAK = {"from": "archer"}, {"from": "archer", "str": -1}
AXE = {"from": "halberdier", "hp": 30}


@pytest.mark.parametrize(
    ("red", "choices", "dice", "hp"),
    [
        (UNARMED, ("feint", "feint"), [2, 10], 9 - 2),  # a bow is no weapon for a beat: str 2
        (UNARMED, ("push", "push"), [2, 13], 9 - 2 - 3),
        (UNARMED, ("push", "push"), [2, 20], 9 - 2 - 3),  # and unarmed damage is not doubled
        (WEAK, ("feint", "feint"), [2, 13], 9),  # 13 - 1 + 3 hits; str -1 does none
        (WEAK, ("push", "push"), [2, 16], 9 - 3),
        (STURDY, ("feint", "push"), [2, 20, 1, 1], 9 - 1 - 1 - 3),  # a push is not doubled
        (AXE, ("push", "push"), [2, 14, 3, 2], 9 - 3 - 3),  # two hands: the better of 3 and 2
        (AXE, ("parry", "parry"), [2, 20, 1, 3, 2, 2], 9 - 3 - 2),  # of 1 and 3, and of 2 and 2
    ],
)
def test_the_damage_of_a_blow(red: FighterLike, choices: tuple[str, str], dice: list[int], hp: int) -> None:
    """R-50, R-51 and R-55."""
    assert left(beat(duel(dice, red=red), choices))[0] == hp


def test_a_subtle_weapon_and_a_fixed_bonus_count_as_in_rounds() -> None:
    thief = {"from": "sellsword", "held": "dagger", "dex": 3, "str": 0}
    table = beat(duel([10, 2], blue=thief, red={"from": "brigand", "to_hit": 6}), BOTH_PARRY)
    assert [event["total"] for event in table.told("attack")] == [13, 8]


def test_a_natural_1_opens_for_the_attack_of_the_next_beat() -> None:
    """R-52: the brigand rolls one die in the first beat, and in the second keeps 18 of 3 and 18: 20 reaches 15 + 3."""
    table = beat(duel([1, 2, 2, 3, 18, 4]), BOTH_PARRY)
    assert table.conditions(SELLSWORD) == {"open"}
    beat(table, BOTH_PARRY)
    assert (left(table), table.conditions(SELLSWORD)) == ((5, 5), set())
    assert table.told("attack")[3]["helps"] == ["open"]


def test_two_openings_of_a_beat_are_both_used_in_the_next() -> None:
    table = beat(duel([1, 1, 2, 3, 2, 3]), BOTH_PARRY)
    assert table.conditions(SELLSWORD) == table.conditions(BRIGAND) == {"open"}
    beat(table, BOTH_PARRY)
    assert table.conditions(SELLSWORD) == table.conditions(BRIGAND) == set()


def test_an_opening_is_over_although_it_was_not_used() -> None:
    """The brigand cannot attack, and attacks on it have two dice."""
    table = beat(duel([1, 1, 2, 3], red={"from": "brigand", "conditions": ["paralyzed"]}), [PARRY])
    assert table.conditions(SELLSWORD) == {"open"}
    assert beat(table, [PARRY]).conditions(SELLSWORD) == set()


@pytest.mark.parametrize(
    ("steady", "rules", "found"),
    [(True, {}, set()), (False, {"duel_fumble": "none"}, set()), (False, {"fumble": "none"}, {"open"})],
)
def test_who_does_not_open(steady: bool, rules: dict[str, str], found: set[str]) -> None:
    table = beat(duel([1, 2], blue={"from": "sellsword", "steady": steady}, **rules), BOTH_PARRY)
    assert table.conditions(SELLSWORD) == found


def test_the_hero_rolls_first_and_else_the_lower_index() -> None:
    table = beat(duel([12, 2, 3], blue="brigand", red="sellsword", heroes="red"), ("feint", "push"))
    assert ([event["attacker"] for event in table.told("attack")], left(table)) == ([SELLSWORD, BRIGAND], (9, 0)[::-1])
    table = beat(duel([13, 2, 3], blue="brigand", red={"from": "sellsword", "role": "npc"}), ("push", "feint"))
    assert table.told("attack")[0]["attacker"] == BRIGAND


def test_those_that_hit_with_a_weapon_are_asked_together_and_then_those_that_were_hit() -> None:
    """R-53 and R-54."""
    table = duel([12, 13, 1, 5]).play({SELLSWORD: "push", BRIGAND: "push"})
    assert (table.window, table.asked) == ("sunder", [SELLSWORD, BRIGAND])
    table.play({SELLSWORD: "keep", BRIGAND: "sunder"})
    assert (table.window, table.asked) == ("shield", [SELLSWORD, BRIGAND])
    view = table.game.layout.read(table.batch.observations[0, 0].tolist())["moment"]
    assert (set(view["first blow"]), set(view["second blow"])) == ({"hits"}, {"hits", "sunders"})
    assert (view["in beats"], view["beat"], view["natural 20"], view["sundered"]) == (True, 1, False, False)
    table.play({SELLSWORD: "break_shield", BRIGAND: "keep"})
    assert (left(table), table.held(BRIGAND), table.dice_left) == ((9, 1), None, 1)
    table.dice -= 1  # the shield has stopped the sundered weapon, so the last die lies unused


def test_only_who_hits_is_asked() -> None:
    table = duel([12, 2, 3]).play({SELLSWORD: "push", BRIGAND: "feint"})
    assert (table.window, table.asked) == ("sunder", [SELLSWORD])
    table.play("keep")
    assert (table.window, table.asked) == ("shield", [BRIGAND])
    assert left(table.play("keep")) == (9, 0)


@pytest.mark.parametrize(
    ("rules", "dice", "damage"),
    [
        ({}, [12, 2, 3, 4], 7),  # two dice and no push
        ({}, [20, 2, 3, 6, 1, 4], 14),  # four
        ({"doubling": "add"}, [20, 2, 3, 6, 1], 10),  # three
    ],
)
def test_a_sunder_doubles_the_dice_and_leaves_fists(rules: dict[str, str], dice: list[int], damage: int) -> None:
    """The next blow, by a push that beats a feint, does str 2 and 3."""
    table = beat(duel([*dice, 12, 2], red=STURDY, **rules), ("feint", "push"), sunder=[SELLSWORD])
    assert (table.hp(BRIGAND), table.held(SELLSWORD)) == (20 - damage, None)
    table.play({SELLSWORD: "push", BRIGAND: "feint"})
    assert (table.window, table.asked) == ("shield", [BRIGAND])  # fists are not sundered
    assert table.play("keep").hp(BRIGAND) == 20 - damage - 5


def test_a_shield_stops_a_blow_and_is_missing_from_the_next_beat_on() -> None:
    """In its beat the brigand strikes with one hand: 2. In the next its AD is 13, and it has two: 4 of 1 and 4."""
    table = beat(duel([12, 13, 2, 14, 16, 3, 1, 4]), ("push", "push"), shield=[BRIGAND])
    assert (left(table), bool(table.fighter(BRIGAND).shield)) == ((4, 5), False)
    assert left(beat(table, BOTH_PARRY)) == (0, 2)


def test_a_weapon_that_a_shield_has_stopped_is_gone_all_the_same() -> None:
    table = beat(duel([12, 2]), ("push", "feint"), sunder=[SELLSWORD], shield=[BRIGAND])
    assert (left(table), table.held(SELLSWORD), bool(table.fighter(BRIGAND).shield)) == ((9, 5), None, False)


def test_the_settings_of_sunder_and_shield() -> None:
    assert duel([12, 2], duel_sunder="off").play({SELLSWORD: "push", BRIGAND: "feint"}).window == "shield"
    table = duel([12, 2, 1], duel_shield="off").play({SELLSWORD: "push", BRIGAND: "feint"}, "keep")
    assert (table.window, left(table)) == ("beat", (9, 1))
    table = duel([12, 2], shield_break="off").play({SELLSWORD: "push", BRIGAND: "feint"}, "keep")
    assert table.window == "shield"  # the setting of rounds does not matter
    table = duel([12, 2], interrupts="standing").play({SELLSWORD: "push", BRIGAND: "feint"})
    assert (table.window, table.legal()) == (
        "sunder",
        ["keep", "sunder"],
    )  # standing orders are of rounds


@pytest.mark.parametrize(("inventory", "slot"), [(["dagger", "sling"], 0), (["sling", "dagger"], 1)])
def test_after_a_sunder_the_next_melee_weapon_comes_to_hand_by_a_setting(inventory: list[str], slot: int) -> None:
    blue = {"from": "sellsword", "inventory": inventory}
    table = beat(duel([12, 2, 3, 4], blue, STURDY, duel_rearm="on"), ("push", "feint"), sunder=[SELLSWORD])
    assert (table.hp(BRIGAND), table.held(SELLSWORD)) == (20 - 3 - 4 - 3, "dagger")
    assert int(table.fighter(SELLSWORD).inventory[slot]) == -1
    assert table.told("take")[0]["item"] == "dagger"


def test_who_cannot_act_neither_chooses_nor_attacks_nor_answers() -> None:
    """The ghoul's 14 + 4 hits 15 + 3, and the save of 11 fails. Then its feint beats nothing: 10 + 4 misses AD 15."""
    table = beat(duel([2, 14, 2, 11, 10, 3], red="ghoul"), ("parry", "push"))
    assert (table.hp(SELLSWORD), table.conditions(SELLSWORD)) == (7, {"paralyzed"})
    assert table.asked == ["ghoul_0"]
    beat(table, ["feint"])
    assert [(event["fighter"], event["choice"]) for event in table.told("reveal")[2:]] == [
        (SELLSWORD, None), ("ghoul_0", "feint"),
    ]  # fmt: skip
    assert (table.told("attack")[2]["helps"], len(table.told("attack"))) == (["paralyzed"], 3)
    assert (table.asked, table.conditions(SELLSWORD)) == ([SELLSWORD, "ghoul_0"], set())  # a beat is a phase


def test_who_cannot_act_has_no_reaction() -> None:
    """By the setting the ghoul's push counts: 2 + 3. Then its feint does: 10 + 4 + 3 hits for 1; the save succeeds."""
    table = beat(duel([2, 14, 2, 11, 10, 3, 1, 12], red="ghoul", duel_bonus="chooser"), ("parry", "push"))
    table.play("feint")
    assert (table.window, table.hp(SELLSWORD)) == ("beat", 9 - 5 - 1)


def test_a_stopped_claw_asks_for_no_save_and_the_fallen_do_not_save() -> None:
    table = beat(duel([2, 14], red="ghoul"), ("parry", "push"), shield=[SELLSWORD])
    assert (left(table), table.conditions(SELLSWORD)) == ((9, 6), set())
    assert left(beat(duel([2, 14, 8], {"from": "sellsword", "hp": 8}, "ghoul"), ("parry", "push"))) == (0, 6)


def test_nothing_but_choices_happens_in_a_beat() -> None:
    """R-56: the brigand at 1 of 5 is alone and half dead, which in rounds would give a request."""
    table = beat(duel([12, 2, 1], surprise="roll"), ("push", "feint"))
    assert (left(table), table.window, table.told("breaking_point")) == ((9, 1), "beat", [])
    assert set(table.legal()) == {"parry", "push", "feint", "yield"}
    assert table.told("round") == table.told("surprise") == []


def last_two(dice: Sequence[int], **options: Any) -> Table:
    """Return a fight of two in rounds that may go on in beats."""
    return Table(["sellsword"], ["brigand"], dice=dice, duel_entry="last_two", **options)


def test_the_last_two_are_asked_together_for_a_duel() -> None:
    """R-57."""
    table = last_two([12, 2, 1])
    assert (table.window, table.asked, table.legal()) == ("duel", [SELLSWORD, BRIGAND], ["duel", "fight_on"])
    table.play({SELLSWORD: "duel", BRIGAND: "duel"})
    assert [event["agrees"] for event in table.told("duel")] == [True, True]
    assert left(beat(table, ("push", "feint"))) == (9, 1)


@pytest.mark.parametrize("answers", [("duel", "fight_on"), ("fight_on", "duel"), ("fight_on", "fight_on")])
def test_without_both_the_rounds_go_on_and_each_begins_with_the_question(answers: tuple[str, str]) -> None:
    table = last_two([4]).play(dict(zip((SELLSWORD, BRIGAND), answers, strict=True)))
    assert (table.window, table.asked) == ("act", [SELLSWORD])
    table.play("stand_by", "stand_by")
    assert (table.window, int(table.fight.round_number)) == ("duel", 1)


def test_the_question_needs_exactly_two_that_are_adjacent() -> None:
    table = Table([at("sellsword", 0, 0)], [at("brigand", 2, 1)], dice=[4], field=OPEN, duel_entry="last_two")
    assert table.window == "move"
    table = Table([at("sellsword", 0, 0)], [at("brigand", 1, 1)], field=OPEN, duel_entry="last_two")
    assert table.window == "duel"
    table = Table(["sellsword", "halberdier"], ["brigand"], dice=[4], duel_entry="last_two")
    assert table.window == "act"
    assert Table(["sellsword"], ["brigand"], dice=[4]).window == "act"  # nor without the setting


def test_the_last_two_are_not_asked_again_after_a_larger_conflict() -> None:
    table = last_two([2, 2, 4, 4], beat_cap=1, after_beats="rounds").play({SELLSWORD: "duel", BRIGAND: "duel"})
    beat(table, BOTH_PARRY).play("stand_by", "stand_by")
    assert (table.window, int(table.fight.round_number)) == ("act", 2)


@pytest.mark.parametrize(
    ("fighters", "battlefield"),
    [([("sellsword", None)] * 2 + [("brigand", None)], None), ([("sellsword", (0, 0)), ("brigand", (2, 0))], ["..."])],
)
def test_a_duel_from_the_start_needs_two_side_by_side(fighters: list[Any], battlefield: Any) -> None:
    tables = [{"from": name, "team": name, **({"at": list(place)} if place else {})} for name, place in fighters]
    more = {} if battlefield is None else {"battlefield": {"map": battlefield}}
    with pytest.raises(
        HeartRushError,
        match=r"mode: expected two fighters in adjacent squares for beats, got (3 fighters|two that are not adjacent)",
    ):
        Heretics({"mode": "beats", "fighter": tables, **more})


def test_a_duel_from_the_start_has_no_objective() -> None:
    fighters = [{"from": name, "team": name} for name in ("sellsword", "brigand")]
    objective = {"kind": "hold", "team": "brigand", "count": 2}
    with pytest.raises(HeartRushError, match="objective: expected none beside the mode beats, got hold"):
        Heretics({"mode": "beats", "fighter": fighters, "objective": objective})
    Heretics({"mode": "beats", "fighter": fighters, "objective": {"kind": "defeat"}})


def test_headings_and_lines_count_beats() -> None:
    table = duel([2] * 5, beat_cap=2, after_beats="rounds")
    headings = [table.game.text_picture(table.batch.describe(0)).splitlines()[0]]
    for _ in range(2):
        beat(table, BOTH_PARRY)
        headings.append(table.game.text_picture(table.batch.describe(0)).splitlines()[0])
    assert headings == ["beat 1", "beat 2", "round 1, act, red acts"]
    lines = table.game.words.by_round(table.events)
    assert [line.split(".")[0] for line in lines] == ["Beat 1", "Beat 2", "Round 1: red acts first"]
    assert [line for line in table.game.words.teller().tell(table.events) if line.mark == "title"] == [
        "Beat 1.", "Beat 2.", "Round 1: red acts first.",
    ]  # fmt: skip


def test_the_heading_of_a_duel_that_is_over_counts_beats() -> None:
    table = beat(duel([2, 2], beat_cap=1), BOTH_PARRY)
    assert table.game.text_picture(table.batch.describe(0)).splitlines()[0] == "beat 1, over"


@pytest.mark.parametrize(
    ("choices", "winner", "ending", "paid"),
    [
        (("yield", "push"), 1, "victory", [-1, 1]),
        (("feint", "yield"), 0, "victory", [1, -1]),
        (("yield", "yield"), -1, "draw", [0, 0]),
    ],
)
def test_a_duelist_may_yield(choices: tuple[str, str], winner: int, ending: str, paid: list[int]) -> None:
    table = beat(duel([]), choices)
    assert (int(table.fight.winner), ENDINGS[table.fight.ending], table.told("attack")) == (winner, ending, [])
    assert table.batch.rewards[0].tolist() == paid
    assert [shown["status"] == "given_up" for shown in table.batch.describe(0)["fighters"]] == [
        choice == "yield" for choice in choices
    ]


def test_yielding_may_be_ruled_out() -> None:
    assert duel([], duel_yield="off").legal() == ["parry", "push", "feint"]


@pytest.mark.parametrize("value", [-0.25, 0])
def test_surrender_pays_what_a_setting_says(value: float) -> None:
    """R-58. Death pays 1 all the same: the brigand falls to 12 + 2 against 14 and 2 + 3."""
    for choices, paid in ((("yield", "push"), [value, -value]), (("push", "yield"), [-value, value])):
        assert beat(duel([], yield_value=value), choices).batch.rewards[0].tolist() == paid
    assert beat(duel([], yield_value=value), ("yield", "yield")).batch.rewards[0].tolist() == [0, 0]
    assert beat(duel([12, 2, 2], yield_value=value), ("push", "feint")).batch.rewards[0].tolist() == [1, -1]


def test_environments_pay_a_surrender() -> None:
    env = heretics_v0.parallel_env("beat", rules={"yield_value": -0.5})
    env.reset(seed=1)
    names = env.unwrapped.get_action_meanings()
    _, rewards, *_ = env.step({SELLSWORD: names.index("yield"), BRIGAND: names.index("push")})
    assert rewards == {SELLSWORD: -0.5, BRIGAND: 0.5}


@pytest.mark.parametrize("value", [0.5, -1.5, "much"])
def test_a_value_of_surrender_that_is_out_of_bounds_is_refused(value: object) -> None:
    with pytest.raises(HeartRushError, match=f"yield_value: expected a number from -1 to 0, got {value!r}"):
        duel([], yield_value=value)


def test_after_the_last_beat_a_larger_conflict_breaks_in() -> None:
    """R-58."""
    table = beat(duel([2, 2, 2, 2], beat_cap=2), BOTH_PARRY)
    assert table.window == "beat"
    beat(table, BOTH_PARRY)
    assert (ENDINGS[table.fight.ending], int(table.fight.winner)) == ("larger_conflict", -1)
    assert table.game.words.sentence(table.told("conflict")[0]) == "A larger conflict breaks in after beat 2."


def test_rounds_may_follow_the_beats() -> None:
    """A d6 of 4 lets the heroes act first. Leaders roll for the first round too: 15 against 3."""
    table = beat(duel([2, 2, 4], beat_cap=1, after_beats="rounds"), BOTH_PARRY)
    assert (table.window, table.asked, int(table.fight.round_number)) == ("act", [SELLSWORD], 1)
    assert "attack 1" in table.legal()
    table = beat(duel([2, 2, 3, 15], beat_cap=1, after_beats="rounds", initiative="leaders"), BOTH_PARRY)
    assert table.asked == [BRIGAND]


@pytest.mark.parametrize(
    ("choices", "dice", "hp"),
    [
        (("parry", "push"), [2, 4], 9),  # 4 + 5 + 3 reaches 10 + 2
        (("parry", "push"), [2, 3, 2], 7),
        (("parry", "feint"), [2, 10], 9),  # 10 + 5 reaches 10 + 2 + 3
        (("parry", "feint"), [2, 9, 2], 7),
        (("parry", "push"), [2, 1, 2, 3], 4),  # a natural 1 counts as the attacker's natural 20
    ],
)
def test_a_hero_may_roll_to_defend(choices: tuple[str, str], dice: list[int], hp: int) -> None:
    """R-59."""
    assert left(beat(duel(dice, roll_to_defend="on"), choices))[0] == hp


def test_the_plain_profile_leaves_three_choices_and_two_numbers_of_hit_points() -> None:
    """R-61."""
    table = duel([1, 13, 2, 12, 13, 1, 2], duel_profile="plain", duel_sunder="on")
    assert table.legal() == ["parry", "push", "feint"]
    table.play({SELLSWORD: "feint", BRIGAND: "push"})
    assert (table.window, left(table), table.conditions(SELLSWORD)) == ("beat", (4, 5), set())
    assert left(table.play({SELLSWORD: "push", BRIGAND: "feint"})) == (2, 1)


# ------------------------------------------------------------------------------------------- knowledge of both duelists


def test_the_last_8_reveals_of_both_are_observed() -> None:
    told = [("parry", "push"), ("feint", "feint"), ("push", "parry"), *[BOTH_PARRY] * 6]
    table = duel([2] * 18)
    for choices in told:
        beat(table, choices)
    seen = [table.game.layout.read(table.batch.observations[0, seat].tolist())["moment"] for seat in (0, 1)]
    assert seen[0] == seen[1] and seen[0]["beat"] == 10
    assert seen[0]["first pushes"] == {"7": 1} and seen[0]["first feints"] == {"8": 1}
    assert seen[0]["second pushes"] == {} and seen[0]["second feints"] == {"8": 1}  # the ninth is forgotten
    assert set(seen[0]["first parries"]) == set("123456") and set(seen[0]["second parries"]) == set("1234567")


def test_a_duel_goes_on_from_a_snapshot_with_its_reveals() -> None:
    table = duel([2] * 4)
    beat(beat(table, ("parry", "push")), ("feint", "feint"))
    other = table.game.batch()
    other.restore(0, json.loads(json.dumps(table.batch.snapshot(0))))
    assert np.array_equal(other.observations, table.batch.observations)
    seen = table.game.layout.read(other.observations[0, 0].tolist())["moment"]
    assert (seen["first parries"], seen["first feints"]) == ({"2": 1}, {"1": 1})
    assert (seen["second pushes"], seen["second feints"]) == ({"2": 1}, {"1": 1})


CHOICES, ANSWERS, SHIELDS = ("parry", "push", "feint", "yield"), ("keep", "sunder"), ("keep", "break_shield")


@pytest.mark.parametrize("control", ["fighter", "team"])
@pytest.mark.parametrize(
    ("before", "secrets"),
    [([], CHOICES), ([("push", "push")], ANSWERS), ([("push", "push"), ("keep", "keep")], SHIELDS)],
)
def test_a_secret_does_not_leak_before_both_are_in(
    control: str, before: list[tuple[str, str]], secrets: tuple[str, ...]
) -> None:
    """R-60: whatever the first chooses, the second and every onlooker see the same, by each way to look."""
    seen = set()
    for secret in secrets:
        env = heretics_v0.raw_env("beat", control=control)
        env.reset(seed=3, options={"dice": [12, 13]})
        names = env.unwrapped.get_action_meanings()
        for name in (*(each for pair in before for each in pair), secret):
            first = env.agent_selection
            env.step(names.index(name))
        second = env.agent_selection
        assert second != first and secret in names
        looks = [env.observe(second), env.vector(second), env.observe(first), env.vector(first)]
        numbers = [look[part].tolist() for look in looks for part in ("observation", "action_mask")]
        seen.add(repr((second, numbers, env.infos, env.rewards, env.state().tolist(), env.events, env.public)))
    assert len(seen) == 1
