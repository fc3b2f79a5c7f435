"""Deeds in place of an attack: the tactician does them only where they are worth more than its attack."""

import pytest
from heartrush_agents.heart_rush.tactics.in_place import Deed, InPlace
from heartrush_agents.heart_rush.tactics.odds import odds_of
from heartrush_agents.heart_rush.tactics.pairs import Pairing, records
from heartrush_agents.heart_rush.tactics.rounds import NEVER

from tests.agents.heart_rush.tactics.test_odds import BOOK, CUNNING, MIGHT, fighter, mean_damage, outlook, pair
from tests.agents.test_using import choice
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table, weapon

pytestmark = pytest.mark.usefixtures("plainly")
# An attack of 3 to 22 and 30 against a defense of at most 8, or against an attack of at most 16: 12 hit points are lost
# for sure, and no hindrance makes the next attacks better.
SURE: Fields = {"attack_bonus": 30}
FRAIL: Fields = {"heart": 4, "might": 4, "agility": 4, "cunning": 4, "hp": 12}
# An attack of at most 12 against a defense of 13 on average and the armor: well under 1 of 40 hit points is lost.
FEEBLE: Fields = {"heart": 4, "cunning": 4, "weapon": weapon("ultralight")}
PLATED: Fields = {"heart": 12, "agility": 12, "armor": "heavy"}
WHIP: Fields = {"weapon": "whip"}
OWNERS: dict[str, Fields] = {
    "improved_interference": {"abilities": ["improved_interference"]},
    "psionics": {"abilities": ["psionics"]},
    "trickster": {"abilities": ["trickster"]},
    "both": {"abilities": ["trickster", "improved_interference"]},
    "nasty_tricksies": {"abilities": ["nasty_tricksies"], "rush": 3},
    "death_mark": {"talents": ["death_mark"]},
}


@pytest.mark.parametrize("name", OWNERS)
def test_a_hinder_is_chosen_instead_of_a_feeble_attack_only(name: str) -> None:
    for knight, rogue, chosen in ((SURE, FRAIL, "pass"), (FEEBLE, PLATED, "use_at 1 a")):
        table = Table({"knight": {**OWNERS[name], **knight}, "rogue": rogue}).engage(knight="cunning", rogue="agility")
        assert "use_at 1 a" in table.legal("knight")
        assert choice(table, "knight") == chosen, (name, chosen)


@pytest.mark.parametrize("frightened", [0, 5])
def test_fear_is_not_spent_on_a_creature_that_cannot_be_more_frightened(frightened: int) -> None:
    afraid = {"conditions": {"frightened": {"levels": frightened, "source": "knight"}}} if frightened else {}
    table = Table({"knight": {**OWNERS["psionics"], **FEEBLE}, "rogue": {**PLATED, **afraid}})
    table.engage(knight="cunning", rogue="agility")
    assert "use_at 1 a" in table.legal("knight")
    assert choice(table, "knight") == ("pass" if frightened else "use_at 1 a")


def test_a_contest_in_which_the_fighter_would_fall_is_left_for_a_hinder() -> None:
    """Expect a hinder, worth its d6, where a feeble attack would meet an attack of 33 and more and gain nothing."""
    strong = {**SURE, "heart": 12, "might": 12}
    table = Table({"knight": {**OWNERS["improved_interference"], **FEEBLE, "might": 4, "hp_now": 5}, "rogue": strong})
    table.engage(knight="might", rogue="might")
    assert choice(table, "knight") == "use_at 1 a"


def test_a_mark_is_worth_an_attack_to_several_attackers() -> None:
    """Compare a mark with a winning attack, which takes about 5 of 40 hit points and names two levels of dazed.

    The die of a mark adds 2.5 at most to attacks in two of three stances, in three rounds: at most 5 hit points for a
    single attacker, and 15 for three.
    """
    for pages, chosen in (((), "pass"), (("page", "squire"), "use_at 1 a")):
        team: dict[str, Fields] = {name: {"team": "blue"} for name in pages}
        table = Table({"knight": OWNERS["death_mark"], "rogue": {}, **team})
        table.engage(knight="cunning", rogue="agility", **dict.fromkeys(team, "agility"))
        assert choice(table, "knight") == chosen


