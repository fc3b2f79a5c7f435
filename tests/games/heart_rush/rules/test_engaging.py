"""Classic > Engaging the Enemy: a duel and engagements of four with given dice; hits, rolls and stances are June's."""

import copy
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.engaging import may_enter
from heartrush_env.games.heart_rush.rules.terms import UNCONSCIOUS
from heartrush_env.tabletop.errors import SnapshotError
from tests.games.heart_rush.rules.table import PLAIN, Dice, Fields, Table

CLASSIC = {"edition": "classic"}
HEROES, OTHERS = 4, 3  # of the d6 at a round's start: heroes begin on four or more


def duel(dice: Dice, **knight: Any) -> Table:
    """Return a table with the knight, a hero, against the rogue."""
    return Table({"knight": knight, "rogue": {}}, dice, CLASSIC, heroes=["blue"])


def four(dice: Dice, **more: Fields) -> Table:
    """Return a table with knight and squire, heroes, against orc and wolf."""
    blue, red = {"team": "blue"}, {"team": "red"}
    fighters = {"knight": blue, "squire": blue, "orc": red, "wolf": red}
    together = {name: {**sheet, **more.get(name, {})} for name, sheet in fighters.items()}
    return Table(together, dice, CLASSIC, heroes=["blue"])


@pytest.mark.heading("Engaging the Enemy")
def test_a_duel() -> None:
    """The round has two engagements, the second of them against a fighter without an action."""
    knight_strikes = [(5, 3, 8), (4, 2)]  # heart, might, blade: 16; the rogue's heart and might: 6
    contest = [(7, 6, 5), (3, 2, 4)]  # heart, agility, blade, the hero's first: 18; the rogue's: 9
    table = duel([HEROES, *knight_strikes, *contest, OTHERS])

    # The heroes have priority: the knight engages the rogue, which has no say in it and spends nothing.
    assert (table.window, table.choosers()) == ("action", {"knight"})
    assert (table.legal("knight"), table.legal("rogue")) == (["pass", "engage 1"], ["pass"])
    table.play(knight="engage 1")
    assert table.events_of("declare") == [
        {"type": "declare", "fighter": "knight", "action": "engage", "target": "rogue"}
    ]
    assert (table.window, table.choosers()) == ("stance", {"knight", "rogue"})
    assert (table.fighter("knight")["action"], table.fighter("rogue")["action"]) == (False, True)

    # Cunning does not attack might; might beats cunning.
    table.play(knight="stance might", rogue="stance cunning")
    assert (table.window, table.phase, table.choosers()) == ("attack", "might", {"knight"})
    table.play(knight="attack 1").play(rogue="take")
    assert (table.hp("rogue"), table.fighter("rogue")["wounds"]) == (30, 10)  # 16 - 6

    # Priority is the rogue's now, whose side was engaged. It engages the knight in turn.
    assert (table.round, table.window, table.choosers()) == (1, "action", {"rogue"})
    assert (table.fighter("knight")["stance"], table.fighter("rogue")["stance"]) == (None, None)
    table.play(rogue="engage 1").play(knight="stance agility", rogue="stance agility")
    table.play(knight="attack 1", rogue="attack 1")
    assert len(table.events_of("attack")) == 2 and table.last("attack")["mutual"]  # one contest, not two
    table.play(rogue="take")
    assert (table.hp("knight"), table.hp("rogue")) == (40, 21)  # 30 - (18 - 9)

    # Neither has anything left: both sides pass in a row. On a three the others begin the next round.
    assert (table.round, table.window, table.choosers()) == (2, "action", {"rogue"})
    assert table.fighter("knight")["action"] and table.fighter("rogue")["action"]


@pytest.mark.heading("Engaging the Enemy")
def test_an_attack_costs_nothing_beside_the_action_that_began_the_engagement() -> None:
    """Neither the one that engages nor its target pays for the attack, whatever the setting says (R-93)."""
    contest = [(7, 6, 5), (3, 2, 4)]
    for setting in (False, True):
        rules = {**CLASSIC, "attack_costs_action": setting}
        table = Table({"knight": {}, "rogue": {}}, [HEROES, *contest], rules, heroes=["blue"])
        table.play(knight="engage 1").play(knight="stance might", rogue="stance might")
        assert table.choosers() == {"knight", "rogue"}
        table.play(knight="attack 1", rogue="attack 1").play(rogue="take")
        assert table.hp("rogue") == 31  # 40 - (18 - 9)
        assert [table.fighter(name)["action"] for name in ("knight", "rogue")] == [False, True]
        assert table.legal("rogue") == ["pass", "engage 1"]


