"""Weaker enemies: mistakes, temperature and measured levels, in calls, ids and commands."""

import json
import pickle
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from heartrush_agents import AgentError, Player, available, load
from heartrush_agents.base import Difficulty
from heartrush_agents.difficulty import HARD, LEVELS, mistaken_actions, shipped_levels
from heartrush_agents.learned.agent import CARD, shipped
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.vector_player import VectorPlayer
from heartrush_train.calibration import TARGETS, calibrate, nearest

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.calibrate import LEVELED
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability, read_policies
from heartrush_env.research.plain.policy import read_policy
from heartrush_env.research.solve import solve
from heartrush_env.tabletop.errors import PolicyError
from heartrush_env.tabletop.game import Observation
from tests.agents.seats import begun, seen_by
from tests.app.cli.running import Out, as_json, printed, refusal, run
from tests.reference.solver import Duelist
from tests.research.duels import game_of

GAME = HeartRush("duel")
DOINGS = set("stance attack shrug take grapple climb_on dirty_strike blind trip shove disarm taunt".split())
DOINGS |= {"swing_past", "opportunity"}


def seen(names: list[str], game: HeartRush = GAME) -> Observation:
    """Return the first seat's observation of a new fight, as if these actions were legal."""
    mask = np.array([name in names for name in game.action_names], np.int8)
    return {**seen_by(begun(game, 0)), "action_mask": mask}


def shares(player: Player, observation: Observation) -> dict[str, float]:
    policy = player.policy(observation)
    return {name: float(policy[k]) for k, name in enumerate(player.game.action_names) if policy[k]}


STANCES = ["stance might", "stance agility", "stance cunning", "stance defensive"]


# -- the mixture -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "options", "legal", "expected"),
    [
        ("might", {}, STANCES, {"stance might": 1}),
        ("might", {"mistakes": 0.2}, STANCES, dict(zip(STANCES, (0.85, 0.05, 0.05, 0.05), strict=True))),
        ("weighted", {"temperature": 0}, STANCES, {"stance might": 1}),  # dice of 8, 6 and 6
        ("weighted", {"temperature": 0.5}, STANCES, dict(zip(STANCES, (16 / 34, 9 / 34, 9 / 34), strict=False))),
        ("weighted", {"temperature": 0, "mistakes": 0.4}, STANCES, dict(zip(STANCES, (0.7, *[0.1] * 3), strict=True))),
        # a mistake never passes if attacks are legal, and legal attacks are equally likely
        ("might", {"mistakes": 1}, ["pass", "attack 1", "trip 1"], {"attack 1": 0.5, "trip 1": 0.5}),
        ("might", {"mistakes": 0.5}, ["shrug", "take"], {"take": 0.75, "shrug": 0.25}),
        # a window that offers only help and moves has no mistakes
        ("might", {"mistakes": 1}, ["pass", "yield"], {"pass": 1}),
        ("might", {"mistakes": 1}, ["pass", "let_go", "pick_up"], {"pass": 1}),
    ],
)
def test_it_is_the_true_mixture(
    id: str, options: dict[str, float], legal: list[str], expected: dict[str, float]
) -> None:
    player = load(id, **options).seat(GAME)
    assert shares(player, seen(legal)) == pytest.approx(expected)
    many = getattr(player, "policies", None)
    if many is not None:  # an agent that answers for many seats does so when it is weakened, too
        one = seen(legal)
        rows = many(np.repeat(one["observation"][None], 3, 0), np.repeat(one["action_mask"][None], 3, 0))
        assert rows == pytest.approx(np.repeat(player.policy(one)[None], 3, 0))


def test_mistakes_are_blows_stances_and_answers_to_hits() -> None:
    """In the action table of a map, no action that moves, helps, gives up or passes can be a mistake."""
    game = HeartRush("skirmish")
    names = {name.split()[0] for name, may in zip(game.action_names, mistaken_actions(game), strict=True) if may}
    others = {name.split()[0] for name in game.action_names} - names
    assert names == DOINGS and {"dash", "sidestep", "pass", "yield", "let_go", "help"} <= others


def test_choices_come_as_often_as_the_mixture_says() -> None:
    player, observation, chance = load("might", mistakes=0.4).seat(GAME), seen(STANCES), np.random.default_rng(3)
    found = np.bincount([player.act(observation, chance) for _ in range(2000)], minlength=len(GAME.action_names))
    for name, share in {"stance might": 0.7, "stance agility": 0.1, "stance defensive": 0.1}.items():
        assert found[GAME.action_names.index(name)] / 2000 == pytest.approx(share, abs=4 * (0.25 / 2000) ** 0.5)


