"""One against two: by hand, against duels after a fall, against the slow reference, and in the engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.solve import solve
from heartrush_env.research.teams.fight import read_team_fight
from heartrush_env.research.teams.one_v_two import TeamState, TeamTable, solve_team
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist, Table
from tests.reference.teams import OneAgainstTwo
from tests.research.duels import chances, fighter, game_of, rules_of
from tests.research.teams.answers import SolvedTeams

SOLO, FIRST, SECOND = range(3)
NO_HELP = {"windows_per_round": 0}


def fight_of(
    solo: Duelist,
    first: Duelist,
    second: Duelist,
    table: Table | None = None,
    order: tuple[int, ...] = (0, 1, 2),
    **options: Any,
) -> HeartRush:
    """Return the game of one against two; `order` lists solo (0), first (1) and second (2) in the order of agents."""
    table = table or Table()
    named = [(solo, "ann", "red"), (first, "bob", "blue"), (second, "cid", "blue")]
    scenario = {
        "name": "ambush",
        "victory": "first_down",
        "round_cap": "hp" if table.by_hp else "draw",
        "max_rounds": 10_000,
        "rules": rules_of(table) | options.pop("rules", {}),
        "fighter": [fighter(*named[place]) for place in order],
    }
    return HeartRush(scenario | options)


def value_of(table: TeamTable, state: TeamState, rounds_left: int | None = None) -> float:
    """Return the solo's value of a state in which both sides have a standing fighter."""
    return float(table.values[table.layer(rounds_left)][table.place(state)])


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_three_equals_with_one_hit_point_by_hand() -> None:
    """All dice are d4 and all fighters have 1 hp. All mix evenly; the pair takes two different stances.

    Let s be the probability that three dice of a strike beat two dice of a defense, and w that a given fighter wins a
    contest of three dice each. With one of the pair down, two equals are left, worth 0. If the first fighter of the
    pair takes might and the second cunning, the solo's stances are worth:
    might: the solo may strike the second fighter. The first, in might too, does best to hold back, since a contest may
      defeat either: (1 - s) v.
    agility: the second strikes in the cunning phase; then the solo strikes the first: -s + (1 - s)(1 - s) v.
    cunning: there is a contest with the second; if the solo is standing, the first strikes it in the might phase:
      -w + w(-s) + (1 - 2w)(-s + (1 - s) v). A solo that has won the contest has -1 with probability s, otherwise 0.
    v is the mean of the three, and the other pairs of stances lead to an equal equation.
    """
    strike, _ = chances(4, 4, 4, 4, 4, own=3)
    won, _ = chances(4, 4, 4, 4, 4, 4, own=3)
    miss, tie = 1 - strike, 1 - 2 * won
    # 3 v = known + share v
    known = -strike - won - won * strike - tie * strike
    share = miss + miss * miss + tie * miss
    table = solve_team(fight_of(Duelist(), Duelist(), Duelist(), rules=NO_HELP))
    assert table.value == pytest.approx(known / (3 - share), abs=1e-12)
    solo, pair = table.mixes((1, 1, 1, 4, 4, 4))
    assert solo == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert np.diag(pair) == pytest.approx([0] * 4) and pair[3].sum() == pair[:, 3].sum() == 0
    assert table.value < -0.5, "the sum holds where the first does hold back: (1 - s) v < -w + w s + (1 - 2w)(1 - s) v"


def test_a_state_that_does_not_exist_is_refused() -> None:
    table = solve_team(fight_of(Duelist(), Duelist(), Duelist()))
    with pytest.raises(SolverError, match=r"Expected a state with .*, got \(2, 1, 1, 4, 4, 4\)"):
        value_of(table, (2, 1, 1, 4, 4, 4))


def test_who_cannot_be_hurt_wins() -> None:
    safe, counts = Duelist(armor=30), Table(armor_in_contest=True)
    assert solve_team(fight_of(safe, Duelist(), Duelist(), counts)).value == pytest.approx(1, abs=1e-9)
    assert solve_team(fight_of(Duelist(), safe, Duelist(), counts)).value == pytest.approx(-1, abs=1e-9)


UNEVEN = Duelist(hp=2, heart=6, weapon=8, damage_type="piercing")

# -- at the edge of the duel -------------------------------------------------------------------------------------------

STRONG = Duelist(might=8, hp=4, heart=6, armor=1)
MIXED = Duelist(hp=3, heart=6, weapon=8, damage_type="piercing"), Duelist(cunning=6, hp=3, attack_type="ranged")


