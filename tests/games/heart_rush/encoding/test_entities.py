"""Entities show what vectors show, show no side another's secrets, and name the object and the kind of each action.

Kernels run as plain Python here, so that nothing is compiled for a second kind of observation; long runs compile.
"""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.encoding.ability_facts import loadout_fact_names, loadout_facts
from heartrush_env.games.heart_rush.encoding.action_slots import action_slots, slot_feature_names
from heartrush_env.games.heart_rush.encoding.actions import action_names, decode
from heartrush_env.games.heart_rush.encoding.entities import N_SECRETS, layout_of
from heartrush_env.games.heart_rush.encoding.place import OWN
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.encoding.vector_of import vector_of
from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.scenario.load import load_scenario, with_an_ability
from heartrush_env.tabletop.kernels import noting
from tests.fights.test_loadouts import loaded_scenario
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table
from tests.map_scenarios import random_map_scenario
from tests.random_play import legal_actions
from tests.reference.scenarios import random_scenario

SLOTS, STEPS = 2, 14
FIGHTS = {
    "duel": HeartRush("duel", memory=3),
    "duel in a larger shape": HeartRush("duel", shape="team", decisions="stance"),
    "team with secrets": HeartRush("melee", {"talk": "team"}, control="team"),
    "team whose fights are cut off while it chooses": HeartRush("melee", control="team", max_cycles=3),
    "three teams that talk": HeartRush(random_scenario(random.Random(3)), {"talk": "team"}, memory=0),
    "classic": HeartRush("brawl", {"edition": "classic"}),
    "team with abilities": HeartRush(loaded_scenario(3, on_map=False)),
    "classic with abilities": HeartRush(with_an_ability(load_scenario("brawl", {"edition": "classic"}))),
    "classic map with abilities": HeartRush(with_an_ability(load_scenario("skirmish", {"edition": "classic"}))),
    "map": HeartRush("skirmish"),
    "classic map": HeartRush("skirmish", {"edition": "classic"}, control="team", memory=0),
    **{f"map of seed {seed}": HeartRush(random_map_scenario(random.Random(seed))) for seed in (1, 4)},
}
BOTH = tuple[Fights, Fights]


