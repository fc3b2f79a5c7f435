"""A seat's view: every named field is checked independently and against the vector, and nothing secret is in it."""

import json
import random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.encoding.view_fields import View
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import TAKE_STANCE
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.protocol.messages import ProtocolError
from heartrush_env.protocol.requests import History, game_fields
from heartrush_env.protocol.views import observation_of, view_of
from tests.games.heart_rush.encoding.test_encoding import Watcher, decider, watched
from tests.random_play import FEW_FIGHTS, FIGHTS, MOST_STEPS, PLAIN, SEEDS, begin, over, play, random_game, window
from tests.reference.scenarios import random_scenario, with_spares

STANCES = ("might", "agility", "cunning", "defensive")
UNSEEN = 0.9  # the share of windows to skip: there are many, and they are similar
SAME = "name team hero might agility cunning presence armor shield attack_bonus size wound_threshold".split()


def talkative(seed: int, **options: Any) -> HeartRush:
    rng = random.Random(seed)
    scenario = with_spares(rng, random_scenario(rng))
    scenario.setdefault("rules", {})["talk"] = ("none", "team", "open", "overheard")[seed % 4]
    return HeartRush(scenario, **options)


def as_message(view: dict[str, Any]) -> View:
    """Return a view as it is decoded from a line."""
    return msgspec.json.decode(json.dumps(view), type=View)


# -- named fields --------------------------------------------------------------------------------------------------


def expected_view(fights: Fights, watcher: Watcher, viewer: FighterSheet) -> dict[str, Any]:
    """Return what a fighter may see, from the public description of the fight and a watcher's notes."""
    state, scenario = fights.describe(0), fights.game.scenario
    enemies = [sheet for sheet in scenario.fighters if sheet.team != viewer.team]
    allies = [sheet for sheet in scenario.fighters if sheet.team == viewer.team and sheet is not viewer]
    rounds = len(next(iter(watcher.reveals.values())))
    return {
        "round": state["round"],
        "window": state["window"],
        "phase": state["phase"],
        "windows_left": max(1, scenario.windows_per_round) - int(fights._fights[0].windows_used),
        "self": expected_fighter(fights, watcher, viewer, viewer, None),
        "enemies": [expected_fighter(fights, watcher, viewer, sheet, k) for k, sheet in enumerate(enemies, 1)],
        "allies": [expected_fighter(fights, watcher, viewer, sheet, k) for k, sheet in enumerate(allies, 1)],
        "reveals": [
            {"round": rounds - k, "stances": {agent: latest[k] for agent, latest in watcher.reveals.items()}}
            for k in reversed(range(min(8, rounds)))
        ],
    }


