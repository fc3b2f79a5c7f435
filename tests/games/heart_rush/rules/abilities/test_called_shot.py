"""Called Shot: a number that a die must reach, paid for with advantage."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Called Shot")
HIGH = {"highground": 1}


def aimed(levels: int, dice: Dice = (), **knight: Fields) -> Table:
    """Return a table at which the knight, whose attacks have this much advantage, may call a shot in its phase."""
    talents = {"talents": ["kick_em_while_theyre_down"]} if levels > 1 else {}
    prone = {"prone": 1} if levels > 1 else {}
    owner = {"abilities": ["called_shot"], "conditions": HIGH if levels % 2 else {}, **talents, **knight}
    return Table({"knight": owner, "rogue": {"conditions": prone}}, dice).engage(knight="might", rogue="cunning")


def called(table: Table, number: int, times: int | None) -> Table:
    """Call a shot and attack."""
    use = next(name for name in table.legal("knight") if name.startswith("use_at"))
    table.play(knight=use).play(knight=f"pick {number}")
    if times:
        table.play(knight=f"pick {times}")
    return table.pass_to("attack", "might").play(knight="attack 1")


def test_the_number_is_added_if_a_die_reaches_it() -> None:
    # One level of advantage is not paid for the first time: 5, 3, 8 and a d6 of 4, less the 3.
    for number, more in ((7, 7), (8, 8), (9, 0)):
        table = called(aimed(1, [(5, 3, 8, 4), (4, 3)]), number, 1)
        assert table.rolls()[0] == 17 + more


def test_dice_that_are_dropped_do_not_count() -> None:
    table = called(aimed(1, [(2, 3, 2, 2), (4, 3)]), 3, 1)
    assert table.rolls()[0] == 7 + 3
    table = called(aimed(1, [(1, 1, 1, 1), (4, 3)]), 2, 1)
    assert table.rolls()[0] == 3


def test_a_level_pays_for_twice_the_number_and_three_levels_for_three_times() -> None:
    table = called(aimed(1, [(5, 3, 8), (4, 3)]), 6, 2)
    assert table.rolls()[0] == 16 + 12
    # With three levels of advantage all are paid.
    table = called(aimed(3, [(5, 3, 8), (4, 3, 1)]), 6, 3)
    assert table.rolls()[0] == 16 + 18


def test_a_multiplier_costs_what_the_attack_has() -> None:
    table = aimed(3, [(5, 3, 8, 1, 1), (4, 3, 1)])
    use = next(name for name in table.legal("knight") if name.startswith("use_at"))
    table.play(knight=use)
    assert table.legal("knight") == [f"pick {number}" for number in range(1, 21)]
    table.play(knight="pick 8")
    assert table.legal("knight") == ["pick 1", "pick 2", "pick 3"]
    table.play(knight="pick 2").pass_to("attack", "might").play(knight="attack 1")
    assert table.rolls()[0] == 16 + 16


def test_without_advantage_nothing_is_asked() -> None:
    table = aimed(0, [(5, 3, 8), (4, 3)])
    assert table.window == "attack"
    table.play(knight="attack 1")


def test_its_owners_defenses_have_disadvantage() -> None:
    table = Table({"knight": {"abilities": ["called_shot"]}, "rogue": {}}, [(5, 3, 8), (4, 3, 6)])
    table.engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 7)


def test_perfect_shots_of_hit_em_where_it_counts_use_up_what_would_pay() -> None:
    """Levels that another ability of the sheet has traded are no longer there, so the shot is void."""
    knight = {
        "talents": ["hit_em_where_it_counts"], "abilities": ["called_shot"], "conditions": {"highground": 1},
    }  # fmt: skip
    table = Table({"knight": knight, "rogue": {}}, [(5, 3, 8), (4, 3)]).play(knight="use a")
    table.engage(knight="might", rogue="cunning")
    assert table.window == "attack"
    table.play(knight="attack 1")


def test_a_player_that_does_not_answer_calls_a_six() -> None:
    table = aimed(1, [(5, 3, 8, 4), (4, 3)])
    table.play(knight="use_at 1 a").play().play()
    assert [event["answer"] for event in table.events_of("pick")] == ["6", "1"]
    table.pass_to("attack", "might").play(knight="attack 1")
    assert table.rolls()[0] == 17 + 6


@pytest.mark.heading("Gambit")
@pytest.mark.interplay("called_shot", "gambit")
def test_the_advantage_of_a_gambit_allows_it() -> None:
    table = Table({"rogue": {}, "knight": {"abilities": ["called_shot"], "talents": ["gambit"]}}).pass_to("instant")
    table.play(knight="use a").play(knight="pick 0").pass_to("stance").play(rogue="stance cunning")
    assert (table.window, table.legal("knight")) == ("instant", ["pass", "use_at 1 b"])


@pytest.mark.interplay("assassin", "called_shot")
def test_levels_for_opportunity_attacks_alone_pay_for_nothing() -> None:
    """Offer at most twice the number: the Assassin's mark gives one level here, and five only at openings."""
    knight: Fields = {"destiny_talents": ["assassin"], "abilities": ["called_shot"]}
    fighters = {"knight": knight, "rogue": {"surprised": True}, "fox": {"team": "red"}}
    table = Table(fighters, [(5, 3, 8, 1, 1, 1, 1, 1), (7, 6)])
    table.play(knight="use_at 1 a").play(knight="opportunity 1 might").engage(knight="might")
    table.play(knight="use_at 1 b").play(knight="pick 8")
    assert table.legal("knight") == ["pick 1", "pick 2"]
