"""A fight played by the engine and by the reference, with the same dice and the same choices.

The reference plays each step first and notes its dice. The engine is given these dice. It must ask the same fighters
for the same choices, come to the same position, and use exactly these dice.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.terms import BREAKS, ENDINGS
from heartrush_env.games.heretics.weapons import ITEMS
from heartrush_env.tabletop.errors import DiceError
from tests.reference.heretics.fight import walk
from tests.reference.heretics.fighters import Fighter


class Both:
    """A fight in the engine and in the reference."""

    def __init__(self, scenario: dict[str, Any], rng: random.Random, label: str) -> None:
        """Begin the fight; `rng` rolls the dice and makes the choices."""
        self.scenario, self.rng, self.label = scenario, rng, label
        self.dice: list[int] = []
        self.seen: Counter[str] = Counter()
        self.game = Heretics(scenario)
        self.names = self.game.action_names
        self.batch = self.game.batch(1, record=True)
        self.walk = walk(scenario, self.roll)
        self.fight = self.walk.fight
        self.where = "the start"
        self.batch.start([0], 1, [0], self.dice or [1])
        self.compare()

    def roll(self, sides: int) -> int:
        """Roll a die and note it."""
        extreme = sides == 20 and self.rng.random() < 0.1
        self.dice.append(self.rng.choice((1, 20)) if extreme else self.rng.randint(1, sides))
        return self.dice[-1]

    def choose(self, options: set[str]) -> str:
        """Return a random choice: often an attack, seldom a flight, and else each verb as likely as any other."""
        verbs = sorted({it.split()[0] for it in options})
        verb = self.rng.choice(verbs)
        if verb in ("leave", "leave_again", "break", "yield") and self.rng.random() < 0.7:
            verb = self.rng.choice(verbs)
        if "attack" in verbs and self.rng.random() < 0.3:
            verb = "attack"
        return self.rng.choice(sorted(it for it in options if it.split()[0] == verb))

    def step(self) -> None:
        """Play one window in both."""
        chosen = {it: self.choose(names) for it, names in self.walk.asked.items()}
        self.where = f"{self.fight.window} {[(it.index, name) for it, name in chosen.items()]}"
        self.seen.update(f"{self.fight.window}: {name.split()[0]}" for name in chosen.values())
        self.seen.update(name for name in chosen.values() if name.startswith("use"))
        self.dice = []
        self.fight.tale.clear()
        self.walk.choose(chosen)
        record = self.batch.records[0]
        record.given[: len(self.dice)] = self.dice
        record.given_used, record.given_count = 0, len(self.dice)
        self.batch._dice_given = True
        row = np.full((1, len(self.game.agents)), -1)
        for fighter, name in chosen.items():
            row[0, fighter.index] = self.names.index(name)
        try:
            self.batch.step(row)
        except DiceError as error:
            raise AssertionError(f"{self.report()}: {error}") from error
        self.compare()

    def play(self) -> Counter[str]:
        """Play to the end; return how often each choice was made."""
        while self.walk.asked:
            self.step()
        self.seen[f"end: {self.fight.ending}"] += 1
        return self.seen

    def engine(self) -> dict[str, Any]:
        """Return the position of the engine."""
        shown, record = self.batch.describe(0), self.batch.records[0]
        asked = {k: {self.names[it] for it in self.batch.legal(0, k)} for k in np.flatnonzero(self.batch.asked[0])}
        over = shown["window"] == "over"
        rolled = int(record.draw) and f"{int(record.draw)} of its own"
        return {
            "window": shown["window"], "asked": {int(k): names for k, names in asked.items()},
            "requests": [bool(it) for it in record.requests] if not over else None,
            "broke": [broken(int(it)) for it in record.broke] if not over else None,
            "round": int(record.round_number), "beat": int(record.beat),
            "lying": sorted(str((it["item"], *it.get("at", ()))) for it in shown["lying"]),
            "dice": rolled or int(record.given_used),
            "end": (ENDINGS[int(record.ending)], self.batch.events(0)[-1]["winners"]) if over else None,
            "fighters": [self.of_engine(k, one) for k, one in enumerate(shown["fighters"])],
        }  # fmt: skip

    def of_engine(self, index: int, shown: dict[str, Any]) -> dict[str, Any]:
        """Return a fighter of the engine."""
        record = self.batch.records[0].fighters[index]
        conditions = shown["conditions"] if shown["status"] == "able" else []
        inventory = [ITEMS[it] if it >= 0 else None for it in record.inventory.tolist()]
        return {
            "hp": int(record.hp), "status": shown["status"], "conditions": sorted(conditions),
            "held": shown["held"], "shield": shown["shield"], "inventory": inventory,
            "square": (int(record.x), int(record.y)) if self.fight.ground is not None else None,
            "loaded": bool(record.loaded), "mana": shown["mana"], "ammunition": int(record.ammunition),
            "flesh": int(record.flesh) if record.hero and self.fight.rules["two_pools"] == "on" else None,
            "breaking": bool(record.breaking or record.routed), "leader": bool(record.leader),
            "routed": bool(record.routed) and shown["status"] == "able",
        }  # fmt: skip

    def reference(self) -> dict[str, Any]:
        """Return the position of the reference."""
        fight, over = self.fight, self.fight.window == "over"
        lying = [str((item, *(square or ()))) for (item, square), n in fight.lying.items() for _ in range(n)]
        return {
            "window": fight.window, "asked": {it.index: names for it, names in self.walk.asked.items()},
            "requests": fight.requests if not over else None,
            "broke": [sorted(it) for it in fight.broke] if not over else None, "round": fight.number,
            "beat": fight.beat_number,
            "lying": sorted(lying), "dice": len(self.dice),
            "end": (fight.ending, [] if fight.winner is None else [fight.sides[fight.winner]]) if over else None,
            "fighters": [of_reference(it, fight.rules["two_pools"] == "on") for it in fight.fighters],
        }  # fmt: skip

    def compare(self) -> None:
        """Check that both have come to the same position."""
        own, expected = self.engine(), self.reference()
        if own["window"] == "over":  # what ends with the last round is no matter
            for one in (*own["fighters"], *expected["fighters"]):
                one["conditions"] = []
        if own["window"] in ("strike", "pursue"):  # when a grappler that is on its way lets go is no matter
            for one in (*own["fighters"], *expected["fighters"]):
                one["conditions"] = [it for it in one["conditions"] if it != "grappled"]
        if own["window"] == "shield" and not self.fight.beat_number:
            # When a broken or thrown weapon leaves the hand is no matter.
            for one in (*own["fighters"], *expected["fighters"]):
                one["held"] = None
            own["lying"] = expected["lying"]
        if own != expected:
            found = "\n".join(differences(own, expected))
            raise AssertionError(f"{self.report()}\n{found}")

    def report(self) -> str:
        """Return what is needed to judge a disagreement."""
        told = "\n  ".join(self.fight.tale)
        return (
            f"{self.label}, after {self.where}\nscenario {self.scenario}\n"
            f"{self.game.text_picture(self.batch.describe(0))}\ndice {self.dice}\n  {told}"
        )


def broken(bits: int) -> list[str]:
    """Return the names of breaking points that the engine keeps as bits."""
    return sorted(name for k, name in enumerate(BREAKS) if bits >> k & 1)


def of_reference(fighter: Fighter, pools: bool) -> dict[str, Any]:
    """Return a fighter of the reference."""
    return {
        "hp": fighter.hp, "status": fighter.status, "conditions": sorted(fighter.conditions) if fighter.able else [],
        "held": fighter.held, "shield": fighter.shield, "inventory": fighter.inventory, "square": fighter.square,
        "loaded": fighter.loaded, "mana": fighter.mana, "ammunition": fighter.ammunition, "leader": fighter.leader,
        "flesh": fighter.flesh if pools and fighter.hero else None,
        "breaking": fighter.breaking or fighter.routed,
        "routed": fighter.routed and fighter.able,
    }  # fmt: skip


def differences(own: Any, expected: Any, path: str = "") -> list[str]:
    """Return the differences of two positions, the engine's before the reference's."""
    if own == expected:
        return []
    if isinstance(own, dict) and isinstance(expected, dict):
        return [
            line
            for key in {**own, **expected}
            for line in differences(own.get(key), expected.get(key), f"{path} {key}")
        ]
    if isinstance(own, list) and isinstance(expected, list) and len(own) == len(expected):
        return [
            line for k, pair in enumerate(zip(own, expected, strict=True)) for line in differences(*pair, f"{path} {k}")
        ]
    if isinstance(own, set) and isinstance(expected, set):
        return [f"{path}: only the engine {sorted(own - expected)}, only the reference {sorted(expected - own)}"]
    return [f"{path}: engine {own}, reference {expected}"]
