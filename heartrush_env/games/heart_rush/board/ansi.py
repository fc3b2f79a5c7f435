"""A fight as lines of text for a terminal.

On a map each fighter is a letter in all squares of its space, a capital while it stands; the ground uses the glyphs of
scenario files. The input comes from `heartrush_env.games.heart_rush.engine.description.describe`: plain data that
everyone at the table may see. It contains nothing hidden, so an unrevealed choice cannot show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

BAR = 20  # characters for the full hit points
FULL, LOST, EMPTY = "#", "x", "."  # hit points left; taken from the maximum by wounds; the rest
LETTERS = "ABCDEFGHIJKLMNOP"  # one for each fighter of a map


def picture(view: Mapping[str, Any]) -> str:
    """Return a fight as text: the moment, the map if there is one, then each team with its fighters.

    Args:
        view: The keys round, window, phase, cause, winners, turns (where sides take turns), and `fighters` by agent,
            each with team, hp, hp_max, heart, heart_max, status, wounds, conditions, stance, armed and action.
    """
    fighters: Mapping[str, Mapping[str, Any]] = view["fighters"]
    width = max(len(agent) for agent in fighters)
    lines = [_moment(view)]
    letters = _letters(view) if "battlefield" in view else {}
    if letters:
        lines += _map(view, letters)
    for team in dict.fromkeys(fighter["team"] for fighter in fighters.values()):
        lines.append(team)
        lines += [
            f"{letters.get(agent, ' ')} {agent:<{width}}  {_fighter(fighter)}{_engaged(view, agent)}".rstrip()
            for agent, fighter in fighters.items()
            if fighter["team"] == team
        ]
    return "\n".join(lines)


def _engaged(view: Mapping[str, Any], agent: str) -> str:
    """Return a suffix that marks a fighter in an engagement, where sides take turns; else an empty string."""
    return "  engaged" if agent in view.get("turns", {}).get("joined", ()) else ""


def _moment(view: Mapping[str, Any]) -> str:
    """Describe the round and window, or the ending, in one line."""
    if view["cause"]:
        winners = " and ".join(view["winners"])
        result = f"{winners} won" if winners else "no side won"
        return f"Round {view['round']}: over ({view['cause'].replace('_', ' ')}), {result}"
    phase = f", {view['phase']} phase" if view["phase"] else ""
    priority = view.get("turns", {}).get("priority")
    turn = f", priority: {priority}" if priority else ""
    return f"Round {view['round']}{phase}: {view['window'].replace('_', ' ')} window{turn}"


def _letters(view: Mapping[str, Any]) -> dict[str, str]:
    """Return each fighter's letter on the map; lower case when the fighter is out."""
    named = zip(LETTERS, view["fighters"].items(), strict=False)
    return {agent: letter if fighter["status"] == "standing" else letter.lower() for letter, (agent, fighter) in named}


def _map(view: Mapping[str, Any], letters: Mapping[str, str]) -> list[str]:
    """Return the lines of the ground with all fighters, with columns and rows numbered from 0 along the edges."""
    squares = [list(row) for row in view["battlefield"]["map"]]
    fighters = view["fighters"]
    above = {  # fallen fighters at the bottom, parts below their body, and climbers above their bearer
        agent: (fighter["status"] == "standing", "part_of" not in fighter, -fighter["side"])
        for agent, fighter in fighters.items()
    }
    for agent in sorted(fighters, key=lambda agent: above[agent]):
        (x, y), side = fighters[agent]["at"], fighters[agent]["side"]
        for row in squares[y : y + side]:
            row[x : x + side] = [letters[agent]] * side
    numbers = " ".join(str(x % 10) for x in range(len(squares[0])))
    return [f"   {numbers}", *(f"{y:>2} {' '.join(row)}" for y, row in enumerate(squares))]


def _fighter(fighter: Mapping[str, Any]) -> str:
    """Describe one fighter in one line."""
    hp = f"{fighter['hp']:>4}/{fighter['hp_max']}"
    parts = [f"{_bar(fighter)}{hp:<9}", f"heart d{fighter['heart']}"]
    if fighter["heart"] < fighter["heart_max"]:
        parts[-1] += f" of d{fighter['heart_max']}"
    if fighter["status"] != "standing":
        return "  ".join([*parts, fighter["status"]])
    if fighter["stance"]:
        parts.append(fighter["stance"])
    parts += [_condition(name, levels) for name, levels in fighter["conditions"].items()]
    if fighter["wounds"]:
        parts.append(f"wounds {fighter['wounds']}")
    if not fighter["armed"]:
        parts.append("weapon on the floor")
    if not fighter["action"]:
        parts.append("action spent")
    return "  ".join(parts)


def _condition(name: str, levels: int) -> str:
    """Return a condition, with its level if it is above 1."""
    return name.replace("_", "-") + (f" {levels}" if levels > 1 else "")


def _bar(fighter: Mapping[str, Any]) -> str:
    """Return hit points as a bar; its end shows the part of the maximum lost to wounds."""
    most = fighter["hp_max"]
    full = -(-BAR * max(0, fighter["hp"]) // most)  # rounded up, so that any hit points show
    lost = min(BAR - full, BAR * fighter["wounds"] // most)
    return f"[{FULL * full}{EMPTY * (BAR - full - lost)}{LOST * lost}]"
