"""The worth of abilities: how much more often a side wins the same fights with an ability than without it.

Each standard fight is played three times with one key: without the ability, with it on one side, and with it on the
other. What one side wins without it, the other loses, so over both sides the fights without it are won by half.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from heartrush_agents.base import read_object
from heartrush_agents.tournament.play import in_processes
from numpy.typing import NDArray

from heartrush_env import __version__
from heartrush_env.app.encounters.sides import Encounter, encounter
from heartrush_env.app.encounters.simulator import watch
from heartrush_env.app.heart_rush.encounters.tally import Tally
from heartrush_env.app.heart_rush.encounters.worth_cases import OWNER, TEAMS, Scenario, arms_of
from heartrush_env.games.heart_rush.abilities.all import NUMBERS
from heartrush_env.games.heart_rush.scenario.abilities import TALENTS, abilities
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.intervals import Z_95, Mean, mean_of
from heartrush_env.tabletop.writing import replace_file

HALF: Final = 0.5  # the share of all fights that a side wins without the ability, over both sides
HELPS_LITTLE, ALWAYS_WINS = 0.02, 0.95  # limits of what the list below the table mentions
SHARED: Final = 64  # fights without an ability that a process remembers, for other abilities
LARGEST: Final = 2**24  # maximum bytes of a file of results


@dataclass(frozen=True)
class Worth:
    """The worth of one version of an ability.

    Attributes:
        id: The ability's id.
        destiny: Whether this is the destiny version.
        gain: The gain in the share of fights that the owner's side wins; draws count half.
        kits: The gain with each kit of the owner.
        uses: How often the owner uses the ability in a fight.
        changed: The share of fights that end otherwise than the same fight without it, in any hit point or round.
        fights: The number of fights with it.
    """

    id: str
    destiny: bool
    gain: Mean
    kits: dict[str, float]
    uses: float
    changed: float
    fights: int

    @property
    def always_wins(self) -> bool:
        """Whether the owner's side wins ALWAYS_WINS of all fights or more with one of the kits."""
        return HALF + max(self.kits.values()) >= ALWAYS_WINS


@dataclass(frozen=True)
class Plan:
    """How abilities are measured: the agent of both sides, the fights of each standard fight and side, the dice.

    Without `maps`, only abilities that need a map are measured on it.
    """

    agent: str
    fights: int
    seed: int
    rules: Mapping[str, Any] = field(default_factory=dict)
    maps: bool = True
    version: str = __version__


def versions(ids: Iterable[str]) -> list[tuple[str, bool]]:
    """Return each version of these abilities: the id, and whether it is the destiny version."""
    return [(id, destiny) for id in ids for destiny in (False, True)[: 1 + (abilities()[id].chapter == TALENTS)]]


def worth_of(
    ids: Iterable[str],
    plan: Plan,
    processes: int = 1,
    found: Sequence[Worth] = (),
    each: Callable[[list[Worth], int], None] = lambda found, total: None,
) -> tuple[list[Worth], bool]:
    """Return what each version of these abilities is worth, and whether Ctrl-C cut the work short.

    Args:
        ids: The ids of abilities that fights play.
        plan: How they are measured.
        processes: The number of worker processes.
        found: What was measured before; these versions are not played again.
        each: Called with all that is known after each version, and the number of all versions.

    Raises:
        KeyboardInterrupt: Ctrl-C came before any version was measured.
    """
    asked = versions(ids)
    known = {(one.id, one.destiny): one for one in found}
    work = [version for version in asked if version not in known]
    if work:
        first = next(arms_of(*work[0], plan.maps))
        _met(first.without, plan).compile()  # before workers start; it also checks the agent
    cut = False
    try:
        with closing(in_processes(measured, [(*version, plan) for version in work], processes)) as results:
            for _, one in results:
                known[one.id, one.destiny] = one
                each(list(known.values()), len(asked))
    except KeyboardInterrupt as stop:
        if type(stop) is not KeyboardInterrupt or not known:
            raise
        cut = True
    return [known[version] for version in asked if version in known], cut


