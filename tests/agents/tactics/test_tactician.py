"""The exact odds, by hand and by counting all throws, and the agents that live by them."""

from __future__ import annotations

from collections import Counter
from itertools import cycle, product
from math import ceil
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Player, load
from heartrush_agents.tables import layout
from heartrush_agents.tactics.matchup import Matchups
from heartrush_agents.tactics.odds import (
    Fighter,
    Pairing,
    attack_dice,
    balance,
    climbing,
    deeds,
    defense_dice,
    endurance,
    exchange,
    gains,
    harm,
    net_advantage,
    outlook,
    stakes,
)

from heartrush_env import heart_rush_v0
from heartrush_env.core.game import Observation
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.scenario.settings import Settings
from tests.agents.bots.test_predictors import DECEMBER, Planned, share_won, shares, stance_window
from tests.agents.test_agents import STANCES, watch

MIGHT, AGILITY, CUNNING, DEFENSIVE, NO_STANCE = range(5)
ON_MAPS = ("skirmish", "ambush")  # with cover and hills; in dim light, by surprise
BOOK, PLAIN = Settings(), Settings.parse({"profile": "plain"})


def fighter(**changed: int) -> Fighter:
    """Three d4 for abilities and a d4 in hand, no heart die, nothing else."""
    dice = dict.fromkeys(("might", "agility", "cunning", "weapon_die"), 4)
    return Fighter(**{**dict.fromkeys(Fighter._fields, 0), **dice, "armed": 1, "action": 1, **changed})


def pair(own_left: int = 10, other_left: int = 20, own: Fighter | None = None, **changed: int) -> Pairing:
    """Two such fighters, the other one changed."""
    return Pairing(own or fighter(), fighter(**changed), own_left, other_left)


def mean_damage(attack: int, defense: int, bonus: int = 0, most: int = 100, halved: bool = False) -> float:
    """Over all throws of so many d4 against so many d4, counted up to the most."""
    throws = list(product(range(1, 5), repeat=attack + defense))
    damages = [max(0, sum(throw[:attack]) - sum(throw[attack:]) + bonus) for throw in throws]
    return sum(min(ceil(damage / 2) if halved else damage, most) for damage in damages) / len(throws)


# -- rolls -------------------------------------------------------------------------------------------------------------


def test_a_d4_against_a_d4() -> None:
    """Of 16 throws 10 do no damage, 3 do one, 2 two, 1 three."""
    assert harm((4,), 0, (4,), 0, 0, False)[:4].tolist() == pytest.approx([0, 6 / 16, 9 / 16, 10 / 16])
    assert harm((4,), 0, (4,), 0, 0, True).tolist() == pytest.approx([0, 6 / 16, 7 / 16])  # 1, 1 and 2 of 1, 2 and 3
    assert harm((4,), 0, (4,), 0, 2, False)[-1] == pytest.approx((1 * 3 + 2 * 4 + 3 * 3 + 4 * 2 + 5 * 1) / 16)
    assert harm((4,), 0, (4,), 0, -9, False).tolist() == [0]


def test_harm_is_the_mean_over_all_throws() -> None:
    """Dice Mechanics > Advantage and Disadvantage: one level of disadvantage adds a d6 and drops the highest."""
    throws = list(product(range(1, 5), range(1, 7), range(1, 7), range(1, 5)))
    damages = [max(0, a + b + c - max(a, b, c) - d + 1) for a, b, c, d in throws]
    for most, expected in enumerate(harm((4, 6), -1, (4,), 0, 1, False)):
        assert expected == pytest.approx(sum(min(damage, most) for damage in damages) / len(throws))


