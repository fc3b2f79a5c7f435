"""Features as bytes: what the twins of writers write, what the bytes mean, and which versions of functions write them.

The numbers are worked out by hand: a byte holds -128 to 127.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.compact import Compact, Expanded, in_bytes, twin
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.rule import compiled, inlined, only_with
from heartrush_env.tabletop.tables import Block, each, feature, flag, one_of, rows

MOODS, DICE = ("calm", "cross"), ("heart", "fist")

# fmt: off
TABLE = Block(
    feature("gold", -25, 25, "pieces / {scale}", lambda creature: creature.gold, scale=40, clips=True),
    feature("year", 0, 1, "years / {scale}", lambda creature: creature.year, scale=200, clips=True),
    flag("awake", "it is", lambda creature: creature.awake),
    one_of("mood ", MOODS, "its mood", lambda creature: creature.mood),
    each("", DICE, "sides / {scale}", lambda creature, k: creature.dice[k], name="dice", scale=20),
    each("share ", DICE, "of both", lambda creature, k: creature.shares[k]),
    rows("past", (1, 2), "mood {number} ago ", MOODS, "an earlier mood", lambda creature: creature.past,
         shown=lambda: 2),
    feature("debt", -1, 25, "pieces / {scale}", lambda creature: creature.debt, scale=40),
    feature("luck", -1, 1, "luck", lambda creature: creature.luck, clips=True),
)
# fmt: on
write = TABLE.writer("write_treasure", "creature", clears=True)
COMPACT = Compact(TABLE.features)
N = len(TABLE)


def creature(**fields: Any) -> Any:
    usual = {"gold": 30, "year": 7, "awake": True, "mood": 1, "dice": (8, 20), "shares": (0.25, 0.75), "past": (1, 0)}
    return SimpleNamespace(**{**usual, "debt": 0, "luck": 0.0, **fields})


def row_of(**fields: Any) -> Any:
    """A creature's row of bytes, in the middle of others that nothing may touch."""
    out = np.full(N + 4, 99, np.int8)
    write.in_bytes(creature(**fields), out, 1, N + 1)  # type: ignore[attr-defined]
    assert out[0] == out[-1] == 99
    return out[1:-1]


def shown(**fields: Any) -> dict[str, int]:
    return dict(zip(COMPACT.names, row_of(**fields).tolist(), strict=True))


def test_a_row_names_each_byte_and_says_what_it_is_worth() -> None:
    assert COMPACT.names == (*(feature.name for feature in TABLE.features), "gold / 256", "debt / 256")
    assert [TABLE.features[place].name for place in COMPACT.wide] == ["gold", "debt"]
    worth = dict(zip(COMPACT.names, zip(COMPACT.scale.tolist(), COMPACT.offset.tolist(), strict=True), strict=False))
    assert worth["gold"] == (1 / 40, 0) and worth["year"] == (1 / 200, 0.5) and worth["awake"] == (1, 0)
    assert worth["heart"] == (1 / 20, 0) and worth["share heart"] == worth["luck"] == (1 / 127, 0)
    bounds = dict(zip(COMPACT.names, zip(COMPACT.low.tolist(), COMPACT.high.tolist(), strict=True), strict=True))
    assert bounds["gold"] == (-128, 127) and bounds["gold / 256"] == (-4, 4)  # 1000 = 4 * 256 - 24
    assert bounds["debt / 256"] == (0, 4)  # -40 is one byte, 1000 is not
    assert bounds["year"] == (-100, 100) and bounds["fist"] == (0, 20) and bounds["mood calm"] == (0, 1)
    assert bounds["share fist"] == (0, 127) and bounds["luck"] == (-127, 127)


def test_whole_numbers_are_bytes_in_units() -> None:
    row = shown()
    assert (row["gold"], row["gold / 256"]) == (30, 0)
    assert row["year"] == -93  # 7 less the offset of 100
    assert (row["awake"], row["mood calm"], row["mood cross"]) == (1, 0, 1)
    assert (row["heart"], row["fist"]) == (8, 20)
    assert [row[f"mood {k} ago {mood}"] for k in (1, 2) for mood in MOODS] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    "gold, low, high",
    [(127, 127, 0), (128, -128, 1), (255, -1, 1), (300, 44, 1), (900, -124, 4), (-128, -128, 0), (-129, 127, -1),
     (-300, -44, -1), (1000, -24, 4), (5000, -24, 4), (-1000, 24, -4), (-5000, 24, -4)],
)  # fmt: skip
def test_wide_numbers_take_a_second_byte(gold: int, low: int, high: int) -> None:
    """low + 256 high is the number of pieces, at most 1000 either way."""
    row = shown(gold=gold)
    assert (row["gold"], row["gold / 256"]) == (low, high)
    assert COMPACT.vector(row_of(gold=gold))[0] == np.float32(min(max(gold, -1000), 1000) / 40)


def test_of_two_wide_numbers_each_has_its_own() -> None:
    row = shown(gold=-300, debt=513)
    assert [row[name] for name in ("gold", "gold / 256", "debt", "debt / 256")] == [-44, -1, 1, 2]


def test_fractions_are_the_nearest_part_of_127() -> None:
    row = shown(shares=(1 / 3, 2 / 3), luck=-0.5)
    assert (row["share heart"], row["share fist"]) == (42, 85)  # 42.33 and 84.67
    assert row["luck"] == -63  # -63.5, rounded up
    assert [shown(luck=luck)["luck"] for luck in (-9, -1, 0, 0.003, 0.004, 1, 9)] == [-127, -127, 0, 0, 1, 127, 127]


