"""Prompts that repeat until the answer is usable, with the commands that every prompt accepts: ?, h, u, q."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from heartrush_env.app.cli.playing.person import Leaves, Person
from heartrush_env.tabletop.menus import Choice, Unclear, understand

T = TypeVar("T")
Say = Callable[[str], None]

NO_UNDO = "There is no undo: what is chosen is chosen, as at a table."
NO_HINT = "There is no hint for this."
LEAVE = "Leave the fight? It will not be finished. Type yes to leave: "


class Asking:
    """Prompts a person, and handles the commands ?, h, u and q."""

    def __init__(self, person: Person, say: Say) -> None:
        """Store the source of answers, and the function `say` that shows a sentence."""
        self.person, self._say = person, say
        self.confirms = False  # whether leaving must be confirmed because there is something to lose

    def pick(
        self,
        choices: Sequence[Choice[T]],
        prompt: str,
        *,
        help: Callable[[], None],
        hint: Callable[[], None] | None = None,
        default: T | None = None,
        secret: bool = False,
        unlisted: Sequence[Choice[T]] = (),
        other: Callable[[str], T | None] = lambda line: None,
    ) -> T:
        """Ask for one of the listed choices, one of the unlisted ones, or a value that `other` reads from the line.

        An empty line selects the default, if there is one.
        """
        while True:
            line = self.line(prompt, help=help, hint=hint, secret=secret)
            if not line and default is not None:
                return default
            try:
                found = other(line)
                return found if found is not None else understand(line, choices, secret=secret, unlisted=unlisted)
            except Unclear as unclear:
                self._say(str(unclear))

    def line(
        self, prompt: str, *, help: Callable[[], None], hint: Callable[[], None] | None = None, secret: bool = False
    ) -> str:
        """Ask for a line that is not a command."""
        while True:
            line = self.person.read_line(prompt, secret=secret).strip()
            match line.lower():
                case "?":
                    help()
                case "h" | "hint":
                    hint() if hint else self._say(NO_HINT)
                case "u" | "undo":
                    self._say(NO_UNDO)
                case "q" | "quit":
                    self._leave()
                case _:
                    return line

    def _leave(self) -> None:
        if not self.confirms or self.person.read_line(LEAVE).strip().lower() in ("y", "yes"):
            raise Leaves
        self._say("You stay.")


def numbers(typed: str, dice: Sequence[tuple[str, int]]) -> list[int]:
    """Parse the faces of the dice from a typed line; raise Unclear with a reason if the line is not valid."""
    words = typed.replace(",", " ").split()
    for word in words:
        if not word.isascii() or not word.isdigit():
            raise Unclear(f"{word[:20]!r} is not a number; type what the dice show, as in 5 3 8.")
    if len(words) != len(dice):
        raise Unclear(f"Expected {len(dice)} number{'s' * (len(dice) != 1)}, one for each die, got {len(words)}.")
    for word, (name, sides) in zip(words, dice, strict=True):
        if not 1 <= int(word[:9]) <= sides:
            raise Unclear(f"The {name} die is a d{sides}: it shows 1 to {sides}, not {word[:9]}.")
    return [int(word) for word in words]
