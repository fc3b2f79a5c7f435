"""Beast Bond: in its destiny version, the owner acts as its animal while its body lies helpless."""

import pytest

from tests.games.heart_rush.rules.abilities.test_beast_companion import DOG
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Beast Bond")
OWNER: Fields = {"talents": ["beast_companion"], "destiny_talents": ["beast_bond"]}
BOND = "use_for 1 b"


def bonded(dog: Fields | None = None, rogue: Fields | None = None) -> Table:
    """Return a fight in which the knight has gone into its dog."""
    return Table({"knight": OWNER, "dog": {**DOG, **(dog or {})}, "rogue": rogue or {}}).play(knight=BOND)


def test_the_base_version_is_not_offered() -> None:
    table = Table({"knight": {"talents": ["beast_companion", "beast_bond"]}, "dog": DOG, "rogue": {}})
    assert BOND not in table.legal("knight")


def test_it_is_for_an_animal_of_its_own() -> None:
    page = {"team": "blue"}
    table = Table({"knight": OWNER, "page": page, "dog": DOG, "rogue": {}})
    uses = [choice for choice in table.legal("knight") if choice.startswith("use")]
    assert uses == ["use_for 2 b"]


def test_the_body_lies_prone_and_incapacitated() -> None:
    table = bonded()
    assert table.conditions("knight") == {"prone": 1, "incapacitated": 1}
    assert not table.fighter("knight")["action"] and table.fighter("dog")["action"]
    assert table.legal("knight") == ["pass"]


def test_the_animal_may_attack_like_any_fighter() -> None:
    table = Table({"knight": OWNER, "dog": DOG, "rogue": {}}, [(6, 5, 8), (1, 1)]).play(knight=BOND)
    table.engage(dog="might: attack 1", rogue="cunning").finish_round()
    assert table.hp("rogue") == 40 - 17
    table = bonded(rogue={"conditions": {"prone": 1}}).play(rogue="stand")
    assert (table.window, table.choosers()) == ("opportunity", {"dog"})


@pytest.mark.interplay("beast_bond", "beast_companion")
def test_an_action_of_the_animal_ends_it() -> None:
    table = bonded().finish_round()
    assert table.window == "pick" and table.choosers() == {"knight"}
    table.play(knight="pick 0")
    assert (table.window, table.conditions("knight")) == ("action", {"prone": 1})
    assert table.fighter("knight")["action"] and not table.fighter("dog")["action"]
    assert table.engage(dog="might", rogue="defensive").round == 3, "it has nothing to choose"


def test_it_goes_on_if_the_owner_declines() -> None:
    table = bonded().finish_round().play()
    assert (table.window, table.conditions("knight")) == ("action", {"prone": 1, "incapacitated": 1})
    assert table.fighter("dog")["action"]
    assert table.finish_round().window == "pick"


def test_an_animal_that_cannot_act_does_not_end_it() -> None:
    table = bonded({"conditions": {"incapacitated": 1}}).finish_round()
    assert (table.window, table.conditions("knight")) == ("action", {"prone": 1, "incapacitated": 1})


def test_it_ends_as_the_next_round_starts_if_the_animal_is_out() -> None:
    """The rogue's 18 against the dog's 1 and 2: 15 damage, more than the 5 that it has left."""
    table = Table({"knight": OWNER, "dog": {**DOG, "hp_now": 5}, "rogue": {}}, [(7, 6, 5), (1, 2)]).play(knight=BOND)
    table.engage(rogue="cunning: attack 2", dog="agility").finish_round()
    assert table.status("dog") != "standing"
    assert (table.window, table.conditions("knight")) == ("action", {"prone": 1})


@pytest.mark.interplay("beast_bond", "beast_combat")
def test_it_goes_with_beast_combat() -> None:
    """Once the owner is back, its dog attacks only in engagements."""
    owner: Fields = {**OWNER, "abilities": ["beast_combat"]}
    table = Table({"knight": owner, "dog": DOG, "rogue": {}}).play(knight=BOND).finish_round().play(knight="pick 0")
    assert "attack 1" in table.engage(dog="might", rogue="might").pass_to("attack").legal("dog")


def test_a_rider_stays_in_its_body() -> None:
    rider = {**OWNER, "size": "small", "conditions": {"creature_climber": {"source": "rogue"}}}
    table = Table({"knight": rider, "dog": DOG, "rogue": {"size": "large"}})
    assert "help 1" in table.legal("knight") and BOND not in table.legal("knight")
