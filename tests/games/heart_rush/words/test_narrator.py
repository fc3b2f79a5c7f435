"""The narration of a fight: every roll adds up to its event's total, under both editions.

The fights that are compared with the reference are narrated too, with random settings: test_against_reference.py and
test_maps_against_reference.py in tests/fights check every sum with the same reader.
"""

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.own import OwnWords
from heartrush_env.tabletop.game import Event
from tests.narrated import NarratedFight
from tests.random_play import begin, legal_actions, over

WHIP = {"size": "heavy", "attack_type": "whip", "damage_type": "none"}  # a d12
DICE = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40}
MOST_STEPS = 60


def whipped(edition: str, dice: list[int]) -> tuple[HeartRush, list[Event]]:
    """Play an attack with a whip in might against a defensive fighter; return the game and the events."""
    fighters = [{**DICE, "id": "knight", "team": "blue", "weapon": WHIP}, {**DICE, "id": "rogue", "team": "red"}]
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
    """Return the narration of a round on a map of one row, in which each seat takes its first legal wish."""
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
    wishes = ("stance might", "attack 1", "grapple 1"), ("stance cunning",)
    told = told_on_map("......", [knight, held], [4] * 9, *wishes)
    assert any(line.startswith("Rogue takes 4 damage from the squeeze: ") for line in told)
    assert not any("pushed" in line for line in told)


@pytest.mark.long
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
        "  A d6 shows 4: priority goes to blue.",
        "  Knight engages Rogue.",
        "  In the engagement: Knight, Rogue.",
        "  Stances: Knight defensive, Rogue defensive",
        "  The engagement is over: priority goes to red, the side that was engaged.",
        "  Red passed: priority goes to blue.",
        "  Blue passed: all sides have passed in a row.",
        "",
        "Round 2",
        "  A d6 shows 3: priority goes to red.",
    ]


def test_why_a_side_has_priority_is_told() -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    told = narrator.tell(
        {"type": "priority", "team": team, "cause": cause, "die": 0}
        for team, cause in (("blue", "surprise"), ("red", "used"), ("blue", "passed"))
    )
    assert told == [
        "  Another side is surprised: priority goes to blue.",
        "  Priority goes to red.",
        "  Red passed: priority goes to blue.",
    ]


def test_stances_of_an_earlier_engagement_are_forgotten() -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    narrator.tell([{"type": "reveal", "stances": {"knight_0": "might", "duelist_0": "defensive"}}])
    assert narrator.tell([{"type": "engagement", "fighters": ["knight_0"]}]) == ["  In the engagement: Knight."]
    assert {known.stance for known in narrator.known.values()} == {None}


DIE = {"attack_pool": [["might", 6, 5]], "attack_flat": {}, "attack_roll": 5, "attack_causes": []}
ANSWER = {"defense_pool": [["agility", 6, 3]], "defense_flat": {}, "defense_roll": 3, "defense_causes": []}
STRIKE = {
    "type": "attack", "attacker": "knight_0", "target": "duelist_0", "stance": "might", "cause": None,
    "contested": False, "mutual": False, "hurt": "duelist_0", "damage": 2, **DIE, **ANSWER,
}  # fmt: skip
SHOWN = {"type": "reveal", "stances": {"knight_0": "might", "duelist_0": "defensive"}}
CHECK = {"type": "check", "fighter": "knight_0", "purpose": "break_free", "target": None, "success": True, **DIE}
TRIP = {"type": "maneuver", "fighter": "knight_0", "target": "duelist_0", "maneuver": "trip", "success": False}


PHASE, STANCES = "  Might phase", "  Stances: Knight might, Duelist defensive"
ATTACKS, DEFENDS = "    Knight attacks Duelist: might d6: 5 = 5", "      Duelist defends: agility d6: 3 = 3"
STRIKES, TWO = "    Knight strikes in might at Duelist: might d6: 5 = 5", "      2 damage to Duelist."
ROLLS, OTHER_ROLLS = "    Knight rolls might d6: 5 = 5", "    Duelist rolls agility d6: 3 = 3"
BOTH_ROLL = ["      Knight: might d6: 5 = 5", "      Duelist: agility d6: 3 = 3"]
AGAIN = "    Knight throws again, at Duelist: might d6: 5 = 5"
BEATING = "    Knight attacks Duelist (might beats cunning): might d6: 5 = 5"
SECRET = "  Knight says: something that only its own side hears"


