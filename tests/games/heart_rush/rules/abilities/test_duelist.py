"""Duelist: a rival for ten rounds."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Duelist")
VERSIONS = pytest.mark.parametrize(("field", "more", "less"), [("talents", 2, 3), ("destiny_talents", 4, 6)])


def duel(field: str, dice: Dice) -> Table:
    """Let the knight name the rogue its rival; the fox is another enemy."""
    return Table({"knight": {field: ["duelist"]}, "rogue": {}, "fox": {}}, dice).play(knight="use_at 1 a")


@VERSIONS
def test_attacks_on_the_rival_have_advantage(field: str, more: int, less: int) -> None:
    table = duel(field, [(1, 1, 1), (2,) * more, (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.last("attack")["attack_causes"] == {"ability": more}


@VERSIONS
def test_attacks_on_others_have_not(field: str, more: int, less: int) -> None:
    table = duel(field, [(1, 1, 1), (1, 1)])
    table.engage(knight="might: attack 2", fox="cunning")
    assert table.last("attack")["attack_causes"] == {}


@VERSIONS
@pytest.mark.parametrize("striker", ["rogue", "fox"])
def test_defense_is_better_against_it_and_worse_against_others(field: str, more: int, less: int, striker: str) -> None:
    table = duel(field, [(1, 1, 1), (1, 1), (1,) * (more if striker == "rogue" else less)])
    table.engage(knight="cunning", **{striker: "might"}).pass_to("attack", "might")
    table.play(**{striker: "attack 1"})
    assert table.last("attack")["defense_causes"] == {"ability": more if striker == "rogue" else -less}


def test_it_ends_after_ten_rounds() -> None:
    # The use is in round 1; in round 10 it still holds, in round 11 no more.
    table = duel("talents", [(1, 1, 1), (1, 1), (1, 1), (1, 1, 1), (1, 1)])
    while table.round < 10:
        table.finish_round()
    for _ in range(2):
        table.engage(knight="cunning", rogue="might: attack 1").finish_round()
    assert [event["defense_causes"] for event in table.events_of("attack")] == [{"ability": 2}, {}]
