"""Abilities whose minute of preparation lies before the fight: they are used in round 1."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Table

HIT: Dice = [(1, 2, 3), (1, 1)]


# ---- Critical Observation: 8 and the defense bonus of 2 for light armor and 1 for a light shield.


@pytest.mark.heading("Critical Observation")
@pytest.mark.parametrize(("check", "advantage"), [((8, 3), 2), ((8, 2), 0)])
def test_the_study_gives_two_levels_if_the_check_reaches_the_number(check: tuple[int, int], advantage: int) -> None:
    rogue = {"armor": "light", "shield": "light_shield"}
    table = Table(
        {"knight": {"talents": ["critical_observation"]}, "rogue": rogue}, [check, (1, 2, 3, *[6] * advantage), (1, 1)]
    )
    table.play(knight="use_at 1 a").engage(knight="might: attack 1", rogue="cunning")
    assert (len(table.last("attack")["attack_pool"]), table.events_of("pick")) == (3 + advantage, [])


@pytest.mark.heading("Critical Observation")
@pytest.mark.parametrize(
    ("pick", "check", "advantage"), [("pick 1", (8, 4), 4), ("pick 1", (8, 3), 0), ("pick 0", (5, 3), 2)]
)
def test_as_destiny_a_higher_number_may_be_tried_for_four(pick: str, check: tuple[int, int], advantage: int) -> None:
    table = Table(
        {"knight": {"destiny_talents": ["critical_observation"]}, "rogue": {}},
        [check, (1, 2, 3, *[6] * advantage), (1, 1)],
    )
    table.play(knight="use_at 1 a").play(knight=pick).engage(knight="might: attack 1", rogue="cunning")
    assert len(table.last("attack")["attack_pool"]) == 3 + advantage


@pytest.mark.heading("Critical Observation")
@pytest.mark.interplay("critical_observation", "duelist")
def test_it_is_for_one_creature_and_for_round_one_and_goes_with_duelist() -> None:
    knight = {"talents": ["critical_observation", "duelist"]}
    table = Table({"knight": knight, "rogue": {}, "fox": {}}, [(8, 6), *HIT, (1, 2, 3, *[6] * 4), (1, 1)])
    table.play(knight="use_at 1 a").engage(knight="might: attack 2").finish_round()
    assert "use_at 1 a" not in table.legal("knight")
    table.play(knight="use_at 1 b").engage(knight="might: attack 1")
    assert len(table.last("attack")["attack_pool"]) == 3 + 4


@pytest.mark.heading("Critical Observation", "Ballad of Bjorn")
@pytest.mark.parametrize(("talent", "use"), [("critical_observation", "use_at 1 a"), ("ballad_of_bjorn", "use a")])
def test_what_was_not_used_in_round_one_is_past(talent: str, use: str) -> None:
    table = Table({"knight": {"talents": [talent]}, "page": {"team": "blue"}, "rogue": {}})
    assert use in table.legal("knight")
    assert use not in table.finish_round().legal("knight")


# ---- Assassin


@pytest.mark.heading("Assassin")
def test_the_mark_gives_one_level_and_at_openings_five() -> None:
    knight = {"destiny_talents": ["assassin"], "rush": 3}
    rogue = {"surprised": True}
    table = Table({"knight": knight, "rogue": rogue}, [(1, 2, 3, *[6] * 5), (1, 1), (1, 2, 3, 6), (1, 1)])
    table.play(knight="use_at 1 a").play(knight="opportunity 1 might")
    table.engage(knight="might: attack 1")
    told = [len(event["attack_pool"]) for event in table.events_of("attack")]
    assert told == [8, 4]


@pytest.mark.heading("Assassin")
@pytest.mark.interplay("assassin", "duelist")
def test_the_mark_is_for_one_and_the_base_version_has_none() -> None:
    assert "use_at 1 a" not in Table({"knight": {"talents": ["assassin"]}, "rogue": {}}).legal("knight")
    table = Table({"knight": {"destiny_talents": ["assassin", "duelist"]}, "rogue": {}, "fox": {}}, HIT)
    table.play(knight="use_at 1 a")
    assert "use_at 2 a" not in table.legal("knight") and "use_at 2 b" in table.legal("knight")
    table.engage(knight="might: attack 2")


# ---- Hands of the Healer


def healed(field: str, wounds: list[int], **more: object) -> Table:
    page = {"team": "blue", "wounds": wounds, "hp_now": 5, **more}
    return Table({"knight": {field: ["hands_of_the_healer"]}, "page": page, "rogue": {"team": "red"}})


@pytest.mark.heading("Hands of the Healer")
@pytest.mark.parametrize(("field", "left"), [("talents", 12 + 15 - 5), ("destiny_talents", 27 - 14)])
def test_a_wound_loses_five_ranks_and_as_destiny_all(field: str, left: int) -> None:
    table = healed(field, [12, 15]).play(knight="use_for 1 a")
    assert table.fighter("page")["wounds"] == left
    assert table.fighter("knight")["action"] is (field == "talents")
    assert "use_for 1 a" not in table.legal("knight")


@pytest.mark.heading("Hands of the Healer")
def test_a_small_wound_heals_whole_and_then_none_is_left() -> None:
    table = healed("talents", [4]).play(knight="use_for 1 a")
    assert table.fighter("page")["wounds"] == 0
    assert "use_for 1 a" not in healed("talents", []).legal("knight")


@pytest.mark.heading("Hands of the Healer")
def test_the_base_version_is_for_round_one_and_the_destiny_version_touches() -> None:
    assert "use_for 1 a" not in healed("talents", [12]).finish_round().legal("knight")
    assert "use_for 1 a" in healed("destiny_talents", [12]).finish_round().legal("knight")
    fighters = {
        "knight": {"destiny_talents": ["hands_of_the_healer"]},
        "page": {"team": "blue", "wounds": [12], "hp_now": 5},
        "rogue": {"team": "red"},
    }
    assert "use_for 1 a" not in on_map("......\nK.P..R\n......", fighters).legal("knight")
    assert "use_for 1 a" in on_map("......\nKP...R\n......", fighters).legal("knight")


@pytest.mark.heading("Hands of the Healer")
@pytest.mark.interplay("hands_of_the_healer", "rejuvenate")
def test_rejuvenate_heals_up_to_what_the_wounds_then_leave() -> None:
    """Healing can go up to the maximum less the wounds that are left."""
    knight = {"talents": ["hands_of_the_healer", "rejuvenate"]}
    page = {"team": "blue", "wounds": [12, 15], "hp_now": 13}
    table = Table({"knight": knight, "page": page, "rogue": {"team": "red"}})
    table.play(knight="use_for 1 a").play(knight="use_for 1 b").play(knight="pick 2").play(knight="pick 0")
    assert table.hp("page") == 40 - 22


# ---- Ballad of Bjorn


@pytest.mark.heading("Ballad of Bjorn")
@pytest.mark.parametrize(("field", "own"), [("talents", False), ("destiny_talents", True)])
def test_listeners_lose_their_fear_and_are_rested_and_as_destiny_so_is_the_owner(field: str, own: bool) -> None:
    scared = {"frightened": {"levels": 2, "source": "rogue"}}
    fighters = {
        "knight": {field: ["ballad_of_bjorn"], "conditions": scared, "heart_now": 4},
        "page": {"team": "blue", "conditions": scared, "heart_now": 4},
        "rogue": {"team": "red"},
    }
    table = Table(fighters).play(knight="use a")
    assert ("frightened" in table.conditions("page"), table.heart("page")) == (False, 8)
    assert ("frightened" in table.conditions("knight"), table.heart("knight")) == (not own, 8 if own else 4)
    assert table.fighter("knight")["action"] is False
    table.finish_round()
    assert (table.fighter("page")["rush"], table.fighter("knight")["rush"]) == (1, 1 if own else 0)
    assert "use a" not in table.legal("knight")
    assert table.finish_round().fighter("page")["rush"] == 0


@pytest.mark.heading("Ballad of Bjorn")
@pytest.mark.interplay("ballad_of_bjorn", "intimidating")
def test_they_cannot_be_frightened_afterwards() -> None:
    fighters = {
        "knight": {"talents": ["ballad_of_bjorn"]}, "page": {"team": "blue"},
        "rogue": {"team": "red", "talents": ["intimidating"], "rush": 3},
        "fox": {"team": "blue", "hp": 1},
    }  # fmt: skip
    table = Table(fighters, [(1, 2, 3), (1, 1)]).play(knight="use a")
    table.engage(rogue="might: attack 3")
    table.pass_to("instant").play(rogue="use a").finish_round()
    assert table.history("page", "frightened") == []
    assert table.history("knight", "frightened")[0] == 1