def test_a_vector_of_every_whole_number_is_exact() -> None:
    """As writers of floats compute it: the number times the reciprocal of its scale, in 32 bits."""
    for year in range(201):
        assert COMPACT.vector(row_of(year=year))[1] == np.float32(year * (1 / 200))
    for gold in range(-1000, 1001):
        assert COMPACT.vector(row_of(gold=gold))[0] == np.float32(gold * (1 / 40))


def test_both_writers_show_the_same() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        fields = {
            "gold": int(rng.integers(-2000, 2000)), "debt": int(rng.integers(-40, 1001)),
            "year": int(rng.integers(0, 300)), "luck": rng.uniform(-2, 2), "mood": int(rng.integers(-1, 2)),
            "dice": tuple(rng.integers(0, 21).tolist() for _ in DICE), "shares": tuple(rng.random(2)),
            "past": tuple(rng.integers(-1, 2, 2).tolist()), "awake": bool(rng.integers(0, 2)),
        }  # fmt: skip
        vector = np.zeros(N, np.float32)
        write(creature(**fields), vector, 0, 0)
        for name, byte, float_ in zip(COMPACT.names, COMPACT.vector(row_of(**fields)), vector, strict=False):
            rounded = name == "luck" or name.startswith("share ")
            assert byte == pytest.approx(float_, abs=0.5 / 127 + 1e-6) if rounded else byte == float_, name


def test_vectors_of_many_rows_keep_their_shape_and_are_made_where_they_are_asked_for() -> None:
    rows = np.stack([np.stack([row_of(gold=gold + step) for gold in (1, 500)]) for step in range(3)])
    vectors = COMPACT.vector(rows)
    assert vectors.shape == (3, 2, N) and vectors.dtype == np.float32
    assert vectors[2, 1, 0] == np.float32(502 / 40)
    expanded = Expanded(rows, COMPACT)
    assert np.array_equal(expanded[np.array([2, 0]), np.array([1, 1])], vectors[[2, 0], [1, 1]])
    rows[2, 1] = row_of(gold=7)
    assert expanded[2, 1][0] == np.float32(7 / 40)


def test_a_table_without_wide_features_has_a_byte_for_each() -> None:
    narrow = Compact(Block(flag("awake", "it is", lambda: 1), feature("luck", -1, 1, "luck", lambda: 0)).features)
    assert narrow.names == ("awake", "luck") and len(narrow.wide) == 0
    assert narrow.vector([[1, 127], [0, -127]]).tolist() == [[1, 1], [0, -1]]
    assert (narrow.low.tolist(), narrow.high.tolist()) == ([0, -127], [1, 127])


def test_rows_of_another_length_are_refused() -> None:
    for wrong in (np.zeros((3, N)), np.zeros(0), 3):
        with pytest.raises(HeartRushError, match=rf"compact: found rows of shape .*, allowed: \(\.\.\., {N + 2}\)\."):
            COMPACT.vector(wrong)


def test_what_a_row_means_cannot_be_written_to() -> None:
    for array in (COMPACT.scale, COMPACT.offset, COMPACT.wide, COMPACT.low, COMPACT.high):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3


# -- versions of functions ---------------------------------------------------------------------------------------------


TENTHS = np.array([0.1, 0.2])


@inlined
def write_inside(animal, out):
    """It calls a writer."""
    write(animal, out, 0, N)


@twin(TENTHS=np.array([1, 2]))
@compiled
def write_table(out):
    """It reads a table."""
    out[2] = TENTHS[1]


@only_with("gold", None)
@compiled
def write_on_condition(animal, out):
    """It is compiled for some records only."""
    write_inside(animal, out)
    write_table(out)


@compiled
def write_nothing(animal, out):
    """It calls nothing that writes, but itself if it must."""
    if animal is None:
        write_nothing(animal, out)


@compiled
def write_everything(animal, out):
    """It calls all of them."""
    write_nothing(animal, out)
    write_on_condition(animal, out)


def test_a_version_in_bytes_calls_versions_in_bytes() -> None:
    out = np.zeros(len(COMPACT.names), np.int8)
    animal = creature(gold=900)
    animal.dtype = SimpleNamespace(names=("gold",))
    in_bytes(write_everything)(animal, out)
    assert (out[0], out[N]) == (-124, 4) and out[2] == 2
    floats = np.zeros(N, np.float32)
    write_everything(animal, floats)
    assert floats[0] == 22.5 and floats[2] == np.float32(0.2), "the plain version is as it was"


def test_a_version_is_compiled_as_its_function_is() -> None:
    inner = in_bytes(write_inside).making  # type: ignore[attr-defined]
    assert inner.inline is True and inner.function.__qualname__ == "write_inside_in_bytes"
    outer = in_bytes(write_on_condition).making  # type: ignore[attr-defined]
    assert (outer.field, outer.otherwise, outer.inline) == ("gold", None, None)
    animal = creature()
    animal.dtype = SimpleNamespace(names=("silver",))
    assert in_bytes(write_on_condition)(animal, None) is None, "nothing is written for other records"


def test_a_function_that_writes_nothing_is_its_own_version() -> None:
    assert in_bytes(write_nothing) is write_nothing
