"""A game master's wish for an encounter, and how closely and how surely an encounter meets it."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from heartrush_env.app.encounters.tally import Tally, spent_shares
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.intervals import Z_95, share_of

WITHIN: Final = 0.05  # tolerance around a single win rate
DRAWS: Final = 20_000  # number of posterior draws of the true fractions
_WINS = re.compile(r"(?:win\s+)?(\d+(?:\.\d+)?)\s*%?(?:\s*(?:-|to)\s*(\d+(?:\.\d+)?)\s*%?)?", re.ASCII)
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%?", re.ASCII)


@dataclass(frozen=True)
class Wish:
    """The limits of an encounter, as fractions; 0 for no limit."""

    least_wins: float
    most_wins: float
    spent: float = 0.0  # the party spends at least this fraction of its hit points in an average fight
    no_death: float = 0.0  # no party member dies in at least this fraction of fights

    @property
    def middle(self) -> float:
        """The midpoint of the win rates."""
        return (self.least_wins + self.most_wins) / 2

    @property
    def words(self) -> str:
        """The wish in words."""
        said = [f"wins {100 * self.least_wins:.0f} to {100 * self.most_wins:.0f} %"]
        if self.spent:
            said.append(f"at least {100 * self.spent:.0f} % of hit points spent")
        if self.no_death:
            said.append(f"no death in at least {100 * self.no_death:.0f} % of fights")
        return ", ".join(said)


def read_wish(wins: str, spent: str | None = None, no_death: str | None = None) -> Wish:
    """Parse `win 65%` (a tolerance of five points is added) or `win 60-70%`, and percentages such as `50%`."""
    found = _WINS.fullmatch(wins.strip())
    ends = [float(end) / 100 for end in found.groups() if end is not None] if found else []
    if not ends or not 0 <= ends[0] <= ends[-1] <= 1:
        raise HeartRushError(f'Expected a wish such as "win 65%" or "win 60-70%", got {wins!r}.')
    low, high = (ends[0] - WITHIN, ends[0] + WITHIN) if len(ends) == 1 else ends
    return Wish(max(0.0, low), min(1.0, high), _read_share("spent", spent), _read_share("no-death", no_death))


def _read_share(name: str, text: str | None) -> float:
    if text is None:
        return 0.0
    found = _SHARE.fullmatch(text.strip())
    if not found or float(found[1]) > 100:
        raise HeartRushError(f"--{name}: expected a share from 0% to 100%, got {text!r}.")
    return float(found[1]) / 100


@dataclass(frozen=True)
class Score:
    """The counts that are compared with a wish."""

    fights: int = 0
    wins: int = 0
    deathless: int = 0
    spent: float = 0.0  # sums over fights of the fraction of hit points spent, and of its square
    spent_squared: float = 0.0

    def __add__(self, other: Score) -> Score:
        return Score(*(mine + others for mine, others in zip(vars(self).values(), vars(other).values(), strict=True)))

    @property
    def win_rate(self) -> float:
        """The fraction of fights that the party won."""
        return self.wins / self.fights

    @property
    def no_death(self) -> float:
        """The fraction of fights in which no party member died."""
        return self.deathless / self.fights

    @property
    def mean_spent(self) -> float:
        """The mean fraction of its hit points that the party spends."""
        return self.spent / self.fights

    @property
    def spent_error(self) -> float:
        """The standard error of `mean_spent`; 0.5 for a single fight."""
        if self.fights < 2:
            return 0.5
        variance = max(0.0, self.spent_squared / self.fights - self.mean_spent**2)
        return math.sqrt(variance / (self.fights - 1))

    def miss(self, wish: Wish) -> float:
        """Return the distance to the wish, in units of the tolerance; it is smallest in the middle of the win rates."""
        outside = max(0.0, wish.least_wins - self.win_rate, self.win_rate - wish.most_wins)
        short = max(0.0, wish.spent - self.mean_spent) + max(0.0, wish.no_death - self.no_death)
        return (outside + short + abs(self.win_rate - wish.middle) / 10) / WITHIN

    def meets(self, wish: Wish) -> bool:
        """Return whether the counted fractions meet the wish."""
        wins = wish.least_wins <= self.win_rate <= wish.most_wins
        return wins and self.mean_spent >= wish.spent and self.no_death >= wish.no_death

    def surety(self, wish: Wish) -> float:
        """Return the probability that the true fractions meet all limits of the wish.

        Fractions of fights have Jeffreys' prior, and the mean of hit points spent has a normal distribution. All are
        treated as independent.
        """
        chance = np.random.default_rng(0)
        wins = chance.beta(self.wins + 0.5, self.fights - self.wins + 0.5, DRAWS)
        alive = chance.beta(self.deathless + 0.5, self.fights - self.deathless + 0.5, DRAWS)
        spent = chance.normal(self.mean_spent, self.spent_error, DRAWS)
        met = (wins >= wish.least_wins) & (wins <= wish.most_wins)
        if wish.spent:
            met &= spent >= wish.spent
        if wish.no_death:
            met &= alive >= wish.no_death
        return float(met.mean())

    def as_dict(self) -> dict[str, object]:
        """Return the fractions with their 95 % intervals as JSON-able data."""
        half = Z_95 * self.spent_error
        return {
            "fights": self.fights,
            "win": share_of(self.wins, self.fights),
            "no_death": share_of(self.deathless, self.fights),
            "hp_spent": {"mean": self.mean_spent, "low": self.mean_spent - half, "high": self.mean_spent + half},
        }


def score(tally: Tally, in_party: np.typing.NDArray[np.bool_]) -> Score:
    """Return the score of some fights."""
    spent = spent_shares(tally, in_party)
    return Score(
        tally.fights,
        int((tally.result > 0).sum()),
        int(tally.deathless(in_party).sum()),
        float(spent.sum()),
        float((spent**2).sum()),
    )
