"""Scenes: a fight on its map, or a fight without a map in an arena, with dice and legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from functools import partial
from typing import Any, Final, NamedTuple, Protocol

from heartrush_env.games.heart_rush.board.layout import HEADER, lay_out
from heartrush_env.games.heart_rush.board.marks import draw_label, draw_stance_badge
from heartrush_env.games.heart_rush.board.theme import (
    GREY,
    PALE,
    PANEL,
    STANCE_COLORS,
    Event,
    View,
    labels,
    shade,
    team_colors,
)
from heartrush_env.games.heart_rush.rules.stances import BEATS
from heartrush_env.games.heart_rush.rules.terms import MIGHT, STANCES
from heartrush_env.tabletop.render.canvas import Pen, Point, around, chance, shrunk, width_of
from heartrush_env.tabletop.render.ink import INK, Color

# Three stances: each beats the next, and the last beats the first.
CIRCLE: Final = (STANCES[MIGHT], STANCES[BEATS[MIGHT].argmax()], STANCES[BEATS[:, MIGHT].argmax()])
STONES: Final = 40  # around the arena
GRAINS: Final = 160  # of sand
LEGEND_GAP: Final = 27  # pixels between a stance's badge and its word in the legend
MOST_ROLLS: Final = 6  # shown at once
OBJECT_COLOR: Final[Color] = (176, 130, 30)
DARKNESS: Final = {"bright": 0.0, "dim": 0.22, "dark": 0.48}


class Painter(Protocol):
    """The part of a board that a scene uses."""

    names: Mapping[str, str]
    cap: int

    def paint_ground(self, pen: Pen, rows: Sequence[str], origin: Point, tile: float) -> None:
        """Draw the ground on the pen's sheet."""

    def previous_place(self, agent: str) -> tuple[int, int] | None:
        """Return the fighter's position in the previous moment, or None if that moment was not drawn."""


class Place(NamedTuple):
    """A token's position and radius in the picture, in pixels."""

    at: Point
    radius: float


class Scene:
    """A fight laid out in a picture: the common part of a map and an arena."""

    def __init__(self, board: Painter, pen: Pen, view: View) -> None:
        self.board, self.pen, self.view = board, pen, view
        self.fighters: Mapping[str, Mapping[str, Any]] = view["fighters"]
        self.colors = team_colors(view)
        self.names = board.names
        self.labels = labels(board.names)
        self.layout = lay_out((pen.width, pen.height), view)

    def color(self, agent: str) -> Color:
        """Return the colour of a fighter's team."""
        return self.colors[self.fighters[agent]["team"]]

    def stands(self, agent: str) -> bool:
        """Return whether the fighter is still in the fight."""
        return bool(self.fighters[agent]["status"] == "standing")

    def drawing_order(self, agent: str) -> tuple[bool, int]:
        """Return a sort key for the drawing order: fallen fighters come first, climbers after their bearers."""
        return self.stands(agent), -round(self.place(agent).radius)

    def paint(self) -> None:
        """Draw the ground."""
        raise NotImplementedError

    def place(self, agent: str) -> Place:
        """Return the position and radius of the fighter's token."""
        raise NotImplementedError

    def square(self, at: Sequence[float], agent: str) -> Point | None:
        """Return where the fighter's centre would be, in pixels, if it stood at the square `at`; None without a map."""
        return None

    def show_rolls(self, events: Sequence[Event]) -> None:
        """Draw the dice of a step, if there is room."""

    def draw_legend(self, left: float) -> None:
        """Draw the legend of the stances' letters in the header, if there is room to the right of `left`."""
        widths = [width_of(stance, 15) + LEGEND_GAP for stance in STANCE_COLORS]
        at = self.layout.ground.left + self.layout.ground.width - sum(widths) + 6
        if at < left:
            return
        for stance, width in zip(STANCE_COLORS, widths, strict=True):
            self.draw_legend_entry(stance, (at + 7, HEADER / 2 + 1))
            at += width

    def draw_legend_entry(self, stance: str, at: Point) -> None:
        """Draw a stance's badge and its name."""
        draw_stance_badge(self.pen, at, 6.5, stance)
        self.pen.write(stance, (at[0] + 10, at[1] + 0.5), 15, shade(STANCE_COLORS[stance], 0.35))


