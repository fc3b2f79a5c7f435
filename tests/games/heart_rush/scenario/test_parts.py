"""Creatures of several parts in scenarios: the parts they bring, what is refused, and what is public about them."""

from itertools import islice
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.heart_rush.playing.ground import Ground
from heartrush_env.games.heart_rush.board.ansi import picture
from heartrush_env.games.heart_rush.encoding.view import ViewCodec
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario, written_fighters
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from heartrush_env.tabletop.kernels import noting
from tests.games.heart_rush.rules.table import PLAIN
from tests.random_play import begin, check_rows, positions, seen

KNIGHT = {"from": "knight", "team": "blue"}
HYDRA = {"from": "hydra", "team": "red", "with_abilities": True}
FIELD = {"map": ["............"] * 8}


def scenario(*fighters: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "lair", "fighter": [KNIGHT, *fighters], **more}


def in_lair(**hydra: Any) -> dict[str, Any]:
    """Return the scenario of a knight against a hydra on a map."""
    knight, body = {**KNIGHT, "at": [2, 3]}, {**HYDRA, "at": [5, 3], **hydra}
    return {"name": "lair", "fighter": [knight, body], "battlefield": FIELD}


def parts(loaded: Scenario) -> list[tuple[str, str | None, bool]]:
    return [(sheet.agent, sheet.part_of, sheet.to_grow) for sheet in loaded.fighters if sheet.part_of]


def test_a_hydra_brings_its_heads_and_those_that_may_grow() -> None:
    loaded = load_scenario(scenario(HYDRA))
    assert parts(loaded) == [(f"hydrahead_{k}", "hydra_0", k >= 3) for k in range(6)]
    assert [sheet.hp_now for sheet in loaded.fighters[2:]] == [12] * 3 + [0] * 3
    assert len(written_fighters(scenario(HYDRA))) == len(loaded.fighters) == 8


def test_without_its_abilities_it_has_none() -> None:
    assert parts(load_scenario(scenario({"from": "hydra", "team": "red"}))) == []


def test_parts_that_a_fighter_gives_stand_for_those_of_its_block() -> None:
    two = [{**HYDRA, "parts": {"Hydra Head": [1, 2]}, "surprised": True}, {**HYDRA, "parts": {"hydra_head": [0, 1]}}]
    loaded = load_scenario(scenario(*two))
    assert parts(loaded) == [
        ("hydrahead_0", "hydra_0", False), ("hydrahead_1", "hydra_0", True), ("hydrahead_2", "hydra_1", True)
    ]  # fmt: skip
    assert [sheet.surprised for sheet in loaded.fighters] == [False, True, False, True, False, False]
    assert not any(sheet.hero for sheet in load_scenario(scenario(*two, heroes="red")).fighters if sheet.part_of)


def test_on_a_map_heads_have_the_space_of_their_body() -> None:
    loaded = load_scenario(in_lair(parts={"hydra_head": [2, 2]}))
    assert [(sheet.at, sheet.side, sheet.size) for sheet in loaded.fighters[1:]] == [
        ((5, 3), 2, "L2"), ((5, 3), 2, "medium"), ((5, 3), 2, "medium")
    ]  # fmt: skip


