"""Small duels solved by play: by hand, against the closed form, the slow reference and random fights; files, refusals.

A position keeps only a part of a fight. Tests show that the rest changes nothing: the fight and its position, played on
with equal dice and choices, lead to equal positions with equal legal actions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.state.record import DUEL, OVER
from heartrush_env.research.full_rules import solve as full_rules
from heartrush_env.research.full_rules.positions import as_position, copy_fields
from heartrush_env.research.full_rules.solve import solve_by_play
from heartrush_env.research.full_rules.table import PlayedTable
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE
from tests.reference.fight import Fight
from tests.reference.solver import Duelist, Table
from tests.research.duels import chances, game_of

FULL = {"profile": "full"}
LEVELS = {"profile": "levels"}
DIE_4 = {"size": "ultralight", "attack_type": "melee", "damage_type": "none", "natural": True}
DIE_8 = {**DIE_4, "size": "light"}


def scenario(first: dict[str, Any], second: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a scenario of two fighters with d4s, 1 hp and a natural d4 weapon, with these changes."""
    base = {"might": 4, "agility": 4, "cunning": 4, "presence": 4, "heart": 4, "hp": 1, "weapon": DIE_4}
    fighters = [base | {"id": "ann", "team": "blue"} | first, base | {"id": "bob", "team": "red"} | second]
    return {"name": "small", "victory": "first_down", "max_rounds": 2, "fighter": fighters} | more


def small_duel(first: dict[str, Any], second: dict[str, Any], **more: Any) -> HeartRush:
    return HeartRush(scenario(first, second, **more))


def as_fight(position: Any) -> Any:
    """Return a fight in this position, as an array of one engine record."""
    fights = np.zeros(1, DUEL)
    copy_fields(position, fights[0])
    return fights


# -- by hand -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_dirty_strike_decides_between_two_of_one_hit_point(rounds: int) -> None:
    """A fighter whose stance beats the other's wins for certain: a dirty strike needs no attack roll and deals 1d4, and
    1 is enough. So the attacking stances are rock, paper, scissors with sure wins. Equal stances lead to a contest: let
    c = P(ann wins it) - P(bob wins it), and t the probability of a tie, after which the next round is the same. The
    defensive stance is worse for both. Each row and column of the three stances sums to c + t v, where v is the value
    of the later rounds. So both mix evenly, and v(n) = (c + t v(n-1)) / 3, with v(0) = 0 for a draw."""
    won, lost = chances(4, 4, 8, 4, 4, 4, own=3)
    value = 0.0
    for _ in range(rounds):
        value = (won - lost + (1 - won - lost) * value) / 3
    table = solve_by_play(small_duel({"weapon": DIE_8}, {}, max_rounds=rounds))
    assert table.value == pytest.approx(value, abs=1e-10)
    for mix in table.opening():
        assert list(mix.values()) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    beaten = table.follow(table.place(), "stance might", "stance cunning")[0][1]
    choices = table.mix(0, beaten)
    assert sum(choices[name] for name in choices if name.startswith("dirty_strike")) == pytest.approx(1)


def test_without_maneuvers_that_is_another_duel() -> None:
    """Without dirty strikes, the fighter whose stance beats the other's wins only if its attack hits."""
    table = solve_by_play(small_duel({"weapon": DIE_8}, {}, max_rounds=1, rules={"maneuvers": False}))
    won, lost = chances(4, 4, 8, 4, 4, 4, own=3)
    hits, _ = chances(4, 4, 8, 4, 4, own=3)
    hit, _ = chances(4, 4, 4, 4, 4, own=3)
    assert table.value == pytest.approx((won - lost + hits - hit) / 3, abs=1e-12)


def test_equals_who_rise_together_go_first_equally_often() -> None:
    """Both fighters lie prone and want to rise at once. Contested agility checks decide who is asked first, and ties
    are rolled again, so equals are first equally often."""
    prone = {"conditions": {"prone": 1}}
    table = solve_by_play(small_duel(prone, prone, max_rounds=1))
    assert table.window(table.place()) == "action"
    led = table.follow(table.place(), "stand", "stand")
    assert [table.window(place) for _, place in led] == ["opportunity"] * 2
    assert [chance for chance, _ in led] == pytest.approx([0.5, 0.5], abs=1e-15)


