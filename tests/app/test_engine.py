"""An agent behind the protocol answers each request from its text alone, in this process and in another."""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load, quick
from heartrush_agents.base import Agent, Player
from heartrush_agents.learned.agent import claims

from heartrush_env import __version__, heart_rush_v0
from heartrush_env.app import engine as engines
from heartrush_env.app.engine import Engine
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.protocol.requests import History, act_request
from heartrush_env.tabletop.game import Observation

COMMAND = [sys.executable, "-m", "heartrush_env.app.cli.main", "engine"]
FEATURES = len(HeartRush("duel").feature_names)
STANCES = ["stance might", "stance agility", "stance cunning", "stance defensive"]
ACT: dict[str, Any] = {
    "type": "act",
    "id": "1",
    "game": {"scenario": "duel"},
    "seat": "knight_0",
    "view": {"round": 1, "window": "stance"},
    "legal": STANCES,
    "seed": 7,
}


def ask(engine: Engine, *requests: Any) -> list[dict[str, Any]]:
    """Return the engine's answers to some requests."""
    answers = [engine.answer(json.dumps(request).encode()) for request in requests]
    return [json.loads(line) for lines in answers for line in lines]


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in ("ms", "nonce")}


def asked(scenario: str, seed: int = 7, **options: Any) -> Iterator[tuple[HeartRush, dict[str, Any], Observation]]:
    """Play a fight of random legal choices; yield every request that a seat with a choice would be sent."""
    env, history = heart_rush_v0.parallel_env(scenario, **options), History()
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    while env.agents:
        history.observe(env.events)
        for agent in env.agents:
            if observations[agent]["action_mask"].sum() > 1:
                request = act_request(env.game, agent, observations[agent], history.reveals, id=f"{agent}", seed=seed)
                yield env.game, request, observations[agent]
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        observations, *_ = env.step({agent: int(rng.choice(np.flatnonzero(mask))) for agent, mask in masks.items()})


# -- choices -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", [*quick(), "thinker@rollouts=16"])
@pytest.mark.parametrize("scenario", ["duel", "brawl"])
def test_the_answer_is_the_agents_own_policy_and_a_choice_drawn_from_it(agent: str, scenario: str) -> None:
    engine = Engine(load(agent))
    for k, (game, request, observation) in enumerate(asked(scenario)):
        if load(agent).plays(game) is not None or k > 40:
            return
        (answer,) = ask(engine, request)
        assert answer["type"] == "choice" and answer["id"] == request["id"], answer
        player = load(agent).seat(game)
        policy = player.policy(observation)
        legal = np.flatnonzero(observation["action_mask"])
        assert list(answer["policy"]) == request["legal"]
        assert list(answer["policy"].values()) == pytest.approx(policy[legal] / policy[legal].sum())
        drawn = Player.act(player, observation, np.random.default_rng(request["seed"]))
        assert answer["choice"] == game.action_names[drawn]
        assert answer["ms"] >= 0 and answer["reason"] and "\n" not in answer["reason"]


def test_named_fields_are_as_good_as_the_vector() -> None:
    engine = Engine(load("turtle"))
    for k, (_, request, _) in enumerate(asked("brawl")):
        named = {**request, "view": {**request["view"], "observation": None}}
        bare = {**request, "view": {"observation": request["view"]["observation"]}}
        whole, *others = map(untimed, ask(engine, request, named, bare))
        assert others == [whole, whole]
        if k > 40:
            return


def test_the_same_request_gets_the_same_choice_from_any_engine_alone_or_in_a_batch() -> None:
    requests = [{**ACT, "id": str(seed), "seed": seed} for seed in range(50)]
    engine = Engine(load("uniform"))
    alone = [untimed(answer) for answer in ask(engine, *requests)]
    again = [untimed(ask(Engine(load("uniform")), request)[0]) for request in requests[::-1]]
    (batch,) = ask(engine, {"type": "act_batch", "id": "b", "requests": requests})
    assert again[::-1] == alone == [untimed(answer) for answer in batch["choices"]]
    assert {answer["choice"] for answer in alone} == set(STANCES[:3])


