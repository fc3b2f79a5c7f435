"""Two abilities at once: their dice on one roll, their damage, their healing, their levels, their prices.

Both matter in each of these fights: without either of them it would go otherwise.
"""

from collections.abc import Callable
from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.abilities import abilities, key_of
from tests.games.heart_rush.rules.table import Fields, Table, strike

BLOW, DEFENSE = (1, 1, 1), (8, 6)  # 3 against 14: no damage
HIT = [(8, 6, 8), (1, 1)]  # 20 of damage
DECEMBER = {"edition": "december2025"}


def own(*names: str, **fields: Any) -> Fields:
    """Return the sheet of a fighter with these abilities, in the destiny version where a name begins with "+"."""
    for name in names:
        key = "destiny_talents" if name.startswith("+") else key_of(abilities()[name])
        fields.setdefault(key, []).append(name.removeprefix("+"))
    return fields


def case(names: str, play: Callable[[], Table], **seen: Any) -> Any:
    """Return a case: abilities, a fight with all of them, and the rolls, hit points and conditions at its end."""
    return pytest.param(play, seen, id=names, marks=pytest.mark.interplay(*names.split()))


def ends(table: Table, seen: dict[str, Any]) -> dict[str, Any]:
    """Return what a case tells of the fight: the last rolls, and fighters' hit points and levels of conditions."""
    facts: dict[str, Any] = {}
    for key in seen:
        name, _, condition = key.replace("_was_", "_is_").partition("_is_")
        if key == "rolls":
            facts[key] = table.rolls()
        elif key == "check":
            facts[key] = table.rolls("maneuver")
        elif condition == "wounded":
            facts[key] = table.fighter(name)["wounds"]
        elif "_was_" in key:
            facts[key] = max(table.history(name, condition), default=0)
        else:
            facts[key] = table.conditions(name).get(condition, 0) if condition else table.hp(name)
    return facts


def rounds(table: Table, *played: dict[str, str]) -> Table:
    """Play rounds in which fighters take these stances, and may attack."""
    for choices in played:
        this = table.round
        table.engage(**choices)
        if table.round == this and table.window != "over":
            table.finish_round()
    return table


def bled(*names: str) -> Table:
    """Return a table after a round in which the rogue, with four hit points left, has wounded the owner by 10."""
    table = Table({"knight": own(*names), "rogue": {"hp": 4}, "fox": {}}, [(6, 1, 5), (1, 1)])
    return rounds(table, {"rogue": "might: attack 1", "knight": "cunning", "fox": "defensive"})


MIGHT = {"knight": "might: attack 1", "rogue": "cunning"}

