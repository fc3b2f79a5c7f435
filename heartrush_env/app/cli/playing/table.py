"""A session of `heartrush play`: one fight of a person, in any game; a game may define its own class of sessions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, TextIO, cast

import numpy as np
from heartrush_agents.base import Agent

from heartrush_env.app.cli.playing.asking import Asking
from heartrush_env.app.cli.playing.fight import Fight
from heartrush_env.app.cli.playing.person import Person
from heartrush_env.app.cli.playing.screen import MANY_LINES, Screen
from heartrush_env.envs.match_runner import Players
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event, Game
from heartrush_env.tabletop.menus import Choice, Unclear
from heartrush_env.tabletop.registry import module_of
from heartrush_env.tabletop.views import views_of
from heartrush_env.tabletop.words import Offer, words_of

Square = tuple[int, int]  # column and row
NULL_ACTION = 0  # of every game
REACHED, STAYS = "+", " 0,0"  # the sign of a square that can be reached; the end of the name of staying in one's own
SAY_SQUARE = f"Type a square marked {REACHED}: its column and row, as in 7,4."
SQUARE = re.compile(r"(?:[a-z ]+ )?(\d{1,4})\s*[, ]\s*(\d{1,4})", re.IGNORECASE)
HELP = """\
Type the number of a choice, its name, or an unambiguous beginning of it.
q  leave the fight (Ctrl-C leaves at once)
?  this"""


@dataclass(frozen=True)
class Table:
    """The environment and the players of one fight."""

    env: ParallelFights
    seat: str
    agents: Mapping[str, Agent]  # the agents of all other seats
    seed: int
    real_dice: bool


def session_of(game: str) -> type[Session]:
    """Return the session of a game: the class that its module names as SESSION, or `Session` itself."""
    named = getattr(module_of(game, "game"), "SESSION", None)
    if named is None:
        return Session
    module, _, name = named.partition(":")
    return cast("type[Session]", getattr(import_module(module), name))


class Session:
    """One fight of any game, shown with the game's words for events and choices and with its text picture."""

    rounds: ClassVar[Mapping[str, int]] = {}  # about how many rounds a fight takes, by scenario

    @staticmethod
    def seated(game: Game, seat: str, rules: Mapping[str, Any]) -> Game:
        """Return the game with the options for a person at this seat; `rules` are the settings that the person gave."""
        return game

    @staticmethod
    def show_fighters(screen: Screen, game: Game) -> None:
        """Show what helps to choose a fighter; by default nothing, because the list of seats is enough."""

    def __init__(
        self, table: Table, person: Person, stream: TextIO | None = None, screen: Screen | None = None
    ) -> None:
        """Set up the players, the words and the screen."""
        game = table.env.game
        self.table, self.person, self.game, self.seat = table, person, game, table.seat
        self.screen = Screen(stream) if screen is None else screen
        self.asking = Asking(person, self.screen.say)
        self.asking.confirms = True
        self.words, self.views = words_of(game), views_of(game)
        self.players = Players(game, {agent: who.seat(game) for agent, who in table.agents.items()})
        self.fight = self.new_fight()
        self._teller = self.words.teller()
        self._shown = ""  # the last picture

    def new_fight(self) -> Fight:
        """Return the fight; `play` starts it."""
        if self.table.real_dice:
            raise HeartRushError(f"--dice: expected a game that names its rolls, got {self.game.name}.")
        return Fight(self.table.env, self.table.seed, self.tell)

    def introduce(self) -> None:
        """Show what a person should know before the fight."""
        self.screen.say("? helps, q leaves.", "dim")

    def play(self) -> None:
        """Play to the end, and show the result."""
        self.fight.play_out(self.players, self.seat, self.ask, self.hear)
        paid = self.fight.rewards[self.seat]
        self.screen.muted = False
        self.screen.say()
        self.screen.show_title("You win" if paid > 0 else "You lose" if paid < 0 else "A draw")
        self.sum_up()

    def sum_up(self) -> None:
        """Show how the fight ended."""
        self._show_picture()

    def tell(self, events: Sequence[Event]) -> None:
        """Show what happened."""
        for line in self._teller.tell(events):
            if line.mark == "title":
                self.screen.say()
                self.screen.show_title(line)
            else:
                self.screen.tell([line])

    def hear(self, events: Sequence[Event]) -> None:
        """Pass the events on to the other players."""
        self.players.observe(events)

    def legal(self) -> dict[int, str]:
        """Return the names of your legal actions, by number."""
        mask = self.fight.observations[self.seat]["action_mask"]
        return {int(action): self.game.action_names[action] for action in np.flatnonzero(mask)}

    def view(self) -> dict[str, Any]:
        """Return your observation as named fields."""
        return self.views.read(self.seat, self.fight.observations[self.seat]["observation"])

    def _show_picture(self, squares: Sequence[Square] = ()) -> None:
        """Show the fight as text, with these squares of the map marked, if this picture was not shown last."""
        public = self.table.env.public
        if squares:
            rows = enumerate(public["map"])
            marked = ["".join(REACHED if (x, y) in squares else sign for x, sign in enumerate(row)) for y, row in rows]
            public = {**public, "map": marked}
        picture = self.game.text_picture(public)
        if picture != self._shown:
            self.screen.show_picture(picture)
        self._shown = picture

    def ask(self) -> int:
        """Return your choice in this window, prompting for it unless only one action is legal."""
        legal = self.legal()
        if len(legal) == 1:
            return next(iter(legal))
        numbers = {name: action for action, name in legal.items()}
        offers = self.words.offers(self.seat, self.view(), legal)
        self._show_picture([offer.square for offer in offers if offer.square])
        self._show_offers(offers)
        default = NULL_ACTION if NULL_ACTION in legal else None
        return self.asking.pick(
            [Choice(numbers[offer.name], offer.words, () if offer.square else (offer.name,)) for offer in offers],
            "Your choice: " if default is None else f"Your choice (Enter: {legal[NULL_ACTION]}): ",
            help=lambda: self._help(offers),
            default=default,
            other=lambda line: _square_typed(line, {offer.square: numbers[offer.name] for offer in offers}),
        )

    def _show_offers(self, offers: Sequence[Offer]) -> None:
        """Show the numbered choices; in a long list, several choices share a line, and squares are not listed."""
        words = [offer.words for offer in offers]
        if len(words) > MANY_LINES and all(offer.square for offer in offers):
            self.screen.say()
            here = [offer.square for offer in offers if offer.square and offer.name.endswith(STAYS)]
            own = "".join(f" Yours is {column},{row}." for column, row in here)
            self.screen.say(f"Where to? {SAY_SQUARE}{own}", "bold", indent=0)
            return
        if len(words) <= MANY_LINES:
            self.screen.show_choices("What do you do?", words)
            return
        self.screen.say()
        self.screen.say("What do you do?", "bold", indent=0)
        self.screen.fill("", [f"{number} {line}" for number, line in enumerate(words, 1)])

    def _help(self, offers: Sequence[Offer]) -> None:
        for line in HELP.splitlines():
            self.screen.say(line)
        self._show_offers(offers)


def _square_typed(line: str, actions: Mapping[Square | None, int]) -> int | None:
    """Return the action for the square that a line names; None if it names none, or if no choice leads to a square."""
    typed = SQUARE.fullmatch(line.strip())
    if typed is None or not any(actions):
        return None
    square = int(typed[1]), int(typed[2])
    if square not in actions:
        raise Unclear(f"You cannot end on column {square[0]}, row {square[1]}. {SAY_SQUARE}")
    return actions[square]
