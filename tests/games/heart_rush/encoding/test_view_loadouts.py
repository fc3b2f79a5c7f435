"""Views of fights with abilities: read from observations, and written back to the same numbers."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.encoding.view import ViewCodec
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.views import ViewError
from tests.games.heart_rush.rules.table import PLAIN, Table, weapon

KNIGHT = {"talents": ["brutal_criticals", "vampiric_mark"]}
DUELIST = {"destiny_talents": ["brutal_criticals"]}


def gives_back(table: Table) -> dict[str, Any]:
    """Check that each seat's view can be written back to its observation; return the knight's view."""
    game = table._fights.game
    codec, views = ViewCodec(game), {}
    for seat, agent in enumerate(game.agents):
        shown = table._fights.observations[0, seat]
        view = codec.read(agent, shown)
        del view["observation"]
        np.testing.assert_array_equal(codec.write(agent, view), shown)
        views[agent] = view
    return views["knight_0"]


def test_views_give_their_observations_back() -> None:
    """The views are those at the beginning, after a use, while a roll may be answered, and after that."""
    table = Table({"knight": KNIGHT, "duelist": DUELIST}, [8, 6, 3, 2, 1])
    gives_back(table)
    table.play(knight="use_at 1 b")
    gives_back(table)
    table.engage(knight="might: attack 1", duelist="cunning")
    view = gives_back(table)
    assert view["window"] == "instant"
    told = {name: value for name, value in view["abilities"].items() if name != "loadouts"}
    assert told == {
        "occasion": "first roll", "striker": "knight_0", "target": "duelist_0",
        "striker_total": 17, "target_total": 0, "declared": 0, "declaration": None,
    }  # fmt: skip
    table.play(knight="use a")
    assert gives_back(table)["window"] == "shrug"


def test_views_of_an_opportunity_attack_give_their_observations_back() -> None:
    """As the knight rises, the rolls of the duelist that strikes at it may be answered."""
    table = Table({"knight": {"conditions": {"prone": 1}}, "duelist": DUELIST}, [8, 6, 3, 2, 1, 8])
    table.play(knight="stand").play(duelist="opportunity 1 might")
    for occasion, defense in (("first roll", 0), ("second roll", 3)):
        view = gives_back(table)
        assert (view["window"], view["phase"]) == ("instant", None)
        told = {name: value for name, value in view["abilities"].items() if name != "loadouts"}
        assert told == {
            "occasion": occasion, "striker": "duelist_0", "target": "knight_0",
            "striker_total": 17, "target_total": defense, "declared": 0, "declaration": None,
        }  # fmt: skip
        table.play()
    assert gives_back(table)["window"] == "shrug"


def test_views_of_a_declaration_give_their_observations_back() -> None:
    """Before a declaration is carried out, all see who has declared what, and on whom."""
    table = Table({"knight": KNIGHT, "duelist": {"abilities": ["tactics"]}}).play(knight="use_at 1 b")
    view = gives_back(table)
    assert (view["window"], view["phase"]) == ("instant", None)
    told = {name: value for name, value in view["abilities"].items() if name != "loadouts"}
    assert told == {
        "occasion": "declaration", "striker": "knight_0", "target": "duelist_0",
        "striker_total": 0, "target_total": 0, "declared": 0, "declaration": "use_at",
    }  # fmt: skip
    table.play()
    assert gives_back(table)["abilities"]["declaration"] is None


def test_an_enemys_ability_is_seen_once_it_is_used() -> None:
    fighters = {"knight": KNIGHT | {"team": "blue"}, "rogue": {"team": "blue"}, "duelist": DUELIST | {"team": "red"}}
    game = HeartRush(
        {"name": "viewed", "fighter": [{**PLAIN, "id": name, **fighter} for name, fighter in fighters.items()]}
    )
    codec, batch = ViewCodec(game), game.batch(1)
    batch.start([0], 1, [0])
    mark = game.action_names.index("use_at 1 b")
    seats = dict(zip(game.agents, range(3), strict=True))

    def loadouts(agent: str) -> dict[str, Any]:
        return codec.read(agent, batch.observations[0, seats[agent]])["abilities"]["loadouts"]

    assert (loadouts("duelist_0")["knight_0"], set(loadouts("rogue_0")["knight_0"])) == ({}, {"a", "b"})
    batch.step(np.array([[mark, game.action_names.index("pass"), game.action_names.index("pass")]]))
    used = {"ability": "vampiric_mark", "destiny": False, "uses": 1, "memo": 3}  # the third fighter is marked
    assert (loadouts("duelist_0")["knight_0"], loadouts("knight_0")["duelist_0"]) == ({"b": used}, {})


def test_views_of_a_choice_in_the_middle_give_their_observations_back() -> None:
    """Only the fighter that is asked sees which part it must choose, and its earlier answers."""
    knight = {"destiny_talents": ["fast_friends"], "rush": 1}
    table = Table({"knight": knight, "duelist": {}, "page": {"team": "blue"}, "bard": {}}).play(knight="use_at 1 a")
    assert gives_back(table)["abilities"]["picking"] == {"kind": "creature", "slot": "a", "part": 1, "answers": {}}
    table.play(knight="pick_for 1")
    view = gives_back(table)
    assert view["abilities"]["picking"] == {"kind": "option", "slot": "a", "part": 2, "answers": {"1": 2}}


def test_views_of_a_request_give_their_observations_back() -> None:
    """The fighter that is asked sees who asks; all others see only the window."""
    brute = {"abilities": ["hulking_blows"], "weapon": weapon("heavy"), "rush": 1}
    table = Table({"knight": {}, "brute": brute, "page": {"team": "blue"}})
    table.engage(knight="might", brute="might").play(brute="use_at 1 a")
    view = gives_back(table)
    assert view["window"] == "pick"
    expected = {"kind": "option", "slot": "a", "by": "brute_0", "part": 1, "answers": {}}
    assert view["abilities"]["picking"] == expected
    codec = ViewCodec(table._fights.game)
    seen = codec.read("page_0", table._fights.observations[0, 2])
    assert seen["window"] == "pick"
    assert "picking" not in seen["abilities"]
    view["abilities"]["picking"]["by"] = "nobody_0"
    with pytest.raises(ViewError, match="picking, by: unknown fighter 'nobody_0'"):
        codec.write("knight_0", view)
