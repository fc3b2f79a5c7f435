"""Requests: questions of abilities in the middle of resolution reach the right fighters, stay secret, and survive."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.engine.picks import begin_picks
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.abilities import open_pick
from heartrush_env.games.heart_rush.rules.movement import COMPASS
from heartrush_env.games.heart_rush.state.record import PICK_WINDOW
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop.errors import IllegalAction, SnapshotError
from heartrush_env.tabletop.views import views_of
from tests.games.heart_rush.engine import asking
from tests.games.heart_rush.engine.asking import goes_on_from_its_snapshot, shown
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import PLAIN, Table, weapon
from tests.records.recorded import lines_of, record, write

BRUTE = {"abilities": ["hulking_blows"], "weapon": weapon("heavy"), "rush": 3}
IDS = {"knight": "blue", "monk": "blue", "ogre": "red", "wolf": "red"}
FIGHTERS = [{"id": name, "team": team, **({} if name == "monk" else BRUTE)} for name, team in IDS.items()]
pytestmark = pytest.mark.usefixtures("plainly")
SCENARIO = {"name": "requests", "max_rounds": 12, "fighter": [{**PLAIN, **fighter} for fighter in FIGHTERS]}
BLADE = {"abilities": ["fall_back"]}
MISS = [(1, 1, 1), (8, 6)]
choose = partial(asking.choose, wanted=("use", "stance might", "attack"), eager=0.8)


def make(scenario: Any = SCENARIO, **options: Any) -> Any:
    return heart_rush_v0.parallel_env(scenario=scenario, **options).unwrapped


def is_open(env: Any) -> bool:
    """Return whether the open window is one of requests."""
    return bool(env._batch.records[0].window == PICK_WINDOW)


def asked_table() -> Table:
    """Return a table at which the rogue is asked whether it dodges the knight's blows."""
    table = Table({"knight": BRUTE, "rogue": {}, "fox": {}, "page": {"team": "blue"}})
    table.engage(knight="might", rogue="might").play(knight="use_at 1 a")
    return table


def test_everybody_sees_who_is_asked_by_which_ability_and_only_the_asked_fighter_sees_the_part() -> None:
    table = asked_table()
    assert (table.window, table.choosers()) == ("pick", {"rogue"})
    seen = table._fights.describe(0)
    assert seen["requests"] == [{"fighter": "rogue_0", "ability": "hulking_blows", "by": "knight_0"}]
    assert all(table.sees(name)["window pick"] == 1 for name in table.names)
    own = table.sees("rogue")
    asked = {"picks option": 1, "pick of a": 1, "pick by": 1 / 32, "pick part 1": 1}
    assert {name: own[name] for name in own if name.startswith("pick") and own[name]} == asked
    for name in ("knight", "fox", "page"):
        others = table.sees(name)
        assert not any(others[line] for line in others if line.startswith("pick") and line != "pick by")
    table.play(rogue="pick 1")
    assert all(table.sees(name)["window pick"] == 0 for name in table.names)
    assert "requests" not in table._fights.describe(0)


def words(table: Table, name: str) -> list[str]:
    """Return a fighter's choices in the words of menus, pages and messages."""
    game, seat = table._fights.game, table.names.index(name)
    view = views_of(game).read(game.agents[seat], table._fights.observations[0, seat])
    legal = {action: game.action_names[action] for action in table._fights.legal(0, seat)}
    return [offer.words for offer in game.words.offers(game.agents[seat], view, legal)]


def test_menus_word_what_is_asked(plainly: None) -> None:
    assert words(asked_table(), "rogue") == ["dodge", "stand"]
    archer = {**BLADE, "weapon": weapon(attack_type="ranged")}
    table = on_map(".....\n.A.R.\n.....", {"archer": archer, "rogue": {}}, MISS)
    table.engage(archer="might: attack 1", rogue="cunning")
    assert words(table, "archer") == ["stay", *(f"step {way}" for way in COMPASS)]