def of(kind: str, fighter: str = "knight_0", **more: Any) -> Event:
    """Return an event of a fighter."""
    return {"type": kind, "fighter": fighter, **more}


def felt(condition: str, levels: int, before: int, fighter: str = "knight_0") -> Event:
    """Return an event of a condition."""
    return of("condition", fighter, condition=condition, levels=levels, before=before)


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ([of("talk", stance="might")], ["  Knight says: might"]),
        ([of("talk", stance=None)], [SECRET]),
        ([of("talk", stance=None), of("talk", stance="might")], [SECRET, "  Knight had said: might"]),
        ([of("timing", "duelist_0", roll=4)], ["  Duelist rolls 4 in agility for who goes first."]),
        ([{**SHOWN, "stances": {"knight_0": "might", "duelist_0": None}}], ["  Stances: Knight might"]),
        ([of("fizzle", action="pick_up")], ["  Knight wanted to act (pick up), but no longer can."]),
        ([of("stand")], ["    Knight is on its feet."]),
        ([of("yield")], ["    Knight yields."]),
        ([CHECK], [ROLLS, "    Knight succeeds."]),
        ([{**CHECK, "success": False}], [ROLLS, "    Knight fails."]),
        ([{**CHECK, "purpose": "hop_off", "success": False, "against": "duelist_0", **ANSWER}],
         [ROLLS, OTHER_ROLLS, "    Knight falls off."]),
        ([{**CHECK, "purpose": "hop_off"}], [ROLLS, "    Knight holds on."]),
        ([STRIKE], [PHASE, ATTACKS, DEFENDS, TWO]),
        (
            [STRIKE, {**STRIKE, "cause": "follow_up", "damage": 1}],  # the phase has begun already
            [PHASE, ATTACKS, DEFENDS, TWO, AGAIN, DEFENDS, "      1 damage to Duelist, the rest stopped by armor."],
        ),
        ([{**STRIKE, "cause": "opportunity", "hurt": None, "damage": 0}], [STRIKES, DEFENDS, "      No damage."]),
        ([{**SHOWN, "stances": {"knight_0": "might", "duelist_0": "cunning"}}, STRIKE],
         ["  Stances: Knight might, Duelist cunning", PHASE, BEATING, DEFENDS, TWO]),
        ([SHOWN, {**STRIKE, "damage": 1}],
         [STANCES, PHASE, ATTACKS, DEFENDS, "      1 damage to Duelist, halved by the defensive stance."]),
        # Outside the engagement no stance halves, nor is one beaten.
        ([SHOWN, {**STRIKE, "cause": "opportunity"}], [STANCES, STRIKES, DEFENDS, TWO]),
        ([{**SHOWN, "stances": {"duelist_0": "cunning"}}, {**STRIKE, "cause": "opportunity"}],
         ["  Stances: Duelist cunning", STRIKES, DEFENDS, TWO]),
        ([{**STRIKE, "contested": True}],
         [PHASE, "    Knight attacks Duelist, who is in the same stance and strikes back", *BOTH_ROLL, TWO]),
        ([{**STRIKE, "contested": True, "mutual": True}],
         [PHASE, "    Knight and Duelist attack each other in the same stance", *BOTH_ROLL, TWO]),
        ([SHOWN, {**TRIP, **DIE, **ANSWER}],
         [STANCES, PHASE, "    Knight trips Duelist.", f"  {ROLLS}", f"  {OTHER_ROLLS}", "      It fails."]),
        ([of("shrug", heart_from=8, heart_to=6), of("damage", amount=3, hp=9, cause="attack")],
         ["    Knight shrugs it off: the heart die falls from d8 to d6, 3 damage is left: 9 hp."]),
        ([of("damage", amount=2, hp=7, cause="fall")], ["    Knight takes 2 damage from the fall: 7 hp."]),
        ([of("wound", rank=2)], ["    Knight is wounded: rank 2."]),
        ([felt("dazed", 2, 0), felt("dazed", 1, 2), felt("dazed", 0, 1)],
         ["  Knight is dazed 2.", "  Knight is dazed 1, down from 2.", "  Knight is no longer dazed."]),
        ([TRIP, felt("prone", 1, 0, "duelist_0")], ["    Knight trips Duelist.", "  Duelist is prone."]),
        ([SHOWN, TRIP, felt("prone", 1, 0, "duelist_0")],
         [STANCES, PHASE, "    Knight trips Duelist.", "    Duelist is prone."]),
        ([of("down", status="defeated")], ["    Knight is out of the fight."]),
        ([of("death")], ["    Knight dies."]),
        ([of("move", how="dash", path=[[1, 0], [2, 0]])], ["    Knight runs to (2, 0)."]),
        ([of("push", path=[[1, 0], [2, 0]], blocked="duelist_0")],
         ["    Knight is pushed to (2, 0), stopped by Duelist."]),
        ([of("push", path=[], blocked="wall")], ["    Knight is pushed, stopped by a wall."]),
        ([of("push", path=[[1, 0]], blocked=None)], ["    Knight is pushed to (1, 0)."]),
        ([of("fall", feet=10, saved=True)], ["    Knight falls 10 feet, and lands on its feet."]),
        ([of("fall", feet=10, saved=False)], ["    Knight falls 10 feet."]),
        ([of("rush", left=1)], ["    Knight spends a rush point, 1 left."]),
    ],
)  # fmt: skip
def test_each_event_is_told_in_its_words(events: list[Event], told: list[str]) -> None:
    assert Narrator(HeartRush("duel").scenario).tell(events) == told


