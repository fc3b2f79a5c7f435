"""Records with known fields: compiled code has constants in their place, and each kind has its own machine code."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.editions.june2025 import EDITION
from heartrush_env.games.heart_rush.fights import DEFAULTS, LAYOUT, MANY, SETTINGS, SETTLED
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.state.record import ACTION
from heartrush_env.tabletop.kernels import PLAIN, kernel
from heartrush_env.tabletop.records import known_fields, layout, record, with_known
from heartrush_env.tabletop.rule import compiled
from tests.notation import ROUNDS

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python reads the records, and knows no field beforehand")
KIND = record([("weight", "i4"), ("n", "i1"), ("kept", "?")])


@kernel
def weigh(records, out):
    for k in range(len(records)):
        out[k] = records[k].weight * (1 + records[k].n) if records[k].kept else -1


def weighed(kind: np.dtype[Any]) -> list[int]:
    records, out = np.zeros(2, kind), np.zeros(2, np.int64)
    records["weight"], records["n"], records["kept"] = [5, 7], 3, True
    weigh(records, out)
    return [int(number) for number in out]


def test_known_fields_are_part_of_the_kind_and_change_neither_size_nor_names() -> None:
    known = with_known(KIND, {"n": 3})
    assert known_fields(known) == {"n": 3} and known_fields(KIND) == {}
    assert known == KIND and np.zeros(4, KIND).view(known).dtype is known
    assert layout(known) == layout(KIND) + ", n = 3"
    assert with_known(KIND, {"n": 3}) is known, "kernels would open their machine code again for each batch"


def test_compiled_code_has_the_known_value_and_other_kinds_are_read() -> None:
    """A wrong known value shows that the field is not read; the order in which kinds are compiled does not matter."""
    wrong, other = with_known(KIND, {"n": 1, "kept": 1}), with_known(KIND, {"kept": 0})
    assert weighed(wrong) == [10, 14]
    assert weighed(KIND) == [20, 28]
    assert weighed(other) == [-1, -1]
    assert weighed(with_known(KIND, {"n": 3})) == [20, 28]


PAIR = record([("inner", KIND), ("weight", "i4")])


@kernel
def weigh_inner(records, out):
    for k in range(len(records)):
        out[k] = weight_of(records[k].inner) + records[k].weight


@compiled
def weight_of(inner):
    return inner.weight * (1 + inner.n)


def test_a_field_of_a_record_within_the_record_is_known_too() -> None:
    """A wrong known value shows that the field is not read, even where the inner record is passed on."""
    found = []
    for kind in (PAIR, with_known(PAIR, {"inner.n": 1})):
        records, out = np.zeros(1, kind), np.zeros(1, np.int64)
        records["inner"]["weight"], records["inner"]["n"], records["weight"] = 5, 3, 100
        weigh_inner(records, out)
        found.append(int(out[0]))
    assert found == [120, 110]


@pytest.mark.parametrize(
    ("scenario", "options", "many", "known"),
    [
        ("duel", {"decisions": "stance"}, MANY, True),
        ("duel", {"decisions": "stance"}, MANY - 1, False),
        ("duel", {}, MANY, False),
        ("duel", {"decisions": "stance", "control": "team"}, MANY, False),
        ("melee", {"decisions": "stance"}, MANY, False),
    ],
)
def test_many_duels_of_stances_are_a_kind_of_their_own(
    scenario: str, options: dict[str, Any], many: int, known: bool
) -> None:
    fights = HeartRush(scenario, **options).batch(many)
    match, options = fights._template[0], fights._options[0]
    rules = {f"rules.{name}": int(match.rules[name]) for name in SETTINGS}
    settled = {name: int(match[name]) for name in SETTLED} | rules
    laid_out = {name: int(options[name]) for name in (*LAYOUT, *DEFAULTS)}
    assert known_fields(fights._played[0].dtype) == (settled if known else {})
    assert known_fields(fights._played[2].dtype) == (laid_out if known else {})
    assert np.shares_memory(fights._played[0], fights._fights)


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ({"profile": "plain"}, {}),
        ({"talk": "open"}, {}),
        ({}, {"memory": 0}),
        ({}, {"max_cycles": 9}),
        ({}, {"reward": "hp_margin"}),
    ],
)
def test_duels_with_other_settings_or_options_share_one_kind(rules: dict[str, Any], options: dict[str, Any]) -> None:
    fights = HeartRush("duel", rules, decisions="stance", **options).batch(MANY)
    assert list(known_fields(fights._played[0].dtype)) == list(SETTLED)
    assert list(known_fields(fights._played[2].dtype)) == list(LAYOUT)


def two_batches(game: HeartRush, number: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Return a batch with enough fights to be a kind of its own, and one with too few."""
    monkeypatch.setattr("heartrush_env.games.heart_rush.fights.MANY", number + 1)
    same = game.batch(number)
    monkeypatch.setattr("heartrush_env.games.heart_rush.fights.MANY", number)
    many = game.batch(number)
    assert known_fields(many._played[0].dtype) and not known_fields(same._played[0].dtype)
    return many, same


def play_alike(many: Any, same: Any, windows: int) -> None:
    """Play the same random choices in two batches and compare their contents after each window."""
    rng, slots = np.random.default_rng(5), range(len(many.records))
    for fights in (many, same):
        fights.start(slots, 3, slots)
    for _ in range(windows):
        actions = np.where(many.masks, rng.random(many.masks.shape), -1.0).argmax(axis=2)
        for fights in (many, same):
            fights.step(actions, autoreset=True)
        for name in ("observations", "masks", "rewards", "ended", "numbers", "out", "_fights", "final_observations"):
            assert np.array_equal(getattr(many, name), getattr(same, name)), name


@pytest.mark.long
def test_many_duels_of_stances_are_the_fights_that_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    many, same = two_batches(HeartRush("duel", decisions="stance"), MANY, monkeypatch)
    play_alike(many, same, windows=100)
    assert many.numbers.min() >= MANY, "every slot has come to another fight"


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ({"profile": "plain"}, {}),
        pytest.param({"edition": "classic"}, {}, marks=pytest.mark.long),
        pytest.param({}, {"memory": 2, "max_cycles": 9}, marks=pytest.mark.long),
    ],
)
def test_so_they_are_with_other_settings_and_in_other_editions(
    rules: dict[str, Any], options: dict[str, Any], plainly: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    many, same = two_batches(HeartRush("duel", rules, decisions="stance", **options), 2, monkeypatch)
    play_alike(many, same, windows=60)


def test_positions_in_which_nobody_chooses_a_stance_are_played_on(
    plainly: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fights of stances never stop at an action window, but they continue from one."""
    many, same = two_batches(HeartRush("duel", decisions="stance"), 2, monkeypatch)
    for fights in (many, same):
        fights.start(range(2), 3, range(2))
        positions = fights.records.copy()
        for match in positions:
            EDITION.machine.put(match, ROUNDS["action"])
            match.window = ACTION
        fights.put(positions)
    for _ in range(9):
        actions = same.masks.argmax(axis=2)
        for fights in (many, same):
            fights.step(actions)
        assert np.array_equal(many._fights, same._fights)
        assert np.array_equal(many.observations, same.observations)
    assert same.records[0].round_number > 5