def expected_fighter(
    fights: Fights, watcher: Watcher, viewer: FighterSheet, sheet: FighterSheet, place: int | None
) -> dict[str, Any]:
    agent, fighters = sheet.agent, fights.describe(0)["fighters"]
    fighter, me = fighters[agent], fighters[viewer.agent]
    own_side = sheet.team == viewer.team
    said = watcher.said if own_side else watcher.heard
    taken = [stance for stance in watcher.reveals[agent] if stance is not None]
    held = sheet.spare if agent in watcher.swapped and sheet.spare is not None else sheet
    weapon = held.weapon
    told = {
        **{field: getattr(sheet, field) for field in SAME},
        "shield": held.shield,
        **{field: fighter[field] for field in "hp hp_max wounds heart heart_max status stance conditions".split()},
        **{field: fighter[field] for field in ("armed", "action", "interaction", "dash")},
        **{field: min(5, fighter[field]) for field in ("helped", "shrugs")},
        "rush": min(10, fighter["rush"]),
        "agent": agent,
        "place": place,
        "weapon": {field: getattr(weapon, field) for field in ("name", "die", "attack_type", "damage_type")},
        "hit": fighter["hits"][0] if fighter["hits"] else 0,
        "said": said.get(agent),
        "pick": watcher.picks.get(agent) if own_side and fights.game.control == "team" else None,
        "habits": {stance: pytest.approx(taken.count(stance) / len(taken)) for stance in STANCES if stance in taken},
    }
    if place is not None:
        bonds = {
            "frightens_me": me["sources"].get("frightened") == agent,
            "enrages_me": agent in (me["sources"].get("enraged"), me["sources"].get("aggravated")),
            "charms_me": me["sources"].get("charmed") == agent,
            "grapples_me": fighter["grappling"] == viewer.agent,
            "grappled_by_me": me["grappling"] == agent,
            "climbs_on_me": fighter["climbing"] == viewer.agent,
            "climbed_by_me": me["climbing"] == agent,
        }
        told["relations"] = [name for name, holds in bonds.items() if holds]
    return told


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", ["fighter", "team"])
def test_every_named_field_is_what_everyone_at_the_table_sees(control: str, seed: int) -> None:
    game = talkative(seed, control=control)
    rng = random.Random(seed)
    for fights, watcher in watched(game, seed):
        if rng.random() < UNSEEN:
            continue
        seat = rng.randrange(len(game.agents))
        viewer = game.scenario.fighters[decider(fights, seat)]
        view = view_of(game, game.agents[seat], fights.observations[0, seat])
        if control == "team" and view["self"]["agent"] != viewer.agent:
            twin = next(sheet for sheet in game.scenario.fighters if sheet.agent == view["self"]["agent"])
            assert {**twin.__dict__, "agent": "", "name": "", "id": ""} == {
                **viewer.__dict__, "agent": "", "name": "", "id": "",
            }, "only of fighters with the same stat line one may be taken for the other"  # fmt: skip
            continue
        assert view.pop("observation") == pytest.approx(fights.observations[0, seat].tolist())
        assert view == expected_view(fights, watcher, viewer)
        json.dumps(view)


def test_one_of_two_alike_is_told_by_the_order_of_its_allies() -> None:
    """Both rogues have equal stats; the second rogue's first ally is the first rogue, and its second is the knight."""
    team = [{"from": name, "team": "blue"} for name in ("rogue", "knight", "rogue")]
    game = HeartRush({"fighter": [*team, {"from": "ogre", "team": "red"}]}, control="team")
    fights, allies = begin(game, 7), {}
    for _ in range(3):  # the team chooses for one of its own after another
        view = view_of(game, "blue_0", fights.observations[0, 0])
        allies[view["self"]["agent"]] = [(ally["agent"], ally["might"]) for ally in view["allies"]]
        fights.step(np.array([[fights.legal(0, seat)[0] for seat in range(2)]]))
    assert allies == {
        "rogue_0": [("knight_0", 8), ("rogue_1", 4)],
        "knight_0": [("rogue_0", 4), ("rogue_1", 4)],
        "rogue_1": [("rogue_0", 4), ("knight_0", 8)],
    }


@FIGHTS
@given(SEEDS)
def test_the_history_of_a_fight_is_what_the_observation_shows_of_it(seed: int) -> None:
    game, history = random_game(seed), History()
    for fights, _ in play(game, seed):
        history.observe(fights.events(0))
        shown = view_of(game, game.agents[0], fights.observations[0, 0])["reveals"]
        assert shown == history.reveals[-8:]
        assert view_of(game, game.agents[0], fights.observations[0, 0], history.reveals)["reveals"] == history.reveals


KNIGHT = {"might": 8, "agility": 6, "cunning": 6, "presence": 4, "heart": 8, "hp": 40}


def shown_and_told(scenario: dict[str, Any], action: str = "take") -> list[tuple[str, list[Any], list[Any]]]:
    """Return, for each window of a fight, the reveals in the observation and those in the events."""
    game, history, moments = HeartRush(scenario), History(), []
    fights = begin(game, 7)
    number = game.action_names.index(action)
    for _ in range(MOST_STEPS):
        history.observe(fights.events(0))
        shown = view_of(game, game.agents[0], fights.observations[0, 0])["reveals"]
        moments.append((window(fights), shown, history.reveals[-8:]))
        if over(fights):
            return moments
        legal = [fights.legal(0, seat) for seat in range(len(game.agents))]
        fights.step(np.array([[number if number in own else own[0] for own in legal]]))
    return moments


