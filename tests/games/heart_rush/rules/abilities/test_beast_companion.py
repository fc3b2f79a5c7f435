"""Beast Companion: an animal that fights beside its owner, and defends it in the destiny version."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Beast Companion")
DICE = {"might": 6, "agility": 4, "cunning": 2, "presence": 2, "heart": 6, "hp": 20}
DOG: Fields = {**DICE, "team": "blue", "companion_of": "knight_0"}
OWNER: Fields = {"talents": ["beast_companion"]}
DESTINED: Fields = {"destiny_talents": ["beast_companion"]}


def fight(
    dice: Dice = (), knight: Fields = DESTINED, rogue: Fields | None = None, rules: Fields | None = None
) -> Table:
    """Return a fight of the knight and its dog against the rogue, whose first enemy is the knight."""
    return Table({"knight": knight, "dog": DOG, "rogue": rogue or {}}, dice, rules)


def test_the_animal_takes_a_stance_and_attacks_nobody() -> None:
    table = fight(knight=OWNER).engage(dog="might", knight="might", rogue="cunning").pass_to("attack", "might")
    assert table.choosers() == {"knight"}
    assert table.fighter("dog")["companion_of"] == "knight"


def test_it_answers_its_own_stance_with_a_defense() -> None:
    """Without an attack of its own, a contest is none: 18 against heart 1 and cunning 2."""
    table = fight([(7, 6, 5), (1, 2)], OWNER).engage(dog="cunning", rogue="cunning: attack 2").finish_round()
    assert table.hp("dog") == 20 - 15


def test_it_makes_no_opportunity_attack() -> None:
    table = fight(knight=OWNER, rogue={"conditions": {"prone": 1}}).play(rogue="stand")
    assert (table.window, table.choosers()) == ("opportunity", {"knight"})


def test_it_has_an_action_of_its_own() -> None:
    table = fight(knight=OWNER).play(dog="help 1")
    assert (table.fighter("knight")["helped"], table.fighter("dog")["action"]) == (1, False)
    assert table.fighter("knight")["action"]


def test_it_begins_no_classic_engagement_and_may_enter_one() -> None:
    table = fight([4], OWNER, rules={"edition": "classic"})
    assert "engage 1" in table.legal("knight") and "engage 1" not in table.legal("dog")
    table.play(knight="engage 1")
    assert table.window == "enter" and "enter" in table.legal("dog")


@pytest.mark.parametrize(
    ("target", "stance", "own", "hp"),
    [
        (1, "agility", (5, 2), {"knight": 40, "dog": 20 - 11}),  # 18 against heart 5 and cunning 2 of the dog
        (1, "defensive", (5, 2), {"knight": 40, "dog": 20 - 6}),  # half of 11, rounded up
        (2, "agility", (7, 6), {"knight": 40 - 5, "dog": 20}),  # 18 against heart 7 and cunning 6 of the knight
    ],
)
def test_in_its_destiny_version_either_defends_the_other_and_takes_the_damage(
    target: int, stance: str, own: tuple[int, int], hp: dict[str, int]
) -> None:
    table = fight([(7, 6, 5), own]).engage(rogue=f"cunning: attack {target}", dog=stance, knight=stance)
    assert table.window == "instant" and table.choosers() == {"knight"}
    table.play(knight="use a").finish_round()
    assert {name: table.hp(name) for name in hp} == hp
    assert table.last("attack")["target"] == {1: "dog", 2: "knight"}[target]


@pytest.mark.parametrize(("dog", "knight", "damage"), [("agility", "defensive", 11), ("defensive", "agility", 6)])
def test_the_stance_of_who_defends_halves(dog: str, knight: str, damage: int) -> None:
    table = fight([(7, 6, 5), (5, 2)]).engage(rogue="cunning: attack 1", dog=dog, knight=knight)
    table.play(knight="use a").finish_round()
    assert (table.hp("knight"), table.hp("dog")) == (40, 20 - damage)


def test_the_owner_may_let_it_be() -> None:
    table = fight([(7, 6, 5), (7, 6)]).engage(rogue="cunning: attack 1").finish_round()
    assert (table.hp("knight"), table.hp("dog")) == (40 - 3, 20)


def test_the_effects_of_the_attack_stay_with_its_target() -> None:
    table = fight([(7, 6, 5), (5, 2)]).engage(rogue="cunning: attack 1 dazed+dazed", knight="agility", dog="agility")
    table.play(knight="use a").pass_to("action")
    assert table.history("knight", "dazed")[0] == 2 and table.history("dog", "dazed") == []


TWICE: Fields = {"abilities": ["several_attacks"]}


@pytest.mark.parametrize(
    ("first", "own", "asked", "dog"), [((7, 6, 5), (5, 2), False, 6), ((1, 1, 5), (5, 2), True, 6)]
)
def test_it_defends_once_from_each_that_hits_it(
    first: tuple[int, int, int], own: tuple[int, int], asked: bool, dog: int
) -> None:
    """The second of Several Attacks is taken only if the first has done nothing to the dog."""
    second = (5, 2) if asked else (7, 6)
    table = fight([first, own, (7, 6, 5), second], rogue=TWICE)
    table.engage(rogue="cunning: attack 1").play(knight="use a")
    assert (table.window == "instant") is asked
    table.play(**({"knight": "use a"} if asked else {})).finish_round()
    assert (table.hp("knight"), table.hp("dog")) == (40 if asked else 40 - 3, 20 - dog)


def test_a_hit_that_nobody_takes_for_the_other_counts() -> None:
    """The rogue hits the dog in round 1, so that the dog does not defend against it in round 2."""
    table = fight([(7, 6, 5), (5, 2), (7, 6, 5), (7, 6)]).engage(rogue="cunning: attack 2").finish_round()
    assert table.hp("dog") == 20 - 6
    table.engage(rogue="cunning: attack 1")
    assert table.window != "instant"
    table.finish_round()


def test_the_dog_that_cannot_act_does_not_defend() -> None:
    stunned = {**DOG, "conditions": {"incapacitated": 1}}
    table = Table({"knight": DESTINED, "dog": stunned, "rogue": {}}, [(7, 6, 5), (7, 6)])
    assert table.engage(rogue="cunning: attack 1").window != "instant"


def test_in_a_contest_and_in_the_base_version_it_defends_no_one() -> None:
    table = fight([(7, 6, 5), (7, 6, 4)]).engage(rogue="cunning: attack 1", knight="cunning")
    assert table.window != "instant"
    table = fight([(7, 6, 5), (7, 6)], OWNER).engage(rogue="cunning: attack 1")
    assert table.window != "instant"


@pytest.mark.parametrize(("ground", "asked"), [("RKD", True), ("RK.D", False)])
def test_the_two_are_adjacent(ground: str, asked: bool) -> None:
    fighters = {"knight": DESTINED, "dog": DOG, "rogue": {}}
    table = on_map(f"....\n{ground:.<4}\n....", fighters, [(7, 6, 5), (7, 6)]).engage(rogue="cunning: attack 1")
    assert (table.window == "instant") is asked
    table.finish_round()


def test_each_pick_is_for_one_animal() -> None:
    cat = {**DICE, "team": "blue", "companion_of": "knight_0"}
    owner: Fields = {"destiny_talents": ["beast_companion", "beast_companion"]}
    table = Table({"knight": owner, "dog": DOG, "cat": cat, "rogue": {}}, [(7, 6, 5), (5, 2)])
    table.engage(rogue="cunning: attack 1", cat="might")
    assert [choice for choice in table.legal("knight") if choice.startswith("use")] == ["use a", "use b"]
    table.play(knight="use b").finish_round()
    assert (table.hp("cat"), table.hp("dog")) == (20 - 11, 20)


CASTER: Fields = {"abilities": ["warcaster"]}
BURNS = (1, 1)


@pytest.mark.heading("Warcaster")
def test_what_a_cantrip_brings_is_for_the_one_that_it_was_aimed_at() -> None:
    table = fight([(5, 4, 3), (2, 2), BURNS], rogue={**CASTER, "weapon": "fire_bolt"})
    table.engage(rogue="agility: attack 1", knight="might", dog="might").play(knight="use a").finish_round()
    assert (table.history("knight", "burning")[0], table.history("dog", "burning")) == (2, [])


@pytest.mark.heading("Warcaster")
def test_the_hit_that_the_dog_has_taken_is_none_on_the_dog() -> None:
    """The second target of the blast is the dog, which it misses."""
    dice = [(5, 4, 3), (2, 2), (1, 1, 1), (2, 2), BURNS]
    table = fight(dice, rogue={**CASTER, "weapon": "blast_of_fire"})
    table.engage(rogue="agility: attack 1", knight="might", dog="might").play(knight="use a")
    table.play(rogue="attack 2").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["dog", "dog"]
    assert (table.history("knight", "burning")[0], table.history("dog", "burning")) == (2, [])


@pytest.mark.heading("Warcaster")
def test_a_harmless_hit_does_not_count() -> None:
    """The bolt of force hits the dog in round 1 and does no damage, so that the dog still defends in round 2."""
    table = fight([(5, 4, 3), (2, 2), (5, 4, 3), (2, 2)], rogue={**CASTER, "weapon": "force_bolt"})
    table.engage(rogue="agility: attack 2", knight="might", dog="might").finish_round()
    table.engage(rogue="agility: attack 1", knight="might", dog="might")
    assert (table.window, table.legal("knight")) == ("instant", ["pass", "use a"])
    table.finish_round()
