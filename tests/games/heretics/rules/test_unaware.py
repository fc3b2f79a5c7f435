"""The unaware, and the charmed: they take no part in a fight, or do no harm, until an enemy wakes them."""

from typing import Any

import pytest

from tests.games.heretics.table import OPEN, Table, at

FIRST, SECOND = 4, 3
UNAWARE: dict[str, Any] = {"conditions": ["unaware"]}


#
def test_the_unaware_neither_speak_for_their_side_nor_make_its_demand() -> None:
    """The enemies were ambushed; the captain, who leads, has not noticed."""
    red = [{"from": "brigand_captain", **UNAWARE}, "archer"]
    table = Table(red, ["brigand", "ghoul"], heroes="red", surprise="red", dice=[FIRST - 1])
    table.play("stand_by")
    assert (table.window, table.asked) == ("request", ["archer_0"])
    assert set(table.legal()) == {"keep", "request self"}


#
@pytest.mark.parametrize(("conditions", "window"), [([], "pursue"), (["unaware"], "over")])
def test_the_unaware_do_not_pursue(conditions: list[str], window: str) -> None:
    """The sellsword stands on an exit, in sight of the archer."""
    red = [at("archer", 9, 5, conditions=conditions)]
    table = Table([at("sellsword", 0, 5)], red, field=OPEN, dice=[FIRST]).play("leave", "exit 0,0")
    assert table.window == window


#
def test_the_unaware_do_nothing_in_the_first_beat() -> None:
    """Of 3 and 5 the 5 counts, which misses; after the beat both choose."""
    duel = {"mode": "beats"}
    table = Table(["sellsword"], [{"from": "brigand", **UNAWARE}], more=duel, dice=[3, 5])
    assert table.asked == ["sellsword_0"]
    table.play("parry")
    assert [event["attacker"] for event in table.told("attack")] == ["sellsword_0"]
    assert table.asked == ["sellsword_0", "brigand_0"] and table.conditions("brigand_0") == set()
