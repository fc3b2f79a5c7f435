"""Single numbers of observations, read by their names."""

import numpy as np
import pytest

from heartrush_env.games.heart_rush.encoding.view import Columns, ViewCodec, lasting
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.views import ViewError
from tests.random_play import begin, play

GAME = HeartRush("duel")


def test_numbers_come_in_ones() -> None:
    hp, round_number = Columns(GAME.feature_names, ["self hp", "enemy 1 hp"]), Columns(GAME.feature_names, "round")
    dice = Columns(GAME.feature_names, [[f"{who} {die}" for die in ("heart", "might")] for who in ("self", "enemy 1")])
    for fights, _ in play(GAME, 7):
        state = fights.describe(0)
        own, other = (state["fighters"][agent] for agent in GAME.agents)
        assert hp.of(fights.observations[0]).tolist() == [[own["hp"], other["hp"]], [other["hp"], own["hp"]]]
        assert round_number.one(fights.observations[0, 1]) == state["round"]
        assert dice.of(fights.observations[0, 0])[:, 0].tolist() == [own["heart"], other["heart"]]
    assert dice.of(fights.observations).shape == (1, 2, 2, 2)


def test_numbers_are_written_back_in_their_scale() -> None:
    seen = begin(GAME, 7).observations[0].copy()
    columns = Columns(GAME.feature_names, ("self hp", "round"))
    columns.write(seen, (17, 5))
    assert columns.of(seen).tolist() == [[17, 5], [17, 5]]
    assert seen[0, GAME.feature_names.index("self hp")] == np.float32(17 / 40)


def test_what_lasts_is_the_same_in_every_window() -> None:
    everyone, own = lasting(GAME.feature_names), lasting(GAME.feature_names, "self")
    names = [GAME.feature_names[place] for place in own]
    assert {"self hp_max", "self weapon thrown", "self size"} <= set(names) and "self hp" not in names
    assert len(everyone) == 2 * len(own)
    first = begin(GAME, 7).observations[0][:, everyone].copy()
    for fights, _ in play(GAME, 7):
        assert (fights.observations[0][:, everyone] == first).all()


def test_an_unknown_name_is_no_column() -> None:
    with pytest.raises(KeyError, match="self luck"):
        Columns(GAME.feature_names, "self luck")


def test_a_view_is_read_and_written_without_the_protocol() -> None:
    codec, seen = ViewCodec(GAME), begin(GAME, 7).observations[0, 0]
    view = codec.read(GAME.agents[0], seen)
    assert (codec.write(GAME.agents[0], view) == seen).all()
    with pytest.raises(ViewError, match=r"view: observation, self hp: expected -25 to 25, got 225\."):
        codec.write(GAME.agents[0], {**view, "self": {"hp": 9000}})