@pytest.fixture(autouse=True)
def _plain(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("long"):
        yield
        return
    with noting(), np.errstate(over="ignore"):
        yield


def both(game: HeartRush, slots: int = 1) -> BOTH:
    """Return a batch observed as vectors and a batch of the same fights observed as entities."""
    vectors = game.batch(slots)
    entities = game.batch(slots, observations="entities")
    for fights in (vectors, entities):
        fights.start(range(slots), 5, range(slots))
    return vectors, entities


def step(fights: BOTH, actions: Any) -> None:
    for batch in fights:
        batch.step(actions, autoreset=True)


def tell_the_same(fights: BOTH) -> None:
    """Check that vectors equal entities turned into vectors, and that masks, rewards and the like are equal."""
    vectors, entities = fights
    ended = vectors.terminated | vectors.truncated
    for told, shown, slots in (
        (entities.seen, vectors.observations, np.ones_like(ended)),
        (entities.final_seen, vectors.final_observations, ended),
    ):
        rows = np.broadcast_to(slots[:, None], vectors.out.shape).nonzero()
        found, wanted = vector_of(told, *rows), shown[rows]
        wrong = np.argwhere(found != wanted)
        assert not len(wrong), [(vectors.game.feature_names[k], found[r, k], wanted[r, k]) for r, k in wrong[:9]]
    for name in ("masks", "out", "rewards", "terminated", "truncated", "illegal"):
        assert np.array_equal(getattr(vectors, name), getattr(entities, name)), name
    assert np.array_equal(vectors.final_masks[ended], entities.final_masks[ended])


@pytest.mark.parametrize("game", FIGHTS.values(), ids=FIGHTS)
def test_entities_tell_what_vectors_tell(game: HeartRush) -> None:
    fights = both(game, SLOTS)
    rng = np.random.default_rng(2)
    for _ in range(STEPS):
        tell_the_same(fights)
        step(fights, legal_actions(fights[0], rng))


def test_they_do_when_fights_end_and_when_doors_are_used() -> None:
    """The fights last three steps, on a map whose door the first step opens; the next fight finds it closed."""
    table = on_map("K+..R\n#####", {"knight": {}, "rogue": {}})
    game = HeartRush(table._fights.game.scenario, max_cycles=3)
    fights = both(game)
    door, ground = game.action_names.index("door e"), fights[1].seen["ground"]
    for _ in range(2):
        assert ground[0, 0, 0, :6].tolist() == [0, 1, 0, 0, 0, 1]
        step(fights, np.array([[door, 0]]))
        assert ground[0, 0, 0, :6].tolist() == [0, 0, 0, 0, 0, 1]
        tell_the_same(fights)
        step(fights, np.zeros((1, 2), np.int64))
        step(fights, np.zeros((1, 2), np.int64))
        assert fights[1].truncated[0] and fights[1].final_seen["ground"][0, 0, 0, 1] == 0
        tell_the_same(fights)


def test_they_do_when_a_round_ends_and_nobody_has_moved_yet_in_the_next() -> None:
    """The knight sidesteps in the first round; in the second only its count of squares changes."""
    fights = both(HeartRush(on_map("K...R\n.....", {"knight": {}, "rogue": {}})._fights.game.scenario))
    moved = fights[1].game.entity_names["fighters"].index("moved")
    step(fights, np.array([[fights[0].game.action_names.index("sidestep s"), 0]]))
    counts = []
    while fights[0].describe(0)["round"] == 1:
        counts.append(fights[1].seen["fighters"][0, 0, moved])
        tell_the_same(fights)
        step(fights, fights[0].masks.argmax(axis=2))
    assert counts[0] == np.float32(1 / 12) and fights[1].seen["fighters"][0, 0, moved] == 0
    tell_the_same(fights)


def test_they_do_when_a_fighter_has_told_its_side_a_stance_and_falls_before_stances_are_shown() -> None:
    """The knight strikes the rogue down as the engagement opens, after the talk."""
    knight = {"talents": ["first_strike"], "agility": 8}
    fighters = {"knight": knight, "rogue": {"hp_now": 1}, "page": {"team": "red"}}
    fights = both(HeartRush(Table(fighters, rules={"talk": "team"})._fights.game.scenario))
    for batch in fights:
        batch.start([0], 1, [0], [8, 8, 8, 1, 1])
    names, said = fights[0].game.action_names, fights[1].game.entity_names["fighters"].index("said might")
    wanted = [("talk", 1, "say might"), ("instant", 0, "use_at 1 a")]
    while wanted or fights[0].describe(0)["window"] != "attack":
        seen, actions = fights[0].describe(0), fights[0].masks.argmax(axis=2)
        if wanted and seen["window"] == wanted[0][0]:
            _, fighter, choice = wanted.pop(0)
            actions[0, fighter] = names.index(choice)
        step(fights, actions)
        tell_the_same(fights)
    assert fights[0].describe(0)["fighters"]["rogue_0"]["status"] == "defeated"
    assert fights[1].seen["fighters"][0, 1, said] == 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(24))
def test_entities_tell_what_vectors_tell_in_whatever_fight(seed: int) -> None:
    """The code is compiled: random scenarios of both editions, with and without maps, play several whole fights."""
    rng = random.Random(seed)
    made = random_map_scenario(rng) if seed % 2 else random_scenario(rng)
    options = {"control": rng.choice(("fighter", "team")), "memory": rng.choice((None, 0, 3)), "max_cycles": 40}
    edition = "classic" if seed % 4 > 1 else "june2025"
    rules = {"talk": rng.choice(("none", "team", "open", "overheard")), "edition": edition}
    fights, draw = both(HeartRush(made, {} if seed % 2 else rules, **options), 8), np.random.default_rng(seed)
    for _ in range(100):
        tell_the_same(fights)
        step(fights, legal_actions(fights[0], draw))


def test_words_that_all_have_heard_are_told_once(plainly: None) -> None:
    """In open talk, until the reveal only the speaker's own side knows what was said; then everyone does."""
    game = HeartRush("brawl", {"talk": "open", "profile": "plain"})
    names, heard = game.action_names, game.feature_names.index("enemy 1 said might")
    fights = both(game, 1)
    said = []
    for _ in range(8):
        tell_the_same(fights)
        said.append(float(fights[0].observations[0, 0, heard]))
        wanted = [names.index(choice) for choice in ("say might", "stance might", "pass", "take")]
        masks = fights[0].masks[0]
        step(fights, [[next(each for each in (*wanted, *np.flatnonzero(mask)) if mask[each]) for mask in masks]])
    assert set(said) == {0.0, 1.0}