@pytest.mark.heading("Engaging the Enemy")
def test_an_engagement_of_four() -> None:
    """Squire and wolf enter; squire and orc share a stance, but the squire attacks the wolf, so it is no contest."""
    knight_strikes = [(2, 4, 5), (1, 3)]  # heart, cunning, blade: 11; the orc's heart and cunning: 4
    squire_strikes = [(6, 5, 7), (2, 3)]  # heart, agility, blade: 18; the wolf's heart and agility: 5
    orc_strikes = [(3, 2, 6), (5, 5)]  # 11; the squire defends with 10, for it does not attack the orc
    wolf_strikes = [(4, 6, 8), (8, 1)]  # heart d6, might, blade: 18; the knight's heart and might: 9
    table = four([OTHERS, *knight_strikes, *squire_strikes, *orc_strikes, *wolf_strikes, HEROES])

    assert (table.window, table.choosers()) == ("action", {"orc", "wolf"})
    table.play(orc="engage 1")
    assert (table.window, table.choosers(), table.legal("wolf")) == ("enter", {"squire", "wolf"}, ["pass", "enter"])
    table.play(squire="enter")
    assert (table.window, table.choosers()) == ("enter", {"wolf"})  # who has declined is asked again
    table.play(wolf="enter")
    assert [told["fighter"] for told in table.events_of("declare")] == ["orc", "squire", "wolf"]
    assert (table.window, table.choosers()) == ("stance", {"knight", "squire", "orc", "wolf"})

    # Cunning: the knight beats the orc, and may not attack might.
    table.play(knight="stance cunning", squire="stance agility", orc="stance agility", wolf="stance might")
    assert (table.phase, table.choosers()) == ("cunning", {"knight"})
    assert "attack 1" in table.legal("knight") and "attack 2" not in table.legal("knight")
    table.play(knight="attack 1").play(orc="take")
    assert table.hp("orc") == 33  # 40 - (11 - 4)

    # Agility: the squire beats the wolf. The orc's own stance would be a contest if the squire struck back at it.
    assert (table.phase, table.choosers()) == ("agility", {"squire", "orc"})
    table.play(squire="attack 2", orc="attack 2")
    assert [told["contested"] for told in table.events_of("attack")[1:]] == [False, False]
    assert (table.fighter("wolf")["hits"], table.fighter("squire")["hits"]) == ([13], [1])
    table.play(wolf="shrug", squire="take")
    assert (table.hp("wolf"), table.heart("wolf"), table.hp("squire")) == (33, 6, 39)  # 13 halved is 7

    # Might: the wolf beats the knight, with the heart die that it has left.
    assert (table.phase, table.choosers()) == ("might", {"wolf"})
    table.play(wolf="attack 1").play(knight="take")
    assert table.hp("knight") == 31  # 40 - (18 - 9)

    # The knight's side was engaged: it has priority. The knight has spent nothing, the squire its action.
    assert (table.round, table.window, table.choosers()) == (1, "action", {"knight"})
    assert table.legal("knight") == ["pass", "help 1", "engage 1", "engage 2"]
    table.play()  # the orc and the wolf have spent theirs: both sides have passed
    assert (table.round, table.choosers()) == (2, {"knight", "squire"})


@pytest.mark.heading("Engaging the Enemy")
def test_who_stays_out_of_an_engagement_neither_strikes_nor_is_struck() -> None:
    table = four([HEROES])
    table.play(knight="engage 1").play()
    assert (table.window, table.choosers()) == ("stance", {"knight", "orc"})
    table.play(knight="stance might", orc="stance might")
    assert table.last("reveal")["stances"] == {"knight": "might", "orc": "might"}
    assert (table.fighter("wolf")["stance"], table.choosers()) == (None, {"knight", "orc"})
    assert "attack 1" in table.legal("knight") and "attack 2" not in table.legal("knight")
    table.play()
    assert table.choosers() == {"orc", "wolf"}  # the orc was engaged: it and the wolf have their actions
    table.play(wolf="engage 2")
    assert (table.window, table.choosers()) == ("enter", {"orc"})  # the knight has spent its action
    table.play()
    assert table.choosers() == {"squire", "wolf"}


