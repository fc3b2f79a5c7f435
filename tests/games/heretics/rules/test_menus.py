"""The choices that fighters have for their items and their advantages."""

from tests.games.heretics.table import Table

FIRST, SECOND = 4, 3
DUMMY = {"id": "dummy", "hp": 30}


def of(legal: list[str], verb: str) -> list[str]:
    """Return the legal actions with this verb, in order."""
    return sorted(it for it in legal if it.split()[0] == verb)


def test_only_a_crossbow_that_has_been_shot_is_loaded() -> None:
    """The bolt misses. In its next phase, the crossbow can be loaded; a loaded crossbow and a bow cannot."""
    bowman = {"id": "bowman", "held": "crossbow"}
    table = Table([bowman, "archer"], [DUMMY], dice=[FIRST, 2, FIRST])
    assert of(table.legal("bowman_0"), "reload") == []
    table.play({"bowman_0": "attack 1", "archer_0": "stand_by"}, "stand_by")
    assert of(table.legal("bowman_0"), "reload") == ["reload"] and of(table.legal("archer_0"), "reload") == []


#
def test_each_slot_with_an_item_can_be_reached_into() -> None:
    porter = {"id": "porter", "inventory": ["none", "mace", "dagger"]}
    table = Table([porter], [DUMMY], dice=[FIRST])
    assert of(table.legal(), "retrieve") == ["retrieve 2", "retrieve 3"]


#
def test_what_lies_in_the_own_square_can_be_picked_up_and_nothing_else() -> None:
    """The mace is dropped in the square of the porter, a square from its friend."""
    porter, friend = {"id": "porter", "held": "mace", "at": [0, 0]}, {"id": "friend", "at": [1, 0]}
    table = Table([porter, friend], [{**DUMMY, "at": [3, 0]}], field=["...."], dice=[FIRST])
    table.play({"porter_0": "stay", "friend_0": "stay"})
    assert of(table.legal("porter_0"), "pick_up") == []
    table.play({"porter_0": "drop", "friend_0": "stand_by"})
    assert of(table.legal("porter_0"), "pick_up") == ["pick_up mace"]


#
def test_an_advantage_buys_the_stunts_that_are_possible() -> None:
    """Both hands are full, the stunned dummy holds nothing and cannot be pushed: it can be tripped and blinded."""
    stunned = {**DUMMY, "conditions": ["stunned"]}
    table = Table(["sellsword"], [stunned], dice=[FIRST]).play("attack 1")
    assert sorted(table.legal()) == [
        "use dice", "use dirt after", "use dirt before", "use trip after", "use trip before",
    ]  # fmt: skip
