"""The agents of the package, and agents that users write."""

import pickle
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, AgentError, Player, available, load, register

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.game import Game, Observation
from tests.agents.seats import STANCES, begun, check_many_as_alone, play, seen_by, watch
from tests.shipped import SHIPPED as SCENARIOS
from tests.shipped import WITHOUT_MAP, short
from tests.toy_game import ToyGame

SHIPPED = tuple(
    """
    random might agility cunning defensive uniform charger default weighted turtle
    repeat_last counter_last win_stay_lose_shift frequency markov_1 markov_2 tactician modeller
    """.split()
)
EDITIONS = ("june2025", "december2025", "classic")


# -- all of them -------------------------------------------------------------------------------------------------------


def test_the_agents_that_come_with_the_package() -> None:
    assert available()[: len(SHIPPED)] == SHIPPED
    for id in SHIPPED:
        assert load(id).id == id and load(id).description.endswith(".")


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("id", SHIPPED)
def test_each_agent_plays_each_scenario_to_its_end(id: str, scenario: str) -> None:
    """The agent takes every other seat and uniform the rest; an illegal choice would raise an error."""
    env = heart_rush_v0.parallel_env(scenario=scenario_table(short(scenario)), illegal="raise")
    if load(id).plays(env.game) is not None:
        assert id == "charger" and env.game.scenario.battlefield is None
        return
    players = {agent: load((id, "uniform")[seat % 2]).seat(env.game) for seat, agent in enumerate(env.game.agents)}
    for _, agent, observation in watch(env, players, seed=3):
        policy, mask = players[agent].policy(observation), observation["action_mask"]
        assert policy.shape == mask.shape and (policy >= 0).all()
        assert not policy[mask == 0].any()
        assert policy.sum() == pytest.approx(1.0)
    assert env.agents == [] and env.events[-1]["type"] == "end"


@pytest.mark.parametrize("id", SHIPPED)
def test_a_policy_changes_nothing_and_a_player_can_be_pickled(id: str) -> None:
    game = HeartRush("brawl" if id != "charger" else "skirmish")
    player = load(id).seat(game)
    observation: Observation = seen_by(begun(game, 0))
    before = {key: value.copy() for key, value in observation.items()}  # type: ignore[attr-defined]
    first = player.policy(observation)
    first[:] = 0
    assert player.policy(observation).sum() == pytest.approx(1.0)
    assert all((observation[key] == value).all() for key, value in before.items())  # type: ignore[literal-required]
    again = pickle.loads(pickle.dumps(player))
    assert (again.policy(observation) == player.policy(observation)).all()


# -- one by one ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "shares"),
    [
        ("might", {"might": 1}),
        ("agility", {"agility": 1}),
        ("cunning", {"cunning": 1}),
        ("defensive", {"defensive": 1}),
        ("default", {"defensive": 1}),
        ("uniform", {"might": 1 / 3, "agility": 1 / 3, "cunning": 1 / 3}),
        ("random", dict.fromkeys(STANCES, 1 / 4)),
        ("weighted", {"might": 8 / 20, "agility": 6 / 20, "cunning": 6 / 20}),  # the knight's dice
        ("turtle", {"might": 8 / 20, "agility": 6 / 20, "cunning": 6 / 20}),  # 8 + 8 + 12, the duelist 10 + 10 + 8
        *(
            (id, {"might": 1 / 3, "agility": 1 / 3, "cunning": 1 / 3})  # nothing has been revealed
            for id in ("repeat_last", "counter_last", "win_stay_lose_shift", "frequency", "markov_1", "markov_2")
        ),
    ],
)
def test_the_stances_of_each_agent(id: str, shares: dict[str, float]) -> None:
    game = HeartRush("duel")  # whose first window is the first round's stance window
    policy = load(id).seat(game).policy(seen_by(begun(game, 0)))
    assert {name: policy[k] for k, name in enumerate(game.action_names) if policy[k]} == pytest.approx(
        {f"stance {stance}": share for stance, share in shares.items()}
    )


def test_a_mixed_policy_is_played_mixed() -> None:
    game = HeartRush("duel")
    player, observation, chance = load("uniform").seat(game), seen_by(begun(game, 0)), np.random.default_rng(1)
    drawn = Counter(game.action_names[player.act(observation, chance)] for _ in range(3000))
    assert set(drawn) == {"stance might", "stance agility", "stance cunning"}
    assert all(abs(count - 1000) < 5 * np.sqrt(3000 * 2 / 9) for count in drawn.values())  # five standard deviations


