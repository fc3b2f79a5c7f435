"""Every action in random fights does what its name says, to the fighter that it names."""

from typing import Any

import numpy as np
from hypothesis import example, given

from heartrush_env.games.heart_rush.fights import Fights
from tests.random_play import FIGHTS, SEEDS, play, put, random_game, window


@FIGHTS
@given(SEEDS)
@example(966)  # a prone fighter attacks, then may rise
def test_every_action_does_what_its_name_says_to_whom_it_says(seed: int) -> None:
    """One fighter takes a legal action and the others their mildest one; the events must show its deed and target."""
    game = random_game(seed)
    names = game.action_names
    other = game.batch(1, record=True)
    rng = np.random.default_rng(seed)
    for fights, _ in play(game, seed):
        asked = [seat for seat in range(len(game.agents)) if len(fights.legal(0, seat)) > 1]
        seat = int(rng.choice(asked))
        for action in rng.permutation(fights.legal(0, seat))[:3]:
            put(other, fights)
            actions = np.array([[least(fights, k) for k in range(len(game.agents))]])
            actions[0, seat] = action
            other.step(actions)
            events = other.events(0)
            if window(other) == "step" != window(fights):  # a prone fighter may rise before or after its attack
                other.step(np.array([[least(other, k) for k in range(len(game.agents))]]))
                events += other.events(0)
            assert does(fights, other, events, seat, names[action]), (window(fights), names[action], events)


def least(fights: Fights, seat: int) -> int:
    """Return the action that does least: pass, take the hit, or choose the defensive stance."""
    names = fights.game.action_names
    action = names.index({"stance": "stance defensive", "shrug": "take"}.get(window(fights), "pass"))
    return action if action in fights.legal(0, seat) else 0


# Choices without an event: passing or taking a hit. What a fighter declared earlier may follow an opening.
INSTEAD_OF_PASSING = {
    "talk": ("talk",),
    "action": ("declare", "fizzle"),
    "attack": ("attack", "maneuver"),
    "follow_up": ("attack", "maneuver"),
    "shrug": ("shrug",),
    "yield": ("yield",),
    "step": ("stand",),
}


def does(before: Fights, after: Fights, events: list[dict[str, Any]], seat: int, name: str) -> bool:
    """Return whether the events show that this seat's fighter did what the name of the action says."""
    agent = before.game.agents[seat]
    deed, *rest = name.split()
    target = at_place(before, seat, deed, int(rest[0])) if rest and rest[0].isdecimal() else None
    if deed in ("pass", "take"):
        kinds = INSTEAD_OF_PASSING.get(window(before), ())
        doers = [event.get("fighter", event.get("attacker")) for event in events if event["type"] in kinds]
        return agent not in doers
    if deed == "stance":
        return tells(events, "reveal", stances=reveal_of(events, agent, rest[0]))
    if deed == "say":
        heard_by_all = before.game.scenario.settings.talk == "overheard"
        return tells(events, "talk", fighter=agent, stance=rest[0] if heard_by_all else None)
    if deed in ("shrug", "yield"):
        return tells(events, deed, fighter=agent)
    if window(before) == "action":
        rolls = (
            deed != "opportunity" or helpless(before, target) or strikes(events, agent, target, rest[1], "opportunity")
        )
        return rolls and tells(events, "declare", fighter=agent, action=deed, **({"target": target} if target else {}))
    if deed == "opportunity":
        return strikes(events, agent, target, rest[1], "opportunity")
    if deed == "rise":
        return tells(events, "stand", fighter=agent)
    if deed == "attack":
        stance = before.describe(0)["fighters"][agent]["stance"]
        cause = "follow_up" if window(before) == "follow_up" else "attack"
        return strikes(events, agent, target, stance, cause) and names_levels(before, after, target, rest[1:])
    return tells(events, "maneuver", fighter=agent, target=target, maneuver=deed)


def at_place(fights: Fights, seat: int, deed: str, place: int) -> str:
    """Return the enemy or ally at this place in the seat's list, which is in agent order without the fighter itself."""
    sheets = fights.game.scenario.fighters
    own = sheets[seat]
    if deed in ("help", "douse", "cut_loose"):
        return [sheet.agent for sheet in sheets if sheet.team == own.team and sheet is not own][place - 1]
    return [sheet.agent for sheet in sheets if sheet.team != own.team][place - 1]


def tells(events: list[dict[str, Any]], kind: str, **said: Any) -> bool:
    return any(event["type"] == kind and said.items() <= event.items() for event in events)


def strikes(events: list[dict[str, Any]], agent: str, target: str | None, stance: str, cause: str) -> bool:
    return tells(events, "attack", attacker=agent, target=target, stance=stance, cause=cause)


def reveal_of(events: list[dict[str, Any]], agent: str, stance: str) -> Any:
    stances = next(event["stances"] for event in events if event["type"] == "reveal")
    assert stances[agent] == stance
    return stances


def helpless(fights: Fights, target: str | None) -> bool:
    """Return whether a setting lets a helpless target die without a roll."""
    return target is not None and fights.game.scenario.settings.helpless_dies


def names_levels(before: Fights, after: Fights, target: str | None, named: list[str]) -> bool:
    """Return whether the target has gained the named levels, if that can still be seen after the step."""
    was, now = before.describe(0), after.describe(0)
    fighter = now["fighters"][target]
    if not named or now["round"] != was["round"] or now["window"] in ("shrug", "yield", "over"):
        return True
    if fighter["status"] != "standing":
        return True
    levels = named[0].split("+")
    return all(
        fighter["conditions"].get(condition, 0)
        == min(5, was["fighters"][target]["conditions"].get(condition, 0) + levels.count(condition))
        for condition in levels
    )
