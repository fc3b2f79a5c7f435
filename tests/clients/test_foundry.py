"""The macro for Foundry, run in Node with stand-ins for Foundry's objects, on a real server that checks origins."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import ask, serving
from tests.clients.conftest import FOUNDRY
from tests.clients.guests import guest
from tests.clients.unreliable import told_in, unreliable
from tests.processes import finished

KIT = Path(__file__).resolve().parents[2] / "clients" / "foundry" / "fight.js"
NODE = shutil.which("node")
EASY = {"duelist_0": "duelist@easy"}
pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed here")

TABLE = """
import { readFileSync } from "node:fs";
const [file, server, origin, leaveAt, how, scenario, agents, runs] = process.argv.slice(1);
const said = [], asked = [], errors = [], infos = [], kept = new Map();
const AsyncFunction = (async () => {}).constructor;
const browsed = async (url, options) => { // a page's fetch: it names its origin, and reads what that origin may read
  const answer = await fetch(url, { ...options, headers: { ...options.headers, origin } });
  if (answer.headers.get("access-control-allow-origin") !== origin) throw new TypeError("Failed to fetch");
  return answer;
};
const DialogV2 = { wait: async ({ window, content, buttons, rejectClose }) => {
  asked.push({ title: window.title, content, labels: buttons.map(({ label }) => label) });
  if (rejectClose || new Set(buttons.map(({ action }) => action)).size < buttons.length) throw new Error("no dialog");
  if (asked.length === Number(leaveAt)) return how === "close" ? null : buttons.at(-1).action;
  return buttons[0].action;
} };
const localStorage = { // of the browser
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, String(value)),
  removeItem: (key) => kept.delete(key),
};
const code = readFileSync(file, "utf8").replace("http://127.0.0.1:8765", server).replace('"duel"', scenario)
  .replace(/^const AGENTS = .*$/m, `const AGENTS = ${agents};`);
for (let run = 0; run < Number(runs); run += 1)
  await new AsyncFunction("game", "ui", "foundry", "ChatMessage", "location", "fetch", "localStorage", code)(
    { user: { name: "Ann" } },
    { notifications: { error: (text) => errors.push(text), info: (text) => infos.push(text) } },
    { applications: { api: { DialogV2 } } },
    { create: async (message) => said.push(message) },
    { origin },
    browsed,
    localStorage,
  );
console.log(JSON.stringify({ said, asked, errors, infos, kept: [...kept.keys()] }));
"""


def at_the_table(
    address: str,
    origin: str = FOUNDRY,
    leave_at: int = 0,
    how: str = "",
    scenario: object = "duel",
    agents: dict[str, str] = EASY,
    runs: int = 1,
) -> dict[str, Any]:
    """Return the calls that the macro made to a stand-in for Foundry, in one or more runs."""
    given = [str(KIT), address, origin, str(leave_at), how, json.dumps(scenario), json.dumps(agents), str(runs)]
    words = ["--input-type=module", "-e", TABLE, "--", *given]
    done = finished(str(NODE), *words, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_foundry_macro_plays_a_fight(address: str) -> None:
    found = at_the_table(address)
    assert found["errors"] == [] and {message["speaker"]["alias"] for message in found["said"]} == {"Heart Rush"}
    told = [line for message in found["said"] for line in message["content"].split("<br>")]
    assert told[0] == "Round 1" and re.match(r"(Blue|Red) won: |.* draw", told[-1])
    assert "&emsp;Stances: Knight might, Duelist " in "\n".join(told)
    first = found["asked"][0]
    assert first["title"] == "Round 1: stance" and "Knight 40 hp" in first["content"]
    assert first["labels"] == ["might", "agility", "cunning", "defensive", "End the fight"]
    assert found["kept"] == []


@pytest.mark.parametrize(
    "restart", [pytest.param(False, id="cut"), pytest.param(True, id="restarted", marks=pytest.mark.long)]
)
def test_a_fight_at_the_table_goes_on_after_each_lost_connection(restart: bool, tmp_path: Path) -> None:
    store = tmp_path / "fights.sqlite"
    with unreliable(store, (4, 4, 6, 5, 4, 7, 9, 8), restart=restart, origins=(FOUNDRY,)) as relay:
        found = at_the_table(relay.address, agents={"duelist_0": "uniform"})
        assert found["errors"] == [] and relay.cuts > 5
    told = [line for message in found["said"] for line in message["content"].replace("&emsp;", "  ").split("<br>")]
    assert told == [line for line in told_in(store) if line]


@pytest.mark.long
def test_a_table_waits_while_another_seat_is_asked(tmp_path: Path) -> None:
    limits = Limits(rate=0, origins=(FOUNDRY,))
    with serving(limits, tmp_path / "fights.sqlite") as address, guest(address, "duelist_0") as windows:
        found = at_the_table(address, agents={})
    assert found["errors"] == [] and len(windows) > 3
    assert all(len(asked["labels"]) > 1 for asked in found["asked"])  # never a dialog without a choice
    told = [line for message in found["said"] for line in message["content"].split("<br>")]
    assert re.match(r"(Blue|Red) won: |.* draw", told[-1])


def test_a_dialog_that_is_closed_ends_no_fight(tmp_path: Path) -> None:
    store = tmp_path / "fights.sqlite"
    with serving(Limits(rate=0, origins=(FOUNDRY,)), store) as address:
        found = at_the_table(address, leave_at=2, how="close", agents={"duelist_0": "uniform"}, runs=2)
    assert found["errors"] == []
    assert found["infos"] == ["The fight waits for you: run the macro again to go on."]
    told = [line for message in found["said"] for line in message["content"].replace("&emsp;", "  ").split("<br>")]
    assert told == [line for line in told_in(store) if line]  # one fight, told once, to its end


def test_a_fight_that_is_ended_at_the_table_is_closed(tmp_path: Path) -> None:
    with serving(Limits(rate=0, origins=(FOUNDRY,))) as address:
        found = at_the_table(address, leave_at=2, how="click")
        assert len(found["asked"]) == 2 and found["errors"] == found["kept"] == []
        assert json.loads(ask(address, "/v1/host", {"type": "fights"})[2])["fights"] == []


@pytest.mark.filterwarnings("ignore:The agent .duelist. plays")
def test_names_at_the_table_are_text_and_no_markup(address: str) -> None:
    scenario = {
        "name": "duel",
        "fighter": [{"from": "knight", "name": "<b>Ann", "team": "blue"}, {"from": "duelist", "team": "red"}],
    }
    (asked,) = at_the_table(address, leave_at=1, scenario=scenario)["asked"]
    assert asked["content"].startswith("<p>&#60;b&#62;Ann 40 hp")


def test_a_foundry_that_the_server_does_not_know_is_told_how(address: str) -> None:
    found = at_the_table(address, origin="http://localhost:30001")
    assert found["said"] == [] and len(found["errors"]) == 1
    assert found["errors"][0].endswith("with --allow-origin http://localhost:30001?")