def test_a_reveal_in_which_nobody_has_a_stance_is_shown_while_its_hits_are_answered() -> None:
    """Both fighters are incapacitated, so the round goes from the reveal straight to its end."""
    knight = {**KNIGHT, "id": "knight", "team": "blue", "conditions": {"incapacitated": 1, "suffocating": 1}}
    orc = {**KNIGHT, "id": "orc", "team": "red", "conditions": {"incapacitated": 1}}
    moments = shown_and_told({"max_rounds": 3, "fighter": [knight, orc]})
    nobody = {"knight_0": None, "orc_0": None}
    assert [(name, told) for name, _, told in moments if name != "action"] == [
        ("shrug", [{"round": 1, "stances": nobody}]),
        ("shrug", [{"round": k, "stances": nobody} for k in (1, 2)]),
        ("shrug", [{"round": k, "stances": nobody} for k in (1, 2, 3)]),
        ("over", [{"round": k, "stances": nobody} for k in (1, 2, 3)]),
    ]
    assert all(shown == told for _, shown, told in moments)


def test_a_fight_that_is_over_at_once_shows_its_reveal() -> None:
    """This position once showed a bug: neither fighter has a choice before the fight's only round is over."""
    out = [{**KNIGHT, "id": "orc", "team": team, "conditions": {"incapacitated": 1}} for team in ("amber", "blue")]
    moments = shown_and_told({"max_rounds": 1, "fighter": out})
    told = [{"round": 1, "stances": {"orc_0": None, "orc_1": None}}]
    assert moments[0] == moments[-1] == ("over", told, told)


@pytest.mark.parametrize("third", [{}, {"team": "green", "conditions": {"incapacitated": 1}}])
def test_a_hit_before_the_reveal_shows_none_for_its_round(third: dict[str, Any]) -> None:
    """All lose the first round to surprise; in the second, the knight strikes the helpless orc in the action window."""
    knight = {**KNIGHT, "id": "knight", "team": "blue", "surprised": True}
    orc = {**KNIGHT, "id": "orc", "team": "red", "surprised": True, "conditions": {"incapacitated": 1}}
    others = [{**orc, **third}] if third else []
    moments = shown_and_told({"max_rounds": 2, "fighter": [knight, orc, *others]}, "opportunity 1 might")
    struck = next(told for name, _, told in moments if name == "shrug")
    assert [reveal["round"] for reveal in struck] == [1]
    assert all(shown == told for _, shown, told in moments)


def test_two_who_fall_before_the_reveal_have_revealed_nothing() -> None:
    """Both fighters are out of breath and at 1 hit point; they rise in the first action window, and fall by it."""
    last_breath = {**KNIGHT, "id": "knight", "hp_now": 1, "conditions": {"prone": 1, "suffocating": 1}}
    moments = shown_and_told({"fighter": [{**last_breath, "team": team} for team in ("blue", "red")]}, "rise")
    assert moments[-1] == ("over", [], [])


def test_another_fight_has_a_history_of_its_own() -> None:
    history = History()
    history.observe([{"type": "round", "round": 1}, {"type": "reveal", "stances": {"knight_0": "might"}}])
    history.observe([{"type": "round", "round": 2}])
    assert history.reveals == [{"round": 1, "stances": {"knight_0": "might"}}]
    history.observe([{"type": "round", "round": 1}])
    assert history.reveals == []


