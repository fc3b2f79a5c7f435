"""Scenes drawn as text: a record of a fight on a map, with each fighter where its letter is.

    scene('''
        A..#
        ...N
    ''', A={"speed": 6}, N={"prone": 1})

A small drawing may be on one line, "A..# ...N". It shows terrain by its glyphs. Fighters are capital letters, A to M
one team and N to Z the other, in alphabetical order; a large one fills its squares with its letter. They stand on floor
unless `under` says otherwise.
"""

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules import paths
from heartrush_env.games.heart_rush.rules.environment import BRIGHT
from heartrush_env.games.heart_rush.rules.space import read_map
from heartrush_env.games.heart_rush.rules.terms import CONDITIONS, FASTEST, MAP_SIDE, MELEE, NEAR, NOBODY
from heartrush_env.games.heart_rush.state.record import MAP_FIGHT

GLYPHS = ".#o,lhs^v~w+/:"
SIZES = {1: 0, 2: 2, 3: 3, 4: 4}  # rank by side, unless a scene says otherwise
AROUND = 2 * NEAR + 1

Square = tuple[int, int]


class Scene:
    """A drawn map with its fighters, on which tests call rule functions."""

    def __init__(self, rows: list[str], under: Mapping[str, str], drop: int, light: int) -> None:
        self.rows = rows
        self.letters = sorted({glyph for row in rows for glyph in row if glyph.isupper()})
        self.match: Any = np.zeros(1, MAP_FIGHT)[0]
        match = self.match
        match.width, match.height, match.drop, match.light = len(rows[0]), len(rows), drop, light
        match.n, match.round_number, match.rules.top_speed = len(self.letters), 1, FASTEST
        for y, row in enumerate(rows):
            for x, glyph in enumerate(row):
                match.cells[y * MAP_SIDE + x] = GLYPHS.index(under.get(glyph, ".") if glyph.isupper() else glyph)
        read_map(match)
        for i, letter in enumerate(self.letters):
            self._stand(match.fighters[i], i, letter)

    def _stand(self, fighter: Any, i: int, letter: str) -> None:
        squares = [(x, y) for y, row in enumerate(self.rows) for x, glyph in enumerate(row) if glyph == letter]
        fighter.index, fighter.team, fighter.armed = i, int(letter > "M"), True
        fighter.x, fighter.y = min(x for x, _ in squares), min(y for _, y in squares)
        fighter.side = round(len(squares) ** 0.5)
        fighter.size_rank, fighter.bulky = SIZES[int(fighter.side)], True
        fighter.action = fighter.dash = fighter.interaction = True
        fighter.source[:] = NOBODY
        fighter.grappling = fighter.climbing = NOBODY
        fighter.attack_type = MELEE
        fighter.sets[0].attack_type, fighter.sets[0].range, fighter.sets[0].speed = MELEE, 1, 12
        enemies = [j for j, other in enumerate(self.letters) if (other > "M") != (letter > "M")]
        fighter.enemy_count = len(enemies)
        fighter.enemies[: len(enemies)] = enemies

    def alter(self, square: Square, glyph: str) -> None:
        """Change the terrain of the square."""
        x, y = square
        self.match.cells[y * MAP_SIDE + x] = GLYPHS.index(glyph)
        read_map(self.match)

    def change(self, letter: str, **fields: Any) -> None:
        """Set fields of a fighter, of the weapon in its hand, or levels of its conditions (`frightened_by="N"`)."""
        fighter = self.match.fighters[self.i(letter)]
        for name, value in fields.items():
            condition = name.removesuffix("_by")
            if condition in CONDITIONS and (condition != name or not isinstance(value, str)):
                code = CONDITIONS.index(condition)
                fighter.levels[code] = 1 if isinstance(value, str) else value
                fighter.afflicted |= np.uint32(1 << code)
                if isinstance(value, str):
                    fighter.source[code] = self.i(value)
            elif name in ("range", "reach", "speed"):
                setattr(fighter.sets[0], name, value)
            elif isinstance(value, str):  # grappling="N"
                setattr(fighter, name, self.i(value))
            else:
                setattr(fighter, name, value)

    def i(self, letter: str) -> int:
        return self.letters.index(letter)

    def at(self, letter: str) -> Square:
        """Return the fighter's square."""
        fighter = self.match.fighters[self.i(letter)]
        return int(fighter.x), int(fighter.y)

    def walks(self, way: Sequence[int]) -> list[int]:
        """Return the steps that A takes of a path that it chose."""
        fighter, match = self.match.fighters[0], self.match
        fighter.route_length = len(way)
        fighter.route[: len(way)] = way
        self.ask(paths.take_way, "A")
        return [int(step) for step in match.path[: match.path_length]]

    def ask(self, function: Any, *arguments: Any) -> Any:
        """Call a rule function as plain Python, with letters for fighters; return its answer."""
        numbers = [self.i(given) if isinstance(given, str) else given for given in arguments]
        with np.errstate(over="ignore"):  # as in machine code
            answer = function(self.match, *numbers)
        return answer.item() if isinstance(answer, np.generic) else answer


def scene(
    drawing: str, *, under: Mapping[str, str] | None = None, drop: int = 10, light: int = BRIGHT, **fighters: Any
) -> Scene:
    """Return a scene from its drawing; keywords change the fighters of those letters."""
    drawn = Scene(dedent(drawing).split(), under or {}, drop, light)
    for letter, fields in fighters.items():
        drawn.change(letter, **fields)
    return drawn
