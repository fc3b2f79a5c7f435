"""Programs as agents: they work in training, ratings and analyses, and start only when a seat is taken."""

import copy
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load, register
from heartrush_agents.base import Agent, AgentError
from heartrush_agents.external import ProgramPlayer, RememberingProgramPlayer, close, program
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.vector_player import VectorPlayer
from heartrush_train.config import ExploiterConfig
from heartrush_train.recipes import prepare

from heartrush_env.envs.single import SingleAgentEnv
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.protocol import program as running
from heartrush_env.tabletop.game import MISSING
from tests.agents.seats import begun, seen_by
from tests.processes import PATIENCE

ENGINE = Path(__file__).resolve().parents[2] / "clients" / "python" / "engine.py"
CANNED = """
import json, sys
def answer(m):
{body}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        print(json.dumps({{"type": "identity", "name": "it", "plays": {{"shapes": ["duel"]}}}}))
        print('{{"type":"ready"}}', flush=True)
    elif m["type"] == "quit":
        break
    elif m["type"] == "act_batch":
        choices = [answer(request) for request in m["requests"]]
        print(json.dumps({{"type": "choices", "id": m["id"], "choices": choices}}), flush=True)
    elif m["type"] != "end":
        print(json.dumps(answer(m)), flush=True)
"""
Make = Callable[..., Agent]


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_TO_LEAVE", 0.1)


@pytest.fixture
def engine() -> Iterator[Agent]:
    """Yield the Python starter program as an agent."""
    agent = program([sys.executable, str(ENGINE)], id="starter", options={"temperature": 0.5})
    yield agent
    close(agent)


@pytest.fixture
def canned() -> Iterator[Make]:
    """Yield a function that makes agents from programs with a given piece of Python."""
    made: list[Agent] = []

    def make(body: str, **more: Any) -> Agent:
        code = CANNED.format(body="\n".join(f"    {line}" for line in body.splitlines()))
        made.append(program([sys.executable, "-c", code], id="canned", **more))
        return made[-1]

    yield make
    for agent in made:
        close(agent)


def opening(game: HeartRush, seat: int = 0) -> Any:
    """Return the first observation of a seat."""
    return seen_by(begun(game, 7), seat)


def test_nothing_starts_before_a_seat_is_taken(engine: Agent) -> None:
    game = HeartRush("duel")
    before = set(running._OPEN)
    assert (engine.id, engine.plays(game)) == ("starter", None)
    assert set(running._OPEN) == before
    engine.seat(game)
    assert len(set(running._OPEN) - before) == 1
    close(engine)
    assert set(running._OPEN) == before


@pytest.mark.parametrize("words", ["exec:python engine.py", str(ENGINE), str(ENGINE.parent)])
def test_no_id_starts_a_program(words: str) -> None:
    before = set(running._OPEN)
    with pytest.raises(AgentError, match="Unknown agent"):
        load(words)
    assert set(running._OPEN) == before


def test_a_policy_is_the_programs_own(engine: Agent) -> None:
    game = HeartRush("duel")
    player = engine.seat(game)
    policy = player.policy(opening(game))
    shares = dict(zip(game.action_names, policy, strict=True))
    # Knight: might d8, agility d6, cunning d6; defensive weighs 0.5; squared, for temperature 0.5; by hand
    weights = {"might": 64, "agility": 36, "cunning": 36, "defensive": 0.25}
    for stance, weight in weights.items():
        assert shares[f"stance {stance}"] == pytest.approx(weight / 136.25)
    duelist = player.policy(opening(game, seat=1))  # the same player, another seat
    assert duelist[game.action_names.index("stance agility")] == pytest.approx(100 / 200.25)


def test_many_are_asked_at_once_and_answered_alike(engine: Agent) -> None:
    game = HeartRush("brawl")
    player = engine.seat(game)
    assert isinstance(player, ProgramPlayer)
    batch = game.batch(80)
    batch.start(range(80), 7, range(80))
    features, masks = batch.observations.reshape(320, -1), batch.masks.reshape(320, -1)
    found = player.policies(features, masks)
    assert found.shape == masks.shape and np.allclose(found.sum(axis=1), 1) and not found[masks == 0].any()
    for row in (0, 1, 2, 3, 319):
        alone = player.policy({"observation": features[row], "action_mask": masks[row]})
        np.testing.assert_allclose(found[row], alone)
    assert player.policies(features[:0], masks[:0]).shape == (0, masks.shape[1])


def test_it_is_an_opponent_in_an_environment(engine: Agent) -> None:
    game = HeartRush("duel")
    env = SingleAgentEnv(game, opponent=engine.seat(game))
    seen, _ = env.reset(seed=3)
    chance, ended = np.random.default_rng(0), False
    while not ended:
        seen, reward, terminated, truncated, _ = env.step(int(chance.choice(seen["action_mask"].nonzero()[0])))  # type: ignore[index]
        ended = terminated or truncated
    assert reward in (-1, 0, 1)


def test_it_plays_legally_at_many_seats(engine: Agent) -> None:
    game, chance = HeartRush("duel"), np.random.default_rng(0)
    batch = game.batch(8)
    batch.start(range(8), 7, range(8))
    players = VectorPlayer(engine, game, [(slot, seat) for slot in range(8) for seat in (0, 1)], chance)
    actions = np.full((8, 2), MISSING)
    for _ in range(20):
        players.act({"observation": batch.observations, "action_mask": batch.masks}, actions)
        batch.step(actions, autoreset=True)
        assert not batch.illegal.any()


