"""Snapshots of fights with their keys: JSON-able data that any environment of the same scenario can restore."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrush_env.tabletop.arguments import LARGEST_SEED, whole_number
from heartrush_env.tabletop.errors import SnapshotError
from heartrush_env.tabletop.game import LARGEST_FIGHT, Batch, Game, Snapshot

SNAPSHOT_FIELDS = ("game", "scenario", "seed", "fight", "position")


def pack_snapshot(game: Game, batch: Batch, slot: int, seed: int, fight: int) -> Snapshot:
    """Build the snapshot that every environment returns: game, scenario, key and position."""
    position = batch.snapshot(slot)
    return {"game": game.name, "scenario": game.scenario_name, "seed": seed, "fight": fight, "position": position}


def unpack_snapshot(game: Game, batch: Batch, slot: int, snapshot: Any) -> tuple[int, int]:
    """Restore a snapshot into a slot and return the fight's key."""
    if not isinstance(snapshot, Mapping) or not all(field in snapshot for field in SNAPSHOT_FIELDS):
        raise SnapshotError(f"Expected a snapshot, which is a dict with {', '.join(SNAPSHOT_FIELDS)}.")
    found, own = (snapshot["game"], snapshot["scenario"]), (game.name, game.scenario_name)
    if found != own:
        raise SnapshotError(
            f"The snapshot: expected the game {own[0]!r} and the scenario {own[1]!r}, got {found[0]!r} and "
            f"{found[1]!r}."
        )
    key = {}
    for field, largest, words in (("seed", LARGEST_SEED, "2**63 - 1"), ("fight", LARGEST_FIGHT, "2**62")):
        key[field] = whole_number(f"The {field} of the snapshot", snapshot[field], SnapshotError)
        if not 0 <= key[field] <= largest:
            raise SnapshotError(f"The {field} of the snapshot: expected 0 to {words}, got {key[field]}.")
    batch.restore(slot, snapshot["position"])
    return key["seed"], key["fight"]
