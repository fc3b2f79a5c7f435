"""`heartrush machine wasm`: what it writes, how large that is, and what its JavaScript host refuses."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from heartrush_env.app.cli import wasm as command
from heartrush_env.tabletop.compiling import wasm
from heartrush_env.tabletop.portable import files
from heartrush_env.tabletop.registry import usual_games
from tests.app.cli.running import Out, run
from tests.in_node import NODE, needs_compiled_kernels, needs_node

pytestmark = needs_compiled_kernels
MOST_FOR_DUELS, MOST_FOR_ALL = 300_000, 1_500_000  # bytes
# Each line tries something, and prints what it gives or the sentence with which it is refused.
TRIES = """
import { readFileSync } from "node:fs";
import { Engine, EngineError } from "./fights.mjs";
const bytes = readFileSync("engine.wasm"), text = readFileSync("engine.json", "utf8");
const described = () => JSON.parse(text);
const engine = await Engine.load(bytes, described());
const said = {};
async function attempt(name, work) {
  try {
    said[name] = await work();
  } catch (error) {
    said[name] = error instanceof EngineError ? error.message : `not refused: ${error.stack}`;
  }
}
const fight = await engine.fight("duel", { seed: 7 });
await attempt("another module", () => Engine.load(bytes, { ...described(), module: "0123" }));
await attempt("another format", () => Engine.load(bytes, { ...described(), version: 2 }));
await attempt("no scenario", () => engine.fight("castle"));
const other = described();
other.scenarios = { castle: { ...other.scenarios.duel, kernel: "play_slots_castles", shape: "map" } };
engine.add(other);
other.scenarios.tower = { ...other.scenarios.castle, version: "0123" };
await attempt("other rules", () => engine.add(other));
other.scenarios.tower.game = "chess";
await attempt("another game", () => engine.add(other));
said["added"] = engine.scenarios;
await attempt("another kind", () => engine.fight("castle"));
const strange = described();
strange.events.heart_rush.kind = ["riddle", 1];
const puzzled = await Engine.load(bytes, strange);
await attempt("another reader", () => puzzled.fight("duel"));
await attempt("seed", () => engine.fight("duel", { seed: -1 }));
const end = engine._end;
await attempt("seed again", () => engine.fight("duel", { seed: -1 }));
said["room for refused fights"] = engine._end - end;
await attempt("large seed", async () => (await engine.fight("duel", { seed: 2n ** 63n - 1n })).agents);
await attempt("dice", () => engine.fight("duel", { dice: [0] }));
await attempt("agent", () => fight.step({ nobody: "pass" }));
await attempt("action", () => fight.step({ knight_0: "sing" }));
await attempt("number", () => fight.step({ knight_0: 55 }));
await attempt("path", () => fight.record("fighters.0.wings"));
await attempt("index", () => fight.record("fighters.2.hp"));
await attempt("no index", () => fight.record("fighters.x.hp"));
await attempt("empty index", () => fight.record("fighters..hp"));
await attempt("every index", () => fight.record("fighters.k.hp"));
await attempt("below a number", () => fight.record("fighters.0.hp.0"));
await attempt("inherited", () => fight.record("constructor"));
await attempt("no path", () => fight.record(null));
said["hp"] = [fight.record("fighters.1.hp"), fight.record("fighters")[1].hp];
const snapshot = fight.snapshot();
await attempt("another version", () => fight.restore({ ...snapshot, version: "0123" }));
await attempt("another scenario", () => fight.restore({ ...snapshot, digest: "0123" }));
await attempt("no snapshot", () => fight.restore({}));
await attempt("half a snapshot", () => fight.restore({ ...snapshot, fight: snapshot.fight.slice(0, 400) }));
await attempt("no log", () => fight.restore({ ...snapshot, log: undefined }));
await attempt("no base64", () => fight.restore({ ...snapshot, fight: "*" }));
await attempt("bytes", () => fight.restore({ ...snapshot, fight: 123 }));
const count = engine.description.records.logs.fields.count[1];
const logged = (number, more = 0) => {
  const log = Buffer.concat([Buffer.from(snapshot.log, "base64"), Buffer.alloc(more)]);
  log.writeInt16LE(number, count);
  return { ...snapshot, log: log.toString("base64") };
};
await attempt("empty log", () => fight.restore({ ...snapshot, log: "" }));
await attempt("huge log", () => fight.restore(logged(30000)));
await attempt("negative log", () => fight.restore(logged(-1)));
await attempt("long log", () => fight.restore(logged(fight.events.length, 8)));
said["unchanged"] = JSON.stringify(fight.snapshot()) === JSON.stringify(snapshot);
await attempt("dice are null", () => engine.fight("duel", { dice: null }));
await attempt("dice are text", () => engine.fight("duel", { dice: "123" }));
await attempt("large dice", () => engine.fight("duel", { dice: [1n] }));
await attempt("large action", () => fight.step({ knight_0: 1n }));
const dicey = await engine.fight("duel", { dice: [99] });
const attack = (agent) => dicey.legal(agent).find((name) => name.startsWith("attack")) ?? dicey.legal(agent)[0];
let before;
await attempt("large die", () => {
  while (!dicey.over) {
    before = JSON.stringify(dicey.snapshot());
    dicey.step(Object.fromEntries(dicey.asked.map((agent) => [agent, attack(agent)])));
  }
});
said["undone"] = before === JSON.stringify(dicey.snapshot());
const first = fight.copy();
fight.step({ knight_0: "stance might", duelist_0: "stance might" });
said["copies differ"] = JSON.stringify(first.snapshot()) !== JSON.stringify(fight.snapshot());
first.step({ knight_0: "stance might", duelist_0: "stance might" });
said["copies meet"] = JSON.stringify(first.snapshot()) === JSON.stringify(fight.snapshot());
while (!fight.over) fight.step();
await attempt("over", () => fight.step());
said["asked"] = fight.asked;
const given = await engine.fight("duel"), kept = await engine.fight("duel", { seed: 3 });
const untouched = JSON.stringify(kept.snapshot()), start = engine.memory.buffer.slice(0, 65536);
given.free();
given.free();
await attempt("step after free", () => given.step());
await attempt("start after free", () => given.start());
await attempt("copy after free", () => given.copy());
await attempt("events after free", () => given.events);
const later = [await engine.fight("duel"), await engine.fight("duel")];
later[0].step();
said["places after free"] = later.map((each) => each._place);
said["untouched by free"] = untouched === JSON.stringify(kept.snapshot());
said["first page"] = Buffer.compare(Buffer.from(start), Buffer.from(engine.memory.buffer, 0, 65536));
engine.memory.grow = () => { throw new RangeError("no more"); };
await attempt("memory", async () => { for (;;) await engine.fight("duel"); });
said["members"] = [Engine, fight.constructor].map((kind) => Object.getOwnPropertyNames(kind.prototype));
console.log(JSON.stringify(said));
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the module for duels."""
    folder = tmp_path_factory.mktemp("wasm") / "web"
    assert run("machine wasm --for duel", folder) == 0
    return folder


@pytest.fixture(scope="module")
def said(written: Path) -> dict[str, Any]:
    """Return what Node says to each of the tries."""
    command = [str(NODE), "--input-type=module", "-"]
    done = subprocess.run(command, input=TRIES, capture_output=True, text=True, cwd=written)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_files_for_duels_are_small_and_describe_one_another(written: Path) -> None:
    assert {path.name for path in written.iterdir()} == {files.MODULE, files.DESCRIPTION, *files.HOST}
    assert (written / files.MODULE).stat().st_size <= MOST_FOR_DUELS
    description = json.loads((written / files.DESCRIPTION).read_text())
    assert list(description["scenarios"]) == ["duel", "mirror_duel"]


@pytest.mark.long
def test_the_module_of_all_kinds_of_fights_is_small() -> None:
    module = files.engine_files({}, usual_games("heart_rush").values())[files.MODULE]
    assert len(module) <= MOST_FOR_ALL


def test_a_module_that_was_made_before_is_taken_from_disk(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wasm, "wasm_of", None)
    assert run("machine wasm --for duel", tmp_path) == 0
    assert (tmp_path / files.MODULE).read_bytes() == (written / files.MODULE).read_bytes()


def test_a_kept_module_is_of_these_sources_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[tuple[str, str]] = set()

    def looked(key: str, name: str) -> bytes:
        asked.add((key, name))
        return b"module"

    monkeypatch.setattr(files, "kept", looked)
    first, second, other = (SimpleNamespace(sources=SimpleNamespace(key=key)) for key in ("one", "two", "three"))
    kinds: Any = ()
    for kernel in (second, other, second):
        files._module({"a": (first, kinds), "b": (kernel, kinds)})
    assert len(asked) == 2
    monkeypatch.setattr(files, "version", lambda package: f"0 of {package}" if package == "numpy" else "1")
    files._module({"a": (first, kinds), "b": (second, kinds)})
    assert len(asked) == 3
    monkeypatch.setattr(sys, "version", "another Python")
    files._module({"a": (first, kinds), "b": (second, kinds)})
    assert len(asked) == 4


@needs_node
@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("another module", r"The module and the description do not belong together: expected .* 0123, got \w+\."),
        ("another format", r"description: expected the format heartrush-fights 1, .*, got heartrush-fights 2\."),
        ("no scenario", r'scenario: expected duel or mirror_duel, got "castle"\.'),
        ("another kind", r"castle: expected a scenario of a kind that this module has \(duel\), got map\."),
        ("other rules", r"tower: expected this module's version of the rules \(\w+\), got 0123\."),
        ("another game", r"tower: expected a scenario of heart_rush, got one of chess\."),
        ("another reader", r"description: expected a reader of events that events\.mjs knows, got riddle\."),
        ("seed", r"seed: expected a whole number from 0 to 2\*\*63 - 1, got -1\."),
        ("dice", r"dice: expected at most 512 whole numbers of at least 1, got \[0\]\."),
        ("agent", r'agent: expected knight_0 or duelist_0, got "nobody"\.'),
        ("action", r'action: expected the name or the number of one of 55 actions, got "sing"\.'),
        ("number", r"action: expected the name or the number of one of 55 actions, got 55\."),
        ("path", r"record: expected a path of its fields, got fighters\.0\.wings\."),
        ("index", r"record: expected an index from 0 to 1, got 2 in fighters\.2\.hp\."),
        ("no index", r"record: expected an index from 0 to 1, got x in fighters\.x\.hp\."),
        ("empty index", r"record: expected an index from 0 to 1, got none in fighters\.\.hp\."),
        ("every index", r"record: expected a number as each index, got k in fighters\.k\.hp\."),
        ("below a number", r"record: expected a path of its fields, got fighters\.0\.hp\.0\."),
        ("inherited", r"record: expected a path of its fields, got constructor\."),
        ("no path", r"record: expected a path of its fields, got null\."),
        ("another version", r"snapshot: expected one of this version of the rules \(\w+\), got 0123\."),
        ("another scenario", r"snapshot: expected one of the scenario duel, got one of another\."),
        ("no snapshot", r"snapshot: expected the format heartrush-fights, got undefined\."),
        ("half a snapshot", r"snapshot: expected \d+ bytes of a fight, got 300\."),
        ("no log", r"snapshot, log: expected bytes in base64, got undefined\."),
        ("no base64", r'snapshot, fight: expected bytes in base64, got "\*"\.'),
        ("bytes", r"snapshot, fight: expected bytes in base64, got 123\."),
        ("empty log", r"snapshot: expected the bytes of as many events as its log counts, got 0 in all\."),
        ("huge log", r"snapshot: expected the bytes of as many events as its log counts, got \d+ in all\."),
        ("negative log", r"snapshot: expected the bytes of as many events as its log counts, got \d+ in all\."),
        ("long log", r"snapshot: expected the bytes of as many events as its log counts, got \d+ in all\."),
        ("dice are null", r"dice: expected at most 512 whole numbers of at least 1, got null\."),
        ("dice are text", r'dice: expected at most 512 whole numbers of at least 1, got "123"\.'),
        ("large dice", r'dice: expected at most 512 whole numbers of at least 1, got \["1"\]\.'),
        ("large action", r'action: expected the name or the number of one of 55 actions, got "1"\.'),
        ("large die", r"dice, number 1: expected 1 to \d+ for a d\d+, got 99\."),
        ("step after free", r"fight: expected one that is in use, got one that was freed\."),
        ("start after free", r"fight: expected one that is in use, got one that was freed\."),
        ("copy after free", r"fight: expected one that is in use, got one that was freed\."),
        ("events after free", r"fight: expected one that is in use, got one that was freed\."),
        ("over", r"step: expected a fight that goes on, got one that is over\."),
        ("memory", r"memory: expected room for \d+ more bytes, got a limit of \d+ in all\."),
    ],
)
def test_what_the_host_refuses_is_one_sentence(said: dict[str, Any], what: str, sentence: str) -> None:
    assert re.fullmatch(sentence, said[what]), said[what]


@needs_node
def test_copies_seeds_and_endings(said: dict[str, Any]) -> None:
    """A step with a die that is too large is undone. A description with a refused scenario adds none."""
    assert said["unchanged"] and said["room for refused fights"] == 0
    assert said["hp"] == [40, 40]
    assert said["added"] == ["duel", "mirror_duel", "castle"]
    assert said["large seed"] == ["knight_0", "duelist_0"]
    assert (said["undone"], said["copies differ"], said["copies meet"], said["asked"]) == (True, True, True, [])


@needs_node
def test_memory_that_is_given_back_twice_is_used_once(said: dict[str, Any]) -> None:
    first, second = said["places after free"]
    assert first is not None and second is not None and first != second
    assert said["untouched by free"] and said["first page"] == 0


@needs_node
def test_the_types_name_every_public_member(said: dict[str, Any], written: Path) -> None:
    typed = (written / "fights.d.ts").read_text()
    for members, head in zip(said["members"], ("class Engine {", "class Fight {"), strict=True):
        body = typed[typed.index(head) :].partition("\n}")[0]
        named = set(re.findall(r"^  (?:static |readonly )*(\w+)[(:]", body, re.MULTILINE))
        public = {member for member in members if not member.startswith("_")} - {"constructor"}
        assert public - {"plan", "allocate", "view", "array"} <= named


def test_a_kind_that_the_game_lacks_is_named(capsys: Out, tmp_path: Path) -> None:
    assert run("machine wasm --for duel,castle", tmp_path) == 2
    told = "heartrush: --for: expected duel, team, map, able_duel, able_team, able_map or all, got 'castle'."
    assert capsys.readouterr().err.strip() == told


def test_rules_are_set_in_kinds_without_a_shipped_scenario() -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    arguments = parser.parse_args(["web", "--for", "able_duel", "--rule", "edition=classic"])
    chosen: Any = command.chosen(arguments)
    games, (further,) = chosen
    assert not games and further.options["shape"] == "able_duel"
    assert further.rules["edition"] == "classic"


@needs_node
def test_the_example_of_the_page_runs(written: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "webassembly.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```js\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    command = [str(NODE), "--input-type=module", "-"]
    done = subprocess.run(command, input=example, capture_output=True, text=True, cwd=written)
    assert done.returncode == 0, done.stderr
    *_, rewards = done.stdout.splitlines()
    assert rewards in (
        "{ knight_0: 1, duelist_0: -1 }",
        "{ knight_0: -1, duelist_0: 1 }",
        "{ knight_0: 0, duelist_0: 0 }",
    )
