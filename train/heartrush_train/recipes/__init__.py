"""The recipes by name, each in a file that can be read top to bottom. They need `heartrush-env[train]`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from heartrush_env.tabletop.writing import sole_writer
from heartrush_train.beats.run import BeatsRun
from heartrush_train.config import RECIPES, Config, TrainingError
from heartrush_train.heart_rush.all_duels import AllDuelsRun
from heartrush_train.heart_rush.imitate import ImitateRun
from heartrush_train.heart_rush.league import LeagueRun
from heartrush_train.heart_rush.shapley import ShapleyRun
from heartrush_train.heart_rush.shapley_levels import ShapleyLevelsRun
from heartrush_train.recipes.exploiter import exploiter_run
from heartrush_train.recipes.improve import ImproveRun
from heartrush_train.recipes.ppo_self_play import self_play_run
from heartrush_train.run import Run

RUNS: Final[Mapping[str, Any]] = {  # make a run of each recipe
    "ppo_self_play": self_play_run,
    "exploiter": exploiter_run,
    "shapley": ShapleyRun,
    "all_duels": AllDuelsRun,
    "beats": BeatsRun,
    "imitate": ImitateRun,
    "league": LeagueRun,
    "improve": ImproveRun,
}


def prepare(config: Config, folder: Path, *, fresh: bool = False) -> Run:
    """Return a run of this configuration in a folder, resumed from its checkpoint unless `fresh`."""
    make: Any = RUNS.get(getattr(config, "recipe", ""))
    if make is None:
        raise TrainingError(f"Expected the config of a recipe ({', '.join(RECIPES)}), got {type(config).__name__}.")
    if make is ShapleyRun and config.game().rules.get("levels"):
        make = ShapleyLevelsRun
    run: Run = make(config, folder)
    if not folder.exists():
        return run
    with sole_writer(folder, TrainingError):
        if fresh:
            run.path.unlink(missing_ok=True)
        if run.path.exists():
            run.resume()
        else:
            run.journal.cut(0)
    return run
