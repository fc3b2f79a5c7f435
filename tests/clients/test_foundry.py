"""The macro for Foundry in Node, with stand-ins for Foundry's own objects, on a real server that checks origins."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import FOUNDRY
from tests.processes import finished

KIT = Path(__file__).resolve().parents[2] / "clients" / "foundry" / "fight.js"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(not NODE, reason="node is not installed here")

TABLE = """
import { readFileSync } from "node:fs";
const [file, server, origin, leaveAt, how, scenario] = process.argv.slice(1);
const said = [], asked = [], errors = [];
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
const code = readFileSync(file, "utf8").replace("http://127.0.0.1:8765", server).replace('"duel"', scenario);
await new AsyncFunction("game", "ui", "foundry", "ChatMessage", "location", "fetch", code)(
  { user: { name: "Ann" } },
  { notifications: { error: (text) => errors.push(text) } },
  { applications: { api: { DialogV2 } } },
  { create: async (message) => said.push(message) },
  { origin },
  browsed,
);
console.log(JSON.stringify({ said, asked, errors }));
"""


def at_the_table(
    address: str, origin: str = FOUNDRY, leave_at: int = 0, how: str = "", scenario: object = "duel"
) -> dict[str, Any]:
    """The calls that the macro made to a stand-in for Foundry."""
    macro = str(KIT)
    words = ["--input-type=module", "-e", TABLE, "--", macro, address, origin, str(leave_at), how, json.dumps(scenario)]
    done = finished(str(NODE), *words, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_foundry_macro_plays_a_fight(address: str) -> None:
    found = at_the_table(address)
    assert found["errors"] == [] and {message["speaker"]["alias"] for message in found["said"]} == {"Heart Rush"}
    told = [line for message in found["said"] for line in message["content"].split("<br>")]
    assert told[0] == "Round 1" and re.match(r"(Blue|Red) wins: |.* draw", told[-1])
    assert "&emsp;Stances: Knight might, Duelist " in "\n".join(told)
    first = found["asked"][0]
    assert first["title"] == "Round 1: stance" and "Knight 40 hp" in first["content"]
    assert first["labels"] == ["might", "agility", "cunning", "defensive", "Leave the fight"]


@pytest.mark.parametrize("how", ["click", "close"])
def test_a_fight_that_is_left_at_the_table_is_closed(how: str, address: str) -> None:
    found = at_the_table(address, leave_at=2, how=how)
    assert len(found["asked"]) == 2 and found["errors"] == []


@pytest.mark.filterwarnings("ignore:The agent .duelist. plays")
def test_names_at_the_table_are_text_and_no_markup(address: str) -> None:
    scenario = {
        "name": "duel",
        "fighter": [
            {"from": "knight", "name": "<b>Ann", "team": "blue"},
            {"from": "duelist", "team": "red"},
        ],
    }
    (asked,) = at_the_table(address, leave_at=1, scenario=scenario)["asked"]
    assert asked["content"].startswith("<p>&#60;b&#62;Ann 40 hp")


def test_a_foundry_that_the_server_does_not_know_is_told_how(address: str) -> None:
    found = at_the_table(address, origin="http://localhost:30001")
    assert found["said"] == [] and len(found["errors"]) == 1
    assert found["errors"][0].endswith("with --allow-origin http://localhost:30001?")
