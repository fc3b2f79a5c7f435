"""Choices of hosted fights: parts and walks, which only their own seats see, and requests, which all see."""

from contextlib import closing
from pathlib import Path
from typing import Any

from heartrush_env.app.server.hosting.host import Host
from tests.app.server.test_host import AGENTS, SEED, Table, after_a_kill
from tests.games.heart_rush.rules.table import PLAIN, weapon

KNIGHT = {"id": "knight", "team": "blue", "abilities": ["cry_of_defiance"], "rush": 1, "conditions": {"dazed": 1}}
SCENARIO: dict[str, Any] = {"name": "cry", "fighter": [{**PLAIN, **KNIGHT}, {**PLAIN, "id": "rogue", "team": "red"}]}


def test_others_see_a_choice_that_lacks_a_part_as_made() -> None:
    table = Table(Host(), game={"scenario": SCENARIO})
    table.act("knight_0", "use a")
    if table.legal("rogue_0"):
        table.act("rogue_0", "pass")
    own = {seat["seat"]: (seat["asked"], seat["chosen"]) for seat in table.look("knight_0")["seats"]}
    assert own["knight_0"] == (True, False)
    words = [option["words"] for option in table.look("knight_0")["mine"]["legal"]]
    assert words == ["end one condition", "lose a level of each condition", "heal"]
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


BRUTE = {"id": "knight", "team": "blue", "abilities": ["hulking_blows"], "weapon": weapon("heavy"), "rush": 1}
BLOWS: dict[str, Any] = {"name": "blows", "fighter": [{**PLAIN, **BRUTE}, {**PLAIN, "id": "rogue", "team": "red"}]}


def test_everybody_sees_who_is_asked_and_the_asked_seat_has_words_for_its_answers() -> None:
    table = Table(Host(), game={"scenario": BLOWS})
    for seat, choice in (("knight_0", "stance might"), ("rogue_0", "stance might"), ("knight_0", "use_at 1 a")):
        table.act(seat, choice)
    assert table.look()["public"]["window"] == "pick"
    for viewer in ("knight_0", "rogue_0", None):
        seats = {seat["seat"]: (seat["asked"], seat["chosen"]) for seat in table.look(viewer)["seats"]}
        assert seats == {"knight_0": (False, False), "rogue_0": (True, False)}
    assert [option["words"] for option in table.look("rogue_0")["mine"]["legal"]] == ["dodge", "stand"]
    table.act("rogue_0", "pick 1")
    told = [event["event"] for event in table.events() if event["event"]["type"] == "pick"]
    assert [(event["fighter"], event["by"], event["answer"]) for event in told] == [("rogue_0", "knight_0", "stand")]


FIELD: dict[str, Any] = {
    "name": "field",
    "battlefield": {"map": ["......"] * 4},
    "fighter": [
        {"from": "knight", "team": "blue", "at": [0, 1]},
        {"from": "knight", "id": "rival", "team": "red", "at": [5, 3]},
    ],
}


def test_the_words_for_a_step_name_its_square_and_what_pays_for_it() -> None:
    told = {
        each["name"]: each["words"]
        for each in Table(Host(), game={"scenario": FIELD}).look("knight_0")["mine"]["legal"]
    }
    assert told["sidestep ne"] == "step ne to 1,0, with your action"
    assert told["sidestep ne rush"] == "step ne to 1,0, for a rush point"


def test_a_walk_is_stored_step_by_step_and_others_see_it_as_made(tmp_path: Path) -> None:
    store = tmp_path / "fights"
    with closing(Host(store, AGENTS)) as host:
        table = Table(host, game={"scenario": FIELD}, seed=SEED)
        for seat, choice in (("rival_0", "pass"), ("knight_0", "walk"), ("knight_0", "sidestep se")):
            assert table.act(seat, choice)["type"] == "accepted"
        told = {option["name"]: option["words"] for option in table.look("knight_0")["mine"]["legal"]}
        assert (told["sidestep ne"], told["pass"]) == ("step ne to 2,1", "end your dash at 1,2")
        for viewer in ("rival_0", None):
            seats = {seat["seat"]: (seat["asked"], seat["chosen"]) for seat in table.look(viewer)["seats"]}
            assert seats == {"knight_0": (True, True), "rival_0": (True, True)}
        table.host = again = after_a_kill(host, store)
        for choice in ("sidestep ne", "pass"):
            assert table.act("knight_0", choice)["type"] == "accepted"
        moves = [told["event"]["path"] for told in table.events() if told["event"]["type"] == "move"]
        assert moves == [[[1, 2], [2, 1]]]
        again.close()


def test_a_walk_has_one_time_limit_for_all_its_steps() -> None:
    now = [0.0]
    table = Table(Host(agents=AGENTS, clock=lambda: now[0]), game={"scenario": FIELD}, seed=SEED, seconds=30)
    left = []
    for seat, choice in (("rival_0", "pass"), ("knight_0", "walk"), ("knight_0", "sidestep se"), ("knight_0", "pass")):
        now[0] += 4
        table.act(seat, choice)
        left.append(table.look()["seconds_left"])
    assert left == [26, 22, 18, 30]
