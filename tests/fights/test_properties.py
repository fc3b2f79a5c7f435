"""Properties of every fight, over random scenarios, random settings and random legal play."""

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import CONTROLS, HeartRush
from heartrush_env.tabletop.batch.rewards import REWARDS
from heartrush_env.tabletop.batch.snapshots import as_data
from tests.notation import line_of, read_line
from tests.random_play import (
    FEW_FIGHTS,
    FIGHTS,
    MOST_STEPS,
    SEEDS,
    Actions,
    begin,
    legal_actions,
    over,
    play,
    positions,
    put,
    random_game,
    seen,
    window,
)
from tests.reference.scenarios import random_scenario

PASS = 0


# -- the state ---------------------------------------------------------------------------------------------------------


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", CONTROLS)
def test_no_step_leaves_a_fault(control: str, seed: int) -> None:
    for fights in positions(random_game(seed, control=control), seed):
        assert fights.faults(0) == [], line_of(fights)


@FIGHTS
@given(SEEDS)
def test_hit_points_stay_within_bounds(seed: int) -> None:
    game = random_game(seed)
    reduced = game.scenario.settings.death_at == "reduced_maximum"
    for fights in positions(game, seed):
        state = fights.describe(0)
        for agent, fighter in state["fighters"].items():
            ceiling = fighter["hp_max"] - fighter["wounds"]
            assert fighter["hp"] <= ceiling, agent
            if fighter["status"] != "dead" and state["window"] != "shrug":  # judged once all hits have landed
                assert fighter["hp"] > -(ceiling if reduced else fighter["hp_max"]), agent
            killed_helpless = game.scenario.settings.helpless_dies and fighter["status"] == "dead"
            if fighter["status"] in ("dead", "defeated") and not killed_helpless:
                assert fighter["hp"] <= 0, agent
            assert 4 <= fighter["heart"] <= fighter["heart_max"]


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", CONTROLS)
def test_a_fight_ends_exactly_once(control: str, seed: int) -> None:
    fights = begin(random_game(seed, control=control), seed)
    rng = np.random.default_rng(seed)
    while not over(fights):
        assert not any(event["type"] == "end" for event in fights.events(0)) and fights.describe(0)["cause"] is None
        fights.step(legal_actions(fights, rng))
    (end,) = [event for event in fights.events(0) if event["type"] == "end"]
    state = fights.describe(0)
    assert fights.terminated[0] and not fights.truncated[0]
    assert fights.events(0)[-1] == end
    assert (state["cause"], state["winners"], state["window"]) == (end["cause"], end["winners"], "over")
    standing = {fighter["team"] for fighter in state["fighters"].values() if fighter["status"] == "standing"}
    assert {"victory": len(standing) == 1, "draw": not standing, "round_cap": len(standing) > 1}[end["cause"]]
    assert end["cause"] != "victory" or set(end["winners"]) == standing
    assert fights.masks[0, :, PASS].all() and fights.masks[0].sum() == len(fights.masks[0]), "nothing is left to choose"


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("cycles", [1, 5])
def test_a_fight_that_is_cut_off_is_truncated_at_that_step(cycles: int, seed: int) -> None:
    fights = begin(random_game(seed, max_cycles=cycles), seed)
    rng = np.random.default_rng(seed)
    for step in range(1, cycles + 1):
        if fights.terminated[0]:
            return
        fights.step(legal_actions(fights, rng))
        assert bool(fights.truncated[0]) == (step == cycles and not fights.terminated[0])


