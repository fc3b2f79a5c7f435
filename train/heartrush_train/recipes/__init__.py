"""The recipes by name, each in a file that can be read top to bottom. Imports need `heartrush-env[train]`."""

from __future__ import annotations

from pathlib import Path

from heartrush_env.tabletop.writing import sole_writer
from heartrush_train.config import (
    RECIPES,
    AllDuelsConfig,
    Config,
    ExploiterConfig,
    ImitateConfig,
    LeagueConfig,
    SelfPlayConfig,
    ShapleyConfig,
    TrainingError,
)
from heartrush_train.heart_rush.all_duels import AllDuelsRun
from heartrush_train.heart_rush.imitate import ImitateRun
from heartrush_train.heart_rush.league import LeagueRun
from heartrush_train.heart_rush.shapley import ShapleyRun
from heartrush_train.heart_rush.shapley_levels import ShapleyLevelsRun
from heartrush_train.recipes.exploiter import ExploiterRun
from heartrush_train.recipes.ppo_self_play import SelfPlayRun
from heartrush_train.run import Run


def prepare(config: Config, folder: Path, *, fresh: bool = False) -> Run:
    """Return a run of this configuration in a folder, resumed from its checkpoint unless `fresh`."""
    run: Run
    match config:
        case SelfPlayConfig():
            run = SelfPlayRun(config, folder)
        case ExploiterConfig():
            run = ExploiterRun(config, folder)
        case AllDuelsConfig():  # a subclass of ShapleyConfig, so it must be matched first
            run = AllDuelsRun(config, folder)
        case ShapleyConfig():
            levels = config.game().rules.get("levels")
            run = (ShapleyLevelsRun if levels else ShapleyRun)(config, folder)
        case ImitateConfig():
            run = ImitateRun(config, folder)
        case LeagueConfig():
            run = LeagueRun(config, folder)
        case _:
            raise TrainingError(f"Expected the config of a recipe ({', '.join(RECIPES)}), got {type(config).__name__}.")
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
