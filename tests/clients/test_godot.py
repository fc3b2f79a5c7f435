"""The starter kit for Godot and the script on its page are both GDScript of Godot 4."""

import re
import time
from pathlib import Path
from typing import Any

import pytest

from tests.clients.godot_in_python import heart_rush_fight
from tests.clients.unreliable import GAPS, told_in, unreliable
from tests.processes import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
parser = pytest.importorskip("gdtoolkit.parser").parser
linter = pytest.importorskip("gdtoolkit.linter")


def scripts() -> list[str]:
    page = (ROOT / "docs" / "kits" / "godot.md").read_text("utf-8")
    (script,) = re.findall(r"```gdscript\n(.*?)```", page, re.DOTALL)
    return [(ROOT / "clients" / "godot" / "heart_rush_fight.gd").read_text("utf-8"), script]


@pytest.mark.parametrize("script", scripts(), ids=["kit", "page"])
def test_it_is_gdscript_of_godot_4(script: str) -> None:
    parser.parse(script)
    assert [problem.description for problem in linter.lint_code(script)] == []


@pytest.mark.parametrize(
    "restart", [pytest.param(False, id="cut"), pytest.param(True, id="restarted", marks=pytest.mark.long)]
)
def test_a_fight_of_a_node_goes_on_after_each_lost_connection(restart: bool, tmp_path: Path) -> None:
    store, fight = tmp_path / "fights.sqlite", heart_rush_fight()
    told, ended, lost = list[str](), list[Any](), list[str]()
    fight.told.heard.append(told.append)
    fight.asked.heard.append(lambda legal: fight.choose(legal[0]["name"]))
    for signal in (fight.ended, fight.failed):
        signal.heard.append(ended.append)
    fight.lost.heard.append(lambda: lost.append("lost"))
    with unreliable(store, (2, *GAPS[1:]), restart=restart) as relay:
        fight.server = relay.address.replace("http", "ws") + "/v1/host"
        fight.begin({"scenario": "duel"}, "knight_0", {"duelist_0": "uniform"})
        end = time.monotonic() + PATIENCE
        while not ended and time.monotonic() < end:
            fight._process(0.01)
            time.sleep(0.01)
        assert relay.cuts > 5 and len(lost) > 5
    assert ended == [fight.state["winners"]] and told == told_in(store)


def test_a_server_that_is_not_there_is_said_at_once() -> None:
    fight, failed = heart_rush_fight(), list[str]()
    fight.failed.heard.append(failed.append)
    fight.server = "ws://127.0.0.1:1/v1/host"
    fight.begin({"scenario": "duel"}, "knight_0", {})
    fight._process(0.01)
    assert failed == ["The connection to ws://127.0.0.1:1/v1/host is closed. Does heartrush serve run there?"]


def test_the_page_uses_what_the_kit_offers() -> None:
    kit, page = scripts()
    offered = {name for pair in re.findall(r"^signal (\w+)|^func ([a-z]\w+)", kit, re.MULTILINE) for name in pair}
    used = set(re.findall(r"fight\.(\w+)", page))
    assert used <= offered and {"begin", "choose", "asked"} <= used