# -- what learners see -------------------------------------------------------------------------------------------------


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", CONTROLS)
def test_observations_and_state_are_finite_and_within_their_space(control: str, seed: int) -> None:
    game = random_game(seed, control=control)
    low, high = game.observation_low, game.observation_high
    for step, fights in enumerate(positions(game, seed)):
        assert np.isfinite(fights.observations).all()
        wrong = np.argwhere((fights.observations[0] < low) | (fights.observations[0] > high))
        assert not len(wrong), [(game.feature_names[k], fights.observations[0, seat, k]) for seat, k in wrong[:5]]
        if step % 5 == 0:
            state = fights.state(0)
            assert ((state >= game.state_low) & (state <= game.state_high)).all()


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("kind", REWARDS)
def test_rewards_are_zero_sum_over_teams_and_the_same_for_all_of_a_team(kind: str, seed: int) -> None:
    game = random_game(seed, reward=kind)
    fights = begin(game, seed)
    rng = np.random.default_rng(seed)
    paid = dict.fromkeys(game.scenario.teams, 0.0)
    start = {team: margin(fights, team) for team in paid}
    while not over(fights):
        fights.step(legal_actions(fights, rng))
        by_team = {team: set() for team in paid}
        for seat, team in enumerate(game.teams):
            by_team[team].add(float(fights.rewards[0, seat]))
        assert all(len(rewards) == 1 for rewards in by_team.values()), "the fallen are paid like the rest"
        step = {team: rewards.pop() for team, rewards in by_team.items()}
        assert sum(step.values()) == pytest.approx(0, abs=1e-6)
        assert kind == "hp_change" or over(fights) or not any(step.values()), "paid once, at the end"
        paid = {team: paid[team] + step[team] for team in paid}
    winners = fights.describe(0)["winners"]
    for team, total in paid.items():
        others = len(paid) - 1
        expected = {
            "win": 0.0 if not winners else 1.0 if team in winners else -1.0 / others,
            "hp_margin": margin(fights, team),
            "hp_change": margin(fights, team) - start[team],
        }
        assert total == pytest.approx(expected[kind], abs=1e-5)


def margin(fights: Fights, team: str) -> float:
    """Return the team's share of its hit points less the mean share of the others, from the public state."""
    fighters = fights.describe(0)["fighters"].values()
    shares = {
        name: sum(max(0, f["hp"]) for f in fighters if f["team"] == name)
        / sum(f["hp_max"] for f in fighters if f["team"] == name)
        for name in fights.game.scenario.teams
    }
    own = shares.pop(team)
    return own - sum(shares.values()) / len(shares)


# -- choices -----------------------------------------------------------------------------------------------------------

FALLBACKS = {"stance": "stance defensive", "shrug": "take"}


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", CONTROLS)
def test_the_mask_is_what_a_step_accepts(control: str, seed: int) -> None:
    """For a seat that is asked, legal actions are taken; others are flagged and replaced by the fallback."""
    game = random_game(seed, control=control)
    rng = np.random.default_rng(seed)
    other = game.batch(1, record=True)
    for fights, actions in play(game, seed):
        seat = int(rng.integers(len(game.agents)))
        for action in rng.permutation(fights.legal(0, seat))[:4]:
            assert not illegal(other, fights, actions, seat, int(action)), game.action_names[action]
        masked = np.flatnonzero(fights.masks[0, seat] == 0)
        if fights.out[0, seat]:
            assert fights.legal(0, seat) == [PASS]
        if fights.legal(0, seat) == [PASS]:
            assert not illegal(other, fights, actions, seat, PASS)
            wanted = seen(other)
            for action in (int(rng.choice(masked)), -1):
                assert not illegal(other, fights, actions, seat, action), "who is not asked is ignored"
                assert seen(other) == wanted
            continue
        fallback = game.action_names.index(FALLBACKS.get(window(fights), "pass"))
        assert fights.masks[0, seat, fallback]
        assert not illegal(other, fights, actions, seat, fallback)
        wanted = seen(other)
        for action in (int(rng.choice(masked)), -1):
            assert illegal(other, fights, actions, seat, action)
            assert seen(other) == wanted, "the fallback was played"


def illegal(other: Fights, fights: Fights, actions: Actions, seat: int, action: int) -> bool:
    """Return whether the action is flagged when the seat takes it in that position and the others act as given."""
    put(other, fights)
    actions = actions.copy()
    actions[0, seat] = action
    other.step(actions)
    assert not np.delete(other.illegal[0], seat).any()
    return bool(other.illegal[0, seat])


@FEW_FIGHTS
@given(SEEDS)
def test_a_choice_that_is_not_revealed_yet_is_seen_by_its_own_side_only(seed: int) -> None:
    assert_pending_choices_are_secret(random_game(seed, control="team"), seed)