def test_without_a_seed_it_chooses_by_chance() -> None:
    engine, request = Engine(load("uniform")), {**ACT, "seed": None}
    assert {ask(engine, request)[0]["choice"] for _ in range(60)} == set(STANCES[:3])


def test_choices_come_as_often_as_the_policy_says() -> None:
    engine = Engine(load("weighted"))
    answers = ask(engine, *({**ACT, "seed": seed} for seed in range(2000)))
    for stance, share in answers[0]["policy"].items():
        found = sum(answer["choice"] == stance for answer in answers) / len(answers)
        assert found == pytest.approx(share, abs=4 * (0.25 / 2000) ** 0.5)


@pytest.mark.parametrize(
    ("options", "expected"),
    [  # weighted at dice of 8, 6 and 6: 0.4, 0.3, 0.3, 0
        ({}, [0.4, 0.3, 0.3, 0]),
        ({"temperature": 0}, [1, 0, 0, 0]),
        ({"temperature": 0.5}, [16 / 34, 9 / 34, 9 / 34, 0]),
        ({"temperature": 1e-320}, [1, 0, 0, 0]),
        ({"mistakes": 1}, [0.25, 0.25, 0.25, 0.25]),
        ({"mistakes": 0.2, "temperature": 0}, [0.85, 0.05, 0.05, 0.05]),
    ],
)
def test_options_bend_the_policy_as_they_say(options: dict[str, float], expected: list[float]) -> None:
    engine = Engine(load("weighted"))
    set_answers = ask(engine, *({"type": "set", "id": name, "name": name, "value": options[name]} for name in options))
    assert set_answers == [{"type": "ready", "id": name} for name in options]
    (answer,) = ask(engine, ACT)
    assert list(answer["policy"].values()) == pytest.approx(expected)


def test_the_likeliest_are_all_played_where_they_are_equal() -> None:
    engine = Engine(load("uniform"))
    _, answer = ask(engine, {"type": "set", "name": "temperature", "value": 0}, ACT)
    assert list(answer["policy"].values()) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


@pytest.mark.parametrize(
    ("agent", "legal", "reason"),
    [
        ("weighted", STANCES, "mixes: might 40 %, agility 30 %, cunning 30 %"),
        ("might", STANCES, "plays might"),
        ("might", STANCES[1:2], "nothing but agility is legal"),
        ("agility", STANCES[::3], "has no plan for this and plays anything"),
    ],
)
def test_the_reason_is_one_honest_sentence(agent: str, legal: list[str], reason: str) -> None:
    (answer,) = ask(Engine(load(agent)), {**ACT, "legal": legal})
    assert answer["reason"] == reason and answer["choice"] in legal and answer["value"] is None


def test_a_tactician_tells_the_odds_in_its_hand_at_full_strength() -> None:
    engine = Engine(load("tactician"))
    full, _, weak = ask(engine, ACT, {"type": "set", "id": "m", "name": "mistakes", "value": 0.5}, ACT)
    assert re.fullmatch(r"plays \w+; strikes for \d+\.\d on average, risks \d+\.\d", full["reason"])
    assert "strikes" not in weak["reason"]


class Hopeful(Player):
    """A player that expects to win three of four fights."""

    def policy(self, observation: Observation) -> Any:
        return observation["action_mask"] / observation["action_mask"].sum()

    def value(self, observation: Observation) -> float:
        return 0.5


def test_the_value_is_told_where_the_agent_has_one() -> None:
    engine = Engine(Agent("hopeful", "Hopes.", Hopeful))
    (answer,) = ask(engine, {**ACT, "legal": STANCES[:1]})
    assert answer["value"] == 0.5 and answer["reason"] == "nothing but might is legal; expects to win 75 %"
    five = {**ACT, "game": {"scenario": "free_for_all"}, "seat": HeartRush("free_for_all").agents[0]}
    assert "expects" not in ask(engine, five)[0]["reason"], "with five sides it would be another number"