MANY = [{"from": "hydra_head", "team": "red", "part_of": "hydra_0"}] * 7
WRONG: list[tuple[tuple[dict[str, Any], ...], str]] = [
    (({**HYDRA, "parts": {"hydra_head": [3, 7]}},),
     "fighter 2: parts: hydra_head: expected the number of parts at the start and the number in all, "
     "at most 6, got [3, 7]."),
    (({**HYDRA, "parts": {"hydra_head": [3, 2]}},), "in all, at most 6, got [3, 2]"),
    (({**HYDRA, "parts": {"hydra_head": 3}},), "in all, at most 6, got 3"),
    (({**HYDRA, "parts": {"wolf": [1, 1]}},), "fighter 2: parts: unknown part 'wolf', expected hydra_head."),
    (({"from": "wolf", "team": "red", "part_of": "hydra_0"},),
     "fighter 2: part_of: expected a fighter of its team that is not itself a part (none), got 'hydra_0'."),
    (({**HYDRA, "parts": {}}, {"from": "wolf", "team": "red", "part_of": "knight_0"}),
     "fighter 3: part_of: expected a fighter of its team that is not itself a part (hydra_0), got 'knight_0'."),
    (({**HYDRA, "parts": {"hydra_head": [1, 1]}}, {"from": "wolf", "team": "red", "part_of": "hydrahead_0"}),
     "fighter 3: part_of: expected a fighter of its team that is not itself a part (hydra_0), got 'hydrahead_0'."),
    (({**HYDRA, "parts": {}}, {**HYDRA, "parts": {}}, {"from": "wolf", "team": "red", "part_of": "hydra"}),
     "part_of: expected a fighter of its team that is not itself a part (hydra_0 or hydra_1), got 'hydra'."),
    (({"from": "wolf", "team": "red", "part_of": ["hydra_0", "hydra_1"]},),
     "part_of: expected the agent of one creature, got ['hydra_0', 'hydra_1']."),
    (({"from": "wolf", "team": "red", "to_grow": True},), "to_grow needs part_of, which is missing."),
    (({**HYDRA, "parts": {}}, {"from": "wolf", "team": "red", "part_of": "hydra_0", "to_grow": True, "hp_now": 3}),
     "fighter 3: hp_now: expected none for a part that has yet to grow, got "),
]  # fmt: skip


@pytest.mark.parametrize(("fighters", "said"), WRONG)
def test_what_is_no_creature_of_parts_is_refused_in_a_sentence(fighters: tuple[dict[str, Any], ...], said: str) -> None:
    with pytest.raises(HeartRushError) as caught:
        load_scenario(scenario(*fighters))
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_so_are_more_heads_than_a_head_allows_however_they_are_written() -> None:
    with pytest.raises(ScenarioError, match=r"expected at most 6 parts of hydra_0 from 'hydra_head', got 7.$"):
        load_scenario({**in_lair(parts={}), "fighter": [*in_lair(parts={})["fighter"], *MANY]})


def test_more_heads_than_a_fight_holds_are_counted() -> None:
    with pytest.raises(ScenarioError, match=r"expected 2 to 8 fighters, on a map to 16, got 9.$"):
        load_scenario(scenario(KNIGHT, HYDRA))


def test_a_head_has_no_place_of_its_own_on_a_map() -> None:
    head = {"from": "hydra_head", "team": "red", "part_of": "hydra_0", "at": [1, 1]}
    said = "fighter 3: at: a part has no square of its own, because it is always where hydra_0 is; got "
    with pytest.raises(ScenarioError, match=said):
        load_scenario({**in_lair(parts={}), "fighter": [*in_lair(parts={})["fighter"], head]})


def test_the_classic_edition_has_none() -> None:
    hydra, head = ({**PLAIN, "id": id, "team": "red"} for id in ("hydra", "head"))
    with pytest.raises(ScenarioError, match=r"part_of: expected no parts in the classic edition, got .*$"):
        load_scenario(scenario(hydra, {**head, "part_of": "hydra_0"}, rules={"edition": "classic"}))


def test_a_fight_without_parts_has_the_digest_that_it_had() -> None:
    body, head = ({**PLAIN, "id": id, "team": "red"} for id in ("hydra", "head"))
    alone = load_scenario(scenario(body, head))
    assert load_scenario(scenario(body, {**head, "to_grow": False})).digest == alone.digest
    assert load_scenario(scenario(body, {**head, "part_of": "hydra_0"})).digest != alone.digest


LAIRS = {"no map": scenario({**HYDRA, "parts": {"hydra_head": [2, 4]}}), "map": in_lair(parts={"hydra_head": [2, 4]})}


