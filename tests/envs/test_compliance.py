"""The toy game in every environment: the tests of PettingZoo and Gymnasium, and our own stricter ones.

Our tests are also run on broken games, because a check that cannot fail is worthless.
"""

import random
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from heartrush_env.envs.aec import AECFights, wrapped
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.envs.single import SingleAgentEnv
from heartrush_env.tabletop.game import FloatArray
from tests.envs import checks
from tests.toy_game import Fight, ToyBatch, ToyGame

TABLES = [ToyGame(2), ToyGame(3), ToyGame(4), ToyGame(3, team_names=("a", "b", "c")), ToyGame(2, coins=0)]
TABLES.append(ToyGame(3, coins=2, in_turn=True))


@pytest.mark.parametrize("game", TABLES, ids=range(len(TABLES)))
def test_pettingzoo_accepts_it(game: ToyGame) -> None:
    checks.check_pettingzoo(game)


def test_max_cycles_cuts_the_fight_off_after_exactly_so_many_steps() -> None:
    def parallel(max_cycles: int) -> ParallelFights:
        return ParallelFights(ToyGame(2, rounds=100, max_cycles=max_cycles))

    def aec(max_cycles: int) -> Any:
        return wrapped(AECFights(parallel(max_cycles)))

    checks.check_max_cycles(parallel, aec)


@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_gymnasium_accepts_it(seats: int, flatten: bool) -> None:
    def table(**settings: Any) -> SingleAgentEnv:
        return SingleAgentEnv(ToyGame(seats), opponent="random", flatten=flatten, **settings)

    gymnasium.register("toys/Table-v0", entry_point=table)
    try:
        with checks.only_expected_warnings():
            check_env(gymnasium.make("toys/Table-v0").unwrapped)
            check_env(gymnasium.make("toys/Table-v0", render_mode="ansi").unwrapped)
    finally:
        del gymnasium.registry["toys/Table-v0"]


@pytest.mark.parametrize("game", TABLES, ids=range(len(TABLES)))
def test_whole_fights_hold_what_was_promised(game: ToyGame) -> None:
    checks.check_whole_fights(game, 30)


@pytest.mark.parametrize("game", TABLES, ids=range(len(TABLES)))
def test_the_same_key_and_actions_give_the_same_fight_alone_and_in_any_batch(game: ToyGame) -> None:
    alone = checks.check_same_alone(game, 10)
    checks.check_same_in_batches(game, alone)
    assert len(set(map(tuple, alone))) == len(alone), "ten fights of one seed should differ"


def test_the_same_key_and_actions_give_the_same_fight_in_any_process() -> None:
    here = checks.digest(ToyGame(4), 5)
    make_games = 'from tests.toy_game import ToyGame; games = {"toy": ToyGame(4)}'
    assert checks.digests_elsewhere(make_games, 5, hash_seed=1) == {"toy": here}


@pytest.mark.parametrize("game", TABLES, ids=range(len(TABLES)))
def test_a_fight_goes_on_from_its_snapshot(game: ToyGame) -> None:
    checks.check_snapshots(game)


@pytest.mark.parametrize("game", TABLES[:4], ids=range(4))
def test_a_hidden_choice_never_leaks(game: ToyGame) -> None:
    assert checks.check_nothing_leaks(game) > 20


# -- the checks go red ---------------------------------------------------------------------------------------------


class LeakyBatch(ToyBatch):
    """A batch that shows the hands in the state before they are revealed."""

    def state(self, slot: int) -> FloatArray:
        state = super().state(slot)
        state[-1] = self.fight(slot).hands[0] / 4
        return state


class LooseBatch(ToyBatch):
    """A batch whose dice cannot be repeated."""

    def roll(self, fight: Fight) -> int:
        return random.SystemRandom().randint(1, 6)


class ForgetfulBatch(ToyBatch):
    """A batch that leaves the hands out of its snapshots."""

    def snapshot(self, slot: int) -> dict[str, Any]:
        return {**super().snapshot(slot), "hands": [1] * self.game.num_seats}


class NeighbourlyBatch(ToyBatch):
    """A batch in which a slot's dice depend on the number of slots."""

    def roll(self, fight: Fight) -> int:
        return 1 + (super().roll(fight) + len(self.fights)) % 6


class BrokenGame(ToyGame):
    """The toy game with a given class of batch."""

    kind: type[ToyBatch]

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = "vector") -> ToyBatch:
        return self.kind(self, num_fights, record)


def broken(kind: type[ToyBatch]) -> ToyGame:
    return type("Broken", (BrokenGame,), {"kind": kind})(2)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("kind", "check", "said"),
    [
        (LeakyBatch, checks.check_nothing_leaks, "shows before it is revealed"),
        (LooseBatch, lambda game: checks.check_same_alone(game, 20), ""),
        (ForgetfulBatch, checks.check_snapshots, ""),
        (
            NeighbourlyBatch,
            lambda game: checks.check_same_in_batches(game, checks.check_same_alone(game, 10)),
            "batch of 3",
        ),
    ],
    ids=["leaks", "determinism", "snapshots", "batches"],
)
def test_a_check_goes_red(kind: type[ToyBatch], check: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check(broken(kind))


def test_choices_of_the_checks_are_legal_and_varied() -> None:
    mask = np.array([0, 1, 1, 0, 1], dtype=np.int8)
    drawn = [checks.choose(mask, fight, step, seat) for fight in range(20) for step in range(20) for seat in range(2)]
    assert {int(action) for action in drawn} == {1, 2, 4}
    assert min(drawn.count(action) for action in (1, 2, 4)) > 200
