"""The probabilities of damage, against counts of all throws; and which duels are refused."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research import duel
from heartrush_env.research.duel import EXCHANGES, TURNED
from heartrush_env.research.full_rules import graph
from heartrush_env.research.solve import read_duel
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist, Table
from tests.research.duels import game_of

MIGHT, AGILITY, CUNNING, DEFENSIVE = range(4)
FIRST, SECOND = 0, 1  # the fighter that is hurt


def chances(game: HeartRush, exchange: tuple[int, int, int, int], who: int) -> dict[int, float]:
    """Return the probability of each damage above 0, with the fighters' initial heart dice."""
    found = read_duel(game).chances[-1, -1, EXCHANGES.index(exchange), who]
    return {damage: float(chance) for damage, chance in enumerate(found) if chance > 0}


def thrown(*dice: int, damage: Any) -> dict[int, float]:
    """Return the probability of each damage above 0, by all throws of these dice."""
    throws = list(product(*(range(1, sides + 1) for sides in dice)))
    counted = Counter(damage(*throw) for throw in throws)
    return {amount: count / len(throws) for amount, count in sorted(counted.items()) if amount > 0}


STRONG, WEAK = Duelist(might=6, heart=4, weapon=8, damage_type="bludgeoning"), Duelist(cunning=6, armor=3)


def test_an_attack_by_all_throws() -> None:
    """Might rolls heart d4, might d6, weapon d8 and d8 for the damage type, against heart d4, might d4 and armor 3."""
    expected = thrown(4, 6, 8, 8, 4, 4, damage=lambda a, b, c, d, e, f: a + b + c + d - e - f - 3)
    assert chances(game_of(STRONG, WEAK), (MIGHT, CUNNING, 1, 0), SECOND) == pytest.approx(expected)
    assert chances(game_of(STRONG, WEAK), (MIGHT, CUNNING, 1, 0), FIRST) == {}