def assert_pending_choices_are_secret(game: HeartRush, seed: int) -> None:
    """With control by team, two fights that differ in one pending choice look alike to other seats until all are in."""
    one, two = game.batch(1, record=True), game.batch(1, record=True)
    rng = np.random.default_rng(seed)
    for fights, actions in play(game, seed):
        for seat in range(len(game.agents)):
            if len(fights.legal(0, seat)) < 2:
                continue
            first, second = rng.choice(fights.legal(0, seat), 2, replace=False)
            if waits(one, fights, actions, seat, first) and waits(two, fights, actions, seat, second):
                assert public(one, seat) == public(two, seat)
                if window(fights) == "stance":
                    assert one.observations[0, seat].tobytes() != two.observations[0, seat].tobytes(), "it knows itself"


def waits(other: Fights, fights: Fights, actions: Actions, seat: int, action: int) -> bool:
    """Take this choice; return whether the window still waits for others."""
    put(other, fights)
    actions = actions.copy()
    actions[0, seat] = action
    asked = int(fights._fights[0].fighters["pending"].sum())
    other.step(actions)
    left = int(other._fights[0].fighters["pending"].sum())
    return window(other) == window(fights) and left < asked and left > 0 and other.events(0) == []


def public(fights: Fights, seat: int) -> Any:
    """Return everything that is shown to others than this seat."""
    arrays = (fights.observations, fights.masks, fights.rewards, fights.out, fights.illegal)
    rows = [np.delete(array[0], seat, axis=0).tobytes() for array in arrays]
    return rows, fights.state(0).tobytes(), fights.events(0), fights.describe(0), line_of(fights)


# -- out and in --------------------------------------------------------------------------------------------------------


@FEW_FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", CONTROLS)
def test_a_snapshot_goes_on_as_the_fight_does(control: str, seed: int) -> None:
    game = random_game(seed, control=control)
    other = game.batch(1, record=True)
    for fights, actions in play(game, seed):
        snapshot = json.loads(json.dumps(fights.snapshot(0)))
        other.restore(0, snapshot)
        assert other.snapshot(0) == snapshot
        for name in ("observations", "masks", "out"):
            assert getattr(other, name).tobytes() == getattr(fights, name).tobytes()
        assert other.state(0).tobytes() == fights.state(0).tobytes()
        other.step(actions)
        after = seen(other)
        fights.step(actions)
        assert after == seen(fights)
        fights.restore(0, snapshot)  # the fight itself goes on from its own position


@FEW_FIGHTS
@given(SEEDS)
def test_a_line_at_a_stance_window_reads_back_to_the_same_fight(seed: int) -> None:
    """The fight and the one read from its line go on alike, given the same dice."""
    game = random_game(seed)
    copy, rng = game.batch(1, record=True), np.random.default_rng(seed)
    copy.start([0], seed, [0])
    for fights, _ in play(game, seed):
        if window(fights) != "stance":
            continue
        line = line_of(fights)
        matches = read_line(line, game.new_template(True)[0], game.scenario)
        copy._fights[0] = matches[0]
        copy.step(np.zeros_like(legal_actions(fights, rng)))  # no seat is asked: on to the window of the line
        assert line_of(copy) == line
        assert copy.describe(0) == fights.describe(0)
        assert (copy.masks == fights.masks).all()
        goes_on_alike(fights, copy, rng)


def goes_on_alike(fights: Fights, copy: Fights, rng: np.random.Generator, steps: int = 6) -> None:
    """Play the next windows of both fights with the same dice and compare them; then restore the first."""
    before = fights.game.batch(1, record=True)
    put(before, fights)
    for match in (fights._fights[0], copy._fights[0]):
        match.key, match.draw = 7, 0
        match.given_count = match.given_used = 0
    for _ in range(steps):
        if over(fights):
            break
        actions = legal_actions(fights, rng)
        fights.step(actions)
        copy.step(actions)
        assert (fights.describe(0), told(fights)) == (copy.describe(0), told(copy))
    put(fights, before)


def told(fights: Fights) -> list[dict[str, Any]]:
    return [event for event in fights.events(0) if event["type"] != "condition"]


# -- the default -------------------------------------------------------------------------------------------------------

LEVELS_AGAINST = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}


@FIGHTS
@given(SEEDS)
def test_stances_alone_are_full_decisions_with_the_default_for_the_rest(seed: int) -> None:
    scenario = random_scenario(random.Random(seed))
    full, alone = begin(HeartRush(scenario), seed), begin(HeartRush(scenario, decisions="stance"), seed)
    rng = np.random.default_rng(seed)
    for _ in range(MOST_STEPS):
        while not over(full) and window(full) != "stance":
            full.step(defaults(full))
        assert full.describe(0) == alone.describe(0)
        assert over(full) == over(alone) and full.rewards.tobytes() == alone.rewards.tobytes()
        if over(full):
            return
        assert window(alone) == "stance"
        assert (full.masks == alone.masks).all()
        actions = legal_actions(full, rng)
        full.step(actions)
        alone.step(actions)