@pytest.mark.parametrize("scenario", ["duel", "brawl", "giant", "skirmish", "ambush"])
@pytest.mark.parametrize("rules", [{}, DECEMBER], ids=str)
def test_pools_are_those_of_the_game(scenario: str, rules: dict[str, Any]) -> None:
    """Dice, net advantage and bonus of each roll that such fights make; whom another rages at is not shown."""
    env = heart_rush_v0.parallel_env(scenario=scenario, rules=rules)
    fighting = "charger" if scenario in ON_MAPS else "random"  # who on a map hardly ever meets anybody
    players = {agent: load(fighting).seat(env.game) for agent in env.possible_agents}
    sight, teams = Matchups(env.game), dict(zip(env.game.agents, env.game.teams, strict=True))
    rolls, seen = 0, {}
    for seed in range(12):
        for _, agent, observation in watch(env, players, seed):
            if agent == env.agents[0]:  # the events are those of the step before, as are the observations
                for event in env.events:
                    steps = scenario in ON_MAPS and event.get("stance") == "agility"  # who may have moved meanwhile
                    if event["type"] == "attack" and event["cause"] == "attack" and not steps:
                        enemies = [other for other in env.game.agents if teams[other] != teams[event["attacker"]]]
                        place = enemies.index(event["target"])
                        rolls += check_rolls(event, sight.pairing(seen[event["attacker"]], place))
                seen = {}
            seen[agent] = observation["observation"].copy()
    assert rolls > 100


def check_rolls(event: dict[str, Any], faced: Pairing) -> int:
    """Hold the rolls of an attack against the pools; returns how many could be."""
    (own, other), stance, contested = faced[:2], STANCES.index(event["stance"]), event["contested"]
    answer = attack_dice(other, own, stance, beats=False) if contested else defense_dice(other, own, stance)
    bonus = other.attack_bonus if contested else other.armor + other.shield
    held = 0
    for roll, roller, foe, dice, flat, attacks in (
        ("attack", own, other, attack_dice(own, other, stance, beats=False), own.attack_bonus, True),
        ("defense", other, own, answer, bonus, contested),
    ):
        causes = event[f"{roll}_causes"]
        if roller.helped or {"enraged", "aggravated"} & set(causes):
            continue
        net, results = net_advantage(roller, foe, stance, attacks=attacks, cap=10), sorted(event[f"{roll}_dice"])
        assert net == sum(causes.values())
        named = [sides for name, sides, _ in event[f"{roll}_pool"] if name not in ("whip", "advantage", "disadvantage")]
        assert (sorted(named), len(results)) == ([*dice], len(event[f"{roll}_pool"]))
        assert len(results) == len(dice) + abs(net)
        if roll == "defense" and own.weapon_ranged and stance == MIGHT and not contested:
            continue  # armor counts or not, as it beats the target's stance or not
        assert event[f"{roll}_roll"] == sum(results[net:] if net > 0 else results[: len(dice)]) + flat
        held += 1
    return held


@pytest.mark.parametrize(
    ("own", "other", "attack", "defense"),
    [
        ({"weakened": 2}, {}, -2, -2),
        ({"dazed": 2, "off_balanced": 1}, {}, 0, 0),
        ({"poisoned": 1, "blinded": 1, "confused": 1, "frightened": 1}, {}, -4, -4),
        ({"enraged": 1, "aggravated": 1}, {}, -2, -2),
        ({"grappled": 1, "entangled": 1}, {}, -2, -2),
        ({"restrained": 5, "grappled": 1}, {}, -5, -5),
        ({"grappling": 1}, {"grappled": 1}, -1, -1),
        ({"prone": 1}, {}, -1, -1),
        ({"prone": 1}, {"weapon_thrown": 1}, -1, 1),
        ({"prone": 1}, {"weapon_thrown": 1, "armed": 0}, -1, -1),
        ({"highground": 1}, {}, 1, 0),
        ({"highground": 1}, {"highground": 1}, 0, 0),
        ({"climbs": 1}, {}, 3, 0),
        ({}, {"climbs": 1}, -3, 0),
        ({}, {"hidden": 1}, -5, -5),
        ({"frightened": 2}, {}, -2, -2),  # while the source stands, which is the one that it faces
        ({"helped": 2}, {}, 2, 2),
        ({"restrained": 5, "weakened": 5, "poisoned": 5}, {}, -10, -10),
    ],
    ids=str,
)
def test_conditions_on_rolls_of_might(own: dict[str, int], other: dict[str, int], attack: int, defense: int) -> None:
    """The chapter on conditions, with levels of advantage above zero and of disadvantage below."""
    faced = fighter(**own), fighter(**other)
    assert net_advantage(*faced, MIGHT, attacks=True, cap=10) == attack
    assert net_advantage(*faced, MIGHT, attacks=False, cap=10) == defense


