"""The thinker: it depends only on what its seat sees, keeps its budget, and evaluates roll-outs as counted by hand."""

from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError, load
from heartrush_agents.any_game.thinking import Clock
from heartrush_agents.heart_rush.search.rollouts import Rollouts
from heartrush_agents.heart_rush.search.stances import Mixes, estimated
from heartrush_agents.heart_rush.search.thinker import promising, response
from heartrush_agents.heart_rush.tables import scenario_of

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.stances import BEATS
from heartrush_env.games.heart_rush.rules.terms import STANCES
from tests.agents.seats import begun, seen_by

GAME = HeartRush("duel")
ROCK_PAPER_SCISSORS = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])


def policy(id: str, observation: Any, game: HeartRush = GAME) -> Any:
    """Return the policy of a new player of an agent."""
    return load(id).seat(game).policy(observation)


def at_attacks(game: HeartRush, seed: int) -> Any:
    """Return a fight in the attack window after cunning beat agility, so that the first fighter may hinder."""
    batch = begun(game, seed)
    names = game.action_names
    batch.step(np.array([[names.index("stance cunning"), names.index("stance agility")]]))
    assert batch.masks[0, 0].sum() > 2
    return batch


# -- what it may know --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [begun, at_attacks])
def test_true_states_that_look_alike_get_the_same_policy(make: Any) -> None:
    batch = make(GAME, 1)
    told = seen_by(batch, 0)
    before = policy("thinker@rollouts=200", told)
    match = batch.copy_of(0)
    match["key"] += 12345  # other dice to come
    match["draw"] += 7
    match["fighters"]["thrown"] += 1  # fields that no observation shows
    match["fighters"]["active_rounds"] += 1
    batch.put(match)
    assert np.array_equal(batch.observations[0, 0], told["observation"])
    assert np.array_equal(policy("thinker@rollouts=200", seen_by(batch, 0)), before)


def two(ours: dict[str, Any], theirs: dict[str, Any]) -> HeartRush:
    """Return the game of two knights with these changes."""
    own, foe = {"id": "a", "team": "blue"}, {"id": "b", "team": "red"}
    return HeartRush({"name": "t", "fighter": [{"from": "knight", **own, **ours}, {"from": "knight", **foe, **theirs}]})


def test_abilities_that_an_enemy_has_not_shown_change_nothing(plainly: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrush_agents.heart_rush.search.rollouts.SLOTS", 16)
    found = []
    for talent in ("haphazard", "brutal_criticals"):
        game = two({"talents": ["focused"]}, {"talents": [talent]})
        batch, names = begun(game), game.action_names
        while not batch.masks[0, 0, names.index("stance might")]:
            batch.step(np.full((1, 2), names.index("pass")))
        mix = policy("thinker@rollouts=16,trust=0", seen_by(batch, 0), game)
        found.append((batch.observations[0, 0].tobytes(), mix.tolist()))
    assert found[0] == found[1]


# -- its budget --------------------------------------------------------------------------------------------------------


def test_with_a_number_of_rollouts_it_plays_alike_every_time() -> None:
    told = seen_by(begun(GAME), 0)
    first, second = (load("thinker@rollouts=300").seat(GAME) for _ in range(2))
    assert np.array_equal(first.policy(told), second.policy(told))
    assert 300 <= first.rollouts < 600
    assert not np.array_equal(first.policy(told), policy("thinker@rollouts=2000", told))


def test_without_any_time_it_mixes_by_the_odds_and_plays_as_the_tactician_otherwise() -> None:
    told, game = seen_by(begun(GAME), 0), GAME
    mix = policy("thinker@think_ms=0", told)
    assert np.array_equal(mix[Mixes(game)._layout.stances], Mixes(game).of(told["observation"][None])[0])
    told = seen_by(at_attacks(GAME, 1), 0)
    assert np.array_equal(policy("thinker@think_ms=0", told), policy("tactician", told))


def test_the_clock_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 0.0, 0.04, 0.08, 0.12])  # the start, then before each batch of roll-outs
    monkeypatch.setattr("time.perf_counter", lambda: next(now))
    clock, batches = Clock(think_ms=100), 0
    while clock.goes_on():
        clock.rollouts += 10
        batches += 1
    assert batches == 2  # a third would end at 120 ms