# -- identity and options ------------------------------------------------------------------------------------------


def test_hello_is_answered_with_identity_and_ready() -> None:
    identity, ready = ask(Engine(load("uniform")), {"type": "hello", "protocol": 1})
    assert ready == {"type": "ready"}
    assert (identity["type"], identity["protocol"], identity["name"]) == ("identity", 1, "uniform")
    assert identity["version"] == __version__ and identity["description"] == load("uniform").description
    assert identity["plays"]["shapes"] == ["duel", "team", "map", "able_duel", "able_team", "able_map"]
    assert identity["plays"]["tables"]["duel"] == claims(HeartRush("duel"))["tables"]
    for option in identity["options"]:
        assert option["kind"] == "number" and option["min"] <= option["default"] <= option["max"]
        assert option["description"].endswith(".")


def test_a_level_sets_mistakes_and_temperature() -> None:
    engine = Engine(load("duelist"))
    identity, *_ = ask(engine, {"type": "hello"})
    (option,) = [option for option in identity["options"] if option["name"] == "level"]
    assert (option["kind"], option["default"], option["choices"]) == ("choice", "hard", ["easy", "normal", "hard"])
    full, ready, easy = ask(engine, ACT, {"type": "set", "id": "l", "name": "level", "value": "easy"}, ACT)
    assert ready == {"type": "ready", "id": "l"} and easy["value"] is None and full["value"] is not None
    mistakes = load("duelist").levels["easy"].difficulty.mistakes
    assert engine.options == {"level": "easy", "mistakes": mistakes, "temperature": 1.0}
    for name, share in easy["policy"].items():
        assert share == pytest.approx((1 - mistakes) * full["policy"][name] + mistakes / 4)
    by_id = ask(Engine(load("duelist@easy")), {"type": "hello"}, ACT)
    assert by_id[0]["name"] == "duelist@easy" and by_id[2]["policy"] == pytest.approx(easy["policy"])
    (refused,) = ask(engine, {"type": "set", "id": "l", "name": "level", "value": "brutal"})
    assert refused["code"] == "bad_option"
    assert refused["message"] == "level: expected easy, normal or hard, got 'brutal'."
    (refused,) = ask(Engine(load("uniform")), {"type": "set", "id": "l", "name": "level", "value": "easy"})
    assert refused["code"] == "bad_option" and engine.options["level"] == "easy"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("temperatur", 1, "did you mean 'temperature'"),
        ("temperature", 5.1, "temperature: expected a number from 0 to 5, got 5.1"),
        ("temperature", -0.1, "expected a number from 0 to 5"),
        ("mistakes", True, "mistakes: expected a number from 0 to 1, got true"),
        ("mistakes", "0.5", "mistakes: expected a number from 0 to 1, got '0.5'"),
        ("mistakes", None, "mistakes: expected a number from 0 to 1, got None"),
        ("mistakes", {"deep": [1] * 1000}, "mistakes: expected a number from 0 to 1, got {"),
        ("mistakes", 10**400, "got a whole number of about 401 digits"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_and_changes_nothing(name: str, value: Any, said: str) -> None:
    engine = Engine(load("uniform"))
    (answer,) = ask(engine, {"type": "set", "id": "s", "name": name, "value": value})
    assert answer["type"] == "error" and answer["id"] == "s" and len(answer["message"]) < 200
    assert answer["code"] in ("bad_option", "bad_field") and said in answer["message"]
    assert engine.options == {"temperature": 1.0, "mistakes": 0.0}


# -- what it refuses -----------------------------------------------------------------------------------------------


class Broken(Player):
    """A player that fails with an error of its own."""

    def policy(self, observation: Observation) -> Any:
        raise KeyError("a\nlong " + "story " * 100)


class Mad(Player):
    """A player whose probabilities are not numbers."""

    def policy(self, observation: Observation) -> Any:
        return observation["action_mask"] * np.nan


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"seat": "orc_0"}, "bad_field", "seat: expected knight_0 or duelist_0, got 'orc_0'"),
        ({"game": {"scenario": "dual"}}, "bad_field", "game.scenario: expected ambush, brawl"),
        ({"game": {"scenario": "../duel.toml"}}, "bad_field", "a scenario's table"),
        ({"game": {"scenario": "/etc/passwd"}}, "bad_field", "a scenario's table"),
        ({"game": {"scenario": {"fighter": []}}}, "bad_field", "expected 2 to 8 fighters"),
        ({"game": {"scenario": {"type": 1}}}, "bad_field", "2 faults: scenario dict: unknown field 'type'"),
        ({"game": {"scenario": "duel", "rules": {"wuonds": True}}}, "bad_field", "did you mean 'wounds'"),
        ({"game": {"scenario": "duel", "shape": "map"}}, "bad_field", "got 'map', which is for fights on a map"),
        ({"game": {"scenario": "duel", "game": "chess"}}, "not_played", "got 'chess'"),
        ({"game": {"scenario": "duel", "tables": "0" * 32}}, "not_played", "the tables of this version, got"),
        ({"legal": []}, "illegal", "at least one action"),
        ({"legal": ["stance mihgt"]}, "illegal", "did you mean 'stance might'"),
        ({"legal": ["attack 2"]}, "illegal", "expected actions of shape duel, got 'attack 2'"),
        ({"view": {"observation": [0.5]}}, "bad_view", f"observation: expected {FEATURES} numbers, got 1"),
        ({"view": {"observation": [2.0] * FEATURES}}, "bad_view", "round: expected 0 to 1, got 2"),
        ({"view": {"observation": [0.0] * (FEATURES - 1) + [1e300]}}, "bad_view", "got 1e+300"),
        ({"view": {}}, "bad_view", "window: expected "),
        ({"view": {"window": "follow"}}, "bad_view", "got 'follow', which exists only on maps"),
    ],
)
def test_a_request_that_cannot_be_answered_says_why(change: dict[str, Any], code: str, said: str) -> None:
    (answer,) = ask(Engine(load("uniform")), {**ACT, **change})
    assert (answer["type"], answer["id"], answer["code"]) == ("error", "1", code)
    assert said in answer["message"] and "\n" not in answer["message"], answer


