"""Observations and actions: each number has the value that its name says, and each action does what its name says."""

import random
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from heartrush_env.games.heart_rush.encoding.actions import action_names, action_table, decode, describe_table
from heartrush_env.games.heart_rush.encoding.features import (
    OBSERVATION,
    feature_names,
    features,
    shows_memory,
    state_features,
)
from heartrush_env.games.heart_rush.encoding.fighter import AILMENTS, BODY, GROUPS, HABITS, LASTING, LIFE, SHOWN
from heartrush_env.games.heart_rush.encoding.observation import OUT_CAUSES
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import CONTROLS, HeartRush
from heartrush_env.games.heart_rush.kernel import show_slot
from heartrush_env.games.heart_rush.rules import terms
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.load import load_scenario, with_an_ability
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.games.heart_rush.state import record as state
from heartrush_env.games.heart_rush.state.record import MAP_FIGHTER, WINDOWS
from heartrush_env.tabletop.kernels import noting
from tests.random_play import FIGHTS, SEEDS, begin, check_rows, legal_actions, over, play, random_game
from tests.reference.scenarios import random_scenario

STANCES = ("might", "agility", "cunning", "defensive")
REVEALS = 8
UNSEEN = 0.75  # of the moments of a fight: they are many, and much alike

# The table of actions as it is promised, written out by hand.
ALONE = """
pass, stance might, stance agility, stance cunning, stance defensive, shrug, take, yield,
say might, say agility, say cunning, say defensive,
pick_up, rise, stand, break_free, wriggle_free, tear_free, cut_free, shake_off, put_out_fire,
overcome frightened, overcome enraged, overcome aggravated, let_go, hop_off, swap, rise rush
"""
AT_ENEMY = """
attack T, attack T dazed, attack T off_balanced, attack T weakened, attack T dazed+dazed, attack T dazed+off_balanced,
attack T dazed+weakened, attack T off_balanced+off_balanced, attack T off_balanced+weakened, attack T weakened+weakened,
grapple T, climb_on T, dirty_strike T dazed, dirty_strike T off_balanced, dirty_strike T weakened,
blind T, trip T, shove T, disarm T, taunt T, swing_past T,
opportunity T might, opportunity T agility, opportunity T cunning,
opportunity T might rush, opportunity T agility rush, opportunity T cunning rush
"""
COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
AT_ALLY = "help T, douse T, cut_loose T"


def written(table: str, place: int | None = None) -> list[str]:
    """Return the names in a table, with a place for T."""
    return [name.replace("T", str(place)) for name in " ".join(table.split()).split(", ")]


# -- the tables --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_the_actions_are_those_promised_in_their_order(shape: Any) -> None:
    expected = written(ALONE)
    for place in range(1, shape.enemies + 1):
        expected += written(AT_ENEMY, place)
    for place in range(1, shape.allies + 1):
        expected += written(AT_ALLY, place)
    if shape.on_map:
        expected += [f"dash {dx},{dy}" for dy in range(-12, 13) for dx in range(-12, 13)]
        expected += [f"sidestep {way}{paid}" for paid in ("", " rush") for way in COMPASS]
        expected += [
            *(f"door {way}" for way in COMPASS),
            "follow",
            *(f"object {number}" for number in range(1, 7)),
            "walk",
        ]
    if shape.abilities:
        expected += [f"use {slot}" for slot in "abcdefgh"]
        expected += [f"use_at {place} {slot}" for place in range(1, shape.enemies + 1) for slot in "abcdefgh"]
        expected += [f"use_for {place} {slot}" for place in range(1, shape.allies + 1) for slot in "abcdefgh"]
        expected += [f"pick {number}" for number in range(32)]
        expected += [f"pick_at {place}" for place in range(1, shape.enemies + 1)]
        expected += [f"pick_for {place}" for place in range(1, shape.allies + 1)]
    assert (list(action_names(shape)), [entry["name"] for entry in describe_table(shape)]) == (expected, expected)
    assert [entry["deed"] for entry in describe_table(shape)] == [name.split()[0] for name in expected]


