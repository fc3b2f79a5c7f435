"""The Engagement > Choosing Your Stance, Understanding Stances, and who may be attacked."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

# The book's table: whom a stance may attack, and whom it beats.
VALID_TARGETS = {
    "cunning": {"agility", "defensive", "cunning"},
    "agility": {"might", "defensive", "agility"},
    "might": {"cunning", "defensive", "might"},
    "defensive": set(),
}
BEATS = {"cunning": "agility", "agility": "might", "might": "cunning"}


def choices_of_attack(own: str, other: str) -> list[str]:
    """Return what the knight may do in its own phase, with its stance against the rogue's."""
    table = Table({"knight": {}, "rogue": {}}).engage(knight=own, rogue=other)
    while table.window == "attack":
        if len(table.legal("knight")) > 1:
            return table.legal("knight")
        table.play()
    return []


@pytest.mark.heading("Understanding Stances")
@pytest.mark.parametrize("own", VALID_TARGETS)
@pytest.mark.parametrize("other", VALID_TARGETS)
def test_a_stance_attacks_what_it_beats_its_own_and_the_defensive(own: str, other: str) -> None:
    choices = choices_of_attack(own, other)
    assert ("attack 1" in choices) is (other in VALID_TARGETS[own])
    assert ("shove 1" in choices) is (BEATS.get(own) == other)  # only the beaten


@pytest.mark.heading("Understanding Stances")
def test_friends_and_the_fallen_are_no_targets() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp_now": 5}, "orc": {}, "wolf": {}}
    table = Table(fighters, [8, 6, 8, 1, 1])
    table.engage(knight="cunning: attack 1", squire="might", rogue="agility", orc="cunning", wolf="cunning").play()
    assert table.status("rogue") == "defeated"  # 22 against 2
    table.pass_to("attack", "might")
    assert [choice for choice in table.legal("squire") if choice.startswith("attack")] == ["attack 2", "attack 3"]


@pytest.mark.heading("Choosing Your Stance")
def test_all_who_stand_choose_among_four_stances() -> None:
    table = Table({"knight": {}, "rogue": {}, "orc": {}}).pass_to("stance")
    assert table.choosers() == {"knight", "rogue", "orc"}
    assert table.legal("orc") == ["stance might", "stance agility", "stance cunning", "stance defensive"]


@pytest.mark.heading("Choosing Your Stance", "Zero Hit points")
def test_the_unconscious_choose_nothing() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue", "hp_now": 0}, "rogue": {}}
    table = Table(fighters, heroes=["blue"]).play(squire="yield").pass_to("stance")
    assert table.choosers() == {"knight", "rogue"}
    table.play(knight="stance might", rogue="stance cunning")
    assert table.last("reveal")["stances"]["squire"] is None


@pytest.mark.heading("Simultaneous Reveal", "How Engagements Work")
def test_all_stances_are_shown_at_once_and_remembered() -> None:
    table = Table({"knight": {}, "rogue": {}, "orc": {}}).pass_to("stance")
    assert not any(table.sees("rogue")[f"enemy 1 stance {stance}"] for stance in VALID_TARGETS)
    table.play(knight="stance might", rogue="stance agility", orc="stance defensive")
    assert table.last("reveal")["stances"] == {"knight": "might", "rogue": "agility", "orc": "defensive"}
    assert [table.fighter(name)["stance"] for name in table.names] == ["might", "agility", "defensive"]
    table.finish_round()
    assert table.fighter("knight")["stance"] is None
    table.engage(knight="cunning", rogue="cunning", orc="cunning")
    seen = table.sees("rogue")
    assert seen["enemy 1 reveal 1 cunning"] == seen["enemy 1 reveal 2 might"] == 1
    assert seen["enemy 1 count might"] == seen["enemy 1 count cunning"] > 0 == seen["enemy 1 count agility"]


@pytest.mark.heading("How Engagements Work")
def test_an_engagement_needs_two_sides() -> None:
    table = Table({"knight": {}, "rogue": {"surprised": True, "hp_now": 5}}, [8, 6, 8, 1, 1])
    table.play(knight="opportunity 1 might").play()
    assert table.events_of("reveal") == []
    assert table.ending == ("victory", ["blue"])


