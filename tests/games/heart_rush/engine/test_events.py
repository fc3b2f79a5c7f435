"""What events say about several rolls in one action."""

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush

FIGHTER = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": "dagger"}


def test_breaking_free_tells_each_sides_own_causes() -> None:
    # The position that showed it: the holder's causes stood under the roll of the one it holds.
    knight = {**FIGHTER, "id": "knight", "team": "blue", "agility": 4, "conditions": {"grappled": {"source": "orc_0"}}}
    squire = {**FIGHTER, "id": "squire", "team": "blue", "agility": 8}
    orc = {**FIGHTER, "id": "orc", "team": "red", "agility": 4}
    game = HeartRush({"name": "held", "fighter": [knight, squire, orc]})
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0])
    names = game.action_names
    fights.step(np.array([[names.index("break_free"), names.index("help 1"), 0]]))
    (check,) = [event for event in fights.events(0) if event["type"] == "check"]
    assert check["against"] == "orc_0"
    assert check["attack_causes"] == {"help": 1}  # the grapple's own restraint does not count
    assert check["defense_causes"] == {"grappling": -1}


def test_fights_that_keep_no_events_leave_their_common_log_alone() -> None:
    """Otherwise threads would wait for each other to write it."""
    fights = HeartRush("duel", decisions="stance").batch(2)
    fights._logs[0].seen[:] = 7
    fights.start([0, 1], 3, [0, 1])
    while not fights.numbers.min() > 1:
        fights.step(fights.masks.argmax(axis=2), autoreset=True)
    assert (fights._logs[0].seen == 7).all() and fights._logs[0].count == 0
