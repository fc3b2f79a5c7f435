"""Charge: a straight run, and an attack that knocks down."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table, weapon

pytestmark = pytest.mark.heading("Charge")
BASE = {"talents": ["charge"], "weapon": weapon("heavy"), "speed": 60}
DESTINY = {"destiny_talents": ["charge"], "weapon": weapon("heavy"), "speed": 60}


def charge(owner: dict[str, object], squares: int, dice: Dice) -> Table:
    """Return a table at which the owner runs this many squares at the rogue and attacks it."""
    row = "K" + "." * squares + "R.."
    table = on_map(f"{row}\n{'.' * len(row)}", {"knight": owner, "rogue": {}}, dice)
    return table.play(knight=f"dash {squares},0").engage(knight="might: attack 1", rogue="cunning")


@pytest.mark.parametrize(("owner", "die"), [(BASE, 6), (DESTINY, 10)])
@pytest.mark.parametrize(("squares", "number"), [(3, 0), (4, 1), (7, 1), (8, 2), (12, 3)])
def test_each_twenty_feet_of_the_run_add_a_die(owner: dict[str, object], die: int, squares: int, number: int) -> None:
    # Heart 1, ability 1, weapon 1 and the dice at their maximum, against 8 + 6.
    table = charge(owner, squares, [(1, 1, 1, *[die] * number), (8, 6)])
    assert table.rolls() == (3 + die * number, 14)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", die, die]] * number
    table.finish_round() if table.window != "shrug" else table.play()
    assert (table.conditions("rogue").get("prone", 0) == 1) is (number > 0)


def test_no_more_than_three_dice() -> None:
    row = "K" + "." * 16 + "R.."
    table = on_map(f"{row}\n{'.' * len(row)}", {"knight": BASE, "rogue": {}}, [(1, 1, 1, 6, 6, 6), (8, 6)])
    table.play(knight="dash 12,0").play(knight="dash 4,0")  # 80 feet in two dashes are one run
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (21, 14)


@pytest.mark.parametrize("owner", [{**BASE, "weapon": weapon("light")}, {**BASE, "talents": []}])
def test_without_a_heavy_melee_weapon_or_the_talent_it_is_a_plain_attack(owner: dict[str, object]) -> None:
    table = charge(owner, 4, [(1, 1, 1), (8, 6)])
    assert table.rolls() == (3, 14)
    assert "prone" not in table.finish_round().conditions("rogue")


def test_with_a_heavy_ranged_weapon_it_is_a_plain_attack() -> None:
    bow = {**BASE, "weapon": weapon("heavy", "ranged")}
    table = on_map("K....R..\n........", {"knight": bow, "rogue": {}}, [(1, 1, 1), (8, 6)]).play(knight="dash 4,0")
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3, 14)


def test_a_run_that_turns_or_passes_by_is_none() -> None:
    # Three squares east and one southeast: no straight run of four.
    table = on_map("K......\n.....R.\n.......", {"knight": BASE, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.play(knight="dash 3,0").play(knight="dash 1,1").engage(knight="agility: attack 1", rogue="might")
    assert (at(table, "knight"), table.rolls()) == ((4, 1), (3, 14))
    # Four squares east, which end beside the rogue to the north: a fifth would not be nearer.
    table = on_map("....R..\nK......\n.......", {"knight": BASE, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.play(knight="dash 4,0").engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3, 14)


def test_a_sidestep_after_the_run_loses_it_and_so_does_the_round() -> None:
    table = on_map("K....R..\n........", {"knight": BASE, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.play(knight="dash 4,0").play(knight="sidestep s").engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3, 14)
    table = on_map("K....R..\n........", {"knight": BASE, "rogue": {}}, [(1, 1, 1), (8, 6)])
    table.play(knight="dash 4,0").finish_round().engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3, 14)


@pytest.mark.parametrize(("size", "number"), [("large", 1), ("L2", 0)])
def test_the_enemy_is_at_most_one_size_larger(size: str, number: int) -> None:
    drawing = "K....RR.\n.....RR.\n........" if size == "L2" else "K....R..\n........"
    table = on_map(drawing, {"knight": BASE, "rogue": {"size": size}}, [(1, 1, 1, *[6] * number), (8, 6)])
    table.play(knight="dash 4,0").engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (3 + 6 * number, 14)


def test_an_answer_in_a_contest_is_no_charge() -> None:
    table = on_map("K....R..\n........", {"knight": BASE, "rogue": {}}, [(1, 1, 1), (8, 6, 8)])
    table.play(knight="dash 4,0").engage(knight="might", rogue="might: attack 1")
    assert sorted(table.rolls()) == [3, 22]
    assert "prone" not in table.conditions("rogue")


def test_the_fallen_target_is_easier_prey_for_a_kick() -> None:
    # The prone target of the next round gives Kick 'Em While They're Down its die: heart, ability, weapon and a d6.
    owner = {**BASE, "talents": ["charge", "kick_em_while_theyre_down"]}
    table = on_map(
        "K....R..\n........", {"knight": owner, "rogue": {}}, [(1, 1, 1, 1), (8, 6), (5, 5, 5, 6, 1), (8, 6, 8)]
    )
    table.play(knight="dash 4,0").engage(knight="agility: attack 1", rogue="might").finish_round()
    assert table.conditions("rogue")["prone"] == 1
    table.engage(knight="agility: attack 1", rogue="might")
    assert len(table.last("attack")["attack_dice"]) > 3