# -- what stands where -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turns", [False, True])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_names_are_unique_and_all_that_vectors_have(shape: Any, turns: bool) -> None:
    layout = layout_of(shape, 3, turns)
    for part in layout.parts.values():
        assert len(set(part.names)) == len(part.names) == part.shape[part.axis]
    assert [part.first for part in layout.parts.values()][1:] == [part.end for part in layout.parts.values()][:-1]
    assert layout.parts["fighters"].shape[0] == shape.fighters


def test_a_scene_is_told_as_it_is_drawn() -> None:
    """The knight (speed 30, a bow) is at 1, 0; the squire, its ally, beside it; the rogue seven east and one south."""
    bow = {"weapon": {"size": "light", "attack_type": "ranged", "damage_type": "none"}, "speed": 30}
    drawing = ".KS,h....\n..#.....R\n~..v..^.."
    table = on_map(drawing, {"knight": bow, "squire": {"team": "blue"}, "rogue": {}}, light="dim")
    layout, (_, fights) = layout_of(SHAPES["map"], 3, False), both(HeartRush(table._fights.game.scenario))
    parts = ("moment", "fighters", "relations")
    told = {name: dict(zip(layout.parts[name].names, fights.seen[name][0].T, strict=True)) for name in parts}
    knight, squire, rogue = range(3)
    fighters, relations = told["fighters"], told["relations"]
    assert told["moment"]["light dim"] == 1 and told["moment"]["map width"] == pytest.approx(9 / 32)
    assert fighters["present"].tolist() == [1] * 3 + [0] * 13
    assert fighters["x"][:3] == pytest.approx(np.array([1, 2, 8]) / 31)
    assert fighters["y"][:3] == pytest.approx(np.array([0, 0, 1]) / 31)
    assert fighters["speed"][knight] == pytest.approx(6 / 12) and fighters["weapon ranged"][:3].tolist() == [1, 0, 0]

    def of(name: str, viewer: int, other: int) -> float:
        return float(relations[name][other, viewer])  # transposed above

    assert [of(kind, knight, knight) for kind in ("itself", "ally", "enemy")] == [1, 0, 0]
    assert [of(kind, knight, squire) for kind in ("itself", "ally", "enemy")] == [0, 1, 0]
    assert [of(kind, rogue, squire) for kind in ("itself", "ally", "enemy")] == [0, 0, 1]
    assert [of(kind, knight, 3) for kind in ("itself", "ally", "enemy")] == [0, 0, 0]
    assert (of("dx", knight, rogue), of("dy", knight, rogue)) == pytest.approx((7 / 31, 1 / 31))
    assert (of("dx", rogue, knight), of("dy", rogue, knight)) == pytest.approx((-7 / 31, -1 / 31))
    assert (of("in_my_range", knight, rogue), of("in_its_range", knight, rogue)) == (1, 0)
    assert (of("in_my_range", rogue, knight), of("in_its_range", rogue, knight)) == (0, 1)
    ground = dict(zip(layout.parts["ground"].names, fights.seen["ground"][0], strict=True))
    assert (ground["blocked"][1, 2], ground["blocked"][0, 2], ground["blocked"][3, 0]) == (1, 0, 1)
    assert (ground["cost"][0, 3], ground["height"][2, 3], ground["height"][2, 6]) == (2 / 4, -1, 1)
    assert ground["cover"][0, 4] == pytest.approx(2 / 3) and ground["blocked"][:, 9:].all()


def test_only_what_has_changed_is_written() -> None:
    """In two windows without a blow, lasting facts, relations and the ground stay as written."""
    _, fights = both(HeartRush("skirmish"), 2)
    parts, poison = fights.seen, np.float32(0.123)
    layout = fights.game.entities.parts
    might, itself = layout["fighters"].names.index("might"), layout["relations"].names.index("itself")
    rows = fights.observations[1].copy()
    count = len(fights.game.fighters)
    written = parts["fighters"][0, :count, might], parts["relations"][0, :count, :count, itself], parts["ground"][0]
    for numbers in written:
        numbers[:] = poison
    fights.step(np.zeros((2, len(fights.game.agents)), np.int64), hi=1)
    assert all((numbers == poison).all() for numbers in written)
    assert np.array_equal(rows, fights.observations[1]), "the other slot was not stepped"
    fights.show(np.arange(2))
    assert poison not in fights.observations


