"""Recorded fights: a change that keeps the rules keeps their events, legal actions and observations, to the byte.

    python -m tests.games.heretics.test_corpus

records the fights again, after a change of the rules; find out first which of them change, and why.
"""

import json
import random
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.weapons import LIBRARY
from tests.reference.heretics.scenarios import random_scenario

FILE = Path(__file__).parent / "corpus.json"
RANDOM = 24  # fights of random scenarios, with random settings
MOST_WINDOWS = 80  # of one fight
SHORTENS = {"break", "leave", "leave_again", "request", "intimidate", "yield"}  # seldom chosen, for longer fights


def games() -> Iterator[tuple[str, Heretics]]:
    """Yield the games of the recorded fights by name: each shipped scenario in both forms, and random scenarios."""
    for name in LIBRARY.scenarios:
        for control in ("fighter", "team"):
            yield f"{name} {control}", Heretics(name, control=control)
    for seed in range(RANDOM):
        yield f"random {seed}", Heretics(random_scenario(random.Random(seed)), control=("fighter", "team")[seed % 2])


def played(game: Heretics) -> dict[str, Any]:
    """Play a fight at random; return how long it lasts, how it ends, and digests of what it shows in each window."""
    batch, rng = game.batch(1, record=True), random.Random(game.scenario_name)
    batch.start([0], 3, [0])
    digests = {name: blake2b(digest_size=6) for name in ("events", "legal", "seen")}
    windows, actions = 0, np.zeros((1, len(game.agents)), int)
    while True:
        digests["events"].update(json.dumps(batch.events(0)).encode())
        digests["legal"].update(batch.masks.tobytes())
        digests["seen"].update(batch.vectors.tobytes())
        shown = batch.describe(0)
        if shown["window"] == "over" or windows == MOST_WINDOWS:
            hp = [fighter["hp"] for fighter in shown["fighters"]]
            return {"windows": windows, "hp": hp, **{name: it.hexdigest() for name, it in digests.items()}}
        for seat in np.flatnonzero(batch.asked[0]):
            legal = batch.legal(0, int(seat))
            stays = [it for it in legal if game.action_names[it].split()[0] not in SHORTENS]
            actions[0, seat] = rng.choice(stays if stays and rng.random() < 0.95 else legal)
        batch.step(actions)
        windows += 1


@pytest.mark.parametrize(("name", "game"), list(games()), ids=lambda it: it if isinstance(it, str) else "")
def test_a_recorded_fight_is_played_as_before(name: str, game: Heretics) -> None:
    assert played(game) == json.loads(FILE.read_text(encoding="utf-8"))[name]


if __name__ == "__main__":
    lines = [f"{json.dumps(name)}: {json.dumps(played(game))}" for name, game in games()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