def test_a_mark_beside_an_attack_costs_nothing() -> None:
    table = Table({"knight": {"destiny_talents": ["death_mark"], **SURE}, "rogue": FRAIL})
    assert choice(table.engage(knight="cunning", rogue="agility"), "knight") == "use_at 1 a"


def test_a_lash_hurts_only_as_destiny() -> None:
    """Expect no lash at a creature whose stance loses, because it does not strike back."""
    for talents, chosen in (("talents", "pass"), ("destiny_talents", "use_at 1 a")):
        knight = {**FEEBLE, **WHIP, talents: ["whipmaster"]}
        table = Table({"knight": knight, "rogue": PLATED}).engage(knight="cunning", rogue="agility")
        assert "use_at 1 a" in table.legal("knight")
        assert choice(table, "knight") == chosen


@pytest.mark.parametrize(
    ("die", "rogue", "talents", "chosen"),
    [
        # Two d12 are 13 on average, nine squares above the number 4: 31 hit points, more than any attack takes.
        (12, 4, "talents", "use_at 1 a"),
        # Two d4 never reach the number 12.
        (4, 12, "talents", "pass"),
        (4, 12, "destiny_talents", "pass"),
    ],
)
def test_it_slams_down_what_it_can_throw_far(die: int, rogue: int, talents: str, chosen: str) -> None:
    knight = {talents: ["fling"], "weapon": "unarmed", "heart": die, "might": die}
    held = {"might": rogue, "agility": rogue, "conditions": {"grappled": {"source": "knight"}}}
    table = Table({"knight": knight, "rogue": held}).engage(knight="might", rogue="cunning")
    table.pass_to("instant", "might")
    assert "use_at 1 a" in table.legal("knight")
    assert choice(table, "knight") == chosen
    if chosen != "pass":
        table.play(knight=chosen)
        assert choice(table, "knight") == "pick 1"


def test_other_picks_are_left_to_the_ability() -> None:
    table = Table({"knight": OWNERS["psionics"], "rogue": {}}).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a")
    assert choice(table, "knight") != "pick 1"


def test_it_throws_a_captive_down_unless_it_only_falls_itself() -> None:
    """Throw down a creature with one hit point, which a d6 fells, and leave one that is prone and has 400."""
    held = {"grappled": {"source": "knight"}}
    for knight, rogue, chosen in (
        ({}, {"hp_now": 1, "conditions": held}, "use a"),
        ({"hp_now": 5}, {"hp": 400, "conditions": {**held, "prone": 1}}, "pass"),
    ):
        table = Table({"knight": {"talents": ["judoka"], "weapon": "unarmed", **knight}, "rogue": rogue})
        assert "use a" in table.legal("knight")
        assert choice(table, "knight") == chosen


@pytest.mark.parametrize(("size", "chosen"), [("ultralight", "use a"), ("light", "pass")])
def test_a_shield_is_raised_for_a_blow_that_takes_more_only(size: str, chosen: str) -> None:
    """Strike with a d8 in place of a d4, but not in place of another d8, although the ability costs nothing."""
    knight = {"talents": ["shield_master"], "weapon": weapon(size, damage_type="bludgeoning"), "shield": "heavy_shield"}
    table = Table({"knight": knight, "rogue": {}}).engage(knight="might", rogue="cunning")
    while "use a" not in table.legal("knight"):
        table.play()
    assert choice(table, "knight") == chosen


@pytest.mark.parametrize(
    ("fox", "chosen"),
    [
        ("cunning", "pass"),  # the elf still has the fox to attack
        ("agility", "use a"),  # might may attack no enemy here
    ],
)
def test_it_does_not_sidestep_out_of_its_own_attack(fox: str, chosen: str) -> None:
    table = on_map(".....\n.REF.\n.....", {"elf": {"abilities": ["elusive"], "rush": 3}, "rogue": {}, "fox": {}},
                   [(8, 6, 8), (1, 1)])  # fmt: skip
    table.engage(elf="might", fox=fox, rogue="agility: attack 1").play().play()
    assert "use a" in table.legal("elf")
    assert choice(table, "elf") == chosen


