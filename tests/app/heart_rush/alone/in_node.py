"""The page without a server, run in Node: its modules beside the rules and the words that it reads."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heartrush_env.app.heart_rush import alone, export
from heartrush_env.app.heart_rush.alone.files import WORDS, page_data
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.portable.files import engine_files
from tests.in_node import NODE

# Every program begins with these lines: an engine, the page's data with its policies, and what was given.
HEAD = """
import { readFileSync } from "node:fs";
import { Engine } from "./fights.mjs";
import { Seat, enemiesOf } from "./enemies.mjs";
import { HostedFight } from "./fight.mjs";
import { Host } from "./host.mjs";
import { Network } from "./network.mjs";
const engine = await Engine.load(readFileSync("engine.wasm"), JSON.parse(readFileSync("engine.json")));
const page = JSON.parse(readFileSync("page.json")), given = JSON.parse(readFileSync(0));
const weights = (name) => new Uint8Array(readFileSync(name)).buffer;
page.policies = page.policies.map((entry) => new Network(entry, weights(entry.weights)));
"""


def write_modules(folder: Path, games: Mapping[str, HeartRush]) -> None:
    """Write the page's modules and data for these games."""
    words, weights = page_data(games)
    for name, content in {**engine_files(games), **weights, WORDS: json.dumps(words).encode()}.items():
        (folder / name).write_bytes(content)
    for package in (alone, export):
        for module in (Path(package.__path__[0]) / "js").glob("*.mjs"):
            shutil.copy(module, folder)


def node(folder: Path, program: str, given: Any = None) -> Any:
    """Run a program among the modules, and return the JSON that it prints."""
    (folder / "program.mjs").write_text(HEAD + program, encoding="utf-8")
    command = [str(NODE), "program.mjs"]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
