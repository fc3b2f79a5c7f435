"""Heretics as a game: environments, snapshots, endings, words, and plain Python against machine code."""

import json
import pickle
from typing import Any

import numpy as np
import pytest
from heartrush_agents.base import Player
from heartrush_agents.heretics.charger import CHARGER

from heartrush_env import heretics_v0
from heartrush_env.games.heretics.game import RULES, Heretics
from heartrush_env.games.heretics.weapons import LIBRARY
from heartrush_env.tabletop.batch.fights import kernels_of
from heartrush_env.tabletop.errors import HeartRushError, SnapshotError
from heartrush_env.tabletop.game import Observation
from heartrush_env.tabletop.kernels import PLAIN
from heartrush_env.tabletop.registry import open_game
from tests.envs import checks
from tests.games.heretics.table import Table
from tests.plain_and_compiled import digest_of_fights, digest_of_fights_elsewhere

NAMES = ("duel", "skirmish", "gate", "crypt", "loopholes", "ambush", "bridge", "warband", "beat", "beat_mirror")
WAYS = [(name, control) for name in NAMES for control in ("fighter", "team")]
compiles = pytest.mark.skipif(PLAIN, reason="plain Python takes minutes for this")


def test_the_shipped_scenarios_are_those_tested_here() -> None:
    assert {name for name, _ in WAYS} == set(LIBRARY.scenarios)


@compiles
@pytest.mark.parametrize(("scenario", "control"), WAYS)
def test_pettingzoo_accepts_it(scenario: str, control: str) -> None:
    checks.check_pettingzoo(Heretics(scenario, control=control))


@compiles
@pytest.mark.parametrize(("scenario", "control"), WAYS)
def test_a_restored_snapshot_goes_on_equally_at_each_step(scenario: str, control: str) -> None:
    game = Heretics(scenario, control=control)
    batch, other, rng = game.batch(), game.batch(), np.random.default_rng(1)
    batch.start([0], 3, [0])
    shown = ("observations", "masks", "asked", "out", "rewards", "terminated", "ended")
    while not batch.ended[0]:
        other.restore(0, json.loads(json.dumps(batch.snapshot(0))))
        assert all(np.array_equal(getattr(batch, name), getattr(other, name)) for name in shown[:4])
        actions = (rng.random(batch.masks.shape) * batch.masks).argmax(-1)
        batch.step(actions)
        other.step(actions)
        assert all(np.array_equal(getattr(batch, name), getattr(other, name)) for name in shown)
        assert batch.snapshot(0) == other.snapshot(0)


@compiles
@pytest.mark.parametrize(
    ("scenario", "control"),
    [("duel", "fighter"), *(pytest.param(*way, marks=pytest.mark.long) for way in WAYS if way != ("duel", "fighter"))],
)
def test_plain_python_plays_the_same_fights_as_machine_code(scenario: str, control: str) -> None:
    table = {**Heretics(scenario, control=control).as_table()}
    assert digest_of_fights(table, 25) == digest_of_fights_elsewhere(table, 25)


@compiles
def test_low_and_high_bound_all_observations() -> None:
    for scenario, control in WAYS:
        game = Heretics(scenario, control=control)
        batch, rng = game.batch(32), np.random.default_rng(4)
        batch.start(range(32), 9, range(32))
        for _ in range(150):
            assert (batch.observations >= game.observation_low).all()
            assert (batch.observations <= game.observation_high).all()
            state = batch.state(0)
            assert (state >= game.state_low).all() and (state <= game.state_high).all()
            noise = rng.random(batch.masks.shape, dtype=np.float32) * batch.masks
            batch.step(noise.argmax(-1), autoreset=True)


class Anything(Player):
    """Plays at random."""

    def policy(self, observation: Observation) -> Any:
        return observation["action_mask"] / observation["action_mask"].sum()


@compiles
def test_the_charger_beats_random_play() -> None:
    wins = 0
    env = heretics_v0.single_env("gate", seat="blue_0", opponent=Anything, control="team")
    player = CHARGER.seat(Heretics("gate", control="team"))
    for seed in range(20):
        observation, _ = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            observation, reward, terminated, truncated, _ = env.step(player.act(observation, np.random.default_rng(0)))
            over = terminated or truncated
        wins += reward > 0
    assert wins >= 15


