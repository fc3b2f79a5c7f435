"""Several Attacks: a monster that attacks twice a round."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Several Attacks")
OWNER = {"abilities": ["several_attacks"]}


def attacks(table: Table, stance: str, **choices: str) -> list[tuple[str, str, str]]:
    """Return who attacks whom, and why, when the wyrm is in might and the knight in this stance."""
    table.engage(wyrm="might", knight=stance).pass_to("attack", "might").play(**choices)
    return [(event["attacker"], event["target"], event["cause"]) for event in table.events_of("attack")]


def test_it_attacks_its_target_twice_with_two_rolls() -> None:
    table = Table({"wyrm": OWNER, "knight": {}, "monk": {}}, [(3, 2, 4), (1, 1), (5, 5, 5), (2, 2)])
    assert attacks(table, "cunning", wyrm="attack 1") == [("wyrm", "knight", "attack"), ("wyrm", "knight", "extra")]
    table.finish_round()
    assert (table.hp("knight"), table.hp("monk")) == (40 - (9 - 2) - (15 - 4), 40)


@pytest.mark.parametrize("quick", ["wyrm", "knight"])
def test_against_an_attack_in_its_own_stance_it_has_two_contests(quick: str) -> None:
    fighters: dict[str, dict] = {"wyrm": OWNER, "knight": {}}
    fighters[quick] = {**fighters[quick], "agility": 8}
    rolls = {"wyrm": [(3, 2, 4), (1, 1, 1)], "knight": [(1, 1, 1), (3, 2, 4)]}[quick]
    again = {"wyrm": [(1, 1, 1), (5, 5, 5)], "knight": [(5, 5, 5), (1, 1, 1)]}[quick]
    table = Table(fighters, rolls + again)
    slow = "knight" if quick == "wyrm" else "wyrm"
    seen = attacks(table, "might", wyrm="attack 1", knight="attack 1")
    assert seen == [(quick, slow, "attack"), ("wyrm", "knight", "extra")]
    table.finish_round()
    assert (table.hp("knight"), table.hp("wyrm")) == (40 - 6, 40 - 12)  # 9 against 3, then 3 against 15


def test_two_of_them_that_attack_each_other_have_two_contests() -> None:
    fighters = {"wyrm": OWNER, "knight": OWNER}
    table = Table(fighters, [(3, 2, 4), (1, 1, 1), (1, 1, 1), (5, 5, 5)])
    seen = attacks(table, "might", wyrm="attack 1", knight="attack 1")
    assert seen == [("wyrm", "knight", "attack"), ("wyrm", "knight", "extra")]
    table.finish_round()
    assert (table.hp("knight"), table.hp("wyrm")) == (40 - 6, 40 - 12)


def test_no_attack_an_answer_in_a_contest_and_a_defense_bring_none() -> None:
    assert attacks(Table({"wyrm": OWNER, "knight": {}}), "cunning", wyrm="pass") == []
    table = Table({"wyrm": OWNER, "knight": {}}, [(1, 1, 1), (1, 1, 1)])
    assert attacks(table, "might", wyrm="pass", knight="attack 1") == [("knight", "wyrm", "attack")]
    table = Table({"wyrm": OWNER, "knight": {}}, [(1, 1, 1), (1, 1)])
    table.engage(wyrm="might", knight="agility: attack 1")
    assert [event["attacker"] for event in table.events_of("attack")] == ["knight"]