@pytest.mark.heading("Cunning Stance")
def test_cunning_that_beats_agility_names_up_to_two_levels_split_as_it_likes() -> None:
    named = [choice for choice in choices_of_attack("cunning", "agility") if choice.startswith("attack")]
    assert named == [
        "attack 1", "attack 1 dazed", "attack 1 off_balanced", "attack 1 weakened", "attack 1 dazed+dazed",
        "attack 1 dazed+off_balanced", "attack 1 dazed+weakened", "attack 1 off_balanced+off_balanced",
        "attack 1 off_balanced+weakened", "attack 1 weakened+weakened",
    ]  # fmt: skip


@pytest.mark.heading("Cunning Stance")
@pytest.mark.parametrize(
    ("levels", "conditions"),
    [
        ("dazed", {"dazed": 1}),
        ("off_balanced+off_balanced", {"off_balanced": 2}),
        ("dazed+weakened", {"dazed": 1, "weakened": 1}),
    ],
)
def test_the_named_levels_hinder_the_rest_of_the_engagement(levels: str, conditions: dict[str, int]) -> None:
    table = Table({"knight": {}, "rogue": {}, "orc": {}, "squire": {"team": "blue"}}, [8, 6, 8, 1, 1])
    table.engage(knight=f"cunning: attack 1 {levels}", rogue="agility", orc="agility", squire="might")
    assert table.conditions("rogue") == {}  # with the phase's other effects, after the damage
    table.play()
    assert (table.phase, table.conditions("rogue")) == ("agility", conditions)


@pytest.mark.heading("Cunning Stance")
def test_the_levels_take_hold_even_without_damage() -> None:
    table = strike(stance="cunning", against="agility", choice="attack 1 dazed+dazed", dice=[1, 1, 1, 2, 1])
    assert table.last("attack")["damage"] == 0  # 3 against 3
    assert table.history("rogue", "dazed") == [2, 1]  # R-6; the next round's start takes one


@pytest.mark.heading("Cunning Stance")
@pytest.mark.parametrize(("own", "other"), [("might", "cunning"), ("agility", "might"), ("cunning", "cunning")])
def test_no_other_attack_names_levels(own: str, other: str) -> None:
    assert [choice for choice in choices_of_attack(own, other) if choice.startswith("attack")] == ["attack 1"]


@pytest.mark.heading("The Engagement", "Understanding Actions and Abilities")
def test_attacks_in_the_engagement_cost_no_action() -> None:
    fighters = {"knight": {"conditions": {"burning": 1}}, "rogue": {"agility": 4}}
    table = Table(fighters, [5, 4, 3, 2, 1]).play(knight="put_out_fire")
    assert not table.fighter("knight")["action"]
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.fighter("rogue")["action"]
    assert table.play().hp("rogue") == 31  # 12 - 3


@pytest.mark.heading("The Engagement")
def test_nobody_is_obliged_to_attack() -> None:
    table = Table({"knight": {}, "rogue": {}}).engage(knight="might: pass", rogue="cunning")
    assert (table.events_of("attack"), table.round) == ([], 2)


@pytest.mark.heading("The Engagement", "How Engagements Work")
def test_everyone_is_in_the_engagement_every_round() -> None:
    table = Table({"knight": {}, "rogue": {}}, max_rounds=3)
    for round_number in 1, 2, 3:
        assert (table.round, table.window) == (round_number, "stance")
        table.play()
    assert table.ending == ("round_cap", [])


@pytest.mark.heading("Range and Positioning")
def test_without_a_map_every_enemy_is_in_reach_of_every_weapon() -> None:
    fighters = {"knight": {"weapon": "dagger"}, "rogue": {}, "orc": {}, "wolf": {}}
    table = Table(fighters).engage(knight="might", rogue="cunning", orc="might", wolf="defensive")
    table.pass_to("attack", "might")
    attacks = [choice for choice in table.legal("knight") if choice.startswith("attack")]
    assert attacks == ["attack 1", "attack 2", "attack 3"]