def worth(deed: Deed, pair: Pairing) -> float:
    """Return the value of a deed for a fighter without allies."""
    return InPlace(odds_of(BOOK)).deed(records([pair]), deed, 0)


@pytest.mark.parametrize(
    ("before", "levels", "dazed"),
    [
        (0, 2, [2, 2, 2]),
        (2, 2, [3, 2, 2]),  # as in the fight of test_nasty_tricksies.py: other levels fade down to those
        (4, 3, [4, 3, 3]),  # no more than five at first
        (1, 9, [5, 5, 5]),
    ],
)
def test_levels_that_last_count_whole_and_those_before_them_fade(before: int, levels: int, dazed: list[int]) -> None:
    """Compare the next three rounds with rounds in which the levels from before the deed fade alone."""
    begun = pair(dazed=before, heart=8)._replace(stance=MIGHT, against=CUNNING)
    with_it = [outlook(pair(dazed=level, heart=8), BOOK) for level in dazed]
    without = [outlook(pair(dazed=max(0, before - 1 - k), heart=8), BOOK) for k in range(3)]
    gained = worth(Deed(levels={"dazed": levels}, lasts=True), begun) - worth(Deed(), begun)
    assert gained == pytest.approx(sum(with_it) - sum(without))


def test_doing_nothing_is_worth_only_what_the_target_strikes_back() -> None:
    """In a contest, the target strikes two d4 against the one d4 of a fighter that does not attack."""
    for against, value in ((CUNNING, 0.0), (MIGHT, -mean_damage(2, 1, most=10) / 10)):
        assert worth(Deed(), pair(own=fighter())._replace(stance=MIGHT, against=against)) == pytest.approx(value)


def test_without_an_enemy_there_is_no_attack() -> None:
    assert InPlace(odds_of(BOOK)).attack(records([pair()])[:0]) == NEVER


@pytest.mark.parametrize(("knight", "rogue", "chosen"), [(SURE, FRAIL, "engage 1"), (FEEBLE, PLATED, "use_at 1 a")])
def test_where_sides_take_turns_an_action_is_not_spent_on_an_ability_if_an_engagement_is_worth_more(
    knight: Fields, rogue: Fields, chosen: str
) -> None:
    """The knight could fell the rogue at once, or hardly hurt it; Bloodoath costs the action as well."""
    fighters = {"knight": {"talents": ["bloodoath"], **knight}, "rogue": rogue}
    table = Table(fighters, [6], {"edition": "classic"}, heroes=["blue"])
    assert {"engage 1", "use_at 1 a"} < set(table.legal("knight"))
    assert choice(table, "knight") == chosen


def test_it_tears_loose_from_the_growth_of_an_enemy() -> None:
    """Spend the action on a might check that may end two levels of restrained."""
    table = Table({"knight": {"talents": ["grasping_growth"]}, "rogue": {"might": 12}})
    table.pass_to("action").play(knight="use_at 1 a")
    assert "pick 0" in table.legal("rogue")
    assert choice(table, "rogue") == "pick 0"


@pytest.mark.parametrize("id", ["gambit", "provoking_strike"])
@pytest.mark.parametrize("best", [1, 2])
def test_it_shows_the_stance_that_it_would_take(id: str, best: int) -> None:
    """Show the one stance whose die is much larger than those of the others."""
    dice = {stance: 12 if k == best else 4 for k, stance in enumerate(("might", "agility", "cunning"))}
    table = Table({"knight": {"talents": [id], **dice}, "rogue": {}})
    table.pass_to("instant").play(knight="use a")
    assert [f"pick {k}" for k in range(3)] == table.legal("knight")
    assert choice(table, "knight") == f"pick {best}"