def test_a_point_is_worth_a_second_strike_at_one_who_is_surprised() -> None:
    """Bob is surprised and has 1 hp, in the last round of a fight that is a draw unless a fighter falls; in the
    engagement he has no stance. Each strike of ann hits with the probability p that her heart, ability and weapon dice
    exceed his heart and ability dice. She strikes for her action, for each of her points, and in the engagement, so
    that he is still standing with probability (1 - p) ** (2 + points)."""
    hits, _ = chances(4, 4, 4, 4, 4, own=3)
    for points in (0, 1, 2):
        game = small_duel({"rush": points}, {"surprised": True}, max_rounds=1, rules={"maneuvers": False})
        assert solve_by_play(game).value == pytest.approx(1 - (1 - hits) ** (2 + points), abs=1e-12)


def points_kept(first: dict[str, Any], second: dict[str, Any], **rules: Any) -> list[int]:
    """Return what a position in round 4 keeps for rush points: ann's points, her active rounds, the round number."""
    fights = small_duel({"conditions": {"burning": 1}} | first, second, rules=rules, max_rounds=9).batch(1)
    fights.start([0], 0, [0])
    match = fights._fights[0]
    match.round_number, match.fighters[0].rush, match.fighters[0].active_rounds = 4, 9, 9
    kept = as_position(match)[0]
    return [int(kept.fighters[0].rush), int(kept.fighters[0].active_rounds), int(kept.round_number)]


def test_points_count_as_far_as_they_can_be_spent() -> None:
    """If no fighter is prone or hidden, ann can spend no point now, and later at most 2, if there are trips: to rise,
    and to answer bob's rising. Out of hiding, she can pay for one more strike. At an incapacitated enemy she can strike
    in each of three windows, and later give one more answer. If rounds bring as many points as their number, the round
    number is kept up to the points that can be spent later."""
    helpless = {"conditions": {"incapacitated": 1}}
    assert points_kept({}, {}) == [0, 2, 2]
    assert points_kept({"conditions": {"hidden": 1, "burning": 1}}, {}) == [1, 3, 2]
    assert points_kept({}, helpless, windows_per_round=3) == [3, 4, 2]
    assert points_kept({}, helpless, windows_per_round=3, rush_mode="round_number") == [3, 0, 4]
    assert points_kept({}, {}, maneuvers=False) == [0, 0, 2]
    assert points_kept({}, {"conditions": {"prone": 1}}, maneuvers=False) == [1, 1, 2]


# -- against the closed form -------------------------------------------------------------------------------------------

CLOSED = [
    game_of(Duelist(might=6, hp=2, heart=6), Duelist(hp=3), max_rounds=6),
    game_of(Duelist(hp=3, heart=6), Duelist(cunning=8, hp=2), Table(mutual=True, by_hp=True), max_rounds=4),
    pytest.param(
        game_of(Duelist(agility=6, hp=2), Duelist(hp=2), Table(defensive_is_beaten=True), max_rounds=3, rules=LEVELS),
        marks=pytest.mark.long,
    ),
    game_of(Duelist(hp=2, heart=6), Duelist(hp=2, weapon=8), decisions="stance", max_rounds=4, rules=LEVELS),
]


@pytest.mark.parametrize("game", CLOSED)
def test_values_are_those_of_the_closed_form(game: HeartRush) -> None:
    table, known = solve_by_play(game), solve(game, cap_bound=0)
    assert table.value == pytest.approx(known.value, abs=1e-12)
    assert table.gap < 1e-12 and table.certificate < 1e-12


def test_a_long_cap_needs_only_the_rounds_that_change_something() -> None:
    game = game_of(Duelist(might=6, hp=2, heart=6), Duelist(hp=2), max_rounds=10_000)
    table, known = solve_by_play(game), solve(game, cap_bound=1e-9)
    assert table.value == pytest.approx(known.value, abs=1e-9) and table.gap < 1e-9
    assert len(table.values) < 60


# -- against the slow reference ----------------------------------------------------------------------------------------

