"""The agents that play by the exact odds, in windows made by hand and in fights."""

from collections import Counter
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Player, load
from heartrush_agents.heart_rush.tables import layout
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import damage

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation
from tests.agents.heart_rush.bots.test_predictors import DECEMBER, Planned, share_won, shares, stance_window
from tests.agents.heart_rush.tactics.test_odds import outlook
from tests.agents.seats import STANCES, begun, seen_by, watch


def changed_by(game: HeartRush, observation: Observation, **features: float) -> Observation:
    """Return the observation with some features changed."""
    vector = observation["observation"].copy()
    for name, value in features.items():
        vector[game.feature_names.index(name.replace("__", " "))] = value
    return {**observation, "observation": vector}


def window(game: HeartRush, player: Player, legal: set[str], observation: Observation, **features: float) -> str:
    """Return the player's choice among the actions `legal`, in an observation with some features changed."""
    mask = np.array([name in legal for name in game.action_names], np.int8)
    policy = player.policy({**changed_by(game, observation, **features), "action_mask": mask})
    assert policy.max() == 1 and policy.sum() == 1
    return game.action_names[int(policy.argmax())]


@pytest.fixture
def brawl() -> HeartRush:
    return HeartRush("brawl")


@pytest.fixture
def start(brawl: HeartRush) -> Observation:
    """Return what the knight sees at the start of a brawl against a barbarian and a duelist."""
    return seen_by(begun(brawl, 0))


@pytest.fixture
def player(brawl: HeartRush) -> Player:
    return load("tactician").seat(brawl)


def test_it_attacks_whom_it_can_bring_down(brawl: HeartRush, player: Player, start: Observation) -> None:
    """The fighter in might beats both enemies in cunning; heroes stand down to -40 hit points."""
    legal = {"pass", "attack 1", "attack 2"}
    shown = {"self__stance might": 1, "enemy__1__stance cunning": 1, "enemy__2__stance cunning": 1}
    chosen = [window(brawl, player, legal, start, **shown, **{f"enemy__{place}__hp": -39 / 40}) for place in (1, 2)]
    assert chosen == ["attack 1", "attack 2"]


def test_among_equals_it_attacks_where_most_gets_through(brawl: HeartRush, player: Player, start: Observation) -> None:
    shown = {"self__stance might": 1, "enemy__1__stance cunning": 1, "enemy__2__stance cunning": 1}
    same = {f"enemy__{place}__{word}": 0.4 for place in (1, 2) for word in ("might", "heart", "hp", "hp_max")}
    for armored, open in ((1, 2), (2, 1)):
        armor = {f"enemy__{armored}__armor": 0.6, f"enemy__{open}__armor": 0.0}
        chosen = window(brawl, player, {"pass", "attack 1", "attack 2"}, start, **shown, **same, **armor)
        assert chosen == f"attack {open}"


def test_cunning_hinders_what_helps_most_in_the_next_round(
    brawl: HeartRush, player: Player, start: Observation
) -> None:
    legal = {name for name in brawl.action_names if name == "pass" or name.startswith("attack 1")}
    shown = {"self__stance cunning": 1, "enemy__1__stance agility": 1}
    chosen = set()
    for die in ("might", "agility", "cunning"):
        large = {f"enemy__1__{each}": 1.0 if each == die else 0.2 for each in ("might", "agility", "cunning")}
        changed = changed_by(brawl, start, **large)
        faced = Matchups(brawl).pairing(changed["observation"], 0)
        later = {
            condition: outlook(faced._replace(other=faced.other._replace(**{condition: 1})), brawl.scenario.settings)
            for condition in ("dazed", "off_balanced", "weakened")
        }
        best = max(later, key=later.__getitem__)
        assert window(brawl, player, legal, changed, **shown) == f"attack 1 {best}+{best}"
        chosen.add(best)
    assert len(chosen) > 1


def test_whom_the_fighter_rages_at_and_what_is_left_of_it(brawl: HeartRush, start: Observation) -> None:
    """Rage counts only against others than its source; heroes stand down to minus their maximum, but not in a duel."""
    raging = changed_by(brawl, start, self__enraged=0.2, enemy__1__enrages_me=1, self__hp=0.5, enemy__2__hp=-0.5)
    faced = [Matchups(brawl).pairing(raging["observation"], place) for place in (0, 1)]
    assert [each.own.enraged for each in faced] == [0, 1]
    most = round(40 * float(start["observation"][brawl.feature_names.index("self hp_max")]))
    other = round(40 * float(start["observation"][brawl.feature_names.index("enemy 2 hp_max")]))
    assert (faced[1].own_left, faced[1].other_left) == (20 + most, other - 20)
    duel = HeartRush("duel")
    assert Matchups(duel).pairing(stance_window(duel, self__hp=0.5)["observation"], 0)[2:4] == (20, 40)


