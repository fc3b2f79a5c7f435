"""The exact odds, against calculations by hand and counts over all throws."""

from itertools import product
from math import ceil
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heart_rush.tactics import chances, odds
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import ASKS_OUTLOOK, DEEDS, Odds, gains, odds_of, stakes
from heartrush_agents.heart_rush.tactics.pairs import Fighter, Pairing, records
from heartrush_agents.heart_rush.tactics.rounds import NEVER, ROUND, read_rolls, take_seats
from heartrush_agents.heart_rush.tactics.tactician import first_best

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.engine.pools import Duel
from heartrush_env.games.heart_rush.rules.dice import MAX_GATHERED, distribution, new_pool
from heartrush_env.games.heart_rush.scenario.settings import Settings
from tests.agents.heart_rush.bots.test_predictors import DECEMBER
from tests.agents.seats import STANCES, watch

MIGHT, AGILITY, CUNNING, DEFENSIVE, NO_STANCE = range(5)
ON_MAPS = ("skirmish", "ambush")  # with cover and hills; in dim light, by surprise
BOOK, PLAIN = Settings(), Settings.parse({"profile": "plain"})


def fighter(**changed: int) -> Fighter:
    """Return a fighter with a d4 for each ability and its weapon, no heart die and nothing else, except as changed."""
    dice = dict.fromkeys(("might", "agility", "cunning", "weapon_die"), 4)
    return Fighter(**{**dict.fromkeys(Fighter._fields, 0), **dice, "armed": 1, "action": 1, **changed})


def pair(own_left: int = 10, other_left: int = 20, own: Fighter | None = None, **changed: int) -> Pairing:
    """Return a pairing of two such fighters; `changed` applies to the other one."""
    return Pairing(own or fighter(), fighter(**changed), own_left, other_left)


def mean_damage(attack: int, defense: int, bonus: int = 0, most: int = 100, halved: bool = False) -> float:
    """Return the mean damage over all throws of `attack` d4 against `defense` d4, at most `most` for each throw."""
    throws = list(product(range(1, 5), repeat=attack + defense))
    damages = [max(0, sum(throw[:attack]) - sum(throw[attack:]) + bonus) for throw in throws]
    return sum(min(ceil(damage / 2) if halved else damage, most) for damage in damages) / len(throws)


def asked(question: int, pair: Pairing, settings: Settings = BOOK) -> Any:
    """Return the answers to a question about one pair."""
    return odds_of(settings).ask(question, records([pair]))[0]


def outlook(pair: Pairing, settings: Settings) -> float:
    return float(asked(odds.ASKS_OUTLOOK, pair, settings)[0])


def deeds(pair: Pairing, stance: int, against: int, settings: Settings) -> dict[str, float]:
    """Return the values of the attacks and maneuvers that these stances allow."""
    worth = asked(odds.ASKS_DEEDS, pair._replace(stance=stance, against=against), settings)
    return {deed: value for deed, value in zip(DEEDS, worth.tolist(), strict=True) if value > NEVER}


def rolls(own: Fighter, other: Fighter, stance: int, cap: int = 10) -> dict[str, tuple[list[int], int]]:
    """Return the dice and the net advantage of both fighters' rolls in a stance, as looked up in the table."""
    fight, round, table = Duel().fights[0], np.zeros(1, ROUND)[0], chances.Table()
    round.cap = cap
    take_seats(fight, round, records([Pairing(own, other, 1, 1)])[0])
    read_rolls(fight, round, stance, table.known, table.wanted)
    places = {
        "attack": round.attack[0, 0],
        "beating": round.attack[0, 1],
        "answer": round.attack[1, 0],
        "defense": round.defense[1],
        "own defense": round.defense[0],
    }
    read = {name: chances.pool_of(int(table.known[place].key)) for name, place in places.items()}
    return {name: (sorted(pool.sides[: pool.count].tolist()), int(pool.net)) for name, pool in read.items()}


# -- rolls -------------------------------------------------------------------------------------------------------------


