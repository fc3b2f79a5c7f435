"""Tables of features: the generated writers, the reader, and the lines that are refused."""

from types import FunctionType
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.tables import Block, each, feature, flag, one_of, rows

CREATURE = record([("hp", "i2"), ("awake", "?"), ("mood", "i1"), ("dice", "i1", (2,)), ("past", "i1", (3,))])
MOODS, DICE = ("calm", "cross", "glad"), ("heart", "fist")
HALF = 2

# fmt: off
TABLE = Block(
    feature("hp", -1, 2, "hit points / {scale}", lambda creature: creature.hp, scale=40, clips=True),
    flag("awake", "it is", lambda creature: creature.awake),
    one_of("mood ", MOODS, "its mood", lambda creature: creature.mood),
    each("", DICE, "sides / {scale}", lambda creature, k, half: creature.dice[k] // half * half,
         name="dice", scale=20, half=lambda creature: HALF),
    rows("past", (1, 2, 3), "mood {number} rounds ago ", MOODS, "an earlier mood",
         lambda creature: creature.past, shown=lambda memory: memory),
    feature("share", 0, 1, "a share", lambda memory: memory / 3),
)
# fmt: on
write_all = TABLE.writer("write_all_of_a_creature", "creature, memory", clears=True)
write_hp = TABLE.writer("write_hp_of_a_creature", "creature", only=[TABLE.line("hp")])
write_awake = TABLE.writer("write_awake_creature", "creature, memory", when=lambda creature: creature.awake)


@entry_point
def write(creatures, memory, out, at):
    write_all(creatures[0], memory, out, at)


@entry_point
def write_part(creatures, out):
    write_hp(creatures[0], out, 0)


@entry_point
def write_if_awake(creatures, out):
    write_awake(creatures[0], 0, out, 0)


def creature(**fields: Any) -> Any:
    made = np.zeros(1, CREATURE)
    for name, value in {"hp": 30, "awake": True, "mood": 2, "dice": (8, 7), "past": (1, 0, 3), **fields}.items():
        made[name] = value
    return made


def test_features_stand_in_the_order_of_their_lines() -> None:
    assert [feature.name for feature in TABLE.features[:7]] == [
        "hp", "awake", "mood calm", "mood cross", "mood glad", "heart", "fist",
    ]  # fmt: skip
    assert TABLE.features[7].name == "mood 1 rounds ago calm" and TABLE.features[-1].name == "share"
    assert TABLE.features[0].meaning == "hit points / 40" and len(TABLE) == len(TABLE.features) == 17
    assert [feature.name for feature in TABLE.of("enemy 2")][:2] == ["enemy 2 hp", "enemy 2 awake"]
    assert TABLE.part("past") == (7, 9)


def test_every_line_writes_its_value_where_its_name_stands() -> None:
    out = np.full(20, 9.0, np.float32)
    write(creature(), 2, out, 1)
    shown = {feature.name: value for feature, value in zip(TABLE.features, out[1:].tolist(), strict=False) if value}
    assert shown == {
        "hp": 0.75, "awake": 1.0, "mood glad": 1.0, "heart": pytest.approx(0.4), "fist": pytest.approx(0.3),
        "mood 1 rounds ago cross": 1.0, "mood 2 rounds ago calm": 1.0, "share": pytest.approx(2 / 3),
    }  # fmt: skip
    assert out[0] == 9 and (out[18:] == 9).all(), "nothing is written outside the block"


@pytest.mark.parametrize("mood", [-1, 3, 62])
def test_a_number_that_is_no_word_shows_none(mood: int) -> None:
    out = np.full(17, 9.0, np.float32)
    write(creature(mood=mood), 0, out, 0)
    assert out[2:5].tolist() == [0, 0, 0]


def test_values_out_of_range_are_clipped_where_the_line_says_so() -> None:
    out = np.zeros(17, np.float32)
    for hp, shown in ((-900, -1), (900, 2)):
        write(creature(hp=hp), 0, out, 0)
        assert out[0] == shown


def test_a_writer_of_a_part_leaves_the_rest_and_one_with_a_condition_writes_nothing_without_it() -> None:
    out = np.zeros(17, np.float32)
    write_part(creature(), out)
    assert np.flatnonzero(out).tolist() == [0]
    out[:] = 0
    write_if_awake(creature(awake=False), out)
    assert not out.any()
    write_if_awake(creature(), out)
    assert out.any()


def test_what_is_written_is_read_by_name_and_shown_again() -> None:
    out = np.zeros(17, np.float32)
    write(creature(), 3, out, 0)
    said = TABLE.read(out.tolist())
    assert said == {
        "hp": 30, "awake": True, "mood": "glad", "dice": {"heart": 8, "fist": 6}, "past": ["cross", "calm", None],
        "share": 1.0,
    }  # fmt: skip
    again = [0.0] * 17
    TABLE.show(said, again)
    assert np.array(again, np.float32).tolist() == out.tolist()


def test_a_value_that_is_no_lambda_is_refused() -> None:
    def hidden(creature: Any) -> Any:
        return creature.hp

    with pytest.raises(TypeError, match=r"test_tables\.py, line \d+: expected one lambda with these names, got 0"):
        Block(flag("a", "b", hidden)).writer("write_hidden", "creature")


def test_two_meanings_of_a_name_in_one_block_are_refused() -> None:
    mine = flag("mine", "", lambda creature: creature.hp > HALF)
    theirs = FunctionType(mine.value.__code__, {"HALF": 3})  # as from another module
    with pytest.raises(TypeError, match="expected one meaning of HALF in a block, got a second"):
        Block(mine, flag("theirs", "", theirs)).writer("write_two", "creature")
