"""The exact agent of duels in beats, policies read from observations, and the commands that solve and exploit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.base import Player, Probabilities

from heartrush_env.app.cli.main import main
from heartrush_env.research.beats.figures import read_duel
from heartrush_env.research.beats.reading import read_policy
from heartrush_env.research.beats.solve import gains, solve
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.registry import open_game


def opened(scenario: str, **rules: object) -> Game:
    """Return a game on a shipped duel in beats."""
    return open_game({"game": "heretics", "scenario": scenario, "rules": rules}, "")


@pytest.mark.parametrize("scenario", ["beat", "beat_mirror"])
def test_the_exact_agent_cannot_be_exploited(scenario: str) -> None:
    game = opened(scenario, duel_profile="plain", beat_cap=4)
    player = load("heretics_equilibrium").seat(game)
    lost = gains(solve(read_duel(game)), read_policy(player, game, 0), read_policy(player, game, 1))
    assert lost == pytest.approx((0, 0), abs=1e-9)


@pytest.mark.long
def test_the_exact_agent_wins_what_the_solution_says() -> None:
    """Play full duels against itself; the mean result is within three standard errors of the value."""
    game, fights = opened("beat"), 300
    player, batch, rng = load("heretics_equilibrium").seat(game), game.batch(fights), np.random.default_rng(5)
    batch.start(list(range(fights)), 3, list(range(fights)))
    actions, going, scores, answered = np.zeros((fights, 2), np.int64), np.ones(fights, bool), np.zeros(fights), set()
    while going.any():
        for k, seat in np.argwhere(going[:, None] & (batch.masks.sum(axis=2) > 0)):
            observation = {"observation": batch.observations[k, seat], "action_mask": batch.masks[k, seat]}
            actions[k, seat] = player.act(observation, rng)
            answered.add(game.action_names[actions[k, seat]])
        batch.step(actions)
        ended = going & batch.terminated
        scores[ended] = batch.rewards[ended, 0]
        going &= ~ended
    table = solve(read_duel(game))
    assert {"parry", "push", "feint", "sunder", "keep", "break_shield"} <= answered
    assert abs(scores.mean() - table.value) < 3 * scores.std() / np.sqrt(fights)


def duel_with(own: dict[str, object], **rules: object) -> Game:
    """Return a duel in beats of a sellsword with more fields against a brigand."""
    fighters = [{"from": "sellsword", "team": "blue", **own}, {"from": "brigand", "team": "red"}]
    return open_game({"game": "heretics", "scenario": {"mode": "beats", "fighter": fighters}, "rules": rules}, "")


def test_the_arms_of_a_duelist_that_takes_its_next_weapon_leave_out_empty_slots_and_missile_weapons() -> None:
    game = duel_with({"inventory": ["none", "sling", "mace", "short_sword"]}, duel_rearm="on")
    assert [arm.name for arm in read_duel(game).duelists[0].arms] == ["short_sword", "mace", "short_sword", ""]


def test_the_exact_agent_refuses_arms_that_it_cannot_tell_apart() -> None:
    """With the second of two short swords in hand it would play as if the first were whole."""
    agent = load("heretics_equilibrium")
    assert agent.plays(duel_with({"inventory": ["mace"]}, duel_rearm="on")) is None
    equal = duel_with({"inventory": ["short_sword"]}, duel_rearm="on")
    assert agent.plays(equal) == (
        "sellsword_0: expected weapons of different names, because observations show no more of them"
    )
    assert agent.plays(duel_with({"inventory": ["short_sword"]})) is None


@pytest.mark.parametrize(
    ("own", "rules", "why"),
    [
        ({"inventory": ["halberd"]}, {"duel_rearm": "on"},
         "sellsword_0: expected no weapon for two hands beside a shield, got one"),
        ({"hp": 900}, {}, "expected at most 25000000 states, got 73728000"),  # 900 * 5 * 16 * 1024
    ],
)  # fmt: skip
def test_a_duel_that_is_not_solved_is_refused_in_a_clause(
    own: dict[str, object], rules: dict[str, object], why: str
) -> None:
    game = duel_with(own, **rules)
    assert load("heretics_equilibrium").plays(game) == why
    with pytest.raises(SolverError, match=why):
        read_duel(game)


def test_a_player_that_reads_past_beats_is_refused() -> None:
    game = opened("beat_mirror", beat_cap=2)

    class Repeating(Player):
        """A player that pushes more after the other side's push."""

        def policy(self, observation: Observation) -> Probabilities:
            """Return the mix."""
            chances = np.ones(len(game.action_names))
            pushed = observation["observation"][list(game.feature_names).index("second push 1")]
            chances[game.action_names.index("push")] += pushed
            return chances

    with pytest.raises(SolverError, match="its choices depend on past beats"):
        read_policy(Repeating(game), game, 0)


def test_solve_prints_the_value_and_the_first_mixes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "solve", "beat_mirror", "--game", "heretics", "--exploit", "uniform", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == pytest.approx(0, abs=1e-9)
    mix = {"parry": 0.560265, "push": 0.219868, "feint": 0.219868}
    assert found["mixes"]["sellsword_0"] == pytest.approx(mix, abs=1e-6)
    assert found["exploited"]["nash_conv"] > 0.1
    assert main(["duel", "solve", "beat_mirror", "--game", "heretics"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == ("Value +0.000000 for sellsword_0: P(win) - P(loss). Solved with its cap of 50 rounds.")
    assert "sellsword_1         parry 56.0 %, push 22.0 %, feint 22.0 %" in lines


def test_exploit_is_exact_in_plain_beats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["duel", "exploit", "heretics_equilibrium", "beat_mirror", "--game", "heretics"]) == 0
    assert "NashConv 0.0000: the sum of both gains." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["solve", "gate"], "'gate' cannot be solved: expected a duel in beats, which is a scenario of heretics with "
         "the mode beats."),
        (["exploit", "uniform", "beat", "--method", "exact"],
         "'uniform' has no exact answer on 'beat': policies are read under the duel_profile plain only."),
        (["solve", "beat", "--exploit", "uniform"],
         "uniform cannot be analysed on 'beat': policies are read under the duel_profile plain only."),
        (["solve", "beat", "--check"],
         "--check: expected a duel of Heart Rush, got 'beat', which is a scenario of heretics."),
    ],
)  # fmt: skip
def test_errors_are_one_sentence(
    words: list[str], error: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heartrush_env.research.beats.solve.solve", None)  # what is wrong is told before solving
    assert main(["duel", *words, "--game", "heretics"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"heartrush: {error}"