class MapScene(Scene):
    """A fight on a map."""

    def __init__(self, board: Painter, pen: Pen, view: View) -> None:
        super().__init__(board, pen, view)
        self.rows: Sequence[str] = view["battlefield"]["map"]
        columns, rows = len(self.rows[0]), len(self.rows)
        left, top, width, height = self.layout.ground
        self.tile = self.layout.tile
        self.origin = (left + (width - self.tile * columns) / 2, top + (height - self.tile * rows) / 2)
        self._shared = self._crowding()

    def _crowding(self) -> dict[str, float]:
        """Return the sideways shift, in steps, of each standing one-square token; 0 unless several share its square."""
        squares: dict[tuple[int, ...], list[str]] = {}
        for agent, fighter in self.fighters.items():
            if self.stands(agent) and fighter["side"] == 1:
                squares.setdefault(tuple(fighter["at"]), []).append(agent)
        return {agent: k - (len(here) - 1) / 2 for here in squares.values() for k, agent in enumerate(here)}

    def paint(self) -> None:
        field = self.view["battlefield"]
        self.board.paint_ground(self.pen, self.rows, self.origin, self.tile)
        for number, thing in enumerate(field.get("objects", ()), start=1):
            if not thing["used"] or thing["item"]:
                self._mark(number, thing["at"])
        if DARKNESS[field["light"]]:
            width, height = self.tile * len(self.rows[0]), self.tile * len(self.rows)
            self.pen.veil(*self.origin, width, height, (18, 22, 52), DARKNESS[field["light"]])

    def _mark(self, number: int, at: Sequence[int]) -> None:
        """Draw the number of an object in a corner of its square."""
        middle = self.origin[0] + (at[0] + 0.78) * self.tile, self.origin[1] + (at[1] + 0.22) * self.tile
        self.pen.disc(middle, 0.2 * self.tile, INK)
        self.pen.disc(middle, 0.17 * self.tile, OBJECT_COLOR)
        draw_label(self.pen, str(number), middle, 0.2 * self.tile, round(0.3 * self.tile))

    def place(self, agent: str) -> Place:
        fighter = self.fighters[agent]
        middle = self.square(fighter["at"], agent)
        assert middle is not None
        if "part_of" in fighter:
            return self._around(middle, agent)
        radius = self.tile * (0.5 * fighter["side"] - 0.05)
        if fighter.get("climbing"):
            radius *= 0.85
        return Place((middle[0] + 0.3 * self.tile * self._shared.get(agent, 0.0), middle[1]), radius)

    def _around(self, middle: Point, agent: str) -> Place:
        """Return the place of a creature's part; the parts of a creature are spaced evenly around its rim."""
        body, side = self.fighters[agent]["part_of"], self.fighters[agent]["side"]
        parts = [other for other, fighter in self.fighters.items() if fighter.get("part_of") == body]
        angle, rim = 2 * math.pi * parts.index(agent) / len(parts), 0.5 * side * self.tile
        return Place((middle[0] + rim * math.sin(angle), middle[1] - rim * math.cos(angle)), 0.3 * self.tile)

    def square(self, at: Sequence[float], agent: str) -> Point | None:
        half = self.fighters[agent]["side"] / 2
        return self.origin[0] + (at[0] + half) * self.tile, self.origin[1] + (at[1] + half) * self.tile