@pytest.mark.parametrize("rules", [Table(), Table(mutual=True, armor_in_contest=True)])
def test_with_one_of_the_pair_down_it_is_the_duel(rules: Table) -> None:
    table = solve_team(fight_of(STRONG, *MIXED, rules))
    for which, hearts in ((0, (4, 6)), (1, (4,))):
        duel = solve(game_of(STRONG, MIXED[which], rules, max_rounds=10_000), cap_bound=2)
        for own in range(1, 5):
            for hp in range(1, 4):
                for heart in hearts:
                    down = (own, hp, 0, 6, heart, 4) if which == 0 else (own, 0, hp, 6, 4, heart)
                    wanted = duel.values[0][duel.place((own, hp, 6, heart))]
                    assert value_of(table, down) == pytest.approx(wanted, abs=1e-12)
    assert table.certificate <= 1e-12
    assert table.value < value_of(table, (4, 0, 3, 6, 4, 4))


# -- against the slow reference ----------------------------------------------------------------------------------------

LONG = pytest.mark.long
FIGHTS = [
    (Duelist(weapon=8), Duelist(), Duelist(agility=6), Table(mutual=True), False),
    # The pair does best to share a stance.
    pytest.param(Duelist(hp=2, heart=6), Duelist(), Duelist(), Table(), False, marks=LONG),
    pytest.param(Duelist(hp=4, armor=1), Duelist(), Duelist(), Table(), True, marks=LONG),  # equals roll for places
    pytest.param(
        Duelist(weapon=8, attack_type="whip"),
        Duelist(agility=6),
        Duelist(might=6),
        Table(armor_in_contest=True),
        True,
        marks=LONG,
    ),
    pytest.param(
        Duelist(hp=2, heart=6, might=6),
        Duelist(heart=6),
        Duelist(cunning=8, agility=6, armor=1),
        Table(mutual=True),
        False,
        marks=LONG,
    ),
    pytest.param(
        Duelist(hp=3, heart=8),
        Duelist(),
        Duelist(damage_type="slashing"),
        Table(defensive_is_beaten=True),
        False,
        marks=LONG,
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("solo", "first", "second", "rules", "helps"), FIGHTS)
def test_the_slow_reference_finds_the_same_value(
    solo: Duelist, first: Duelist, second: Duelist, rules: Table, helps: bool
) -> None:
    table = solve_team(fight_of(solo, first, second, rules, rules={} if helps else NO_HELP))
    assert table.value == pytest.approx(OneAgainstTwo(solo, (first, second), rules, helps).value, abs=1e-9)


def test_help_is_worth_having() -> None:
    helped, alone = (solve_team(fight_of(STRONG, *MIXED, rules=rules)).value for rules in ({}, NO_HELP))
    assert helped < alone - 0.05


# -- in the engine -----------------------------------------------------------------------------------------------------


def play(table: TeamTable, fights: int, *, solo: bool = True, pair: bool = True, seed: int = 1) -> tuple[float, float]:
    """Return the solo's mean result in some fights and its standard error; a side without the table plays randomly."""
    game, slots, random = table.fight.game, 200, np.random.default_rng(seed)
    batch, names = game.batch(slots), {name: place for place, name in enumerate(game.action_names)}
    solved = SolvedTeams(table)
    lone = game.scenario.fighters[table.fight.seats[SOLO]].team
    knows = {team: solo if team == lone else pair for team in game.teams}
    batch.start(range(slots), seed, list(range(slots)))
    got: list[list[float]] = [[] for _ in range(slots)]
    while min(map(len, got)) < fights // slots:
        actions = np.zeros((slots, 2), np.int64)
        for slot in range(slots):
            for seat, team in enumerate(game.teams):
                legal = batch.legal(slot, seat)
                if len(legal) == 1:
                    actions[slot, seat] = legal[0]
                elif knows[team]:
                    answer = solved.answer(batch._fights[slot], team)
                    chances = np.array(list(answer.values()))
                    choice = random.choice(len(answer), p=chances / chances.sum())
                    actions[slot, seat] = names[list(answer)[choice]]
                else:
                    actions[slot, seat] = random.choice(legal)
        batch.step(actions, autoreset=True)
        assert not batch.illegal.any()
        for slot in np.flatnonzero(batch.terminated):
            got[slot].append(float(batch.rewards[slot, game.teams.index(lone)]))
    results = np.array([result for each in got for result in each[: fights // slots]])
    return float(results.mean()), float(results.std() / np.sqrt(len(results)))


@pytest.mark.parametrize(
    ("rules", "settings", "order"),
    [
        (Table(), {}, (0, 1, 2)),
        (Table(mutual=True), NO_HELP, (1, 2, 0)),
        (Table(armor_in_contest=True), NO_HELP, (1, 0, 2)),
    ],
)
@pytest.mark.parametrize("fights", [400, pytest.param(2000, marks=pytest.mark.long)])
def test_fights_pay_what_was_solved(
    rules: Table, settings: dict[str, Any], order: tuple[int, ...], fights: int
) -> None:
    table = solve_team(fight_of(Duelist(hp=2, heart=8, might=6), Duelist(hp=2), UNEVEN, rules, order, rules=settings))
    mean, error = play(table, fights)
    assert abs(mean - table.value) <= 4 * error


@pytest.mark.parametrize("fights", [400, pytest.param(2000, marks=pytest.mark.long)])
def test_with_a_cap_fights_pay_what_was_solved(fights: int) -> None:
    game = fight_of(STRONG, *MIXED, Table(by_hp=True), rules=NO_HELP, max_rounds=2)
    table = solve_team(game, with_cap=True)
    assert table.rounds == 2
    assert abs(table.value - solve_team(game).value) > 0.05, "the cap matters here"
    mean, error = play(table, fights)
    assert abs(mean - table.value) <= 4 * error
    with pytest.raises(SolverError, match=r"rounds left: expected 0 to .*, got 3"):
        value_of(table, (1, 1, 1, 4, 4, 4), 3)


def test_a_far_cap_is_no_cap() -> None:
    game = fight_of(Duelist(hp=2), Duelist(), Duelist(heart=6), max_rounds=80)
    assert solve_team(game, with_cap=True).value == pytest.approx(solve_team(game).value, abs=1e-6)


@pytest.mark.long  # the quick ones play the solution in both roles
def test_chance_players_gain_nothing_against_a_solution() -> None:
    table = solve_team(fight_of(Duelist(hp=3, heart=6), Duelist(hp=2), Duelist(hp=2, heart=6)))
    mean, error = play(table, 1000, pair=False)
    assert mean >= table.value - 4 * error
    mean, error = play(table, 1000, solo=False)
    assert mean <= table.value + 4 * error


def test_a_snapshot_is_answered() -> None:
    from heartrush_env.tabletop.batch.snapshots import from_data

    table = solve_team(fight_of(Duelist(), Duelist(), Duelist(), rules=NO_HELP))
    batch = table.fight.game.batch(1)
    batch.start([0], 1, [0])
    position = from_data(batch.snapshot(0)["position"], batch.game.edition.machine, batch.records.dtype)
    answer = SolvedTeams(table).answer(position, "red")
    assert answer == pytest.approx({f"stance {stance}": 1 / 3 for stance in ("might", "agility", "cunning")})


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": {"levels": True}}, "the setting levels is on"),
        ({"rules": {"shrug_per_round": "once"}}, "the setting shrug_per_round is 'once'"),
        ({"rules": {"attack_costs_action": True}}, "help would cost the attack"),
        ({"victory": "last_standing"}, "victory is 'last_standing'"),
    ],
)
def test_what_is_not_solved_is_refused_by_name(change: dict[str, Any], said: str) -> None:
    with pytest.raises(SolverError, match=said) as refusal:
        read_team_fight(fight_of(Duelist(), Duelist(), Duelist(), **change))
    assert str(refusal.value).startswith("'ambush' cannot be solved: ") and str(refusal.value).endswith(".")


def test_a_thrown_weapon_is_refused_in_the_hand_of_the_solo_alone() -> None:
    thrower = Duelist(attack_type="thrown")
    with pytest.raises(SolverError, match="ann_0 throws its weapon"):
        read_team_fight(fight_of(thrower, Duelist(), Duelist()))
    read_team_fight(fight_of(Duelist(), thrower, Duelist()))
    with pytest.raises(SolverError, match="1 and 1 fighters, and only one against two"):
        read_team_fight(game_of(Duelist(), Duelist()))


def test_what_does_not_fit_is_refused_before_it_is_taken() -> None:
    giant = Duelist(hp=90, heart=6)
    with pytest.raises(SolverError, match=r"'ambush' \(\d+ states\): expected at most 2048.00 MB, got \d+\.\d\d MB"):
        solve_team(fight_of(giant, giant, giant))
