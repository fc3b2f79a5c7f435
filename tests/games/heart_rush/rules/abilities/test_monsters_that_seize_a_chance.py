"""Abilities of several monsters against targets in trouble: Dirty Fighter, Press the Advantage, Ambusher."""

import pytest

from tests.games.heart_rush.rules.table import strike

CASES = [
    ("bandit.dirty_fighter", {"off_balanced": 2}, 1),
    ("bandit.dirty_fighter", {"prone": 1}, 1),
    ("bandit.dirty_fighter", {"off_balanced": 2, "prone": 1}, 1),
    ("bandit.dirty_fighter", {"restrained": 1}, 0),
    ("skirmisher.press_the_advantage", {"off_balanced": 2}, 1),
    ("skirmisher.press_the_advantage", {"prone": 1}, 0),
    ("sand_serpent.ambusher", {"restrained": 1}, 2),
    ("sand_serpent.ambusher", {"prone": 1}, 2),
    ("sand_serpent.ambusher", {"grappled": {"source": "knight"}}, 2),
    ("sand_serpent.ambusher", {"restrained": 1, "prone": 1}, 2),
    ("sand_serpent.ambusher", {"off_balanced": 2}, 0),
]


@pytest.mark.heading("Dirty Fighter")
@pytest.mark.heading("Press the Advantage")
@pytest.mark.heading("Ambusher")
@pytest.mark.parametrize(("id", "conditions", "levels"), CASES)
def test_attacks_on_a_target_in_trouble_have_advantage(id: str, conditions: dict, levels: int) -> None:
    # Each level throws one more d6; the defense throws one more d8 for each of its own levels of disadvantage.
    held = "grappled" in conditions
    troubles = sum(name in ("prone", "restrained", "grappled") for name in conditions)
    net = levels - held  # a fighter that holds another has disadvantage itself
    dice = [(1, 1, 1), (1,) * abs(net), (1, 1), (1,) * troubles]
    table = strike({"abilities": [id]}, {"conditions": conditions}, dice=dice)
    assert table.last("attack")["attack_causes"].get("ability", 0) == levels
