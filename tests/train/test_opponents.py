"""Opponents in training: their seats, when they forget the learner, and how often past selves are met."""

import numpy as np
import pytest
from heartrush_train.config import ExploiterConfig, SelfPlayConfig, TrainingError
from heartrush_train.opponents import FixedOpponent, in_turn, other_sides, priorities, self_play

from heartrush_env import heart_rush_v0
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.games.heart_rush.game import HeartRush


def test_other_sides_of_more_than_two_teams_are_all_but_one_by_turns() -> None:
    game = heart_rush_v0.make_vec(1, "free_for_all").game
    places = other_sides(game, range(5))
    assert [sorted({0, 1, 2, 3, 4} - {seat for slot, seat in places if slot == own}) for own in range(5)] == [
        [0], [1], [2], [3], [4],
    ]  # fmt: skip


def opponent(id: str, **options: int) -> FixedOpponent:
    config = ExploiterConfig("duel", opponent=id, n_envs=3, **options)  # type: ignore[arg-type]
    return FixedOpponent(config, config.game())


def test_an_opponent_forgets_the_learner_after_each_match_and_not_before() -> None:
    """Matches have two fights, so the second fight of slot 1 continues its match and the third begins a new one."""
    met = opponent("frequency", match=2)
    forgotten: list[int] = []
    for player, slot in zip(met._players, met.slots, strict=True):
        player.new_match = lambda slot=slot: forgotten.append(int(slot))  # type: ignore[method-assign, misc]
    met.new_match()
    assert sorted(forgotten) == [0, 1, 2]
    forgotten.clear()
    met.new_fight()
    met.new_fight(np.array([1]))
    assert not forgotten
    met.new_fight(np.array([0, 1]))
    assert forgotten == [1]
    met.new_fight([0])
    assert forgotten == [1, 0]


def test_mistakes_are_legal_and_made_where_and_as_often_as_they_should() -> None:
    """The agent always hides; its rate of mistakes is 0 in the first slot, 0.5 in the second and 1 in the last."""
    met = opponent("defensive")
    legal = np.zeros((3, 2, len(met.game.action_names)), np.int8)
    stances = [met.game.action_names.index(f"stance {name}") for name in ("might", "agility", "cunning", "defensive")]
    legal[..., stances] = 1
    seen = {"observation": np.zeros((3, 2, len(met.game.feature_names)), np.float32), "action_mask": legal}
    met.weaken(1.0)
    hidden, chosen = np.zeros(3), np.full((3, 2), -1)
    for _ in range(1200):
        met.act(seen, chosen)
        found = chosen[met.slots, met.seats]
        assert set(found) <= set(stances)
        hidden += found == stances[3]
    assert hidden[0] == 1200
    assert hidden[1:] / 1200 == pytest.approx([0.5 + 0.5 / 4, 0.25], abs=0.06)  # four standard deviations
    assert (chosen == -1).sum() == 3  # the learner's seats are not touched
    met.weaken(0.0)
    met.act(seen, chosen)
    assert (chosen[met.slots, met.seats] == stances[3]).all()


@pytest.mark.parametrize(
    ("side", "learns"),
    [
        # Seats are blue, red. The opponents are uniform in slots 0, 1 and itself in 2, 3; with a side they alternate.
        ("", [[1, 0], [0, 1], [1, 1], [1, 1]]),
        ("red", [[0, 1], [1, 1], [0, 1], [1, 1]]),
        ("blue", [[1, 0], [1, 1], [1, 0], [1, 1]]),
    ],
)
def test_a_learner_of_one_side_has_that_team_in_every_slot(side: str, learns: list[list[int]]) -> None:
    seats = in_turn(HeartRush("duel"), 4, ("uniform", "itself"), side)
    assert seats.learns.astype(int).tolist() == learns
    against = [slot for slot, opponent in enumerate(seats.opponents) if opponent == "uniform"]
    assert against == [slot for slot, row in enumerate(learns) if 0 in row]
    assert not seats.past.any()


def test_past_selves_have_their_own_seats_among_opponents_in_turn() -> None:
    """With seats blue and red, past selves play red in slot 0 and blue in slot 1; the learner plays all other seats."""
    seats = in_turn(HeartRush("duel"), 4, ("past", "itself"))
    assert seats.past.astype(int).tolist() == [[0, 1], [1, 0], [0, 0], [0, 0]]
    assert (seats.learns == ~seats.past).all() and seats.players == []
    with pytest.raises(TrainingError, match=r"^side: expected a team of 'duel' \(blue or red\), got 'green'\.$"):
        in_turn(HeartRush("duel"), 4, ("uniform",), "green")


def test_self_play_seats_past_selves_and_partners_in_the_last_fights() -> None:
    """Of 20 fights, the last 5 are against past selves and the 4 before them against sparring partners in turn."""
    config = SelfPlayConfig("duel", n_envs=20, past_self_share=0.25, sparring=("might", "uniform"), sparring_share=0.2)
    past, partners = self_play(config, BatchEnv(config.game(), config.n_envs))
    assert [each.slots.tolist() for each in past] == [[19, 18], [17], [16], [15]]
    assert [(each.agent.id, each.slots.tolist()) for each in partners] == [("might", [14, 12]), ("uniform", [13, 11])]


def test_past_selves_that_win_are_met_most_often() -> None:
    shares = priorities([0.5, 0.9, 0.0])
    assert shares.sum() == pytest.approx(1) and shares[2] > shares[0] > shares[1]
    assert shares[2] / shares[0] == pytest.approx(1 / 0.25, rel=0.01)  # squares of what the learner does not win
    assert priorities([1.0, 1.0]).tolist() == [0.5, 0.5]