def test_the_defensive_stance_halves() -> None:
    expected = thrown(4, 4, 8, 4, 6, damage=lambda a, b, c, e, f: (a + b + c - e - f - 3 + 1) // 2)
    assert chances(game_of(STRONG, WEAK), (CUNNING, DEFENSIVE, 1, 0), SECOND) == pytest.approx(expected)


@pytest.mark.parametrize("armor_counts", [False, True])
def test_the_loser_of_a_contest_takes_the_difference(armor_counts: bool) -> None:
    game = game_of(STRONG, WEAK, Table(armor_in_contest=armor_counts))
    armor = 3 if armor_counts else 0
    hurt = thrown(4, 4, 8, 4, 6, 4, damage=lambda a, b, c, d, e, f: a + b + c - d - e - f - armor)
    back = thrown(4, 4, 8, 4, 6, 4, damage=lambda a, b, c, d, e, f: d + e + f - a - b - c)
    assert chances(game, (CUNNING, CUNNING, 1, 1), SECOND) == pytest.approx(hurt)
    assert chances(game, (CUNNING, CUNNING, 1, 1), FIRST) == pytest.approx(back)


def test_who_attacks_alone_is_in_a_contest_unless_contests_are_mutual() -> None:
    book, mutual = game_of(STRONG, WEAK), game_of(STRONG, WEAK, Table(mutual=True))
    assert chances(book, (MIGHT, MIGHT, 1, 0), FIRST) == chances(book, (MIGHT, MIGHT, 1, 1), FIRST) != {}
    assert chances(mutual, (MIGHT, MIGHT, 1, 0), FIRST) == {}
    expected = thrown(4, 6, 8, 8, 4, 4, damage=lambda a, b, c, d, e, f: a + b + c + d - e - f - 3)
    assert chances(mutual, (MIGHT, MIGHT, 1, 0), SECOND) == pytest.approx(expected)


def test_whips_and_ranged_weapons_in_might() -> None:
    """R-8 and the whip's bonus need a beaten stance; with `defensive_is_beaten` the defensive stance is beaten."""
    whip, bow = (Duelist(weapon=4, attack_type=kind) for kind in ("whip", "ranged"))
    more = thrown(4, 4, 4, 4, 4, 4, damage=lambda a, b, c, d, e, f: a + b + c + d - e - f - 3)
    bare = thrown(4, 4, 4, 4, 4, damage=lambda a, b, c, e, f: a + b + c - e - f)
    plain = thrown(4, 4, 4, 4, 4, damage=lambda a, b, c, e, f: (a + b + c - e - f - 3 + 1) // 2)
    halved = thrown(4, 4, 4, 4, 4, damage=lambda a, b, c, e, f: (a + b + c - e - f + 1) // 2)
    assert chances(game_of(whip, WEAK), (MIGHT, CUNNING, 1, 0), SECOND) == pytest.approx(more)
    assert chances(game_of(bow, WEAK), (MIGHT, CUNNING, 1, 0), SECOND) == pytest.approx(bare)
    assert chances(game_of(bow, WEAK), (MIGHT, DEFENSIVE, 1, 0), SECOND) == pytest.approx(plain)
    beaten = game_of(bow, WEAK, Table(defensive_is_beaten=True))
    assert chances(beaten, (MIGHT, DEFENSIVE, 1, 0), SECOND) == pytest.approx(halved)


def test_all_chances_sum_to_one_and_turn_with_the_sides() -> None:
    for rules in ({"profile": "plain"}, {"profile": "plain", "edition": "december2025"}):
        duel = read_duel(HeartRush("duel", rules))
        assert duel.chances.sum(axis=(3, 4)) + duel.idle == pytest.approx(1.0, abs=1e-12)
        back = duel.turned().turned()
        assert (back.chances == duel.chances).all() and (back.idle == duel.idle).all() and back.hp == duel.hp
        assert (duel.turned().idle[1, 0] == duel.idle[0, 1][TURNED]).all()


@pytest.mark.parametrize(
    ("scenario", "rules", "said"),
    [
        ("duel", {}, "the setting maneuvers is on, and only the profiles 'plain' and 'levels' are solved"),
        ("duel", {"profile": "levels", "conditions": True, "maneuvers": True}, "the setting maneuvers is on, and only"),
        ("duel", {"profile": "plain", "wounds": True}, "the setting wounds is on"),
        ("duel", {"profile": "plain", "conditions": True}, "the setting conditions is on"),
        ("duel", {"profile": "plain", "talk": "open"}, "talk is 'open'"),
        ("melee", {"profile": "plain"}, "8 fighters"),
    ],
)
def test_what_is_not_solved_is_refused_by_name(scenario: str, rules: dict[str, Any], said: str) -> None:
    with pytest.raises(SolverError, match=said) as refusal:
        read_duel(HeartRush(scenario, rules))
    assert str(refusal.value).startswith(f"'{scenario}' cannot be solved: ") and str(refusal.value).endswith("solved.")


@pytest.mark.parametrize("profile", ["plain", "levels"])
@pytest.mark.parametrize(
    ("zero_hp", "heroes", "goes_on"),
    [
        ("heroes_choose", ["red"], (False, True)),
        ("heroes_choose", [], (False, False)),
        ("all_out", ["red"], (False, False)),
        ("all_choose", ["red"], (True, True)),
    ],
)
def test_who_may_choose_at_zero_stands_down_to_the_negative_of_its_maximum(
    profile: str, zero_hp: str, heroes: list[str], goes_on: tuple[bool, bool]
) -> None:
    """R-12 and R-23; if the first fighter down decides the fight, no fighter may choose (R-38)."""
    rules = {"profile": profile, "zero_hp": zero_hp}
    hp = STRONG.hp, WEAK.hp
    duel = read_duel(game_of(STRONG, WEAK, rules=rules, heroes=heroes, victory="last_standing"))
    assert duel.below == tuple(most * goes for most, goes in zip(hp, goes_on, strict=True))
    assert duel.hp == tuple(most * (1 + goes) for most, goes in zip(hp, goes_on, strict=True))
    assert duel.state[:2] == hp and duel.turned().below == duel.below[::-1]
    assert read_duel(game_of(STRONG, WEAK, rules=rules, heroes=heroes)).below == (0, 0)


@pytest.mark.parametrize("solver", [duel, graph], ids=["by states", "by play"])
def test_no_solver_takes_a_duel_with_talents(solver: Any) -> None:
    fighters = [{"from": "knight", "team": "blue", "talents": ["exert"]}, {"from": "duelist", "team": "red"}]
    game = HeartRush({"name": "gifted", "fighter": fighters}, {"profile": "plain"}, memory=0)
    assert "talents or other abilities" in solver.why_unsupported(game)