def harm(attack: Any, defense: Any, bonus: int, most: int = 100, *, halved: bool = False) -> float:
    """Return the expected damage of one pool's roll against another's."""
    table, pools = chances.Table(), (attack, defense)
    for pool in pools:
        chances.place_of(pool, pool.net, table.known, table.wanted)
    assert table.fill() and not table.fill()
    places = [chances.place_of(pool, pool.net, table.known, table.wanted) for pool in pools]
    return float(chances.harm(*(table.known[place] for place in places), bonus, halved, most))


def test_a_d4_against_a_d4() -> None:
    """Of 16 throws, 10 deal no damage, 3 deal 1, 2 deal 2 and 1 deals 3."""
    dice = new_pool(4), new_pool(4)
    assert [harm(*dice, 0, most) for most in range(4)] == pytest.approx([0, 6 / 16, 9 / 16, 10 / 16])
    halves = [harm(*dice, 0, most, halved=True) for most in range(4)]
    assert halves == pytest.approx([0, 6 / 16, 7 / 16, 7 / 16])  # 1, 1 and 2 of 1, 2 and 3
    assert harm(*dice, 2) == pytest.approx((1 * 3 + 2 * 4 + 3 * 3 + 4 * 2 + 5 * 1) / 16)
    assert harm(*dice, -9) == 0


def test_harm_is_the_mean_over_all_throws() -> None:
    """Dice Mechanics > Advantage and Disadvantage: one level of disadvantage adds a d6 and drops the highest."""
    throws = list(product(range(1, 5), range(1, 7), range(1, 7), range(1, 5)))
    damages = [max(0, a + b + c - max(a, b, c) - d + 1) for a, b, c, d in throws]
    for most in range(12):
        expected = sum(min(damage, most) for damage in damages) / len(throws)
        assert harm(new_pool(4, 6, net=-1), new_pool(4), 1, most) == pytest.approx(expected)
        in_halves = sum(min(ceil(damage / 2), most) for damage in damages) / len(throws)
        assert harm(new_pool(4, 6, net=-1), new_pool(4), 1, most, halved=True) == pytest.approx(in_halves)


def test_dice_that_are_added_apart_count_too() -> None:
    """By all throws: a d4 and a bonus d4 against a d4 at one level of advantage."""
    throws = list(product(range(1, 5), repeat=4))
    mean = sum(max(0, a + b - max(c, d)) for a, b, c, d in throws) / len(throws)
    assert harm(new_pool(4, bonus=(4,)), new_pool(4, net=1), 0) == pytest.approx(mean)


def test_the_table_keeps_what_it_knows_as_it_grows() -> None:
    """The table grows beyond its first size, and every pool keeps an entry with its own probabilities."""
    table, sizes = chances.Table(), (4, 6, 8, 10, 12, 20)
    many = [new_pool(*dice, net=net) for dice in product(sizes, repeat=3) for net in (0, 1)]
    room = len(table.known)
    for first in range(0, len(many), 100):
        for pool in many[first : first + 100]:
            chances.place_of(pool, pool.net, table.known, table.wanted)
        table.fill()
    assert len(table.known) > room and np.count_nonzero(table.known["key"]) == len(many)
    for pool in many[:: len(many) // 7]:
        totals = table.known[chances.place_of(pool, pool.net, table.known, table.wanted)]
        assert {total: totals.chances[total] for total in range(totals.most + 1) if totals.chances[total]} == (
            pytest.approx({total: float(chance) for total, chance in distribution(pool).items()})
        )
    assert not table.fill()


def test_more_pools_than_are_wanted_at_once_are_all_found() -> None:
    table = chances.Table()
    many = [new_pool(a, b, c, net=net) for a, b, c in product((4, 6, 8, 10), repeat=3) for net in range(-2, 3)]
    rounds = 0
    while True:
        for pool in many:
            chances.place_of(pool, pool.net, table.known, table.wanted)
        if not table.fill():
            break
        rounds += 1
    assert len(many) > chances.WANTED_AT_ONCE and rounds == 2
    assert np.count_nonzero(table.known["key"]) == len(many)


def test_equals_are_equal_however_their_sums_were_rounded() -> None:
    """In floating point 0.1 + 0.2 exceeds 0.3, but `first_best` treats them as equal."""
    assert first_best(np.array([[0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3], [0.3, 0.31]])).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("scenario", "rules"),
    [
        ("duel", {}),
        pytest.param("brawl", {}, marks=pytest.mark.long),
        ("duel", DECEMBER),
        *(pytest.param(name, {}, marks=pytest.mark.long) for name in ("giant", "skirmish", "ambush")),
        *(pytest.param(name, DECEMBER, marks=pytest.mark.long) for name in ("brawl", "giant", "skirmish", "ambush")),
    ],
    ids=str,
)
def test_pools_are_those_of_the_game(scenario: str, rules: dict[str, Any]) -> None:
    """The dice, net advantage and bonus of each roll match; the source of another fighter's rage is not observed."""
    env = heart_rush_v0.parallel_env(scenario=scenario, rules=rules)
    fighting = "charger" if scenario in ON_MAPS else "random"  # on a map, random play hardly ever meets an enemy
    players = {agent: load(fighting).seat(env.game) for agent in env.possible_agents}
    sight, teams = Matchups(env.game), dict(zip(env.game.agents, env.game.teams, strict=True))
    held, seen = 0, {}
    for seed in range(12):
        for _, agent, observation in watch(env, players, seed):
            if agent == env.agents[0]:  # the events are those of the step before, as are the observations
                for event in env.events:
                    steps = scenario in ON_MAPS and event.get("stance") == "agility"  # it may have moved
                    if event["type"] == "attack" and event["cause"] == "attack" and not steps:
                        enemies = [other for other in env.game.agents if teams[other] != teams[event["attacker"]]]
                        place = enemies.index(event["target"])
                        held += check_rolls(event, sight.pairing(seen[event["attacker"]], place))
                seen = {}
            seen[agent] = observation["observation"].copy()
    assert held > 100


