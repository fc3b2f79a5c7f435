"""The game Heart Rush: its rules, the engine that runs them, and the observations that learners get."""

from collections.abc import Collection

from heartrush_env.tabletop.sources import Sources

# The seconds that one core of the timed machine takes to compile the kernels that play fights. The keys are (with
# abilities, on a map).
_SECONDS = {(False, False): 15.0, (False, True): 32.0, (True, False): 30.0, (True, True): 48.0}


def _purpose_of(kernel: str, fields: Collection[str]) -> tuple[str, float]:
    """Return in words which fights a kernel is for, and how many seconds its compilation takes.

    The words are empty if the kernel's records have neither the fields of abilities nor the fields of maps.
    """
    abilities, on_map = "hooks" in fields, "cells" in fields
    found = [word for word, has in (("abilities", abilities), ("maps", on_map)) if has]
    seconds = _SECONDS[abilities, on_map] if kernel.startswith("play_slots") else 0.0
    return f"for {' and '.join(found)}" if found else "", seconds


SOURCES = Sources(
    __file__,
    "the rules of Heart Rush",
    without=(
        "board", "words", "game.py", "opening.py", "headings.py", "tables.py", "fights.py",
        "data/creation.toml", "data/fighters.toml", "data/scenarios", "rules/headings.toml",
        "entity_fights.py", "abilities/coverage.py", "encoding/action_slots.py",
        "encoding/planes.py", "encoding/vector_of.py", "encoding/view.py",
        "encoding/view_ground.py", "encoding/view_parts.py", "encoding/view_start.py",
        "engine/description.py", "engine/event_dicts.py", "engine/older.py",
        "scenario/advancement.py", "scenario/creation.py", "scenario/fighters.py", "scenario/load.py",
        "scenario/loadouts.py", "scenario/lookup.py", "scenario/parts.py", "scenario/random_duels.py",
        "scenario/random_scenarios.py", "scenario/reachability.py",
        "scenario/start_conditions.py", "scenario/stat_blocks.py",
    ),
    tells=_purpose_of,
)  # fmt: skip
