"""The Skittering Horror: its carapace's Sandstorm and Grit, its heart's Sealed, Mend, Stillness and Vitality Drain."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table


def owner(*names: str, **more: object) -> Fields:
    """Return a fighter with these abilities of the carapace or the heart."""
    return {"abilities": [f"skittering_horror_{name}" for name in names], **more}


STORMY, GRITTY = owner("carapace.sandstorm"), owner("carapace.grit")
CALM, DRAINING = owner("heart.stillness"), owner("heart.vitality_drain")


@pytest.mark.heading("Sandstorm")
def test_each_round_starts_with_damage_and_sand_in_the_eyes_of_enemies_within_15_feet() -> None:
    fighters = {"horror": STORMY, "near": {}, "far": {}, "ally": {"team": "blue"}}
    table = on_map("AH..NF", fighters, [4])
    assert table.window == "shrug" and table.choosers() == {"near"}
    table.play(near="take")
    assert (table.hp("near"), table.hp("far"), table.hp("ally")) == (36, 40, 40)
    assert table.conditions("near") == {"slowed": 1, "blinded": 1} and table.conditions("far") == {}


@pytest.mark.heading("Sandstorm")
def test_it_comes_again_after_fading_so_that_one_level_stays() -> None:
    table = Table({"horror": STORMY, "knight": {}}, [4, 3]).play().finish_round().play()
    assert (table.round, table.hp("knight")) == (2, 33)
    assert table.history("knight", "slowed") == [1, 0, 1], "what fades comes back at once"


@pytest.mark.heading("Sandstorm", "Vitality Drain", "Stillness", "Mend")
@pytest.mark.interplay(
    "skittering_horror_carapace.sandstorm",
    "skittering_horror_heart.mend",
    "skittering_horror_heart.stillness",
    "skittering_horror_heart.vitality_drain",
)
def test_one_that_has_fallen_does_nothing() -> None:
    fallen = owner("carapace.sandstorm", "heart.vitality_drain", "heart.stillness", "heart.mend", hp=1)
    fighters = {
        "horror": {**fallen, "conditions": {"burning": 1}},
        "knight": {},
        "page": {"team": "blue", "hp_now": 20},
    }
    # In the order of the sheet: sand, drain, a save that holds although blinded, and 3 for the page; then the fire.
    table = Table(fighters, [1, 2, (8, 6, 6), 3, 6]).play(knight="take").play(knight="take")
    assert (table.hp("knight"), table.hp("page")) == (37, 23)
    table.finish_round()
    assert table.status("horror") == "dead"
    table.finish_round()
    assert (table.hp("knight"), table.hp("page")) == (37, 23)


@pytest.mark.heading("Sandstorm", "Many Bodies")
def test_sand_troubles_a_swarm_too() -> None:
    table = Table({"horror": STORMY, "rats": {"abilities": ["many_bodies"]}}, [4]).play()
    assert table.conditions("rats") == {"slowed": 1, "blinded": 1}


@pytest.mark.heading("Grit")
@pytest.mark.parametrize(("move", "slowed"), [("dash 2,0", 0), ("dash 1,0", 1), ("pass", 1)])
def test_who_moves_less_than_ten_feet_is_slowed_in_the_next_round_only(move: str, slowed: int) -> None:
    table = on_map("H.K....", {"horror": GRITTY, "knight": {}}).play(knight=move)
    assert table.conditions("knight") == {}
    table.finish_round()
    assert (table.round, table.conditions("knight")) == (2, {"slowed": 1} if slowed else {})
    table.play(knight="dash 2,0").finish_round()
    assert table.conditions("knight") == {}


@pytest.mark.heading("Grit")
def test_so_is_who_lies_prone_but_no_ally() -> None:
    fighters = {"horror": GRITTY, "knight": {}, "page": {"team": "blue"}, "rogue": {"conditions": {"prone": 1}}}
    table = on_map("H.K....\n.P.R...", fighters).play(knight="dash 2,0").finish_round()
    assert [table.conditions(name).get("slowed", 0) for name in ("knight", "page", "rogue")] == [0, 0, 1]


@pytest.mark.heading("Sealed")
def test_the_heart_cannot_be_attacked_while_its_carapace_has_hit_points() -> None:
    fighters: dict[str, Fields] = {
        "knight": {},
        "heart": owner("heart.sealed"),
        "carapace": {"size": "large"},
        "leg": {},
    }
    table = Table(fighters)
    table.engage(knight="might", heart="cunning", carapace="cunning", leg="cunning").pass_to("attack", "might")
    assert {"attack 2", "attack 3"} < set(table.legal("knight")) and "attack 1" not in table.legal("knight")
    fighters["carapace"]["hp"] = 10
    table = Table(fighters, [(8, 6, 8), (1, 1)])
    table.engage(knight="might", heart="cunning", carapace="cunning", leg="cunning").pass_to("attack", "might")
    table.play(knight="attack 2").finish_round()
    table.engage(knight="might", heart="cunning", leg="cunning").pass_to("attack", "might")
    assert "attack 1" in table.legal("knight")


@pytest.mark.heading("Sealed")
def test_the_heart_itself_may_attack_and_without_a_carapace_it_is_open() -> None:
    fighters: dict[str, Fields] = {"heart": owner("heart.sealed"), "knight": {}, "page": {"team": "blue"}}
    table = Table(fighters).engage(heart="might", knight="cunning", page="defensive").pass_to("attack", "might")
    assert "attack 1" in table.legal("heart")
    table = Table({"knight": {}, "heart": owner("heart.sealed")}).engage(knight="might", heart="cunning")
    assert "attack 1" in table.legal("knight")


@pytest.mark.heading("Mend")
def test_the_largest_ally_heals_a_d8_each_round() -> None:
    fighters: dict[str, Fields] = {"heart": owner("heart.mend"), "knight": {}, "leg": {"team": "blue", "hp_now": 20}}
    fighters["carapace"] = {"team": "blue", "hp_now": 20, "size": "L2"}
    table = Table(fighters, [5, 8])
    assert (table.hp("leg"), table.hp("carapace")) == (20, 25)
    assert table.finish_round().hp("carapace") == 33


@pytest.mark.heading("Mend", "Creatures of Several Parts")
def test_a_heart_that_is_a_part_mends_its_body() -> None:
    fighters: dict[str, Fields] = {"carapace": {"hp_now": 20}, "knight": {}, "giant": {"team": "blue", "size": "L2"}}
    fighters["heart"] = owner("heart.mend", team="blue", part_of="carapace_0")
    assert Table(fighters, [5]).hp("carapace") == 25


@pytest.mark.heading("Stillness")
@pytest.mark.parametrize(("gap", "save", "stunned"), [(5, (6, 5), 1), (5, (6, 6), 0), (6, None, 0)])
def test_enemies_within_30_feet_are_stunned_unless_presence_reaches_12(
    gap: int, save: tuple[int, int] | None, stunned: int
) -> None:
    table = on_map(f"H{'.' * gap}K", {"heart": CALM, "knight": {}}, [save] if save else [])
    assert table.conditions("knight") == ({"stunned": 1} if stunned else {})
    if save:
        assert table.last("check")["ability"] == "presence"


@pytest.mark.heading("Stillness")
def test_who_is_stunned_chooses_nothing_this_round() -> None:
    table = Table({"heart": CALM, "knight": {}}, [(1, 1), (8, 6)])
    assert table.pass_to("stance").choosers() == {"heart"}
    table.finish_round()
    assert table.conditions("knight") == {}


@pytest.mark.heading("Vitality Drain")
def test_enemies_that_begin_a_round_within_10_feet_take_a_d8() -> None:
    fighters = {"heart": DRAINING, "knight": {}, "monk": {}, "page": {"team": "blue"}}
    table = on_map("PH.KM", fighters, [7]).play(knight="shrug")
    assert (table.hp("knight"), table.hp("monk"), table.hp("page")) == (36, 40, 40)