def defaults(fights: Fights) -> Actions:
    """Return the contract's default action for each seat, from the public state."""
    names = fights.game.action_names
    chosen = [
        default(fights, seat, [names[action] for action in fights.legal(0, seat)]) for seat in range(seats(fights))
    ]
    return np.array([[names.index(name) for name in chosen]], np.int64)


def seats(fights: Fights) -> int:
    return len(fights.game.agents)


def default(fights: Fights, seat: int, legal: list[str]) -> str:
    state = fights.describe(0)
    sheets = fights.game.scenario.fighters
    own = state["fighters"][sheets[seat].agent]
    if "shrug" in legal:
        damage = own["hits"][0]
        return "shrug" if damage >= 10 or own["hp"] - damage <= 0 else "take"
    enemies = [sheet for sheet in sheets if sheet.team != sheets[seat].team]
    targets = [place for place in range(1, len(enemies) + 1) if f"attack {place}" in legal]
    if not targets:
        return "pass"
    place = min(targets, key=lambda place: state["fighters"][enemies[place - 1].agent]["hp"])
    largest = max(LEVELS_AGAINST, key=lambda ability: getattr(enemies[place - 1], ability))
    named = f"attack {place} {LEVELS_AGAINST[largest]}+{LEVELS_AGAINST[largest]}"
    return named if named in legal else f"attack {place}"


# -- symmetry ----------------------------------------------------------------------------------------------------------


@FIGHTS
@given(SEEDS)
def test_two_fighters_may_change_seats(seed: int) -> None:
    """The order of seats decides nothing between two fighters of unequal agility.

    All their dice are then read in timing order, which depends on the agility dice and not on the seats. Only burning
    and suffocating at the round's end go by seat, so no fighter burns or suffocates here. With the same dice and the
    same choices, each must therefore see the very same fight from either seat.
    """
    scenario = unequal_pair(random.Random(seed))
    changed = {**scenario, "fighter": scenario["fighter"][::-1]}
    game = HeartRush(scenario)
    other = begin(HeartRush(changed), seed)
    for fights, actions in play(game, seed):
        assert mirrored(fights) == straight(other)
        other.step(actions[:, ::-1].copy())
        last = fights
    assert mirrored(last) == straight(other)


def unequal_pair(rng: random.Random) -> dict[str, Any]:
    """Return a random scenario cut down to two enemies of unequal agility."""
    scenario = random_scenario(rng)
    first = scenario["fighter"][0]
    second = next(fighter for fighter in scenario["fighter"] if fighter["team"] != first["team"])
    first["id"], second["id"] = "cat", "dog"
    first["agility"], second["agility"] = rng.sample((4, 6, 8, 10, 12, 20), 2)
    for fighter in (first, second):
        kept = {
            name: given
            for name, given in fighter.get("conditions", {}).items()
            if not isinstance(given, dict) and name not in ("burning", "suffocating")
        }
        fighter["conditions"] = kept
    heroes = scenario.get("heroes", [])
    heroes = [heroes] if isinstance(heroes, str) else heroes
    scenario["heroes"] = [team for team in heroes if team in (first["team"], second["team"])]
    return {**scenario, "fighter": [first, second]}


def straight(fights: Fights) -> Any:
    arrays = (fights.observations, fights.masks, fights.rewards, fights.out)
    return [array.tobytes() for array in arrays], fights.describe(0)


def mirrored(fights: Fights) -> Any:
    """Return the arrays and the public state with the seats swapped."""
    arrays = (fights.observations, fights.masks, fights.rewards, fights.out)
    return [array[:, ::-1].tobytes() for array in arrays], fights.describe(0)


def test_a_line_and_a_snapshot_hold_what_they_say() -> None:
    """A line names only what differs from the start, and a snapshot names every field."""
    fights = begin(HeartRush("duel"), 7)
    assert line_of(fights) == "r1 stance | knight_0 | duelist_0"
    assert as_data(fights._fights[0], fights.game.edition.machine) == fights.snapshot(0)["position"]
