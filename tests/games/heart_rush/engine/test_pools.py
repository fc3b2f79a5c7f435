"""The dice pools of two fighters, by hand: whose dice they are, in which stance, and what beating a stance adds."""

from heartrush_env.games.heart_rush.engine.pools import Duel
from heartrush_env.games.heart_rush.rules.dice import dice_of, flat_of
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CUNNING, MIGHT, NO_DAMAGE_TYPE, NOBODY, WEAKENED, WHIP


def filled() -> Duel:
    """Return a duel of a whip against a blade, in which all dice and numbers of the two are different."""
    duel = Duel()
    own, other = duel.fighters
    for fighter, heart, dice, die, armor, shield in ((own, 4, (6, 8, 10), 12, 2, 1), (other, 8, (4, 6, 4), 10, 5, 3)):
        fighter.phase_heart, fighter.weapon_die, fighter.armor, fighter.shield = heart, die, armor, shield
        fighter.ability[:3] = dice
        fighter.armed, fighter.damage_type, fighter.source[:] = True, NO_DAMAGE_TYPE, NOBODY
    own.attack_type, own.attack_bonus = WHIP, 7
    duel.fill_pools()
    return duel


def test_an_attack_has_the_dice_of_its_own_stance() -> None:
    """Making Attack Rolls > Your Attack Roll: heart, the stance's ability, weapon, and the flat bonus."""
    attack = filled().attack
    assert dice_of(attack[MIGHT, 0]) == [("heart", 4), ("might", 6), ("weapon", 12)]
    assert dice_of(attack[AGILITY, 0]) == [("heart", 4), ("agility", 8), ("weapon", 12)]
    assert dice_of(attack[CUNNING, 1]) == [("heart", 4), ("cunning", 10), ("weapon", 12)]
    assert flat_of(attack[CUNNING, 1]) == {"bonus": 7}


def test_a_whip_adds_its_die_in_might_alone_and_only_where_it_beats() -> None:
    """Weapons > Might Bonus > Whip."""
    attack = filled().attack
    assert dice_of(attack[MIGHT, 1]) == [("heart", 4), ("might", 6), ("weapon", 12), ("whip", 12)]
    assert dice_of(attack[AGILITY, 1]) == dice_of(attack[AGILITY, 0])


def test_a_defense_has_the_ability_of_the_attackers_stance_and_its_own_armor() -> None:
    """Making Attack Rolls > Defender's Roll."""
    defense = filled().defense
    assert [dice_of(defense[stance]) for stance in (MIGHT, AGILITY, CUNNING)] == [
        [("heart", 4), ("might", 6)],
        [("heart", 4), ("agility", 8)],
        [("heart", 4), ("cunning", 10)],
    ]
    assert flat_of(defense[AGILITY]) == {"armor": 2, "shield": 1}


def test_checks_are_of_might_and_of_agility() -> None:
    """Dice Mechanics > Checks and Saves."""
    check = filled().check
    assert dice_of(check[MIGHT]) == [("heart", 4), ("might", 6)]
    assert dice_of(check[AGILITY]) == [("heart", 4), ("agility", 8)]


def test_no_cap_of_a_setting_applies() -> None:
    """Five levels of weakened are five disadvantages on rolls of might, and none on others."""
    duel = filled()
    duel.fighters[0].levels[WEAKENED] = 5
    duel.fighters[0].afflicted = 1 << WEAKENED
    duel.fill_pools()
    assert [int(duel.attack[stance, 0].net) for stance in (MIGHT, AGILITY, CUNNING)] == [-5, 0, 0]
    assert int(duel.check[MIGHT].net) == -5 == int(duel.defense[MIGHT].net)
