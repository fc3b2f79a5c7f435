"""A table to play at: a fight described in a few words, with its dice laid out, played with the names of actions.

    table = Table(["sellsword"], ["archer"], dice=[4, 11, 4])
    table.play("attack 1", "keep")
    assert table.hp("archer_0") == 1

Each action is that of the first seat that is asked. Fighters are names of the data file, or tables. A table is strict:
an action that is not legal, a die that was not laid out and (by a fixture in conftest.py) a die that is not rolled fail
the test. `play` returns the table, so that calls can be chained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.terms import CONDITIONS
from heartrush_env.games.heretics.weapons import ITEMS

FighterLike = str | Mapping[str, Any]
OPEN = ["." * 10] * 10


class Table:
    """One fight of blue heroes against red, without surprise, with everything that a test asks about it."""

    laid: ClassVar[list[Table]] = []  # the tables of the running test

    def __init__(
        self, blue: Sequence[FighterLike], red: Sequence[FighterLike], *, dice: Sequence[int] = (),
        heroes: str = "blue", field: Sequence[str] | None = None, surprise: str = "none", control: str = "fighter",
        more: Any = None, **rules: Any,
    ) -> None:  # fmt: skip
        fighters = [_fighter(it, "blue") for it in blue] + [_fighter(it, "red") for it in red]
        scenario: dict[str, Any] = {"heroes": heroes, "surprise": surprise, "fighter": fighters, **(more or {})}
        if field is not None:
            scenario["battlefield"] = {"map": list(field), **scenario.get("battlefield", {})}
        self.game = Heretics(scenario, rules, control=control)
        self.batch = self.game.batch(1, record=True)
        self.dice = len(dice)
        self.batch.start([0], 1, [0], list(dice))
        self.events = list(self.batch.events(0))
        Table.laid.append(self)

    @property
    def fight(self) -> Any:
        """The engine's record."""
        return self.batch.records[0]

    @property
    def asked(self) -> list[str]:
        """The agents that are asked."""
        return [agent for agent, is_asked in zip(self.game.agents, self.batch.asked[0], strict=True) if is_asked]

    def legal(self, agent: str | None = None) -> list[str]:
        """Return the legal actions of an agent, by default of the first that is asked."""
        seat = self.game.agents.index(self.asked[0] if agent is None else agent)
        return [self.game.action_names[action] for action in self.batch.legal(0, seat)]

    def play(self, *actions: str | Mapping[str, str]) -> Table:
        """Play windows in order: in each an action of the first asked agent, or actions of several by name."""
        for action in actions:
            chosen = {self.asked[0]: action} if isinstance(action, str) else dict(action)
            row = np.full((1, len(self.game.agents)), -1)
            for agent in self.asked:
                name = chosen.pop(agent, "stay" if "stay" in self.legal(agent) else "stand_by")
                assert name in self.legal(agent), f"{agent}: {name} is not among {self.legal(agent)}: {self.text}"
                row[0, self.game.agents.index(agent)] = self.game.action_names.index(name)
            assert not chosen, f"not asked: {sorted(chosen)}, but {self.asked}: {self.text}"
            self.batch.step(row)
            self.events += self.batch.events(0)
            assert not self.fight.draw, f"a die was rolled that was not laid out: {self.text}"
        return self

    @property
    def text(self) -> str:
        """The public facts of the fight."""
        return str(self.batch.describe(0))

    @property
    def window(self) -> str:
        """The open window."""
        return str(self.batch.describe(0)["window"])

    def fighter(self, name: str) -> Any:
        """Return a fighter's record."""
        return self.fight.fighters[self.game.fighters.index(name)]

    def hp(self, name: str) -> int:
        """Return a fighter's hit points."""
        return int(self.fighter(name).hp)

    def at(self, name: str) -> tuple[int, int]:
        """Return a fighter's square."""
        return int(self.fighter(name).x), int(self.fighter(name).y)

    def held(self, name: str) -> str | None:
        """Return the weapon that a fighter holds, or None."""
        held = int(self.fighter(name).held)
        return ITEMS[held] if held >= 0 else None

    def conditions(self, name: str) -> set[str]:
        """Return a fighter's conditions."""
        return {word for k, word in enumerate(CONDITIONS) if self.fighter(name).afflicted >> k & 1}

    def told(self, kind: str) -> list[dict[str, Any]]:
        """Return all events of a kind so far."""
        return [event for event in self.events if event["type"] == kind]

    @property
    def dice_left(self) -> int:
        """The number of laid-out dice that have not been rolled."""
        return self.dice - int(self.fight.given_used)


def _fighter(given: FighterLike, team: str) -> dict[str, Any]:
    own = {"from": given} if isinstance(given, str) else dict(given)
    return {"team": team, **own}


def at(name: str, x: int, y: int, **more: Any) -> dict[str, Any]:
    """Return a fighter of the data file on a square."""
    return {"from": name, "at": [x, y], **more}