def test_a_game_is_made_again_from_its_table() -> None:
    game = Heretics("gate", {"fumble": "none", "round_cap": 9}, control="team", reward="hp_margin", max_cycles=70)
    again = open_game(json.loads(json.dumps(game.as_table())))
    assert (again.digest, again.as_table(), dict(again.rules)) == (game.digest, game.as_table(), dict(game.rules))
    assert Heretics("gate").digest != game.digest
    assert hash(again) == hash(game) and again == open_game(game.as_table())


@pytest.mark.parametrize("scenario", ["duel", "gate"])
def test_a_game_is_pickled_although_its_choices_cannot_be(scenario: str) -> None:
    game = Heretics(scenario, control="team", max_cycles=40)
    game.batch(1)  # what a game keeps for its batches stays behind
    again = pickle.loads(pickle.dumps(game))
    assert again == game and hash(again) == hash(game) and again.as_table() == game.as_table()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"scenario": "gale"}, "unknown scenario 'gale'"),
        ({"control": "side"}, "control: expected fighter or team, got 'side'."),
        ({"shape": "duel", "scenario": "gate"}, "shape: expected band, got 'duel'."),
        ({"settings": {"fumble": "maybe"}}, "rules: fumble: expected open or none, got 'maybe'."),
        (
            {"settings": {"public_hp": "off"}, "reward": "hp_change"},
            "reward: expected win or hp_margin, because public_hp is off, got 'hp_change'.",
        ),
        ({"max_cycles": 0}, "max_cycles: expected None or a whole number from 1 to 2147483647, got 0."),
    ],
)
def test_a_bad_option_is_refused_in_a_sentence(options: dict[str, Any], why: str) -> None:
    with pytest.raises(HeartRushError) as refused:
        Heretics(**options)
    assert why in str(refused.value)


def test_all_faults_of_a_scenario_are_told_at_once() -> None:
    fighters = [
        {"from": "sellsword", "team": "blue", "str": 40, "spells": ["wish"]},
        {"from": "ogre", "team": "red", "hp": 0, "at": [1]},
        {"from": "archer", "team": "red", "on_hit": {"save": "wil", "number": 12, "condition": "stunned"}},
    ]
    with pytest.raises(HeartRushError) as refused:
        Heretics({"fighter": fighters})
    said = str(refused.value)
    for why in (
        "fighter 1: str: expected a whole number from -10 to 10, got 40",
        "fighter 1: spells: expected a list of spells: magic_missile, lightning_bolt",
        "fighter 2: hp: expected",
        "fighter 2: at: expected a square as [x, y], got [1]",
        "fighter 3: on_hit: expected a natural weapon beside it, got a fighter without one",
        "fighter 2: unknown fighter 'ogre'",
    ):
        assert why in said, said


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"window": 99}, "window: expected 0 to 11"),
        ({"one": 77}, "one: expected -1 to 9"),
        ({"heroes": 1}, "heroes: expected 0, as the scenario has it"),
        ({"depth": 3}, "depth"),
        ({"exchange.target": 100}, "exchange.target: expected 0 to 9"),
        ({"lying.thing": 99}, "lying.thing: expected 0 to 17"),
        ({"frames.part": -3}, "frames: expected part from 0 to 1, got -3"),
        ({"frames.turn": 3}, "frames: expected turn from 0 to 2, got 3"),
    ],
)
def test_a_damaged_snapshot_is_refused(change: dict[str, Any], why: str) -> None:
    batch = Heretics("skirmish").batch()
    batch.start([0], 1, [0])
    data = json.loads(json.dumps(batch.snapshot(0)))
    for place, value in change.items():
        *outer, name = place.split(".")
        held = data["position"][outer[0]] if outer else data["position"]
        for each in held if isinstance(held, list) else [held]:
            each.update({name: value} if not outer or name in each else {})
    with pytest.raises(SnapshotError, match=why):
        batch.restore(0, data)


def test_a_snapshot_with_a_weapon_that_does_not_exist_is_refused() -> None:
    batch = Heretics("skirmish").batch()
    batch.start([0], 1, [0])
    data = json.loads(json.dumps(batch.snapshot(0)))
    data["position"]["fighters"][0]["held"] = 100
    with pytest.raises(SnapshotError, match=r"fighters\.held: expected -1 to 16, got 100"):
        batch.restore(0, data)