# -- a round -----------------------------------------------------------------------------------------------------------


def test_the_balance_by_hand() -> None:
    """2d4 against d4, 2d4 against 2d4 in a contest; 20 hit points on one side and 10 on the other."""
    hit, taken = mean_damage(2, 1, most=20) / 20, mean_damage(2, 1, most=10) / 10
    contest = mean_damage(2, 2) / 20 - mean_damage(2, 2) / 10
    hiding = mean_damage(2, 1, halved=True) / 20
    assert balance(pair(), PLAIN) == pytest.approx(
        np.array(
            [  # MIGHT   AGILITY  CUNNING  DEFENSIVE  none
                [contest, -taken, hit, hiding, hit],  # MIGHT
                [hit, contest, -taken, hiding, hit],  # AGILITY
                [-taken, hit, contest, hiding, hit],  # CUNNING
            ]
        )
    )


def test_damage_beyond_the_hit_points_left_does_not_count() -> None:
    assert balance(pair(other_left=2), PLAIN)[MIGHT, CUNNING] == pytest.approx(mean_damage(2, 1, most=2) / 2)


def test_armor_in_contests_where_the_settings_say_so() -> None:
    settings = Settings.parse({"profile": "plain", "armor_in_contest": True})
    own, other = (fighter(armor=armor) for armor in (1, 2))
    contest = mean_damage(2, 2, bonus=-2) / 20 - mean_damage(2, 2, bonus=-1) / 10
    assert balance(Pairing(own, other, 10, 20), settings)[MIGHT, MIGHT] == pytest.approx(contest)


def test_who_has_spent_its_action_does_not_attack_where_that_costs_it() -> None:
    settings = Settings.parse({"profile": "plain", "attack_costs_action": True})
    spent = pair(action=0)
    assert balance(spent, settings)[MIGHT, AGILITY] == 0
    assert balance(spent, settings)[MIGHT, MIGHT] == pytest.approx(mean_damage(2, 1) / 20)  # no contest
    assert balance(spent, PLAIN)[MIGHT, AGILITY] < 0


@pytest.mark.parametrize(
    ("weapon", "stance", "beats", "dice"),
    [
        ({}, MIGHT, True, (4, 4)),
        ({"weapon_slashing": 1}, AGILITY, False, (4, 4, 4)),
        ({"weapon_slashing": 1}, MIGHT, False, (4, 4)),
        ({"weapon_whip": 1}, MIGHT, True, (4, 4, 4)),
        ({"weapon_whip": 1}, MIGHT, False, (4, 4)),
        ({"weapon_die": 12, "armed": 0, "weapon_slashing": 1}, AGILITY, False, (4, 4)),
        ({"weapon_die": 12, "armed": 0}, MIGHT, False, (4, 4, 4)),  # bare hands are bludgeoning
    ],
)
def test_dice_of_weapons(weapon: dict[str, int], stance: int, beats: bool, dice: tuple[int, ...]) -> None:
    """Weapons > Damage Type Bonus, Might Bonus, Unarmed."""
    assert attack_dice(fighter(**weapon), fighter(), stance, beats=beats) == dice


def test_a_ranged_weapon_ignores_armor_where_might_beats() -> None:
    """Weapons > Might Bonus > Ranged: armor, not the shield."""
    archer = fighter(weapon_ranged=1)
    faced = Pairing(archer, fighter(armor=3, shield=1), 10, 20)
    assert balance(faced, PLAIN)[MIGHT, CUNNING] == pytest.approx(mean_damage(2, 1, bonus=-1) / 20)
    assert balance(faced, PLAIN)[AGILITY, MIGHT] == pytest.approx(mean_damage(2, 1, bonus=-4) / 20)


