"""Rallying Cry: one of four effects for each rush point, for the owner or an ally."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Rallying Cry")
HEART, ACTION, ADVANTAGE, CONDITIONS = (f"pick {k}" for k in range(4))
ITSELF, ALLY = "pick 0", "pick 1"


def crying(points: int | None, *answers: str, dice: Dice = (), page: Fields | None = None, **knight: Fields) -> Table:
    """Return a table at which the knight has cried and given these answers."""
    owner = {"abilities": ["rallying_cry"], "rush": 6, **knight}
    table = Table({"knight": owner, "rogue": {}, "page": {"team": "blue", **(page or {})}}, dice)
    table.play(knight="use a").play(**({"knight": f"pick {points}"} if points else {}))
    for choice in answers:
        table.play(knight=choice)
    return table


def test_the_next_attack_has_two_levels_of_advantage() -> None:
    # The three highest of 1, 2, 3, 4 and 5 count.
    table = crying(1, ADVANTAGE, ALLY, dice=[(1, 2, 3, 4, 5), (4, 3), (5, 3, 8), (4, 3)])
    assert table.fighter("knight")["rush"] == 5
    table.engage(page="might: attack 1", rogue="cunning").finish_round()
    assert table.rolls() == (12, 7)
    table.engage(page="might: attack 1", rogue="cunning")
    assert table.rolls() == (16, 7)


def test_without_rush_points_it_is_not_offered() -> None:
    fighters: dict[str, Fields] = {"knight": {"abilities": ["rallying_cry"], "rush": 0}, "page": {"team": "blue"}}
    assert "use a" not in Table({**fighters, "rogue": {}}).legal("knight")


def test_the_heart_die_rises_by_a_size_to_its_largest() -> None:
    table = crying(1, HEART, ALLY, page={"heart": 8, "heart_now": 4})
    assert table.heart("page") == 6
    assert crying(1, HEART, ITSELF).heart("knight") == 8


def test_a_spent_action_comes_back() -> None:
    table = Table({"knight": {"abilities": ["rallying_cry"], "rush": 1}, "rogue": {}, "page": {"team": "blue"}})
    table.play(page="help 1")
    assert table.fighter("page")["action"] is False
    table.play(knight="use a").play(knight=ACTION).play(knight=ALLY)
    assert table.fighter("page")["action"] is True


def test_all_conditions_end() -> None:
    table = crying(1, CONDITIONS, ALLY, page={"conditions": {"dazed": 3, "prone": 1, "highground": 1}})
    assert table.conditions("page") == {"highground": 1}


def test_an_effect_comes_again_only_when_all_four_have_been_given() -> None:
    table = crying(6, HEART, ITSELF)
    assert table.legal("knight") == [ACTION, ADVANTAGE, CONDITIONS]
    table.play(knight=CONDITIONS).play(knight=ITSELF).play(knight=ACTION).play(knight=ALLY)
    assert table.legal("knight") == [ITSELF, ALLY], "advantage is the one that is left"
    table.play(knight=ALLY)
    assert table.legal("knight") == [HEART, ACTION, ADVANTAGE, CONDITIONS]
    table.play(knight=HEART).play(knight=ITSELF)
    assert table.legal("knight") == [ACTION, ADVANTAGE, CONDITIONS]
    table.play(knight=ACTION).play(knight=ITSELF)
    assert (table.window, table.fighter("knight")["rush"]) == ("action", 0)
    assert "use a" not in table.legal("knight")


@pytest.mark.interplay("hit_em_where_it_counts", "rallying_cry")
def test_hit_em_where_it_counts_may_trade_its_levels() -> None:
    knight = {"talents": ["hit_em_where_it_counts"], "abilities": ["rallying_cry"], "rush": 1}
    table = Table({"knight": knight, "rogue": {}}, [(1, 2, 3, 4), (4, 3)]).play(knight="use a").play(knight="use b")
    table.play(knight=ADVANTAGE).engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls()[0] == 4 + 3 + 2 + 1  # one level is left, and one is a point


def test_a_player_that_does_not_answer_spends_all_points_on_itself() -> None:
    table = crying(None, dice=[], rush=2)
    table.play().play().play().play()
    told = [event["answer"] for event in table.events_of("pick")]
    assert told == ["2", "heart die", "itself", "action", "itself"]


def test_allies_are_within_30_feet() -> None:
    fighters = {
        "knight": {"abilities": ["rallying_cry"], "rush": 1},
        "page": {"team": "blue"},
        "monk": {"team": "blue"},
    }
    table = on_map("K.....PM\nR.......", {**fighters, "rogue": {"team": "red"}})
    table.play(knight="use a").play(knight=ACTION).play(knight=ALLY)
    assert table.events_of("pick")[-1]["answer"] == "page", "the monk is too far away to be asked for"
