"""An agent that plays any plain duel with one network, trained by the recipe `all_duels`; needs no torch.

It plays like a solved duel, except that the mixes and values of states come from the network. If many states are
requested at once, as by exact solvers, it first fills a table of its whole duel.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, Level, Probabilities
from heartrush_agents.heart_rush.exact.equilibrium import EquilibriumPlayer
from heartrush_agents.heart_rush.learned.duel_view import COLUMNS, DuelView
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features, scenario_of
from heartrush_agents.learned.fitting import why_other_rules
from heartrush_agents.learned.network import Network
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.best_response import exploitability, solved_policies
from heartrush_env.research.duel import why_another_round, why_no_duel
from heartrush_env.research.plain.policy import Policy, solved_policy
from heartrush_env.research.solve import MEMORY, read_duel, solve_parts
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.text import escaped
from heartrush_env.tabletop.validate import is_whole

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
    from heartrush_env.research.duel import Duel

MANY = 512  # number of states in one request that makes it fill the whole table
PART = 2**13  # states per call of the network
Whole = NDArray[np.int64]
Floats = NDArray[np.float64]


def claims(game: HeartRush) -> dict[str, Any]:
    """Return the facts in which a game must match weights for all duels: the view, its size, and the rules."""
    return {
        "shape": None,
        "tables": None,
        "view": "duel",
        "columns": COLUMNS,
        "rules": dict(game.rules),
        "memory": 0,
    }


def why_unsupported(fits: Mapping[str, Any], game: Game) -> str | None:
    """Return why the network cannot play a game, as a clause, or None if it can."""
    played = cast("HeartRush", game)
    if fits.get("columns") != COLUMNS:
        return "its weights are for another view of duels than this version has"
    if reason := why_another_round(played) or why_no_duel(played, ("plain",)):
        return reason
    if other := why_other_rules(fits["rules"], game.rules, ignored=("profile",)):
        return other
    if any(read_duel(played).below):
        return "its fighters may go on below 0 hit points, and it was trained on duels that end at 0"
    return None


class NetworkTable(Tablebase):
    """The network's mixes and values of a duel's states, computed on request."""

    network: Network
    views: tuple[DuelView, DuelView]
    filled = False

    @classmethod
    def of(cls, duel: Duel, network: Network) -> NetworkTable:
        """Return the table of a duel, not yet filled."""
        table = cls(duel, None, np.zeros((1, *duel.shape)), (None, None), _always(duel))
        table.network, table.views = network, (DuelView(duel), DuelView(duel.turned()))
        return table

    def fill(self) -> NetworkTable:
        """Compute every state, so that the table becomes an ordinary one, and return the table."""
        if not self.filled:
            states = self.duel.standing
            self.values[0] = self.duel.new_values()
            self.values[(0, *states.T)] = self.values_of(states)
            mixes = []
            for seat, side in enumerate((self.duel, self.duel.turned())):
                own = _own_first(states, seat)
                mixes.append(np.zeros((1, *side.shape, len(STANCES))))
                mixes[seat][(0, *own.T)] = self._mixes(seat, own)
            self.mixes, self.filled = (mixes[0], mixes[1]), True
        return self

    def mixes_at(self, seat: int, places: Whole, layers: Whole) -> Floats:
        """Return a seat's probability of each stance, (n, stances)."""
        return super().mixes_at(seat, places, layers) if self.filled else self._mixes(seat, _own_first(places, seat))

    def values_at(self, places: Whole, layers: Whole) -> Floats:
        """Return the values of states for the first fighter, (n,)."""
        if self.filled:
            return super().values_at(places, layers)
        stands = (places[:, :2] > 0).all(axis=1)
        values = np.where(places[:, 0] > 0, 1.0, -1.0)
        values[stands] = self.values_of(places[stands])
        return values

    def values_of(self, states: Whole) -> Floats:
        """Return the network's values of states with both fighters standing, averaged over both seats' views, (n,)."""
        first, other = (self._ask(seat, _own_first(states, seat), self.network.value)[:, 0] for seat in (0, 1))
        return np.clip(0.5 * (first - other), -1.0, 1.0)

    def _mixes(self, seat: int, own: Whole) -> Floats:
        logits = self._ask(seat, own, self.network.policy)
        shares: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def _ask(self, seat: int, own: Whole, layers: Any) -> Floats:
        parts = [own[start : start + PART] for start in range(0, len(own), PART)] or [own]
        return np.concatenate([layers(self.views[seat].rows(part)) for part in parts]).astype(np.float64)