def test_everybody_is_told_of_as_events_have_left_them() -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    knight, duelist = narrator.standing().split("; ")
    assert knight == "Knight 40 hp, heart d8"
    at_the_knight = {**TRIP, "fighter": "duelist_0", "target": "knight_0"}
    narrator.tell([{**at_the_knight, "success": True}, {**at_the_knight, "maneuver": "disarm"}])
    assert narrator.standing() == f"{knight}; {duelist}", "a trip and a failed disarm leave the weapon in hand"
    narrator.tell([of("shrug", heart_from=8, heart_to=6), of("damage", amount=3, hp=37, cause="attack")])
    narrator.tell([of("wound", rank=2), of("wound", rank=1), felt("prone", 1, 0), felt("dazed", 2, 0)])
    narrator.tell([{**at_the_knight, "maneuver": "disarm", "success": True}])
    assert narrator.standing() == f"Knight 37 hp, heart d6, wounds 3, weapon on the floor, prone, dazed 2; {duelist}"
    narrator.tell([felt("dazed", 0, 2), of("declare", action="pick_up")])
    narrator.tell([of("down", status="unconscious"), of("down", "duelist_0", status="defeated")])
    assert narrator.standing() == "Knight 37 hp, heart d6, unconscious, wounds 3, prone; Duelist defeated"
    narrator.tell([of("death")])
    assert narrator.standing().startswith("Knight dead; ")


@pytest.mark.parametrize(
    ("cause", "winners", "told"),
    [
        ("victory", ["blue"], "Blue won: no other side is left standing."),
        ("victory", [], "A draw: no side is left standing."),
        ("victory", ["monsters"], "Monsters won: no other side is left standing."),
        ("victory", ["blue", "wolves"], "Blue and wolves won: no other side is left standing."),
        ("round_cap", [], "The round cap is reached: a draw."),
        ("round_cap", ["blue"], "The round cap is reached: blue won, with the most hit points left."),
        ("round_cap", ["monsters"], "The round cap is reached: monsters won, with the most hit points left."),
    ],
)
def test_an_ending_is_told_after_what_is_left(cause: str, winners: list[str], told: str) -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    lines = narrator.tell([{"type": "end", "cause": cause, "winners": winners}])
    assert lines == [f"  {narrator.standing()}", "", told]
    assert [line.mark for line in lines] == ["aside", "", "title"]


def test_rolls_name_their_fighter_and_their_purpose() -> None:
    narrator = Narrator(HeartRush("duel").scenario)

    def purposes(event: Event) -> list[tuple[str, str]]:
        return [(roll.fighter, roll.purpose) for roll in narrator.rolls(event)]

    attack, answer = "Knight attacks Duelist in might", "Duelist {} might"
    assert purposes(STRIKE) == [("knight_0", attack), ("duelist_0", answer.format("defends against Knight with"))]
    contest = {**STRIKE, "contested": True}
    assert purposes(contest) == [("knight_0", attack), ("duelist_0", answer.format("strikes back at Knight in"))]
    tripped = [("knight_0", "Knight tries it (trip)"), ("duelist_0", "Duelist resists Knight (trip)")]
    assert purposes({**TRIP, **DIE, **ANSWER}) == tripped
    assert purposes(CHECK) == [("knight_0", "Knight tries it (break free)")]
    against = {**CHECK, "against": "duelist_0", **ANSWER}
    assert (purposes(against)[1], purposes(SHOWN)) == (("duelist_0", "Duelist resists Knight (break free)"), [])