def test_a_weakened_player_keeps_memory_hears_events_and_says_no_value() -> None:
    class Listener(Player):
        memory = "match"
        heard: list[Any]

        def new_match(self) -> None:
            self.heard = []

        def new_fight(self) -> None:
            self.heard.append("fight")

        def observe(self, events: Any) -> None:
            self.heard += events

        def policy(self, observation: Observation) -> Any:
            return observation["action_mask"] / observation["action_mask"].sum()

        def value(self, observation: Observation) -> float:
            return 0.5

    player = load(Listener, mistakes=0.1).seat(GAME)
    player.new_match()
    player.new_fight()
    player.observe([{"type": "round"}])
    assert player.memory == "match" and player.player.heard == ["fight", {"type": "round"}]
    assert not hasattr(player, "value") and not hasattr(player, "policies")


# -- ids and refusals --------------------------------------------------------------------------------------------------


def test_ids_and_words_name_the_same_agent() -> None:
    assert load("duelist", mistakes=0.2) == load("duelist@mistakes=0.2")
    assert load("duelist", mistakes=0.2).id == "duelist@mistakes=0.2"
    assert load("duelist@easy") == load("duelist", level="easy") and load("duelist@easy").id == "duelist@easy"
    easy = load("duelist").levels["easy"].difficulty
    assert load("duelist@easy", temperature=2.0).make.difficulty == Difficulty(easy.mistakes, 2.0)
    assert load("duelist@temperature=1.5,mistakes=0.1").make.difficulty == Difficulty(0.1, 1.5)
    assert load("duelist", mistakes=0.0) == load("duelist")
    assert load(load("uniform"), mistakes=0.5).id == "uniform@mistakes=0.5"
    assert load(shipped()["duelist"], level="normal").id == "duelist@normal"
    assert load("best_response:duelist@easy").id == "best_response:duelist@easy"
    assert load("restricted_nash:uniform@0.25").id == "restricted_nash:uniform@0.25"
    assert pickle.loads(pickle.dumps(load("tactician@easy"))).id == "tactician@easy"


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ("duelist@medium", {}, "duelist: expected one of the levels easy, normal, hard, got 'medium'."),
        ("duelist", {"level": 7}, "duelist: expected one of the levels easy, normal, hard, got 7."),
        ("duelist@", {}, "expected one of the levels easy, normal, hard, got '@'."),
        ("uniform@easy", {}, "'uniform' has no levels; use mistakes and temperature instead, as in uniform@mistakes"),
        ("duelis@easy", {}, "Unknown agent 'duelis@easy' (did you mean 'duelist'"),
        ("duelist@easy", {"level": "hard"}, "level='hard': expected the level once"),
        ("duelist", {"mistakes": 1.1}, "mistakes: expected a number from 0 to 1, got 1.1."),
        ("duelist", {"mistakes": True}, "mistakes: expected a number from 0 to 1, got true."),
        ("duelist", {"temperature": float("nan")}, "temperature: expected a number from 0 to 5, got nan."),
        ("duelist@mistakes=a", {}, "mistakes: expected a number, got 'a'."),
        ("duelist@errors=1", {}, "expected mistakes or temperature, each at most once, as name=value, got 'errors'."),
        ("duelist", {"level": 0}, "duelist: expected one of the levels easy, normal, hard, got 0."),
        ("duelist", {"mistakes": 10**400}, "expected a number from 0 to 1, got "),
        ("duelist@mistakes=9", {}, "mistakes: expected a number from 0 to 1, got 9.0."),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(given: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(AgentError) as refused:
        load(given, **options)
    assert said in str(refused.value) and str(refused.value).endswith(".")


def test_a_card_with_broken_levels_is_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(shipped()["duelist"], tmp_path / "mine")
    card = json.loads((folder / CARD).read_text())
    broken: Any
    for broken in ([], {"brutal": {}}, {"easy": {"mistakes": 2}}, {"easy": {"against": 3}}):
        (folder / CARD).write_text(json.dumps({**card, "levels": broken and {"levels": broken}}))
        with pytest.raises(AgentError, match=r"card\.json: |mistakes is"):
            load(folder)
    (folder / CARD).write_text(json.dumps({**card, "levels": None}))
    assert load(folder).levels == {}


# -- levels ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", LEVELED)
def test_measured_levels_rise_and_hit_their_targets(id: str) -> None:
    """In the published figures, each level beats the lower one with separate intervals, against both opponents."""
    levels = load(id).levels
    assert tuple(levels) == LEVELS and levels[HARD].difficulty == Difficulty()
    for other in ("uniform", id):
        figures = [levels[name].against[other] for name in LEVELS]
        assert all(low <= share <= high for share, low, high in figures)
        for (_, _, high), (_, low, _) in pairwise(figures):
            assert high < low, f"{id} against {other}: {figures}"
    for name, target in TARGETS.items():
        assert levels[name].against["uniform"][0] == pytest.approx(100 * target, abs=5)
    assert levels[HARD].against["uniform"][0] > 65
    mistakes = [levels[name].difficulty.mistakes for name in LEVELS]
    assert mistakes == sorted(mistakes, reverse=True)


@pytest.mark.parametrize("id", LEVELED)
def test_hard_is_the_agent_as_it_is(id: str) -> None:
    full, hard = (load(name).seat(GAME) for name in (id, f"{id}@hard"))
    for legal in (STANCES, ["shrug", "take"]):
        assert shares(hard, seen(legal)) == shares(full, seen(legal))


def test_an_easy_duelist_loses_and_a_hard_one_wins() -> None:
    """Against uniform play, easy clearly wins less than half of its fights, and hard clearly wins more than half."""
    table = rate(["duelist@easy", "duelist@hard"], GAME, against=["uniform"], fights=160, processes=1)
    assert table.mean("duelist@easy").high < 0.5 < table.mean("duelist@hard").low


def test_levels_are_found_by_halving() -> None:
    asked: list[int] = []

    def falling(place: int) -> float:
        asked.append(place)
        return 1 - place / 20

    assert [nearest(falling, target) for target in (0.5, 0.31, 2.0, -1.0)] == [10, 14, 0, 20]
    assert len(asked) < 28


def test_who_wins_too_seldom_gets_no_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrush_train.calibration.PROBES", 8)
    with pytest.raises(AgentError, match=r"'defensive' cannot have levels on 'duel': at full strength it does not win"):
        calibrate("defensive", GAME, fights=8, processes=1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("id", "words"), [("duelist", ()), ("classic_duelist", ("--scenario", "duel", "--rule", "edition=classic"))]
)
def test_calibrating_a_trained_agent_gives_it_levels(
    id: str, words: tuple[str, ...], tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heartrush_train.calibration.PROBES", 40)
    folder = shutil.copytree(shipped()[id], tmp_path / "mine")
    card = json.loads((folder / CARD).read_text())
    card.pop("levels", None)
    (folder / CARD).write_text(json.dumps(card))
    with pytest.raises(AgentError, match="has no levels"):
        load(f"{folder}@easy")
    assert "easy" in printed(capsys, "agent calibrate --fights 40 --processes 1", folder, *words)
    written = json.loads((folder / CARD).read_text())["levels"]
    assert load(f"{folder}@easy").make.difficulty.mistakes == written["levels"]["easy"]["mistakes"] > 0
    assert {**json.loads((folder / CARD).read_text()), "levels": None} == {**card, "levels": None}
    assert "Unknown agent 'nobody'" in refusal(capsys, "agent calibrate nobody")
    assert run("agent calibrate best_response:uniform") == 2


def test_agents_measured_on_the_standard_duel_take_no_other_fight(capsys: Out) -> None:
    said = refusal(capsys, "agent calibrate tactician --rule edition=classic")
    assert "expected trained agents, got 'tactician'" in said


def test_levels_json_holds_the_agents_without_a_card() -> None:
    assert {id for id in available() if shipped_levels(id)} == set(LEVELED) - set(shipped())  # levels by words


# -- every door --------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_level_plays_at_every_door(capsys: Out) -> None:
    env = gymnasium.make("heartrush_env/HeartRush-v0", scenario="duel", opponent="duelist@easy")
    env.reset(seed=1)
    env.close()
    told = printed(capsys, "fight duel --red duelist@easy --blue tactician@normal --seed 1 --rounds")
    assert "played by duelist@easy" in told
    found = as_json(capsys, "match duelist@easy tactician@easy --fights 2 --seed 1")
    assert [side["name"] for side in found["sides"]] == ["duelist@easy", "tactician@easy"]
    words = "rate duel --agents duelist@easy,duelist --against uniform --fights 40 --processes 1"
    assert {row["id"] for row in as_json(capsys, words)["agents"]} == {"duelist@easy", "duelist"}
    said = refusal(capsys, "fight duel --red duelist@medium")
    assert "expected one of the levels easy, normal, hard, got 'medium'." in said


# -- classes of players, and policies of the wrong length --------------------------------------------------------------


class Brute(Player):
    """Takes might and attacks."""

    def policy(self, observation: Observation) -> Any:
        legal = observation["action_mask"].astype(float)
        legal[GAME.action_names.index("pass")] *= 1e-9
        return legal


class Short(Player):
    """A player whose policy lacks most of the actions."""

    def policy(self, observation: Observation) -> Any:
        return np.ones(3)


class ShortForMany(Short):
    """A player whose policies for many seats lack most of the actions."""

    def policies(self, features: Any, masks: Any) -> Any:
        return np.ones((len(masks), 3))


class Worded(Player):
    """A player whose policy is a list of words."""

    def policy(self, observation: Observation) -> Any:
        return ["might"] * len(observation["action_mask"])


def test_a_class_of_players_is_taken_wherever_an_agent_is() -> None:
    assert load(Brute) == load(Brute)
    assert (load(Brute).id, load(Brute).description) == ("Brute", "Takes might and attacks.")
    env = heart_rush_v0.single_env("brawl", opponent=Brute, allies=Brute)
    env.reset(seed=1)
    assert {type(player) for player in env._players.at.values()} == {Brute}
    mixed = heart_rush_v0.single_env("brawl", opponent="uniform", allies=Brute)
    teams = dict(zip(mixed.game.agents, mixed.game.teams, strict=True))
    for agent, player in mixed._players.at.items():
        assert (type(player) is Brute) is (teams[agent] == teams[mixed.seat])
    table = rate([Brute, "uniform"], GAME, against=[Brute, "uniform"], fights=20, processes=1)
    assert table.rows and set(table.rows) == {"Brute", "uniform"}
    assert VectorPlayer(Brute, GAME, [(0, 0)], np.random.default_rng(1)).agent == load(Brute)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Player, "The class Player is not a complete player: it lacks policy."),
        (dict, "Expected an agent, its id, or a subclass of Player, got the class dict."),
        (7, "Expected an agent, its id, or a subclass of Player, got 7."),
    ],
)
def test_what_is_no_agent_is_refused(given: Any, said: str) -> None:
    with pytest.raises(AgentError) as refused:
        load(given)
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (Short, "length {}, with a probability for each action, got a policy of length 3"),
        (Worded, r"length {}, .* got a policy that is not an array of numbers \(list\)"),
    ],
)
def test_a_policy_of_the_wrong_length_is_refused_at_every_door(player: type[Player], said: str) -> None:
    from heartrush_env.app.engine import Engine
    from heartrush_env.app.heart_rush.playing.hints import Hints

    said = rf"^{player.__name__}: expected a policy of {said.format(len(GAME.action_names))}\.$"
    chance, observation = np.random.default_rng(1), seen(STANCES)
    env = gymnasium.make("heartrush_env/HeartRush-v0", scenario="duel", opponent=player)
    hints = Hints(GAME, ["Duelist"])
    hints._player = player(GAME)
    doors: tuple[Callable[[], Any], ...] = (
        lambda: player(GAME).act(observation, chance),
        lambda: load(player, mistakes=0.5).seat(GAME).act(observation, chance),
        lambda: (env.reset(seed=1), env.step(int(env.unwrapped.action_masks().argmax()))),
        lambda: rate([player], GAME, against=["uniform"], fights=4, processes=1),
        lambda: hints.mix(observation, {}),
    )
    for door in doors:
        with pytest.raises(PolicyError, match=said):
            door()
    act = {"type": "act", "id": "a", "game": {"scenario": "duel"}, "seat": "knight_0", "legal": STANCES}
    request = {**act, "view": {"round": 1, "window": "stance"}}
    (line,) = Engine(load(player)).answer(json.dumps(request).encode())
    assert json.loads(line)["code"] == "internal" and "expected a policy" in json.loads(line)["message"]


