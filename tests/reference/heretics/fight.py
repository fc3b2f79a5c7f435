"""A second implementation of Heretics in plain Python, written from the rule text alone.

It is slow and plain on purpose. `Fight.play` is a generator: it yields an `Asked`, which says who is asked for what,
and is sent the names of the chosen actions by fighter. Dice come from a function that is given the number of sides.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from tests.reference.heretics.bands import Bands
from tests.reference.heretics.fighters import Fighter
from tests.reference.heretics.table import Over


class Fight(Bands):
    """A fight: rounds of phases until one side has won."""

    def play(self) -> Generator[Any, Any, None]:
        """Play the whole fight."""
        try:
            if self.scenario.get("mode") == "beats":
                yield from self.duel()
            else:
                yield from self.surprise()
            while True:
                yield from self.round()
        except Over as over:
            self.window, self.ending, self.winner = "over", over.ending, over.winner

    # -- sections 4 and 5 ----------------------------------------------------------------------------------------------

    def surprise(self) -> Any:
        """Roll for surprise, and play the free round of a side that surprises the other."""
        surprised = self.scenario.get("surprise", "roll")
        loser: int | None = None
        if self.rules["initiative"] == "leaders":
            self.first = self.leaders_roll()
            if self.margin >= 10:
                loser = 1 - self.first
        elif surprised == "roll":
            rolls = [self.roll(6) for _ in range(2)]
            low = [roll <= 2 for roll in rolls]
            if low[0] != low[1]:
                loser = self.heroes if low[0] else 1 - self.heroes
        elif surprised != "none":
            loser = self.sides.index(surprised)
        if loser is None:
            return
        for fighter in self.members(loser):
            fighter.conditions["surprised"] = None
        others = self.members(1 - loser)
        if any(it.able and not it.has("unaware") for it in others):
            yield from self.phase(1 - loser, others)
        for fighter in self.members(loser):
            fighter.conditions.pop("surprised", None)
        self.breaking_point(loser, "ambush")

    def leaders_roll(self) -> int:
        """Return the side whose leader wins the roll, and note its margin."""
        pair = [self.leader_of(self.heroes), self.leader_of(1 - self.heroes)]
        while True:
            totals = [self.d20(it, 0, self.is_hindered(it)) + it.ability["dex"] for it in pair]
            self.margin = abs(totals[0] - totals[1])
            keys = [(total, it.ability["dex"]) for total, it in zip(totals, pair, strict=True)]
            if keys[0] != keys[1]:
                return pair[0].side if keys[0] > keys[1] else pair[1].side

    def round(self) -> Any:
        """Play one round."""
        yield from self.offer_duel()
        self.number += 1
        self.intimidated = [False, False]
        for fighter in self.fighters:
            fighter.reaction = True
        heroes, others = self.heroes, 1 - self.heroes
        if self.rules["initiative"] == "dex_check":
            if self.number == 1:
                self.split_heroes()
            order = [(heroes, 0), (others, None), (heroes, 2)]
        elif self.rules["initiative"] == "leaders":
            if self.number > 1:
                self.first = self.leaders_roll()
            order = [(self.first, None), (1 - self.first, None)]
        else:
            first = heroes if self.roll(6) >= 4 else others
            order = [(first, None), (1 - first, None)]
        for side, turn in order:
            group = [it for it in self.members(side) if turn is None or it.turn == turn]
            if any(it.able and not it.has("unaware") for it in group):
                yield from self.phase(side, group)
        for fighter in self.fighters:
            if fighter.has("open") and fighter.open_until <= self.number:
                del fighter.conditions["open"]
            if fighter.has("aided") and fighter.aided_until <= self.number:
                del fighter.conditions["aided"]
        self.look_at_the_round()

    def split_heroes(self) -> None:
        """Roll who of the heroes' side acts before the enemies, and who after them."""
        number = max(it.defense("dex") for it in self.members(1 - self.heroes) if it.able)
        for fighter in self.members(self.heroes):
            if fighter.able:
                fighter.turn = 0 if self.check(fighter, "dex", number) else 2

    def phase(self, side: int, group: list[Fighter]) -> Any:
        """Play the phase of a side, or of a part of it."""
        self.side = side
        whole, group = group, [it for it in group if not it.has("unaware")]
        for fighter in group:
            fighter.action = True
            fighter.squares_left = self.speed(fighter)
            fighter.retrievals = 0
            fighter.order = fighter.order_target = None
            fighter.walled = False
            fighter.begin_phase()
        self.save_for_the_lost()
        yield from self.request(side)
        self.look_for_breaking_points()  # one that holds from the beginning counts from here
        retainers = [it for it in group if it.commander is not None]
        yield from self.windows([it for it in group if it.commander is None])
        if self.rules["retainers_as"] == "agents":
            yield from self.windows(retainers)
        else:
            for fighter in self.in_order(retainers):
                for part in range(2 if fighter.routed and not fighter.has("stunned") else 1):
                    if fighter.able:
                        yield from self.runs(fighter, part) if fighter.routed else self.serve(fighter)
                        self.look_for_end()
        self.burn(whole)
        self.end_phase(whole)

    def end_phase(self, group: list[Fighter]) -> None:
        """End the conditions that run out with a phase; sides that an enemy has acted against are aware (R-29)."""
        for fighter in group:
            fighter.end_phase()
        for fighter in self.fighters:
            if fighter.side in self.alarmed:
                fighter.conditions.pop("unaware", None)

    def windows(self, group: list[Fighter]) -> Any:
        """Play the windows of a phase."""
        yield from self.move_window("move", group)
        yield from self.act_windows(group)
        if self.rules["late_move"] == "on":
            yield from self.move_window("late_move", group)

    def burn(self, group: list[Fighter]) -> None:
        """Roll for fire and acid that have been on fighters since before this phase (R-28)."""
        for fighter in group:
            for name in ("burning", "corroding"):
                begun = fighter.conditions.get(name, 0)
                if fighter.able and (begun is None or begun >= 1):
                    self.hurt(fighter, self.roll(6))
        self.look_for_end()

    def request(self, side: int) -> Any:
        """Ask a side that holds a request whether to use it (R-30)."""
        able = [it for it in self.members(side) if it.is_there]
        speaker = self.speaker(side)
        if not self.requests[side] or not self.can_be_broken(1 - side) or speaker is None:
            return
        options = {"keep"}
        for fighter in able:
            options.add("request self" if fighter is speaker else f"request {self.place(speaker, fighter)}")
        chosen = (yield from self.ask("request", {speaker: options}))[speaker]
        if chosen == "keep":
            return
        word = chosen.split()[1]
        roller = speaker if word == "self" else self.at_place(speaker, int(word), side)
        self.requests[side] = False
        self.demand(roller, hears_only=False)

    # -- section 12 ----------------------------------------------------------------------------------------------------

    def look_at_the_round(self) -> None:
        """End the fight if the objective or the cap of rounds says so."""
        goal = self.objective
        if goal["kind"] == "hold" and self.number >= goal["count"]:
            side = self.sides.index(goal["team"])
            if any(it.able for it in self.members(side)):
                raise Over("objective", side)
        if self.number >= self.cap:
            raise Over("round_cap", None)


@dataclass
class Walk:
    """A fight that waits for choices: the open window, who is asked, and for what."""

    fight: Fight

    def __post_init__(self) -> None:
        self._steps = self.fight.play()
        self.asked: dict[Fighter, set[str]] = {}
        self._advance(None)

    def _advance(self, chosen: Mapping[Fighter, str] | None) -> None:
        try:
            asked = self._steps.send(chosen)
        except StopIteration:
            self.asked = {}
        else:
            self.fight.window, self.asked = asked.window, asked.options

    def choose(self, chosen: Mapping[Fighter, str]) -> None:
        """Go on to the next window."""
        for fighter, name in chosen.items():
            assert name in self.asked[fighter], f"{name} is not among {sorted(self.asked[fighter])}"
        self._advance(chosen)


def walk(scenario: Mapping[str, Any], roll: Callable[[int], int]) -> Walk:
    """Return a fight that waits for its first choices."""
    return Walk(Fight(scenario, roll))
