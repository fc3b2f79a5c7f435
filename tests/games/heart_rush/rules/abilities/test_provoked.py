"""Infuriating and Threatening Presence: whom the aggravated attack."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table


def angry(levels: int) -> dict[str, object]:
    """Return a fighter that is aggravated at the knight."""
    return {"team": "red", "conditions": {"aggravated": {"levels": levels, "source": "knight"}}}


# -- Infuriating


@pytest.mark.heading("Infuriating")
@pytest.mark.parametrize(
    ("key", "levels", "stance", "attacks"),
    [
        ("talents", 1, "cunning", {"attack 1"}),  # might may attack the knight, so nobody else
        ("talents", 5, "agility", {"attack 2"}),  # it may not, so it attacks the squire
        ("destiny_talents", 2, "agility", {"attack 2"}),
        ("destiny_talents", 3, "agility", set()),
        ("destiny_talents", 3, "cunning", {"attack 1"}),
    ],
)
def test_the_aggravated_attack_the_owner_if_they_can(key: str, levels: int, stance: str, attacks: set[str]) -> None:
    fighters = {"knight": {key: ["infuriating"]}, "squire": {"team": "blue"}, "rogue": angry(levels)}
    table = Table(fighters).engage(knight=stance, squire="cunning", rogue="might")
    while table.phase != "might" and table.window == "attack":
        table.play()
    found = set(table.legal("rogue")) & {"attack 1", "attack 2"} if table.window == "attack" else set()
    assert found == attacks


@pytest.mark.heading("Infuriating")
def test_others_and_the_calm_attack_whom_they_like() -> None:
    fighters = {"knight": {"talents": ["infuriating"]}, "squire": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters).engage(knight="cunning", squire="cunning", rogue="might").pass_to("attack", "might")
    assert {"attack 1", "attack 2"} <= set(table.legal("rogue"))


@pytest.mark.heading("Infuriating", "Range and Positioning")
def test_out_of_reach_the_owner_does_not_count() -> None:
    fighters = {"knight": {"talents": ["infuriating"]}, "squire": {"team": "blue"}, "rogue": angry(1)}
    table = on_map("K...RS", fighters).engage(knight="cunning", squire="cunning", rogue="might")
    table.pass_to("attack", "might")
    assert "attack 2" in table.legal("rogue")


@pytest.mark.heading("Infuriating", "Provoking Strike")
def test_a_provoked_enemy_is_bound_to_the_owner() -> None:
    owner = {"talents": ["provoking_strike", "infuriating"]}
    fighters = {"knight": owner, "squire": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters, [(4, 3, 5), (1, 1)]).pass_to("instant").play(knight="use a").play(knight="pick 2")
    table.pass_to("stance").play(squire="stance might", rogue="stance agility").play(knight="attack 1").play()
    table.pass_to("attack", "agility") if table.window != "attack" else None
    # The knight's cunning may not be attacked in agility: with three levels of the base version, the squire may be.
    assert "attack 2" in table.legal("rogue")


# -- Threatening Presence


@pytest.mark.heading("Threatening Presence")
def test_a_neighbor_that_has_not_fought_the_owner_is_aggravated() -> None:
    fighters = {"knight": {"talents": ["threatening_presence"]}, "rogue": {}, "fox": {}, "elf": {}}
    table = on_map("RKF..E", fighters, [(1, 1, 1), (8, 6)])
    table.engage(knight="agility: attack 1", rogue="might", fox="might", elf="might")
    while table.round == 1:
        table.play()
    assert [table.conditions(name).get("aggravated", 0) for name in ("rogue", "fox", "elf")] == [0, 1, 0]


@pytest.mark.heading("Threatening Presence")
def test_who_attacks_the_owner_has_fought_it_and_the_next_round_counts_anew() -> None:
    fighters = {"knight": {"talents": ["threatening_presence"]}, "rogue": {}}
    table = Table(fighters, [(1, 1, 1), (8, 6)]).engage(knight="might", rogue="agility: attack 1")
    assert table.round == 2 and "aggravated" not in table.conditions("rogue")
    assert table.finish_round().conditions("rogue")["aggravated"] == 1


@pytest.mark.heading("Threatening Presence")
@pytest.mark.parametrize(
    ("key", "ground", "may"),
    [("talents", ".KRS.", True), ("destiny_talents", ".KRS.", False), ("destiny_talents", "K..RS", True)],
)
def test_of_destiny_the_aggravated_beside_it_attack_nobody_else(key: str, ground: str, may: bool) -> None:
    fighters = {"knight": {key: ["threatening_presence"]}, "squire": {"team": "blue"}, "rogue": angry(1)}
    table = (
        on_map(ground, fighters).engage(knight="cunning", squire="cunning", rogue="might").pass_to("attack", "might")
    )
    assert ("attack 2" in table.legal("rogue")) is may
    assert ("attack 1" in table.legal("rogue")) is (ground != "K..RS")