def test_an_answer_is_told_with_the_owner_of_the_ability() -> None:
    table = asked_table()
    table.play(rogue="pick 0")
    told = [line.strip() for line in Narrator(table._fights.game.scenario).tell(table._fights.events(0))]
    assert "Rogue picks for Hulking Blows of Knight: dodge." in told


def test_the_windows_around_a_request_keep_their_choices() -> None:
    """The request is asked inside the window of instants, in which another use is still on the stack."""
    fighters = {"knight": {**BRUTE, "agility": 12}, "rogue": {**BRUTE, "agility": 4}}
    table = Table(fighters).engage(knight="might", rogue="might")
    table.play(knight="use_at 1 a", rogue="use_at 1 a").pass_to("pick")
    fight = table._fights._fights[0]
    assert (int(fight.kept_count), int(fight.stack_count)) == (2, 1)
    assert table.choosers() == {"rogue"}, "the quicker knight's blow is done first"
    table.play(rogue="pick 1").pass_to("pick")
    assert table.choosers() == {"knight"}
    table.play(knight="pick 1")
    assert (table.window, table.faults()) == ("attack", [])


def two_fall_back(control: str, observations: str = "vector") -> Any:
    """Return an environment in which two fighters of one side and one of the other are asked at once for a step."""
    fighters = [
        {"id": "archer", "team": "blue", "at": [1, 1], **BLADE, "agility": 12},
        {"id": "bowman", "team": "blue", "at": [1, 3], **BLADE, "agility": 4},
        {"id": "rogue", "team": "red", "at": [2, 2], **BLADE, "agility": 6},
    ]
    ground = {"map": ["......"] * 5}
    scenario = {"name": "steps", "battlefield": ground, "fighter": [{**PLAIN, **fighter} for fighter in fighters]}
    env = make(scenario, control=control, observations=observations)
    env.reset(seed=1)
    names = env.get_action_meanings()
    while not is_open(env):
        chosen = {}
        for seat, agent in enumerate(env.possible_agents):
            legal = [names[action] for action in env._batch.legal(0, seat)]
            liked = [name for name in legal if name in ("stance might", "attack 1")]
            chosen[agent] = names.index([*liked, *[name for name in legal if name in ("take", "pass")], *legal][0])
        env.step(chosen)
    return env


@pytest.mark.parametrize("observations", ["vector", "entities"])
@pytest.mark.parametrize("control", ["fighter", "team"])
def test_answers_show_nowhere_before_all_are_in(control: str, observations: str, plainly: None) -> None:
    """With control by team, blue answers twice while red has answered already; nothing shows until the last answer."""
    env = two_fall_back(control, observations)
    names, before = env.get_action_meanings(), env.snapshot()
    red = len(env.possible_agents) - 1
    seen = []
    for answer in ("pass", "sidestep n", "sidestep w"):
        env.restore(before)
        passes = dict.fromkeys(env.possible_agents, names.index("pass"))
        env.step({**passes, env.possible_agents[0]: names.index(answer)})
        if control == "team":
            assert is_open(env), "the second fighter of the team has not answered"
            assert env.events == []
            seen.append(shown(env, red))
        else:
            assert not is_open(env)
            told = [event["answer"] for event in env.events if event["type"] == "pick"]
            assert told == ([] if answer == "pass" else [answer.split()[1]])
    assert all(look == seen[0] for look in seen)


def test_a_side_sees_its_own_requests_one_after_another(plainly: None) -> None:
    env = two_fall_back("team")
    asked = [env._batch.describe(0)["requests"]]
    env.step(dict.fromkeys(env.possible_agents, 0))
    asked.append(env._batch.describe(0)["requests"])
    assert asked[0] == asked[1], "the window asks the same three until all have answered"
    assert {one["fighter"] for one in asked[0]} == {"archer_0", "bowman_0", "rogue_0"}


def at_requests(env: Any, play: Callable[[Any, Any], dict[str, int]], seeds: range, most: int) -> Iterator[None]:
    """Play, and yield at each window of requests."""
    found = 0
    for seed in seeds:
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while env.agents and found < most:
            if is_open(env):
                found += 1
                yield
            env.step(play(env, rng))


