"""Every shipped scenario in every environment: the requirements of PettingZoo and Gymnasium, and our own."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import heartrush_env  # registers the environments
from heartrush_env import heart_rush_classic_v0, heart_rush_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from tests.envs import checks
from tests.shipped import ON_MAP, SHIPPED, USUAL, WITHOUT_MAP, case, short

CONTROLS = ("fighter", "team")
IN_CLASSIC = ("duel", "melee", "free_for_all", "skirmish")
# Each further way to play is tried in depth on one scenario of each shape, and on the others only in long runs.
IN_DEPTH = [case(name, {}, id=f"{name} plain") for name in shipped_scenarios()] + [
    pytest.param(
        name, settings, marks=[] if name in ("duel", "brawl", "skirmish") else pytest.mark.long, id=f"{name} {kind}"
    )
    for kind, settings in (("control=team", {"control": "team"}), ("classic", {"edition": "classic"}))
    for name in shipped_scenarios()
]
SETTINGS: tuple[dict[str, Any], ...] = (
    {"decisions": "stance"},
    {"memory": 0},
    {"shape": "team"},
    {"edition": "classic", "decisions": "stance"},
    {"edition": "classic", "memory": 0, "control": "team"},
)


@cache
def game(scenario: str, edition: str = "june2025", **settings: Any) -> HeartRush:
    rules = {} if edition == "june2025" else {"edition": edition}
    return HeartRush(short(scenario), rules, **settings)


def name_of(value: Any) -> str:
    return value if isinstance(value, str) else " ".join(f"{key}={it}" for key, it in value.items()) or "plain"


@pytest.mark.parametrize(
    ("scenario", "settings"),
    [
        *(
            case(name, {"control": control}, id=f"{name} {control}")
            for name in shipped_scenarios()
            for control in CONTROLS
        ),
        *(pytest.param("duel", settings, id=name_of(settings)) for settings in SETTINGS),
        *(pytest.param(name, {"edition": "classic"}, id=f"{name} classic") for name in IN_CLASSIC),
    ],
)
def test_pettingzoo_accepts_it(scenario: str, settings: dict[str, Any]) -> None:
    checks.check_pettingzoo(game(scenario, **settings))


@pytest.mark.parametrize(
    ("scenario", "door"),
    [case(name, heart_rush_v0) for name in shipped_scenarios()]
    + [case(name, heart_rush_classic_v0, id=f"{name} classic") for name in IN_CLASSIC],
)
def test_max_cycles_cuts_the_fight_off_after_exactly_so_many_steps(scenario: str, door: Any) -> None:
    def parallel(max_cycles: int) -> Any:
        return door.parallel_env(scenario, max_cycles=max_cycles)

    def aec(max_cycles: int) -> Any:
        return door.env(scenario, max_cycles=max_cycles)

    checks.check_max_cycles(parallel, aec)


@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("scenario", SHIPPED)
def test_gymnasium_accepts_it(scenario: str, flatten: bool) -> None:
    with checks.only_expected_warnings():
        for mode in (None, "ansi"):
            env = gymnasium.make(heartrush_env.GYMNASIUM_ID, scenario=scenario, flatten=flatten, render_mode=mode)
            check_env(env.unwrapped)


@pytest.mark.parametrize("fights", [2, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize(("scenario", "settings"), IN_DEPTH)
def test_whole_fights_hold_what_was_promised(scenario: str, settings: dict[str, Any], fights: int) -> None:
    checks.check_whole_fights(game(scenario, **settings), min(fights, 3) if scenario in ON_MAP else fights)


@pytest.mark.parametrize(("scenario", "settings"), IN_DEPTH)
def test_a_key_and_actions_give_the_same_fight_alone_and_in_any_batch(scenario: str, settings: dict[str, Any]) -> None:
    played = game(scenario, **settings)
    alone = checks.check_same_alone(played, 4)
    checks.check_same_in_batches(played, alone)
    assert len(set(map(tuple, alone))) == len(alone), "the fights of one seed should differ"


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(it, id=name_of(it), marks=[pytest.mark.long] if "edition" in it or "decisions" in it else [])
        for it in SETTINGS
    ],
)
def test_other_settings_are_as_deterministic(settings: dict[str, Any]) -> None:
    played = game("duel", **settings)
    checks.check_same_in_batches(played, checks.check_same_alone(played, 4))


@pytest.mark.long
@pytest.mark.parametrize(
    ("edition", "scenarios"),
    [
        pytest.param("june2025", (WITHOUT_MAP[0], USUAL), id="june2025"),
        pytest.param("june2025", WITHOUT_MAP, id="without maps", marks=pytest.mark.long),
        pytest.param("june2025", ON_MAP, id="maps", marks=pytest.mark.long),
        pytest.param("classic", IN_CLASSIC, id="classic", marks=pytest.mark.long),
    ],
)
def test_the_same_key_and_actions_give_the_same_fight_in_any_process(edition: str, scenarios: Sequence[str]) -> None:
    here = {name: checks.digest(game(name, edition), 3) for name in scenarios}
    make_games = (
        "from tests.envs.test_heart_rush_compliance import game; "
        f"games = {{name: game(name, {edition!r}) for name in {tuple(scenarios)!r}}}"
    )
    assert checks.digests_elsewhere(make_games, 3, hash_seed=1) == here


@pytest.mark.parametrize("every", [15, pytest.param(7, marks=pytest.mark.long)])
@pytest.mark.parametrize(("scenario", "settings"), IN_DEPTH)
def test_a_fight_goes_on_from_its_snapshots(scenario: str, settings: dict[str, Any], every: int) -> None:
    checks.check_snapshots(game(scenario, **settings), every=every)


@pytest.mark.parametrize("windows", [10, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize(("scenario", "settings"), IN_DEPTH)
def test_a_hidden_choice_never_leaks(scenario: str, settings: dict[str, Any], windows: int) -> None:
    limits = {"most_steps": windows * 2 // 5, "most_tried": 6} if scenario in ON_MAP else {"most_steps": windows}
    compared = checks.check_nothing_leaks(game(scenario, **settings), fights=1, **limits)
    own_fighters = max(map(game(scenario).teams.count, game(scenario).teams))
    if settings.get("control") == "team" and own_fighters > 1:
        assert compared > windows // 3, "picks of a team are hidden between steps, so there are some to compare"
