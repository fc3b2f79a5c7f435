"""The host of the page without a server: its enemies, records that Python reads, kept fights, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.records import parse_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop.registry import open_game
from tests.app.heart_rush.alone.in_node import node, write_modules
from tests.app.server.test_recorded import a_fight
from tests.in_node import needs_compiled_kernels, needs_node

pytestmark = [needs_compiled_kernels, needs_node]

# A host with dice and draws that are given, and a store that forgets nothing.
HOST = """
const store = new Map();
const shelf = {
  names: () => [...store.keys()], getItem: (id) => store.get(id) ?? null,
  setItem: (id, text) => store.set(id, text), removeItem: (id) => store.delete(id),
};
let drawn = 1;
const random = () => (drawn = (drawn * 48271) % 2147483647) / 2147483647;
const open = () => new Host(engine, page, shelf, { random, seed: () => 7 });
const host = open();
const begin = async (scenario, agents) => (await host.send({ type: "new", game: { scenario }, agents })).fight;
const settle = () => new Promise((resolve) => setTimeout(resolve));
const refused = async (work) => { try { await work(); return "taken"; } catch (problem) { return problem.message; } };
async function finish(fight) {
  for (;;) {
    await settle();
    const state = await host.send({ type: "look", fight });
    if (state.over) return state;
    const { seat } = state.seats.find(({ asked, chosen, holder }) => asked && !chosen && holder === "player") ?? {};
    if (!seat) continue;
    const { mine, window } = await host.send({ type: "look", fight, token: seat });
    await host.send({ type: "choose", fight, token: seat, window, choice: mine.legal[0].name });
  }
}
"""
PLAYED = f"""{HOST}
const fight = await begin("duel", {{ duelist_0: "duelist@easy" }});
await host.send({{ type: "join", fight, seat: "knight_0" }});
const early = await refused(() => host.send({{ type: "save", fight }}));
await finish(fight);
const {{ record }} = await host.send({{ type: "save", fight }});
const again = await host.replayed(record), taken = [], tries = {{}};
tries["an edited record"] = await refused(() => host.replayed(record.replace("stance might", "stance agility")));
tries["half a record"] = await refused(() => host.replayed(record.slice(0, 2000)));
tries["no record"] = await refused(() => host.replayed("castle"));
tries["another scenario"] = await refused(() => host.replayed(given.other));
console.log(JSON.stringify({{
  early, record, tries, windows: again.windows.map(({{ events }}) => events.flatMap(({{ lines }}) => lines)),
  told: host.open.get(fight).told.flatMap(({{ lines }}) => lines),
  server: (await host.replayed(given.server)).windows.length,
}}));
"""
KEPT = f"""{HOST}
const fight = await begin("duel", {{ duelist_0: "uniform" }}), tries = {{}};
await host.send({{ type: "join", fight, seat: "knight_0" }});
const look = (of) => of.send({{ type: "look", fight, token: "knight_0" }});
const state = await look(host);
const choose = (window, choice) => host.send({{ type: "choose", fight, token: "knight_0", window, choice }});
tries["a late choice"] = await refused(() => choose(3, "pass"));
tries["no choice"] = await refused(() => choose(state.window, "sing"));
tries["a taken seat"] = await refused(() => host.send({{ type: "join", fight, seat: "knight_0" }}));
await choose(state.window, state.mine.legal[1].name);
const later = open(), kept = store.get(fight);
const same = JSON.stringify(await look(host)) === JSON.stringify(await look(later));
const listed = (await later.send({{ type: "fights" }})).fights.map(({{ fight: id }}) => id === fight);
const changed = (fields) => JSON.stringify({{ ...JSON.parse(kept), ...fields }});
tries["no fight"] = await refused(() => later.send({{ type: "watch", fight: "0123" }}));
tries["no JSON"] = await refused(() => later.load("castle"));
tries["other rules"] = await refused(() => later.load(changed({{ rules: "0123" }})));
tries["another scenario"] = await refused(() => later.load(changed({{ scenario: "castle" }})));
tries["inherited"] = await refused(() => later.load(changed({{ scenario: "constructor" }})));
tries["no seats"] = await refused(() => later.load(changed({{ seats: {{}} }})));
const seats = {{ knight_0: "player", duelist_0: "wizard" }};
tries["another enemy"] = await refused(() => later.load(changed({{ seats }})));
tries["bad steps"] = await refused(() => later.load(changed({{ steps: [{{ knight_0: "sing" }}] }})));
tries["no steps"] = await refused(() => later.load(changed({{ steps: 3 }})));
for (let more = 0; more < 14; more++) await begin("duel", {{ duelist_0: "uniform" }});
store.set("junk", "no JSON");
await begin("duel", {{ duelist_0: "uniform" }});
console.log(JSON.stringify({{ same, listed, tries, kept: store.size, junk: store.get("junk") }}));
"""
RAIDS = """
const won = {}, wrong = [];
for (const name of Object.keys(page.scenarios)) {
  const enemies = Object.fromEntries(enemiesOf(name, page).map((enemy) => [enemy.id, enemy]));
  won[name] = 0;
  for (let seed = 0; seed < given; seed++) {
    const fight = await engine.fight(name, { seed }), { teams } = fight, blue = Object.values(teams)[0];
    const playing = (agent) => enemies[teams[agent] === blue ? "raider" : "random"];
    const seats = Object.fromEntries(fight.agents.map((agent) => [agent, playing(agent)]));
    let drawn = 1 + seed;
    const random = () => (drawn = (drawn * 48271) % 2147483647) / 2147483647;
    while (!fight.over) {
      const asked = fight.agents.filter((agent) => fight.legal(agent).length > 1);
      fight.step(Object.fromEntries(asked.map((agent) => [agent, seats[agent].act(new Seat(fight, agent, random))])));
      if (asked.some((agent) => fight.illegal[agent])) wrong.push(`${name} ${seed}`);
    }
    won[name] += fight.rewards[fight.agents[0]] > 0;
    fight.free();
  }
}
console.log(JSON.stringify({ won, wrong }));
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the page's modules and the rules of duels."""
    folder = tmp_path_factory.mktemp("modules")
    write_modules(folder, {name: as_heart_rush(open_game({"scenario": name})) for name in ("duel", "mirror_duel")})
    return folder


