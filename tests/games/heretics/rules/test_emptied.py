"""Whichever rule function is emptied, a test fails."""

import pytest

from heartrush_env.tabletop.registry import book_of
from tests.emptied import greens

MODULES = sorted({claim.module for claim in book_of("heretics").claims()})


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_every_rule_that_is_emptied_is_missed(module: str) -> None:
    assert greens(module) == []