ONE_ROLL = [
    # d8, d6 and d8 with 3 + 2 further d6, of which the highest three count: 6 + 5 + 5.
    case(
        "uncanny_accuracy take_advantage",
        lambda: strike(own("uncanny_accuracy", "take_advantage"), {"conditions": {"dazed": 2}},
                       dice=[(1, 2, 3), (4, 4, 5, 5, 6), (1, 1)]),
        rolls=(16, 2),
    ),
    # The heart die of 8 has shrunk to a d4; it shows 8 whatever it rolls. The bonded weapon adds a d4.
    case(
        "deoric_endurance soulbound_weapon",
        lambda: Table({"knight": own("deoric_endurance", "+soulbound_weapon", heart_now=4), "rogue": {}},
                      [(1, 2, 3), 4, (1, 1)]).play(knight="use a").engage(**MIGHT),
        rolls=(8 + 2 + 3 + 4, 2),
    ),
    # Three levels between two friends, and 1 for the enemy beside it: of 1, 1, 4, 5 and 6 the highest two count.
    case(
        "phalanx in_the_thick_of_it",
        lambda: Table({"rogue": {}, "knight": own("phalanx", "in_the_thick_of_it"), "page": {}, "monk": {}},
                      [(1, 2, 3), (1, 1), (4, 5, 6)]).engage(rogue="might: attack 1", knight="cunning"),
        rolls=(6, 6 + 5 + 1),
    ),
    # An attack without damage, against which the rat at its side has helped, is repaid with two levels.
    case(
        "bandit_captain.riposte queen_rat.brood",
        lambda: rounds(Table({"knight": own("bandit_captain.riposte", "queen_rat.brood"), "rat": {"team": "blue"},
                              "rogue": {}}, [BLOW, DEFENSE, 1, (1, 2, 3), (4, 5), (1, 1)]),
                       {"knight": "cunning", "rogue": "might: attack 1", "rat": "agility"}, MIGHT),
        rolls=(3 + 4 + 5, 2),
    ),
    # Cunning in a second round beats agility in a second round: a d6 each, besides the usual three and two dice.
    case(
        "cunning agile",
        lambda: rounds(Table({"knight": own("+cunning"), "rogue": own("+agile")}, [BLOW, 5, (1, 1), 3]),
                       {"knight": "cunning", "rogue": "agility"}, {"knight": "cunning: attack 1", "rogue": "agility"}),
        rolls=(3 + 5, 2 + 3),
    ),
    # The wolf beats agility with cunning; slowed and off-balanced are two conditions when the knight attacks; the
    # latter gives a third level, and the contesting rogue rolls a d8 more, of which the highest does not count.
    case(
        "wolf.hamstring take_advantage skirmisher.press_the_advantage",
        lambda: Table({"knight": own("take_advantage", "skirmisher.press_the_advantage"),
                       "wolf": own("wolf.hamstring", team="blue"), "rogue": {"conditions": {"slowed": 1}}},
                      [BLOW, DEFENSE, (1, 2, 3), (4, 5, 6), (8, 1, 1), 2])
        .engage(wolf="cunning: attack 1", knight="agility", rogue="agility")
        .pass_to("attack", "agility").play(knight="attack 1").finish_round(),
        rolls=(4 + 5 + 6, 4), rogue=40 - 11,
    ),
    # Weakened 2 from the first blow has faded to 1: three levels, and a d6 beside them. The second blow adds 2 and 3
    # to that 1, of which 5 are kept.
    case(
        "orc_warrior.savage down_with_the_weak",
        lambda: rounds(Table({"knight": own("orc_warrior.savage", "+down_with_the_weak"), "rogue": {}},
                             [BLOW, DEFENSE, (1, 2, 3), (4, 5, 6), 2, (1, 1), 8]), MIGHT, MIGHT),
        rolls=(15 + 2, 2), rogue_is_weakened=5 - 1,
    ),
    # Knocked prone in the first round, the rogue is hit with 2 + 1 levels in the second, and defends with one less.
    case(
        "bowl_over kick_em_while_theyre_down bandit.dirty_fighter",
        lambda: rounds(Table({"knight": own("bowl_over", "kick_em_while_theyre_down", "bandit.dirty_fighter"),
                              "rogue": {}}, [BLOW, DEFENSE, (1, 2, 3), (4, 5, 6), (1, 1, 8)]), MIGHT, MIGHT),
        rolls=(15, 2), rogue=40 - 13,
    ),
    # The spiked d6 is a d8, and four hit points buy another d8.
    case(
        "adrenaline_spike bloodblade",
        lambda: Table({"knight": own("adrenaline_spike", "bloodblade"), "rogue": {}}, [(1, 8, 2), 5, (1, 1)])
        .play(knight="use a").play(knight="pick 0").play(knight="use b").engage(**MIGHT),
        rolls=(1 + 8 + 2 + 5, 2), knight=40 - 4,
    ),
    # The first blow aggravates the rogue, which is 1 level for the second; a page has marked it for a d4.
    case(
        "aggravator death_mark",
        lambda: rounds(Table({"knight": own("aggravator"), "rogue": {"hp": 80},
                              "page": own("death_mark", team="blue", agility=8)},
                             [(3, 2, 4), 1, (1, 1), (1, 2, 3), 6, 4, (1, 1)])
                       .engage(knight="might", page="might", rogue="cunning").play(page="use_at 1 a")
                       .play(knight="attack 1").finish_round(), {**MIGHT, "page": "defensive"}),
        rolls=(2 + 3 + 6 + 4, 2),
    ),
    # Enraged at the rogue by its attack, the knight has 2 + 3 levels.
    case(
        "rage uncanny_accuracy",
        lambda: rounds(Table({"knight": own("rage", "uncanny_accuracy"), "rogue": {}},
                             [BLOW, DEFENSE, (1, 2, 3), (4, 4, 5, 5, 6), (1, 1)]),
                       {"knight": "might", "rogue": "agility: attack 1"}, MIGHT),
        rolls=(16, 2),
    ),
    case(
        "titanic_strength indomitable_might",
        lambda: strike(own("titanic_strength", "indomitable_might"), {}, dice=[(1, 20, 1), (1, 1)]),
        rolls=(22 + 10, 2),
    ),
    case(
        "divine_dexterity light_footed favored_defender",
        lambda: strike({}, own("divine_dexterity", "light_footed", "favored_defender"), stance="agility",
                       against="might", dice=[BLOW, (1, 20), 8]),
        rolls=(3, 21 + 2 + 8),
    ),
    case(
        "ingenious_cunning exert",
        lambda: Table({"knight": own("ingenious_cunning", "exert"), "rogue": {}}, [(1, 20, 1), (6, 5), (1, 1)])
        .play(knight="use a").engage(knight="cunning: attack 1", rogue="agility"),
        rolls=(22 + 11, 2),
    ),
    # Below 0 one more heart die, and a d4 for recklessness.
    case(
        "fury reckless_attack",
        lambda: Table({"knight": own("fury", "reckless_attack", hp_now=-1), "rogue": {}},
                      [(1, 1, 1), 8, 4, (1, 1)], heroes=["blue"]).play(knight="use b").engage(**MIGHT),
        rolls=(3 + 8 + 4, 2),
    ),
    # Against one that is aggravated because it has not wounded, and with a rat at its side: of four dice the best two.
    case(
        "imperial_defenses queen_rat.brood",
        lambda: rounds(Table({"knight": own("imperial_defenses", "queen_rat.brood"), "rat": {"team": "blue"},
                              "rogue": {}}, [(3, 2, 4), (1, 1), 1, (8, 6, 8), (1, 1), (6, 5)], DECEMBER),
                       *[{"knight": "might", "rogue": "agility: attack 1"}] * 2),
        rolls=(22, 11),
    ),
    # Two sizes larger, and a level from each of the others: of 5, 1 and four sixes the highest two.
    case(
        "hulking grappler master_grappler",
        lambda: Table({"knight": own("hulking", "grappler", "master_grappler", weapon="unarmed"), "rogue": {}},
                      [(5, 1, 6, 6, 6, 6), (8, 2)]).engage(knight="might: grapple 1", rogue="cunning"),
        check=(12, 10),
    ),
    # A rider's three levels, one for the clinger and three more: seven d6.
    case(
        "clinger uncanny_accuracy",
        lambda: Table({"knight": own("clinger", "uncanny_accuracy",
                                     conditions={"creature_climber": {"source": "rogue"}}), "rogue": {"size": "L2"}},
                      [(1, 1, 1), (6, 6, 5, 1, 1, 1, 1), (8, 6)]).engage(knight="agility: attack 1", rogue="might"),
        rolls=(17, 14),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("play", "seen"), ONE_ROLL)
def test_one_roll(play: Callable[[], Table], seen: dict[str, Any]) -> None:
    assert ends(play(), seen) == seen


DAMAGE = [
    # 19 do not wound the tough rogue, whose threshold is 20; 20 do, and then the bite poisons it.
    case(
        "tough_as_nails queen_rat.filthy_bite",
        lambda: rounds(Table({"knight": own("queen_rat.filthy_bite"), "rogue": own("tough_as_nails", hp=80)},
                             [(8, 6, 7), (1, 1), *HIT]), MIGHT, MIGHT),
        rogue=80 - 19 - 20, rogue_is_poisoned=2,
    ),
    # The wound costs the knight a tenth of 40, and its might a d6.
    case(
        "searing_blood phantom_knight.punish_aggression",
        lambda: rounds(Table({"knight": {}, "rogue": own("searing_blood", "phantom_knight.punish_aggression")},
                             [(8, 5, 1), (1, 1), 5]), MIGHT),
        knight=40 - 4 - 5, rogue=40 - 12,
    ),
    # The wounded and dazed prey is attacked with a level of advantage: 5, 3 and 6. It heals the knight by the four
    # points that its blood costs.
    case(
        "bloodlust searing_blood",
        lambda: rounds(Table({"knight": own("+bloodlust", hp_now=30),
                              "rogue": own("searing_blood", wounds=[10], conditions={"dazed": 1})},
                             [(5, 3, 1), 6, (1, 1)]), MIGHT),
        knight=30 - 4 + 4, rogue=40 - 10 - 12,
    ),
    # One more for cruelty and one less for the inspiring page.
    case(
        "cruelty inspiring",
        lambda: rounds(Table({"knight": own("cruelty"), "rogue": {}, "page": own("inspiring")}, HIT),
                       {**MIGHT, "page": "defensive"}),
        rogue=40 - 20,
    ),
    # 7 are half of 14; doubled, they are halved again before they land.
    case(
        "assassinate i_didnt_feel_a_thing",
        lambda: Table({"knight": own("assassinate"), "rogue": own("i_didnt_feel_a_thing", hp_now=14)},
                      [(5, 3, 1), (1, 1)]).engage(knight="might", rogue="cunning").play(knight="use a")
        .play(knight="attack 1").play(rogue="use a").finish_round(),
        rogue=14 - 7,
    ),
    # The rogue wounds the knight by 10 and falls to the blood that this costs it: the wound loses three ranks.
    case("debts_repaid searing_blood", lambda: bled("debts_repaid", "searing_blood"), rogue=0, knight_is_wounded=7),
    case("searing_blood debts_repaid", lambda: bled("searing_blood", "debts_repaid"), rogue=0, knight_is_wounded=7),
    # A hero that the knight drops does not go on: it dies, and the wound that it has dealt loses three ranks.
    case(
        "execute debts_repaid",
        lambda: rounds(Table({"knight": own("execute", "debts_repaid"), "rogue": {"hp": 7}, "fox": {}},
                             [(6, 1, 5), (1, 1), (5, 3, 1), (1, 1)], heroes=["blue", "red"]),
                       {"rogue": "might: attack 1", "knight": "cunning", "fox": "defensive"})
        .engage(**MIGHT, fox="defensive").play(rogue="take").play(knight="use_at 1 b").finish_round(),
        knight_is_wounded=10 - 3,
    ),
    # 10 heal in each round above 0, and the first healing of a round is 2 larger.
    case(
        "indomitable_fortitude bloodknight",
        lambda: Table({"knight": own("indomitable_fortitude", "bloodknight", hp_now=10), "rogue": {}}).finish_round(),
        knight=10 + 2 * (10 + 2),
    ),
    case(
        "call_to_action bloodknight",
        lambda: Table({"knight": own("call_to_action"), "page": own("bloodknight", team="blue", hp_now=10),
                       "rogue": {}}).play(knight="use a"),
        page=10 + 5 + 2,
    ),
    case(
        "cry_of_defiance bloodknight",
        lambda: Table({"knight": own("cry_of_defiance", "bloodknight", hp_now=10), "rogue": {}}).play(knight="use b"),
        knight=10 + 8 + 2,
    ),
    # A d20 of presence against the heart's stillness: 1 and 11 hold.
    case(
        "draconic_presence skittering_horror_heart.stillness",
        lambda: Table({"knight": own("draconic_presence"), "rogue": own("skittering_horror_heart.stillness")}, [1, 11]),
        knight_is_stunned=0,
    ),
    # The save with a d20: 1 and 8 reach 9.
    case(
        "draconic_presence wind_touched_wraith.yearning_touch",
        lambda: strike(own("wind_touched_wraith.yearning_touch"), own("draconic_presence"),
                       dice=[BLOW, DEFENSE, (1, 8)]),
        rogue_was_shaken=0,
    ),
    # Weakened by 2 twice: the save of 7 misses 8.
    case(
        "the_starving.hunger orc_warrior.savage",
        lambda: strike(own("the_starving.hunger", "orc_warrior.savage"), {}, dice=[BLOW, DEFENSE, (4, 3)]),
        rogue_was_weakened=4,
    ),
    # Half of 20, and 2 more for the first healing of the round.
    case(
        "vampire_spawn.life_drain bloodknight",
        lambda: rounds(Table({"knight": own("vampire_spawn.life_drain", "bloodknight", hp_now=10), "rogue": {}}, HIT),
                       MIGHT),
        knight=10 + 10 + 2,
    ),
    # Both are attacked and beaten; the nimble one keeps its balance.
    case(
        "wolf.hamstring everywhere nimble",
        lambda: rounds(Table({"knight": own("wolf.hamstring", "everywhere"), "rogue": own("nimble"), "fox": {}},
                             [BLOW, DEFENSE] * 2), {**MIGHT, "fox": "cunning"}),
        rogue_was_off_balanced=0, fox_was_off_balanced=1,
    ),
    # The dragon frightens the fox, whose save fails, and not the skeleton.
    case(
        "young_dragon.dread skeleton.mindless",
        lambda: Table({"knight": own("young_dragon.dread"), "rogue": own("skeleton.mindless"), "fox": {}},
                      [(1, 1), (1, 1)]),
        rogue_was_frightened=0, fox_is_frightened=1,
    ),
    # A point of damage makes the servant disappear, and the wound that it has dealt loses three ranks.
    case(
        "faceless_servant.vanish debts_repaid",
        lambda: rounds(Table({"knight": own("debts_repaid"), "rogue": own("faceless_servant.vanish"), "fox": {}},
                             [(6, 1, 5), (1, 1), (1, 1, 1), (1, 1)]),
                       {"rogue": "might: attack 1", "knight": "cunning"}, MIGHT),
        knight_is_wounded=10 - 3,
    ),
    # As a round among three enemies ends: three levels for the opportunity attack.
    case(
        "war_borne uncanny_accuracy",
        lambda: Table({"knight": own("war_borne", "uncanny_accuracy"), "rogue": {}, "fox": {}, "elf": {}},
                      [BLOW, (6, 6, 6), (1, 1)]).pass_to("pick").play(knight="pick_at 1").finish_round(),
        rogue=40 - 16,
    ),
    # The one that it attacks twice is left alone as the engagement ends.
    case(
        "several_attacks hordebreaker",
        lambda: rounds(Table({"knight": own("several_attacks", "hordebreaker"), "rogue": {}, "fox": {}, "elf": {}},
                             HIT * 4), {**MIGHT, "fox": "cunning", "elf": "cunning"}),
        rogue=40 - 2 * 20, fox=40 - 20, elf=40 - 20,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("play", "seen"), DAMAGE)
def test_damage_and_healing(play: Callable[[], Table], seen: dict[str, Any]) -> None:
    assert ends(play(), seen) == seen
