"""Why a fight has gone on to its round cap, told from the events of its last rounds."""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

from heartrush_env.tabletop.game import Event

LATEST: Final = 10  # rounds that count


class Stalemate:
    """The latest rounds of a fight, and what has kept them from ending it."""

    def __init__(self) -> None:
        """Begin before the first round."""
        self._rounds: deque[Counter[str]] = deque(maxlen=LATEST)

    def see(self, event: Event) -> None:
        """Count an event."""
        kind = event["type"]
        if kind == "round":
            self._rounds.append(Counter())
        if not self._rounds:
            return
        self._rounds[-1][kind] += 1
        if kind == "attack":
            self._rounds[-1]["points"] += max(0, event["damage"])
        if kind == "damage":
            self._rounds[-1]["lost"] += event["amount"]

    def reason(self) -> str:
        """Return the reason in one sentence; "" before the first round."""
        if not self._rounds:
            return ""
        seen = sum(self._rounds, Counter())
        lately = f"in the last {len(self._rounds)} rounds" if len(self._rounds) > 1 else "in the last round"
        if seen["lost"] and seen["heal"]:
            return f"Healing has kept up with the damage {lately}."
        if seen["lost"]:
            return f"Fighters have still lost hit points {lately}, but too few."
        if seen["attack"] and seen["points"]:
            return f"All damage has been reduced to nothing {lately}."
        if seen["attack"]:
            return f"No attack has hit {lately}."
        if seen["maneuver"]:
            return f"Fighters have tried maneuvers {lately}, but have not attacked."
        if seen["move"]:
            return f"Fighters have stayed out of reach {lately}: they have moved, but have not attacked."
        return f"Fighters have stood still {lately}: they have neither moved nor attacked."