@pytest.mark.parametrize(
    ("lair", "most"),
    [
        (LAIRS["no map"], 12),
        pytest.param(LAIRS["no map"], None, marks=pytest.mark.long),
        pytest.param(LAIRS["map"], None, marks=pytest.mark.long),
    ],
    ids=["begun", "no map", "map"],
)
def test_no_fight_with_a_hydra_comes_to_a_faulty_state_and_all_can_be_told(
    lair: dict[str, Any], most: int | None
) -> None:
    with noting(), np.errstate(over="ignore"):
        game = HeartRush(lair)
        codec, narrator, other = ViewCodec(game), Narrator(game.scenario), begin(game, 8)
        for fights in islice(positions(game, 3), most):
            assert fights.faults(0) == []
            narrator.tell(fights.events(0))
            other.restore(0, fights.snapshot(0))
            assert seen(other)[0] == seen(fights)[0]
            for seat, agent in enumerate(game.agents):
                view = codec.read(agent, fights.observations[0, seat])
                del view["observation"]
                np.testing.assert_array_equal(codec.write(agent, view), fights.observations[0, seat])
        if most is None:
            check_rows(game, 4)


def test_everyone_sees_whose_part_a_head_is_and_that_it_is_still_to_grow() -> None:
    with noting(), np.errstate(over="ignore"):
        game = HeartRush(LAIRS["no map"])
        view = ViewCodec(game).read("knight_0", begin(game, 1).observations[0, 0])
    enemies = {fighter["agent"]: fighter for fighter in view["enemies"]}
    assert {agent: fighter.get("part_of") for agent, fighter in enemies.items()} == {
        "hydra_0": None, **{f"hydrahead_{k}": "hydra_0" for k in range(4)}
    }  # fmt: skip
    assert [(enemies[f"hydrahead_{k}"]["status"], enemies[f"hydrahead_{k}"]["hp"]) for k in (1, 2)] == [
        ("standing", 12), ("defeated", 0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fighter", "field", "value", "fault"),
    [
        (1, "status", 3, "a part stands whose body is out"),
        (2, "body", 0, "position.fighters[2].body: expected 1, as at the start, got 0"),
        (2, "x", 8, "fighter 2: it is not where its body is"),
    ],
)
def test_the_state_checker_knows_parts(fighter: int, field: str, value: int, fault: str) -> None:
    with noting(), np.errstate(over="ignore"):
        fights = begin(HeartRush(LAIRS["map"]), 1)
        assert fights.faults(0) == []
        setattr(fights._fights[0].fighters[fighter], field, value)
        assert fault in fights.faults(0)


def test_on_maps_in_text_a_body_covers_its_heads() -> None:
    with noting(), np.errstate(over="ignore"):
        game = HeartRush(LAIRS["map"])
        shown = picture(begin(game, 1).describe(0))
    assert shown.count(" B B ") == 2 and " C " not in shown
    ground = Ground(game.scenario, "knight_0")
    signs = ground.signs(dict.fromkeys(game.fighters, "standing"))
    assert signs[5, 3] == ("hydra_0", ground.letters["hydra_0"])


def test_in_pictures_heads_stand_around_the_rim_of_their_body() -> None:
    pytest.importorskip("pygame", reason="pictures need the extra render")
    from heartrush_env.games.heart_rush.board.scenes import MapScene, Place

    scene = MapScene.__new__(MapScene)
    body = {"at": [1, 1], "side": 2}
    scene.fighters = {"hydra_0": body, **{f"head_{k}": {**body, "part_of": "hydra_0"} for k in range(2)}}
    scene.tile, scene.origin, scene._shared = 10.0, (0.0, 0.0), {}
    assert [scene.place(agent) for agent in scene.fighters] == [
        Place((20.0, 20.0), 9.5), Place((20.0, 10.0), 3.0), Place((pytest.approx(20.0), 30.0), 3.0)
    ]  # fmt: skip


def test_growth_is_narrated() -> None:
    narrator = Narrator(load_scenario(LAIRS["no map"]))
    assert "Hydra Head 3 defeated" in narrator.standing()
    told = narrator.tell([{"type": "grow", "fighter": "hydrahead_2", "body": "hydra_0", "hp": 12}])
    assert told == ["  Hydra Head 3 grows on Hydra: 12 hp."]
    assert "Hydra Head 3 12 hp, heart d4" in narrator.standing()