@pytest.mark.parametrize("shape", [*SHAPES, "classic"])
def test_every_action_is_decoded_as_its_line_of_the_table_without_being_chosen(shape: str) -> None:
    turns, known = shape == "classic", SHAPES.get(shape, SHAPES["map"])
    scenario = load_scenario("skirmish" if known.on_map else "duel", {"edition": "classic"} if turns else None)
    game = HeartRush(with_an_ability(scenario) if known.abilities else scenario, shape=known.name)
    fight = game.new_template(record=False)[0]
    before, fighter, enemies = fight.tobytes(), fight.fighters[0], known.enemies
    for action, ((code, detail), place) in enumerate(action_table(known, turns)):
        others = fighter.enemies[: fighter.enemy_count]
        if CHOICES[code].target in (Target.ALLY, Target.COMPANION):
            others = fighter.allies[: fighter.ally_count]
        target = others[place - 1] if place is not None and place <= len(others) else terms.NOBODY
        assert decode(fight, 0, action, enemies) == (code, target, detail), game.action_names[action]
    assert fight.tobytes() == before


@pytest.mark.parametrize("shape", SHAPES)
def test_names_are_unique_and_as_many_as_numbers(shape: str) -> None:
    scenario = load_scenario("skirmish" if SHAPES[shape].on_map else "duel")
    game = HeartRush(with_an_ability(scenario) if SHAPES[shape].abilities else scenario, shape=shape)
    # In plain Python, for no other test compiles their maps.
    with noting() if SHAPES[shape].abilities else nullcontext():
        fights = begin(game, 7)
        state = fights.state(0)
    for names, numbers in (
        (game.feature_names, fights.observations[0, 0]),
        (game.feature_names, game.observation_low),
        (game.feature_names, game.observation_high),
        (game.action_names, fights.masks[0, 0]),
        ([feature.name for feature in state_features(SHAPES[shape])], state),
    ):
        assert len(set(names)) == len(names) == len(numbers)


def test_a_larger_shape_begins_with_the_actions_and_features_of_the_smaller() -> None:
    for table in (action_names, lambda shape: [feature.name for feature in features(shape)]):
        small, large = table(SHAPES["duel"]), table(SHAPES["team"])
        assert list(large[: len(small)]) == list(small)


@pytest.mark.parametrize(("shape", "turns"), [
    ("duel", True), ("team", False), ("map", True), ("able_map", False), ("able_duel", True), ("able_map", True),
])  # fmt: skip
def test_writers_find_each_block_where_the_table_has_it(shape: str, turns: bool) -> None:
    names, room = feature_names(SHAPES[shape], turns), SHAPES[shape]
    others = [f"enemy {k + 1}" for k in range(room.enemies)] + [f"ally {k + 1}" for k in range(room.allies)]
    sections = [section for section in OBSERVATION if section.shared[0].features[0].name in names]
    assert len(sections) == 1 + room.on_map + room.abilities + turns
    for section in sections:
        start, find = names.index(section.shared[0].features[0].name), section.finder()
        assert names[start + section.own_at] == f"self {section.own[0].features[0].name}"
        found = [names[find(start, k)] for k in range(len(others))]
        assert found == [f"{owner} {section.each[0].features[0].name}" for owner in others]
        for owner, block in section.rest[:1]:
            assert names[find(start, len(others))] == f"{owner} {block.features[0].name}".strip()


def test_a_duel_in_the_shape_of_teams_is_the_same_fight() -> None:
    small, large = HeartRush("duel"), HeartRush("duel", shape="team")
    wide = begin(large, 7)
    empty = [k for k, name in enumerate(large.feature_names) if name not in small.feature_names]
    for fights, actions in play(small, 7):
        assert not wide.observations[:, :, empty].any() and not wide.masks[:, :, len(small.action_names) :].any()
        assert (wide.observations[:, :, : len(small.feature_names)] == fights.observations).all()
        assert (wide.masks[:, :, : len(small.action_names)] == fights.masks).all()
        wide.step(actions)


# -- what is seen ------------------------------------------------------------------------------------------------------