@pytest.fixture(scope="module")
def played(modules: Path) -> dict[str, Any]:
    """Return what became of a fight that was played to its end."""
    server = a_fight(game={"scenario": "duel"})[1].decode()
    other = a_fight(game={"scenario": "duel", "rules": {"profile": "plain"}})[1].decode()
    found: dict[str, Any] = node(modules, PLAYED, {"server": server, "other": other})
    return found


@pytest.fixture(scope="module")
def kept(modules: Path) -> dict[str, Any]:
    """Return what became of fights that go on."""
    found: dict[str, Any] = node(modules, KEPT)
    return found


def test_python_replays_a_record_of_the_page(played: dict[str, Any]) -> None:
    record = parse_record(played["record"].encode())
    check(record)
    assert {seat: facts["agent"] for seat, facts in record.seats.items()} == {
        "knight_0": "person",
        "duelist_0": "duelist@easy",
    }


def test_the_page_replays_its_records_and_those_of_the_server(played: dict[str, Any]) -> None:
    assert [line for lines in played["windows"] for line in lines] == played["told"]
    assert played["server"] > 10


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("an edited record", r"The record was changed after it was written: its SHA-256 does not match\."),
        ("half a record", r"The record, line \d+: expected a line that a recorder wrote, got invalid JSON\."),
        ("no record", r"The record, line 1: expected a line that a recorder wrote, got invalid JSON\."),
        ("another scenario", r"The record: expected a fight of one of this page's scenarios .*, got one of duel\."),
    ],
)
def test_records_that_do_not_fit_are_refused_in_one_sentence(played: dict[str, Any], what: str, sentence: str) -> None:
    assert re.fullmatch(sentence, played["tries"][what]), played["tries"][what]


def test_a_fight_that_goes_on_has_no_record(played: dict[str, Any]) -> None:
    assert played["early"] == "The fight goes on; its record is written once it is over."


def test_a_kept_fight_goes_on_where_it_was(kept: dict[str, Any]) -> None:
    assert kept["same"] and kept["listed"] == [True]


def test_the_oldest_fights_make_room_and_other_entries_stay(kept: dict[str, Any]) -> None:
    assert kept["kept"] == 12 + 1 and kept["junk"] == "no JSON"


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        ("a late choice", r"The choice is for window 3, but this is window \d\."),
        ("no choice", r"knight_0: expected a legal choice, got sing\."),
        ("a taken seat", r"knight_0: expected a seat that is free, got one that is taken\."),
        ("no fight", r"There is no fight 0123 in this browser\."),
        ("no JSON", r"The fight: expected the format heartrush-page-fight 1, got undefined undefined\."),
        ("other rules", r"The fight of duel was begun under other rules than this page has, so it cannot go on here\."),
        ("another scenario", r"The fight: expected one of the scenarios duel, mirror_duel, got castle\."),
        ("inherited", r"The fight: expected one of the scenarios duel, mirror_duel, got constructor\."),
        ("no seats", r"The fight: expected all that a kept fight has, got only a part\."),
        ("another enemy", r"The fight: expected one of the enemies .*, got wizard\."),
        ("bad steps", r"action: expected the name or the number of one of 55 actions, got \"sing\"\."),
        ("no steps", r"The fight: expected all that a kept fight has, got only a part\."),
    ],
)
def test_what_the_host_refuses_is_one_sentence(kept: dict[str, Any], what: str, sentence: str) -> None:
    assert re.fullmatch(sentence, kept["tries"][what]), kept["tries"][what]


def raids(folder: Path, names: tuple[str, ...], fights: int) -> dict[str, Any]:
    """Return how often the raider beats an enemy that chooses at random."""
    write_modules(folder, {name: as_heart_rush(open_game({"scenario": name})) for name in names})
    found: dict[str, Any] = node(folder, RAIDS, fights)
    return found


def test_the_raider_walks_to_its_enemies_and_beats_them(tmp_path: Path) -> None:
    """Skirmish is even, so that both sides would win half of the fights between equal players."""
    assert raids(tmp_path, ("skirmish",), 4) == {"won": {"skirmish": 4}, "wrong": []}


@pytest.mark.long
def test_the_raider_beats_random_play_on_even_maps(tmp_path: Path) -> None:
    found = raids(tmp_path, ("skirmish", "bridge", "tower"), 20)
    assert found["wrong"] == [] and min(found["won"].values()) >= 18, json.dumps(found)
