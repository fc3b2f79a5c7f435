"""Abilities that pull: Sinkhole of the Skittering Horror, Spectral Chains of the Phantom Knight."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

SINKS: Fields = {"abilities": ["skittering_horror_carapace.sinkhole"]}
CHAINS: Fields = {"abilities": ["phantom_knight.spectral_chains"]}
MISS: Dice = [(1, 1, 1), (8, 6)]
FAILS, HOLDS = (8, 3), (8, 4)  # saves with a d8 and a d6: 11 and 12


@pytest.mark.heading("Sinkhole", "Forced Movement")
def test_enemies_within_30_feet_that_fail_are_pulled_10_feet_as_each_round_starts() -> None:
    fighters = {"horror": SINKS, "knight": {}, "monk": {}, "far": {}, "page": {"team": "blue"}}
    ground = "H.....K\n.......\n..M....\n.......\nP......\n.......\n.......\n......F"
    # The knight's save is 9 against 10, the monk's 10; the far one is seven squares away.
    table = on_map(ground, fighters, [(6, 3), (6, 4), (4, 5), (8, 6)])
    assert [at(table, name) for name in ("knight", "monk", "far", "page")] == [(4, 0), (2, 2), (6, 7), (0, 4)]
    assert told_ways(table, "drag") == [("knight", [[5, 0], [4, 0]])]
    table.finish_round()
    assert (at(table, "knight"), table.fighter("knight")["dash"]) == ((2, 0), True)


@pytest.mark.heading("Sinkhole", "Sandstorm")
@pytest.mark.parametrize(
    ("order", "dice", "hp"),
    [
        # The sand first: the knight is four squares away then.
        (["sandstorm", "sinkhole"], [(1, 1)], 40),
        # The sinkhole first: the knight comes as near as two squares.
        (["sinkhole", "sandstorm"], [(1, 1), 5], 35),
    ],
)
@pytest.mark.interplay("skittering_horror_carapace.sandstorm", "skittering_horror_carapace.sinkhole")
def test_it_comes_in_the_order_of_the_stat_block(order: list[str], dice: Dice, hp: int) -> None:
    horror = {"abilities": [f"skittering_horror_carapace.{name}" for name in order]}
    table = on_map("H...K", {"horror": horror, "knight": {}}, dice)
    if table.window == "shrug":
        table.play(knight="take")
    assert (at(table, "knight"), table.hp("knight")) == ((2, 0), hp)


@pytest.mark.heading("Sinkhole", "Vitality Drain")
@pytest.mark.parametrize(("first", "hits"), [("sink", [6, 2]), ("drain", [2, 6])])
def test_its_collisions_hurt_in_the_order_of_the_fight(first: str, hits: list[int]) -> None:
    """The wall stops the pull for one square (a d6: 6), and the heart drains the knight (a d8: 2)."""
    horrors = {"sink": SINKS, "drain": {"abilities": ["skittering_horror_heart.vitality_drain"], "team": "blue"}}
    second = "drain" if first == "sink" else "sink"
    fighters = {first: horrors[first], second: {**horrors[second], "team": "blue"}, "knight": {}}
    dice: Dice = [(1, 1), *hits] if first == "sink" else [2, (1, 1), 6]
    table = on_map("S#K\n..D", fighters, dice).play(knight="take").play(knight="take")
    assert [event["amount"] for event in table.events_of("damage")] == hits


@pytest.mark.heading("Sinkhole", "Grappling")
def test_what_a_hold_passes_on_comes_before_the_next_collision() -> None:
    """The knight, who holds the monk, is pulled into a wall (5); then the monk is pulled into the page (half of 6)."""
    fighters: dict[str, Fields] = {"sink": SINKS, "knight": {}, "page": {"team": "blue"}}
    fighters["monk"] = {"team": "green", "conditions": {"grappled": {"source": "knight"}}}
    table = on_map("S#K\n.PM", fighters, [(1, 1), 5, (1, 1), 6])
    table.play(knight="take", monk="take", page="take").play(knight="take", monk="take")
    told = [(event["fighter"], event["amount"]) for event in table.events_of("damage")]
    assert told == [("knight", 5), ("page", 3), ("monk", 5), ("knight", 3), ("monk", 3)]


@pytest.mark.heading("Sinkhole")
@pytest.mark.parametrize(
    ("ground", "end"),
    [
        ("H.K", (1, 0)),  # it ends next to the horror
        ("HK.", (1, 0)),
        ("H....\n.....\n.....\n...K.", (1, 1)),  # the nearest direction is looked for at each square
        ("H....\n.....\n..K..", (1, 1)),
        ("HH...K\nHH....", (3, 0)),
    ],
)
def test_it_ends_next_to_the_horror(ground: str, end: tuple[int, int]) -> None:
    horror = {**SINKS, "size": "L2" if "HH" in ground else "medium"}
    table = on_map(ground, {"horror": horror, "knight": {}}, [(1, 1)])
    assert (at(table, "knight"), table.faults()) == (end, [])


@pytest.mark.heading("Sinkhole", "Forced Movement")
def test_what_stops_it_early_makes_it_a_collision() -> None:
    table = on_map("H.l.#.\n.....K", {"horror": SINKS, "knight": {}}, [(1, 1)])
    assert at(table, "knight") == (3, 1), "no wall in its way"
    # Between two walls the diagonal is shut: two squares are left, 2d6.
    table = on_map("H....\n.....\n...#.\n..#K.\n.....", {"horror": SINKS, "knight": {}}, [(1, 1), (3, 4)])
    assert table.play().hp("knight") == 33
    # The page is in the way: one square is left, and the odd point of 5 is the knight's.
    table = on_map("H.P.K", {"horror": SINKS, "knight": {}, "page": {}}, [(1, 1), 5, (8, 6)])
    table.play(knight="take", page="take")
    assert (at(table, "knight"), table.hp("knight"), table.hp("page")) == ((3, 0), 37, 38)


@pytest.mark.heading("Sinkhole", "Forced Movement")
def test_it_may_end_in_a_drop_and_takes_captive_and_rider_along() -> None:
    table = on_map("H.v.K", {"horror": SINKS, "knight": {}}, [(1, 1), (3, 3)])
    assert table.play().hp("knight") == 40 - 4 and table.conditions("knight") == {"prone": 1}
    fighters: dict[str, Fields] = {"horror": SINKS, "knight": {}, "page": {"team": "blue"}}
    fighters["page"]["conditions"] = {"grappled": {"source": "knight"}}
    table = on_map("H...KP", fighters, [(1, 1)])
    assert (at(table, "knight"), at(table, "page")) == ((2, 0), (3, 0))
    assert table.fighter("knight")["grappling"] == "page"


@pytest.mark.heading("Sinkhole", "Juggernaut")
def test_a_juggernaut_of_destiny_is_pulled_5_feet_less_and_a_fallen_horror_pulls_nobody() -> None:
    table = on_map("H...K", {"horror": SINKS, "knight": {"destiny_talents": ["juggernaut"]}}, [(1, 1)])
    assert at(table, "knight") == (3, 0)
    fighters = {"horror": {**SINKS, "hp": 1, "conditions": {"burning": 1}}, "knight": {}, "page": {"team": "blue"}}
    table = on_map("H...K\nP....", fighters, [(8, 6), 6]).finish_round()
    assert (table.round, table.status("horror"), at(table, "knight")) == (2, "dead", (4, 0))


def chained(ground: str, dice: Dice, phantom: Fields = CHAINS, against: str = "cunning", **rogue: object) -> Table:
    """Return a table after the knight of chains has attacked with a weapon that reaches far."""
    bow = {"size": "light", "attack_type": "ranged", "damage_type": "none"}
    phantom = {"weapon": bow, "might": 6, **phantom}
    table = on_map(ground, {"phantom": phantom, "rogue": rogue, "fox": {}}, dice)
    table.engage(phantom="might: attack 1", rogue=against, fox="defensive")
    return table


@pytest.mark.heading("Spectral Chains", "Grappling")
def test_a_beaten_target_that_fails_is_pulled_10_feet_and_held() -> None:
    table = chained("P..R.F", [*MISS, FAILS])
    assert (at(table, "rogue"), table.fighter("phantom")["grappling"]) == ((1, 0), "rogue")
    assert table.conditions("rogue") == {"grappled": 1}
    assert (table.restore().faults(), table.last("check")["success"]) == ([], False)


@pytest.mark.heading("Spectral Chains")
@pytest.mark.parametrize(
    ("ground", "dice", "against", "end"),
    [
        ("P..R.F", [*MISS, HOLDS], "cunning", (3, 0)),  # the save holds
        ("P..R.F", MISS, "might", (3, 0)),  # the stance is not beaten
        ("P....R.F", [*MISS, FAILS], "cunning", (3, 0)),  # too far for the hold
        ("P.F.R", [*MISS, FAILS, 4], "cunning", (3, 0)),  # stopped by the fox, 2 damage each
    ],
)
def test_without_all_of_it_nobody_is_held(ground: str, dice: Dice, against: str, end: tuple[int, int]) -> None:
    table = chained(ground, dice, against=against)
    while table.window == "shrug":
        table.play()
    assert (at(table, "rogue"), table.fighter("phantom")["grappling"]) == (end, None)


@pytest.mark.heading("Spectral Chains", "Grappling", "Slippery")
@pytest.mark.interplay("phantom_knight.spectral_chains", "slippery")
def test_who_cannot_be_grappled_is_only_pulled_and_one_creature_is_held_at_a_time() -> None:
    table = chained("P..R.F", [*MISS, FAILS], talents=["slippery"])
    assert (at(table, "rogue"), table.conditions("rogue")) == ((1, 0), {})
    fox = {"conditions": {"grappled": {"source": "phantom"}}}
    fighters = {"phantom": {**CHAINS, "weapon": "longsword"}, "rogue": {}, "fox": fox}
    table = on_map("FPR..", fighters, [(1, 1, 1, 8), (8, 6), FAILS])
    table.engage(phantom="cunning: attack 1", rogue="agility", fox="defensive")
    assert (table.fighter("phantom")["grappling"], table.conditions("rogue")) == ("fox", {})


@pytest.mark.heading("Spectral Chains", "Grappling")
def test_without_a_map_the_target_is_held_even_with_both_hands_full() -> None:
    two_hands = {**CHAINS, "weapon": {"size": "heavy", "attack_type": "melee", "damage_type": "none"}}
    table = strike(two_hands, {}, stance="cunning", against="agility", dice=[(1, 1, 1), (8, 6), FAILS])
    assert table.fighter("knight")["grappling"] == "rogue"
    assert table.finish_round().fighter("knight")["grappling"] == "rogue"