def test_it_shrugs_off_what_would_end_it_and_takes_what_is_small() -> None:
    game = HeartRush("duel")
    player, legal = load("tactician").seat(game), {"shrug", "take"}
    start = seen_by(begun(game, 0))
    assert window(game, player, legal, start, self__hp=6 / 40, self__hit=6 / 40) == "shrug"
    assert window(game, player, legal, start, self__hp=1.0, self__hit=1 / 40) == "take"  # 1 halves to 1
    assert window(game, player, legal, start, self__hp=1.0, self__hit=3 / 40) == "take"
    assert window(game, player, legal, start, self__hp=0.5, self__hit=16 / 40) == "shrug"


def test_the_action_phase(brawl: HeartRush, player: Player, start: Observation) -> None:
    assert window(brawl, player, {"pass", "help 1"}, start) == "help 1"
    assert window(brawl, player, {"pass", "help 1", "rise"}, start) == "rise"
    assert window(brawl, player, {"pass", "help 1", "rise", "shake_off"}, start) == "shake_off"
    assert window(brawl, player, {"pass", "help 1", "rise", "stand", "rise rush"}, start) == "rise rush"
    assert window(brawl, player, {"pass", "yield"}, start) == "pass"
    assert window(brawl, player, {"pass", *(f"say {stance}" for stance in STANCES)}, start) == "pass"
    december = HeartRush("brawl", DECEMBER)
    keeps = load("tactician").seat(december)
    assert window(december, keeps, {"pass", "help 1", "rise", "pick_up"}, start) == "pick_up"
    assert window(december, keeps, {"pass", "help 1", "rise"}, start) == "pass"
    assert window(december, keeps, {"pass", "rise", "stand", "rise rush"}, start) == "rise rush"


@pytest.mark.parametrize("rules", [{}, {"edition": "december2025"}])
@pytest.mark.parametrize("id", ["tactician", "modeller"])
def test_a_prone_fighter_rises_by_its_agility_before_it_attacks(id: str, rules: dict[str, Any]) -> None:
    prone = {"from": "duelist", "team": "blue", "conditions": {"prone": 1}}
    table = {"name": "prone", "fighter": [prone, {"from": "knight", "team": "red"}], "rules": rules}
    game = HeartRush(table)
    fights, names = begun(game), game.action_names
    player = load(id).seat(game)
    while fights.describe(0)["window"] != "attack":
        own = "stance agility" if fights.describe(0)["window"] == "stance" else "pass"
        other = "stance might" if own != "pass" else "pass"
        fights.step(np.array([[names.index(own), names.index(other)]], np.int64))
    assert names[player.act(seen_by(fights), np.random.default_rng(1))] == "rise"


def test_it_helps_the_ally_with_the_fewest_hit_points() -> None:
    game = HeartRush("giant")
    player, start = load("tactician").seat(game), seen_by(begun(game, 0))
    for hp, helped in ((0.2, "help 1"), (0.8, "help 2")):
        assert window(game, player, {"pass", "help 1", "help 2"}, start, ally__1__hp=hp, ally__2__hp=0.5) == helped


def test_openings_are_struck_at_but_not_who_lies_there(brawl: HeartRush, player: Player, start: Observation) -> None:
    strikes = {f"opportunity {place} {die}" for place in (1, 2) for die in ("might", "agility", "cunning")}
    chosen = window(brawl, player, {"pass", *strikes}, start, enemy__1__standing=0, enemy__2__might=1.0)
    assert chosen.startswith("opportunity 2")
    assert window(brawl, player, {"pass", *strikes}, start, enemy__1__standing=0, enemy__2__standing=0) == "pass"
    first = {strike for strike in strikes if strike.startswith("opportunity 1")}
    own = {"self__might": 0.2, "self__agility": 0.2, "self__cunning": 1.0}
    assert window(brawl, player, {"pass", *first}, start, **own) == "opportunity 1 cunning"
    paid = {f"{strike} rush" for strike in first}
    assert window(brawl, player, {"pass", *first, *paid}, start, **own) == "opportunity 1 cunning rush"


def test_the_best_reply_against_all_stances_alike() -> None:
    """The tactician takes the stance of its only large die, and avoids agility if the enemy's large die is cunning."""
    game = HeartRush("duel", {"profile": "plain"})
    player = load("tactician").seat(game)
    assert shares(player, stance_window(game, dice=(4, 4, 20))) == {"c": 1}
    assert shares(player, stance_window(game, dice=(20, 4, 4))) == {"m": 1}
    shown = stance_window(game, dice=(6, 6, 6), enemy__1__cunning=1.0)
    assert shares(player, shown) != {"a": 1}


def test_it_does_not_hinder_a_die_that_is_hindered_as_much_as_possible(
    brawl: HeartRush, player: Player, start: Observation
) -> None:
    """No attack gets through the armor, so a dirty strike is better, unless its target is dazed at 5 of 5 levels."""
    legal = {"pass", "attack 1", "dirty_strike 1 dazed"}
    shown = {"self__stance might": 1, "enemy__1__stance cunning": 1, "enemy__1__armor": 1.0, "self__might": 0.2}
    shown |= {"self__heart": 0.2, "self__weapon_die": 0.0, "self__armed": 0}
    chosen = [window(brawl, player, legal, start, **shown, enemy__1__dazed=levels / 5) for levels in (0, 5)]
    assert chosen == ["dirty_strike 1 dazed", "attack 1"]