class Watcher:
    """A record of what was revealed, said and picked, made from events and choices alone."""

    def __init__(self, game: HeartRush) -> None:
        self.game = game
        self.reveals: dict[str, list[str | None]] = {agent: [] for agent in game.fighters}
        self.words: dict[str, str] = {}  # what each chose to say, perhaps only for its own side to hear
        self.said: dict[str, str] = {}
        self.heard: dict[str, str] = {}  # what the other sides heard as well
        self.picks: dict[str, str] = {}
        self.swapped: set[str] = set()  # those who hold their spare weapon

    def watch(self, fights: Fights) -> None:
        for event in fights.events(0):
            if event["type"] == "round":
                self.said, self.heard = {}, {}
            if event["type"] == "talk":
                self.said[event["fighter"]] = self.words[event["fighter"]]
                if event["stance"] is not None:
                    self.heard[event["fighter"]] = event["stance"]
            if event["type"] == "swap":
                self.swapped ^= {event["fighter"]}
            if event["type"] == "reveal":
                for agent, stance in event["stances"].items():
                    self.reveals[agent].insert(0, stance)

    def pick(self, agent: str, action: str) -> None:
        if action.startswith("say "):
            self.words[agent] = action.removeprefix("say ")
        if action.startswith("stance "):
            self.picks[agent] = action.removeprefix("stance ")


def decider(fights: Fights, seat: int) -> int:
    """Return whose view a seat has: its own; of a team, the next to choose, else one that stands, else the first."""
    if fights.game.control == "fighter":
        return seat
    match, sheets = fights._fights[0], fights.game.scenario.fighters
    team = [i for i, sheet in enumerate(sheets) if sheet.team == fights.game.teams[seat]]
    fighters = fights.describe(0)["fighters"]
    asked = [i for i in team if match.fighters[i].pending]
    return (asked + [i for i in team if fighters[sheets[i].agent]["status"] == "standing"] + team)[0]


def watched(game: HeartRush, seed: int) -> Iterator[tuple[Fights, Watcher]]:
    """Yield each window of a fight of random play, with a watcher that has seen the fight from its beginning."""
    watcher = Watcher(game)
    for fights, actions in play(game, seed):
        watcher.watch(fights)
        if fights.events(0):
            watcher.picks = {}
        yield fights, watcher
        for seat in range(len(game.agents)):
            if fights.legal(0, seat) != [0]:
                watcher.pick(game.fighters[decider(fights, seat)], game.action_names[actions[0, seat]])


def expected_moment(fights: Fights) -> dict[str, float]:
    state, scenario = fights.describe(0), fights.game.scenario
    windows = scenario.windows_per_round
    seen = {
        "round": min(1, state["round"] / 200),
        "rounds_left": min(1, (scenario.max_rounds - state["round"]) / 200),
        "windows_left": (windows - int(fights._fights[0].windows_used)) / max(1, windows),
    }
    seen |= {
        f"window {name}": float(name == state["window"])
        for name in WINDOWS[1:]
        if name not in ("step", "follow", "enter", "instant", "pick")
    }
    return seen | {f"phase {name}": float(name == state["phase"]) for name in ("cunning", "agility", "might")}


def expected_lasting(sheet: FighterSheet) -> dict[str, float]:
    weapon = sheet.weapon
    seen = {
        "present": 1,
        "hero": sheet.hero,
        "hp_max": sheet.hp / 40,
        "wound_threshold": sheet.wound_threshold / 40,
        "heart_max": sheet.heart / 20,
        "armor": sheet.armor / 10,
        "shield": sheet.shield / 2,
        "attack_bonus": sheet.attack_bonus / 10,
        "weapon_die": weapon.die / 20,
        "size": sheet.size_rank / 8,
    }
    seen |= {ability: getattr(sheet, ability) / 20 for ability in ("might", "agility", "cunning", "presence")}
    seen |= {f"weapon {kind}": kind == weapon.attack_type for kind in ("melee", "ranged", "thrown", "whip")}
    return seen | {f"weapon {kind}": kind == weapon.damage_type for kind in ("bludgeoning", "slashing", "piercing")}