# From the first window on: what both choose, window after window; the last pair's outcomes are compared.
SCRIPTS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({}, [("stance might", "stance cunning"), ("attack 1", "pass")]),
    ({}, [("stance might", "stance cunning"), ("grapple 1", "pass")]),
    ({}, [("stance might", "stance cunning"), ("dirty_strike 1 dazed", "pass")]),
    ({}, [("stance cunning", "stance agility"), ("attack 1 dazed+weakened", "pass")]),
    ({}, [("stance agility", "stance might"), ("taunt 1", "pass")]),
    ({}, [("stance agility", "stance defensive"), ("attack 1", "pass")]),
    ({}, [("stance agility", "stance agility"), ("attack 1", "attack 1")]),
    pytest.param(
        {"conditions": {"weakened": 1}},
        [("stance might", "stance cunning"), ("attack 1", "pass")],
        marks=pytest.mark.long,
    ),
    pytest.param(
        {"conditions": {"prone": 1}}, [("stand", "pass"), ("pass", "opportunity 1 might")], marks=pytest.mark.long
    ),
    ({"conditions": {"burning": 1}}, [("pass", "pass"), ("stance might", "stance might"), ("pass", "pass")]),
    pytest.param(
        {"conditions": {"restrained": 1}},
        [("stance cunning", "stance cunning"), ("attack 1", "attack 1")],
        marks=pytest.mark.long,
    ),
    ({"surprised": True}, [("pass", "opportunity 1 might rush")]),
]


@pytest.mark.parametrize(("first", "script"), SCRIPTS)
def test_chances_are_those_of_all_throws_of_the_reference(first: dict[str, Any], script: list[tuple[str, str]]) -> None:
    """The reference plays every throw of all dice; its outcomes have the probabilities of one row of the graph."""
    said = scenario({"hp": 3, "heart": 6} | first, {"hp": 3, "might": 6}, max_rounds=3)
    table = solve_by_play(said, rounds=1)
    place = table.place()
    for pair in script[:-1]:
        ((_, place),) = table.follow(place, *pair)
    fights = table.game.batch(1)
    own: dict[Any, float] = defaultdict(float)
    number, graph = place[0], table.graph
    row = graph.row_first[number] + int(
        table.choices(0, number).index(script[-1][0]) * graph.widths[number, 1]
        + table.choices(1, number).index(script[-1][1])
    )
    for k in range(graph.row_start[row], graph.row_start[row + 1]):
        lead = int(graph.leads[k])
        if lead < 0:
            own["over", -lead] += graph.chances[k]
        else:
            put(fights, as_fight(graph.positions[lead]))
            own[seen(fights.describe(0))] += graph.chances[k]
    expected: dict[Any, float] = defaultdict(float)
    for chance, fight in all_throws(said, script):
        state = fight.state()
        over = state["window"] == "over"
        key = ("over", {(): 1, ("blue",): 2, ("red",): 3}[tuple(state["winners"])]) if over else seen(state)
        expected[key] += chance
    assert own == pytest.approx(dict(expected), abs=1e-12)
    assert len(own) > 1 and sum(own.values()) == pytest.approx(1)


def all_throws(said: dict[str, Any], script: list[tuple[str, str]]) -> Iterator[tuple[float, Fight]]:
    """Yield the reference's fight after these choices for every throw of the dice, with its probability."""
    dice: list[tuple[int, int]] = []  # what each shows, and its sides
    thrown = 0

    def roll(sides: int) -> int:
        nonlocal thrown
        thrown += 1
        if thrown > len(dice):
            dice.append((1, sides))
        return dice[thrown - 1][0]

    while True:
        thrown = 0
        fight = Fight(said, roll)
        agents = list(fight.choices())
        for pair in script:
            fight.step(dict(zip(agents, pair, strict=True)))
        yield float(np.prod([1 / sides for _, sides in dice])), fight
        while dice and dice[-1][0] == dice[-1][1]:
            dice.pop()
        if not dice:
            return
        dice[-1] = (dice[-1][0] + 1, dice[-1][1])


def seen(state: dict[str, Any]) -> tuple[Any, ...]:
    """Return the facts that the engine, the reference and positions share; damage counts only as far as it matters."""
    fighters = []
    for fighter in state["fighters"].values():
        found = fighter["conditions"].items()  # the engine keeps surprise elsewhere
        conditions = tuple(sorted((name, levels) for name, levels in found if levels and name != "surprised"))
        hits = tuple(min(hit, 2 * fighter["hp"] - 1) for hit in fighter["hits"] if state["window"] == "shrug")
        up = fighter["status"] == "standing"
        fighters.append((fighter["status"], fighter["hp"] if up else 0, fighter["heart"], conditions, hits))
    return state["window"], *fighters


# -- what is forgotten changes nothing ---------------------------------------------------------------------------------

