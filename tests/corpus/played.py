"""A corpus of fights: what the engine did, window by window, in words that survive changes to its internals.

`python -m tests.corpus.played` plays the fights and writes them again. A fight is one text file: a heading that says
how the environment is made, then one line a window. A line gives the window's number, every choice made in it, the hit
points after it, and four digests: of the events, of the choices that are legal next, of what every agent sees next, and
of each fighter's state. The digests are of names and values, so an engine may renumber, move or rename its own parts.
Observations may also gain features: only the features listed in `features/` are compared.
"""

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from heartrush_agents import load

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.games.heart_rush.scenario.settings import BEFORE

FOLDER = Path(__file__).parent
SEED = 20_251_122
MOST_WINDOWS = {"map": 24, "team": 40, "duel": 60}  # by shape
GENERATED = range(1, 21)
LOW_DICE = (1, 4, 2, 3, 3, 1, 4, 4, 2, 1, 2, 3) * 40  # a result of 4 or less is possible on every die
VARIANTS: dict[str, dict[str, Any]] = {
    "full": {},
    "stance": {"decisions": "stance"},
    "team": {"control": "team"},
    "talk": {"rules": {"talk": "open"}},
    "dice": {},
}
SETTINGS: dict[str, dict[str, Any]] = {
    "december2025": {"edition": "december2025"},
    "levels": {"profile": "levels"},
    "plain": {"profile": "plain"},
    "thrown": {"thrown": "unlimited"},
    "two_windows": {"windows_per_round": 2},
    "all_out": {"zero_hp": "all_out", "death_at": "reduced_maximum"},
    "all_choose": {"zero_hp": "all_choose", "fatigue_rounds": 2},
    "one_level": {"advantage_cap": 1, "helpless_dies": True, "rush_mode": "none"},
    "team_talk": {"talk": "team"},
}
# Fights of the classic round: the options of each, by the name of its variant.
CLASSIC: dict[str, dict[str, Any]] = {
    "classic": {"rules": {"edition": "classic"}},
    "classic_team": {"rules": {"edition": "classic"}, "control": "team"},
    "classic_stance": {"rules": {"edition": "classic"}, "decisions": "stance"},
    "classic_talk": {"rules": {"edition": "classic", "talk": "open"}},
}
IN_CLASSIC = {
    "classic": ("duel", "melee", "free_for_all", "giant", "afflicted", "skirmish", "bridge", "tower", "random:1"),
    "classic_team": ("melee", "skirmish"),
    "classic_stance": ("duel", "skirmish"),
    "classic_talk": ("brawl",),
}
NET = {"entangled": {"source": "spider_0"}}
# A fight without a map that begins with what random fights seldom come to: nets, fire, a climber, fallen weapons.
AFFLICTED: dict[str, Any] = {
    "name": "afflicted",
    "victory": "last_standing",
    "heroes": ["blue"],
    "max_rounds": 12,
    "fighter": [
        {
            "from": "knight",
            "team": "blue",
            "weapon": "longsword",
            "shield": "none",
            "conditions": {**NET, "burning": 2},
        },
        {"from": "duelist", "team": "blue", "conditions": {**NET, "prone": 1}, "rush": 2},
        {
            "from": "bandit",
            "team": "blue",
            "conditions": {"burning": 1, "frightened": {"source": "spider_0", "levels": 2}},
        },
        {"from": "knight", "id": "spider", "team": "red", "hp": 90, "heart": 12},
        {"from": "bandit", "id": "thug", "team": "red", "conditions": {"wet": 1, "charmed": {"source": "knight_0"}}},
    ],
}
TABLES = {"afflicted": AFFLICTED}
CHANCE_OF_TACTICS, CHANCE_OF_MISTAKES = 0.6, 0.02


