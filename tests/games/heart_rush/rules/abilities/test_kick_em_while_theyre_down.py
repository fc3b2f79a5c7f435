"""Kick 'Em While They're Down: advantage on attacks against prone targets."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Kick 'Em While They're Down")
PRONE = {"conditions": {"prone": 1}}


@pytest.mark.parametrize(("field", "levels"), [("talents", 2), ("destiny_talents", 4)])
def test_an_attack_on_a_prone_target_has_advantage(field: str, levels: int) -> None:
    owner = {field: ["kick_em_while_theyre_down"]}
    # d8, d6 and d8 with further d6s, of which the highest three count; the prone rogue has a die of disadvantage.
    table = strike(owner, PRONE, dice=[(1, 1, 1), (6,) * levels, (4, 4, 4)])
    assert table.last("attack")["attack_causes"] == {"ability": levels}
    assert table.rolls() == (13 if levels == 2 else 18, 8)


def test_a_target_on_its_feet_gives_none() -> None:
    table = strike({"talents": ["kick_em_while_theyre_down"]}, {}, dice=[(1, 1, 1), (1, 1)])
    assert table.last("attack")["attack_causes"] == {}