DUELS = [
    scenario({"hp": 5, "heart": 8}, {"hp": 6, "heart": 6, "agility": 6, "weapon": "longsword"}),
    scenario(
        {"hp": 4, "rush": 3, "conditions": {"prone": 1, "burning": 2}},
        {"hp": 4, "conditions": {"prone": 1, "hidden": 1}},
    ),
    scenario({"hp": 9, "heart": 8, "size": "tiny"}, {"hp": 9, "heart": 8, "size": "large"}),
    scenario(
        {"hp": 4, "heart": 6, "conditions": {"enraged": {"source": "bob_0"}, "confused": 1}},
        {"hp": 4, "weapon": "whip", "surprised": True, "conditions": {"suffocating": 1}},
    ),
]
RARE = ("blind", "grapple", "trip", "climb_on", "taunt", "stand", "opportunity")  # what leaves the most behind
RULES: list[dict[str, Any]] = [
    {},
    {"edition": "december2025", "windows_per_round": 3},
    {"zero_hp": "all_choose", "death_at": "reduced_maximum", "fatigue_rounds": 3},
    {"helpless_dies": True, "zero_hp": "all_out", "attack_costs_action": True},
    {"rush_mode": "round_number"},
]


def put(fights: Fights, match: Any) -> None:
    """Copy a fight into the only slot of a batch, at its open window."""
    fights._fights[0] = match[0]
    fights._fights[0].rules = fights._template[0].rules
    fights.show(np.array([0]))


def give_dice(fights: Fights, dice: Any) -> None:
    match = fights._fights[0]
    match.given[:] = dice
    match.given_count, match.given_used = len(dice), 0