class Arena(Scene):
    """A fight without a map: all fighters are within reach of each other, teams in arcs around a ring of stones."""

    def __init__(self, board: Painter, pen: Pen, view: View) -> None:
        super().__init__(board, pen, view)
        left, top, width, height = self.layout.ground
        self.middle, self.radius = (left + width / 2, top + height / 2), 0.48 * min(width, height)
        self._angles = self._arcs()

    def paint(self) -> None:
        ring = partial(around, self.middle, corners=STONES)
        self.pen.disc(self.middle, self.radius, (38, 36, 38))
        outer, inner = (ring(radius=share * self.radius) for share in (0.99, 0.9))
        for k in range(STONES):
            stone = (outer[k], outer[(k + 1) % STONES], inner[(k + 1) % STONES], inner[k])
            self.pen.shape(shrunk(stone, 0.9), shade((112, 106, 100), 0.16 * (chance(k, 0) - 0.5)))
        self.pen.disc(self.middle, 0.89 * self.radius, (198, 180, 144))
        self.pen.disc(self.middle, 0.86 * self.radius, (206, 190, 156))
        for k in range(GRAINS):
            turn, far = 2 * math.pi * chance(k, 1), 0.84 * self.radius * math.sqrt(chance(k, 2))
            at = (self.middle[0] + far * math.sin(turn), self.middle[1] + far * math.cos(turn))
            self.pen.disc(at, 1 + 1.6 * chance(k, 3), shade((206, 190, 156), 0.2 * (chance(k, 4) - 0.6)))

    def _arcs(self) -> dict[str, float]:
        """Return each fighter's angle on the ring in full turns; teams stay together, the first on the left."""
        teams = list(self.colors)
        arc = 1 / len(teams)
        angles = {}
        for place, team in enumerate(teams):
            own = [agent for agent in self.fighters if self.fighters[agent]["team"] == team]
            gap = min(0.14, 0.8 * arc / len(own))
            for k, agent in enumerate(own):
                angles[agent] = -0.25 + place * arc - gap * (k - (len(own) - 1) / 2)
        return angles

    def place(self, agent: str) -> Place:
        turn = 2 * math.pi * self._angles[agent]
        reach = 0.62 * self.radius
        at = (self.middle[0] + reach * math.sin(turn), self.middle[1] - reach * math.cos(turn))
        crowd = max(2, max(list(f["team"] for f in self.fighters.values()).count(team) for team in self.colors))
        return Place(at, (0.25 if len(self.fighters) == 2 else 0.43 / crowd) * self.radius)

    def show_rolls(self, events: Sequence[Event]) -> None:
        """Draw the dice of the step's attacks, one roll per line: above a duel's fighters, otherwise in the middle."""
        rolls = [roll for event in events if event["type"] == "attack" for roll in _rolls_of(event, self.board.cap)]
        if not rolls or self.radius < 120:
            return
        size = 22 if len(self.fighters) == 2 else 17
        lines = [_RollLine(self, roll, size) for roll in rolls[:MOST_ROLLS]]
        width, height = max(line.width for line in lines) + size, (1.35 * len(lines) + 0.5) * size
        middle = self.middle[1] - (0.52 * self.radius if len(self.fighters) == 2 else 0)
        left, top = self.middle[0] - width / 2, middle - height / 2
        self.pen.box(left, top, width, height, PANEL, round=0.4 * size)
        for k, line in enumerate(lines):
            line.draw(left + size / 2, top + (0.93 + 1.35 * k) * size, left + width - size / 2)

    def draw_legend(self, left: float) -> None:
        """Draw the legend: in a duel a triangle of which stance beats which, otherwise a list in the corner."""
        if len(self.fighters) == 2 and self.radius >= 120:
            self._triangle()
            return
        ground = self.layout.ground
        bottom = ground.top + ground.height - 12
        for k, stance in enumerate(reversed([*STANCE_COLORS])):
            self.draw_legend_entry(stance, (ground.left + 10, bottom - 18 * k))

    def _triangle(self) -> None:
        """Draw each stance with an arrow to the stance that it beats; highlight the stances of this round."""
        chosen = {fighter["stance"] for fighter in self.fighters.values()}
        middle, far = (self.middle[0], self.middle[1] + 0.46 * self.radius), 0.22 * self.radius
        corners = dict(zip(CIRCLE, around(middle, far, len(CIRCLE)), strict=True))
        for stance, beaten in zip(CIRCLE, (*CIRCLE[1:], CIRCLE[0]), strict=True):
            start, end = corners[stance], corners[beaten]
            a, b = (
                tuple(here[k] + 0.27 * (there[k] - here[k]) for k in (0, 1))
                for here, there in ((start, end), (end, start))
            )
            strong = {stance, beaten} <= chosen
            self.pen.arrow(
                (a[0], a[1]), (b[0], b[1]), STANCE_COLORS[stance] if strong else (176, 160, 130), 4 if strong else 2.5
            )
        for stance, at in (*corners.items(), ("defensive", (middle[0], middle[1] + 1.1 * far))):
            draw_stance_badge(self.pen, at, 0.09 * self.radius if stance in chosen else 0.055 * self.radius, stance)
            side = {"might": 0, "agility": -1}.get(stance, 1)
            apart = (0.12 if stance in chosen else 0.085) * self.radius
            word = (at[0] + side * apart, at[1] if side else at[1] - apart)
            color = shade(STANCE_COLORS[stance], -0.45)
            self.pen.write(stance, word, 17, color, {-1: "right", 0: "center", 1: "left"}[side])