def test_two_levels_are_worth_the_one_that_is_left_next_round() -> None:
    gained = gains(pair(), BOOK)
    assert gained["dazed"] == pytest.approx(outlook(pair(dazed=1), BOOK) - outlook(pair(), BOOK))
    assert gained["dazed"] > 0 and gained["prone"] > gained["dazed"]
    assert stakes(pair(), BOOK)[CUNNING, AGILITY] == pytest.approx(
        balance(pair(), BOOK)[CUNNING, AGILITY] + max(gained[each] for each in ("dazed", "off_balanced", "weakened"))
    )
    assert (stakes(pair(), PLAIN) == balance(pair(), PLAIN)).all()


def test_what_is_one_side_s_gain_is_the_other_s_loss() -> None:
    """Between equals, the levels of either's cunning among it; in a contest both may lose."""
    between_equals = stakes(pair(10, 10), BOOK)[:, :3]
    assert between_equals == pytest.approx(-between_equals.T)
    assert deeds(pair(10, 10), MIGHT, MIGHT, BOOK) == {"attack": pytest.approx(0)}
    assert deeds(pair(5, 10), MIGHT, MIGHT, BOOK)["attack"] < 0


def test_a_dirty_strike_does_a_d4() -> None:
    """Combat > Other Offensive Actions > Hinder: 2.5 of 20, and two levels; worth it only where armor stops blades."""
    faced, armored = pair(), pair(armor=9)
    worth = deeds(faced, AGILITY, MIGHT, BOOK)
    assert worth["dirty_strike dazed"] == pytest.approx(2.5 / 20 + gains(faced, BOOK)["dazed"])
    assert worth["attack"] == pytest.approx(mean_damage(2, 1) / 20) and mean_damage(2, 1) > 2.5
    assert max(deeds(armored, AGILITY, MIGHT, BOOK).items(), key=lambda deed: deed[1])[0].startswith("dirty_strike")
    assert set(deeds(faced, MIGHT, DEFENSIVE, BOOK)) == {"attack"}  # it is not beaten


@pytest.mark.parametrize("held", [{}, {"grappled": 1}, {"restrained": 1}, {"entangled": 1}, {"grappling": 1}])
def test_a_trip_is_worth_something_only_against_a_fighter_that_cannot_get_up_again(held: dict[str, int]) -> None:
    """Conditions > Prone > Getting Up. A bandit once tripped a knight every round up to the cap and never struck."""
    faced = Pairing(fighter(), fighter(armor=9, **held), 5, 33)
    worth = deeds(faced, AGILITY, MIGHT, BOOK)
    assert worth["trip"] == (gains(faced, BOOK)["prone"] if held else 0)
    assert gains(faced, BOOK)["prone"] > worth["attack"]


@pytest.mark.parametrize(
    ("own", "other", "chance"),
    [
        ({"helped": 1}, {}, 34 / 64),  # the higher of two d4 above a d4: 15, 12 and 7 of 16 above 1, 2 and 3
        ({}, {"weakened": 1, "off_balanced": 1}, 34 / 64),  # a d4 above the lower of two: the same counts
        ({}, {"weakened": 1}, 24 / 64),  # it takes its agility
    ],
)
def test_help_and_conditions_count_for_the_way_up(own: dict[str, int], other: dict[str, int], chance: float) -> None:
    """A d4 is above a d4 in 6 of 16 throws; all of these are over when the next round begins."""
    plain = climbing(Pairing(fighter(), fighter(), 10, 10), BOOK)
    assert plain > 0
    assert climbing(Pairing(fighter(**own), fighter(**other), 10, 10), BOOK) / plain == pytest.approx(chance / (6 / 16))


def test_endurance_is_what_may_be_dealt_before_going_down() -> None:
    assert endurance(pair(10), PLAIN) == pytest.approx(10)  # equals deal what they take
    assert endurance(pair(10, own=fighter(armor=2)), PLAIN) > 10 > endurance(pair(10, armor=2), PLAIN)


# -- windows -----------------------------------------------------------------------------------------------------------


def changed_by(game: HeartRush, observation: Observation, **features: float) -> Observation:
    """The observation with some features changed."""
    vector = observation["observation"].copy()
    for name, value in features.items():
        vector[game.feature_names.index(name.replace("__", " "))] = value
    return {**observation, "observation": vector}


