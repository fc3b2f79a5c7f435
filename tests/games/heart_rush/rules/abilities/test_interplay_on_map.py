"""Two abilities at once on a map, in holds, and of creatures of several parts."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.games.heart_rush.rules.abilities.test_interplay import DEFENSE, HIT, MIGHT, case, ends, own, rounds
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table

NET = {"entangled": {"levels": 1, "source": "knight"}}
HELD = {"grappled": {"source": "knight"}}
HEAD = {"part_of": "hydra_0", "hp": 10}

CASES = [
    # The neck is cut off; the body takes 19, and 10 once two heads have grown.
    case(
        "hydra.many_heads hydra.regrowth",
        lambda: rounds(Table({"knight": {}, "hydra": own("hydra.many_heads", "hydra.regrowth", hp=80), "neck": HEAD,
                              "crest": {**HEAD, "to_grow": True}}, [*HIT, *[(8, 6, 7), (1, 1)] * 2]),
                       {"knight": "might: attack 2", "hydra": "cunning", "neck": "cunning"},
                       {"knight": "might: attack 1", "hydra": "cunning"},
                       {"knight": "might: attack 1", "hydra": "cunning"}),
        hydra=80 - 19 - 10,
    ),
    # The further engagement is with the fox, and another with the elf is declined. As the round ends, the elf alone has
    # not been attacked (R-282); the fury has weakened the knight, which rolls one more d8, and an 8 does not count.
    case(
        "boundless_fury hordebreaker",
        lambda: Table({"knight": own("boundless_fury", "hordebreaker"), "rogue": {}, "fox": {}, "elf": {}},
                      [*HIT, *HIT, (8, 6, 8), 1, (1, 1)])
        .engage(**MIGHT, fox="cunning", elf="cunning").pass_to("pick").play(knight="pick_at 2")
        .play(knight="pick 0", fox="pick 2").finish_round(),
        rogue=20, fox=20, elf=40 - (8 + 6 + 1 - 2),
    ),
    # The phantom has faded: the knight's further attacks leave it alone.
    case(
        "phantom_knight.fade hordebreaker",
        lambda: rounds(Table({"knight": own("hordebreaker"), "phantom": own("phantom_knight.fade"), "fox": {}}, HIT)
                       .play(phantom="use a"), {"knight": "might", "phantom": "cunning", "fox": "cunning"}),
        phantom=40, fox=20,
    ),
    # Everyone but the sealed heart is attacked.
    case(
        "everywhere skittering_horror_heart.sealed",
        lambda: rounds(Table({"knight": own("everywhere"), "heart": own("skittering_horror_heart.sealed"),
                              "leg": {}, "carapace": {"size": "large"}}, HIT * 2),
                       {"knight": "might: attack 2", "heart": "cunning", "leg": "cunning", "carapace": "cunning"}),
        heart=40, leg=20, carapace=20,
    ),
    # The net restrains by two levels, of which three of advantage leave one.
    case(
        "net_master uncanny_accuracy",
        lambda: Table({"rogue": own("uncanny_accuracy", conditions=NET), "knight": own("+net_master")},
                      [(1, 2, 3), 6, (1, 1)]).engage(rogue="might: attack 1", knight="defensive"),
        rolls=(2 + 3 + 6, 2),
    ),
    # The hold restrains by 2, and two points by two more: four d8, of six dice the lowest two count.
    case(
        "cinch_down master_grappler",
        lambda: Table({"knight": own("cinch_down", "master_grappler", weapon="unarmed", rush=2),
                       "rogue": {"conditions": HELD}}, [(5, 3, 1, 8), (1, 1, 8, 8, 8, 8)])
        .play(knight="use b").play(knight="pick 2").play(knight="pass")
        .engage(knight="cunning: attack 1", rogue="agility"),
        rolls=(5 + 3 + 1, 2),
    ),
    # The rogue has dashed far enough, but it is bowled over and ends its round prone.
    case(
        "bowl_over skittering_horror_carapace.grit",
        lambda: rounds(on_map("H.....R\n.......", {"horror": own("bowl_over", "skittering_horror_carapace.grit"),
                                                   "rogue": {}}, [(1, 1, 1), DEFENSE]).play(rogue="dash -5,0"),
                       {"horror": "might: attack 1", "rogue": "cunning"}),
        rogue_is_slowed=1, rogue_is_prone=1,
    ),
    # The bonded weapon has its d4 where it is thrown, too.
    case(
        "thrower soulbound_weapon",
        lambda: on_map("......\nK...R.", {"knight": own("thrower", "+soulbound_weapon"), "rogue": {}},
                       [(1, 2, 3), 4, DEFENSE]).engage(knight="might: attack 1", rogue="cunning"),
        rolls=(1 + 2 + 3 + 4, 14),
    ),
    # The damage misses the queen, who trades places; her attacker pays for its might all the same.
    case(
        "queen_rat.swap phantom_knight.punish_aggression",
        lambda: on_map(".QK.....\n........\n...R....\n........\n........", {
            "queen": own("queen_rat.swap", "phantom_knight.punish_aggression"), "knight": {}, "rat": {"team": "blue"},
        }, [(5, 3, 1), (1, 1), 5]).engage(knight="might: attack 1", queen="cunning", rat="agility")
        .play(queen="use_for 1 a").finish_round(),
        queen=40, rat=40, knight=40 - 5,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("play", "seen"), CASES)
def test_what_both_bring(play: Callable[[], Table], seen: dict[str, Any]) -> None:
    assert ends(play(), seen) == seen


@pytest.mark.interplay("crippling_blows", "juggernaut")
def test_a_juggernaut_is_knocked_away_less_far() -> None:
    knight = own("crippling_blows", weapon={"size": "heavy", "attack_type": "melee", "damage_type": "none"}, rush=3)
    table = on_map("......\n.KR...\n......", {"knight": knight, "rogue": own("+juggernaut")}, [(5, 3, 1), (1, 1)])
    table.engage(knight="cunning: attack 1", rogue="agility").play().play(knight="use_at 1 a").play(knight="pick 1")
    assert at(table, "rogue") == (3, 1)


@pytest.mark.interplay("harass", "everywhere")
def test_of_several_targets_each_beside_a_wall_is_harassed() -> None:
    fighters = {"knight": own("harass", "everywhere"), "rogue": {}, "fox": {}}
    table = on_map("RKF\n...\n...\n...", fighters, [(1, 1, 1), DEFENSE] * 2)
    rounds(table, {"knight": "agility: attack 1", "rogue": "might", "fox": "might"})
    assert not [name for name in table.legal("rogue") + table.legal("fox") if name.startswith("sidestep")]


@pytest.mark.interplay("threatening_presence", "infuriating")
def test_who_has_stood_idly_beside_the_owner_attacks_it_alone() -> None:
    fighters = {"knight": own("threatening_presence", "infuriating"), "squire": {"team": "blue"}, "rogue": {}}
    table = Table(fighters).engage().finish_round().engage(knight="cunning", squire="cunning", rogue="might")
    table.pass_to("attack", "might")
    assert [name for name in table.legal("rogue") if name.startswith("attack")] == ["attack 1"]


@pytest.mark.interplay("fling", "titanic_strength")
def test_titanic_strength_throws_farther() -> None:
    # A d8 and a d20, and another d20 for the holder, of which the highest does not count: 12 are 6 above the number.
    fighters = {"knight": own("fling", "titanic_strength", weapon="unarmed"), "rogue": {"conditions": HELD}}
    table = on_map(".KR........\n...........", fighters, [(1, 11, 20)]).engage(knight="might", rogue="cunning")
    table.pass_to("instant", "might").play(knight="use_at 1 a").play(knight="pick 0").finish_round()
    assert at(table, "rogue") == (2 + 6, 0)


@pytest.mark.interplay("predator", "pack")
def test_a_leap_to_a_creature_that_an_ally_has_brought_to_bay_gives_the_packs_level() -> None:
    fighters = {"panther": own("predator", "pack"), "wolf": {"team": "blue"}, "rogue": {}, "fox": {}}
    table = on_map("PR......W\n.........\n........F", fighters, [*HIT, (1, 2, 3), 6, (1, 1)])
    rounds(table, {"panther": "agility: attack 1", "rogue": "might", "fox": "might", "wolf": "might"})
    table.play(rogue="dash 6,0").pass_to("action").play(panther="use_at 1 a").play(panther="sidestep se")
    table.engage(panther="agility: attack 1", rogue="might", fox="might", wolf="might")
    assert table.rolls() == (2 + 3 + 6, 2)
