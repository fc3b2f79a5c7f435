"""The page of the protocol: the lines it shows are sent to a real engine, whose answers must match the page."""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from heartrush_env.games.heart_rush.encoding import view_fields
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario, with_an_ability
from heartrush_env.protocol import fields, messages
from heartrush_env.protocol.views import view_of
from heartrush_env.tabletop.kernels import noting
from tests.processes import finished
from tests.random_play import begin

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
VAULT = str(ROOT / "examples" / "vault.toml")  # with objects to use
COMMAND = [sys.executable, "-m", "heartrush_env.app.cli.main", "engine"]
TALK = re.compile(r"\*you\*\n\n```json\n(.*?)\n```\n(?:\n\*engine\*\n\n```json\n(.*?)\n```\n)?", re.DOTALL)
BY_CHANCE = ("ms", "nonce", "seal")


def sessions() -> list[tuple[list[str], list[dict[str, Any]]]]:
    """Return the lines sent to successive engines and their answers; `quit` ends each session but the last."""
    found: list[tuple[list[str], list[dict[str, Any]]]] = [([], [])]
    for typed, said in TALK.findall(PAGE):
        lines, answers = found[-1]
        lines += typed.splitlines()
        answers += [json.loads(line) for line in said.splitlines()]
        if '"quit"' in typed:
            found.append(([], []))
    return found


def steady(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer with the fields blanked that differ from run to run."""
    return {name: "" if name in BY_CHANCE else value for name, value in answer.items()}


def test_an_engine_says_what_the_page_says() -> None:
    (command,) = re.findall(r"^\$ heartrush engine (\w+)$", PAGE, re.MULTILINE)
    assert len(sessions()) == 2
    for typed, said in sessions():
        given = "\n".join(typed).encode() + b"\n"
        done = finished(*COMMAND, command, input=given)
        assert done.returncode == 0
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert list(map(steady, answers)) == list(map(steady, said))


def test_the_seal_on_the_page_fits_its_choice() -> None:
    (nonce, choice, seal), *more = re.findall(r"printf '%s' '(\w+):([\w ]+)' \| sha256sum\n(\w+)", PAGE)
    assert not more and hashlib.sha256(f"{nonce}:{choice}".encode()).hexdigest() == seal
    said = [answer for _, answers in sessions() for answer in answers]
    assert [answer["seal"] for answer in said if "seal" in answer] == [seal]
    assert [(answer["nonce"], answer["choice"]) for answer in said if "nonce" in answer] == [(nonce, choice)]


def cells(heading: str) -> list[str]:
    """Return the names in the first column of the tables below a heading."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]


def test_every_message_code_and_field_is_on_the_page() -> None:
    asked, answered = cells("Requests"), cells("Answers")
    view = [field.encode_name for field in msgspec.structs.fields(view_fields.View)]
    assert asked[: len(messages.REQUESTS)] == list(messages.REQUESTS)
    assert sorted(asked[len(messages.REQUESTS) :]) == sorted(view)
    assert answered == [*messages.ANSWERS, *get_args(messages.Code)]
    for field in msgspec.structs.fields(view_fields.FighterFields):
        assert f"`{field.name}`" in PAGE, field.name
    for struct in (messages.Act, fields.GameFields, messages.Identity, messages.Choice, messages.Option):
        for field in msgspec.structs.fields(struct):
            assert f"`{field.encode_name}`" in PAGE, field.name


@pytest.mark.parametrize("number", [messages.MAX_LINE, messages.MAX_ID, messages.MAX_BATCH])
def test_limits_on_the_page_are_those_of_the_code(number: int) -> None:
    assert f"{number:,}" in PAGE or str(number) in PAGE


def test_what_a_view_holds_is_what_the_schema_describes() -> None:
    in_view = {field.encode_name for field in msgspec.structs.fields(view_fields.View)}
    of_fighters = {field.name for field in msgspec.structs.fields(view_fields.FighterFields)}
    of_fighters -= {"part_of", "companion_of"}  # only parts and companions have them
    view, on_map = (
        view_of(game, game.agents[0], begin(game, 7).observations[0, 0]) for game in map(HeartRush, ("brawl", "ambush"))
    )
    classic = HeartRush("brawl", {"edition": "classic"})
    in_turns = view_of(classic, classic.agents[0], begin(classic, 7).observations[0, 0])
    able = HeartRush(with_an_ability(load_scenario("brawl")))
    with noting():  # in plain Python
        of_abilities = view_of(able, able.agents[0], begin(able, 7).observations[0, 0])
    assert set(view) == in_view - {"map", "turns", "abilities"} and set(on_map) == in_view - {"turns", "abilities"}
    assert set(in_turns) == in_view - {"map", "abilities"} and set(of_abilities) == in_view - {"map", "turns"}
    of_able = {field.name for field in msgspec.structs.fields(view_fields.AbilityFields)}
    assert set(of_abilities["abilities"]) == of_able - {"picking"}  # shown only to a seat that completes its choice
    assert set(in_turns["turns"]) == {field.name for field in msgspec.structs.fields(view_fields.TurnFields)}
    assert set(view["enemies"][0]) == of_fighters - set(cells("On a map")) == {*view["self"], "relations"}
    assert {*on_map["self"], *on_map["enemies"][0]} == of_fighters
    of_map = {field.name for field in msgspec.structs.fields(view_fields.MapFields)}
    of_map -= {"way"}  # shown only to a seat that walks
    of_objects = {field.name for field in msgspec.structs.fields(view_fields.ObjectFields)}
    vault = HeartRush(load_scenario(VAULT))
    with_objects = view_of(vault, vault.agents[0], begin(vault, 7).observations[0, 0])["map"]
    assert set(with_objects) == of_map and set(on_map["map"]) == of_map - {"objects"}
    assert all(set(each) == of_objects for each in with_objects["objects"])
