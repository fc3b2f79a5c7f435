"""Where sides take turns, vectors, views and lines show whose turn it is and who is in the engagement."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

from heartrush_env.games.heart_rush.board.theme import captions, moment
from heartrush_env.games.heart_rush.encoding.features import feature_names, state_features
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.encoding.view import ViewCodec
from heartrush_env.games.heart_rush.encoding.view_fields import View
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.protocol.views import observation_of, view_of
from heartrush_env.tabletop.views import ViewError
from tests.notation import line_of, read_line
from tests.random_play import PLAIN, legal_actions, play, window

# A map on which all are side by side, so that random fighters engage one another.
PLACES = (("knight", "blue", 1, 1), ("rogue", "blue", 1, 2), ("duelist", "red", 2, 1), ("bandit", "red", 2, 2))
YARD = {
    "battlefield": {"map": ["..."] * 3},
    "fighter": [{"from": name, "team": team, "at": [x, y]} for name, team, x, y in PLACES],
}
ABLE = {
    "fighter": [
        {"from": "knight", "team": "blue", "abilities": ["tactics"], "rush": 3},
        {"from": "rogue", "team": "blue", "talents": ["gambit", "duelist"]},
        {"from": "ogre", "team": "red", "with_abilities": True},
    ]
}
MADE = {"yard": YARD, "able": ABLE}
TABLES = ("duel", *(pytest.param(name, marks=pytest.mark.long) for name in ("melee", "free_for_all", *MADE)))
CLASSIC = {"edition": "classic"}


@cache
def game(scenario: str, control: str = "fighter") -> HeartRush:
    return HeartRush(MADE.get(scenario, scenario), CLASSIC, control=control)


def moments(scenario: str, control: str = "fighter", fights: int = 5) -> Iterator[Fights]:
    """Yield each window of some fights of random choices."""
    for seed in range(1 if PLAIN else fights):
        for played, _ in play(game(scenario, control), seed):
            yield played


@pytest.mark.parametrize("shape", [shape for shape in SHAPES.values() if not shape.abilities], ids=str)
def test_the_tables_begin_with_those_of_june(shape: Any) -> None:
    june, classic = feature_names(shape), feature_names(shape, turns=True)
    assert classic[: len(june)] == june
    others = [f"enemy {k + 1}" for k in range(shape.enemies)] + [f"ally {k + 1}" for k in range(shape.allies)]
    of_each = [f"{who} {word}" for who in ("self", *others) for word in ("priority", "engaged", "joined")]
    assert list(classic[len(june) :]) == ["window enter", "engagement", "passed", *of_each]


@pytest.mark.parametrize("control", ["fighter", "team"])
@pytest.mark.parametrize("scenario", TABLES)
def test_everyone_sees_whose_turn_it_is_and_who_is_engaged(scenario: str, control: str) -> None:
    """Every number is compared by name with the public description of the fight."""
    seen: set[str] = set()
    played, names = game(scenario, control), game(scenario, control).feature_names
    of_state = [feature.name for feature in state_features(played.shape, turns=True)]
    for fights in moments(scenario, control):
        state = fights.describe(0)
        turns, teams = state["turns"], {agent: told["team"] for agent, told in state["fighters"].items()}
        expected: dict[str, dict[str, float]] = {
            agent: {
                "priority": teams[agent] == turns["priority"],
                "engaged": teams[agent] == turns["engaged"],
                "joined": agent in turns["joined"],
            }
            for agent in played.fighters
        }
        moment = {
            "window enter": state["window"] == "enter",
            "engagement": turns["engaged"] is not None,
            "passed": np.float32(turns["passed"] / 16),
        }
        public = dict(zip(of_state, fights.state(0), strict=True))
        assert {name: public[name] for name in moment} == moment
        for place, agent in enumerate(played.fighters, 1):
            assert {word: public[f"fighter {place} {word}"] for word in expected[agent]} == expected[agent]
        for seat, agent in enumerate(played.agents if control == "fighter" else ()):
            vector = dict(zip(names, fights.observations[0, seat], strict=True))
            assert {name: vector[name] for name in moment} == moment
            enemies = [other for other in played.fighters if teams[other] != teams[agent]]
            allies = [other for other in played.fighters if teams[other] == teams[agent] and other != agent]
            places = {"self": agent, **{f"enemy {k}": other for k, other in enumerate(enemies, 1)}}
            places |= {f"ally {k}": other for k, other in enumerate(allies, 1)}
            for who, other in places.items():
                assert {word: vector[f"{who} {word}"] for word in expected[other]} == expected[other]
        seen |= {window(fights), *(name for name in ("priority", "engaged", "passed", "joined") if turns[name])}
    assert seen >= {"action", "priority"} and (PLAIN or seen >= {"passed", "engaged", "joined", "stance"})


@pytest.mark.parametrize("number", [1, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("control", ["fighter", "team"])
@pytest.mark.parametrize("scenario", TABLES)
def test_a_view_says_the_same_and_stands_for_its_vector(scenario: str, control: str, number: int) -> None:
    played = game(scenario, control)
    for fights in moments(scenario, control, number):
        for seat, agent in enumerate(played.agents):
            view = view_of(played, agent, fights.observations[0, seat])
            told, shown = fights.describe(0)["turns"], dict(view["turns"])
            if control == "team":  # of two with one stat line, one may be taken for the other
                told, shown = ({**one, "joined": sorted(map(kind, one["joined"]))} for one in (told, shown))
            assert (view["window"], shown) == (window(fights), told)
            del view["observation"]
            made = observation_of(played, agent, msgspec.json.decode(json.dumps(view), type=View))
            wrong = np.flatnonzero(~np.isclose(made, fights.observations[0, seat], rtol=1e-6, atol=1e-7))
            assert not len(wrong), [played.feature_names[k] for k in wrong[:5]]


def kind(agent: str) -> str:
    return agent.rpartition("_")[0]


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ({"priority": "green"}, "turns, priority: unknown team 'green'"),
        ({"engaged": "reed"}, "did you mean 'red'"),
        ({"joined": ["knight"]}, "turns, joined: unknown fighter 'knight'"),
    ],
)
def test_a_wrong_side_is_refused(turns: dict[str, Any], said: str) -> None:
    with pytest.raises(ViewError, match=said):
        ViewCodec(game("duel")).write("knight_0", {"window": "action", "round": 1, "turns": turns})


def test_reveals_of_a_view_count_for_those_who_revealed_in_the_order_of_the_list() -> None:
    """A round may have several reveals or none, so their rounds say nothing about their order."""
    reveals = [
        {"round": 2, "stances": {"knight_0": "might", "duelist_0": "agility"}},
        {"round": None, "stances": {"duelist_0": "cunning"}},
    ]
    seen = ViewCodec(game("duel")).write("knight_0", {"window": "action", "round": 3, "reveals": reveals})
    shown = {name for name, value in zip(game("duel").feature_names, seen, strict=True) if value and " reveal " in name}
    assert shown == {"self reveal 1 might", "enemy 1 reveal 1 cunning", "enemy 1 reveal 2 agility"}


def test_the_window_of_entering_is_of_turns_alone() -> None:
    with pytest.raises(ViewError, match=r"expected talk, action.*got 'enter', which this edition does not have"):
        ViewCodec(HeartRush("duel")).write("knight_0", {"window": "enter", "round": 1})


@pytest.mark.parametrize("number", [3, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("scenario", TABLES)
def test_a_line_of_notation_reads_back_to_the_same_moment(scenario: str, number: int) -> None:
    played = game(scenario)
    copy, rng, read = played.batch(1, record=True), np.random.default_rng(1), set()
    copy.start([0], 1, [0])
    windows = {"action"} if scenario == "able" else {"action", "stance"}  # before stances, Gambit is asked for again
    for fights in moments(scenario, fights=number):
        if window(fights) not in windows or fights.lacks_parts(0):  # a line holds no way of a walk
            continue
        line = line_of(fights)
        copy._fights[0] = read_line(line, played.new_template(True)[0], played.scenario)[0]
        copy.step(np.zeros_like(legal_actions(fights, rng)))  # no seat is asked: on to the window of the line
        assert line_of(copy) == line
        assert copy.describe(0) == fights.describe(0) and (copy.masks == fights.masks).all()
        read.add(window(fights))
    assert read == windows or PLAIN


def test_pictures_in_text_name_the_side_and_mark_who_is_engaged() -> None:
    fights = game("melee").batch(1)
    fights.start([0], 7, [0], [1])  # the others begin on a one
    picture = game("melee").text_picture(fights.describe(0)).splitlines()
    assert picture[0] == "Round 1: action window, priority: red"
    assert not any(line.endswith("engaged") for line in picture)
    fights.step(played_by(game("melee"), "bandit_0", "engage 2"))
    lines = game("melee").text_picture(fights.describe(0)).splitlines()
    assert lines[0] == "Round 1: enter window"
    assert sorted(line.split()[0] for line in lines if line.endswith("engaged")) == ["archer_0", "bandit_0"]


def test_drawn_pictures_name_the_side_and_mark_who_is_engaged() -> None:
    pytest.importorskip("pygame", reason="pictures need the extra render")
    fights = game("melee").batch(1, record=True)
    fights.start([0], 7, [0], [1])
    assert moment(fights.describe(0)) == "action window, priority: red"
    fights.step(played_by(game("melee"), "bandit_0", "engage 2"))
    view = fights.describe(0)
    nobody = {**view, "turns": {**view["turns"], "joined": []}}
    drawn, without = (game("melee").new_board().draw(one, [], fights.moment(0)) for one in (view, nobody))
    assert (drawn != without).any()
    fights.step(played_by(game("melee"), "bandit_0", "pass"))
    names = {agent: agent for agent in game("melee").fighters}
    assert captions(fights.events(0), names) == ["engaged: archer_0, bandit_0"]


def played_by(played: HeartRush, agent: str, action: str) -> Any:
    """Return one fighter's choice, with passes for the others."""
    chosen = [played.action_names.index(action if seat == agent else "pass") for seat in played.agents]
    return np.array([chosen], np.int64)
