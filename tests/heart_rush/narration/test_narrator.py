"""What is told of a fight: every roll adds up to its event's total, under both editions.

The fights that are compared with the reference are told too, with random settings: tests/test_against_reference.py and
tests/test_maps_against_reference.py check every sum with the same reader.
"""

from __future__ import annotations

import numpy as np
import pytest

from heartrush_env.core.game import Event
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.narration.narrator import Narrator, by_round
from heartrush_env.heart_rush.scenario.load import shipped_scenarios
from tests.narrated import NarratedFight
from tests.random_play import begin, legal_actions, over

WHIP = {"size": "heavy", "attack_type": "whip", "damage_type": "none"}  # a d12
DICE = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40}
MOST_STEPS = 60


def whipped(edition: str, dice: list[int]) -> tuple[HeartRush, list[Event]]:
    """The events of a whip swung in might against a fighter on the defensive."""
    fighters = [
        {**DICE, "id": "knight", "team": "blue", "weapon": WHIP},
        {**DICE, "id": "rogue", "team": "red"},
    ]
    game = HeartRush({"name": "yard", "fighter": fighters, "rules": {"edition": edition}})
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0], dice)
    events = list(fights.events(0))
    while not any(event["type"] == "attack" for event in events):
        chosen = []
        for seat, wishes in enumerate((("stance might", "attack 1", "pass"), ("stance defensive", "pass"))):
            legal = [game.action_names[action] for action in fights.legal(0, seat)]
            chosen.append(game.action_names.index(next(wish for wish in wishes if wish in legal)))
        fights.step(np.array([chosen]))
        events += fights.events(0)
    return game, events


@pytest.mark.parametrize(
    ("edition", "dice", "told"),
    [
        ("december2025", [5, 3, 9, 11, 2, 1], "(might beats defensive): {} + heavy whip d12: 9 + whip d12: 11 = 28"),
        ("june2025", [5, 3, 9, 2, 1], "attacks Rogue: {} + heavy whip d12: 9 = 17"),
    ],
)  # fmt: skip
def test_a_whip_against_the_defensive_stance_is_told_with_its_die_where_the_edition_grants_it(
    edition: str, dice: list[int], told: str
) -> None:
    game, events = whipped(edition, dice)
    narrator = Narrator(game.scenario)
    lines = [line for event in events for line in narrator.tell([event])]
    assert any(line.endswith(told.format("heart d8: 5 + might d6: 3")) for line in lines), lines
    (attack,) = [event for event in events if event["type"] == "attack"]
    roll = narrator.rolls(attack)[0]
    whip = [("whip", 12, 11)] if edition == "december2025" else []
    assert list(roll.dice) == [("heart", 8, 5), ("might", 6, 3), ("heavy whip", 12, 9), *whip]
    assert attack["attack_pool"] == [["heart", 8, 5], ["might", 6, 3], ["weapon", 12, 9], *map(list, whip)]


@pytest.mark.parametrize("edition", ["june2025", "december2025"])
@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_roll_of_the_shipped_scenarios_adds_up_as_it_is_told(name: str, edition: str) -> None:
    game = HeartRush(name, {"edition": edition})
    narrated, rng = NarratedFight(game.scenario), np.random.default_rng(7)
    fights = begin(game, 7)
    narrated.check(fights.events(0), name)
    for step in range(MOST_STEPS):
        if over(fights):
            break
        fights.step(legal_actions(fights, rng))
        narrated.check(fights.events(0), f"{name}, {edition}, step {step}")


def told_on_map(row: str, fighters: list[Event], dice: list[int], *wishes: tuple[str, ...]) -> list[str]:
    """What is told of a round on a map of one row, in which each seat takes the first of its wishes that is legal."""
    sheets = [{**DICE, "id": name, **fighter} for name, fighter in zip(("knight", "rogue"), fighters, strict=True)]
    game = HeartRush({"name": "yard", "fighter": sheets, "battlefield": {"map": [row]}})
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0], dice)
    events, left = list(fights.events(0)), [list(wish) for wish in wishes]
    while fights.describe(0)["round"] == 1:
        chosen = []
        for seat, wished in enumerate(left):
            legal = [game.action_names[action] for action in fights.legal(0, seat)]
            wish = next((wish for wish in wished if wish in legal), None)
            if wish is not None:
                wished.remove(wish)
            chosen.append(wish or next(idle for idle in ("pass", "take", "stance defensive") if idle in legal))
        fights.step(np.array([[game.action_names.index(name) for name in chosen]]))
        events += fights.events(0)
    return [line.strip() for line in Narrator(game.scenario).tell(events)]


