"""Agents that exploit habits: on observations made by hand, and in fights against enemies with a fixed plan."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError, Player, load
from heartrush_agents.heart_rush.tables import edge

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.tabletop.game import Game, Observation
from tests.agents.seats import play, watch

WATCHFUL = ("repeat_last", "counter_last", "win_stay_lose_shift", "frequency", "markov_1", "markov_2", "modeller")
LEARNING = ("frequency", "markov_1", "markov_2", "modeller")
STANCES = {"m": "might", "a": "agility", "c": "cunning", "d": "defensive"}
ENEMY = 1  # the side of a memory
DECEMBER = {"edition": "december2025"}


def stance_window(
    game: HeartRush,
    own: str = "",
    other: str = "",
    second: str = "",
    *,
    dice: tuple[int, int, int] = (8, 6, 6),
    rounds: int | None = None,
    **features: float,
) -> Observation:
    """Return a stance window after these reveals (letters, oldest first); by default, all stand with 40 hit points."""
    number = {name: k for k, name in enumerate(game.feature_names)}
    vector = np.zeros(len(number), np.float32)
    revealed = max(len(own), len(other), len(second)) if rounds is None else rounds
    vector[number["round"]] = (revealed + 1) / 200
    for block in ("self", "enemy 1", "enemy 2") if "enemy 2 hp" in number else ("self", "enemy 1"):
        for die, sides in zip(("might", "agility", "cunning"), dice if block == "self" else (6, 6, 6), strict=True):
            vector[number[f"{block} {die}"]] = sides / 20
        vector[number[f"{block} heart"]] = 8 / 20
    for block, reveals in {"self": own, "enemy 1": other, "enemy 2": second}.items():
        for k, letter in enumerate(reversed(reveals[-8:]), start=1):
            if letter in STANCES:  # any other letter means no stance
                vector[number[f"{block} reveal {k} {STANCES[letter]}"]] = 1
        if f"{block} hp" in number:
            vector[number[f"{block} standing"]] = vector[number[f"{block} hp"]] = 1
    for name, value in features.items():
        vector[number[name.replace("__", " ")]] = value
    mask = np.array([name.startswith("stance ") for name in game.action_names], np.int8)
    return {"observation": vector, "action_mask": mask}


def shares(player: Player, observation: Observation) -> dict[str, float]:
    """Return the positive probabilities of stances, by their first letters."""
    policy, names = player.policy(observation), player.game.action_names
    return {names[k].removeprefix("stance ")[0]: float(policy[k]) for k in policy.nonzero()[0]}


@pytest.fixture
def duel() -> HeartRush:
    return HeartRush("duel")


# -- the answer to a stance --------------------------------------------------------------------------------------------


def test_cunning_beats_agility_agility_might_and_might_cunning() -> None:
    """Combat > The Engagement > Understanding Stances; the order is might, agility, cunning, defensive."""
    assert edge(Settings()).tolist() == [[0, -1, 1, 0], [1, 0, -1, 0], [-1, 1, 0, 0]]
    assert edge(Settings(defensive_is_beaten=True))[:, 3].tolist() == [1, 1, 1]


@pytest.mark.parametrize("rules", [{}, DECEMBER])
@pytest.mark.parametrize(("last", "answer"), [("m", "a"), ("a", "c"), ("c", "m"), ("d", "m")])
def test_counter_last_takes_what_beats_the_last_stance(last: str, answer: str, rules: dict[str, Any]) -> None:
    """The defensive stance is beaten by no attacking stance or by all; the answer to it is the largest die."""
    player = load("counter_last").seat(HeartRush("duel", rules))
    assert shares(player, stance_window(player.game, own="a", other=f"ac{last}")) == {answer: 1}


def test_equal_dice_share_what_is_equally_good(duel: HeartRush) -> None:
    player = load("counter_last").seat(duel)
    assert shares(player, stance_window(duel, other="d", dice=(6, 8, 8))) == {"a": 0.5, "c": 0.5}


@pytest.mark.parametrize(
    ("id", "own", "other", "next"),
    [
        ("repeat_last", "mac", "mmm", "c"),
        ("win_stay_lose_shift", "a", "m", "a"),  # has won
        ("win_stay_lose_shift", "m", "a", "a"),  # has lost to agility, which beats its might
        ("win_stay_lose_shift", "m", "m", "a"),  # a tie: agility beats its might
        ("win_stay_lose_shift", "c", "c", "m"),
        ("win_stay_lose_shift", "c", "a", "c"),
        ("win_stay_lose_shift", "a", "d", "c"),  # nobody beats the defensive stance
        ("frequency", "", "mma", "a"),  # might scores -1, agility 2, cunning 1 - 2
        ("frequency", "", "mmccc", "m"),  # might scores 3, agility 2 - 3, cunning -2
        ("frequency", "", "dda", "c"),  # only the agility tells
        ("markov_1", "", "macmacm", "c"),  # agility follows on might
        ("markov_1", "", "mmamm", "a"),  # on might might followed twice, agility once
        ("markov_2", "", "mmamm", "c"),  # on might and might, agility
        ("markov_1", "", "mmmc", "a"),  # nothing has followed on cunning: might scores 1, agility 3 - 1, cunning -3
        ("markov_2", "", "cmaam", "c"),  # nothing has followed on agility and might, agility on might
    ],
)
def test_the_next_stance(id: str, own: str, other: str, next: str, duel: HeartRush) -> None:
    assert shares(load(id).seat(duel), stance_window(duel, own=own, other=other)) == {next: 1}


def test_win_stay_lose_shift_wins_against_the_defensive_stance_where_that_is_beaten() -> None:
    game = HeartRush("duel", DECEMBER)
    assert shares(load("win_stay_lose_shift").seat(game), stance_window(game, own="a", other="d")) == {"a": 1}


# -- learning over a match ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", LEARNING)
def test_a_second_look_changes_nothing_and_a_late_one_misses_nothing(id: str, duel: HeartRush) -> None:
    seen, often, late = "mmacamd", load(id).seat(duel), load(id).seat(duel)
    for end in range(len(seen) + 1):
        for _ in range(3):
            often.policy(stance_window(duel, other=seen[:end]))
    late.policy(stance_window(duel, other=seen))
    assert counts(often) == counts(late) == counts_of(seen, longest=2)


def counts(player: Player, place: int = 0) -> dict[tuple[int, ...], list[int]]:
    """Return a player's counts of one enemy's stances, by the enemy's stances before them."""
    memory = player._history.memories[place]  # type: ignore[attr-defined]
    habits = {key[1:]: c.tolist() for key, c in memory._habits.items() if key[0] == ENEMY and NO_STANCE not in key}
    return habits | ({(): memory.counts[ENEMY].tolist()} if memory.counts[ENEMY].any() else {})


