"""Several clients share a host: no client can fill it with unfinished fights."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from heartrush_env.app.server.hosting.host import Host
from tests.app.server.serving import ask, serving
from tests.app.server.test_host import AGENTS, DUEL, answered

PLACES = 12
pytestmark = pytest.mark.usefixtures("plainly")  # these few fights need no compiled rules


def new(host: Host, client: str | None, **more: Any) -> dict[str, Any]:
    return answered(host, client, **{**DUEL, **more})


def test_unfinished_fights_of_one_client_leave_room_for_all_others() -> None:
    host, made = Host(agents=AGENTS, most_fights=PLACES), dict.fromkeys(("ann", "bob", "cid"), 0)
    for client in made:
        while (answer := new(host, client))["type"] == "created":
            made[client] += 1
        assert answer.get("code") == "full" and answer["message"].endswith("."), answer
    assert made == {"ann": 6, "bob": 3, "cid": 2}
    assert new(host, "dan")["type"] == "created"


def test_a_client_that_closes_a_fight_may_make_another() -> None:
    host = Host(agents=AGENTS, most_fights=PLACES)
    made = [new(host, "ann") for _ in range(6)]
    assert new(host, "ann")["code"] == "full"
    answered(host, "ann", type="close", fight=made[0]["fight"], token=made[0]["token"])
    assert new(host, "ann")["type"] == "created"


def test_fights_that_are_over_do_not_count() -> None:
    duel = tomllib.loads((files("heartrush_env") / "games/heart_rush/data/scenarios/duel.toml").read_text())
    host = Host(agents=AGENTS, most_fights=PLACES, clock=lambda: 0.0)  # a fight between agents ends at once
    agents = dict.fromkeys(("knight_0", "duelist_0"), "uniform")
    short = {"scenario": {**duel, "max_rounds": 1}}
    for _ in range(3 * PLACES):
        answer = new(host, "ann", game=short, agents=agents)
        assert answer["type"] == "created", answer


def test_the_only_client_of_a_host_has_all_places() -> None:
    host = Host(agents=AGENTS, most_fights=PLACES)
    assert [new(host, None)["type"] for _ in range(PLACES + 1)] == ["created"] * PLACES + ["error"]


def test_a_server_tells_clients_by_their_address() -> None:
    with serving(most_fights=PLACES) as address:
        statuses = [ask(address, "/v1/host", DUEL)[0] for _ in range(PLACES)]
        assert statuses == [200] * 6 + [503] * 6
