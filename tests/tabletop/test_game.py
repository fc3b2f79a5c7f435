"""The seats that are asked, according to the protocols of a game."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.game import asked_of, asked_reader


class MaskedBatch:
    """The part of a batch with the legal actions: two fights of three seats with four actions."""

    def __init__(self) -> None:
        self.masks = np.array(
            [
                [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]],
                [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0]],
            ],
            np.int8,
        )


BY_MASKS = [[False, True, True], [True, True, False]]


def test_seats_with_more_than_the_null_action_are_asked() -> None:
    batch: Any = MaskedBatch()
    assert asked_of(batch).tolist() == BY_MASKS
    assert [[asked_reader(batch, slot, seat)() for seat in range(3)] for slot in range(2)] == BY_MASKS


def test_a_batch_that_says_it_itself_is_believed() -> None:
    batch: Any = MaskedBatch()
    batch.asked = np.array([[True, False, False], [False, True, False]])
    assert asked_of(batch) is batch.asked
    assert [[asked_reader(batch, slot, seat)() for seat in range(3)] for slot in range(2)] == batch.asked.tolist()


@pytest.mark.parametrize("says", [False, True])
def test_a_reader_follows_what_is_written_in_place(says: bool) -> None:
    batch: Any = MaskedBatch()
    if says:
        batch.asked = np.array(BY_MASKS)
    reads = [asked_reader(batch, 0, seat) for seat in range(3)]
    batch.masks[0] = [[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
    if says:
        batch.asked[0] = [True, False, False]
    assert [read() for read in reads] == [True, False, False]