def test_a_door_is_told_to_be_opened_or_closed_and_what_is_done_already_with_its_cause() -> None:
    knight, rogue = {"team": "blue", "at": [0, 0]}, {"team": "red", "at": [2, 0], "agility": 4}
    told = told_on_map(".+.", [knight, rogue], [], ("door e", "door e"), ("door w",))
    assert [line for line in told if "door" in line] == [
        "Knight goes to open the door at (1, 0).",
        "The door at (1, 0) is open.",
        "Rogue wanted to open the door at (1, 0), which is already open: that costs nothing.",
        "Knight goes to close the door at (1, 0).",
        "The door at (1, 0) is closed.",
    ]


def test_a_squeeze_is_told_apart_from_a_collision() -> None:
    held = {"team": "red", "at": [1, 0], "conditions": {"grappled": {"source": "knight_0"}}}
    knight = {"team": "blue", "at": [0, 0]}
    told = told_on_map(
        "......", [knight, held], [4] * 9, ("stance might", "attack 1", "grapple 1"), ("stance cunning",)
    )
    assert any(line.startswith("Rogue takes 4 damage from the squeeze: ") for line in told)
    assert not any("pushed" in line for line in told)


def test_turns_and_engagements_are_told() -> None:
    fighters = [{**DICE, "id": id, "team": team} for id, team in (("knight", "blue"), ("rogue", "red"))]
    game = HeartRush({"name": "yard", "heroes": ["blue"], "fighter": fighters, "rules": {"edition": "classic"}})
    fights, narrator = game.batch(1, record=True), Narrator(game.scenario)
    fights.start([0], 1, [0], [4, 3])
    lines = narrator.tell(fights.events(0))
    for names in (("engage 1", "pass"), ("stance defensive", "stance defensive"), ("pass", "pass")):
        fights.step(np.array([[game.action_names.index(name) for name in names]]))
        lines += narrator.tell(fights.events(0))
    assert [line for line in lines if not line.startswith("  Knight 40 hp")] == [
        "",
        "Round 1",
        "  A d6 shows 4: blue has priority.",
        "  Knight engages Rogue.",
        "  In the engagement: Knight, Rogue.",
        "  Stances: Knight defensive, Rogue defensive",
        "  Red was engaged, and has priority.",
        "  Red passes: blue has priority.",
        "  Blue passes: all have passed in a row.",
        "",
        "Round 2",
        "  A d6 shows 3: red has priority.",
    ]


def test_why_a_side_has_priority_is_told() -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    told = narrator.tell(
        {"type": "priority", "team": team, "cause": cause, "die": 0}
        for team, cause in (("blue", "surprise"), ("red", "used"), ("blue", "passed"))
    )
    assert told == [
        "  Blue has priority, for another side is surprised.",
        "  Red has priority.",
        "  Red passes: blue has priority.",
    ]


def test_stances_of_an_earlier_engagement_are_forgotten() -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    narrator.tell([{"type": "reveal", "stances": {"knight_0": "might", "duelist_0": "defensive"}}])
    assert narrator.tell([{"type": "engagement", "fighters": ["knight_0"]}]) == ["  In the engagement: Knight."]
    assert {known.stance for known in narrator.known.values()} == {None}


def test_the_stances_of_all_engagements_of_a_round_stand_in_its_line() -> None:
    told = [
        {"type": "round", "round": 1},
        {"type": "round", "round": 2},
        {"type": "reveal", "stances": {"knight_0": "might", "duelist_0": "cunning"}},
        {"type": "reveal", "stances": {"knight_0": "agility", "duelist_0": "might"}},
        {"type": "end", "cause": "round_cap", "winners": []},
    ]
    (line, _) = by_round(HeartRush("duel").scenario, told)
    assert line.startswith("Round 2: Knight might, Duelist cunning; then Knight agility, Duelist might. Knight 40 hp")