# -- the modeller ------------------------------------------------------------------------------------------------------


def test_the_modeller_begins_with_one_of_each_and_counts_on() -> None:
    game = HeartRush("duel")
    player: Any = load("modeller").seat(game)
    seen = stance_window(game, other="ccd")
    assert player._expects(seen["observation"][None])[0, 0].tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0, 0])
    player.policy(seen)
    assert player._expects(seen["observation"][None])[0, 0].tolist() == pytest.approx([1 / 6, 1 / 6, 3 / 6, 1 / 6, 0])


@pytest.mark.parametrize(("habit", "reply"), [("m", "a"), ("a", "c"), ("c", "m")])
def test_the_modeller_beats_a_habit(habit: str, reply: str) -> None:
    game = HeartRush("duel", {"profile": "plain"})
    assert shares(load("modeller").seat(game), stance_window(game, other=8 * habit, dice=(6, 6, 6))) == {reply: 1}


def test_who_is_stunned_is_struck_where_it_defends_worst_whatever_its_habit() -> None:
    game = HeartRush("duel", {"profile": "plain"})
    for sides, habit, letter in (((4, 20, 6), "a", "m"), ((10, 4, 20), "c", "a"), ((10, 6, 4), "m", "c")):
        dice = {f"enemy__1__{die}": n / 20 for die, n in zip(("might", "agility", "cunning"), sides, strict=True)}
        shown = stance_window(game, other=8 * habit, dice=(6, 6, 6), **dice, enemy__1__stunned=0.2)
        assert shares(load("modeller").seat(game), shown) == {letter: 1}


# -- in fights ---------------------------------------------------------------------------------------------------------


def both_seats(own: str, other: str, fights: int) -> float:
    """Return the fraction of duels that the first agent wins, averaged over both seats."""
    env = heart_rush_v0.parallel_env(scenario="duel")
    as_knight = share_won(env, own, load(other).seat(env.game), fights)
    as_duelist = 1 - share_won(env, other, load(own).seat(env.game), fights)
    return (as_knight + as_duelist) / 2


@pytest.mark.parametrize("id", ["tactician", pytest.param("modeller", marks=pytest.mark.long)])
def test_the_odds_beat_chance_and_the_even_mix(id: str) -> None:
    """Both win nearly all duels against random and 80 % against uniform; 40 duels have a standard deviation of 0.06."""
    assert both_seats(id, "random", 10) >= 0.9
    assert both_seats(id, "uniform", 20) >= 0.65


def test_the_modeller_beats_one_stance_more_often_than_the_tactician() -> None:
    env = heart_rush_v0.parallel_env(scenario="mirror_duel", decisions="stance")
    won = {id: share_won(env, id, Planned(env.game, cycle("m")), 20) for id in ("tactician", "modeller")}
    assert won["modeller"] >= 0.9 and won["modeller"] >= won["tactician"]


def test_it_never_hides_and_never_yields() -> None:
    env = heart_rush_v0.parallel_env(scenario="brawl")
    players = {agent: load("tactician").seat(env.game) for agent in env.possible_agents}
    actions = layout(env.game.action_names, env.game.feature_names).action
    done: Counter[int] = Counter()
    for seed in range(2):
        for _, agent, observation in watch(env, players, seed):
            done[int(players[agent].policy(observation).argmax())] += 1
    assert done[actions["stance defensive"]] == done[actions["yield"]] == 0 and len(done) > 8


def test_the_reason_tells_the_odds_in_hand() -> None:
    """The figures in the reason are means of the exact damage over the enemy's three attacking stances."""
    game = HeartRush("duel")
    player, seen = load("tactician").seat(game), seen_by(begun(game, 0))
    stance = int(player.policy(seen)[player._layout.stances].argmax())
    pair = player._matchups.pairing(seen["observation"], 0)
    deals = damage(pair, game.scenario.settings)[stance, :3].mean()
    risks = damage(pair.turned(), game.scenario.settings)[:3, stance].mean()
    assert deals > risks > 0
    assert player.reason(seen) == f"strikes for {deals:.1f} on average, risks {risks:.1f}"
    assert load("uniform").seat(game).reason(seen) == ""


def test_waiting_keeps_the_action() -> None:
    game = HeartRush("brawl")
    player, seen = load("tactician").seat(game), seen_by(begun(game, 0))
    mask = np.array([name in ("pass", "help 1") for name in game.action_names], np.int8)
    seen["action_mask"] = mask
    assert player._declares(mask) and not player._declares(mask * 0)
    player._choice = lambda observation: player._layout.passes
    assert player.reason(seen) == "keeps the action for an opportunity attack"