@pytest.mark.heading("Engaging the Enemy")
def test_who_fought_an_engagement_has_no_stance_in_the_next_one() -> None:
    """Knight and wolf take might; then the squire engages the orc, and the wolf, still near, has no attack."""
    table = four([HEROES])
    table.play(knight="engage 2").play().play(knight="stance might", wolf="stance might").play()
    table.play()  # the wolf's side passes
    table.play(squire="engage 1").play().play(squire="stance might", orc="stance might")
    assert (table.phase, table.choosers()) == ("might", {"squire", "orc"})
    assert table.fighter("wolf")["stance"] is None
    table.play()


@pytest.mark.heading("Engaging the Enemy")
def test_a_side_that_passes_hands_the_turn_back_and_two_passes_end_the_round() -> None:
    table = four([HEROES, OTHERS])
    table.play()
    assert (table.round, table.choosers()) == (1, {"orc", "wolf"})
    table.play(wolf="help 1")
    assert (table.round, table.choosers()) == (1, {"knight", "squire"})
    table.play()
    assert (table.round, table.choosers()) == (1, {"orc"})
    table.play()
    assert (table.round, table.choosers()) == (2, {"orc", "wolf"})


@pytest.mark.heading("Engaging the Enemy")
def test_of_a_side_the_first_in_timing_order_acts_and_the_other_keeps_its_action() -> None:
    table = four([HEROES], squire={"agility": 8})
    table.play(knight="engage 1", squire="engage 2")
    assert [(told["fighter"], told["target"]) for told in table.events_of("declare")] == [("squire", "wolf")]
    assert (table.fighter("knight")["action"], table.fighter("squire")["action"]) == (True, False)


@pytest.mark.heading("Engaging the Enemy")
def test_a_surprised_side_does_not_begin_and_no_die_is_rolled() -> None:
    table = duel([], surprised=True)
    assert (table.window, table.choosers()) == ("action", {"rogue"})
    table.play(rogue="engage 1")
    assert table.choosers() == {"rogue"}  # who is surprised has no stance
    table = four([OTHERS], knight={"surprised": True})
    assert table.choosers() == {"orc", "wolf"}


@pytest.mark.heading("Engaging the Enemy")
def test_nobody_engages_an_enemy_who_is_out() -> None:
    table = four([HEROES, (5, 3, 8), (1, 1)], wolf={"hp_now": 10})
    assert {"engage 1", "engage 2"} <= set(table.legal("squire"))
    table.play(knight="engage 2").play().play(knight="stance might", wolf="stance cunning")
    table.play(knight="attack 2").play()
    assert table.status("wolf") == "defeated"  # 10 - (16 - 2), and no hero
    table.play()
    assert table.choosers() == {"squire"}
    assert "engage 1" in table.legal("squire") and "engage 2" not in table.legal("squire")


@pytest.mark.heading("Engaging the Enemy")
def test_the_fallen_are_not_asked_to_enter() -> None:
    table = four([OTHERS, (5, 3, 8), (1, 1)], squire={"hp_now": 10})
    table.play(wolf="engage 2").play().play(wolf="stance might", squire="stance cunning")
    table.play(wolf="attack 2").play(squire="take").play(squire="yield")
    assert table.choosers() == {"knight"}
    table.play(knight="engage 1")
    assert table.window == "stance"  # the wolf has spent its action, and the squire lies where it fell


@pytest.mark.heading("Engaging the Enemy")
def test_nobody_enters_because_of_a_fallen_fighter() -> None:
    """On a map, an archer once entered and fell on its way, and a dragon reached no fighter but the archer."""
    match = four([HEROES])._fights._fights[0]
    match.fighters[2].joined = True
    assert may_enter(match, 1)
    match.fighters[2].status = UNCONSCIOUS
    assert not may_enter(match, 1)


@pytest.mark.heading("Engaging the Enemy")
def test_the_last_side_has_its_turns_until_it_passes() -> None:
    """The fight is judged at the end of the round, before which the knight puts out its fire."""
    fighters = {"knight": {"conditions": {"burning": 1}, "hp_now": 1}, "rogue": {"hp_now": 10}}
    table = Table(fighters, [OTHERS, (5, 3, 8), (4, 2)], CLASSIC, heroes=["blue"]).play(rogue="engage 1")
    table.play(knight="stance might", rogue="stance cunning").play(knight="attack 1").play(rogue="take")
    assert (table.status("rogue"), table.window) == ("defeated", "action")
    table.play(knight="put_out_fire")
    assert table.ending == ("victory", ["blue"]) and table.hp("knight") == 1


