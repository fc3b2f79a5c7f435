"""A hosted fight whose choices have parts: only the seat that completes its choice learns that it has any."""

from __future__ import annotations

from typing import Any

from heartrush_env.app.server.hosting.host import Host
from tests.app.server.test_host import Table
from tests.games.heart_rush.rules.table import PLAIN

KNIGHT = {"id": "knight", "team": "blue", "abilities": ["cry_of_defiance"], "rush": 1, "conditions": {"dazed": 1}}
SCENARIO: dict[str, Any] = {"name": "cry", "fighter": [{**PLAIN, **KNIGHT}, {**PLAIN, "id": "rogue", "team": "red"}]}


def test_others_see_a_choice_that_lacks_a_part_as_made() -> None:
    table = Table(Host(), game={"scenario": SCENARIO})
    table.act("knight_0", "use a")
    if table.legal("rogue_0"):
        table.act("rogue_0", "pass")
    own = {seat["seat"]: (seat["asked"], seat["chosen"]) for seat in table.look("knight_0")["seats"]}
    assert own["knight_0"] == (True, False)
    assert [option["words"] for option in table.look("knight_0")["mine"]["legal"]] == [
        "end one condition",
        "lose a level of each condition",
        "heal",
    ]
    for viewer in ("rogue_0", None):
        shown = table.look(viewer)
        seats = {seat["seat"]: (seat["asked"], seat["chosen"]) for seat in shown["seats"]}
        assert seats["knight_0"] == (True, True)
        assert shown["public"]["window"] == "action"
    refused = table.act("rogue_0", "pass")
    assert refused["code"] in ("not_asked", "chosen")
    table.act("knight_0", "pick 2")
    told = [event["event"] for event in table.events() if event["event"]["type"] == "pick"]
    assert [event["answer"] for event in told] == ["heal"]
