"""Measurements of WebAssembly: the sizes of modules, and the time of a window in Node, in Wasmtime and natively."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from heartrush_env.app.heart_rush.commands.bench import SEED
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.kernels import kinds_of
from heartrush_env.tabletop.modules import Module
from heartrush_env.tabletop.portable.files import MODULE, engine_files
from heartrush_env.tabletop.registry import open_game, usual_games

KINDS = {"duels": ("duel",), "all kinds of fights": ("duel", "team", "map", "able_duel", "able_map")}
SCENARIOS = ("duel", "skirmish")
STEPS = 200  # windows between two looks at the clock
NODE = """
import { readFileSync } from "node:fs";
import { Engine } from "./fights.mjs";
const [scenario, seed, seconds] = process.argv.slice(2);
const engine = await Engine.load(readFileSync("engine.wasm"), JSON.parse(readFileSync("engine.json", "utf8")));
const fight = await engine.fight(scenario, { seed: Number(seed) });
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const play = (most) => {
  let windows = 0, spent = 0;
  for (let number = 1; spent < most; number++) {
    fight.start({ seed: Number(seed), number });
    const begun = used();
    while (!fight.over) {
      fight._call(0);
      windows++;
    }
    spent += used() - begun;
  }
  return (spent / windows) * 1e6;
};
play(Number(seconds) / 5);
console.log(play(Number(seconds)));
"""  # without choices the fallbacks are played, and no events are read, so that the rules alone are timed


def sizes() -> dict[str, tuple[float, float]]:
    """Return the kilobytes of the module for each set of kinds, as it is and compressed."""
    usual, found = usual_games("heart_rush"), {}
    for name, kinds in KINDS.items():
        module = engine_files({}, [usual[kind] for kind in kinds])[MODULE]
        found[name] = len(module) / 1e3, len(gzip.compress(module, 9)) / 1e3
    return found


def windows(scenario: str, seconds: float) -> dict[str, float]:
    """Return the microseconds of a window in which no agent chooses, by what plays it; leave out what is missing."""
    game = open_game({"scenario": scenario})
    found = {"machine code": _window(game, seconds, lambda kernel, given: kernel.prepare(*given))}
    with tempfile.TemporaryDirectory() as folder:
        contents = engine_files({scenario: game})
        module = contents[MODULE]
        with suppress(ImportError):
            found["Wasmtime"] = _window(game, seconds, lambda kernel, given: _prepared(kernel, given, module))
        node = shutil.which("node")
        if node is not None:
            for name, content in {**contents, "time.mjs": NODE.encode()}.items():
                Path(folder, name).write_bytes(content)
            command = [node, "time.mjs", scenario, str(SEED), str(seconds)]
            said = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE).stdout
            found["Node"] = float(json.loads(said))
    return found


def _prepared(kernel: Any, given: Any, module: bytes) -> Callable[[], None]:
    return Module(kernel.symbol(kinds_of(given)), module).prepare(kernel.name, given, kernel.words)


def _window(game: Game, seconds: float, prepare: Callable[[Any, Any], Callable[[], None]]) -> float:
    """Return the microseconds of a window that is played by a prepared call; fights follow one another."""
    batch: Any = game.batch(1)
    batch.start([0], SEED, [0])
    kernel, given = batch.playing(np.zeros(1, np.int64), autoreset=True)
    play, spent, played = prepare(kernel, given), 0.0, 0
    play()
    while spent < seconds:
        begun = process_time()
        for _ in range(STEPS):
            play()
        spent, played = spent + process_time() - begun, played + STEPS
    return spent / played * 1e6
