"""The search in games made for tests: positions with known solutions, secrets, refused games, and whole fights."""

import copy
from typing import Any, ClassVar

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.any_game.searcher import Mind, Searcher
from heartrush_agents.base import AgentError

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.layout import Seen
from heartrush_env.tabletop.tables import Block, flag
from tests.agents.any_game import pockets
from tests.agents.any_game.pennies import two
from tests.agents.seats import begun, seen_by
from tests.tabletop.toy_table_game import SEEN, Pebbles
from tests.toy_game import ToyGame

# These games are small: compiling their kernels would take longer than all of the tests.
pytestmark = pytest.mark.usefixtures("plainly")


class Quick(Searcher):
    """A searcher with a short rehearsal, which all tests of a game share; a copy of the searcher rehearses again."""

    slots, rehearsed = 16, 30
    minds: ClassVar[dict[tuple[type, str], Mind]] = {}

    def __init__(self, game: Any, **budget: float) -> None:
        super().__init__(game, **budget)
        key = type(game), game.digest
        if key not in self.minds:
            self.minds[key] = Mind(game, self.slots, self.rehearsed)
        self._mind = self.minds[key]


def pebbles(ours: int, *theirs: int) -> Pebbles:
    """Return a game of one fighter against some enemies, all with these hit points."""
    return Pebbles({"fighter": [{"team": "ants", "hp": ours}, *({"team": "bees", "hp": hp} for hp in theirs)]})


def named(game: Any, policy: Any) -> dict[str, float]:
    """Return the positive probabilities of a policy by action name."""
    return {name: float(share) for name, share in zip(game.action_names, policy, strict=True) if share > 0}


@pytest.mark.long
def test_a_blow_that_surely_wins_is_struck() -> None:
    """Throwing ends the fight in this round; even if the enemy throws too, the fighter keeps 1 of its 2 hit points."""
    game = pebbles(2, 1)
    assert named(game, Quick(game, rollouts=64).policy(seen_by(begun(game), 0))) == pytest.approx({"throw 1": 1.0})


@pytest.mark.long
def test_the_mix_of_a_secret_choice_is_near_its_equilibrium() -> None:
    game = two()
    for seat in range(2):
        mix = named(game, Quick(game, rollouts=600).policy(seen_by(begun(game), seat)))
        assert mix == {"heads": pytest.approx(1 / 3, abs=0.1), "tails": pytest.approx(2 / 3, abs=0.1)}


def test_a_pick_is_searched_from_the_choice_that_it_completes() -> None:
    game = two()
    batch = begun(game)
    batch.step(np.array([[game.action_names.index("tails"), game.action_names.index("heads")]]))
    observation = seen_by(batch, 0)
    assert named(game, observation["action_mask"]) == {"lay firmly": 1, "lay loosely": 1}
    player = Quick(game, rollouts=64)
    assert named(game, player.policy(observation)) == {"lay firmly": 1.0} and player.rollouts == 64


def test_fights_that_differ_in_secrets_alone_are_decided_alike() -> None:
    """The enemy has chosen heads in one fight and has yet to complete tails in the other; the dice also differ."""
    game, found = two(), []
    for seed, secret in ((1, "heads"), (2, "tails")):
        batch = begun(game, seed)
        batch.step(np.array([[game.action_names.index("tails"), game.action_names.index(secret)]]))
        found.append((batch.snapshot(0)["position"], Quick(game, rollouts=64).policy(seen_by(batch, 0)).tobytes()))
    assert found[0][0] != found[1][0] and found[0][1] == found[1][1]


@pytest.mark.long
def test_a_mixed_choice_does_not_depend_on_a_secret() -> None:
    """A seat that saw its enemy's pocket would play heads with probability 1/3 or 2/3 instead of 1/2."""
    game, found = pockets.two(), []
    for secret in ("left", "right"):
        batch = begun(game)
        batch.step(np.array([[game.action_names.index("left"), game.action_names.index(secret)]]))
        pocket = int(batch.records["fighters"][0, 1]["left"][0])
        found.append((pocket, Quick(game, rollouts=600).policy(seen_by(batch, 0))))
    (left, first), (right, second) = found
    assert left != right and first.tobytes() == second.tobytes()
    assert named(game, first) == {"heads": pytest.approx(1 / 2, abs=0.12), "tails": pytest.approx(1 / 2, abs=0.12)}


@pytest.mark.long
def test_a_number_of_roll_outs_gives_the_same_policy_again() -> None:
    """The mix comes from a noisy matrix, so other random numbers would give another one."""
    game = two()
    player = Quick(game, rollouts=50)
    first = player.policy(seen_by(begun(game, 1), 0)).tobytes()
    assert first == player.policy(seen_by(begun(game, 2), 0)).tobytes()  # the dice to come differ
    assert first == copy.deepcopy(player).policy(seen_by(begun(game), 0)).tobytes()
    assert player.rollouts == 64  # whole batches of 16


def test_milliseconds_end_the_search_and_none_leave_the_policy_of_roll_outs() -> None:
    game = pebbles(2, 1)
    player, idle = Quick(game, think_ms=1), Quick(game, think_ms=0)
    observation = seen_by(begun(game), 0)
    assert player.policy(observation).sum() == pytest.approx(1) and player.rollouts == 16
    assert set(named(game, idle.policy(observation))) == {"hold", "throw 1"} and idle.rollouts == 0


def test_it_beats_random_play_from_both_sides() -> None:
    """With equal hit points, throwing in every round wins unless the enemy also throws in every round."""
    game, won = Pebbles({"fighter": [{"team": "ants"}, {"team": "bees"}]}), 0
    ours, other, rng = Quick(game, rollouts=16), load("random").seat(game), np.random.default_rng(3)
    batch = game.batch(1)
    for side, players in enumerate(([ours, other], [other, ours])):
        for number in range(4):
            batch.start([0], 5, [number])
            while not batch.ended[0]:
                batch.step(np.array([[player.act(seen_by(batch, seat), rng) for seat, player in enumerate(players)]]))
            won += int(batch.rewards[0, side])
    assert won >= 5  # of 8 fights, a defeat counting -1


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (ToyGame(), "it rebuilds positions from the layout of a game of tables, and hidden_hands has no such layout"),
        (HeartRush("duel"), "it rebuilds positions from the layout of a game of tables, and heart_rush has no such"),
        (Pebbles({"fighter": [{"team": "ants"}, {"team": "bees"}]}, control="team"), "it thinks for one fighter, but"),
    ],
)
def test_other_games_are_refused_in_a_sentence(game: Any, why: str) -> None:
    with pytest.raises(AgentError) as refused:
        load("searcher").seat(game)
    assert why in str(refused.value)


def test_a_layout_that_hides_what_a_position_needs_is_refused_by_the_names_of_the_fields() -> None:
    class Dim(Pebbles):
        """The game Pebbles, with observations that do not show who is hurt."""

        seen = Seen(SEEN.moment, Block(flag("able", "it is there", lambda fighter: fighter.status != 0)), *SEEN[2:])

    game = Dim({"fighter": [{"team": "ants"}, {"team": "bees"}]})
    why = "it needs observations that show fighters.hp and fighters.team, and those of pebbles do not"
    assert load("searcher").plays(game) == why