def test_the_fields_that_a_fighters_own_place_shows_are_those_that_are_compared() -> None:
    """A fighter's own block is rewritten when these fields change; a value of another field would stay unchanged."""
    compared = {"x", "y", "side", "squares_moved", "dashed", "stood", "has_spare"}
    asked = {"squares_per_dash", "dash_budget", "height", "cell_at"}  # speed, lunges, shots, the dash; square and doors
    assert {name for line in OWN.lines for name in line.value.__code__.co_names} == compared | asked


# -- what nobody else may know -----------------------------------------------------------------------------------------


def readable(fights: Fights, seat: int) -> list[bytes]:
    """Return everything that a seat receives: the parts about the fight, and its own row of the parts about seats."""
    of_seats = ("viewer", "secrets")
    public = [part for name, part in fights.seen.items() if name not in of_seats]
    own = [fights.seen[name][0, seat] for name in of_seats]
    return [np.asarray(part).tobytes() for part in (*public, *own, fights.masks[0, seat])]


def test_only_a_team_is_shown_the_picks_of_its_fighters() -> None:
    """Blue's first fighter picks might in one fight and agility in the other; red then reads the same bytes."""
    game = HeartRush("melee", control="team", decisions="stance")
    one, other = both(game)[1], both(game)[1]
    picks = [game.action_names.index(f"stance {stance}") for stance in ("might", "agility")]
    for fights, pick in ((one, picks[0]), (other, picks[1])):
        assert fights.legal(0, 0)[:2] == picks
        fights.step(np.array([[pick, picks[0]]]))
    assert one.seen["viewer"][0].tolist() == [1, 5], "the second of each team is asked now"
    assert readable(one, 1) == readable(other, 1)
    assert readable(one, 0) != readable(other, 0)
    might = one.game.entities.parts["secrets"].names.index("pick might")
    assert one.seen["secrets"][0, :, :, might].tolist() == [[1] + 7 * [0], 4 * [0] + [1] + 3 * [0]]
    assert not other.seen["secrets"][0, 0, :, might].any()


@pytest.mark.parametrize("talk", ["team", "open", "overheard"])
def test_words_for_ones_own_side_are_shown_to_that_side_alone(talk: str) -> None:
    game = HeartRush("brawl", {"talk": talk})
    one, other = both(game)[1], both(game)[1]
    for fights, stance in ((one, "might"), (other, "agility")):
        fights.step(np.zeros((1, len(game.agents)), np.int64))  # all pass, and the talk begins
        chosen = [game.action_names.index(f"say {stance}")] + [0] * (len(game.agents) - 1)
        assert chosen[0] in fights.legal(0, 0)
        fights.step(np.array([chosen]))
    enemies = [seat for seat, team in enumerate(game.teams) if team != game.teams[0]]
    friends = [seat for seat, team in enumerate(game.teams) if team == game.teams[0]]
    assert friends and enemies
    for seat in friends:
        assert readable(one, seat) != readable(other, seat)
    for seat in enemies:
        assert (readable(one, seat) == readable(other, seat)) == (talk != "overheard")
    for fights in (one, other):
        fights.step(np.full((1, len(game.agents)), game.action_names.index("stance might")))
    for seat in enemies:
        assert (readable(one, seat) == readable(other, seat)) == (talk == "team")


