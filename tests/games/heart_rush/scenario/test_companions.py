"""Companions in scenarios: what a sheet may say of the fighter that it obeys, and what is public about it."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.encoding.view_start import public_fields
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.errors import ScenarioError

ARCHER: dict[str, Any] = {"from": "archer", "team": "blue", "talents": ["beast_companion"]}
DOG: dict[str, Any] = {"id": "dog", "from": "beast_companion", "team": "blue", "companion_of": "archer_0"}
KNIGHT: dict[str, Any] = {"from": "knight", "team": "red"}


def scenario(*fighters: dict[str, Any]) -> dict[str, Any]:
    return {"name": "hunt", "fighter": [*fighters, KNIGHT]}


def test_the_shipped_animal_has_the_dice_that_the_talent_prints() -> None:
    loaded = load_scenario(scenario(ARCHER, DOG))
    dog = loaded.fighters[1]
    assert (dog.might, dog.agility, dog.cunning, dog.presence, dog.heart, dog.hp) == (6, 4, 2, 2, 6, 20)
    assert public_fields(dog)["companion_of"] == "archer_0" and "companion_of" not in public_fields(loaded.fighters[0])
    assert load_scenario(scenario_table(loaded)).digest == loaded.digest


def test_only_a_companion_changes_the_digest() -> None:
    alone, with_dog = scenario(ARCHER, {**DOG, "companion_of": "archer_0"}), scenario(ARCHER, DOG)
    del alone["fighter"][1]["companion_of"]
    assert load_scenario(alone).digest != load_scenario(with_dog).digest


WHO = "companion_of: expected a fighter of its team that has 'beast_companion' and is not a companion itself"
SAID = f"{WHO} (archer_0), got "


@pytest.mark.parametrize(
    ("fighters", "said"),
    [
        ((ARCHER, {**DOG, "companion_of": "dog_0"}), f"fighter 2 (dog): {SAID}'dog_0'."),
        ((ARCHER, {**DOG, "companion_of": "knight_0"}), f"{SAID}'knight_0'."),
        ((ARCHER, {**DOG, "companion_of": 3}), "companion_of: expected the agent of one fighter, got 3."),
        (({**ARCHER, "talents": []}, DOG), f"{WHO} (none), got 'archer_0'."),
        (({**ARCHER, "team": "red"}, DOG), f"{WHO} (none), got 'archer_0'."),
        ((ARCHER, {**DOG, "talents": ["beast_companion"]}, {**DOG, "companion_of": "dog_0"}), f"{SAID}'dog_0'."),
        ((ARCHER, DOG, DOG), "fighter 1: expected 'beast_companion' once for each companion of archer_0, "
         "got it 1 times for 2 companions."),
        ((ARCHER, {**DOG, "part_of": "archer_0"}), "companion_of: expected none for a part of a creature, got "),
    ],
)  # fmt: skip
def test_what_is_no_companion_is_refused_in_a_sentence(fighters: tuple[dict[str, Any], ...], said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(scenario(*fighters))
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_all_that_is_wrong_with_companions_comes_at_once() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(scenario(ARCHER, DOG, DOG, {**DOG, "companion_of": "cat_0"}))
    assert "for 2 companions" in str(caught.value) and "got 'cat_0'" in str(caught.value)


def test_two_fighters_do_not_obey_each_other() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(scenario({**ARCHER, "companion_of": "dog_0"}, {**DOG, "talents": ["beast_companion"]}))
    assert f"{WHO} (none), got 'dog_0'." in str(caught.value) and f"{WHO} (none), got 'archer_0'." in str(caught.value)