def counts_of(seen: Sequence[str], longest: int) -> dict[tuple[int, ...], list[int]]:
    """Count stances by the up to `longest` stances before them, given all in order; a dot is a round without one."""
    found: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0] * 4)
    for end, letter in enumerate(seen):
        for length in range(longest + 1):
            before = seen[end - length : end]
            if letter in STANCES and length <= end and all(each in STANCES for each in before):
                found[tuple("macd".index(each) for each in before)]["macd".index(letter)] += 1
    return dict(found)


@pytest.mark.parametrize(
    ("seen", "found"),
    [
        # The cunning is not shown any more.
        (("m", "m" + "c" + "a" * 8), {(): [1, 8, 0, 0], (1,): [0, 7, 0, 0], (1, 1): [0, 6, 0, 0]}),
        (("m.a",), {(): [1, 1, 0, 0]}),  # a round without a stance
    ],
)
def test_what_was_not_seen_breaks_the_chain(seen: tuple[str, ...], found: dict[Any, Any], duel: HeartRush) -> None:
    player = load("markov_1").seat(duel)
    for other in seen:
        player.policy(stance_window(duel, other=other))
    assert counts(player) == found


def test_a_new_fight_keeps_the_counts_but_follows_on_nothing(duel: HeartRush) -> None:
    player = load("markov_1").seat(duel)
    player.policy(stance_window(duel, other="ma"))
    player.new_fight()
    assert shares(player, stance_window(duel)) == {"a": 1}  # of a might and an agility: might -1, agility 1, cunning 0
    player.policy(stance_window(duel, other="ca"))
    assert counts(player) == {(): [1, 2, 1, 0], (0,): [0, 1, 0, 0], (2,): [0, 1, 0, 0]}


