"""What a game of tables gets without code of its own, shown by the whole game of toy_table_game.py."""

import json
from typing import Any

import pytest

from heartrush_env.tabletop.board import SQUARE, SquareBoard, text_picture
from heartrush_env.tabletop.errors import HeartRushError, SnapshotError
from tests.tabletop.toy_table_game import Pebbles

PAIR = {"fighter": [{"from": "thrower", "team": "ants"}, {"team": "bees"}]}  # 2 hit points against 3


def begun(game: Pebbles) -> Any:
    """Return a batch with one fight of a game that has begun."""
    batch = game.batch(1, record=True)
    batch.start([0], 1, [0])
    return batch


def play(game: Pebbles, batch: Any, *actions: str) -> None:
    """Play a step with an action for each seat."""
    batch.step([[game.action_names.index(action) for action in actions]])


def test_a_fight_is_played_to_its_end() -> None:
    game = Pebbles(PAIR)
    batch = begun(game)
    assert game.action_names == ("pass", "hold", "throw 1") and game.shape.name == "pair"
    play(game, batch, "throw 1", "hold")
    assert [event["type"] for event in batch.events(0)] == ["hit", "round"]
    play(game, batch, "throw 1", "throw 1")
    play(game, batch, "throw 1", "hold")
    assert batch.ended[0] and batch.rewards[0].tolist() == [1, -1]
    assert batch.events(0)[-1] == {"type": "end", "cause": "victory", "winners": ["ants"]}


def test_the_margin_is_the_share_of_hit_points() -> None:
    game = Pebbles({**PAIR, "rules": {"rounds": 1}}, reward="hp_margin")
    batch = begun(game)
    play(game, batch, "hold", "throw 1")
    assert batch.ended[0] and batch.rewards[0].tolist() == [-0.5, 0.5]  # 1 of 2 against 3 of 3


def test_facts_lines_and_pictures_of_a_fight() -> None:
    game = Pebbles(PAIR)
    batch = begun(game)
    play(game, batch, "throw 1", "hold")
    shown = batch.describe(0)
    assert (shown["round"], shown["window"]) == (2, "throw")
    assert shown["fighters"][1] == {"fighter": "fighter_0", "side": "bees", "hp": 2, "hp_max": 3, "status": "able"}
    for name, column in (("Bumblebee", "Bumblebee"), ("A" * 18, "A" * 18), ("A" * 19, "fighter_0")):
        lines = text_picture(shown, lambda fighter: "", {"thrower_0": "Ant", "fighter_0": name}).splitlines()
        assert [line.split() for line in lines[-2:]] == [["A", "Ant", "2/2"], ["B", column, "2/3"]]
    picture = SquareBoard({".": (1, 2, 3)}, ("able",), ()).draw(shown, [], batch.moment(0))
    assert picture.shape == (2 * SQUARE, 10 * SQUARE, 3)
    assert tuple(picture[SQUARE // 2, SQUARE // 2]) == (52, 84, 160)
    assert tuple(picture[12, 5 * SQUARE + 12]) == (1, 2, 3)
    (offer,) = game.words.offers(game.agents[0], {}, {2: game.action_names[2]})
    assert (offer.words, offer.target) == ("throw at Fighter", "fighter_0")


def test_a_game_is_made_again_from_its_table() -> None:
    game = Pebbles(PAIR, {"rounds": 5}, control="team", max_cycles=7)
    again = Pebbles.open_table(json.loads(json.dumps(game.as_table())), "here")
    assert again == game and hash(again) == hash(game) and again.rules == {"rounds": 5}
    assert game.as_table()["rules"] == {"rounds": 5} and Pebbles(PAIR).as_table()["rules"] == {}
    assert Pebbles(PAIR) != game and Pebbles(PAIR).digest != game.digest


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({}, "here: scenario is missing; expected the name, file or table of a scenario."),
        ({"scenario": PAIR, "control": "both"}, "here: control: expected fighter or team, got 'both'."),
        ({"scenario": PAIR, "shape": "trio"}, "here: shape: expected pair or crowd, got 'trio'."),
        (
            {"scenario": PAIR, "rules": {"rounds": 0}},
            "here: rules: rounds: expected a whole number from 1 to 99, got 0",
        ),
        ({"scenario": PAIR, "max_cycles": 0}, "here: max_cycles: expected None or a whole number from 1 to"),
    ],
)
def test_a_bad_table_is_refused_in_a_sentence(table: dict[str, Any], why: str) -> None:
    with pytest.raises(HeartRushError) as refused:
        Pebbles.open_table(table, "here")
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        ("hp", 100, "fighters.hp: expected 0 to 99, got 100"),
        ("hp_max", 4, "fighters.hp_max: expected 2, as the scenario has it, got 4"),
    ],
)
def test_a_damaged_snapshot_is_refused(place: str, value: int, why: str) -> None:
    batch = begun(Pebbles(PAIR))
    data = json.loads(json.dumps(batch.snapshot(0)))
    data["position"]["fighters"][0][place] = value
    with pytest.raises(SnapshotError, match=why):
        batch.restore(0, data)