@pytest.mark.parametrize("control", ["fighter", "team"])
def test_a_fight_goes_on_from_a_snapshot_in_the_middle_of_a_request(control: str) -> None:
    env, other, taken, depths = make(control=control), make(control=control), 0, set()
    for _ in at_requests(env, choose, range(8), 8):
        depths.add(int(env._batch.records[0].kept_count))
        goes_on_from_its_snapshot(env, other, choose)
        taken += 1
    assert taken == 8
    assert depths == {2}, "inside the window of instants"


def test_a_record_replays_with_its_requests(tmp_path: Path) -> None:
    recorder = next(made for seed in range(20) if is_recorded(made := record(HeartRush(SCENARIO), seed)[0]))
    check(read_record(write(tmp_path, recorder.content)))


def is_recorded(recorder: Any) -> bool:
    return any('"by": "' in json.dumps(line) and '"pick"' in json.dumps(line) for line in lines_of(recorder))


def test_a_batch_plays_the_same_fights_as_one_after_another() -> None:
    assert asking.is_alike_in_a_batch(SCENARIO, 40, is_open, ("use", "stance might")) > 3


@pytest.mark.parametrize("control", ["fighter", "team"])
def test_entities_tell_what_vectors_tell(control: str) -> None:
    vectors, entities = make(control=control), make(control=control, observations="entities")
    entities.reset(seed=0)
    compared = 0
    for _ in at_requests(vectors, choose, range(6), 4):
        entities.restore(vectors.snapshot())
        assert np.array_equal(vectors._batch.vectors[0], entities._batch.vectors[0])
        assert np.array_equal(vectors._batch.masks, entities._batch.masks)
        chosen, mark = choose(vectors, np.random.default_rng(compared)), vectors.snapshot()
        vectors.step(chosen)
        entities.step(chosen)
        assert np.array_equal(vectors._batch.vectors[0], entities._batch.vectors[0])
        vectors.restore(mark)
        compared += 1
    assert compared == 4


def test_agents_answer_through_the_aec_door() -> None:
    assert asking.is_alike_through_the_aec_door(SCENARIO, 60, is_open, choose) > 1


def test_an_illegal_answer_is_replaced_and_told_to_its_player_or_raises() -> None:
    env = make()
    next(at_requests(env, choose, range(8), 1))
    strict = make(illegal="raise")
    strict.reset(seed=0)
    strict.restore(env.snapshot())
    names = env.get_action_meanings()
    asked = list(env.asked)
    assert len(asked) == 1
    passes = dict.fromkeys(env.possible_agents, names.index("pass"))
    infos = env.step(passes)[4]
    assert {agent for agent in env.possible_agents if infos[agent].get("illegal")} == set(asked)
    told = [event for event in env.events if event["type"] == "pick"]
    assert [(event["fighter"], event["answer"]) for event in told] == [(asked[0], "dodge")]
    with pytest.raises(IllegalAction):
        strict.step(passes)


def test_fighters_that_only_choose_stances_are_not_asked(plainly: None) -> None:
    archer = {**PLAIN, "id": "archer", "team": "blue", "at": [1, 1], **BLADE}
    fighters = [archer, {**PLAIN, "id": "rogue", "team": "red", "at": [2, 1]}]
    scenario = {"name": "steps", "battlefield": {"map": ["......"] * 3}, "fighter": fighters, "max_rounds": 3}
    env = make(scenario, decisions="stance")
    env.reset(seed=1)
    names = env.get_action_meanings()
    attacks = 0
    while env.agents:
        assert env._batch.describe(0)["window"] == "stance"
        assert int(env._batch.records[0].request_count) == 0
        env.step(dict.fromkeys(env.possible_agents, names.index("stance might")))
        attacks += sum(event["type"] == "attack" for event in env.events)
        assert not any(event["type"] == "pick" for event in env.events)
    assert attacks > 0


# ---------------------------------------------------------------------------------------------------------- the queue


def queue(table: Table) -> tuple[Any, list[tuple[int, int, int, int]]]:
    """Return the fight, and its waiting requests."""
    fight = table._fights._fights[0]
    waits = fight.requests[: int(fight.request_count)]
    return fight, [(int(one.who), int(one.owner), int(one.slot), int(one.part)) for one in waits]


