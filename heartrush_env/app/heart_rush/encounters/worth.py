"""The worth of abilities: how often a side wins the same fights with an ability and without it.

In each standard fight, two equal pairs meet, once without a map and once on one. The first fighter of the party gets
the ability, and its twin does not. What the ability requires, such as another ability or a larger die, belongs to both,
and to both pairs of the fights that it is compared with. The dice of each fight begin with the same key in both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from heartrush_agents.base import AgentLike
from heartrush_agents.tournament.play import Progress
from numpy.typing import NDArray

from heartrush_env.app.encounters.amounts import Amount, play
from heartrush_env.app.encounters.answers import piece_of, silent
from heartrush_env.app.encounters.sides import Encounter, encounter
from heartrush_env.app.encounters.simulator import watch
from heartrush_env.app.heart_rush.encounters.tally import Tally
from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED
from heartrush_env.games.heart_rush.scenario.abilities import TALENTS, AbilityEntry, abilities, key_of
from heartrush_env.tabletop.intervals import Mean, mean_of, wilson

OWNER: Final = 0  # the seat of the fighter with the ability
FIGHTER: Final[Mapping[str, Any]] = {
    "might": 8, "agility": 8, "cunning": 8, "presence": 6, "heart": 8, "hp": 50, "wound_threshold": 12,
}  # fmt: skip
KITS: Final[Mapping[str, Mapping[str, str]]] = {
    "blade": {"weapon": "shortsword", "armor": "medium", "shield": "light_shield"},
    "maul": {"weapon": "maul", "armor": "heavy"},
    "bow": {"weapon": "longbow", "armor": "light", "spare_weapon": "dagger"},
}
FRIEND: Final = "blade"  # the kit of the owner's companion
GROUND: Final = (
    "..............",
    "..............",
    "......,,......",
    "....l....l....",
    "......##......",
    "....l....l....",
    "......,,......",
    "..............",
    "..............",
)
PLACES: Final = ((1, 3), (1, 5), (12, 3), (12, 5))
ROUNDS: Final = 60
HELPS_LITTLE, ALWAYS_WINS = 0.02, 0.95  # limits of what the list below the table mentions


@dataclass(frozen=True)
class Worth:
    """The worth of one version of an ability.

    Attributes:
        id: The ability's id.
        destiny: Whether this is the destiny version.
        share: The share of fights that the owner's side wins with it; draws count half.
        gain: The gain in this share, over all fights.
        kits: The gain with each kit of the owner.
        uses: How often the owner uses the ability in a fight.
        fights: The number of fights with it.
    """

    id: str
    destiny: bool
    share: float
    gain: Mean
    kits: dict[str, float]
    uses: float
    fights: int

    @property
    def helps_little(self) -> bool:
        """Whether the gain is certainly less than HELPS_LITTLE."""
        return self.gain.high < HELPS_LITTLE

    @property
    def always_wins(self) -> bool:
        """Whether the owner's side may win ALWAYS_WINS of all fights or more."""
        return wilson(self.share * self.fights, self.fights)[1] >= ALWAYS_WINS


def worth_of(
    ids: Sequence[str], agent: AgentLike, amount: Amount, progress: Progress = silent
) -> tuple[list[Worth], bool]:
    """Return what each version of these abilities is worth, and whether Ctrl-C cut the fights short.

    Args:
        ids: The ids of abilities that fights play.
        agent: The agent that plays both sides.
        amount: The number of fights of each standard fight, or the time for all of them together.
        progress: Called with the number of finished fights and the number planned so far.

    Raises:
        KeyboardInterrupt: Ctrl-C came before each standard fight had been played.
    """
    arms = {
        (id, destiny): [arm for kit in KITS for on_map in _grounds(id) for arm in _arms(id, destiny, kit, on_map)]
        for id in ids
        for destiny in ((False, True) if abilities()[id].chapter == TALENTS else (False,))
    }
    encounters: dict[str, Encounter] = {}
    for each in arms.values():
        for _, *scenarios in each:
            for scenario in scenarios:
                if repr(scenario) not in encounters:
                    encounters[repr(scenario)] = encounter(scenario, party="blue", heroes=agent, monsters=agent)
                    encounters[repr(scenario)].compile()
    jobs = [partial(_fights, one, amount.seed) for one in encounters.values()]
    played, cut = play(jobs, amount, piece_of(amount.fights or 1), progress)
    found = dict(zip(encounters, played, strict=True))
    return [_worth(id, destiny, each, found) for (id, destiny), each in arms.items()], cut


