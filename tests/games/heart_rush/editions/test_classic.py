"""The page of the classic edition: records with and without abilities have room for it."""

from __future__ import annotations

import pytest

from heartrush_env.games.heart_rush.editions.classic import EDITION, whole_fight
from heartrush_env.games.heart_rush.rules.choices import ON_MAPS
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.state import record
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.flow.page import longest_chain, recursive_calls


@pytest.mark.parametrize("abilities", [False, True])
def test_records_have_room_for_the_page(abilities: bool) -> None:
    """Fights without abilities or without a map leave out the flows that need them."""
    machine, kinds = EDITION.machine, EDITION.able_kinds
    if not abilities:
        machine = Machine(whole_fight, frames=record.TURN_FRAMES, numbers=record.NUMBERS, without=ABILITY_FIELD)
        kinds = EDITION.kinds
    assert kinds is not None
    only_maps = {flow for flow in machine.pages if flow.needs == ON_MAPS}
    left_out = {flow: cyclic | only_maps for flow, cyclic in recursive_calls(machine.pages).items()}
    without = None if abilities else ABILITY_FIELD
    unmapped = longest_chain(whole_fight, machine.pages, left_out, without, interrupts_only=True)
    for kind in kinds:
        nested = machine.nested if ON_MAPS in kind.names else unmapped
        assert kind["kept"].shape[0] >= nested * kind["fighters"].shape[0]
        assert kind["frames"].shape[0] >= machine.deepest
