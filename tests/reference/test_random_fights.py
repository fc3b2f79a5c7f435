"""Random fights in the reference: they end, meet every window and choice, and stay within the rules."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.reference.choices import STANCES
from tests.reference.default import default_action
from tests.reference.fight import Fight
from tests.reference.scenarios import random_scenario

WINDOWS = {"talk", "action", "opportunity", "stance", "attack", "step", "follow_up", "shrug", "yield"}
PLAIN_KINDS = """
pass shrug take yield pick_up rise stand break_free wriggle_free tear_free cut_free shake_off put_out_fire let_go
hop_off help douse cut_loose attack grapple climb_on blind trip shove disarm taunt swing_past
"""
EVERY_KIND = {
    *(f"{verb} {stance}" for verb in ("stance", "say") for stance in STANCES),
    *PLAIN_KINDS.split(),
    *(f"overcome {condition}" for condition in ("frightened", "enraged", "aggravated")),
    *(f"opportunity {stance}" for stance in ("might", "agility", "cunning")),
    *(f"opportunity {stance} rush" for stance in ("might", "agility", "cunning")),
    "rise rush",
    *(f"dirty_strike {condition}" for condition in ("dazed", "off_balanced", "weakened")),
    *(f"attack {levels}" for levels in ("dazed", "off_balanced", "weakened")),
    *(f"attack dazed+{other}" for other in ("dazed", "off_balanced", "weakened")),
    *("attack off_balanced+off_balanced", "attack off_balanced+weakened", "attack weakened+weakened"),
}


def random_action(rng: random.Random, fight: Fight, agent: str) -> str:
    """Return a random choice: often a plain attack, sometimes the default action."""
    names = fight.choices()[agent]
    if rng.random() < 0.2:
        return default_action(fight, agent)
    attacks = [name for name in names if name.startswith("attack") and len(name.split()) == 2]
    if attacks and rng.random() < 0.5:
        return rng.choice(attacks)
    return rng.choice(names)


def check_sense(fight: Fight) -> None:
    """Check what must hold in every window of every fight."""
    state = fight.state()
    assert fight.window == "over" or any(len(names) > 1 for names in fight.choices().values())
    for agent, one in state["fighters"].items():
        names = fight.choices()[agent]
        assert len(names) == len(set(names)) >= 1
        assert one["status"] == "standing" or names == ["pass"]
        assert all(1 <= levels <= 5 for levels in one["conditions"].values())
        assert set(one["sources"]) <= set(one["conditions"])
        assert one["heart"] in (4, 6, 8, 10, 12, 20)
    holders = [one["grappling"] for one in state["fighters"].values() if one["grappling"]]
    assert len(holders) == len(set(holders))


def test_random_fights_come_to_an_end_and_meet_everything():
    windows: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for seed in range(600):
        rng = random.Random(seed)
        fight = Fight(random_scenario(rng), lambda sides, rng=rng: rng.randint(1, sides))
        while fight.window != "over":
            check_sense(fight)
            windows[fight.window] += 1
            actions = {agent: random_action(rng, fight, agent) for agent in fight.choices()}
            for agent, name in actions.items():
                if len(fight.choices()[agent]) > 1:
                    kinds[" ".join(word for word in name.split() if not word.isdigit())] += 1
            fight.step(actions)
        check_sense(fight)
        causes[fight.state()["cause"]] += 1
    assert set(windows) == WINDOWS
    assert set(kinds) == EVERY_KIND
    assert {"victory", "round_cap"} <= set(causes) <= {"victory", "round_cap", "draw"}  # draws are rare


def test_the_same_dice_and_actions_make_the_same_fight():
    def tale(seed: int) -> list[Any]:
        rng = random.Random(seed)
        fight = Fight(random_scenario(rng), lambda sides: rng.randint(1, sides))
        states = [fight.state()]
        while fight.window != "over":
            fight.step({agent: rng.choice(names) for agent, names in fight.choices().items()})
            states.append(fight.state())
        return states

    assert all(tale(seed) == tale(seed) for seed in range(20))