@pytest.mark.parametrize("id", LEARNING)
def test_a_new_match_forgets(id: str, duel: HeartRush) -> None:
    player = load(id).seat(duel)
    player.policy(stance_window(duel, other="mmmm"))
    assert counts(player)
    player.new_match()
    assert not counts(player)
    if id != "modeller":
        assert shares(player, stance_window(duel)) == pytest.approx({"m": 1 / 3, "a": 1 / 3, "c": 1 / 3})


def test_predictions_are_about_the_weakest_enemy_who_stands() -> None:
    game = HeartRush("brawl")
    player = load("markov_1").seat(game)
    both = {"other": "mm", "second": "cc"}
    assert shares(player, stance_window(game, **both)) == {"a": 1}  # the first of equals
    assert shares(player, stance_window(game, **both, enemy__2__hp=0.5)) == {"m": 1}
    assert shares(player, stance_window(game, **both, enemy__2__hp=0.5, enemy__2__standing=0)) == {"a": 1}


@pytest.mark.parametrize("id", WATCHFUL)
def test_who_watches_refuses_a_game_that_shows_nothing(id: str) -> None:
    said = rf"^The agent '{id}' cannot take a seat at 'duel': it relies on past reveals, but memory=0 .*\.$"
    with pytest.raises(AgentError, match=said):
        load(id).seat(HeartRush("duel", memory=0))
    assert load(id).plays(HeartRush("duel", memory=1)) is None


# -- in fights ---------------------------------------------------------------------------------------------------------


class Planned(Player):
    """A player that takes stances as planned, and leaves all other windows to the default policy."""

    def __init__(self, game: Game, plan: Iterator[str]) -> None:
        super().__init__(game)
        self.default, self.plan = load("default").seat(game), plan

    def policy(self, observation: Observation) -> Any:
        names, mask = self.game.action_names, observation["action_mask"]
        if not mask[names.index("stance might")]:
            return self.default.policy(observation)
        chosen = f"stance {STANCES[next(self.plan)]}"
        return np.array([float(name == chosen) for name in names])


def share_won(env: Any, player: str, other: Any, fights: int = 20) -> float:
    """Return the fraction of a match's fights that `player` wins; a draw counts half."""
    first, second = env.possible_agents
    players, won = {first: load(player).seat(env.game), second: other}, 0.0
    players[first].new_match()
    for seed in range(fights):
        for each in players.values():
            each.new_fight()
        end = play(env, players, seed)[-1]
        won += 0.5 if not end["winners"] else float(end["winners"] == [env.game.teams[0]])
    return won / fights


@pytest.mark.parametrize(
    ("id", "plan", "least", "most"),
    [
        ("markov_1", "mac", 0.85, 1.0),
        ("markov_2", "mac", 0.85, 1.0),
        ("uniform", "mac", 0.0, 0.74),
        ("markov_2", "mmaacc", 0.85, 1.0),  # what follows on a single stance is of two kinds here, on two it is certain
    ],
)
def test_markov_sees_through_a_cycle(id: str, plan: str, least: float, most: float) -> None:
    """The fighters are equal, and the cycle is as good as any other play against the even mix."""
    env = heart_rush_v0.parallel_env(scenario="mirror_duel", decisions="stance")
    assert least <= share_won(env, id, Planned(env.game, cycle(plan))) <= most


@pytest.mark.parametrize("scenario", ["duel", "brawl"])
def test_counts_are_what_was_revealed(scenario: str) -> None:
    """The counts match the reveal events, except each fight's last; a fighter that reveals nothing has no stance."""
    env = heart_rush_v0.parallel_env(scenario=scenario)
    players = {agent: load("random").seat(env.game) for agent in env.possible_agents}
    watcher = players[env.possible_agents[0]] = load("markov_2").seat(env.game)
    enemies = [a for a, team in zip(env.game.agents, env.game.teams, strict=True) if team != env.game.teams[0]]
    expected: dict[str, Counter[Any]] = {enemy: Counter() for enemy in enemies}
    for seed in range(5):
        watcher.new_fight()
        seen, asked = {enemy: "" for enemy in enemies}, 0
        for env_now, agent, observation in watch(env, players, seed):
            if agent != env.possible_agents[0]:
                continue
            for event in env_now.events:
                if event["type"] == "reveal":
                    for enemy in enemies:
                        seen[enemy] += (event["stances"].get(enemy) or ".")[0]
            if observation["action_mask"][env.game.action_names.index("stance might")]:
                asked = len(seen[enemies[0]])
        for enemy in enemies:
            for context, found in counts_of(seen[enemy][:asked], 2).items():
                expected[enemy].update({(context, stance): count for stance, count in enumerate(found) if count})
    for place, enemy in enumerate(enemies):
        found = {(c, stance): n for c, row in counts(watcher, place).items() for stance, n in enumerate(row) if n}
        assert found == expected[enemy]