def check_rolls(event: dict[str, Any], faced: Pairing) -> int:
    """Check the rolls of an attack against the pools, and return how many rolls could be checked."""
    (own, other), stance, contested = faced[:2], STANCES.index(event["stance"]), event["contested"]
    known, bonus = rolls(own, other, stance), other.attack_bonus if contested else other.armor + other.shield
    held = 0
    for roll, roller, (dice, net), flat in (
        ("attack", own, known["attack"], own.attack_bonus),
        ("defense", other, known["answer" if contested else "defense"], bonus),
    ):
        causes = event[f"{roll}_causes"]
        if roller.helped or {"enraged", "aggravated"} & set(causes):
            continue
        results = sorted(event[f"{roll}_dice"])
        assert net == sum(causes.values())
        named = [sides for name, sides, _ in event[f"{roll}_pool"] if name not in ("whip", "advantage", "disadvantage")]
        assert (sorted(named), len(results)) == (dice, len(event[f"{roll}_pool"]))
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
        ({"frightened": 2}, {}, -2, -2),  # while the source, the faced enemy, is standing
        ({"helped": 2}, {}, 2, 2),
        ({"restrained": 5, "weakened": 5, "poisoned": 5}, {}, -10, -10),
    ],
    ids=str,
)
def test_conditions_on_rolls_of_might(own: dict[str, int], other: dict[str, int], attack: int, defense: int) -> None:
    """The chapter on conditions; advantage counts positive and disadvantage negative."""
    known = rolls(fighter(**own), fighter(**other), MIGHT)
    assert known["attack"][1] == attack
    assert known["own defense"][1] == defense


# -- a round -----------------------------------------------------------------------------------------------------------


def test_the_balance_by_hand() -> None:
    """A hit is 2d4 against d4 and a contest 2d4 against 2d4; the other has 20 hit points and the fighter 10."""
    hit, taken = mean_damage(2, 1, most=20) / 20, mean_damage(2, 1, most=10) / 10
    contest = mean_damage(2, 2) / 20 - mean_damage(2, 2) / 10
    hiding = mean_damage(2, 1, halved=True) / 20
    assert stakes(pair(), PLAIN) == pytest.approx(
        np.array(
            [  # MIGHT   AGILITY  CUNNING  DEFENSIVE  none
                [contest, -taken, hit, hiding, hit],  # MIGHT
                [hit, contest, -taken, hiding, hit],  # AGILITY
                [-taken, hit, contest, hiding, hit],  # CUNNING
            ]
        )
    )