# -- and back ------------------------------------------------------------------------------------------------------


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("memory", [None, 0, 3, 8])
def test_named_fields_stand_for_the_vector_that_they_came_from(memory: int | None, seed: int) -> None:
    game = talkative(seed, memory=memory, control=("fighter", "team")[seed % 2])
    rng = random.Random(seed)
    for fights, _ in play(game, seed):
        if rng.random() < UNSEEN:
            continue
        seat = rng.randrange(len(game.agents))
        seen = fights.observations[0, seat]
        view = view_of(game, game.agents[seat], seen)
        del view["observation"]
        made = observation_of(game, game.agents[seat], as_message(view))
        wrong = np.flatnonzero(~np.isclose(made, seen, rtol=1e-6, atol=1e-7))
        assert not len(wrong), [(game.feature_names[k], made[k], seen[k]) for k in wrong[:5]]


@pytest.mark.parametrize("scenario", [name for name in shipped_scenarios() if not load_scenario(name).battlefield])
def test_what_is_left_out_is_as_the_fight_began(scenario: str) -> None:
    game = HeartRush(scenario)
    fights = begin(game, 7)
    moment = {"round": 1, "window": window(fights), "windows_left": 8 - int(fights._fights[0].windows_used)}
    for agent, seen in zip(game.agents, fights.observations[0], strict=True):
        assert observation_of(game, agent, as_message(moment)) == pytest.approx(seen)


def test_on_a_map_every_window_is_named() -> None:
    game, seen = HeartRush("skirmish"), set()
    for fights, _ in play(game, 2):
        view = view_of(game, "knight_0", fights.observations[0, 0])
        assert view["window"] == window(fights) == as_message(view).window
        assert view["phase"] == fights.describe(0)["phase"]
        seen.add(view["window"])
    assert seen >= {"action", "stance", "attack"} and ("step" in seen or PLAIN), "uncompiled play is cut short"


def test_grapples_and_fears_that_a_scenario_begins_with_are_known() -> None:
    conditions = {"grappled": {"source": "orc_0"}, "charmed": {"source": "orc_0"}, "dazed": 2}
    knight = {**KNIGHT, "id": "knight", "team": "blue", "conditions": conditions}
    game = HeartRush({"fighter": [knight, {**KNIGHT, "id": "orc", "team": "red"}]})
    for seat, agent in enumerate(game.agents):
        fights = begin(game, 7)
        moment = {"round": 1, "window": window(fights), "windows_left": 8 - int(fights._fights[0].windows_used)}
        made = observation_of(game, agent, as_message(moment))
        seen = fights.observations[0, seat]
        different = {game.feature_names[k] for k in np.flatnonzero(~np.isclose(made, seen))}
        assert different <= {"self dazed", "enemy 1 dazed"}, "which fades as the first round begins"


def test_habits_are_counted_from_the_reveals_where_they_are_not_told() -> None:
    game = HeartRush("duel")
    stances = ["might", "might", "cunning", None]
    reveals = [{"round": k, "stances": {"knight_0": stance}} for k, stance in enumerate(stances, 1)]
    made = observation_of(game, "duelist_0", as_message({"round": 5, "window": "stance", "reveals": reveals[::-1]}))
    found = {name: value for name, value in zip(game.feature_names, made.tolist(), strict=True) if value}
    counts = [found[f"enemy 1 count {stance}"] for stance in ("might", "cunning")]
    assert counts == pytest.approx([2 / 3, 1 / 3])
    assert [name for name in found if "reveal" in name] == [
        "enemy 1 reveal 2 cunning", "enemy 1 reveal 3 might", "enemy 1 reveal 4 might",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ({}, "window: expected "),
        ({"window": "stance"}, "round: expected the number of the round, got none"),
        ({"window": "stance", "round": 201}, "at most 200"),
        ({"window": "stance", "round": 1, "self": {"agent": "duelist_0"}}, "expected knight_0"),
        ({"window": "stance", "round": 1, "self": {"might": 10}}, "expected 8, as in the scenario"),
        ({"window": "stance", "round": 1, "self": {"hp": 50_000}}, "self hp: expected -25 to 25, got 1250"),
        ({"window": "stance", "round": 1, "self": {"heart": 21}}, "self heart: expected 0 to 1, got 1.05"),
        ({"window": "stance", "round": 1, "enemies": [{"agent": "orc_0"}]}, "got 'orc_0'"),
        ({"window": "stance", "round": 1, "enemies": [{"place": 2}]}, "got place 2"),
        ({"window": "stance", "round": 1, "enemies": [{}, {}]}, "got place 2"),
        ({"window": "stance", "round": 1, "enemies": [{}, {"place": 1}]}, "got place 1"),
        ({"window": "stance", "round": 1, "self": {"conditions": {"dizzy": 1}}}, "unknown condition 'dizzy'"),
        ({"window": "stance", "round": 1, "self": {"conditions": {"dazed": 6}}}, "self dazed: expected"),
        ({"window": "stance", "round": 1, "enemies": [{"relations": ["likes_me"]}]}, "unknown relation 'likes_me'"),
        ({"window": "stance", "round": 1, "reveals": [{"round": 1, "stances": {"orc_0": None}}]}, "fighter 'orc_0'"),
    ],
)
def test_a_view_that_does_not_fit_is_refused_in_a_sentence(view: dict[str, Any], said: str) -> None:
    with pytest.raises(ProtocolError) as refusal:
        observation_of(HeartRush("duel"), "knight_0", as_message(view))
    assert refusal.value.code == "bad_view" and said in str(refusal.value) and str(refusal.value).endswith(".")