@pytest.mark.parametrize("count", [2, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("number", range(len(DUELS) * len(RULES)))
def test_a_fight_and_its_position_have_the_same_future(number: int, count: int) -> None:
    said, rules = DUELS[number % len(DUELS)], RULES[number // len(DUELS)]
    victory = "first_down" if number % 3 == 0 else "last_standing"
    game = HeartRush({**said, "victory": victory, "heroes": ["blue"], "max_rounds": 10_000}, rules)
    rng = np.random.default_rng(number)
    liked = np.array([0.6 * name.startswith(RARE) for name in game.action_names])
    real, bare = game.batch(1), game.batch(1)
    for fight in range(count):
        real.start([0], number, [fight])
        for _ in range(150):
            if real.terminated[0]:
                break
            position = as_position(real._fights[0])
            put(bare, as_fight(position[0]))
            assert (bare.masks == real.masks).all()
            dice = rng.integers(1, 9, MAX_GIVEN_DICE).clip(max=4)
            actions = np.where(real.masks, rng.random(bare.masks.shape) + liked, -1.0).argmax(axis=2)
            for fights in (real, bare):
                give_dice(fights, dice)
                fights.step(actions)
            assert real._fights[0].ending == bare._fights[0].ending
            assert real._fights[0].winner == bare._fights[0].winner
            if not real.terminated[0]:
                assert (real.masks == bare.masks).all()
                assert as_position(real._fights[0]).tobytes() == as_position(bare._fights[0]).tobytes()


def test_random_fights_stay_within_the_graph() -> None:
    """In real fights, each window is a position of the graph, reached with positive probability from the last one."""
    table = solve_by_play(small_duel({"heart": 6, "weapon": "dagger"}, {"hp": 2}, max_rounds=2))
    game, rng = table.game, np.random.default_rng(7)
    fights = game.batch(1)
    for fight in range(60):
        fights.start([0], 3, [fight])
        while not fights.terminated[0]:
            place = table.place_of(fights, 0)
            assert table.place(fights.snapshot(0)) == place
            for seat in (0, 1):
                assert table.choices(seat, place[0]) == [game.action_names[k] for k in fights.legal(0, seat)]
            actions = np.where(fights.masks, rng.random(fights.masks.shape), -1.0).argmax(axis=2)
            names = [game.action_names[action] for action in actions[0]]
            fights.step(actions)
            if not fights.terminated[0]:
                assert table.place_of(fights, 0) in [led for _, led in table.follow(place, *names)]


# -- best responses ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def brawl() -> PlayedTable:
    return solve_by_play(small_duel({"might": 6, "hp": 2}, {"cunning": 6}, max_rounds=3))


def test_nobody_gains_against_the_solution(brawl: PlayedTable) -> None:
    assert brawl.gap < 1e-6 and brawl.least - 1e-12 <= brawl.value <= brawl.best + 1e-12
    sums = np.add.reduceat(brawl.graph.chances, brawl.graph.row_start[:-1])
    assert sums == pytest.approx(np.ones(len(sums)), abs=1e-12)


def test_best_answers_gain_against_what_is_no_solution(brawl: PlayedTable) -> None:
    """The check works: a policy that values all later windows at 0 is exploited."""
    blind = np.zeros_like(brawl.values)
    best, least = full_rules._answer(brawl.graph, blind)
    assert best - least > 0.01


def test_fewer_rounds_bracket_the_value(brawl: PlayedTable) -> None:
    gaps = []
    for rounds in (1, 2):
        table = solve_by_play(brawl.game, rounds=rounds)
        assert table.least <= brawl.value <= table.best and table.rounds == rounds
        gaps.append(table.gap)
    assert 1 > gaps[0] > 2 * gaps[1] > 0.01


@pytest.mark.long
def test_fights_between_the_solution_and_itself_come_to_its_value() -> None:
    """In real fights, both sides draw their choices from the solution's mixes in every window."""
    table = solve_by_play(small_duel({"might": 6, "hp": 2, "weapon": DIE_8}, {}, max_rounds=3))
    game, rng = table.game, np.random.default_rng(11)
    fights, results = game.batch(1), []
    mixes: dict[Any, Any] = {}
    for fight in range(1500):
        fights.start([0], 17, [fight])
        while not fights.terminated[0]:
            place = table.place_of(fights, 0)
            if place not in mixes:
                mixes[place] = [table.mix(seat, place) for seat in (0, 1)]
            drawn = [rng.choice(list(mix), p=np.array(list(mix.values())) / sum(mix.values())) for mix in mixes[place]]
            fights.step(np.array([[game.action_names.index(name) for name in drawn]]))
        results.append(float(fights.rewards[0, 0]))
    assert table.value > 0.2
    assert np.mean(results) == pytest.approx(table.value, abs=4 * np.std(results) / len(results) ** 0.5)


# -- files and refusals ------------------------------------------------------------------------------------------------


def test_a_file_gives_the_same_solution_back(brawl: PlayedTable, tmp_path: Path) -> None:
    brawl.save(tmp_path / "brawl.npz")
    again = PlayedTable.load(tmp_path / "brawl.npz", brawl.game)
    assert (again.value, again.gap, again.opening()) == (brawl.value, brawl.gap, brawl.opening())
    fights = brawl.game.batch(1)
    fights.start([0], 5, [0])
    assert again.place_of(fights, 0) == brawl.place_of(fights, 0)
    with pytest.raises(SolverError, match="got one with different scenario"):
        PlayedTable.load(tmp_path / "brawl.npz", small_duel({}, {}))
    (tmp_path / "cut.npz").write_bytes((tmp_path / "brawl.npz").read_bytes()[:-200])
    with pytest.raises(SolverError, match="it is not a solution by play, or it is damaged"):
        PlayedTable.load(tmp_path / "cut.npz", brawl.game)


def test_numbers_that_do_not_fit_are_refused(brawl: PlayedTable, tmp_path: Path) -> None:
    leads = brawl.graph.leads.copy()
    try:
        brawl.graph.leads[5] = len(brawl.graph.words)
        brawl.save(tmp_path / "odd.npz")
    finally:
        brawl.graph.leads[:] = leads
    with pytest.raises(SolverError, match="tables do not fit together"):
        PlayedTable.load(tmp_path / "odd.npz", brawl.game)


def third() -> dict[str, Any]:
    said = scenario({}, {})
    return said | {"fighter": [*said["fighter"], said["fighter"][1] | {"id": "cid"}]}


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (lambda: HeartRush(third()), "it has 3 fighters, and only duels of two are solved"),
        (lambda: HeartRush(scenario({}, {}), {"talk": "open"}), "the setting talk is 'open'"),
        (lambda: HeartRush(scenario({}, {}), max_cycles=9), "max_cycles is 9"),
        (lambda: HeartRush("duel"), r"expected at most 500 positions \(max_positions\), got at least 576576"),
        (lambda: small_duel({"hp": 12, "heart": 8}, {"hp": 12, "heart": 8}), "more than 500 positions"),
    ],
)
def test_refusals_say_why(game: Any, reason: str) -> None:
    with pytest.raises(SolverError, match=reason):
        solve_by_play(game(), max_positions=500)


def test_a_position_of_another_duel_is_refused(brawl: PlayedTable) -> None:
    fights = small_duel({"hp": 3}, {}).batch(1)
    fights.start([0], 0, [0])
    assert fights._fights[0].window != OVER
    with pytest.raises(SolverError, match="a position that this duel can reach"):
        brawl.place_of(fights, 0)
