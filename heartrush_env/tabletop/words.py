"""The words of a game: how its fights and choices are described to people.

A game may have words of its own as its attribute `words`. A game of tables has those of its declared events and choices
(tabletop/table_faces.py). Any other game is described in plain words, made of its events and its actions' names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from heartrush_env.tabletop.game import Event, Game

BEGINNINGS: Final = ("round", "beat")  # the types of events that begin a part of a fight


class Line(str):
    """A line of text; `mark` is its kind for displays: title, aside, loss, or empty."""

    mark: str

    def __new__(cls, text: str, mark: str = "") -> Line:
        """Create a line with its mark."""
        line = super().__new__(cls, text)
        line.mark = mark
        return line


class Offer(NamedTuple):
    """A legal choice: its name for programs, its words for people, and the fighter or the square that it concerns."""

    name: str
    words: str
    target: str = ""
    square: tuple[int, int] | None = None  # column and row, counted from 0 at the top left


class Teller(Protocol):
    """A narrator of one fight, which turns the events into lines."""

    def tell(self, events: Iterable[Event]) -> list[Line]:
        """Return the lines for the next events."""

    def standing(self) -> str:
        """Return every fighter's state in one line; empty if the events do not show it."""


class Words(Protocol):
    """The words of a game."""

    @property
    def names(self) -> Mapping[str, str]:
        """The display name of each seat."""

    def teller(self) -> Teller:
        """Return a narrator for a new fight."""

    def introduction(self, players: Mapping[str, str]) -> list[str]:
        """Return lines that introduce the fight; `players` names the player of each team."""

    def by_round(self, events: Sequence[Event]) -> list[str]:
        """Return one line for each round of a whole fight."""

    def offers(self, seat: str, view: Mapping[str, Any], legal: Mapping[int, str]) -> list[Offer]:
        """Return a seat's legal choices in menu order; `legal` names its legal actions by number."""


def words_of(game: Game) -> Words:
    """Return the game's own words, or plain ones."""
    own: Words | None = getattr(game, "words", None)
    return PlainWords(game) if own is None else own


class PlainWords:
    """Words that are made of events and names alone."""

    between = "; "  # separates the events of a round in one line

    def __init__(self, game: Game) -> None:
        """Make the words for fights of this game."""
        self._game = game

    @property
    def names(self) -> Mapping[str, str]:
        """The seats' own names."""
        return {agent: agent for agent in self._game.agents}

    def teller(self) -> PlainTeller:
        """Return a narrator for a new fight."""
        return PlainTeller(self.sentence)

    def sentence(self, event: Event) -> str:
        """Return an event as text, as in "damage: fighter hand_0, amount 1"."""
        parts = [f"{key.replace('_', ' ')} {_shown(value)}" for key, value in event.items() if key != "type"]
        return f"{event['type'].replace('_', ' ')}{': ' if parts else ''}{', '.join(parts)}"

    def introduction(self, players: Mapping[str, str]) -> list[str]:
        """Return the scenario's name, and a line for each seat with its team and player."""
        seats = zip(self._game.agents, self._game.teams, strict=True)
        lines = [f"{self.names[agent]} ({team}, played by {players[team]})" for agent, team in seats]
        return [f"{self._game.scenario_name}, a scenario of {self._game.name}", "", *lines]

    def by_round(self, events: Sequence[Event]) -> list[str]:
        """Return one line for the events before the first round or beat, if any, then one for those of each."""
        rounds: list[list[str]] = [[]]
        for event in events:
            if event["type"] in BEGINNINGS:
                rounds.append([])
            rounds[-1].append(self.sentence(event))
        return [self.between.join(told) for told in rounds if told]

    def offers(self, seat: str, view: Mapping[str, Any], legal: Mapping[int, str]) -> list[Offer]:
        """Return the legal choices, with their names as words."""
        return [Offer(name, name.replace("_", " ")) for name in legal.values()]


class PlainTeller:
    """A narrator that describes each event in one line."""

    def __init__(self, sentence: Callable[[Event], str]) -> None:
        """Make a narrator that phrases events with this function."""
        self._sentence = sentence

    def tell(self, events: Iterable[Event]) -> list[Line]:
        """Return a line for each event; the line that begins a round or a beat is a title."""
        told = ((event["type"] in BEGINNINGS, self._sentence(event)) for event in events)
        return [Line(words, "title") if begins else Line(f"  {words}") for begins, words in told]

    def standing(self) -> str:
        """Return "": the fields of events do not show what state a fighter is in."""
        return ""


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return " and ".join(f"{key} {_shown(each)}" for key, each in value.items()) or "none"
    if isinstance(value, list | tuple):
        return " and ".join(map(_shown, value)) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return str(value)