@dataclass(frozen=True)
class Fight:
    """The setup of one fight of the corpus; its choices are in its file."""

    scenario: str
    variant: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def played(self) -> str | dict[str, Any]:
        """The scenario in the form that an environment takes."""
        return TABLES.get(self.scenario, self.scenario)

    @property
    def name(self) -> str:
        """The name of the fight's file."""
        return f"{self.scenario.replace(':', '_')}-{self.variant}"

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice that are given to the fight; if none, dice are rolled."""
        return LOW_DICE if self.variant == "dice" else ()


def fights() -> Iterator[Fight]:
    """Yield all fights of the corpus."""
    for name in shipped_scenarios():
        for variant, options in VARIANTS.items():
            yield Fight(name, variant, options)
    for number in GENERATED:
        yield Fight(f"random:{number}", "full")
    for name in TABLES:
        for variant, options in VARIANTS.items():
            yield Fight(name, variant, options)
    for name in ("duel", "melee", "skirmish"):
        for variant, rules in SETTINGS.items():
            yield Fight(name, variant, {"rules": rules})
    for variant, names in IN_CLASSIC.items():
        for name in names:
            yield Fight(name, variant, CLASSIC[variant])


CORPUS = {fight.name: fight for fight in fights()}


def as_earlier(fight: Fight) -> Fight | None:
    """Return a fight with the settings of earlier versions; None for a fight with talk, which they did not have."""
    rules = {**BEFORE, "windows_per_round": 8, **fight.options.get("rules", {})}
    return None if "talk" in rules else Fight(fight.scenario, fight.variant, {**fight.options, "rules": rules})


IN_EARLIER_VERSIONS = {name: earlier for name, fight in CORPUS.items() if (earlier := as_earlier(fight)) is not None}


class Witness:
    """The environment of one fight, with descriptions of each of its windows."""

    def __init__(self, fight: Fight):
        self.env = heart_rush_v0.parallel_env(scenario=fight.played, **fight.options)
        options = {"dice": list(fight.dice)} if fight.dice else None
        self.observations, _ = self.env.reset(seed=SEED, options=options)
        self.actions = self.env.unwrapped.get_action_meanings()
        self.features = features_of(self.env)

    def step(self, choices: dict[str, str]) -> str:
        """Play one window; return the line that describes it, without its number."""
        numbers = {agent: self.actions.index(choices.get(agent, "pass")) for agent in self.env.agents}
        self.observations, rewards, *_ = self.env.step(numbers)
        paid = " ".join(f"{reward:+.4g}" for reward in rewards.values()) if any(rewards.values()) else ""
        state = self.state()
        return " | ".join(
            [
                ", ".join(f"{agent} {name}" for agent, name in choices.items()) or "nobody chooses",
                "hp " + " ".join(str(fighter["hp"]) for fighter in state),
                " ".join(map(digest, (self.env.unwrapped.events, self.legal(), self.seen(), state))),
                *([paid] if paid else []),
            ]
        )

    def legal(self) -> dict[str, list[str]]:
        """Return the names of each agent's legal actions."""
        return {
            agent: sorted(self.actions[number] for number in np.flatnonzero(observation["action_mask"]))
            for agent, observation in self.observations.items()
        }

    def seen(self) -> dict[str, str]:
        """Return the features of each agent as hexadecimal digits, in the order of the list in `features/`."""
        return {
            agent: observation["observation"][self.features].tobytes().hex()
            for agent, observation in self.observations.items()
        }

    def state(self) -> list[dict[str, Any]]:
        """Return the important values of each fighter by name; only this method knows the format of a snapshot."""
        position = self.env.unwrapped.snapshot()["position"]["position"]
        kept = (
            "hp",
            "wounds",
            "heart",
            "status",
            "stance",
            "rush",
            "action",
            "dash",
            "interaction",
            "x",
            "y",
            "levels",
        )
        return [
            {key: fighter[key] for key in kept if key in fighter} for fighter in position["fighters"][: position["n"]]
        ]


