"""A refused choice of a hosted fight leaves nothing behind that a later choice would play."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.server.hosting.host import Host
from tests.app.server.test_host import AGENTS, SEED, Table, after_a_kill

OPEN_FIELD: dict[str, Any] = {
    "name": "field",
    "battlefield": {"map": ["......"] * 4},
    "fighter": [
        {"from": "knight", "team": "blue", "at": [0, 1]},
        {"from": "knight", "id": "rival", "team": "red", "at": [5, 3]},
    ],
}
DETOUR = [[1, 2], [2, 1]]  # of two squares to the east
USUAL = [[1, 0], [2, 1]]  # the way that the rules find


def moved(table: Table) -> list[list[int]]:
    """The squares of the first movement."""
    path: list[list[int]] = next(told["event"]["path"] for told in table.events() if told["event"]["type"] == "move")
    return path


@pytest.mark.parametrize(
    ("choice", "details"),
    [
        ("dash 1,0", {"route": DETOUR}),  # a dash to another square
        ("pass", {"route": DETOUR, "speed": 1}),
        ("dash 9,9", {"route": DETOUR}),  # not legal at all
    ],
)
def test_the_route_of_a_refused_choice_is_not_taken_by_the_next(
    tmp_path: Path, choice: str, details: dict[str, Any]
) -> None:
    store = tmp_path / "fights"
    with closing(Host(store, AGENTS)) as host:
        table = Table(host, game={"scenario": OPEN_FIELD}, seed=SEED)
        assert table.act("knight_0", choice, details=details)["type"] == "error"
        assert table.act("knight_0", "dash 2,0")["type"] == "accepted"
        assert table.act("rival_0", "pass")["type"] == "accepted"
        assert moved(table) == USUAL
        events = table.events()
        again = after_a_kill(host, store)
        table.host = again
        assert table.events() == events, "the store holds the fight as it was played"
        again.close()


def test_a_route_that_is_accepted_is_taken_and_stored(tmp_path: Path) -> None:
    store = tmp_path / "fights"
    with closing(Host(store, AGENTS)) as host:
        table = Table(host, game={"scenario": OPEN_FIELD}, seed=SEED)
        assert table.act("knight_0", "dash 2,0", details={"route": DETOUR})["type"] == "accepted"
        assert table.act("rival_0", "pass")["type"] == "accepted"
        assert moved(table) == DETOUR
        events = table.events()
        again = after_a_kill(host, store)
        table.host = again
        assert table.events() == events
        again.close()