@pytest.mark.parametrize(
    ("id", "game", "said"),
    [
        ("thinker", HeartRush("duel", rules={"edition": "classic"}), "sides take turns"),
        ("thinker", HeartRush("melee", control="team"), "a seat decides for a team"),
        ("thinker:markov_1", GAME, "markov_1 remembers its fights"),
        ("thinker:fencer", GAME, "the setting levels is on"),
    ],
)
def test_it_says_what_it_does_not_play(id: str, game: HeartRush, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        load(id).seat(game)
    with pytest.raises(AgentError, match="think_ms: expected a number from 0 to 600000, got -1"):
        load("thinker", think_ms=-1)


# -- with another agent ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["uniform", "random", "turtle"])  # the last decides for one seat at a time
def test_it_leaves_all_but_stances_to_the_agent_that_it_searches_with(base: str) -> None:
    """Without time to think, the thinker also leaves the stances to that agent."""
    stances, attacks = (seen_by(at(GAME, 1), 0) for at in (begun, at_attacks))
    assert np.array_equal(policy(f"thinker:{base}@rollouts=64", attacks), policy(base, attacks))
    assert np.array_equal(policy(f"thinker:{base}@think_ms=0", stances), policy(base, stances))
    assert not np.array_equal(policy(f"thinker:{base}@rollouts=64", stances), policy(base, stances))


@pytest.mark.parametrize("stance", ["might", "agility", "cunning"])
def test_it_expects_the_stances_that_the_other_agent_would_take(stance: str) -> None:
    """With full trust it plays the best reply: the stance that beats the expected one, because all dice are equal.

    With so few hit points the first round decides, so the best reply stands out from the noise of the roll-outs.
    """
    equal = {"might": 8, "agility": 8, "cunning": 8, "hp": 4}
    game = two(equal, equal)
    mix = policy(f"thinker:{stance}@rollouts=512,trust=1", seen_by(begun(game), 0), game)
    found = STANCES[int(mix[Mixes(game)._layout.stances].argmax())]
    assert BEATS[STANCES.index(found), STANCES.index(stance)]


def test_all_enemies_count_in_what_a_stance_is_worth() -> None:
    """Two enemies take might, so agility is best, although the main enemy, the weakest, takes agility."""
    own = {"from": "knight", "might": 8, "agility": 8, "cunning": 8}
    foes = [{**own, "id": id_, "team": "red", "hp": hp} for id_, hp in (("weakest", 19), ("second", 20), ("third", 20))]
    game = HeartRush({"name": "t", "fighter": [{"id": "a", "team": "blue", **own}, *foes]})
    told = seen_by(begun(game), 0)
    player: Any = load("thinker@trust=1").seat(game)
    mixes = {place: np.eye(len(STANCES))[STANCES.index("might" if place else "agility")] for place in range(3)}
    main = player._layout.weakest_enemy(told["observation"])
    alone, all_three = (player._stakes(told["observation"], main, expects) for expects in ({main: mixes[main]}, mixes))
    assert STANCES[int((alone @ mixes[main]).argmax())] == "cunning"  # which beats agility
    assert STANCES[int((all_three @ mixes[main]).argmax())] == "agility"  # which beats might


# -- what it makes of its roll-outs ------------------------------------------------------------------------------------


def test_without_trust_it_plays_the_equilibrium_and_with_trust_the_best_reply() -> None:
    always_rock = np.array([1.0, 0.0, 0.0])
    assert response(ROCK_PAPER_SCISSORS, always_rock, 0.0) == pytest.approx([1 / 3, 1 / 3, 1 / 3])
    assert response(ROCK_PAPER_SCISSORS, always_rock, 1.0) == pytest.approx([0, 1, 0])  # paper


def test_noisy_means_are_drawn_to_the_line_of_the_odds() -> None:
    stakes = np.arange(16.0).reshape(4, 4)
    means = 3 + 0.5 * stakes + np.where(np.eye(4) > 0, 0.3, -0.1)  # the last part sums to 0
    assert estimated(means, 0.0, stakes) == pytest.approx(means)
    line = estimated(means, 10.0, stakes)
    steps = np.diff(line.ravel())
    assert steps == pytest.approx(np.full(15, steps[0]), rel=1e-3)  # a line in the stakes
    assert line.mean() == pytest.approx(means.mean())


def test_plans_that_are_clearly_worse_are_dropped() -> None:
    noise = np.array([0.1, -0.1] * 50)
    assert promising([0, 1, 2], [[0 * noise], [noise - 1], [noise + 1]]) == [0, 2]
    assert promising([0, 1, 2], [[0 * noise], [noise], [noise]]) == [0, 1, 2]


def test_rollouts_are_zero_sum_and_see_who_is_winning() -> None:
    rollouts, match = Rollouts(GAME), begun(GAME).copy_of(0)
    match[0].fighters[1].hp = 1
    stances = [GAME.action_names.index(f"stance {name}") for name in ("might", "agility")]
    mixes = np.tile([1 / 3, 1 / 3, 1 / 3, 0], (2, 1))
    worth = []
    for seat in range(2):
        rng = np.random.default_rng(0)
        each = rollouts.spread(match, rng, 2)
        worth.append(rollouts.play(np.tile(stances, (rollouts.slots, 1)), mixes, seat, rng, 2, each))
    assert worth[0] == pytest.approx(-worth[1])
    assert worth[0].mean() > 0.9
    assert worth[0][0] == pytest.approx(worth[0][1])  # groups meet the same dice


def test_what_an_enemy_has_shown_is_expected_again() -> None:
    batch = begun(GAME)
    mixes = Mixes(GAME)
    features = batch.observations[0, 0].copy()
    mix = np.array([0.2, 0.3, 0.5, 0.0])
    assert mixes.expected(features, 0, mix) == pytest.approx(mix)
    for k in range(1, 9):
        features[GAME.feature_names.index(f"enemy 1 reveal {k} agility")] = 1
    assert mixes.expected(features, 0, mix) == pytest.approx([0.04, 0.86, 0.1, 0])  # (2 * mix + 8) / 10


def test_stakes_of_a_mirror_duel_are_antisymmetric() -> None:
    game = HeartRush("mirror_duel")
    features = begun(game).observations[0, 0]
    stakes = Mixes(game).stakes(features, 0)
    assert scenario_of(game).name == "mirror_duel"
    assert stakes == pytest.approx(-stakes.T)