def features_of(env: Any) -> np.ndarray:
    """Return the positions of the listed features in this environment's vector."""
    where = {name: number for number, name in enumerate(env.unwrapped.get_feature_names())}
    file = features_file(env)
    if not file.exists():
        return np.array([where[name] for name in sorted(where)])
    return np.array([where[name] for name in file.read_text(encoding="utf-8").splitlines()])


def features_file(env: Any) -> Path:
    """Return the file that lists the features to compare, for the environment's shape and control."""
    count = len(env.unwrapped.game.agents) if env.unwrapped.game.control == "team" else ""
    edition = "-classic" if env.unwrapped.game.edition.turns else ""
    return FOLDER / "features" / f"{env.unwrapped.game.shape.name}{edition}{count and '-team'}.txt"


def digest(value: Any) -> str:
    """Return eight hexadecimal digits that change with any part of a JSON-compatible value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]


def record(fight: Fight) -> str:
    """Play a fight, half tactically and half randomly, with a few illegal choices; return the text of its file."""
    witness = Witness(fight)
    rng = random.Random(fight.name)
    numbers = np.random.default_rng(SEED)
    game = witness.env.unwrapped.game
    tactician = load("tactician").seat(game) if fight.options.get("control") != "team" else None
    lines = [f"{fight.name}: {json.dumps(fight.options)}, {len(fight.dice)} dice given"]
    for number in range(MOST_WINDOWS[game.shape.name] * (2 if game.edition.turns else 1)):
        choices = {}
        for agent, legal in witness.legal().items():
            if len(legal) < 2:
                continue
            if tactician is not None and rng.random() < CHANCE_OF_TACTICS:
                choices[agent] = witness.actions[tactician.act(witness.observations[agent], numbers)]
            else:
                choices[agent] = rng.choice(legal if rng.random() > CHANCE_OF_MISTAKES else sorted(witness.actions))
        lines.append(f"{number} {witness.step(choices)}")
        if not witness.env.agents:
            break
    return "\n".join(lines) + "\n"


def replay(fight: Fight, written: list[str]) -> Iterator[tuple[str, str, Witness]]:
    """Replay the choices in a file; yield each line as written, each line as played, and the witness."""
    witness = Witness(fight)
    agents = list(witness.env.possible_agents)
    for line in written:
        number, _, rest = line.partition(" ")
        words = rest.split(" | ")[0]
        choices = {}
        if words != "nobody chooses":
            for part in words.split(", "):
                agent = next(agent for agent in agents if part.startswith(agent + " "))
                choices[agent] = part.removeprefix(agent + " ")
        yield line, f"{number} {witness.step(choices)}", witness


def file_of(fight: Fight) -> Path:
    """Return the file of a fight of the corpus."""
    return FOLDER / "fights" / f"{fight.name}.txt"


def earlier_file_of(fight: Fight) -> Path:
    """Return the file of a fight as earlier versions played it: a separate file if the fight has changed since."""
    own = FOLDER / "fights" / "earlier" / f"{fight.name}.txt"
    return own if own.exists() else file_of(fight)


def write_missing() -> None:
    """Write the fights that have no file yet."""
    for fight in CORPUS.values():
        if not file_of(fight).exists():
            _write_features(fight)
            file_of(fight).write_text(record(fight), encoding="utf-8")


def _write_features(fight: Fight) -> None:
    """Write the list of features that the fight compares, if it is missing."""
    env = heart_rush_v0.parallel_env(scenario=fight.played, **fight.options)
    if not features_file(env).exists():
        names = sorted(env.unwrapped.get_feature_names())
        features_file(env).write_text("\n".join(names) + "\n", encoding="utf-8")


def write_all() -> None:
    """Write every fight and the features to compare again."""
    for folder in ("fights", "features"):
        (FOLDER / folder).mkdir(exist_ok=True)
        for file in (FOLDER / folder).glob("*.txt"):
            file.unlink()
    for fight in CORPUS.values():
        _write_features(fight)
        file_of(fight).write_text(record(fight), encoding="utf-8")
        print(fight.name, flush=True)


if __name__ == "__main__":
    write_all()
