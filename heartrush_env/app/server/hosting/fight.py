"""One hosted fight: its windows as the seats see them, their choices, and the narrated events."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from typing import Any, Final

import msgspec
import numpy as np
from heartrush_agents.base import Player

from heartrush_env.app.server.hosting.messages import HostError, Mine, Offer, Told
from heartrush_env.app.server.hosting.slots import Slot
from heartrush_env.app.server.hosting.store import Chosen
from heartrush_env.protocol.requests import History
from heartrush_env.tabletop.game import MISSING, Event, Game, Observation
from heartrush_env.tabletop.views import views_of
from heartrush_env.tabletop.words import words_of

FIGHT_NUMBER: Final = 0
_TOLD: Final = msgspec.json.Decoder(Told)


class HostedFight:
    """A fight in a batch slot. Its only secrets are the choices of the open window."""

    def __init__(self, game: Game, seed: int, slot: Slot, players: Mapping[str, Player]) -> None:
        """Start a fight, with these players in the agents' seats."""
        self.game, self.seed, self.players = game, seed, dict(players)
        self._slot = slot
        self._words, self._views, self._history = words_of(game), views_of(game), History()
        self._read_view = getattr(self._views, "fields", self._views.read)  # without the vector where views can do so
        self.names = self._words.names  # the display names of the seats
        self._teller, self._reader = self._words.teller(), self._words.teller()  # the first words events when asked to
        self._follow = getattr(self._reader, "follow", self._reader.tell)  # not all games' tellers can skip the words
        self._actions, self._places = game.action_names, {seat: place for place, seat in enumerate(game.agents)}
        self.window = 0  # windows played so far
        self.seconds_of_a_choice = math.inf if players else 0.0  # that an agent has needed of late
        self.chosen: dict[str, Chosen] = {}
        self._told: list[bytes] = []  # the events as JSON, which takes less memory than objects
        self._worded = 0  # how many of them have their lines
        self.bytes_told = 0
        self.rewards = dict.fromkeys(self._places, 0.0)
        self.winners: list[str] = []  # the teams that have won
        self.over = False  # whether the fight has ended
        self._legal: dict[str, list[int]] = {}  # the legal actions of each seat in the open window
        self._asked: list[str] = []
        self._opened: list[str] = []  # the seats that were asked when the window opened
        self.lacks_parts = False  # whether choices of this window lack parts, which only their seats know
        self._public: dict[str, Any] | None = None  # facts of the open window, cached at the first access
        for player in self.players.values():
            player.new_match()
            player.new_fight()
        slot.batch.start([slot.number], seed, [FIGHT_NUMBER])
        self._tell(-1)

    # -- looking -------------------------------------------------------------------------------------------------------

    @property
    def public(self) -> dict[str, Any]:
        """The facts that every seat and spectator sees."""
        if self._public is None:
            self._public = self._slot.batch.describe(self._slot.number)
        return self._public

    @property
    def picture(self) -> str:
        """The fight as lines of text; empty if clients can draw it from the public facts."""
        return picture_of(self.game, self.public)

    @property
    def standing(self) -> str:
        """Every fighter's condition, in one line."""
        return self._reader.standing()

    @property
    def events(self) -> int:
        """The number of events so far."""
        return len(self._told)

    def told(self, since: int = 0, most: int | None = None) -> list[Told]:
        """Return the events from number `since` on, at most `most` of them; `bytes_told` may grow by their lines."""
        for number in range(self._worded, len(self._told)):
            told = _TOLD.decode(self._told[number])
            told.lines = [str(line) for line in self._teller.tell([told.event])]
            self._keep(number, told)
        self._worded = len(self._told)
        return [_TOLD.decode(line) for line in self._told[since:][:most]]

    def asked(self) -> list[str]:
        """Return the seats that have a choice in this window."""
        return self._asked

    def shows_asked(self, seat: str, to: str | None) -> bool:
        """Return whether a seat appears to have been asked, as seen by seat `to` or, if None, by spectators.

        Only a seat itself sees that it is asked for a missing part of its choice.
        """
        return seat in self._opened

    def shows_chosen(self, seat: str, to: str | None) -> bool:
        """Return whether a seat appears to have chosen, as seen by seat `to` or, if None, by spectators.

        A seat that still has to complete its choice appears to all others to have chosen.
        """
        completes = self.lacks_parts and seat in self._opened and not (seat == to and seat in self._asked)
        return seat in self.chosen or completes

    def waited_for(self) -> list[str]:
        """Return the seats that a refusal may name.

        These are the seats that still have to choose. While a choice is incomplete, these are all seats that were asked
        when the window opened, so that a refusal does not reveal which seat has to complete its choice.
        """
        return self._opened if self.lacks_parts else self.waiting()

    def waiting(self) -> list[str]:
        """Return the seats that have a choice and have not made it."""
        return [seat for seat in self.asked() if seat not in self.chosen]

    def people_to_wait_for(self) -> list[str]:
        """Return the people's seats that have a choice and have not made it; agents choose after them."""
        return [seat for seat in self.waiting() if seat not in self.players]

    def mine(self, seat: str) -> Mine:
        """Return a seat's view, with its legal choices if it still has to choose."""
        view = self._read_view(seat, self._observation(seat)["observation"], self._history.reveals)
        if self._views.named:
            view.pop("observation", None)
        return Mine(seat=seat, view=view, legal=self._options(seat, view) if seat in self.waiting() else [])

    def _options(self, seat: str, view: Mapping[str, Any]) -> list[Offer]:
        names = {number: self._actions[number] for number in self._legal[seat]}
        offers = self._words.offers(seat, view, names)
        return [Offer(name=each.name, words=each.words, target=each.target) for each in offers]

    def _observation(self, seat: str) -> Observation:
        batch, number, place = self._slot.batch, self._slot.number, self._places[seat]
        return {
            "observation": batch.vectors[number, place].copy(),
            "action_mask": batch.masks[number, place].copy(),
        }

    # -- choosing ------------------------------------------------------------------------------------------------------

    def check(self, seat: str, window: int, chosen: Chosen) -> None:
        """Raise HostError for a choice that the seat may not make now."""
        if self.over:
            raise HostError("over", "The fight is over.")
        if window != self.window:
            raise HostError("late", f"The choice is for window {window}, but this is window {self.window}.")
        if seat in self.chosen:
            raise HostError("chosen", f"{seat} has chosen already, and waits for {_names(self.waited_for())}.")
        if seat not in self.asked():
            raise HostError(
                "not_asked", f"{seat} has no choice in this window, which waits for {_names(self.waited_for())}."
            )
        legal = [self._actions[number] for number in self._legal[seat]]
        if chosen not in legal:
            allowed = ", ".join(legal[:8]) + (", ..." if len(legal) > 8 else "")
            raise HostError("illegal", f"{seat}: expected {allowed}, got {str(chosen)[:60]!r}.")

    def choice_of_agent(self, seat: str) -> Chosen:
        """Return the choice of a seat's agent; repeated calls agree, unless the choice depends on the time to think."""
        begun = time.perf_counter()
        action = self._choice_of(seat)
        spent, before = time.perf_counter() - begun, self.seconds_of_a_choice
        self.seconds_of_a_choice = spent if before == math.inf else max(spent, before / 2)
        return self._actions[action] if action != MISSING else None

    def choose_again(self, window: int, chosen: Mapping[str, Chosen]) -> None:
        """Repeat the stored choices of a window, and play the window if they complete it.

        Agents that learn over a match observe the window again.

        Raises:
            HostError: These choices cannot have been made.
        """
        for seat, each in chosen.items():
            if each is None and window == self.window and seat in self.waiting():  # its time ran out
                continue
            self.check(seat, window, each)
        for seat in chosen:
            if seat in self.players and self.players[seat].memory == "match":
                self._choice_of(seat)
        self.chosen.update(chosen)
        if not self.waiting():
            self.play(self.chosen)

    def _choice_of(self, seat: str) -> int:
        rng = np.random.default_rng([self.seed, self._places[seat], self.window])
        return self.players[seat].act(self._observation(seat), rng)

    def play(self, chosen: Mapping[str, Chosen]) -> None:
        """Play the window with the choices of all seats that have one; None plays the fallback."""
        row = []
        for seat, legal in self._legal.items():
            each = chosen.get(seat)
            named = (number for number in legal if self._actions[number] == each)
            row.append(legal[0] if len(legal) == 1 else next(named, MISSING))
        self._slot.step(row)
        for seat, reward in zip(self._places, self._slot.batch.rewards[self._slot.number].tolist(), strict=True):
            self.rewards[seat] += reward
        window, self.window, self.chosen = self.window, self.window + 1, {}
        self._tell(window)

    def _tell(self, window: int) -> None:
        """Keep the events of the window just played, show them to the agents, and open the next window."""
        events: list[Event] = self._slot.batch.events(self._slot.number)
        self._history.observe(events)
        self._follow(events)
        for player in self.players.values():
            player.observe(events)
        for event in events:
            if event["type"] == "end":
                self.winners = list(event["winners"])
            self._told.append(b"")
            self._keep(self.events - 1, Told(number=self.events - 1, window=window, event=event, lines=[]))
        batch, number = self._slot.batch, self._slot.number
        self.over = bool(batch.terminated[number] or batch.truncated[number])
        self._legal = {seat: batch.legal(number, place) for seat, place in self._places.items()}
        self._asked = [] if self.over else [seat for seat, legal in self._legal.items() if len(legal) > 1]
        lacks_parts = getattr(self._slot.batch, "lacks_parts", None)  # games without such choices need no such method
        self.lacks_parts = lacks_parts is not None and lacks_parts(self._slot.number)
        if not self.lacks_parts:
            self._opened = self._asked
        self._public = None

    def _keep(self, number: int, told: Told) -> None:
        line = msgspec.json.encode(told)
        self.bytes_told += len(line) - len(self._told[number])
        self._told[number] = line


def picture_of(game: Game, public: Mapping[str, Any]) -> str:
    """Return a fight as lines of text; empty if the public facts contain every seat's fighter, for clients to draw."""
    fighters = public.get("fighters")
    drawn = isinstance(fighters, Mapping) and fighters.keys() >= set(game.agents)
    return "" if drawn else game.text_picture(public)


def _names(seats: list[str]) -> str:
    return " and ".join(seats) or "no seat"