@pytest.mark.heading("Engaging the Enemy")
def test_an_engagement_against_nobody_is_not_fought() -> None:
    """The rogue suffocates as it engages."""
    sheet = {"conditions": {"suffocating": 1}, "hp_now": 3}
    table = Table({"knight": {}, "rogue": sheet}, [OTHERS, 3], CLASSIC, heroes=["blue"])
    table.play(rogue="engage 1").play(rogue="take")
    assert table.ending == ("victory", ["blue"]) and table.events_of("reveal") == []


@pytest.mark.heading("Strategic Discussion")
def test_who_is_in_an_engagement_talks_before_choosing_a_stance() -> None:
    sheets = {name: {"team": team} for name, team in (("knight", "blue"), ("squire", "blue"), ("orc", "red"))}
    table = Table(sheets, [HEROES], {**CLASSIC, "talk": "open"}, heroes=["blue"]).play(knight="engage 1")
    assert table.window == "enter"
    table.play()
    assert (table.window, table.choosers()) == ("talk", {"knight", "orc"})
    table.play(knight="say might")
    assert table.window == "stance" and table.sees("orc")["enemy 1 said might"] == 0
    table.play()
    assert table.choosers() == {"orc"}
    assert table.sees("orc")["enemy 1 said might"] == 0  # the engagement is over, and with it what was said
    table.play(orc="engage 2")
    assert (table.window, table.choosers()) == ("talk", {"squire", "orc"})  # another engagement: what was said is over
    assert table.sees("orc")["enemy 1 said might"] == 0


def game(decisions: str = "full") -> HeartRush:
    """Return a game of two against two."""
    fighters = [{**PLAIN, "id": "abcd"[k], "team": ("blue", "red")[k // 2]} for k in range(4)]
    return HeartRush({"name": "table", "fighter": fighters, "rules": CLASSIC}, decisions=decisions)


def test_where_only_stances_are_asked_for_the_default_engages_and_enters() -> None:
    fights = game("stance").batch(1, record=True)
    fights.start([0], 1, [0])
    told = [event["action"] for event in fights.events(0) if event["type"] == "declare"]
    assert told == ["engage", "enter", "enter"]
    assert fights.describe(0)["window"] == "stance"
    assert fights.masks[0, :, fights.game.action_names.index("pass")].sum() == 0


def test_random_fights_come_back_from_snapshots_and_have_no_faults() -> None:
    fights, other = game().batch(1, record=True), game().batch(1, record=True)
    rng, windows = np.random.default_rng(2), set()
    fights.start([0], 2, [0])
    for _ in range(60):
        if fights.terminated[0]:
            break
        windows.add(fights.describe(0)["window"])
        assert fights.faults(0) == []
        other.restore(0, fights.snapshot(0))
        actions = np.where(fights.masks, rng.random(fights.masks.shape), -1.0).argmax(axis=2)
        for batch in (fights, other):
            batch.step(actions)
        assert fights.snapshot(0) == other.snapshot(0) and fights.events(0) == other.events(0)
    assert windows >= {"action", "enter", "stance", "attack", "shrug"}


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("priority", 0, "a side has priority in an engagement, or no side has it outside one"),
        ("priority", 2, r"position.priority: expected less than 2 \(n_teams\), got 2"),
        ("engaged_side", -1, "a fighter is in an engagement that has not begun"),
        ("passes", 3, r"position.passes: expected at most 2 \(n_teams\), got 3"),
    ],
)
def test_faults_of_turns_are_found(field: str, value: int, fault: str) -> None:
    fights = game().batch(1)
    fights.start([0], 1, [0])
    engage = fights.game.action_names.index("engage 1")
    fights.step(np.where(fights.masks[:, :, engage], engage, 0).astype(np.int64))
    snapshot = copy.deepcopy(fights.snapshot(0))
    assert snapshot["position"]["priority"] == -1
    snapshot["position"][field] = value
    if field == "engaged_side":
        snapshot["position"]["priority"] = 0
    with pytest.raises(SnapshotError, match=fault):
        fights.restore(0, snapshot)


def test_another_edition_has_no_such_actions_and_no_such_snapshots() -> None:
    fighters = [{**PLAIN, "id": "a", "team": "blue"}, {**PLAIN, "id": "b", "team": "red"}]
    june = HeartRush({"name": "table", "fighter": fighters})
    assert not {"engage 1", "enter"} & set(june.action_names)
    assert {"enter", *(f"engage {place}" for place in (1, 2))} <= set(game().action_names)
    fights = june.batch(1)
    fights.start([0], 1, [0])
    assert "priority" not in fights.snapshot(0)["position"]
