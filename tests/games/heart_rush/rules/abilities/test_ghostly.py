"""Ghostly of the Phantom Knight: through creatures, and over difficult ground as over any."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields

pytestmark = pytest.mark.heading("Ghostly")
GHOST: Fields = {"abilities": ["phantom_knight.ghostly"]}


@pytest.mark.parametrize(("ghost", "farthest"), [(GHOST, 4), ({}, 2)])
@pytest.mark.parametrize("side", ["medium", "L2"])
def test_difficult_ground_does_not_slow_it(ghost: Fields, farthest: int, side: str) -> None:
    rows = "P,,,,,,,\n,,,,,,,," if side == "medium" else "PP,,,,,,\nPP,,,,,,"
    table = on_map(
        f"{rows}\n........\n.......K", {"phantom": {**ghost, "speed": 20, "size": side}, "knight": {}}, under=","
    )
    dashes = [
        int(name.split()[1].split(",")[0])
        for name in table.legal("phantom")
        if name.startswith("dash") and name.endswith(",0")
    ]
    assert max(dashes) == farthest


@pytest.mark.parametrize(("ghost", "passes"), [(GHOST, True), ({}, False)])
def test_it_passes_through_enemies_at_no_cost_but_stops_in_no_ones_square(ghost: Fields, passes: bool) -> None:
    table = on_map("#####\nPK..#\n#####", {"phantom": {**ghost, "speed": 10}, "knight": {}})
    assert ("dash 2,0" in table.legal("phantom")) == passes and "dash 1,0" not in table.legal("phantom")
    if passes:
        table.play(phantom="dash 2,0")
        while table.window == "opportunity":  # it provokes as all do
            table.play()
        assert at(table, "phantom") == (2, 1)


def test_deep_water_is_no_difficult_ground() -> None:
    table = on_map("Pwww\n...K", {"phantom": {**GHOST, "speed": 20}, "knight": {}})
    assert "dash 1,0" in table.legal("phantom") and "dash 2,0" not in table.legal("phantom")
