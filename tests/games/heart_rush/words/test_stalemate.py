"""The reasons of round caps, from events made by hand."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.words.stalemate import Stalemate

MOVE, MANEUVER, HEAL = ({"type": kind} for kind in ("move", "maneuver", "heal"))
MISS, HIT = ({"type": "attack", "damage": damage} for damage in (-3, 4))
LOSS, NO_LOSS = ({"type": "damage", "amount": amount} for amount in (4, 0))


def reason(*rounds: list[dict[str, Any]]) -> str:
    """Return the reason of a cap after rounds with these events."""
    fight = Stalemate()
    for number, events in enumerate(rounds, 1):
        for event in ({"type": "round", "round": number}, *events):
            fight.see(event)
    return fight.reason()


@pytest.mark.parametrize(
    ("events", "begins"),
    [
        ([], "Fighters have stood still in the last 3 rounds"),
        ([MOVE], "Fighters have stayed out of reach in the last 3 rounds"),
        ([MOVE, MANEUVER], "Fighters have tried maneuvers in the last 3 rounds"),
        ([MANEUVER, MISS], "No attack has hit in the last 3 rounds"),
        ([MISS, HIT], "All damage has been reduced to nothing in the last 3 rounds"),
        ([HIT, NO_LOSS], "All damage has been reduced to nothing in the last 3 rounds"),
        ([HIT, LOSS], "Fighters have still lost hit points in the last 3 rounds"),
        ([HIT, LOSS, HEAL], "Healing has kept up with the damage in the last 3 rounds"),
    ],
)
def test_the_reason_of_a_cap(events: list[dict[str, Any]], begins: str) -> None:
    assert reason([], events, []).startswith(begins)


def test_only_the_last_ten_rounds_count() -> None:
    assert reason([HIT, LOSS], *[[MOVE]] * 10).startswith("Fighters have stayed out of reach in the last 10 rounds")


def test_there_is_no_reason_before_the_first_round() -> None:
    assert reason() == ""
