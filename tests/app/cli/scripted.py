"""`heartrush play` with scripted input: a player whose answers are a function of the prompt."""

import argparse
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rich")


from heartrush_env.app.cli import play as command
from heartrush_env.app.cli.command import fill
from heartrush_env.app.cli.playing import sitting

STANCE = "Your stance"
DUEL = ("duel", "--seat", "knight_0", "--enemy", "tactician", "--seed", "3")

# The brute's blow of 30 brings the hero below 0, unless it shrugs.
SHRUG = """
name = "shrug"
victory = "last_standing"
heroes = ["blue"]
[[fighter]]
id = "hero"
team = "blue"
might = 6
agility = 6
cunning = 6
presence = 6
heart = 6
hp = 25
weapon = { size = "light", attack_type = "melee", damage_type = "none" }
[[fighter]]
id = "brute"
team = "red"
might = 12
agility = 4
cunning = 4
presence = 4
heart = 12
hp = 40
weapon = { size = "heavy", attack_type = "melee", damage_type = "none" }
"""

Answer = Callable[[str], str | type[BaseException]]


class Answering:
    """A player whose answers are a function of the prompt; keeps what was shown before each prompt."""

    def __init__(self, answer: Answer, shown: io.StringIO, *, watched: bool = False) -> None:
        self.answer, self.shown = answer, shown
        self.watched = watched  # without a watcher, only the choices that the fight needs are asked for
        self.prompts: list[str] = []
        self.before: list[str] = []  # everything shown so far, at each prompt
        self.secrets: list[bool] = []

    def read_line(self, prompt: str, *, secret: bool = False) -> str:
        self.before.append(self.shown.getvalue())
        self.prompts.append(prompt)
        self.secrets.append(secret)
        self.shown.write(f"{prompt}\n")
        if len(self.prompts) > 3_000:
            raise AssertionError("the fight does not end")
        answer = self.answer(prompt)
        if isinstance(answer, str):
            return answer
        raise answer

    @property
    def asked(self) -> list[str]:
        """The text shown between the previous prompt and each prompt."""
        return [now[len(then) :] for then, now in zip(["", *self.before[:-1]], self.before, strict=True)]

    def pause(self, seconds: float) -> None:
        """Return at once: tests do not wait."""


class Terminal(io.StringIO):
    """Output that claims to be a terminal, as if a person sat at it."""

    def isatty(self) -> bool:
        return True


def written(path: Path, text: str) -> str:
    """Write a scenario file and return its path as a word of a command."""
    path.write_text(text)
    return str(path)


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    fill(parser.add_subparsers().add_parser("play"), command)
    return parser.parse_args(["play", *words])


def played(
    answer: Answer, *words: str, watched: bool = False, shown: io.StringIO | None = None
) -> tuple[int, str, Answering]:
    """Play with scripted answers; return the exit code, all that was shown, and the player."""
    shown = shown or io.StringIO()
    person = Answering(answer, shown, watched=watched)
    code = sitting.play(parsed(*words), person, shown)
    return code, shown.getvalue(), person


def lines(*answers: str | type[BaseException]) -> Answer:
    """Return a player's answers: the given ones in order, and then the end of the input."""
    left: Iterator[str | type[BaseException]] = iter(answers)
    return lambda prompt: next(left, EOFError)


def anything(seed: int) -> Answer:
    """Return a player who types random small numbers in every window, and Enter at each "They show" prompt."""
    chance = np.random.default_rng(seed)

    def answer(prompt: str) -> str:
        if prompt.startswith("They show"):
            return ""
        return str(int(chance.integers(1, 5 if prompt.startswith(STANCE) else 3)))

    return answer