# -- secrets -------------------------------------------------------------------------------------------------------


def choose_in_secret(fights: Fights, agent: str, stance: int, *, pending: bool) -> None:
    """Write a stance choice into a fight, which no fighter has seen yet."""
    fighter = fights._fights[0].fighters[fights.game.fighters.index(agent)]
    fighter.deed, fighter.detail, fighter.pending = TAKE_STANCE, stance, pending


def show(fights: Fights) -> None:
    """Update everything that a fight shows."""
    fights.show(np.array([0]))


def hidden_games(seed: int) -> HeartRush:
    return (HeartRush("duel"), HeartRush("brawl"), random_game(seed))[seed % 3]


@FIGHTS
@given(SEEDS)
def test_a_stance_that_is_chosen_but_not_revealed_changes_no_view(seed: int) -> None:
    game = hidden_games(seed)
    rng, copy = random.Random(seed), begin(game, 0)
    for fights, _ in play(game, seed):
        if window(fights) != "stance" or rng.random() < 0.5:
            continue
        seat = rng.randrange(len(game.agents))
        views = []
        for stance in range(4):
            copy._fights[0] = fights._fights[0]
            for agent in game.agents:
                if agent != game.agents[seat]:
                    choose_in_secret(copy, agent, stance, pending=rng.random() < 0.5)
            show(copy)
            views.append(view_of(game, game.agents[seat], copy.observations[0, seat]))
        assert views == 4 * [view_of(game, game.agents[seat], fights.observations[0, seat])]


@FEW_FIGHTS
@given(SEEDS)
def test_who_is_asked_later_sees_nothing_of_those_who_have_chosen(seed: int) -> None:
    game = hidden_games(seed)
    env = heart_rush_v0.raw_env(scenario=scenario_table(game.scenario))
    env.reset(seed=seed)
    rng = random.Random(seed)
    before: dict[str, Any] = {}
    for _ in range(60):
        agent = env.agent_selection
        if any(env.terminations.values()):
            return
        seen = {seat: view_of(game, seat, env.observe(seat)["observation"]) for seat in env.possible_agents}
        if agent == env.asked[0]:
            before = seen
        assert seen == before
        env.step(rng.choice(np.flatnonzero(env.observe(agent)["action_mask"]).tolist()))


def test_a_shipped_scenario_goes_by_its_name_and_the_settings_that_differ() -> None:
    told = game_fields(HeartRush("brawl", rules={"wounds": False}, memory=2))
    assert told["scenario"] == "brawl"
    assert told["options"] == {"rules": {"wounds": False}, "shape": "team", "memory": 2}
    renamed = load_scenario({**scenario_table(load_scenario("duel")), "max_rounds": 3})
    assert game_fields(HeartRush(renamed))["scenario"]["max_rounds"] == 3