def expected_changing(fights: Fights, watcher: Watcher, agent: str, *, own_side: bool) -> dict[str, float]:
    fighter = fights.describe(0)["fighters"][agent]
    reveals = watcher.reveals[agent]
    taken = [stance for stance in reveals if stance is not None]
    said = watcher.said if own_side else watcher.heard
    seen = {
        "hp": fighter["hp"] / 40,
        "hp_share": max(-1, fighter["hp"] / fighter["hp_max"]),
        "wounds": fighter["wounds"] / 40,
        "heart": fighter["heart"] / 20,
        "helped": min(1, fighter["helped"] / 5),
        "shrugs": min(1, fighter["shrugs"] / 5),
        "rush": min(1, fighter["rush"] / 10),
        "hit": fighter["hits"][0] / 40 if fighter["hits"] else 0,
    }
    seen |= {name: fighter[name] for name in ("armed", "action", "interaction", "dash")}
    seen |= {name: fighter["status"] == name for name in ("standing", "unconscious", "dead", "defeated")}
    seen |= {name: fighter["conditions"].get(name, 0) / 5 for name in catalog.conditions()}
    for stance in STANCES:
        seen[f"stance {stance}"] = fighter["stance"] == stance
        seen[f"said {stance}"] = said.get(agent) == stance
        seen[f"pick {stance}"] = own_side and watcher.picks.get(agent) == stance
        seen[f"count {stance}"] = taken.count(stance) / max(1, len(taken))
        for k in range(REVEALS):
            seen[f"reveal {k + 1} {stance}"] = k < len(reveals) and reveals[k] == stance
    return seen


def expected_relations(fights: Fights, viewer: str, agent: str) -> dict[str, float]:
    fighters = fights.describe(0)["fighters"]
    me, other = fighters[viewer], fighters[agent]
    return {
        "frightens_me": me["sources"].get("frightened") == agent,
        "enrages_me": agent in (me["sources"].get("enraged"), me["sources"].get("aggravated")),
        "charms_me": me["sources"].get("charmed") == agent,
        "grapples_me": other["grappling"] == viewer,
        "grappled_by_me": me["grappling"] == agent,
        "climbs_on_me": other["climbing"] == viewer,
        "climbed_by_me": me["climbing"] == agent,
    }


def expected_observation(fights: Fights, watcher: Watcher, seat: int) -> dict[str, float]:
    """Return every feature that is not 0, by name, from the public state and the watcher's record."""
    sheets = fights.game.scenario.fighters
    viewer = sheets[decider(fights, seat)]
    enemies = [sheet for sheet in sheets if sheet.team != viewer.team]
    allies = [sheet for sheet in sheets if sheet.team == viewer.team and sheet is not viewer]
    places = [("self", viewer)]
    places += [(f"enemy {place}", sheet) for place, sheet in enumerate(enemies, 1)]
    places += [(f"ally {place}", sheet) for place, sheet in enumerate(allies, 1)]
    seen = expected_moment(fights)
    for place, sheet in places:
        block = expected_lasting(sheet)
        block |= expected_changing(fights, watcher, sheet.agent, own_side=sheet.team == viewer.team)
        block |= {} if sheet is viewer else expected_relations(fights, viewer.agent, sheet.agent)
        seen |= {f"{place} {name}": value for name, value in block.items()}
    return seen


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("control", CONTROLS)
def test_every_feature_holds_what_its_name_says(control: str, seed: int) -> None:
    scenario = random_scenario(random.Random(seed))
    scenario.setdefault("rules", {})["talk"] = ("none", "team", "open", "overheard")[seed % 4]
    game = HeartRush(scenario, control=control)
    names = game.feature_names
    rng = random.Random(seed)
    for fights, watcher in watched(game, seed):
        if rng.random() < UNSEEN:
            continue
        seat = rng.randrange(len(game.agents))
        expected = expected_observation(fights, watcher, seat)
        assert expected.keys() <= set(names)
        assert not (differing := wrong(names, fights.observations[0, seat], expected)), differing