def measured(id: str, destiny: bool, plan: Plan) -> Worth:
    """Play the standard fights of one version of an ability, and return what it is worth."""
    gains: dict[str, list[NDArray[np.float64]]] = {}
    uses = changed = fights = 0
    for arm in arms_of(id, destiny, plan.maps):
        before = _without(json.dumps(arm.without), plan)
        after = {team: _fights(scenario, plan) for team, scenario in arm.with_it.items()}
        for team, tally in after.items():
            owner = _met(arm.with_it[team], plan).game.agents.index(f"{team}{OWNER}_0")
            uses += int(tally.uses[owner, NUMBERS[id]])
            changed += int(differing(before, tally).sum())
            fights += len(tally.result)
        gains.setdefault(arm.kit, []).append(gains_of(*(after[team].result for team in TEAMS)))
    of_kits = {kit: np.concatenate(each) for kit, each in gains.items()}
    return Worth(
        id,
        destiny,
        gain_of(np.concatenate(list(of_kits.values()))),
        {kit: float(each.mean()) for kit, each in of_kits.items()},
        uses / fights,
        changed / fights,
        fights,
    )


def gains_of(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """Return the gain of the owner's side in each fight that is played with the owner on either side.

    Args:
        first: The results for the first team, whose fighter has the ability: 1, 0 or -1.
        second: The results for the first team, while a fighter of the other team has the ability.
    """
    gains: NDArray[np.float64] = (first - second) / 4
    return gains


def gain_of(gains: NDArray[np.float64]) -> Mean:
    """Return the mean of these gains with its interval.

    The interval is that of Bonett and Price for matched pairs, which counts one fight more that the ability wins and
    one more that it loses. So it is never empty, even if no fight ended otherwise.
    """
    adjusted = mean_of([*gains.tolist(), HALF, -HALF])
    return replace(adjusted, mean=float(gains.mean()))


def differing(one: Tally, other: Tally) -> NDArray[np.bool_]:
    """Return which fights of two tallies end differently, in any hit point, heart die, wound or round."""
    ends = [
        np.column_stack([tally.result, tally.rounds, tally.hp, tally.heart, tally.wounds]) for tally in (one, other)
    ]
    if ends[0].shape != ends[1].shape:  # the ability brings a fighter
        return np.ones(len(other.result), np.bool_)
    unlike: NDArray[np.bool_] = (ends[0] != ends[1]).any(axis=1)
    return unlike


def surely(found: Sequence[Worth], one: Worth) -> tuple[float, float]:
    """Return limits between which the gain of one ability is, wide enough that 95 % of such tables hold no error."""
    wide = NormalDist().inv_cdf(1 - (1 - 0.95) / (2 * len(found))) / Z_95
    middle, half = (one.gain.low + one.gain.high) / 2, (one.gain.high - one.gain.low) / 2
    return middle - wide * half, middle + wide * half


def _met(scenario: Scenario, plan: Plan) -> Encounter:
    return encounter(scenario, plan.rules, party=TEAMS[0], heroes=plan.agent, monsters=plan.agent)


def _fights(scenario: Scenario, plan: Plan) -> Tally:
    """Play the fights of a scenario; the k-th has one key in all scenarios."""
    tally: Tally = watch(_met(scenario, plan), plan.fights, plan.seed).tally
    return tally


@lru_cache(SHARED)
def _shared(scenario: str, plan: str) -> Tally:
    return _fights(json.loads(scenario), Plan(**json.loads(plan)))


def _without(scenario: str, plan: Plan) -> Tally:
    return _shared(scenario, json.dumps(asdict(plan)))


# -- files of results --------------------------------------------------------------------------------------------------


def write_results(path: Path, plan: Plan, found: Sequence[Worth]) -> None:
    """Write a file of results, with one line for each version of an ability."""
    rows = ",\n".join(json.dumps(asdict(one)) for one in found)
    replace_file(path, f'{{"plan": {json.dumps(asdict(plan))}, "abilities": [\n{rows}\n]}}\n'.encode())


def read_results(path: Path) -> tuple[Plan, list[Worth]]:
    """Return the plan and the results of a file.

    Raises:
        HeartRushError: The file holds other content.
    """
    content = read_object(path, LARGEST, "results of `heartrush encounter abilities`")
    try:
        found = [Worth(**{**one, "gain": Mean(**one["gain"])}) for one in content["abilities"]]
        return Plan(**content["plan"]), found
    except (KeyError, TypeError, AttributeError):
        raise HeartRushError(f"{path}: expected results of `heartrush encounter abilities`, got other JSON.") from None


def kept_results(path: Path, plan: Plan) -> list[Worth]:
    """Return the results of a file, which must have been measured by this plan; none if there is no file.

    Raises:
        HeartRushError: The results were measured otherwise, or the file holds other content.
    """
    if not path.exists():
        return []
    there, found = read_results(path)
    other = [name for name, value in asdict(plan).items() if asdict(there)[name] != value]
    if other:
        raise HeartRushError(
            f"{path}: expected results of this command, got some with other {' and other '.join(other)}; repeat "
            "their command, or choose another file."
        )
    return found