def window(game: HeartRush, player: Player, legal: set[str], observation: Observation, **features: float) -> str:
    """What the player chooses among these, with some features changed."""
    mask = np.array([name in legal for name in game.action_names], np.int8)
    policy = player.policy({**changed_by(game, observation, **features), "action_mask": mask})
    assert policy.max() == 1 and policy.sum() == 1
    return game.action_names[int(policy.argmax())]


@pytest.fixture
def brawl() -> HeartRush:
    return HeartRush("brawl")


@pytest.fixture
def start(brawl: HeartRush) -> Observation:
    """What the knight sees at the start of a brawl against a barbarian and a duelist."""
    batch = brawl.batch(1)
    batch.start([0], 0, [0])
    return {"observation": batch.observations[0, 0].copy(), "action_mask": batch.masks[0, 0].copy()}


@pytest.fixture
def player(brawl: HeartRush) -> Player:
    return load("tactician").seat(brawl)


def test_it_attacks_whom_it_can_bring_down(brawl: HeartRush, player: Player, start: Observation) -> None:
    """In might both have taken cunning; heroes last until -40."""
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
    """Rage weighs against others than its source; heroes last until minus their maximum, but not in a duel."""
    raging = changed_by(brawl, start, self__enraged=0.2, enemy__1__enrages_me=1, self__hp=0.5, enemy__2__hp=-0.5)
    faced = [Matchups(brawl).pairing(raging["observation"], place) for place in (0, 1)]
    assert [each.own.enraged for each in faced] == [0, 1]
    most = round(40 * float(start["observation"][brawl.feature_names.index("self hp_max")]))
    other = round(40 * float(start["observation"][brawl.feature_names.index("enemy 2 hp_max")]))
    assert (faced[1].own_left, faced[1].other_left) == (20 + most, other - 20)
    duel = HeartRush("duel")
    assert Matchups(duel).pairing(stance_window(duel, self__hp=0.5)["observation"], 0)[2:] == (20, 40)


def test_it_shrugs_off_what_would_end_it_and_takes_what_is_small() -> None:
    game = HeartRush("duel")
    player, legal = load("tactician").seat(game), {"shrug", "take"}
    batch = game.batch(1)
    batch.start([0], 0, [0])
    start: Observation = {"observation": batch.observations[0, 0].copy(), "action_mask": batch.masks[0, 0].copy()}
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


def test_it_helps_the_ally_with_the_fewest_hit_points() -> None:
    game = HeartRush("giant")
    player, batch = load("tactician").seat(game), game.batch(1)
    batch.start([0], 0, [0])
    start: Observation = {"observation": batch.observations[0, 0].copy(), "action_mask": batch.masks[0, 0].copy()}
    for hp, helped in ((0.2, 1), (0.8, 2)):
        assert (
            window(game, player, {"pass", "help 1", "help 2"}, start, ally__1__hp=hp, ally__2__hp=0.5)
            == f"help {helped}"
        )


def test_openings_are_struck_at_but_not_those_who_lie_there(
    brawl: HeartRush, player: Player, start: Observation
) -> None:
    strikes = {f"opportunity {place} {die}" for place in (1, 2) for die in ("might", "agility", "cunning")}
    assert window(brawl, player, {"pass", *strikes}, start, enemy__1__standing=0, enemy__2__might=1.0).startswith(
        "opportunity 2"
    )
    assert window(brawl, player, {"pass", *strikes}, start, enemy__1__standing=0, enemy__2__standing=0) == "pass"
    first = {strike for strike in strikes if strike.startswith("opportunity 1")}
    own = {"self__might": 0.2, "self__agility": 0.2, "self__cunning": 1.0}
    assert window(brawl, player, {"pass", *first}, start, **own) == "opportunity 1 cunning"
    paid = {f"{strike} rush" for strike in first}
    assert window(brawl, player, {"pass", *first, *paid}, start, **own) == "opportunity 1 cunning rush"


