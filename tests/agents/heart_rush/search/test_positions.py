"""Positions rebuilt from observations show a seat what it saw, and contain nothing that it may not know."""

from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heart_rush.search.positions import REBUILT, Positions
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED
from heartrush_env.games.heart_rush.abilities.legacy.commanders_call import loan_of
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.record import WINDOWS
from tests.games.heart_rush.rules.abilities.test_beast_companion import DOG
from tests.games.heart_rush.rules.abilities.test_commanders_call import call, caller
from tests.games.heart_rush.rules.table import Fields, Table

CLIPPED = ("self budget",)  # depends on shots and lunges of the round, which no observation shows


def moments(game: HeartRush, steps: int, seed: int) -> Any:
    """Yield the batch before each of these steps of a fight between tacticians with mistakes."""
    batch = game.batch(1)
    batch.start([0], seed, [0])
    rows = [(0, seat) for seat in range(len(game.agents))]
    players = VectorPlayer(load("tactician@mistakes=0.3"), game, rows, np.random.default_rng(seed))
    actions = np.zeros((1, len(game.agents)), np.int64)
    for _ in range(steps):
        yield batch
        players.act({"observation": batch.observations, "action_mask": batch.masks}, actions)
        batch.step(actions, autoreset=True)


@pytest.mark.parametrize("scenario", ["duel", "melee"])
def test_a_seat_sees_of_the_rebuilt_position_what_it_saw_of_the_fight(scenario: str) -> None:
    game = HeartRush(scenario)
    positions, rng = Positions(game), np.random.default_rng(0)
    shown = np.array([name not in CLIPPED for name in game.feature_names])
    met = set()
    for batch in moments(game, 40, seed=3):
        window = WINDOWS[batch.records[0].window]
        for seat in np.flatnonzero(batch.masks[0].sum(axis=1) > 1):
            seen = batch.observations[0, seat].copy()
            found = positions.rebuilt(seen, rng)
            assert (found is not None) == (window in REBUILT)
            if found is not None:
                met.add(window)
                features, masks = (array[positions.seat_of(seen)] for array in positions.shown)
                wrong = np.flatnonzero((np.abs(features - seen) > 1e-6) & shown)
                assert not len(wrong), [game.feature_names[k] for k in wrong]
                assert np.array_equal(masks, batch.masks[0, seat])
    assert met >= {"stance", "attack", "shrug"}


def rebuilt(table: Table, name: str, game: HeartRush | None = None) -> tuple[Positions, Any]:
    """Return the position that a fighter rebuilds from what it sees at a table, by the game that it knows."""
    positions = Positions(game or table._fights.game)
    found = positions.rebuilt(table._fights.observations[0, table.names.index(name)], np.random.default_rng(0))
    return positions, found[0]


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("attacks", [False, True])
def test_animals_obey_the_same_fighter_in_a_rebuilt_position(*, attacks: bool) -> None:
    owner: Fields = {"talents": ["beast_companion", "beast_bond"], "abilities": ["beast_combat"] if attacks else []}
    others: dict[str, Fields] = {f"foe{letter}": {} for letter in "abcdef"}  # the dog's bit is cut off at this place
    table = Table({"knight": owner, **others, "dog": DOG}).engage(knight="might", dog="might")
    positions, fight = rebuilt(table.pass_to("attack", "might"), "knight")
    true, dog = table._fights, table.names.index("dog")
    assert fight.fighters[0].memos.tolist() == true.records[0].fighters[0].memos.tolist()
    assert np.array_equal(positions.shown[1][dog], true.masks[0, dog])
    assert ("attack 1" in table.legal("dog")) == attacks


def test_only_talents_are_lent_in_a_rebuilt_position() -> None:
    """Above the Fray, in the lady's slot d, has number 0; the page's slot a is for a talent not lent yet."""
    lady = caller("haphazard", "exert")
    lady["abilities"] = ["commanders_call", "above_the_fray"]
    assert NUMBERS["above_the_fray"] == 0
    table = call(Table({"lady": lady, "page": {"team": "blue"}, "rogue": {}}), (1, 1), letter="c")
    fight = rebuilt(table, "lady")[1]
    names = [owned.name for owned in table._fights.game.scenario.fighters[0].abilities]
    assert [loan_of(fight, 0, slot, 1) for slot in range(4)] == [0 if name == "haphazard" else NOBODY for name in names]


def test_an_enemy_is_seen_to_have_been_lent_a_talent() -> None:
    """Rebuild the view of a rogue whose scenario leaves out what its enemies can do."""
    rogue: Fields = {"talents": ["fury"]}
    page: Fields = {"team": "blue", "talents": ["exert"]}
    table = Table({"lady": caller("haphazard", "focused"), "page": page, "rogue": rogue}).play(page="use a")
    call(table.pass_to("action"), (1, 1), letter="c")
    known = Table({"lady": {}, "page": {"team": "blue"}, "rogue": rogue})
    fighters = rebuilt(table, "rogue", known._fights.game)[1].fighters[:3]
    assert fighters["loans"].tolist() == [0, 1 << 2, 0]
    names = [[PLAYED[number].name for number in fighter.loadout if number >= 0] for fighter in fighters]
    assert names == [["focused", "commanders_call"], ["exert", "focused"], ["fury"]]
    assert rebuilt(table, "rogue")[0].shown[0][2] == pytest.approx(table._fights.observations[0, 2]), "it sees as much"


def test_every_seat_is_found_by_its_fighters() -> None:
    game = HeartRush("free_for_all")
    positions = Positions(game)
    batch = game.batch(1)
    batch.start([0], 0, [0])
    assert [positions.seat_of(seen) for seen in batch.observations[0]] == list(range(5))


@pytest.mark.usefixtures("plainly")
def test_fighters_that_differ_only_in_their_abilities_have_seats_of_their_own() -> None:
    """Four equal knights own nothing, Rage, Rage in its destiny version, or another ability; the caller lends one."""
    loadouts: list[Fields] = [
        {}, {"talents": ["rage"]}, {"destiny_talents": ["rage"]},
        {"talents": ["exert"], "abilities": ["commanders_call"]},
    ]  # fmt: skip
    knights = [{"from": "knight", "team": "blue", **owned} for owned in loadouts]
    game = HeartRush({"fighter": [*knights, {"from": "duelist", "team": "red"}]})
    positions, batch = Positions(game), game.batch(1)
    batch.start([0], 1, [0])
    passes = np.full((1, 5), game.action_names.index("pass"), np.int64)
    for _ in range(3):
        assert [positions.seat_of(seen) for seen in batch.observations[0]] == list(range(5))
        use = game.action_names.index("use a")
        passes[0, 1:3] = [use if use in batch.legal(0, seat) else passes[0, 0] for seat in (1, 2)]
        batch.step(passes)


def test_dice_to_come_are_not_those_of_the_fight() -> None:
    game = HeartRush("duel")
    positions = Positions(game)
    batch = next(iter(moments(game, 1, seed=5)))
    found = positions.rebuilt(batch.observations[0, 0], np.random.default_rng(1))
    assert found[0].key != batch.records[0].key
    assert found[0].given_count == 0