class _Roll(NamedTuple):
    """One roll of an attack: the fighter, the dice, the dropped dice, the total, and whether it won."""

    agent: str
    dice: Sequence[int]
    dropped: Set[int]  # indices of dice
    total: int
    won: bool


def _rolls_of(event: Event, cap: int) -> list[_Roll]:
    """Return the rolls of an attack, the attacker's first; `cap` is the most levels of advantage that count."""
    attack, defense = event["attack_roll"], event["defense_roll"]
    sides = (("attack", event["attacker"], attack > defense), ("defense", event["target"], defense > attack))
    return [
        _Roll(agent, dice, dropped(dice, sum(event[f"{side}_causes"].values()), cap), event[f"{side}_roll"], won)
        for side, agent, won in sides
        for dice in (event[f"{side}_dice"],)
    ]


def dropped(dice: Sequence[int], levels: int, cap: int) -> Set[int]:
    """Return the indices of dice that do not count: the lowest, or the highest if `levels` is below 0."""
    order = sorted(range(len(dice)), key=lambda k: (dice[k] if levels > 0 else -dice[k], k))
    return set(order[: min(abs(levels), cap)])


class _RollLine:
    """A roll in one line: the fighter's letter, its dice, the bonus, the total."""

    def __init__(self, scene: Scene, roll: _Roll, size: int) -> None:
        self.scene, self.roll, self.size = scene, roll, size
        more = roll.total - sum(face for k, face in enumerate(roll.dice) if k not in roll.dropped)
        self.more = f"{'+' if more > 0 else '-'}{abs(more)}" if more else ""
        self.dice_width = 1.15 * size * len(roll.dice)
        self.width = 1.5 * size + self.dice_width + 3.6 * size

    def draw(self, left: float, middle: float, right: float) -> None:
        """Draw this line of text and dice from `left` to `right`, centred vertically on `middle`."""
        pen, size, color = self.scene.pen, self.size, self.scene.color(self.roll.agent)
        pen.disc((left + 0.55 * size, middle), 0.55 * size, color)
        draw_label(
            pen, self.scene.labels[self.roll.agent], (left + 0.55 * size, middle), 0.55 * size, round(0.95 * size)
        )
        at = left + 1.5 * size
        for k, face in enumerate(self.roll.dice):
            corner = at + 1.15 * size * k
            ground = shade(PANEL, 0.15) if k in self.roll.dropped else PALE
            pen.box(corner, middle - size / 2, size, size, ground, round=0.22 * size)
            ink = GREY if k in self.roll.dropped else INK
            pen.write(str(face), (corner + size / 2, middle + 0.5), round(0.95 * size), ink, "center")
        at += self.dice_width
        pen.write(self.more, (at + 0.1 * size, middle + 0.5), round(0.85 * size), GREY)
        color = PALE if self.roll.won else GREY
        pen.write(str(self.roll.total), (right, middle + 0.5), round(1.3 * size), color, "right")
