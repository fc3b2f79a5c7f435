"""A network for duels in beats: what it reads, the recipe that trains it, and the agent that plays it."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError, available, load
from heartrush_agents.heretics import roster
from heartrush_agents.heretics.beat_network import BeatNetwork, nodes_of
from heartrush_agents.heretics.beat_view import (
    CHOOSE,
    COLUMNS,
    KINDS,
    OUTPUTS,
    PER_PAIR,
    SHIELD,
    STATE,
    SUNDER,
    BeatView,
)
from heartrush_agents.heretics.roster import WEIGHTS
from heartrush_agents.learned.agent import CARD
from heartrush_agents.learned.network import Layers
from heartrush_train.beats.run import BeatsRun, Solved, solved
from heartrush_train.config import BeatsConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.recipes import prepare

from heartrush_env.app.cli.train import usual_recipe
from heartrush_env.research.beats.figures import FEINT, PARRY, PUSH, read_duel
from heartrush_env.research.beats.reading import read_policy
from heartrush_env.research.beats.solve import BeatGame, gains, game_of, solve, value_of
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import open_game

GAME = "heretics"
SMALL: dict[str, Any] = {"n_states": 256, "batch_size": 64, "net_arch": (16, 16), "checkpoint_every": 2}
FEW = {"beat_cap": 3}


def opened(scenario: str, **rules: object) -> Game:
    """Return a game on a shipped duel in beats."""
    return open_game({"game": GAME, "scenario": scenario, "rules": rules}, "")


def small(folder: Path, updates: int, **options: Any) -> BeatsRun:
    """Return a small run on both shipped duels, of three beats."""
    config = BeatsConfig(
        "beat", FEW, total_samples=256 * updates, also=("beat_mirror",), game_name=GAME, **SMALL, **options
    )
    run = prepare(config, folder / "run")
    assert isinstance(run, BeatsRun)
    return run


@pytest.fixture(scope="module")
def pupil(tmp_path_factory: pytest.TempPathFactory) -> tuple[BeatsRun, Path]:
    """Return a run of two updates without measurements, and the folder of the agent that it wrote."""
    folder = tmp_path_factory.mktemp("pupil")
    run = small(folder, 2)
    run.learn(2)
    write_agent(folder / "agent", "pupil", "A pupil.", run.network(), run.game, run.facts(), run.fits())
    return run, folder / "agent"


# -- what the network reads --------------------------------------------------------------------------------------------


def test_the_chances_of_pairs_are_those_of_the_rules() -> None:
    """Worked by hand in section 17: of two sellswords at 4 hit points, a plain blow ends the duel in 53 of 240 cases.

    Against a parry that counts it is 35 of 240, with a push that counts 96, and with a feint that counts 71.
    """
    view = BeatView(BeatGame(read_duel(opened("beat_mirror"))), 0)
    rows = view.rows(CHOOSE, np.array([[0, 0, 0, 4, 0, 0, 0, 4, 1]]))
    first = len(KINDS) + STATE
    pairs = rows[0, first : first + 9 * PER_PAIR].reshape(3, 3, PER_PAIR)
    assert 240 * pairs[PUSH, PARRY, 0] == pytest.approx(35, rel=1e-5)
    assert 240 * pairs[PARRY, PUSH, 0] == pytest.approx(53, rel=1e-5)
    assert 240 * pairs[PUSH, FEINT, 0] == pytest.approx(96, rel=1e-5)
    assert 240 * pairs[FEINT, PARRY, 0] == pytest.approx(71, rel=1e-5)
    assert pairs[:, :, 3] == pytest.approx(pairs[:, :, 0].T), "the other's blows are equal"


@pytest.mark.parametrize("scenario", ["beat", "beat_mirror"])
def test_states_are_those_of_the_solver(scenario: str) -> None:
    """A policy put together from the solved games of all states, as the network's is, gains nothing."""
    duel = Solved(opened(scenario, **FEW))

    class Exact(BeatNetwork):
        """The exact mixes in place of a network's."""

        def mixes(self, seat: int, kind: int, states: Any) -> Any:
            known, games = duel.nodes(seat, kind, int(states[0, -1]), np.arange(len(states)))
            assert (states == known).all()
            return solved(games)[1]

    empty = Layers((), ())
    played = Exact(duel.table.duel, empty)
    assert gains(duel.table, played.policy(0), played.policy(1)) == pytest.approx((0, 0), abs=1e-6)


@pytest.mark.parametrize(("kind", "asked"), [(SUNDER, 1 / 4 * 1 / 2), (SHIELD, None)])
def test_only_those_that_may_answer_are_asked(kind: int, asked: float | None) -> None:
    """To sunder, an own hit (two of four rolls) and an own weapon (one of two arms) are needed."""
    nodes = nodes_of(game_of(read_duel(opened("beat", **FEW))), 1, kind)
    states = nodes.with_left(2)
    assert len(states) == len(nodes.places[0]) and (states[:, -1] == 2).all()
    if asked is not None:
        assert len(states) == np.prod(nodes.shape) * asked * 2
    else:
        own, other = states[:, :6], states[:, 6:12]
        assert (own[:, 0] == 0).all() and (other[:, 3] >= 2).all(), "its shield is whole, and it was hit"
        assert (other[:, 1][other[:, 5] == 1] == 0).all(), "nobody sunders without a weapon"


# -- the recipe --------------------------------------------------------------------------------------------------------