@pytest.mark.long
def test_dice_of_abilities_join_the_attack_and_no_defense() -> None:
    """In might against cunning and in a contest, the fighter with two more d4 adds them when it attacks."""
    faced = pair(own=fighter(more_dice=2, more_sides=4))
    contest = mean_damage(4, 2, most=20) / 20 - mean_damage(2, 4, most=10) / 10
    assert stakes(faced, PLAIN)[MIGHT, CUNNING] == pytest.approx(mean_damage(4, 1, most=20) / 20)
    assert stakes(faced, PLAIN)[MIGHT, MIGHT] == pytest.approx(contest)
    assert stakes(faced, PLAIN)[CUNNING, MIGHT] == pytest.approx(-mean_damage(2, 1, most=10) / 10)


def test_dice_of_abilities_have_room_in_the_pool() -> None:
    """Weigh two bonus dice, and compare the field that follows the pool in the fight's record."""
    asked = Odds(PLAIN)
    asked.ask(ASKS_OUTLOOK, records([pair(own=fighter(more_dice=2, more_sides=4))]))
    fight = asked._fights[0]
    assert fight["pool"]["bonus"].shape[0] >= MAX_GATHERED
    assert not fight["attack_roll"].tobytes().strip(b"\0")  # nothing is rolled


def test_damage_beyond_the_hit_points_left_does_not_count() -> None:
    assert stakes(pair(other_left=2), PLAIN)[MIGHT, CUNNING] == pytest.approx(mean_damage(2, 1, most=2) / 2)


def test_armor_in_contests_where_the_settings_say_so() -> None:
    settings = Settings.parse({"profile": "plain", "armor_in_contest": True})
    own, other = (fighter(armor=armor) for armor in (1, 2))
    contest = mean_damage(2, 2, bonus=-2) / 20 - mean_damage(2, 2, bonus=-1) / 10
    assert stakes(Pairing(own, other, 10, 20), settings)[MIGHT, MIGHT] == pytest.approx(contest)


def test_who_has_spent_its_action_does_not_attack_where_that_costs_it() -> None:
    settings = Settings.parse({"profile": "plain", "attack_costs_action": True})
    spent = pair(action=0)
    assert stakes(spent, settings)[MIGHT, AGILITY] == 0
    assert stakes(spent, settings)[MIGHT, MIGHT] == pytest.approx(mean_damage(2, 1) / 20)  # no contest
    assert stakes(spent, PLAIN)[MIGHT, AGILITY] < 0


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
    assert rolls(fighter(**weapon), fighter(), stance)["beating" if beats else "attack"][0] == [*dice]


def test_a_ranged_weapon_ignores_armor_where_might_beats() -> None:
    """Weapons > Might Bonus > Ranged: the weapon ignores armor but not the shield."""
    archer = fighter(weapon_ranged=1)
    faced = Pairing(archer, fighter(armor=3, shield=1), 10, 20)
    assert stakes(faced, PLAIN)[MIGHT, CUNNING] == pytest.approx(mean_damage(2, 1, bonus=-1) / 20)
    assert stakes(faced, PLAIN)[AGILITY, MIGHT] == pytest.approx(mean_damage(2, 1, bonus=-4) / 20)


def test_two_levels_are_worth_the_one_that_is_left_next_round() -> None:
    gained = gains(pair(), BOOK)
    assert gained["dazed"] == pytest.approx(outlook(pair(dazed=1), BOOK) - outlook(pair(), BOOK))
    assert gained["dazed"] > 0 and gained["prone"] > gained["dazed"]
    assert stakes(pair(), BOOK)[CUNNING, AGILITY] == pytest.approx(
        stakes(pair(), PLAIN)[CUNNING, AGILITY] + max(gained[each] for each in ("dazed", "off_balanced", "weakened"))
    )


def test_what_is_one_side_s_gain_is_the_other_s_loss() -> None:
    """Stakes between equals are antisymmetric, cunning's levels included; a contest may cost more than it gains."""
    between_equals = stakes(pair(10, 10), BOOK)[:, :3]
    assert between_equals == pytest.approx(-between_equals.T)
    assert deeds(pair(10, 10), MIGHT, MIGHT, BOOK) == {"attack": pytest.approx(0)}
    assert deeds(pair(5, 10), MIGHT, MIGHT, BOOK)["attack"] < 0