def test_every_event_has_a_sentence_and_fits_its_schema() -> None:
    table = Table(["sellsword", "halberdier"], ["ghoul", "brigand"], dice=[4, 12])
    table.play({"sellsword_0": "attack 2", "halberdier_0": "attack 1"})
    events = RULES.events
    for event in table.events:
        assert events.sentence(event).endswith(".")
        assert set(events.units[event["type"]].schema()["required"]) == set(event)
    attack = next(event for event in table.events if event["type"] == "attack")
    assert events.sentence(attack).startswith("halberdier_0 attacks ghoul_0, rolls 12, 13 in all, and hits")


def test_the_view_of_an_observation_has_the_words_of_its_schema() -> None:
    table = Table(["sellsword"], ["archer"], dice=[4])
    view = table.game.layout.read(table.batch.observations[0, 0].tolist())
    schema = table.game.layout.schema()
    assert set(view) == set(schema["properties"]) == {"moment", "self", "enemy 1"}
    assert view["self"]["held"] == "short_sword" and view["enemy 1"]["held"] == "bow"
    assert view["moment"]["window"] == "act" and view["self"]["asked"]
    assert (view["self"]["hp"], view["enemy 1"]["hp"], view["enemy 1"]["ad"]) == (9, 5, 13)


def test_a_menu_names_the_target() -> None:
    table = Table(["sellsword"], ["archer"], dice=[4])
    legal = {action: table.game.action_names[action] for action in table.batch.legal(0, 0)}
    view = table.game.layout.read(table.batch.observations[0, 0].tolist())
    menu = {offer.name: offer for offer in table.game.words.offers("sellsword_0", view, legal)}
    assert menu["attack 1"] == ("attack 1", "attack Archer", "archer_0", None)


def test_a_team_sees_what_it_has_chosen_for_its_other_fighters_and_the_enemy_does_not() -> None:
    table = Table(["sellsword", "halberdier"], ["ghoul", "ghoul"], dice=[4], control="team")
    before = table.batch.observations[0, 1].copy()
    table.play("attack 2")
    view = table.game.layout.read(table.batch.observations[0, 0].tolist())
    assert view["ally 1"]["chosen"] == "attack" and view["enemy 2"]["targeted"] == 1
    assert np.array_equal(before, table.batch.observations[0, 1])


def test_the_text_picture_shows_the_map_and_the_fighters() -> None:
    game = Heretics("gate")
    batch = game.batch()
    batch.start([0], 1, [0])
    lines = game.text_picture(batch.describe(0)).splitlines()
    assert lines[1] == "   0123456789012345"
    assert lines[6] == " 4 #######..#######" and lines[9] == " 7 .......AB......."
    assert lines[12].split() == ["A", "Sellsword", "9/9", "short", "sword", "shield"]
    assert [line[:21].rstrip() for line in lines[14:17]] == ["C Hedge Mage", "D Brigand Captain", "E Brigand 1"]


def test_a_picture_shows_each_able_fighter_in_the_color_of_its_side() -> None:
    game = Heretics("gate")
    batch = game.batch()
    batch.start([0], 1, [0])
    picture = game.new_board().draw(batch.describe(0), [], batch.moment(0))
    assert picture.shape == (10 * 24, 16 * 24, 3)
    assert [tuple(picture[y * 24 + 8, x * 24 + 8]) for x, y in ((7, 7), (7, 1), (0, 4))] == [
        (52, 84, 160), (168, 52, 48), (74, 70, 66),
    ]  # fmt: skip


def test_its_kernel_has_one_name_in_the_cache_whichever_module_asks_for_it_first() -> None:
    found = set()
    for module in ("__main__", "somebody.elses"):
        scope: dict[str, Any] = {"__name__": module, "kernels_of": kernels_of, "rules": RULES}
        exec("kernel = kernels_of(rules).play", scope)
        found.add(scope["kernel"].function.__code__.co_filename)
    assert found == {"<written heartrush_env.games.heretics.play_slots_heretics>"}


def test_fighters_are_told_apart_by_their_names() -> None:
    words = Heretics("gate").words
    assert words.names["hedgemage_0"] == "Hedge Mage" and words.names["brigand_1"] == "Brigand 2"
    lines = words.by_round([
        {"type": "phase", "side": "red"},
        {"type": "move", "fighter": "brigand_1", "squares": 1},
        {"type": "damage", "fighter": "hedgemage_0", "amount": 2, "hp": 7},
    ])  # fmt: skip
    assert lines == ["Red acts. Brigand 2 moves 1 square. Hedge Mage loses 2 hit points, 7 left."]
    assert Heretics("gate", control="team").words.names == {"blue_0": "blue_0", "red_0": "red_0"}