@pytest.mark.parametrize(
    "options",
    [
        {"rules": {"profile": "plain"}},
        {"rules": {"profile": "levels"}},
        {"rules": DECEMBER},
        {"decisions": "stance"},
        {"control": "team"},
        {"scenario": "mirror_duel", "shape": "team", "memory": 1},
    ],
    ids=str,
)
@pytest.mark.parametrize("id", [*WATCHFUL, "tactician", "turtle", "weighted"])
def test_each_plays_under_other_settings(id: str, options: dict[str, Any]) -> None:
    env = heart_rush_v0.parallel_env(**{"scenario": "brawl", "illegal": "raise", **options})
    players = {agent: load(id).seat(env.game) for agent in env.possible_agents}
    assert play(env, players, seed=4)[-1]["cause"] == "victory"


# -- the turtle --------------------------------------------------------------------------------------------------------


def test_a_turtle_hides_when_hurt_and_from_who_hits_harder(duel: HeartRush) -> None:
    """The turtle then hides with probability 1/2, and otherwise attacks in proportion to its dice: 8, 6 and 6."""
    turtle, strikes = load("turtle").seat(duel), {"m": 0.4, "a": 0.3, "c": 0.3}
    hides = {"m": 0.2, "a": 0.15, "c": 0.15, "d": 0.5}
    assert shares(turtle, stance_window(duel, self__hp_share=1)) == pytest.approx(strikes)
    assert shares(turtle, stance_window(duel, self__hp_share=0.4)) == pytest.approx(hides)
    assert shares(turtle, stance_window(duel, self__hp_share=0.4, other="d")) == pytest.approx(strikes)
    heavier = {"self__hp_share": 1, "self__weapon_die": 0.4, "enemy__1__cunning": 0.4, "enemy__1__weapon_die": 0.6}
    assert shares(turtle, stance_window(duel, **heavier)) == pytest.approx(hides)
    assert shares(turtle, stance_window(duel, **heavier, self__attack_bonus=0.4)) == pytest.approx(strikes)


@pytest.mark.parametrize("other", ["turtle", "defensive", "tactician", "uniform"])
@pytest.mark.parametrize("rules", [{}, DECEMBER], ids=str)
def test_fights_of_turtles_end(other: str, rules: dict[str, Any]) -> None:
    env = heart_rush_v0.parallel_env(scenario="mirror_duel", rules=rules)
    players = {agent: load(id).seat(env.game) for agent, id in zip(env.possible_agents, ("turtle", other), strict=True)}
    assert all(play(env, players, seed)[-1]["cause"] == "victory" for seed in range(5))


@pytest.mark.parametrize("id", ["frequency", "markov_2", "second_guesser"])
def test_players_that_remember_decide_together_as_they_decide_alone(id: str) -> None:
    fights, rng = heart_rush_v0.make_vec(6, "duel", seed=4), np.random.default_rng(1)
    seen, _ = fights.reset()
    players, alone = ([load(id).seat(fights.game) for _ in range(6)] for _ in range(2))
    asked = 0
    for _ in range(60):
        masks = seen["action_mask"]
        rows = np.flatnonzero(masks[:, 1].sum(axis=1) > 1)
        if len(rows):
            features, legal = seen["observation"][rows, 1], masks[rows, 1]
            found = players[rows[0]].together([players[row] for row in rows], features, legal)
            for place, row in enumerate(rows):
                expected = alone[row].policy({"observation": features[place], "action_mask": legal[place]})
                assert np.array_equal(found[place], expected)
            asked += len(rows)
        seen, *_ = fights.step((rng.random(masks.shape) * masks).argmax(axis=2))
    assert asked > 100
