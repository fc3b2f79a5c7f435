"""The page without a server shows the facts, lines, menus and default choices of Python, word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load

from heartrush_env.app.server.hosting.fight import HostedFight
from heartrush_env.app.server.hosting.slots import Slots
from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.tabletop.registry import open_game, scenario_names
from heartrush_env.tabletop.words import words_of
from tests.app.heart_rush.alone.in_node import node, write_modules
from tests.corpus.played import CORPUS, SEED
from tests.corpus.test_in_node import played
from tests.in_node import Played, needs_compiled_kernels, needs_node

pytestmark = [needs_compiled_kernels, needs_node]
MOST_WINDOWS = 300
USUAL = {"pass": 0.3, "stance defensive": 0.3}  # how often a choice is drawn; others have 1, and each dash has little
DASH = 0.02
SHOWN = """
const told = given.map(async ({ name, seed, dice, steps }) => {
  const hosted = new HostedFight(await engine.fight(name, { seed, dice }), name, page, {}), windows = [];
  const even = enemiesOf(name, page).find(({ id }) => id === "uniform");
  const show = () => {
    const from = windows.reduce((sum, { events }) => sum + events.length, 0), mine = {};
    for (const seat of hosted.asked) {
      const { legal, view } = hosted.mine(seat), chosen = even?.act(new Seat(hosted.fight, seat, () => 0.5));
      const offers = legal.map((offer) => Object.values(offer));
      mine[seat] = { legal: offers, way: view.map.way?.to ?? null, usual: chosen ?? null };
    }
    const events = hosted.told.slice(from).map(({ event, lines }) => [event, lines]);
    windows.push({ public: hosted.public, events, mine });
  };
  show();
  for (const choices of steps) { hosted.step(choices); show(); }
  return windows;
});
console.log(JSON.stringify(await Promise.all(told)));
"""
LINES = """
const told = given.map(async ({ name, seed, dice, steps }) => {
  const hosted = new HostedFight(await engine.fight(name, { seed, dice }), name, page, {});
  for (const choices of steps) hosted.step(choices);
  return hosted.told.flatMap(({ lines }) => lines);
});
console.log(JSON.stringify(await Promise.all(told)));
"""


def facts_of(fight: HostedFight, since: int) -> dict[str, Any]:
    """Return what a hosted fight shows in its open window, with the events from number `since` on."""
    mine = {}
    even = None if fight.game.options["shape"] == "map" else load("uniform").seat(fight.game)
    for seat in fight.asked():
        told, usual = fight.mine(seat), None
        if even is not None:
            probabilities = even.policy(fight._observation(seat))
            usual = "stance agility" if probabilities.max() < 1 else fight.game.action_names[probabilities.argmax()]
        way = (told.view.get("map") or {}).get("way")
        legal = [[each.name, each.words, each.target] for each in told.legal]
        mine[seat] = {"legal": legal, "way": way and way["to"], "usual": usual}
    events = [[each.event, each.lines] for each in fight.told(since)]
    return {"public": fight.public, "events": events, "mine": mine}


def at_random(game: HeartRush, seed: int) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """Play a fight at random, and return the choices and the facts of each window."""
    fight, chance = HostedFight(game, seed, Slots().take(game), {}), np.random.default_rng(seed)
    steps: list[dict[str, str]] = []
    windows = [facts_of(fight, 0)]
    while not fight.over and len(steps) < MOST_WINDOWS:
        chosen, since = {}, fight.events
        for seat, facts in windows[-1]["mine"].items():
            names = [name for name, *_ in facts["legal"]]
            weights = np.array([DASH if name.startswith("dash") else USUAL.get(name, 1.0) for name in names])
            chosen[seat] = names[chance.choice(len(names), p=weights / weights.sum())]
        fight.play(chosen)
        steps.append(chosen)
        windows.append(facts_of(fight, since))
    return steps, windows


def check(names: Sequence[str], folder: Path) -> None:
    """Check that the page shows what a hosted fight shows, in fights of these scenarios."""
    games = {name: as_heart_rush(open_game({"scenario": name})) for name in names}
    write_modules(folder, games)
    fights = {name: at_random(game, seed) for seed, (name, game) in enumerate(games.items())}
    given = [
        {"name": name, "seed": seed, "dice": [], "steps": steps}
        for seed, (name, (steps, _)) in enumerate(fights.items())
    ]
    for (name, (_, expected)), found in zip(fights.items(), node(folder, SHOWN, given), strict=True):
        for number, (there, here) in enumerate(zip(expected, found, strict=True)):
            where = f"{name}, window {number}"
            assert here["events"] == there["events"], where
            assert here["mine"] == there["mine"], where
            assert _part(there["public"], here["public"]) == here["public"], where


def _part(whole: Any, like: Any) -> Any:
    """Return the parts of public facts that the page shows."""
    return {key: _part(whole[key], inner) for key, inner in like.items()} if isinstance(like, Mapping) else whole


def test_a_duel_and_a_fight_on_a_map_are_shown_as_the_server_shows_them(tmp_path: Path) -> None:
    check(["duel", "skirmish"], tmp_path)


@pytest.mark.long
def test_every_scenario_is_shown_as_the_server_shows_it(tmp_path: Path) -> None:
    check(scenario_names("heart_rush"), tmp_path)


def lines_of(fight: Played) -> list[str]:
    """Return the lines of Python's narrator for a fight."""
    batch, teller = fight.game.batch(1, record=True), words_of(fight.game).teller()
    batch.start([0], SEED, [0], fight.dice or None)
    lines = [*teller.tell(batch.events(0))]
    for chosen in fight.choices:
        batch.step(np.array([[fight.game.action_names.index(chosen[agent]) for agent in fight.game.agents]], np.int64))
        lines += teller.tell(batch.events(0))
    return [str(line) for line in lines]


def check_lines(names: Sequence[str], folder: Path) -> None:
    """Check that the page narrates these fights of the corpus as Python does."""
    fights = {name: played(name) for name in names}
    write_modules(folder, {name: as_heart_rush(fight.game) for name, fight in fights.items()})
    given = [
        {"name": name, "seed": SEED, "dice": list(fight.dice), "steps": fight.choices} for name, fight in fights.items()
    ]
    for (name, fight), found in zip(fights.items(), node(folder, LINES, given), strict=True):
        assert found == lines_of(fight), name


def test_talk_and_given_dice_are_narrated_as_python_narrates_them(tmp_path: Path) -> None:
    check_lines(["duel-dice", "duel-team_talk"], tmp_path)


@pytest.mark.long
def test_the_whole_corpus_is_narrated_as_python_narrates_it(tmp_path: Path) -> None:
    check_lines(list(CORPUS), tmp_path)