@pytest.mark.parametrize(("player", "said"), [(Broken, "KeyError"), (Mad, "not all finite numbers of at least 0")])
def test_an_agent_that_fails_is_survived(player: type[Player], said: str) -> None:
    engine = Engine(Agent("broken", "Breaks.", player))
    answer, (good, *_) = ask(engine, ACT)[0], ask(engine, {"type": "hello"})
    assert (answer["type"], answer["id"], answer["code"]) == ("error", "1", "internal")
    assert said in answer["message"] and "\n" not in answer["message"] and len(answer["message"]) < 300
    assert good["type"] == "identity"


def test_an_agent_that_does_not_play_the_game_says_so() -> None:
    objector = Agent("objector", "Objects.", Hopeful, why_unsupported=lambda game: "it is tired")
    (answer,) = ask(Engine(objector), ACT)
    assert answer["code"] == "not_played" and "it is tired" in answer["message"]
    assert ask(Engine(objector), {"type": "hello"})[0]["plays"] == {"game": "heart_rush", "shapes": [], "tables": {}}
    no_reveals = {**ACT, "game": {"scenario": "duel", "memory": 0}}
    assert ask(Engine(load("frequency")), no_reveals)[0]["code"] == "not_played"


def test_a_batch_whose_answers_fit_no_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "MAX_LINE", 1000)
    batch = {"type": "act_batch", "id": "b", "requests": [ACT] * 20}
    (answer,) = ask(Engine(load("uniform")), batch)
    assert (answer["type"], answer["id"], answer["code"]) == ("error", "b", "too_long")