def test_the_best_reply_against_all_stances_alike() -> None:
    """Only its own die in cunning is good, and nobody's else; then the enemy's alone, which agility exposes it to."""
    game = HeartRush("duel", {"profile": "plain"})
    player = load("tactician").seat(game)
    assert shares(player, stance_window(game, dice=(4, 4, 20))) == {"c": 1}
    assert shares(player, stance_window(game, dice=(20, 4, 4))) == {"m": 1}
    shown = stance_window(game, dice=(6, 6, 6), enemy__1__cunning=1.0)
    assert shares(player, shown) != {"a": 1}


# -- the modeller ------------------------------------------------------------------------------------------------------


def test_the_modeller_begins_with_one_of_each_and_counts_on() -> None:
    game = HeartRush("duel")
    player: Any = load("modeller").seat(game)
    assert player._expects(0).tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0, 0])
    player.policy(stance_window(game, other="ccd"))
    assert player._expects(0).tolist() == pytest.approx([1 / 6, 1 / 6, 3 / 6, 1 / 6, 0])


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
    """The share of duels that the first agent wins, mean over the two seats."""
    env = heart_rush_v0.parallel_env(scenario="duel")
    as_knight = share_won(env, own, load(other).seat(env.game), fights)
    as_duelist = 1 - share_won(env, other, load(own).seat(env.game), fights)
    return (as_knight + as_duelist) / 2


@pytest.mark.parametrize("id", ["tactician", "modeller"])
def test_the_odds_beat_chance_and_the_even_mix(id: str) -> None:
    """It wins all but every duel against random and four of five against uniform; 40 each have a deviation of 0.06."""
    assert both_seats(id, "random", 10) >= 0.9
    assert both_seats(id, "uniform", 20) >= 0.65


def test_the_modeller_beats_one_stance_more_often_than_the_tactician() -> None:
    env = heart_rush_v0.parallel_env(scenario="mirror_duel", decisions="stance")
    won = {id: share_won(env, id, Planned(env.game, cycle("m")), 20) for id in ("tactician", "modeller")}
    assert won["modeller"] >= 0.9 and won["modeller"] >= won["tactician"]


def test_it_never_hides_and_never_yields() -> None:
    env = heart_rush_v0.parallel_env(scenario="brawl")
    players = {agent: load("tactician").seat(env.game) for agent in env.possible_agents}
    defensive, give_up = (
        layout(env.game.action_names, env.game.feature_names).action[n] for n in ("stance defensive", "yield")
    )
    done: Counter[int] = Counter()
    for seed in range(2):
        for _, agent, observation in watch(env, players, seed):
            done[int(players[agent].policy(observation).argmax())] += 1
    assert done[defensive] == done[give_up] == 0 and len(done) > 8


def test_the_reason_tells_the_odds_in_hand() -> None:
    """The figures are the means of the exact exchanges with all three stances."""
    game = HeartRush("duel")
    batch = game.batch(1)
    batch.start([0], 0, [0])
    seen = {"observation": batch.observations[0, 0].copy(), "action_mask": batch.masks[0, 0].copy()}
    player = load("tactician").seat(game)
    stance = int(player.policy(seen)[player._layout.stances].argmax())
    pair = player._matchups.pairing(seen["observation"], 0)
    deals = exchange(pair.own, pair.other, game.scenario.settings)[stance, :3, -1].mean()
    risks = exchange(pair.other, pair.own, game.scenario.settings)[:3, stance, -1].mean()
    assert deals > risks > 0
    assert player.reason(seen) == f"strikes for {deals:.1f} on average, risks {risks:.1f}"
    assert load("uniform").seat(game).reason(seen) == ""


def test_waiting_keeps_the_action() -> None:
    game = HeartRush("brawl")
    player, batch = load("tactician").seat(game), game.batch(1)
    batch.start([0], 0, [0])
    mask = np.array([name in ("pass", "help 1") for name in game.action_names], np.int8)
    seen = {"observation": batch.observations[0, 0].copy(), "action_mask": mask}
    assert player._declares(mask) and not player._declares(batch.masks[0, 0] * 0)
    player._choice = lambda observation: player._layout.passes
    assert player.reason(seen) == "keeps the action for an opportunity attack"
