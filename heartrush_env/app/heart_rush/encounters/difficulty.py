"""The difficulty of an encounter, in one word with stated limits, and the fights that were never in doubt."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_env.app.heart_rush.encounters.tally import Tally


class Band(NamedTuple):
    """A band of difficulty; an encounter is in the first band with all its limits met."""

    name: str
    wins: float  # the party wins at least this fraction of fights
    spent: float  # and loses at most this fraction of its hit points in an average fight
    death: float  # and a member dies in at most this fraction of fights


BANDS: Final = (
    Band("trivial", 0.99, 0.20, 0.01),
    Band("easy", 0.95, 0.40, 0.03),
    Band("fair", 0.80, 0.65, 0.10),
    Band("hard", 0.50, 1.00, 0.50),
    Band("deadly", 0.00, 1.00, 1.00),
)


def band_of(wins: float, spent: float, death: float) -> Band:
    """Return the band of an encounter from the three fractions."""
    return next(band for band in BANDS if wins >= band.wins and spent <= band.spent and death <= band.death)


def in_words(band: Band) -> str:
    """Return the limits of a band in words."""
    if band is BANDS[-1]:
        return "beyond all other bands"
    said = f"wins at least {100 * band.wins:.0f} %"
    if band.spent < 1:
        said += f", at most {100 * band.spent:.0f} % of hit points spent"
    return f"{said}, a death in at most {100 * band.death:.0f} % of fights"


def never_in_doubt(tally: Tally) -> NDArray[np.bool_]:
    """Return in which fights the winner was ahead, by fraction of hit points, after every round, (fights,)."""
    return np.where(tally.result > 0, tally.lead[:, 0] > 0, (tally.result < 0) & (tally.lead[:, 1] < 0))