def test_a_round_begins_with_no_stance_and_no_phase() -> None:
    narrator = Narrator(HeartRush("duel").scenario)
    assert narrator.tell([{"type": "round", "round": 1}]) == ["", "Round 1"]
    narrator.tell([SHOWN, STRIKE])
    assert narrator.tell([{"type": "round", "round": 2}, {**STRIKE, "damage": 1}]) == [
        f"  {narrator.standing()}",
        "",
        "Round 2",
        "  Might phase",
        "    Knight attacks Duelist: might d6: 5 = 5",
        "      Duelist defends: agility d6: 3 = 3",
        "      1 damage to Duelist, the rest stopped by armor.",
    ]


def test_a_swap_is_told_by_what_is_in_hand() -> None:
    """The spare set replaces the set in hand, and comes back with the next swap; a dropped weapon stays behind."""
    sword = {"size": "light", "attack_type": "melee", "damage_type": "slashing"}
    knight = {**DICE, "id": "knight", "team": "blue", "weapon": sword, "shield": "light_shield", "spare_weapon": WHIP}
    rogue = {**DICE, "id": "rogue", "team": "red", "at": [2, 0]}
    scenario = {"fighter": [{**knight, "at": [0, 0]}, rogue], "battlefield": {"map": ["..."]}}
    narrator = Narrator(HeartRush(scenario).scenario)
    begun = narrator.known["knight_0"].sheet
    swap = {"type": "swap", "fighter": "knight_0"}
    whip = {"weapon_die": 12, "attack_type": "whip", "damage_type": "none", "shield": 0}
    sabre = {"weapon_die": 8, "attack_type": "melee", "damage_type": "slashing", "shield": 2}
    assert narrator.tell([{**swap, **whip}]) == ["    Knight now holds its heavy whip, whip d12."]
    assert narrator.known["knight_0"].weapon == "heavy whip"
    assert narrator.tell([{**swap, **sabre}]) == [
        "    Knight now holds its light melee slashing, melee slashing d8, and a shield of 2."
    ]
    assert narrator.known["knight_0"].sheet == begun, "two swaps are none"
    narrator.tell([{**TRIP, "fighter": "rogue_0", "target": "knight_0", "maneuver": "disarm", "success": True}])
    assert "weapon on the floor" in narrator.standing()
    assert narrator.tell([{**swap, **whip}]) == ["    Knight now holds its heavy whip, whip d12."]
    assert "weapon on the floor" not in narrator.standing() and narrator.known["knight_0"].sheet.spare is None
    assert narrator.tell([{**swap, **sabre}]) == ["    Knight now holds melee slashing d8, and a shield of 2."]


def test_fighters_are_told_of_as_they_begin() -> None:
    hurt = {"hp_now": 30, "heart_now": 6, "wounds": [2, 1], "conditions": {"dazed": 2}}
    fighters = [{**DICE, "id": "knight", "team": "blue", **hurt}, {**DICE, "id": "rogue", "team": "red"}]
    narrator = Narrator(HeartRush({"fighter": fighters}).scenario)
    assert narrator.standing() == "Knight 30 hp, heart d6, wounds 3, dazed 2; Rogue 40 hp, heart d8"


def revealed(knight: str, duelist: str | None) -> Event:
    """Return the event of two revealed stances."""
    return {"type": "reveal", "stances": {"knight_0": knight, "duelist_0": duelist}}


@pytest.mark.parametrize(
    ("second", "begins"),
    [
        ([revealed("agility", None)], "Round 2: Knight agility. "),
        (  # the stances of all engagements of a round
            [revealed("might", "cunning"), revealed("agility", "might")],
            "Round 2: Knight might, Duelist cunning; then Knight agility, Duelist might. Knight 40 hp",
        ),
    ],
)  # fmt: skip
def test_each_round_has_a_line_of_its_own(second: list[Event], begins: str) -> None:
    rounds: list[Event] = [{"type": "round", "round": 1}, revealed("might", None), {"type": "round", "round": 2}]
    end: Event = {"type": "end", "cause": "round_cap", "winners": []}
    first, other, last = OwnWords(HeartRush("duel").scenario).by_round([*rounds, *second, end])
    still = "Fighters have stood still in the last 2 rounds: they have neither moved nor attacked."
    assert (first.split(". ")[0], last) == ("Round 1: Knight might", f"The round cap is reached: a draw. {still}")
    assert other.startswith(begins)