def _grounds(id: str) -> tuple[bool, ...]:
    """Return whether an ability is tried on a map, for each place in which it is tried."""
    return (True,) if PLAYED[NUMBERS[id]].needs == "cells" else (False, True)


def _arms(id: str, destiny: bool, kit: str, on_map: bool) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield the kit and the two scenarios to compare, with the ability and without it."""
    entry = abilities()[id]
    if entry.requires.get("shield") and "shield" not in KITS[kit]:
        return
    both = _required(entry)
    yield kit, _scenario(kit, on_map, both, {_key(entry, destiny): [id]}), _scenario(kit, on_map, both, {})


def _key(entry: AbilityEntry, destiny: bool) -> str:
    return "destiny_talents" if destiny else key_of(entry)


def _required(entry: AbilityEntry) -> dict[str, Any]:
    """Return the fields that the requirements of an ability, and of what it requires, ask of a fighter."""
    fields: dict[str, Any] = dict(entry.requires.get("dice", {}))
    for other in (*entry.requires.get("all_of", ()), *entry.requires.get("one_of", ())[:1]):
        if other in NUMBERS:
            for key, value in {**_required(abilities()[other]), key_of(abilities()[other]): [other]}.items():
                fields[key] = [*fields.get(key, []), *value] if isinstance(value, list) else value
    return fields


def _scenario(kit: str, on_map: bool, both: Mapping[str, Any], own: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return a fight between two pairs; the first fighter has the fields in `own` as well."""
    fighters = []
    for team in ("blue", "red"):
        first = {**FIGHTER, **KITS[kit], **both, "id": f"{team}first"}
        if team == "blue":
            first |= {key: [*first.get(key, []), *ids] for key, ids in own.items()}
        fighters += [{**first, "team": team}, {**FIGHTER, **KITS[FRIEND], "id": f"{team}second", "team": team}]
    scenario: dict[str, Any] = {"name": f"worth:{kit}", "victory": "last_standing", "max_rounds": ROUNDS}
    if on_map:
        scenario["battlefield"] = {"map": list(GROUND)}
        fighters = [{**fighter, "at": list(at)} for fighter, at in zip(fighters, PLACES, strict=True)]
    return {**scenario, "rules": {"zero_hp": "all_out"}, "fighter": fighters}


def _fights(one: Encounter, seed: int, fights: int, first: int) -> Tally:
    """Play some fights of an encounter."""
    tally: Tally = watch(one, fights, seed, first).tally
    return tally


def _worth(
    id: str,
    destiny: bool,
    arms: Sequence[tuple[str, dict[str, Any], dict[str, Any]]],
    found: Mapping[str, Sequence[Tally]],
) -> Worth:
    """Return what an ability is worth, from the fights with it and without it."""
    gains: dict[str, list[NDArray[np.float64]]] = {}
    shares, uses = [], 0
    for kit, with_it, without in arms:
        ours, theirs = _results(found[repr(with_it)]), _results(found[repr(without)])
        both = min(len(ours), len(theirs))
        gains.setdefault(kit, []).append(ours[:both] - theirs[:both])
        shares.append(ours)
        uses += sum(int(tally.uses[OWNER, NUMBERS[id]]) for tally in found[repr(with_it)])
    all_gains = np.concatenate([gain for each in gains.values() for gain in each])
    of_kits = {kit: float(np.concatenate(each).mean()) for kit, each in gains.items()}
    fights = sum(map(len, shares))
    share = float(np.concatenate(shares).mean())
    return Worth(id, destiny, share, mean_of(all_gains.tolist()), of_kits, uses / fights, fights)


def _results(tallies: Sequence[Tally]) -> NDArray[np.float64]:
    """Return the result of each fight for the party: 1 if it won, 0.5 without a winner, 0 if it lost."""
    results: NDArray[np.float64] = (1 + np.concatenate([tally.result for tally in tallies])) / 2
    return results