def test_one_that_remembers_is_told_of_matches_and_fights(canned: Make) -> None:
    body = 'return {"type": "choice", "id": m["id"], "choice": m["legal"][0], "policy": {m["legal"][m["fight"]]: 1}}'
    game = HeartRush("duel")
    player = canned(body, memory="match").seat(game)
    assert isinstance(player, RememberingProgramPlayer) and player.memory == "match" and not hasattr(player, "policies")
    legal = opening(game)["action_mask"].nonzero()[0]
    player.new_match()
    for fight in (1, 2, 3):
        player.new_fight()
        assert player.policy(opening(game)).argmax() == legal[fight]
    player.new_match()
    player.new_fight()
    assert player.policy(opening(game)).argmax() == legal[1]


def test_its_own_choice_is_played(canned: Make) -> None:
    body = 'return {"type": "choice", "id": m["id"], "choice": m["legal"][2], "policy": {m["legal"][0]: 1}}'
    game = HeartRush("duel")
    action = canned(body).seat(game).act(opening(game), np.random.default_rng(0))  # type: ignore[arg-type]
    assert game.action_names[action] == "stance cunning"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("import time; time.sleep(600)", "did not answer in time"),
        ("sys.exit(4)", "exited with code 4"),
        ("return 7", "other than a JSON object"),
        ('return {"type": "choice", "id": "other"}', "which no request has"),
        ('return {"type": "choice", "id": m["id"]}', "gave no legal action a probability above 0"),
        ('return {"type": "choice", "id": m["id"], "choice": "dance", "policy": {"dance": 1}}', "'dance'"),
        ('return {"type": "choice", "id": m["id"], "choice": "take", "policy": {"take": 1}}', "'take'"),
        ('return {"type": "choice", "id": m["id"], "policy": {"stance might": -1}}', "the probability -1"),
        ('return {"type": "choice", "id": m["id"], "policy": {"stance might": "1"}}', "the probability '1'"),
        ('return {"type": "error", "id": m["id"], "code": "internal", "message": "Oh."}', "internal: Oh"),
    ],
)
def test_whatever_else_it_does_is_an_error_in_one_sentence(canned: Make, body: str, words: str) -> None:
    game = HeartRush("duel")
    player: Any = canned(body, seconds=0.3 if "sleep" in body else PATIENCE).seat(game)
    seen = opening(game)
    with pytest.raises(AgentError) as caught:
        player.policy(seen)
    assert str(caught.value).startswith("The program 'canned' ") and words in str(caught.value)
    assert "\n" not in str(caught.value)
    if "internal" in words:  # in a batch, too
        with pytest.raises(AgentError, match="answered 'internal'"):
            player.policies(seen["observation"][None], seen["action_mask"][None])


@pytest.mark.parametrize("choice", ["'dance'", "'take'", "None", "[]", "{}", "1"])
def test_a_choice_that_is_not_legal_is_not_played(canned: Make, choice: str) -> None:
    game = HeartRush("duel")
    player = canned(f'return dict(type="choice", id=m["id"], choice={choice})').seat(game)
    with pytest.raises(AgentError, match=r"chose .*; the legal actions are stance might"):
        player.act(opening(game), np.random.default_rng(0))


def test_one_that_died_is_started_again(canned: Make, tmp_path: Path) -> None:
    note = tmp_path / "died"
    body = (
        f"import os\nif not os.path.exists({str(note)!r}):\n    open({str(note)!r}, 'w'); sys.exit(1)\n"
        'return {"type": "choice", "id": m["id"], "choice": m["legal"][0], "policy": {m["legal"][0]: 1}}'
    )
    game = HeartRush("duel")
    player, seen = canned(body).seat(game), opening(game)
    with pytest.raises(AgentError, match="exited with code 1"):
        player.policy(seen)  # type: ignore[arg-type]
    assert player.policy(seen).max() == 1  # type: ignore[arg-type]


def test_what_it_does_not_play_is_refused(canned: Make, engine: Agent) -> None:
    with pytest.raises(AgentError, match="it plays duel, but this game has the shape team"):
        canned("return {}").seat(HeartRush("brawl"))
    assert "for a team" in (engine.plays(HeartRush("brawl", control="team")) or "")
    with pytest.raises(AgentError, match="failed: no_such_program cannot be started"):
        program(["no_such_program"]).seat(HeartRush("duel"))
    with pytest.raises(AgentError, match="Expected an agent made by program"):
        close(load("uniform"))
    with pytest.raises(AgentError, match="bad_option"):
        program([sys.executable, str(ENGINE)], id="starter", options={"wit": 3}).seat(HeartRush("duel"))


def test_a_copy_starts_a_program_of_its_own(engine: Agent) -> None:
    game = HeartRush("duel")
    engine.seat(game)
    for other in (pickle.loads(pickle.dumps(engine)), copy.deepcopy(engine)):
        before = set(running._OPEN)
        seen: Any = opening(game)
        np.testing.assert_allclose(other.seat(game).policy(seen), engine.seat(game).policy(seen))
        assert len(set(running._OPEN) - before) == 1
        close(other)


@pytest.mark.long
def test_a_program_is_rated_and_trained_against(engine: Agent, tmp_path: Path) -> None:
    table = rate([engine, "defensive"], HeartRush("duel"), fights=20, processes=1)
    score = table.cell("starter", "defensive")
    assert score is not None and score.score > 0.9
    register(engine)
    config = ExploiterConfig(
        opponent="starter", total_samples=500, n_envs=4, n_steps=8, batch_size=32, net_arch=(8,), checkpoint_every=20
    )
    told: list[Mapping[str, float]] = []
    prepare(config, tmp_path).train(lambda progress: told.append(progress.scores))
    assert told
