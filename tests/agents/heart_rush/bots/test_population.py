"""The bots of the mind-game arena: each bot's stances after given histories, and how well second-guessing does."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, AgentError, Player, available, load, population, register
from heartrush_agents.heart_rush.bots.iocaine import (
    ANSWERS,
    EVENLY,
    PREDICTORS,
    SecondGuesser,
    guesses,
    predictions,
)
from heartrush_agents.heart_rush.bots.patterns import CyclingPlayer
from heartrush_agents.heart_rush.exact.equilibrium import ERROR
from heartrush_agents.heart_rush.roster import BOTS, OF_SOLVED_DUELS, POPULATION, UNLISTED
from heartrush_agents.heart_rush.tables import edge
from heartrush_agents.heart_rush.tactics.opponent_model import GAP, LONGEST, Memory, Round
from heartrush_agents.registry import left_out

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.tables import scenario_table
from tests.agents.heart_rush.bots.test_predictors import shares, stance_window
from tests.agents.seats import begun, check_many_as_alone, play, seen_by
from tests.reference.solver import Duelist
from tests.research.duels import game_of
from tests.shipped import ON_MAP, WITHOUT_MAP, short

NEW = tuple(agent.id for agent in UNLISTED if agent.id in POPULATION)
OF_THE_ROSTER = {agent.id for agent in BOTS if agent.id in POPULATION}
LETTERS = "macd"
EQUAL = (6, 6, 6)
EVEN = {"m": pytest.approx(1 / 3), "a": pytest.approx(1 / 3), "c": pytest.approx(1 / 3)}
MIGHT, AGILITY, CUNNING = range(3)
RPS = edge(Settings()).astype(float)  # agility beats might, cunning agility, might cunning


@pytest.fixture(scope="module")
def duel() -> HeartRush:
    return HeartRush("duel")


# -- all of them -------------------------------------------------------------------------------------------------------


def test_the_population_is_of_named_bots_that_newcomers_are_not_shown() -> None:
    assert len(population()) == len(set(population())) >= 24
    assert set(population()) == {*OF_THE_ROSTER, *NEW}
    assert set(available()) >= OF_THE_ROSTER and not set(NEW) & set(available())
    assert "duelist" not in population()
    descriptions = [load(id).description for id in population()]
    assert len(set(descriptions)) == len(descriptions)
    assert all(text.endswith(".") and text.count(". ") == 0 for text in descriptions)


def test_where_the_duel_is_solved_bots_that_rest_on_that_join(duel: HeartRush) -> None:
    """Bots based on the solution join the arena of a solvable duel, and are left out of others with a reason."""
    solved = game_of(Duelist(hp=2), Duelist(heart=6), max_rounds=10_000)
    solved = HeartRush(solved.scenario)
    assert population(solved) == (*population(), *OF_SOLVED_DUELS)
    assert left_out(solved) == {}
    assert population(duel) == population()
    assert set(left_out(duel)) == set(OF_SOLVED_DUELS)
    assert all("the setting maneuvers is on" in reason for reason in left_out(duel).values())
    assert load("epsilon_equilibrium").id not in available()


@pytest.mark.long
def test_the_equilibrium_with_an_error_is_the_mixture() -> None:
    """By hand: one decision in five picks each of the four stances with probability 1/4."""
    game = HeartRush(game_of(Duelist(hp=2), Duelist(might=8), max_rounds=10_000).scenario)
    seen = seen_by(begun(game))
    sure = load("equilibrium").seat(game).policy(seen)
    assert ERROR == 0.2
    assert load("epsilon_equilibrium").seat(game).policy(seen) == pytest.approx(0.8 * sure + 0.05 * seen["action_mask"])


def test_an_id_of_the_population_is_taken_and_hinted_at() -> None:
    with pytest.raises(AgentError, match=r"got 'copycat'; the ids taken are .* and all others of population\(\)\.$"):
        register(Agent("copycat", "Another.", load("random").make))
    with pytest.raises(AgentError, match="did you mean 'copycat'"):
        load("copycta")


@pytest.mark.parametrize("scenario", [*WITHOUT_MAP, *(pytest.param(name, marks=pytest.mark.long) for name in ON_MAP)])
def test_each_plays_each_scenario_to_its_end(scenario: str) -> None:
    """The new bots take all seats in groups until each has played; an illegal choice would raise an error."""
    env = heart_rush_v0.parallel_env(scenario=scenario_table(short(scenario)), illegal="raise")
    seats = len(env.possible_agents)
    for first in range(0, len(NEW), seats):
        ids = [NEW[(first + seat) % len(NEW)] for seat in range(seats)]
        players = {agent: load(id).seat(env.game) for agent, id in zip(env.possible_agents, ids, strict=True)}
        assert play(env, players, seed=first)[-1]["type"] == "end"


@pytest.mark.parametrize("id", [id for id in NEW if hasattr(load(id).seat(HeartRush("duel")), "policies")])
def test_many_observations_are_answered_as_each_alone(id: str) -> None:
    check_many_as_alone(id, "brawl", slots=16, steps=25)


@pytest.mark.parametrize(
    ("id", "memory", "reason"),
    [
        ("copycat", 0, "memory=0 shows none"),
        ("second_guesser", 0, "memory=0 shows none"),
        ("cycle_up", 0, "memory=0 shows none"),
        ("copycat_4", 3, "it needs the reveal of 4 rounds ago, but memory=3 does not show it"),
        ("copycat_4", 4, None),
    ],
)
def test_who_watches_refuses_a_game_that_shows_too_little(id: str, memory: int, reason: str | None) -> None:
    found = load(id).plays(HeartRush("duel", memory=memory))
    assert found is None if reason is None else found is not None and found.endswith(reason)


# -- patterns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "own", "other", "next"),
    [
        ("copycat", "aaaa", "mmmc", "c"),
        ("copycat_2", "aaaa", "mmac", "a"),
        ("copycat_4", "aaaa", "cmmm", "c"),
        ("counter_2", "aaaa", "mmac", "c"),  # cunning beats the agility of two rounds ago
        ("anti_copycat", "mmma", "cccc", "c"),  # the enemy repeats its agility, cunning beats that
        ("anti_counter", "mmma", "cccc", "m"),  # the enemy answers agility by cunning, might beats that
        ("win_stay_lose_back", "a", "m", "a"),
        ("win_stay_lose_back", "a", "c", "m"),  # has lost: its agility beats might
        ("win_stay_lose_back", "a", "a", "m"),
        ("win_shift_lose_stay", "a", "m", "c"),  # has won: cunning beats agility
        ("win_shift_lose_stay", "a", "c", "a"),
        ("win_shift_lose_stay", "a", "d", "a"),
        ("frequency_recent", "mmmmmm", "mmmmaa", "a"),  # might 1.21, agility 1.8: agility scores 1.21, cunning 0.59
        ("frequency_recent", "mmmmmm", "mmaaaa", "c"),  # agility 2.95, might 0.74: cunning scores 2.21, agility 0.74
        ("history_match", "mmmmmm", "maamaa", "a"),  # after maa came might
        ("history_match_both", "mmmmmm", "maamaa", "a"),
        ("history_match_both", "mcmmaa", "maamaa", "c"),  # it never went so: agility most often
        ("anti_frequency", "mmm", "ccc", "c"),  # agility is the answer to might, and cunning to that
    ],
)
def test_reactions_and_predictions(id: str, own: str, other: str, next: str, duel: HeartRush) -> None:
    assert shares(load(id).seat(duel), stance_window(duel, own=own, other=other, dice=EQUAL)) == {next: 1}


@pytest.mark.parametrize("id", ["copycat", "copycat_2", "counter_2", "anti_copycat", "anti_counter"])
@pytest.mark.parametrize("seen", ["", "dd"])
def test_after_nothing_and_after_hiding_all_attacks_alike(id: str, seen: str, duel: HeartRush) -> None:
    assert shares(load(id).seat(duel), stance_window(duel, own=seen, other=seen)) == EVEN


def test_reactions_are_to_the_weakest_enemy_who_stands() -> None:
    game = HeartRush("brawl")
    player, both = load("copycat").seat(game), {"other": "mm", "second": "cc"}
    assert shares(player, stance_window(game, **both)) == {"m": 1}
    assert shares(player, stance_window(game, **both, enemy__2__hp=0.5)) == {"c": 1}
    assert shares(player, stance_window(game, **both, enemy__2__hp=0.5, enemy__2__standing=0)) == {"m": 1}


@pytest.mark.parametrize(
    ("id", "cycle"), [("cycle_up", "mac"), ("cycle_down", "mca"), ("cycle_twice", "mmaacc"), ("in_and_out", "dmdadc")]
)
def test_cycles_begin_anew_in_every_fight(id: str, cycle: str, duel: HeartRush) -> None:
    player = load(id).seat(duel)
    for place, letter in enumerate(cycle * 2):
        assert shares(player, stance_window(duel, rounds=place)) == {letter: 1}


def test_a_cycle_of_all_pairs_tells_nothing_by_its_last_stance(duel: HeartRush) -> None:
    """In nine rounds, each attacking stance is followed once by each attacking stance."""
    player = load("cycle_all_pairs").seat(duel)
    assert isinstance(player, CyclingPlayer)
    taken = [next(iter(shares(player, stance_window(duel, rounds=place)))) for place in range(10)]
    assert sorted(pairwise(taken)) == sorted((one, other) for one in "mac" for other in "mac")


def test_mixes(duel: HeartRush) -> None:
    window = stance_window(duel)
    assert shares(load("mostly_agility").seat(duel), window) == {"m": 0.2, "a": 0.6, "c": 0.2}
    assert shares(load("never_cunning").seat(duel), window) == {"m": 0.5, "a": 0.5}
    assert shares(load("half_defensive").seat(duel), window)["d"] == 0.5
    half = shares(load("markov_1_half").seat(duel), stance_window(duel, other="mmm"))
    assert half == pytest.approx({"m": 1 / 6, "a": 1 / 6 + 1 / 2, "c": 1 / 6})


@pytest.mark.parametrize(("id", "answer"), [("shrugs_never", "take"), ("shrugs_always", "shrug")])
def test_bad_shruggers(id: str, answer: str, duel: HeartRush) -> None:
    """The answer is fixed for small and large hits: the default policy answers hits of 2 and 30 points differently."""
    names, player = list(duel.action_names), load(id).seat(duel)
    for damage in (2, 30):
        seen = stance_window(duel)["observation"]
        seen[list(duel.feature_names).index("self hit")] = damage / 400
        mask = np.array([name in ("shrug", "take") for name in names], np.int8)
        policy = player.policy({"observation": seen, "action_mask": mask})
        assert {names[k]: policy[k] for k in policy.nonzero()[0]} == {answer: 1}
    assert shares(player, stance_window(duel)) == EVEN


def test_the_ladder_of_quantal_responses_leads_from_all_alike_to_the_tactician(duel: HeartRush) -> None:
    window = seen_by(begun(duel))
    best = next(iter(shares(load("tactician").seat(duel), window)))
    rungs = [shares(load(f"quantal_{precision}").seat(duel), window) for precision in (5, 15, 50)]
    held = [1 / 3, *(rung[best] for rung in rungs), 1.0]
    assert held == sorted(held) and len(set(held)) == len(held)
    assert all(sum(rung.values()) == pytest.approx(1) for rung in rungs)
    # A logit by hand: the logarithms of two shares differ by the precision times what the stakes differ by.
    slopes = [np.log(rung["m"] / rung["a"]) / precision for rung, precision in zip(rungs, (5, 15, 50), strict=True)]
    assert slopes == pytest.approx([slopes[0]] * 3)


# -- predictors --------------------------------------------------------------------------------------------------------


def remembering(own: str, other: str) -> Memory:
    """Return the memory of these rounds, oldest first; a bar separates two fights."""
    memory = Memory(matches=True)
    for one, another in zip(own, other, strict=True):
        memory.enter(GAP if one == "|" else Round(LETTERS.index(one), LETTERS.index(another)))
    return memory


@pytest.mark.parametrize(
    ("kind", "own", "other", "followed"),
    [
        ("other", "mmmmmmm", "macamac", "ma"),  # mac was followed by a, beside an own m
        ("other", "mmmmmm", "aamaac", None),  # cunning never came before
        ("other", "mmmmmm", "mcmama", "mm"),  # only the last stance has come before: might followed
        ("own", "macamac", "ccdcccc", "ac"),  # the own mac was followed by an agility, beside a cunning
        ("both", "aam", "mac", None),
        ("both", "mmamm", "acmac", "am"),  # (m, a), (m, c) were followed by (a, m)
        ("other", "mmm|mmm", "mac|mac", None),  # mac and the gap: what came in the new fight is what is matched
    ],
)
def test_the_longest_match(kind: str, own: str, other: str, followed: str | None) -> None:
    memory = remembering(own, other)
    found = memory.after_repeat(kind)
    if "|" in own:
        assert not found.any()  # after mac no fight has gone on yet
        memory.enter(GAP)
        as_the_last_fight_began = [1, 0, 0, 0]
        assert found.shape == (2, 4) and memory.after_repeat(kind)[1].tolist() == as_the_last_fight_began
    elif followed is None:
        assert not found.any()
    else:
        assert ["macd"[int(row.argmax())] for row in found] == list(followed)
        assert found.sum() == 2


def test_histories_are_of_all_rounds_with_gaps_between_fights_and_where_rounds_are_hidden(duel: HeartRush) -> None:
    player: Any = load("history_match").seat(duel)
    player.policy(stance_window(duel, own="m", other="a"))
    player.policy(stance_window(duel, own="mcd", other="ac."))
    player.new_fight()
    player.new_fight()
    player.policy(stance_window(duel, own="a" * 9, other="m" + "c" * 8))  # the first is not shown any more
    first, second, third = Round(MIGHT, AGILITY), Round(CUNNING, CUNNING), Round(3, NO_STANCE)
    late = [Round(AGILITY, CUNNING)] * 8
    assert player._history.memories[0].rounds == [first, second, third, GAP, GAP, *late]


def test_memory_is_bounded_and_counts_of_late_fade() -> None:
    """Recent counts fade by 0.8 a round, by hand: might 0.8**3 + 0.8**2, agility 0.8 + 1."""
    memory = remembering("m" * 40, "mac" * 13 + "m")
    assert max(len(key) for key in memory._followed) == LONGEST + 1  # with its kind
    memory = remembering("cccc", "mmaa")
    assert memory.counts[1].tolist() == [2, 2, 0, 0]
    assert memory.recent[1] == pytest.approx([0.8**3 + 0.8**2, 1.8, 0, 0])
    assert memory.counts[0].tolist() == [0, 0, 4, 0]


@pytest.mark.parametrize("id", ["frequency_recent", "history_match", "second_guesser", "second_guesser_odds"])
def test_a_new_match_forgets_and_a_second_look_changes_nothing(id: str, duel: HeartRush) -> None:
    player = load(id).seat(duel)
    first = [player.policy(stance_window(duel, own="c" * k, other="m" * k)) for k in range(9)]
    again = [player.policy(stance_window(duel, own="c" * 8, other="m" * 8)) for _ in range(3)]
    assert all((each == first[-1]).all() for each in again)
    assert shares(player, stance_window(duel, own="c" * 8, other="m" * 8)) == {"a": 1}
    player.new_match()
    assert shares(player, stance_window(duel)) == EVEN
    if isinstance(player, SecondGuesser):
        assert len(player._scores) == 1 and not player._trust.any()


# -- second-guessing ---------------------------------------------------------------------------------------------------


def test_guesses_go_round_the_circle() -> None:
    """One predictor expects might from the enemy and cunning from the player; without a prediction, answers are even.

    Level 1 counters the enemy's might by agility. At level 2 the enemy counters this agility by cunning, so might is
    the answer. At level 3 the enemy counters this might by agility, so cunning is the answer. An enemy that predicts
    the player's cunning takes might, so agility is the answer at level 1, and levels 2 and 3 follow as before.
    """
    expected = np.zeros((2, PREDICTORS, 4))
    expected[1, 0, MIGHT] = expected[0, 0, CUNNING] = 1
    found = guesses(expected, RPS)
    assert len(found) == ANSWERS and found[0] == EVENLY
    by_guess = found[1:].reshape(3, 2, PREDICTORS)  # guesses, of the enemy or of oneself, predictors
    assert by_guess[:, 0, 0].tolist() == [AGILITY, MIGHT, CUNNING]
    assert by_guess[:, 1, 0].tolist() == [AGILITY, MIGHT, CUNNING]
    assert (by_guess[:, :, 1:] == EVENLY).all()


def test_guesses_by_stakes() -> None:
    """If might is worth 3 against might, might answers might; the enemy counters it by agility, so cunning is next."""
    worth = RPS.copy()
    worth[MIGHT, MIGHT] = 3.0
    expected = np.zeros((2, PREDICTORS, 4))
    expected[1, 0, MIGHT] = 1
    assert guesses(expected, worth)[1:].reshape(3, 2, PREDICTORS)[:2, 0, 0].tolist() == [MIGHT, CUNNING]


def test_predictors_see_both_sides_and_habits_after_the_last_stances() -> None:
    """By hand: after agility the enemy took cunning twice and agility once; after (cunning, agility), agility once."""
    found = predictions(remembering("mmm", "aca"))
    assert found.shape == (2, PREDICTORS, 4) and found[1, 0].tolist() == [0, 2, 1, 0]
    memory = remembering("mmmmm", "acaac")
    memory.enter(Round(MIGHT, AGILITY))
    assert memory.habit(1).tolist() == [[5, 0, 0, 0], [0, 1, 2, 0]]
    assert memory.habit(2).tolist() == [[4, 0, 0, 0], [0, 1, 0, 0]]


def battle_of_wits(one: Player, other: Player, fights: int, rounds: int = 25, seed: int = 3) -> float:
    """Return the first player's mean result per round: 1 if its stance beats the other's, -1 if it is beaten."""
    chance, won, game = np.random.default_rng(seed), 0.0, one.game
    assert isinstance(game, HeartRush)
    for _ in range(fights):
        taken = ["", ""]
        one.new_fight()
        other.new_fight()
        for _ in range(rounds):
            both = []
            for player, own, enemy in ((one, *taken), (other, *reversed(taken))):
                window = stance_window(game, own=own[-9:], other=enemy[-9:], rounds=len(own), dice=EQUAL)
                both.append(game.action_names[player.act(window, chance)].removeprefix("stance ")[0])
            taken = [shown + letter for shown, letter in zip(taken, both, strict=True)]
            won += RPS[LETTERS.index(both[0]), LETTERS.index(both[1])]
    return won / (fights * rounds)


@pytest.mark.parametrize(
    "id",
    """
    might cycle_up cycle_down cycle_twice cycle_all_pairs copycat copycat_2 counter_last counter_2 anti_copycat
    anti_counter win_stay_lose_shift win_stay_lose_back win_shift_lose_stay
    frequency frequency_recent markov_1 markov_2 history_match history_match_both anti_frequency
    uniform second_guesser
    """.split(),
)
def test_a_second_guesser_beats_every_simple_bot_and_loses_little_to_its_like(id: str, duel: HeartRush) -> None:
    """In 300 rounds, chance alone has a standard deviation of 0.047; the bound -0.082 is three deviations of 900."""
    fights, least = (36, -0.082) if id in ("uniform", "second_guesser") else (12, 0.3)
    assert battle_of_wits(load("second_guesser").seat(duel), load(id).seat(duel), fights) > least
