"""Fall Back: a free sidestep after an attack."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table, weapon

pytestmark = pytest.mark.heading("Fall Back")
BOW = {"abilities": ["fall_back"], "weapon": weapon(attack_type="ranged")}
BLADE = {"abilities": ["fall_back"]}
WAYS = [f"sidestep {way}" for way in ("n", "ne", "e", "se", "s", "sw", "w", "nw")]
MISS = [(1, 1, 1), (8, 6)]


def shot(dice: Dice, ground: str = ".....\n.A.R.\n.....", **archer: object) -> Table:
    """Return a table at which the archer shoots in its might phase."""
    table = on_map(ground, {"archer": {**BOW, **archer}, "rogue": {}}, dice)
    table.engage(archer="might: attack 1", rogue="cunning")
    return table


def test_the_archer_is_asked_after_its_attack_and_may_step() -> None:
    table = shot(MISS)
    assert (table.window, table.choosers(), table.phase) == ("pick", {"archer"}, "might")
    assert table.legal("archer") == ["pass", *WAYS]
    table.play(archer="sidestep w")
    assert (at(table, "archer"), table.last("pick")["answer"]) == ((0, 1), "w")
    assert "by" not in table.last("pick")
    table = shot(MISS).play(archer="pass")  # it may stay
    assert (at(table, "archer"), table.events_of("pick"), table.round) == ((1, 1), [], 2)


def test_it_comes_after_the_hits_even_of_an_attack_that_fells_its_target() -> None:
    table = on_map(".....\n.A.R.\n....F", {"archer": BOW, "rogue": {"hp": 1}, "fox": {}}, [(8, 6, 8), (1, 1)])
    table.engage(archer="might: attack 1", rogue="cunning", fox="cunning").pass_to("pick")
    assert table.status("rogue") != "standing" and table.choosers() == {"archer"}


def test_no_attack_and_an_answer_in_a_contest_earn_no_step() -> None:
    table = on_map(".....\n.AR..\n.....", {"archer": BLADE, "rogue": {}}, [(1, 1, 1), (1, 1, 1)])
    table.engage(archer="might", rogue="might: attack 1")
    assert table.last("attack")["contested"]
    assert (table.window, table.round) == ("action", 2)


def test_an_opportunity_attack_of_a_declaration_earns_a_step_at_its_end() -> None:
    ground = "......\n.AR...\n......\n......"
    table = on_map(ground, {"archer": BLADE, "rogue": {}}, [(1, 1, 1), (8, 6)]).play(rogue="dash 0,2")
    assert table.window == "opportunity"
    table.play(archer=next(name for name in table.legal("archer") if name.startswith("opportunity")))
    assert (table.window, table.choosers()) == ("pick", {"archer"})
    assert at(table, "rogue") == (2, 3), "the dash is over"
    table.play(archer="sidestep n")
    assert (at(table, "archer"), table.window) == ((1, 0), "action")


def test_one_that_falls_in_its_phase_does_not_step() -> None:
    fighters = {"archer": {**BLADE, "hp": 1}, "rogue": {}, "fox": {}, "page": {"team": "blue"}}
    table = on_map("....P\n.AR..\n..F..", fighters, [(1, 1, 1), (8, 6, 8)])
    table.engage(archer="might: attack 1", rogue="might: attack 1", fox="defensive")
    while table.window == "shrug":
        table.play()
    assert table.window != "pick"


def test_of_two_that_fall_back_to_one_square_the_second_stays() -> None:
    # Both are asked at once and choose in secret. The archer is the quicker one.
    fighters = {
        "archer": {**BOW, "agility": 12}, "bowman": {**BOW, "team": "blue", "agility": 4}, "rogue": {"team": "red"},
    }  # fmt: skip
    table = on_map("......\n.A..R.\n......\n.B....", fighters, [*MISS, *MISS])
    table.engage(archer="might: attack 1", bowman="might: attack 1", rogue="cunning")
    assert table.choosers() == {"archer", "bowman"}
    table.play(archer="sidestep s", bowman="sidestep n")
    assert (at(table, "archer"), at(table, "bowman")) == ((1, 2), (1, 3))
    assert [event["fighter"] for event in table.events_of("pick")] == ["archer"]


def test_one_without_a_square_to_step_to_is_not_asked() -> None:
    table = shot(MISS, "####\n#AR#\n####")
    assert (table.window, table.round) == ("stance", 2)