def test_a_dirty_strike_does_a_d4() -> None:
    """Combat > Other Offensive Actions > Hinder: a dirty strike deals 2.5 of 20 hit points and inflicts two levels.

    An attack is worth more than a dirty strike, except against much armor.
    """
    faced, armored = pair(), pair(armor=9)
    worth = deeds(faced, AGILITY, MIGHT, BOOK)
    assert worth["dirty_strike dazed"] == pytest.approx(2.5 / 20 + gains(faced, BOOK)["dazed"])
    assert worth["attack"] == pytest.approx(mean_damage(2, 1) / 20) and mean_damage(2, 1) > 2.5
    assert max(deeds(armored, AGILITY, MIGHT, BOOK).items(), key=lambda deed: deed[1])[0].startswith("dirty_strike")
    assert set(deeds(faced, MIGHT, DEFENSIVE, BOOK)) == {"attack"}  # it is not beaten


@pytest.mark.parametrize("held", [{}, {"grappled": 1}, {"restrained": 1}, {"entangled": 1}, {"grappling": 1}])
def test_a_trip_is_worth_something_only_against_a_fighter_that_cannot_get_up_again(held: dict[str, int]) -> None:
    """Conditions > Prone > Getting Up. An earlier bandit tripped a knight in every round and never attacked."""
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
    """A d4 exceeds a d4 in 6 of 16 throws; help and these conditions end before the next round."""
    plain = asked(odds.ASKS_CLIMBING, Pairing(fighter(), fighter(), 10, 10))[0]
    helped = asked(odds.ASKS_CLIMBING, Pairing(fighter(**own), fighter(**other), 10, 10))[0]
    assert plain > 0 and helped / plain == pytest.approx(chance / (6 / 16))


def test_endurance_is_what_may_be_dealt_before_going_down() -> None:
    equal, armored, against_armor = (
        asked(odds.ASKS_ENDURANCE, each, PLAIN)[0]
        for each in (pair(10), pair(10, own=fighter(armor=2)), pair(10, armor=2))
    )
    assert equal == pytest.approx(10)  # equals deal what they take
    assert armored > 10 > against_armor


@pytest.mark.parametrize("changed", [{}, {"dazed": 3}, {"armor": 9}, {"weakened": 5, "armor": 20}])
def test_whoever_wins_an_exchange_makes_the_best_of_it(changed: dict[str, int]) -> None:
    """Compare with the value of each deed, and of the loser's and of equal stances with plain strikes."""
    both = pair(10, 7, **changed)
    won, lost = asked(odds.ASKS_EXCHANGES, both).reshape(2, 3, 5)
    strikes, answers = (odds.dealt(way, BOOK) for way in (both, both.turned()))
    for stance, against in product(range(3), repeat=2):
        for found, blow, way, own, other in (
            (won, strikes, both, stance, against),
            (lost, answers.T, both.turned(), against, stance),
        ):
            beats = (own, other) in ((MIGHT, CUNNING), (CUNNING, AGILITY), (AGILITY, MIGHT))
            worth = deeds(way, own, other, BOOK) if beats else {}
            named = [value for deed, value in worth.items() if deed.startswith("attack ")] if own == CUNNING else []
            dirty = [value for deed, value in worth.items() if deed.startswith("dirty_strike")]
            best = max([blow[stance, against], *named, *dirty])
            assert found[stance, against] == pytest.approx(best), (stance, against)


def test_a_dirty_strike_by_hand() -> None:
    """Expect (1 + 2 + 3 + 3) / 4 of 3 hit points where armor stops each attack and five levels hinder each die."""
    done = dict.fromkeys(("weakened", "off_balanced", "dazed"), 6)
    won, lost = asked(odds.ASKS_EXCHANGES, pair(5, 3, own=fighter(armor=99), armor=99, **done)).reshape(2, 3, 5)
    assert won[CUNNING, AGILITY] == won[MIGHT, CUNNING] == pytest.approx(0.75)
    assert won[MIGHT, AGILITY] == lost[MIGHT, CUNNING] == 0
