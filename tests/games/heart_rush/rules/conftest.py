"""A fixture that all tests of the rules share."""

from collections.abc import Iterator

import pytest

from tests.games.heart_rush.rules.table import Table


@pytest.fixture(autouse=True)
def every_die_is_rolled() -> Iterator[None]:
    """Check that a test rolls exactly the dice that it lays out."""
    Table.laid.clear()
    yield
    for table in Table.laid:
        assert table.dice_left == 0, f"{table.dice_left} of the dice that were laid out were not rolled"