def test_an_equal_request_is_not_repeated_and_a_full_queue_takes_no_more(plainly: None) -> None:
    table = Table({"knight": BRUTE, "rogue": BRUTE})
    fight, _ = queue(table)
    for who, owner in ((1, 0), (0, 1), (1, 0)):
        open_pick(fight, who, owner, 0, 0)
    assert queue(table)[1] == [(1, 0, 0, 0), (0, 1, 0, 0)]
    assert int(fight.fighters[0].known) == int(fight.fighters[1].known) == 1, "being asked shows the ability"
    fight.requests["slot"] = 1  # so that none of them is equal to the next
    for part in range(4):
        for who in range(8):
            open_pick(fight, who, who, 2, part)
    assert int(fight.request_count) == len(fight.requests)


def test_requests_wait_while_a_dash_is_in_progress(plainly: None) -> None:
    fight, _ = queue(on_map("K..R", {"knight": BRUTE, "rogue": {}}))
    open_pick(fight, 1, 0, 0, 0)
    fight.dashing = True
    assert not begin_picks(fight)
    fight.dashing = False
    assert begin_picks(fight)


def test_a_request_of_a_fighter_that_only_chooses_stances_is_answered_for_it(plainly: None) -> None:
    fight, _ = queue(asked_table())
    fight.fighters[1].picking = 0
    fight.full_decisions = False
    assert begin_picks(fight)
    assert (int(fight.fighters[1].picking), int(fight.requests[0].answer)) == (0, 0), "it dodges"


def test_a_fighter_answers_its_earliest_request_first(plainly: None) -> None:
    fight, _ = queue(Table({"knight": BRUTE, "rogue": {}, "squire": {**BRUTE, "team": "blue"}}))
    open_pick(fight, 1, 2, 0, 0)
    open_pick(fight, 1, 0, 0, 0)
    assert begin_picks(fight)
    assert [bool(request.asked) for request in fight.requests[:2]] == [True, False]


def test_after_a_step_that_was_tripped_the_declarer_is_the_mover_again(plainly: None) -> None:
    """Instants may still answer the declarer's declaration."""
    unsteady = {"team": "blue", "conditions": {"off_balanced": 1}}
    fighters = {"captain": {"abilities": ["bandit_captain.orders"]}, "page": unsteady, "rogue": {"team": "red"}}
    table = on_map("C.P.\n....\n..R.", fighters).play(captain="use_for 1 a").play(page="sidestep s")
    fight, _ = queue(table)
    assert (table.window, fight.mover) == ("opportunity", 1)
    table.play(rogue="trip 2")
    assert (table.window, queue(table)[0].mover) == ("action", 0)


def test_a_request_of_a_fighter_that_is_out_is_dropped(plainly: None) -> None:
    table = Table({"knight": BRUTE, "rogue": {}, "fox": {}}, victory="last_standing")
    fight, _ = queue(table)
    open_pick(fight, 1, 0, 0, 0)
    fight.fighters[1].status = 1
    table.finish_round()
    assert (queue(table)[1], table.events_of("pick")) == ([], [])


def test_snapshots_of_before_are_restored_and_impossible_ones_are_refused() -> None:
    env = make()
    env.reset(seed=1)
    snapshot = json.loads(json.dumps(env.snapshot()))
    position = snapshot["position"]["position"]
    for name in ("request_count", "requests", "dashing", "window_left", "mover_left"):
        del position[name]
    env.restore(snapshot)
    assert int(env._batch.records[0].request_count) == 0
    wrong = json.loads(json.dumps(env.snapshot()))
    position = wrong["position"]["position"]
    position["request_count"] = 1
    position["requests"][0] |= {"who": 1, "owner": 1, "slot": 0, "part": 0}  # the monk has no ability
    with pytest.raises(SnapshotError, match="a part that no ability asks for"):
        env.restore(wrong)
    position["requests"][0] |= {"owner": 0, "asked": True}
    with pytest.raises(SnapshotError, match="without its window"):
        env.restore(wrong)