def test_a_loadout_is_shown_to_its_own_side_and_to_others_as_far_as_it_has_been_used() -> None:
    """The knight owns two abilities and names the rogue its rival; the squire is its ally."""
    table = Table({"knight": {"talents": ["fury", "duelist"]}, "squire": {"team": "blue"}, "rogue": {}})
    _, fights = both(HeartRush(table._fights.game.scenario))
    names = fights.game.entities.parts["secrets"].names
    has = [names.index(f"has {letter}") for letter in "abc"]

    def seen(seat: int) -> list[int]:
        return [int(number) for number in fights.seen["secrets"][0, seat, 0, has]]

    knight, squire, rogue = range(3)
    assert [seen(seat) for seat in (knight, squire, rogue)] == [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    fights.step(np.array([[fights.game.action_names.index("use_at 1 b"), 0, 0]]))
    assert [seen(seat) for seat in (knight, squire, rogue)] == [[1, 1, 0], [1, 1, 0], [0, 1, 0]]
    slots = loadout_facts(fights.seen["secrets"][0, rogue, 0, N_SECRETS:])
    assert slots.shape == (8, len(loadout_fact_names())) and not slots[[0, 2, 3, 4, 5, 6, 7]].any()
    told = dict(zip(loadout_fact_names(), slots[1].tolist(), strict=True))
    assert (told["has"], told["destiny"], told["uses"]) == pytest.approx((1, 0, 1 / 5))
    of_use = [told[name] for name in ("frequency major", "aims at enemy", "answers defense", "answers heals")]
    assert of_use == [1, 1, 1, 0]


# -- what actions are about --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_no_two_actions_have_the_same_slot(shape: Any) -> None:
    slots = action_slots(shape, turns=True)
    rows = np.column_stack([slots.features, slots.place, slots.square, slots.has_square, slots.ability, slots.option])
    assert len(np.unique(rows, axis=0)) == len(rows) == len(action_names(shape, turns=True))


def test_slots_say_what_names_say() -> None:
    shape = SHAPES["map"]
    names, slots, features = action_names(shape), action_slots(shape), slot_feature_names()

    def slot(name: str) -> tuple[dict[str, float], int, list[int] | None]:
        k = names.index(name)
        told = {features[n]: float(slots.features[k, n]) for n in np.flatnonzero(slots.features[k])}
        return told, int(slots.place[k]), slots.square[k].tolist() if slots.has_square[k] else None

    assert slot("pass") == ({"kind pass": 1}, -1, None)
    assert slot("stance cunning") == ({"kind stance": 1, "detail cunning": 1}, -1, None)
    assert slot("attack 2 dazed+dazed") == ({"kind attack": 1, "detail dazed": 2}, 1, None)
    assert slot("opportunity 1 might rush") == (
        {"kind opportunity": 1, "detail might": 1, "detail rush": 1}, 0, None
    )  # fmt: skip
    assert slot("help 1") == ({"kind help": 1}, 15, None), "15 enemies come first"
    assert slot("dash -3,12") == ({"kind dash": 1}, -1, [-3, 12])
    assert slot("dash 0,0")[2] == [0, 0] and slot("sidestep sw rush") == (
        {"kind sidestep": 1, "detail rush": 1}, -1, [-1, 1]
    )  # fmt: skip


def test_a_use_names_an_ability_by_its_slot_and_in_no_other_way() -> None:
    """The letter e is a slot here, and not a step to the east."""
    names, slots, features = action_names(SHAPES["able_team"]), action_slots(SHAPES["able_team"]), slot_feature_names()
    for name, place, ability in (("use a", -1, 0), ("use e", -1, 4), ("use_at 2 b", 1, 1), ("use_for 1 h", 7, 7)):
        k = names.index(name)
        assert [features[n] for n in np.flatnonzero(slots.features[k])] == [f"kind {name.split()[0]}"]
        assert (slots.place[k], slots.ability[k], slots.has_square[k]) == (place, ability, False)
    assert slots.ability[names.index("attack 1")] == -1


@pytest.mark.parametrize("scenario", ["melee", "skirmish"])
def test_the_place_of_a_slot_is_that_of_the_fighter_at_whom_the_action_goes(scenario: str) -> None:
    game = HeartRush(scenario)
    _, fights = both(game)
    slots, places = action_slots(game.shape), fights.seen["places"][0]
    for i in range(len(game.fighters)):
        for action, place in enumerate(slots.place.tolist()):
            _, target, _ = decode(fights._fights[0], i, action, game.shape.enemies)
            assert target == (places[i, place] if place != NOBODY else NOBODY)
    assert not (places[len(game.fighters) :] != NOBODY).any()


def test_who_is_asked_is_who_has_a_choice() -> None:
    _, fights = both(HeartRush("brawl", control="team"))
    rng = np.random.default_rng(3)
    for _ in range(STEPS):
        pending = [bool(fights._fights[0].fighters[i].pending) for i in fights.seen["viewer"][0]]
        assert fights.seen["asked"][0].tolist() == pending == [fights.legal(0, seat) != [0] for seat in range(2)]
        fights.step(legal_actions(fights, rng), autoreset=True)