def a_game(number: int) -> dict[str, Any]:
    """Return a request about a game that no other request has."""
    return {**ACT, "id": str(number), "game": {"scenario": "duel", "rules": {"fatigue_rounds": 100 + number}}}


class Clock:
    """A stand-in for the module `time`, in which opening a game takes a set number of seconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.now, self.opened, self.seconds = 0.0, 0, seconds
        opens = engines.read_game
        monkeypatch.setattr(engines, "time", self)
        monkeypatch.setattr(engines, "read_game", lambda fields: (self.spend(), opens(fields))[1])

    def spend(self) -> None:
        self.opened += 1
        self.now += self.seconds

    def monotonic(self) -> float:
        return self.now

    perf_counter = monotonic


def test_a_batch_of_a_hundred_games_costs_no_more_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, seconds=0.6)
    engine = Engine(load("uniform"))
    ask(engine, ACT)  # the code of the shape is loaded
    requests = [{**a_game(number), "budget_ms": 50} for number in range(100)]
    began, opened = clock.now, clock.opened
    (batch,) = ask(engine, {"type": "act_batch", "id": "b", "requests": requests})
    answers = batch["choices"]
    assert [answer["id"] for answer in answers] == [request["id"] for request in requests]
    assert clock.now - began <= 100 * 0.05 + 0.6
    refused = [answer for answer in answers if answer["type"] == "error"]
    assert {answer["code"] for answer in refused} == {"too_much"} and len(refused) == 100 - (clock.opened - opened)
    assert refused[0]["message"] == "The batch had used up its 100 ms before this request."
    late = [{**a_game(number), "budget_ms": 700} for number in range(200, 210)]
    (batch,) = ask(engine, {"type": "act_batch", "id": "c", "requests": late})
    assert [answer["type"] for answer in batch["choices"]] == ["choice"] * 10


def test_a_batch_is_about_sixteen_games_at_most() -> None:
    engine = Engine(load("uniform"))
    requests = [a_game(number % 20) for number in range(40)]
    (batch,) = ask(engine, {"type": "act_batch", "id": "b", "requests": requests})
    kinds = [answer["type"] for answer in batch["choices"]]
    assert kinds == (["choice"] * 16 + ["error"] * 4) * 2
    assert batch["choices"][16]["code"] == "too_much" and "16 games" in batch["choices"][16]["message"]


def test_loading_a_shape_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, seconds=60)
    requests = [{**ACT, "id": str(number), "budget_ms": 10} for number in range(5)]
    (batch,) = ask(Engine(load("uniform")), {"type": "act_batch", "id": "b", "requests": requests})
    assert clock.now == 60 and [answer["type"] for answer in batch["choices"]] == ["choice"] * 5


def test_a_batch_answers_each_request_in_its_place() -> None:
    bad = {**ACT, "id": "2", "seat": "orc_0"}
    worse = {**ACT, "id": "3", "seat": 3}
    batch = {"type": "act_batch", "id": "b", "requests": [ACT, bad, worse, {**ACT, "id": "4", "sealed": True}, None]}
    (answer,) = ask(Engine(load("uniform")), batch)
    assert (answer["type"], answer["id"]) == ("choices", "b")
    assert [(one["type"], one["id"]) for one in answer["choices"]] == [
        ("choice", "1"), ("error", "2"), ("error", "3"), ("sealed", "4"), ("error", None),
    ]  # fmt: skip


# -- sealing -------------------------------------------------------------------------------------------------------


def test_a_sealed_choice_is_the_one_that_is_opened_once() -> None:
    engine = Engine(load("uniform"))
    (plain,) = ask(engine, ACT)
    sealed, choice, nothing = ask(engine, {**ACT, "sealed": True}, *[{"type": "open", "id": "1"}] * 2)
    assert set(sealed) == {"type", "id", "seal"}, "and nothing else is told of it"
    assert untimed(choice) == untimed(plain)
    assert hashlib.sha256(f"{choice['nonce']}:{choice['choice']}".encode()).hexdigest() == sealed["seal"]
    assert nothing["code"] == "nothing_sealed"
    seals = {ask(engine, {**ACT, "sealed": True})[0]["seal"] for _ in range(20)}
    assert len(seals) == 20, "seals of one choice do not show that it is the same"


# -- memory --------------------------------------------------------------------------------------------------------


def habit(reveals: int, stance: str = "cunning") -> dict[str, Any]:
    """Return what the knight sees of a duelist that has always taken one stance."""
    told = [{"round": k, "stances": {"knight_0": "might", "duelist_0": stance}} for k in range(1, reveals + 1)]
    return {"round": reveals + 1, "window": "stance", "reveals": told}


BLANK = {"round": 1, "window": "stance"}


def test_a_learner_remembers_a_match_and_only_that() -> None:
    engine = Engine(load("frequency"))
    learned = ask(engine, {**ACT, "match": "m", "view": habit(5)})[0]["policy"]
    assert learned == ask(engine, {**ACT, "view": habit(5)})[0]["policy"] and max(learned.values()) == 1
    blank = ask(engine, ACT)[0]["policy"]
    assert blank != learned
    assert ask(engine, {**ACT, "match": "m", "fight": 1, "view": BLANK})[0]["policy"] == learned
    assert ask(engine, {**ACT, "match": "n", "fight": 1, "view": BLANK})[0]["policy"] == blank
    assert ask(engine, {**ACT, "view": BLANK})[0]["policy"] == blank
    assert ask(engine, {"type": "end", "match": "m"}) == []
    assert ask(engine, {**ACT, "match": "m", "fight": 2, "view": BLANK})[0]["policy"] == blank
    assert ask(engine, {**ACT, "match": "m", "fight": 3, "view": habit(5)})[0]["policy"] == learned
    again = ask(engine, {**ACT, "match": "m", "fight": 0, "view": BLANK})[0]["policy"]
    assert again == blank, "a match that begins again is another one"


def test_a_learner_behind_the_protocol_is_the_one_in_process() -> None:
    engine, player, fight = Engine(load("modeller")), None, 0
    for fight in range(3):
        for k, (game, request, observation) in enumerate(asked("duel", seed=fight)):
            if request["seat"] != "duelist_0":
                continue
            if player is None:
                player = load("modeller").seat(game)
                player.new_match()
            if k < 2:
                player.new_fight()
            (answer,) = ask(engine, {**request, "match": "m", "fight": fight})
            legal = np.flatnonzero(observation["action_mask"])
            assert list(answer["policy"].values()) == pytest.approx(player.policy(observation)[legal])


def test_what_is_kept_is_bounded_and_the_oldest_goes_first() -> None:
    engine = Engine(load("frequency"))
    for k in range(200):
        ask(engine, {**ACT, "match": f"m{k}", "view": habit(5)})
    blank = ask(engine, ACT)[0]["policy"]
    remembers = [ask(engine, {**ACT, "match": f"m{k}", "fight": 1})[0]["policy"] != blank for k in (135, 136, 199)]
    assert remembers == [False, False, True] or remembers == [False, True, True]
    assert len(engine._matches) == engines.MAX_MATCHES
    for k in range(engines.MAX_SEALED + 10):
        ask(engine, {**ACT, "id": f"s{k}", "sealed": True})
    assert len(engine._sealed) == engines.MAX_SEALED
    assert ask(engine, {"type": "open", "id": "s9"})[0]["code"] == "nothing_sealed"
    assert ask(engine, {"type": "open", "id": "s10"})[0]["type"] == "choice"
    for hp in range(1, 60):
        rules = {"fatigue_rounds": hp}
        ask(engine, {**ACT, "game": {"scenario": "duel", "rules": rules}, "match": "one"})
    assert len(engine._tables) == engines.MAX_GAMES
    assert len(engine._matches["one"].players) <= engines.MAX_SEATS