def test_policies_of_the_wrong_shape_are_refused() -> None:
    said = r"^ShortForMany: expected a policy of shape \(\d+, \d+\), .* got a policy of shape \(\d+, 3\)"
    with pytest.raises(PolicyError, match=said):
        rate([ShortForMany], GAME, against=["uniform"], fights=4, processes=1)


def test_the_solver_refuses_it_too_and_reads_the_true_mixture() -> None:
    """The solver reads the mixture with mistakes, which is less exploitable than always taking might."""
    table = solve(game_of(Duelist(hp=6), Duelist(hp=6), max_rounds=10_000))
    game = table.duel.game
    with pytest.raises(PolicyError, match=r"^Short: expected a policy of length \d+, .* got a policy of length 3"):
        read_policies(Short(game), table)
    with pytest.raises(PolicyError, match=r"^ShortForMany: expected a policy of shape "):
        read_policies(ShortForMany(game), table)
    players = [load("might", mistakes=mistakes).seat(game) for mistakes in (0.0, 0.6)]
    lost = [exploitability(table, read_policies(player, table)).nash_conv for player in players]
    assert lost[1] < lost[0] - 0.05
    (duel,) = {read_policy(load("might", mistakes=0.4).seat(game), table.duel).stances[6, 6, -1, -1].round(6).tobytes()}
    assert np.frombuffer(duel).tolist() == [0.7, 0.1, 0.1, 0.1]
