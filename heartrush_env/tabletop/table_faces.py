"""The words and views of a game of tables, derived from its events, its choices and its layout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heartrush_env.tabletop.choosing import ActionTable
from heartrush_env.tabletop.events import Events
from heartrush_env.tabletop.game import Event, FloatArray, Game
from heartrush_env.tabletop.layout import Layout
from heartrush_env.tabletop.tables import Counts, Flag, Line, Word
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import is_number
from heartrush_env.tabletop.views import Reveals, VectorViews, ViewError, short
from heartrush_env.tabletop.words import Offer, PlainWords

Places = Callable[[str], tuple[Sequence[str], Sequence[str]]]
Detail = Callable[[str, str, Mapping[str, Any]], str]


class TableWords(PlainWords):
    """Words made of the sentences of events and the menu words of choices."""

    between = " "

    def __init__(
        self,
        game: Game,
        events: Events,
        table: ActionTable,
        places: Places,
        fighters: Mapping[str, str],
        detail: Detail,
    ) -> None:
        """Make the words for fights of this game.

        Args:
            game: The game.
            events: Its declared events.
            table: Its table of actions.
            places: Returns the agents of a seat's enemies and allies, in the order in which actions number them.
            fighters: The display names of the fighters, by agent.
            detail: Returns the words for a choice's detail, given the choice's name, the detail and a seat's view.
        """
        super().__init__(game)
        self._events, self._table, self._places, self._fighters = events, table, places, fighters
        self._detail = detail

    @property
    def names(self) -> Mapping[str, str]:
        """The names of the seats, such as "Hedge Mage" and "Brigand 2"; a team goes by its own name."""
        return {agent: self._fighters.get(agent, agent) for agent in self._game.agents}

    def sentence(self, event: Event) -> str:
        """Return the sentence of the event's declaration, with the display names of the fighters."""
        told = self._events.sentence({key: self._named(value) for key, value in event.items()})
        return told[:1].upper() + told[1:]

    def _named(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._named(each) for each in value]
        return self._fighters.get(value, value) if isinstance(value, str) else value

    def offers(self, seat: str, view: Mapping[str, Any], legal: Mapping[int, str]) -> list[Offer]:
        """Return the legal choices in the order of the action table; squares are named by column and row, as in 7,4."""
        places, offers = self._places(seat), []
        own, steps = view.get("self", {}), self._table.steps
        for action, name in legal.items():
            target, detail = self._table.target(action, *places), self._table.detail(action)
            step, square = steps[action], None
            if step is not None and "column" in own:
                square = own["column"] + step[0], own["row"] + step[1]
                detail = f"{square[0]},{square[1]}"
            else:
                detail = self._detail(self._table.choices[action].name, detail, view)
            offers.append(Offer(name, self._table.words(action, self._named(target), detail), target, square))
        return offers


class TableViews(VectorViews):
    """Views with the lines of the layout as named fields, grouped by owner: "moment", "self", "enemy 1", ..."""

    named = True

    def __init__(self, game: Game, layout: Layout) -> None:
        """Make the views of this game, whose observations have this layout."""
        super().__init__(game)
        self._layout = layout

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the named fields."""
        return self._layout.schema()

    def read(self, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
        """Return the values of the lines by owner, and the vector."""
        return {**self._layout.read(observation.tolist()), "observation": short(observation)}

    def write(self, seat: str, view: Mapping[str, Any]) -> FloatArray:
        """Return the vector that the named fields describe; raise ViewError if they do not fit the game."""
        numbers = [0.0] * len(self._layout.features)
        at = 0
        for owner, block in self._layout.parts:
            said = view.get(owner)
            if not isinstance(said, Mapping):
                raise ViewError(f"{owner}: expected an object, got {show(said)}")
            for line in block.lines:
                if line.name not in said:
                    raise ViewError(f"{owner}, {line.name}: expected {_allowed(line)}, but the field is missing")
                if not _fits(line, said[line.name]):
                    raise ViewError(f"{owner}, {line.name}: expected {_allowed(line)}, got {show(said[line.name])}")
            block.show(said, numbers, at)
            at += len(block)
        return self.checked(numbers)


def _fits(line: Line, value: Any) -> bool:
    """Return whether a line can show this value."""
    if isinstance(line, Word):
        return value is None or (isinstance(value, str) and value in line.words)
    if isinstance(line, Counts):
        return isinstance(value, Mapping) and all(key in line.words and is_number(each) for key, each in value.items())
    return isinstance(value, bool) if isinstance(line, Flag) else is_number(value)


def _allowed(line: Line) -> str:
    """Return the values that a line can show, in words."""
    if isinstance(line, Word):
        return f"null or one of {', '.join(line.words)}"
    if isinstance(line, Counts):
        return f"numbers for some of {', '.join(line.words)}"
    return "true or false" if isinstance(line, Flag) else "a number"
