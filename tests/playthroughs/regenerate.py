"""Golden playthroughs: fights written down so that a person can read them, one text file each.

`python -m tests.playthroughs.regenerate` in the repository's root writes them all again; a change to the rules then
shows as a readable difference. Each step gives the fight in one line of notation, what each agent may do (an agent that
can only pass is left out) and what it chose, what happened, and the rewards; the first steps also give what agents see.
"""

import random
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from tests.notation import line_of

FOLDER = Path(__file__).parent
WHOSE = re.compile(r"(self |enemy \d |ally \d )?(.*)")
SEED = 7
WIDTH = 120
STEPS_SEEN = 2  # steps for which observations are written out
MOST_STEPS = 30


@dataclass(frozen=True)
class Playthrough:
    """A fight and how it is played."""

    about: str
    scenario: Any
    options: dict[str, Any] = field(default_factory=dict)
    wishes: dict[str, dict[str, str]] = field(default_factory=dict)  # by agent and window; other choices are random
    dice: tuple[int, ...] = ()
    steps: int = MOST_STEPS
    eager: bool = False  # an agent without a wish runs to the nearest enemy and strikes, not at random


def duelists(first: dict[str, Any], second: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a scenario of two fighters, equal except for the given fields."""
    plain = {"might": 8, "agility": 6, "cunning": 6, "presence": 4, "heart": 8, "hp": 30}
    fighters = [{**plain, "id": "cat", "team": "blue", **first}, {**plain, "id": "dog", "team": "red", **second}]
    return {"name": "yard", "victory": "last_standing", "fighter": fighters, **fields}


def four_of_two_sides(**fields: Any) -> dict[str, Any]:
    """Return a scenario of two heroes against two others, all equal except for their agility dice."""
    plain = {"might": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": "mace"}
    quickness = {"knight": 6, "squire": 8, "orc": 10, "wolf": 12}
    teams = {"knight": "blue", "squire": "blue", "orc": "red", "wolf": "red"}
    fighters = [{**plain, "id": name, "team": teams[name], "agility": die} for name, die in quickness.items()]
    return {"name": "yard", "heroes": "blue", "fighter": fighters, **fields}


CLASSIC = {"edition": "classic"}
ON_MAPS = {"skirmish": 18, "bridge": 18, "tower": 20, "dragon": 24, "ambush": 10, "warband": 8}  # steps
RUSH = " rush"  # the ending of choices that cost a rush point

PLAYTHROUGHS = {
    **{name: Playthrough("random legal choices", name) for name in shipped_scenarios() if name not in ON_MAPS},
    **{
        name: Playthrough(
            "random stances; whoever holds no bow runs at the nearest enemy", name, steps=steps, eager=True
        )
        for name, steps in ON_MAPS.items()
    },
    "shrug_at_zero": Playthrough(
        "a hero shrugs off most of a blow, falls to zero, fights on, and yields a round later",
        duelists({"hp_now": 9}, {"might": 12, "weapon": "maul"}, heroes=["blue", "red"]),
        wishes={
            "cat_0": {"stance": "stance cunning", "shrug": "shrug", "yield": "pass", "action": "yield"},
            "dog_0": {"stance": "stance might", "attack": "attack 1"},
        },
        dice=(8, 12, 12, 1, 1, 8),
    ),
    "grapple": Playthrough(
        "a fighter with free hands grapples, the other breaks free, is grappled again and fails to break free",
        duelists({"heart": 12}, {"agility": 8}, heroes=["blue", "red"], max_rounds=3),
        wishes={
            "cat_0": {"stance": "stance might", "attack": "grapple 1", "action": "pass"},
            "dog_0": {"stance": "stance cunning", "action": "break_free"},
        },
        dice=(1, 1, 12, 8, 8, 8, 1, 1, 12, 1, 1, 12, 8, 1, 1, 12, 8, 1),
    ),
    "talk": Playthrough(
        "both say aloud what they will do, and one of them lies",
        duelists({}, {"agility": 8}, rules={"talk": "open", "profile": "plain"}, max_rounds=2),
        wishes={
            "cat_0": {"talk": "say might", "stance": "stance cunning"},
            "dog_0": {"talk": "say agility", "stance": "stance agility"},
        },
    ),
    "classic": Playthrough(
        "an engagement of four by the classic round: two enter, and squire and orc share a stance without a contest",
        four_of_two_sides(rules=CLASSIC),
        wishes={
            "knight_0": {"action": "pass", "stance": "stance cunning", "attack": "attack 1 dazed+dazed"},
            "squire_0": {"enter": "enter", "stance": "stance agility", "attack": "attack 2"},
            "orc_0": {"action": "engage 1", "stance": "stance agility", "attack": "attack 2"},
            "wolf_0": {"enter": "enter", "stance": "stance might", "attack": "attack 1"},
        },
        steps=12,
    ),
    "classic_duel": Playthrough("random legal choices by the classic round", "duel", options={"rules": CLASSIC}),
    "classic_bridge": Playthrough(
        "the bridge by the classic round: whoever holds no bow runs at the nearest enemy, engages and enters",
        "bridge",
        options={"rules": CLASSIC},
        steps=30,
        eager=True,
    ),
    "team_control": Playthrough(
        "one agent a team: it picks for its fighters one after another, and nothing shows before all are in",
        "brawl",
        options={"control": "team", "rules": {"windows_per_round": 0}},
    ),
}


def text_of(name: str) -> str:
    """Return the whole text of a playthrough."""
    chosen = PLAYTHROUGHS[name]
    game = HeartRush(chosen.scenario, **chosen.options)
    options = "".join(f", {key} {value}" for key, value in chosen.options.items())
    head = f"{name}: {chosen.about}.\nScenario {game.scenario_name}, shape {game.shape.name}, seed {SEED}{options}."
    return "\n".join([head, *steps_of(game, chosen)]) + "\n"


def steps_of(game: HeartRush, chosen: Playthrough) -> Iterator[str]:
    """Yield the lines of a fight, step by step."""
    fights = game.batch(1, record=True)
    fights.start([0], SEED, [0], chosen.dice or None)
    rng = random.Random(SEED)
    yield from happened(fights)
    for step in range(chosen.steps):
        if fights.terminated[0]:
            break
        yield ""
        yield f"{step}. {line_of(fights)}"
        picks = []
        for seat, agent in enumerate(game.agents):
            legal = [game.action_names[action] for action in fights.legal(0, seat)]
            if step < (1 if chosen.eager else STEPS_SEEN) and (seat == 0 or len(game.agents) == 2):
                yield from seen(fights, seat)
            if len(legal) > 1:
                yield wrapped(f"{agent} may", shortened(legal))
            wish = chosen.wishes.get(agent, {}).get(fights.describe(0)["window"])
            at_random = rng.choice(eager(fights, agent, legal) if chosen.eager else legal)
            picks.append(wish if wish in legal else at_random)
        deciders = [f"{agent} {name}" for agent, name in zip(game.agents, picks, strict=True) if name != "pass"]
        yield wrapped("chosen", deciders or ["pass"])
        fights.step(np.array([[game.action_names.index(name) for name in picks]], np.int64))
        yield from happened(fights)
        if fights.rewards.any() or fights.terminated[0]:
            paid = [f"{agent} {fights.rewards[0, seat]:+.3g}" for seat, agent in enumerate(game.agents)]
            yield wrapped("paid", paid)
    else:
        yield "\nIt goes on."


def eager(fights: Fights, agent: str, legal: list[str]) -> list[str]:
    """Return the legal actions of the kind that best brings a fight on, or all if there are none."""
    view = fights.describe(0)
    own = view["fighters"][agent]
    enemies = [other["at"] for other in view["fighters"].values() if other["team"] != own["team"]]

    def gap(name: str) -> int:
        """Return the squares between the fighter and the nearest enemy once the dash is over."""
        dx, dy = map(int, name.removeprefix("dash ").split(","))
        return min(max(abs(own["at"][0] + dx - x), abs(own["at"][1] + dy - y)) for x, y in enemies)

    dashes = [name for name in legal if name.startswith("dash ")]
    if dashes and own["weapon"] == "melee" and gap("dash 0,0") > 1:
        return [min(dashes, key=gap)]
    for wanted in ("opportunity", "attack", "follow", "take", "engage", "enter", "pass"):
        found = [name for name in legal if name.startswith(wanted)]
        if found:
            return found
    return legal


def shortened(legal: list[str]) -> list[str]:
    """Join names that differ only in the last word, as in `stance might|agility|cunning|defensive`; count dashes."""
    groups: dict[tuple[str, str], list[str]] = {}
    dashes = [name for name in legal if name.startswith("dash ")]
    if len(dashes) > 1:
        legal = [name for name in legal if name not in dashes] + [f"dash to {len(dashes)} places"]
    for name in legal:
        head, _, last = name.removesuffix(RUSH).rpartition(" ")
        groups.setdefault((head, RUSH if name.endswith(RUSH) else ""), []).append(last)
    short = groups.pop(("", ""), [])
    return short + [f"{head} {'|'.join(lasts)}{paid}" for (head, paid), lasts in groups.items()]


def seen(fights: Fights, seat: int) -> Iterator[str]:
    """Yield the features that are not zero, by name, with a paragraph for each fighter."""
    paragraphs: dict[str, list[str]] = {"": []}
    for name, value in zip(fights.game.feature_names, fights.observations[0, seat].tolist(), strict=True):
        if value and not name.startswith("square "):  # a map has too many squares to write out
            whose, feature = WHOSE.fullmatch(name).groups()
            paragraphs.setdefault((whose or "").strip(), []).append(f"{feature} {value:.3g}")
    for whose, features in paragraphs.items():
        yield wrapped(f"{fights.game.agents[seat]} sees {whose}".rstrip(), features)


def happened(fights: Fights) -> Iterator[str]:
    """Yield a line for each event of the last step."""
    for event in fights.events(0):
        words = [event["type"], *(word for key, value in event.items() for word in [worded(key, value)] if word)]
        yield textwrap.fill(" ".join(words), WIDTH, initial_indent="   > ", subsequent_indent="       ")


def worded(key: str, value: Any) -> str:
    """Return a field of an event in compact words; empty and false values and the event's type are left out."""
    if key == "type" or value in (None, False, [], {}):
        return ""
    if value is True:
        return key
    if isinstance(value, dict):
        return f"{key} " + ", ".join(f"{name} {part}" for name, part in value.items())
    if key.endswith("_pool"):
        return f"{key} " + ", ".join(f"{source} d{sides}: {result}" for source, sides, result in value)
    if isinstance(value, list):
        return f"{key} " + " ".join(map(str, value))
    return f"{key} {value}"


def wrapped(head: str, words: list[str]) -> str:
    """Return a list of words after a heading, broken into lines of limited width."""
    text = f"{head}: {', '.join(words)}"
    return textwrap.fill(text, WIDTH, initial_indent="   ", subsequent_indent="     ", break_on_hyphens=False)


def file_of(name: str) -> Path:
    """Return the file of a playthrough."""
    return FOLDER / f"{name}.txt"


def main() -> None:
    """Write every playthrough, and remove the files of those that no longer exist."""
    for old in FOLDER.glob("*.txt"):
        if old.stem not in PLAYTHROUGHS:
            old.unlink()
    for name in PLAYTHROUGHS:
        file_of(name).write_text(text_of(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