def test_a_run_learns_and_measures_what_best_responses_gain(tmp_path: Path) -> None:
    run = small(tmp_path, 40)
    run.begin(tmp_path / "logs")
    before = max(run.measure())
    run.learn(40)
    after = run.measure()
    assert max(after) < 0.7 * before and all(each > 0 for each in after)
    assert run.take_results()[0] == {} and run.nash_conv == pytest.approx(max(after))
    assert set(run.means) == {"nash_conv_beat", "nash_conv_beat_mirror"}


def test_the_scenario_determines_the_recipe(tmp_path: Path) -> None:
    assert usual_recipe(opened("beat")) == ("beats", {}) and usual_recipe(opened("skirmish"))[0] == "ppo_self_play"
    with pytest.raises(TrainingError, match="The recipe beats needs duels that can be solved, but 'gate'"):
        prepare(BeatsConfig("gate", game_name=GAME, **SMALL), tmp_path)


# -- the agent ---------------------------------------------------------------------------------------------------------


def test_its_figure_is_that_of_the_agent_read_by_observations(pupil: tuple[BeatsRun, Path]) -> None:
    """In the plain duel, the policy is also read from the agent's answers to the observations of all states."""
    run, folder = pupil
    game = opened("beat_mirror", **FEW)
    player = load(str(folder)).seat(game)

    class Seen:
        """The player without its own account of its policy."""

        memory, policy = 0, player.policy

    table = solve(read_duel(game))
    seen = [read_policy(Seen(), game, seat) for seat in (0, 1)]  # type: ignore[arg-type]
    assert sum(gains(table, seen[0], seen[1])) == pytest.approx(run.measure()[1], abs=1e-5)


@pytest.mark.long
def test_it_answers_hits_as_its_policy_says(pupil: tuple[BeatsRun, Path]) -> None:
    """Fights between it and the exact agent end as the exact value of both policies says."""
    game, fights = opened("beat", **FEW), 400
    player, exact = load(str(pupil[1])).seat(game), load("heretics_equilibrium").seat(game)
    value = value_of(read_duel(game), player.beat_policy(0), exact.beat_policy(1))  # type: ignore[attr-defined]
    batch, rng = game.batch(fights), np.random.default_rng(5)
    batch.start(list(range(fights)), 3, list(range(fights)))
    actions, going, scores, answered = np.zeros((fights, 2), np.int64), np.ones(fights, bool), np.zeros(fights), set()
    while going.any():
        for k, seat in np.argwhere(going[:, None] & (batch.masks.sum(axis=2) > 0)):
            decides = (player, exact)[seat]
            actions[k, seat] = decides.act(
                {"observation": batch.observations[k, seat], "action_mask": batch.masks[k, seat]}, rng
            )
            answered.add((seat, game.action_names[actions[k, seat]]))
        batch.step(actions)
        ended = going & batch.terminated
        scores[ended] = batch.rewards[ended, 0]
        going &= ~ended
    assert {(0, "sunder"), (0, "keep"), (0, "break_shield")} <= answered
    assert abs(scores.mean() - value) < 3 * scores.std() / np.sqrt(fights)


def test_it_refuses_other_games_and_warns_of_other_duels(pupil: tuple[BeatsRun, Path]) -> None:
    agent = load(str(pupil[1]))
    assert agent.plays(opened("beat", **FEW)) is None and agent.plays(open_game({"scenario": "duel"})) is not None
    for game, says in (opened("skirmish"), "duel in beats"), (opened("beat", beat_cap=60), "beat_cap"):
        with pytest.raises(AgentError, match=says):
            agent.seat(game)
    assert agent.caution is not None
    assert agent.caution(opened("beat", **FEW)) is None and "other duels" in str(agent.caution(opened("beat")))


def test_a_changed_card_is_refused(pupil: tuple[BeatsRun, Path], tmp_path: Path) -> None:
    for name in (CARD, "policy.safetensors"):
        (tmp_path / name).write_bytes((pupil[1] / name).read_bytes())
    card = json.loads((tmp_path / CARD).read_text())
    (tmp_path / CARD).write_text(json.dumps({**card, "training": {**card["training"], "duels": 3}}))
    with pytest.raises(AgentError, match="the digests of its duels are missing"):
        load(str(tmp_path))


def test_sizes(pupil: tuple[BeatsRun, Path]) -> None:
    assert pupil[0].network().policy.sizes == (COLUMNS, 16, 16, len(OUTPUTS))


# -- the shipped agent -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [pytest.param("beat", marks=pytest.mark.long), "beat_mirror"])
def test_the_shipped_network_is_close_to_the_solution(scenario: str) -> None:
    """Best responses to the shipped weights gain at most 0.03, and as much as the card of the training says."""
    game = opened(scenario)
    player = load("heretics_fencer").seat(game)
    lost = sum(gains(solve(read_duel(game)), read_policy(player, game, 0), read_policy(player, game, 1)))
    card = json.loads((WEIGHTS / "heretics_fencer" / CARD).read_text(encoding="utf-8"))
    assert lost == pytest.approx(card["training"][f"nash_conv_{scenario}"], abs=1e-3) and 0 < lost <= 0.03


def test_the_shipped_agent_is_known_by_its_id_and_reads_no_weights_before_it_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roster, "_read", None)
    agent = load("heretics_fencer")
    assert "heretics_fencer" not in available() and agent.games == (GAME,)
    monkeypatch.undo()
    assert agent.plays(opened("beat")) is None and "duel in beats" in str(agent.plays(opened("skirmish")))
    assert agent.caution(opened("beat_mirror")) is None and "other duels" in str(agent.caution(opened("beat", **FEW)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agent.seat(opened("beat"))