def wrong(names: Sequence[str], seen: Any, expected: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Return the numbers that differ from what is expected (0 unless given), each with the expected number."""
    found = {name: (value, expected.get(name, 0)) for name, value in zip(names, seen.tolist(), strict=True)}
    return {name: both for name, both in found.items() if abs(both[0] - both[1]) > 1e-6 * max(1, abs(both[0]))}


@FIGHTS
@given(SEEDS)
def test_the_state_shows_each_fighter_and_nothing_secret(seed: int) -> None:
    scenario = random_scenario(random.Random(seed))
    scenario.setdefault("rules", {})["talk"] = ("team", "open", "overheard")[seed % 3]
    game = HeartRush(scenario, control="team")
    names = [feature.name for feature in state_features(game.shape)]
    rng = random.Random(seed)
    for fights, watcher in watched(game, seed):
        if rng.random() < UNSEEN:
            continue
        expected = expected_moment(fights)
        for place, sheet in enumerate(game.scenario.fighters, 1):
            block = expected_lasting(sheet) | expected_changing(fights, watcher, sheet.agent, own_side=False)
            expected |= {f"fighter {place} {name}": value for name, value in block.items()}  # as an enemy sees it
        assert not (differing := wrong(names, fights.state(0), expected)), differing


@pytest.mark.parametrize("memory", range(REVEALS + 1))
def test_memory_shows_so_many_reveals_and_none_hides_round_and_wounds_too(memory: int) -> None:
    whole = HeartRush("brawl")
    part = begin(HeartRush("brawl", memory=memory), 7)
    hidden = [hides(memory, name) for name in whole.feature_names]
    blocks = 1 + 7 + 6  # itself, enemies, allies: each with 4 counts, 4 numbers a reveal, 1 of wounds, 1 of rush points
    assert sum(hidden) == blocks * (4 + 4 * (REVEALS - memory)) + (2 + 2 * blocks if memory == 0 else 0)
    for fights, actions in play(whole, 7):
        assert not part.observations[:, :, hidden].any()
        kept = np.logical_not(hidden)
        assert (part.observations[:, :, kept] == fights.observations[:, :, kept]).all()
        part.step(actions)


def hides(memory: int, name: str) -> bool:
    """Return whether an observation with this memory leaves the feature at 0."""
    words = name.split()
    if "count" in words:
        return True
    if "reveal" in words:
        return int(words[words.index("reveal") + 1]) > memory
    return memory == 0 and (name in ("round", "rounds_left") or words[-1] in ("wounds", "rush"))


@pytest.mark.parametrize("shape", [name for name, shape in SHAPES.items() if not shape.abilities])
def test_a_feature_says_whether_memory_changes_it(shape: str) -> None:
    names = [feature.name for feature in features(SHAPES[shape])]
    assert [shows_memory(name) for name in names] == [hides(0, name) for name in names]


def test_without_memory_two_moments_that_differ_only_in_the_past_look_alike() -> None:
    """Two fights differ in a stance that had no effect: with memory a fighter sees a difference, without it none."""
    observed = {}
    for memory in (None, 0):
        for stance in ("might", "cunning"):
            fights = begin(HeartRush("duel", memory=memory, decisions="stance"), 7)
            fights._fights[0].given[:4], fights._fights[0].given_count = [1, 1, 6, 6], 4
            names = fights.game.action_names
            fights.step(np.array([[names.index(f"stance {stance}"), names.index("stance defensive")]]))
            assert fights.describe(0)["round"] == 2 and fights.describe(0)["fighters"]["duelist_0"]["hp"] == 40
            observed[memory, stance] = fights.observations[0].tobytes()
    assert observed[None, "might"] != observed[None, "cunning"]
    assert observed[0, "might"] == observed[0, "cunning"]


# -- who is out --------------------------------------------------------------------------------------------------------


@FIGHTS
@given(SEEDS)
def test_who_is_out_is_told_why_and_can_only_pass(seed: int) -> None:
    game = random_game(seed)
    assert game.out_causes == OUT_CAUSES == ("", "unconscious", "dead", "defeated", "surprised")
    fights = begin(game, seed)
    rng = np.random.default_rng(seed)
    while True:
        state = fights.describe(0)
        for seat, sheet in enumerate(game.scenario.fighters):
            status = state["fighters"][sheet.agent]["status"]
            asked = fights.legal(0, seat) != [0]
            surprised = sheet.surprised and state["round"] <= 1 and not asked  # it may still shrug off a hit
            cause = status if status != "standing" else "surprised" if surprised else ""
            assert game.out_causes[fights.out[0, seat]] == cause
            assert not (cause and asked)
        if over(fights):
            return
        fights.step(legal_actions(fights, rng))


# -- only what has changed is written ----------------------------------------------------------------------------------


@FIGHTS
@given(seed=SEEDS)
def test_what_stands_in_the_rows_is_what_a_whole_writing_shows(seed: int) -> None:
    options = random.Random(seed)
    check_rows(random_game(seed, control=options.choice(CONTROLS), memory=options.choice((None, 0, 3))), seed)


@pytest.mark.parametrize("group", GROUPS, ids=["lasting", "life", "body", "shown", "ailments", "habits"])
def test_the_fields_that_a_group_shows_are_those_that_are_watched(group: Any) -> None:
    """A value that read another field would stay unchanged when that field changes."""
    watched = {
        LIFE: {"hp", "hp_max"},  # the second never changes
        BODY: {name for name, *_ in state.BODY},
        SHOWN: {name for name, *_ in state.SHOWN},
        AILMENTS: {"levels"},
        HABITS: {name for name, *_ in state.HABITS},
    }
    fields = set(MAP_FIGHTER.names or ())
    if group is LASTING:
        changing = {name for part in (state.SHOWN_OF_FIGHTER, [("levels",), ("afflicted",)]) for name, *_ in part}
        assert not any(fields & changing & set(line.value.__code__.co_names) for line in group.lines)
    else:
        assert {name for line in group.lines for name in line.value.__code__.co_names} & fields <= watched[group]


BONDS = {
    terms.FRIGHTENED: "frightens_me", terms.ENRAGED: "enrages_me", terms.AGGRAVATED: "enrages_me",
    terms.CHARMED: "charms_me", terms.GRAPPLED: "grapples_me", terms.GRAPPLING: "grappled_by_me",
    terms.CREATURE_CLIMBER: "climbed_by_me", terms.CLIMBED_ON: "climbs_on_me",
}  # fmt: skip


@pytest.mark.parametrize("condition", BONDS)
def test_a_bond_with_somebody_else_is_shown_although_no_level_has_changed(condition: int) -> None:
    fighters = [{"id": name, "from": "knight", "team": team} for name, team in (("a", "x"), ("b", "y"), ("c", "y"))]
    game = HeartRush({"name": "t", "fighter": fighters})
    fights: Any = game.batch(1, record=False)
    fights._fights[0] = game.new_template(False)[0]
    match = fights.records[0]
    match.fighters[0].levels[condition], match.fighters[0].afflicted = 1, 1 << condition
    shown = []
    for other in (1, 2):
        if condition == terms.CLIMBED_ON:
            climbing = (0, terms.NOBODY) if other == 1 else (terms.NOBODY, 0)
            match.fighters[1].climbing, match.fighters[2].climbing = climbing
        elif condition == terms.CREATURE_CLIMBER:
            match.fighters[0].climbing = other
        else:
            match.fighters[0].source[condition] = other
        show_slot(fights._fights, fights._options, 0, fights._views, fights._lands, *fights._flat, fights.out)
        names = [f"enemy {place} {BONDS[condition]}" for place in (1, 2)]
        shown.append([float(fights.observations[0, 0, game.feature_names.index(name)]) for name in names])
    assert shown == [[1, 0], [0, 1]]


def test_rows_of_fights_that_do_not_move_and_groups_that_do_not_change_are_not_written() -> None:
    game = HeartRush("duel", decisions="stance")
    fights = game.batch(3, record=False)
    fights.start([0, 1, 2], 7, [0, 1, 2])
    poison = np.float32(0.123)
    lasting = [k for k, name in enumerate(game.feature_names) if name.startswith(("self might", "enemy 1 armor"))]
    fights.observations[0] = fights.observations[2] = poison
    fights.observations[1][:, lasting] = poison
    reveals = [k for k, name in enumerate(game.feature_names) if "reveal 1 " in name]
    fights.step(legal_actions(fights, np.random.default_rng(1)), lo=1, hi=2)
    assert (fights.observations[[0, 2]] == poison).all()
    assert len(lasting) == 2 and (fights.observations[1][:, lasting] == poison).all()
    assert fights.observations[1][:, reveals].sum() == 4, "two fighters' reveals, each shown to both"
