"""Boundless Fury: a small engagement after a mighty blow, and a die after a drop."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Boundless Fury")
OWNER: Fields = {"talents": ["boundless_fury"]}
HIT: Dice = [(8, 6, 8), (1, 1)]  # 20 damage, more than the full heart die of 8
MIGHT, AGILITY, CUNNING, DEFENSIVE = (f"pick {k}" for k in range(4))


def furious(dice: Dice = HIT, more: Dice = (), owner: Fields = OWNER, **enemies: Any) -> Table:
    """Let the knight hit the rogue in might, and return the table at the end of the round."""
    fighters = {"knight": owner, "rogue": {}, **(enemies or {"fox": {}, "elf": {}})}
    table = Table(fighters, [*dice, *more])
    table.engage(knight="might: attack 1", rogue="cunning")
    while table.window in ("shrug", "attack", "step"):
        table.play()
    return table


def test_it_names_another_creature_and_both_choose_stances_in_secret() -> None:
    table = furious(more=HIT)
    assert (table.window, table.legal("knight")) == ("pick", ["pass", "pick_at 2", "pick_at 3"])
    table.play(knight="pick_at 2")
    assert table.choosers() == {"knight", "fox"}
    assert table.legal("fox") == [MIGHT, AGILITY, CUNNING, DEFENSIVE]
    table.play(knight=AGILITY, fox=MIGHT)
    assert (table.fighter("knight")["stance"], table.fighter("fox")["stance"]) == ("agility", "might")
    assert (table.last("attack")["target"], table.last("attack")["stance"]) == ("fox", "agility")
    assert table.last("attack")["attack_roll"] == 22, "it is not weakened yet"
    table.pass_to("shrug").play()
    assert (table.hp("fox"), table.history("knight", "weakened")[0]) == (20, 1)


@pytest.mark.parametrize(
    ("own", "other", "dice", "striker"),
    [
        (MIGHT, AGILITY, HIT, "fox"),  # agility beats might
        (CUNNING, DEFENSIVE, HIT, "knight"),
        (DEFENSIVE, CUNNING, HIT, "fox"),
        (DEFENSIVE, DEFENSIVE, [], None),
    ],
)
def test_whoever_may_attack_the_other_does(own: str, other: str, dice: Dice, striker: str | None) -> None:
    table = furious(more=dice).play(knight="pick_at 2").play(knight=own, fox=other)
    attacks = [event["attacker"] for event in table.events_of("attack")]
    assert attacks == ["knight"] + [striker] * (striker is not None)
    table.finish_round()
    assert table.history("knight", "weakened")[0] == 1


@pytest.mark.parametrize("contested", ["if_able", "mutual"])
def test_two_in_one_stance_contest(contested: str) -> None:
    table = Table({"knight": OWNER, "rogue": {}, "fox": {}}, [*HIT, (1, 1, 1), (8, 6, 8)], {"contested": contested})
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("pick")
    table.play(knight="pick_at 2").play(knight=CUNNING, fox=CUNNING).finish_round()
    assert (table.last("attack")["mutual"], table.hp("knight")) == (True, 40 - 19)


def test_each_use_weakens_by_a_level_more_and_only_others_are_offered() -> None:
    table = furious(more=HIT).play(knight="pick_at 2").play(knight=MIGHT, fox=CUNNING).pass_to("pick")
    assert table.legal("knight") == ["pass", "pick_at 3"]
    table.play(knight="pick_at 3").play(knight=DEFENSIVE, elf=DEFENSIVE)
    assert max(table.history("knight", "weakened")) == 1 + 2


def test_it_may_be_declined_and_players_that_do_not_answer_decline_or_defend() -> None:
    table = furious().play(knight="pass")
    assert table.round == 2
    table = furious().play(knight="pick_at 2").play()
    assert (table.round, table.history("knight", "weakened")[0]) == (2, 1)


def test_what_is_declined_is_gone_and_the_next_round_begins_anew() -> None:
    table = furious(more=HIT).play(knight="pass")
    while table.round == 2:
        assert table.window != "pick"
        table.play()
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("pick")
    assert table.legal("knight") == ["pass", "pick_at 2", "pick_at 3"]


@pytest.mark.parametrize(
    ("dice", "more"),
    [
        ([(4, 3, 3), (1, 1)], {}),  # 8 damage are not more than 8
        (HIT, {"owner": {}}),
        (HIT, {"elf": {"team": "blue"}}),  # nobody else to name
    ],
)
def test_it_takes_more_damage_than_the_full_heart_die_and_another_creature(dice: Dice, more: Any) -> None:
    assert furious(dice, **more).round == 2


def test_on_a_map_the_creature_is_adjacent() -> None:
    table = on_map("..RK..E\n...F...", {"knight": OWNER, "rogue": {}, "fox": {}, "elf": {}}, HIT)
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("pick")
    assert table.legal("knight") == ["pass", "pick_at 2"]


def test_one_that_now_defends_has_no_attacks_of_hordebreaker_left() -> None:
    owner: Fields = {**OWNER, "abilities": ["hordebreaker"]}
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, HIT)
    table.engage(knight="might: attack 1", rogue="cunning").pass_to("pick")
    table.play(knight="pick_at 2").play(knight=DEFENSIVE, fox=DEFENSIVE)
    assert (table.round, len(table.events_of("attack"))) == (2, 1)


def test_a_creature_that_is_stunned_only_defends() -> None:
    table = furious(more=[(8, 6, 8), (1, 1)], fox={"surprised": True}, elf={})
    table.play(knight="pick_at 2")
    assert table.choosers() == {"knight"}
    table.play(knight=MIGHT)
    assert table.fighter("fox")["stance"] == "defensive"


# ------------------------------------------------------------------------------------------------ destiny version

DESTINY: Fields = {"destiny_talents": ["boundless_fury"]}


@pytest.mark.parametrize(("owner", "hp", "die"), [(DESTINY, 20, True), (DESTINY, 30, False), (OWNER, 20, False)])
def test_after_a_drop_the_next_attack_has_a_die(owner: Fields, hp: int, die: bool) -> None:
    fighters = {"knight": owner, "rogue": {"hp": hp}, "fox": {}}
    second: Dice = [(1, 1, 1, 10) if die else (1, 1, 1), (1, 1)]
    third: Dice = [(1, 1, 1), (1, 1)]
    table = Table(fighters, [*HIT, *second, *third]).engage(knight="might: attack 1", rogue="cunning")
    table.finish_round()
    for roll in (13 if die else 3, 3):
        table.engage(knight="might", fox="cunning").pass_to("attack", "might").play(knight="attack 2")
        assert table.last("attack")["attack_roll"] == roll
        table.finish_round()


def test_a_drop_by_another_earns_no_die() -> None:
    fighters = {"knight": DESTINY, "rogue": {"hp": 20}, "fox": {}, "page": {"team": "blue"}}
    table = Table(fighters, [*HIT, (1, 1, 1), (1, 1)]).engage(page="might: attack 1", rogue="cunning").finish_round()
    table.engage(knight="might", fox="cunning").pass_to("attack", "might").play(knight="attack 2")
    assert table.last("attack")["attack_roll"] == 3
