"""The WebAssembly module plays the corpus in Node as the engine does in Python, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from tests.corpus.played import CORPUS, SEED, Fight, file_of
from tests.in_node import Played, compare, needs_compiled_kernels, needs_node

pytestmark = [needs_compiled_kernels, needs_node]
IN_SHORT_RUNS = ("duel-full", "duel-dice", "duel-team_talk", "mirror_duel-full", "skirmish-full")


def choices_of(fight: Fight, agents: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the choices that a file of the corpus gives for each window."""
    for line in file_of(fight).read_text(encoding="utf-8").splitlines()[1:]:
        words = line.partition(" ")[2].split(" | ")[0]
        chosen = dict.fromkeys(agents, "pass")
        for part in [] if words == "nobody chooses" else words.split(", "):
            agent = next(agent for agent in agents if part.startswith(f"{agent} "))
            chosen[agent] = part.removeprefix(f"{agent} ")
        yield chosen


def played(name: str) -> Played:
    """Return a fight of the corpus."""
    fight = CORPUS[name]
    game = HeartRush(fight.played, **fight.options)
    return Played(game, list(choices_of(fight, game.agents)), fight.dice)


def test_some_fights_are_equal(tmp_path: Path) -> None:
    compare({name: played(name) for name in IN_SHORT_RUNS}, SEED, tmp_path)


@pytest.mark.long
def test_the_whole_corpus_is_equal(tmp_path: Path) -> None:
    compare({name: played(name) for name in CORPUS}, SEED, tmp_path)