def _always(duel: Duel) -> tuple[Any, Any]:
    """Return attack tables in which both seats attack wherever they may.

    That is never worse, unless a shared stance is a contest only by choice.
    """
    empty = [np.ones((1, *side, 0), np.float32) for side in (duel.shape, duel.turned().shape)]
    return empty[0], empty[1]


def _own_first(states: Whole, seat: int) -> Whole:
    return states if seat == 0 else states[:, [1, 0, 3, 2]]


class DuelPlayer(EquilibriumPlayer):
    """A player of the network's mixes that shrugs off a hit if the network prefers the state after the shrug."""

    table: NetworkTable

    def __init__(self, game: Game, network: Network) -> None:
        """Bind the player to a game, and read the probabilities of its hits from the rules."""
        self.network = network
        super().__init__(game)

    def solve(self, game: HeartRush) -> NetworkTable:
        """Return the network's table of this duel, not yet filled."""
        return NetworkTable.of(read_duel(game), self.network)

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return the policies (n, actions) for features (n, features) and masks (n, actions)."""
        if len(features) >= MANY:
            self.table.fill()
        return super().policies(features, masks)

    def policy_in(self, duel: Duel) -> Policy:
        """Return the policy of the duel's first seat in every state, for exact solvers."""
        return solved_policy(self.table.fill(), duel.seats[0])

    def value(self, observation: Observation) -> float:
        """Return the seat's expected result, from -1 for a certain loss to 1 for a certain win."""
        seats, places, layers = self._view.where(observation["observation"][None])
        value = float(self.table.values_at(places, layers)[0])
        return value if seats[0] == 0 else -value


def nash_conv(network: Network, game: HeartRush) -> float:
    """Return the exact NashConv of a network in a plain duel, ignoring the round cap."""
    table = solve_parts(read_duel(game), None, MEMORY)
    return exploitability(table, solved_policies(NetworkTable.of(table.duel, network).fill())).nash_conv


@dataclass(frozen=True)
class Ranges:
    """The figures of the fighters that a network was trained on: the minimum and the maximum of each."""

    bounds: Mapping[str, tuple[int, int]]

    @classmethod
    def of(cls, scenarios: Iterable[Scenario]) -> Ranges:
        """Return the ranges of these scenarios."""
        sheets = [figures(sheet) for scenario in scenarios for sheet in scenario.fighters]
        return cls({key: (min(s[key] for s in sheets), max(s[key] for s in sheets)) for key in sheets[0]})

    @classmethod
    def on(cls, card: Mapping[str, Any]) -> Ranges:
        """Return the ranges on a card; raise ValueError if they are not pairs of whole numbers."""
        told = card["training"].get("ranges") if isinstance(card.get("training"), dict) else None
        if not isinstance(told, dict) or not all(
            isinstance(pair, list) and len(pair) == 2 and all(is_whole(end) for end in pair) for pair in told.values()
        ):
            raise ValueError("its ranges are missing or are not pairs of whole numbers")
        return cls({key: (low, high) for key, (low, high) in told.items()})

    def caution(self, game: Game) -> str | None:
        """Return a warning about a fighter beyond the ranges, as a clause, or None if all are within them."""
        for sheet in scenario_of(game).fighters:
            for key, value in figures(sheet).items():
                low, high = self.bounds.get(key, (value, value))
                if not low <= value <= high:
                    allowed = str(low) if low == high else f"{low} to {high}"
                    return (
                        f"{sheet.agent} has {key.replace('_', ' ')} {value}, and it was trained on {allowed}, so how "
                        "well it plays here is not known"
                    )
        return None


def figures(sheet: FighterSheet) -> dict[str, int]:
    """Return those figures of a fighter that decide a plain duel."""
    return {
        "might": sheet.might,
        "agility": sheet.agility,
        "cunning": sheet.cunning,
        "heart": sheet.heart,
        "hp": sheet.hp,
        "weapon_die": sheet.weapon.die,
        "defense": sheet.armor + sheet.shield,
        "attack_bonus": sheet.attack_bonus,
    }


def read_duelist(card: Mapping[str, Any], network: Network, levels: Mapping[str, Level]) -> Agent:
    """Return the agent of a card with weights for all duels; raise ValueError if its network has different sizes."""
    sizes = network.policy.sizes
    if (sizes[0], sizes[-1]) != (COLUMNS, len(STANCES)):
        raise ValueError(f"its network reads {sizes[0]} numbers and gives {sizes[-1]}")
    return Agent(
        card["id"],
        escaped(card["description"]),
        partial(DuelPlayer, network=network),
        why_unsupported=partial(why_unsupported, card["fits"]),
        caution=Ranges.on(card).caution,
        levels=levels,
        games=HEART_RUSH,
    )