@pytest.mark.parametrize(
    ("scenario", "edition"),
    [
        pytest.param(name, edition, marks=pytest.mark.long if edition == "classic" and name != "duel" else [])
        for name in WITHOUT_MAP
        for edition in EDITIONS
    ],
)
def test_the_default_is_what_windows_do_that_are_left_to_themselves(scenario: str, edition: str) -> None:
    """With equal stances and dice, the engine's default choices and the agent `default` give equal events."""

    class Mixed(Player):
        """A player that cycles through the stances at its own pace, and leaves all other windows to `default`."""

        def __init__(self, game: Game, step: int) -> None:
            super().__init__(game)
            self.default, self.step, self.fought = load("default").seat(game), step, 0

        def policy(self, observation: Observation) -> Any:
            names, mask = self.game.action_names, observation["action_mask"]
            if not mask[names.index("stance might")]:
                return self.default.policy(observation)
            self.fought += 1
            chosen = f"stance {STANCES[self.fought * self.step // 3 % 4]}"
            return np.array([float(name == chosen) for name in names])

    fights = []
    for decisions in ("full", "stance"):
        options: dict[str, Any] = {"decisions": decisions, "rules": {"edition": edition}, "illegal": "raise"}
        env = heart_rush_v0.parallel_env(scenario=scenario, **options)
        players: Any = {agent: Mixed(env.game, 2 * seat + 1) for seat, agent in enumerate(env.possible_agents)}
        fights.append(play(env, players, seed=11))
    full, stance = fights
    assert sum(event["type"] == "attack" for event in full) > 5
    assert full == stance


# -- agents of one's own -----------------------------------------------------------------------------------------------


class Last(Player):
    """The simplest bot: it takes the last legal action."""

    def policy(self, observation: Observation) -> Any:
        """Return probability 1 for the last legal action."""
        mask = observation["action_mask"].astype(float)
        mask[: np.flatnonzero(mask)[-1]] = 0
        return mask


def test_the_simplest_bot_writes_its_policy_alone() -> None:
    register(Agent("last", "The last legal action.", Last))
    assert available()[-1] == "last"
    env = heart_rush_v0.parallel_env(scenario="duel", illegal="raise")
    players = {agent: load("last").seat(env.game) for agent in env.possible_agents}
    assert play(env, players, seed=1)[-1]["type"] == "end"
    player = players["knight_0"]
    player.new_match()
    player.new_fight()
    player.observe([])
    assert player.memory == 0


def test_an_agent_may_replace_its_like_but_none_of_the_package() -> None:
    register(Agent("last", "The last legal action.", Last))
    again = register(Agent("last", "The very last legal action.", Last))
    assert load("last") is again
    said = r"^Expected an id that no agent of the package has, got 'random'; the ids taken are random, might.*\.$"
    with pytest.raises(AgentError, match=said):
        register(Agent("random", "Something else.", Last))


def test_an_unknown_id_is_refused_with_all_that_there_are() -> None:
    with pytest.raises(AgentError) as refusal:
        load("unifrom")
    assert str(refusal.value) == (
        f"Unknown agent 'unifrom' (did you mean 'uniform'?), expected {', '.join(available())}, best_response:ID, "
        "restricted_nash:ID@P, thinker:ID, or a folder with a card.json."
    )


def test_an_agent_refuses_a_game_that_it_does_not_claim() -> None:
    toy = ToyGame()
    said = r"^The agent 'default' cannot take a seat at .*: it plays heart_rush, not \w+\.$"
    with pytest.raises(AgentError, match=said):
        load("default").seat(toy)
    assert load("default").plays(HeartRush("duel")) is None
    assert load("random").plays(toy) is None


def test_what_is_drawn_is_never_of_probability_zero() -> None:
    class Edge(Player):
        def policy(self, observation: Observation) -> Any:
            mask = observation["action_mask"].astype(float)
            chosen = np.flatnonzero(mask)
            mask[chosen[0]] = mask[chosen[-1]] = 0.0
            return mask / 3  # need not sum to 1

    class Nothing(Player):
        def policy(self, observation: Observation) -> Any:
            return np.zeros(len(self.game.action_names))

    game = HeartRush("duel")
    seen = seen_by(begun(game, 0))
    draws: Any = [SimpleNamespace(random=lambda number=number: number) for number in (0.0, float(np.nextafter(1.0, 0)))]
    names = [game.action_names[Edge(game).act(seen, draw)] for draw in draws]
    assert names == ["stance agility", "stance cunning"]
    with pytest.raises(
        AgentError, match=r"^Nothing gives no legal action a probability above 0; the legal actions are stance might"
    ):
        Nothing(game).act(seen, np.random.default_rng())


@pytest.mark.parametrize(
    ("id", "scenario", "edition"),
    [
        pytest.param(
            id,
            scenario,
            edition,
            marks=[] if edition == "june2025" or (id, scenario) == ("uniform", "duel") else pytest.mark.long,
        )
        for id in ("random", "cunning", "uniform", "default")
        for scenario in ("duel", "brawl", "giant")
        for edition in ("june2025", "classic")
    ],
)
def test_many_observations_are_answered_as_each_alone(id: str, edition: str, scenario: str) -> None:
    assert check_many_as_alone(id, scenario, slots=32, steps=60, edition=edition) > 5
