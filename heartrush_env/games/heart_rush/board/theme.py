"""The look of pictures: colours, names short enough for a token, captions of events. Nothing here draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from heartrush_env.tabletop.render.ink import INK, Color

View = Mapping[str, Any]  # from `describe` of a batch: plain data that everyone at the table may see
Event = Mapping[str, Any]

NIGHT: Final[Color] = (21, 24, 31)  # background
PANEL: Final[Color] = (30, 34, 43)
LINE: Final[Color] = (54, 60, 74)
PALE: Final[Color] = (236, 233, 224)  # text
GREY: Final[Color] = (150, 156, 168)  # secondary text
HURT: Final[Color] = (224, 62, 56)
CALM: Final[Color] = (120, 124, 132)

STANCE_COLORS: Final[Mapping[str, Color]] = {
    "might": (222, 92, 52),
    "agility": (64, 166, 96),
    "cunning": (148, 98, 206),
    "defensive": (92, 138, 180),
}
# A team named after a colour gets that colour; the others get the first free one.
TEAM_COLORS: Final[Mapping[str, Color]] = {
    "blue": (58, 122, 214),
    "red": (205, 62, 62),
    "green": (52, 150, 92),
    "gold": (214, 164, 40),
    "grey": (124, 130, 140),
    "purple": (142, 84, 184),
    "orange": (222, 124, 48),
    "teal": (40, 150, 158),
}
FULL, HALF, LOW = (88, 190, 96), (232, 178, 58), (222, 70, 60)  # hit points
HEART: Final[Color] = (196, 44, 66)
# Colours that carry a meaning, and their backgrounds: a film must show these exactly.
EXACT: Final = (
    *STANCE_COLORS.values(), *TEAM_COLORS.values(), FULL, HALF, LOW, HEART, HURT, CALM, PALE, GREY, NIGHT, PANEL, INK,
)  # fmt: skip


def team_colors(view: View) -> dict[str, Color]:
    """Return a colour for each team."""
    teams = list(dict.fromkeys(fighter["team"] for fighter in view["fighters"].values()))
    spare = [color for name, color in TEAM_COLORS.items() if name not in teams] or list(TEAM_COLORS.values())
    others = (team for team in teams if team not in TEAM_COLORS)
    drawn = {team: spare[place % len(spare)] for place, team in enumerate(others)}
    return {team: TEAM_COLORS.get(team) or drawn[team] for team in teams}


def labels(names: Mapping[str, str]) -> dict[str, str]:
    """Return each fighter's label: its initials and number, with more letters if two labels would be equal."""
    found = {agent: _initials(name, 1) for agent, name in names.items()}
    for letters in range(2, max(map(len, names.values())) + 1):
        shared = Counter(found.values())
        found = {
            agent: _initials(names[agent], letters) if shared[label] > 1 else label for agent, label in found.items()
        }
    return found


def _initials(name: str, letters: int) -> str:
    """Return the first `letters` letters of each word of a name, and its numbers in full."""
    return "".join(word if word.isdigit() else word[0].upper() + word[1:letters] for word in name.split())


def words(text: str) -> str:
    """Return an identifier of the rules in plain words."""
    return text.replace("_", "-") if text == "off_balanced" else text.replace("_", " ")


def health_color(share: float) -> Color:
    """Return green, amber or red, depending on the fraction of hit points left."""
    return FULL if share > 0.5 else HALF if share > 0.25 else LOW


def shade(color: Color, by: float) -> Color:
    """Return the colour made lighter (`by` above 0) or darker (`by` below 0)."""
    goal = 255 if by > 0 else 0
    red, green, blue = (round(part + (goal - part) * abs(by)) for part in color)
    return red, green, blue


def moment(view: View) -> str:
    """Describe the window, or the result, in words."""
    if view["cause"]:
        winners = " and ".join(view["winners"])
        return f"{winners.capitalize()} won" if winners else "No side won"
    phase = f"{view['phase']} phase, " if view["phase"] else ""
    priority = view.get("turns", {}).get("priority")
    return f"{phase}{view['window'].replace('_', ' ')} window" + (f", priority: {priority}" if priority else "")


def captions(events: Sequence[Event], names: Mapping[str, str]) -> list[str]:
    """Return a short caption for each event that deserves one, in order."""
    return [line for event in events for line in _caption(event, names)]


def _caption(event: Event, names: Mapping[str, str]) -> Iterable[str]:
    """Yield the caption of an event, if it deserves one."""
    who = names.get(event.get("fighter", ""), "no fighter")
    match event["type"]:
        case "attack":
            hit = f"{event['damage']} to {names[event['hurt']]}" if event["damage"] else "no harm"
            rolls = f"{event.get('attack_roll', '?')}:{event.get('defense_roll', '?')}"
            yield f"{names[event['attacker']]} > {names[event['target']]}  {rolls}  {hit}"
        case "maneuver":
            done = "succeeds" if event["success"] else "fails"
            yield f"{who}: {words(event['maneuver'])} on {names[event['target']]} {done}"
        case "engagement":
            yield f"engaged: {', '.join(names[agent] for agent in event['fighters'])}"
        case "shrug":
            yield f"{who} shrugs it off, heart d{event['heart_from']} to d{event['heart_to']}"
        case "damage" if event["cause"] not in ("attack", "follow_up", "opportunity"):
            yield f"{who} takes {event['amount']} ({words(event['cause'])})"
        case "push":
            stop = event["blocked"]
            far = [f"{5 * len(event['path'])} ft"] if event["path"] or stop is None else []
            into = [] if stop is None else [f"into {'a wall' if stop == 'wall' else names[stop]}"]
            yield f"{names.get(event['by'], 'something')} pushes {who} {', '.join(far + into)}"
        case "fall":
            yield f"{who} falls {event['feet']} ft"
        case "door":
            yield f"{who} {'opens' if event['open'] else 'closes'} a door"
        case "object":
            verbs = {"open": "opens", "collapse": "brings down", "drop": "uses", "take": "takes the item of"}
            yield f"{who} {verbs[event['effect']]} object {event['object']}"
        case "swap":
            yield f"{who} changes weapons"
        case "down":
            yield f"{who} is {event['status']}"
        case "death":
            yield f"{who} dies"
        case "yield":
            yield f"{who} yields"


# Events that deserve a longer look in a film.
BLOWS: Final = {"attack", "maneuver", "damage", "push", "fall"}
