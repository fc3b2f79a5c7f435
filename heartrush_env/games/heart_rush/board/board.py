"""A fight as a picture: the ground, the fighters on it, their last actions, and a panel with every fighter's state.

A `Board` draws once per step, from a batch's `describe` and the events of the step. It remembers the fighters' last
positions to show their paths. Neither input contains anything hidden, so nothing hidden can show. Needs the extra
`render`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from heartrush_env.games.heart_rush.board.layout import HEADER, LINE_HEIGHT, MARGIN, Box, picture_size
from heartrush_env.games.heart_rush.board.marks import draw_die, draw_label, draw_stance_badge
from heartrush_env.games.heart_rush.board.scenes import Arena, MapScene, Scene
from heartrush_env.games.heart_rush.board.terrain import paint_ground
from heartrush_env.games.heart_rush.board.theme import (
    BLOWS,
    CALM,
    EXACT,
    GREY,
    HURT,
    LINE,
    NIGHT,
    PALE,
    PANEL,
    STANCE_COLORS,
    Event,
    View,
    captions,
    health_color,
    moment,
    shade,
    words,
)
from heartrush_env.tabletop.game import Moment, Picture
from heartrush_env.tabletop.render.canvas import INDENT, Pen, Point, shortened, width_of, wrapped
from heartrush_env.tabletop.render.ink import INK, Color

MOST_LINES: Final = 60  # kept in the log
MISSED: Final = "Steps before this were not drawn."
NAMED: Final = 50  # pixels; tokens of at least this radius show the fighter's name below
GLIDES: Final = 2  # frames of a film for each square of movement
MOST_GLIDES: Final = 12
BEFORE: Final = Moment(0, 0, -1)  # a moment before any other


class Board:
    """A board that draws the moments of a fight, one after another.

    Each step must be passed to it once, whether the step is drawn or not. The log shows this fight up to the moment
    drawn. It starts over when another fight begins, when the fight returns to an earlier moment, or when steps were
    missed.
    """

    exact, blows = EXACT, BLOWS

    def __init__(self, names: Mapping[str, str], cap: int) -> None:
        """Create a board for one fight after another.

        Args:
            names: Display names of the agents.
            cap: The most levels of advantage that count, from the fight's settings.
        """
        self.names, self.cap = names, cap
        self.size: tuple[int, int] | None = None  # of the pictures in pixels, once the first has been drawn
        self._ground: tuple[Any, Any] | None = None  # the map's rows as last painted, and that sheet
        self._when = BEFORE
        self._stood: tuple[Moment, dict[str, tuple[int, int]]] = (BEFORE, {})  # positions when last drawn
        self._log: list[str] = []  # lines of the earlier steps
        self._news: list[str] = []  # lines of the last step
        self._drawn: tuple[Moment, View, Sequence[Event], Picture] | None = None  # the last picture and its inputs
        self._before: View | None = None  # the view of the last picture

    def draw(self, view: View, events: Sequence[Event], when: Moment) -> Picture:
        """Draw a moment and the step that led to it; return the picture as uint8 from 0 to 255, (height, width, 3)."""
        if self._drawn is not None and self._drawn[:3] == (when, view, events):
            return self._drawn[3].copy()  # drawn already
        self.size = self.size or picture_size(view)
        self.record_step(events, when)
        frame = self._paint(view, events, self._log, self._news)
        self._stood = self._when, {agent: tuple(f["at"]) for agent, f in view["fighters"].items() if "at" in f}
        self._drawn, self._before = (self._when, view, events, frame), view
        return frame.copy()

    def glide(self, view: View, events: Sequence[Event], when: Moment) -> list[Picture]:
        """Return drawn frames in which fighters move from the last drawn moment to this one.

        Call this before drawing the moment itself. The list is empty if no fighter moves on a map or if the previous
        moment was not drawn. Hit points and text in the frames still show the previous moment.
        """
        self.record_step(events, when)
        earlier, known = self._before, self._stood[0].next() == when
        if earlier is None or not known or "battlefield" not in view:
            return []
        ways = {agent: way for agent, way in self._ways(events).items() if len(way) > 1}
        if not ways:
            return []
        count = min(MOST_GLIDES, GLIDES * (max(map(len, ways.values())) - 1))
        pictures = []
        for share in (step / (count + 1) for step in range(1, count + 1)):
            moved = {agent: {**earlier["fighters"][agent], "at": _along(way, share)} for agent, way in ways.items()}
            between = {**earlier, "fighters": {**earlier["fighters"], **moved}}
            pictures.append(self._paint(between, (), self._log, ()))
        return pictures

    def _ways(self, events: Sequence[Event]) -> dict[str, list[tuple[int, int]]]:
        """Return the squares that each fighter passed since the last drawn moment, starting with its position then."""
        ways: dict[str, list[tuple[int, int]]] = {}
        for event in events:
            if event["type"] in ("move", "push") and event["fighter"] in self._stood[1]:
                way = ways.setdefault(event["fighter"], [self._stood[1][event["fighter"]]])
                way.extend((x, y) for x, y in event["path"])
        return ways

    def _paint(self, view: View, events: Sequence[Event], log: Sequence[str], news: Sequence[str]) -> Picture:
        """Draw one picture."""
        assert self.size is not None
        pen = Pen(*self.size, NIGHT)
        scene = MapScene(self, pen, view) if "battlefield" in view else Arena(self, pen, view)
        scene.paint()
        _panel(scene, log, news)
        _show_ways(scene, events)
        _show_bonds(scene)
        for agent in sorted(view["fighters"], key=scene.drawing_order):
            _token(scene, agent)
        _show_strikes(scene, events)
        scene.show_rolls(events)
        _header(scene)
        return pen.finish()

    def record_step(self, events: Sequence[Event], when: Moment) -> None:
        """Record the events of a step without drawing it."""
        if when == self._when:
            return
        if when.step == 0:
            self._log = []
        elif when == self._when.next():
            self._log = [*self._log, *self._news][-MOST_LINES:]
        else:
            self._log = [MISSED]
        self._when, self._news = when, captions(events, self.names)

    def paint_ground(self, pen: Pen, rows: Sequence[str], origin: Point, tile: float) -> None:
        """Draw the ground on the pen's sheet, or copy its last drawing if the map has not changed."""
        key = tuple(rows)
        if self._ground is None or self._ground[0] != key:
            paint_ground(pen, rows, origin, tile)
            self._ground = (key, pen.sheet.copy())
        else:
            pen.sheet.blit(self._ground[1], (0, 0))

    def previous_place(self, agent: str) -> tuple[int, int] | None:
        """Return the fighter's position in the previous moment, or None if that moment was not drawn."""
        when, places = self._stood
        return places.get(agent) if when.next() == self._when else None


def _along(way: Sequence[tuple[int, int]], share: float) -> tuple[float, float]:
    """Return the point reached after this fraction of a path of squares."""
    at = share * (len(way) - 1)
    first = min(int(at), len(way) - 2)
    start, end, part = way[first], way[first + 1], at - first
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


# ----------------------------------------------------------------------------------------------------------- fighters


def _token(scene: Scene, agent: str) -> None:
    """Draw a fighter: its letter in its team's colour, hit points around it, heart die and stance next to it."""
    pen, fighter, (at, radius) = scene.pen, scene.fighters[agent], scene.place(agent)
    color = scene.color(agent)
    if not scene.stands(agent):
        _fallen(scene, agent)
        return
    hidden = "hidden" in fighter["conditions"]
    pen.disc((at[0] + 1, at[1] + 2), radius, shade(INK, 0.0))
    pen.disc(at, radius, INK)
    share = max(0, fighter["hp"]) / fighter["hp_max"]
    pen.ring(at, radius - 0.5, 0.76 * radius, 1, (70, 66, 70))
    pen.ring(at, radius - 0.5, 0.76 * radius, share, health_color(share))
    lost = min(1 - share, fighter["wounds"] / fighter["hp_max"])
    pen.ring(at, radius - 0.5, 0.76 * radius, lost, shade(HURT, -0.55), begin=1 - lost)
    pen.disc(at, 0.72 * radius, shade(color, 0.45) if hidden else color)
    if "prone" in fighter["conditions"]:
        pen.box(at[0] - 0.72 * radius, at[1] + 0.1 * radius, 1.44 * radius, 0.28 * radius, shade(color, -0.45))
    draw_label(pen, scene.labels[agent], at, 0.72 * radius, max(14, round(1.05 * radius)))
    if fighter["stance"]:
        draw_stance_badge(
            pen,
            (at[0] - 0.72 * radius, at[1] - 0.72 * radius),
            max(6.5 if radius > 11 else 5.5, min(11, 0.42 * radius)),
            fighter["stance"],
        )
    if radius >= 15:
        draw_die(pen, (at[0] + 0.74 * radius, at[1] + 0.72 * radius), min(11, max(8, 0.42 * radius)), fighter["heart"])
    below = at[1] + radius + 7
    if radius >= NAMED:
        pen.write(scene.names[agent], (at[0], below + 6), 21, INK, "center")
        below += 24
    if radius >= 22 and fighter["conditions"]:
        _pills(pen, (at[0], below), fighter["conditions"])


def _fallen(scene: Scene, agent: str) -> None:
    """Draw a fighter that is out."""
    pen, (at, radius) = scene.pen, scene.place(agent)
    color = shade(scene.color(agent), -0.55)
    pen.disc(at, 0.62 * radius, color)
    arm = 0.34 * radius
    for side in (-1, 1):
        pen.line(
            (at[0] - arm, at[1] - side * arm), (at[0] + arm, at[1] + side * arm), shade(color, 0.55), 0.16 * radius
        )


def _pills(pen: Pen, at: Point, conditions: Mapping[str, int]) -> None:
    """Draw the first conditions, abbreviated, below a token."""
    shown = [f"{words(name)}{f' {levels}' if levels > 1 else ''}" for name, levels in list(conditions.items())[:2]]
    text = ", ".join(shown) + ("…" if len(conditions) > 2 else "")
    width = width_of(text, 14) + 8
    pen.box(at[0] - width / 2, at[1] - 6, width, 12, INK, round=5)
    pen.write(text, at, 14, PALE, "center")


# -------------------------------------------------------------------------------------------------- what just happened


def _show_ways(scene: Scene, events: Sequence[Event]) -> None:
    """Draw the paths along which fighters moved or were pushed."""
    now: dict[str, Any] = {}
    for event in events:
        if event["type"] not in ("move", "push"):
            continue
        agent = event["fighter"]
        way = [tuple(at) for at in event["path"]]
        before = now.get(agent, scene.board.previous_place(agent))
        if before and way and max(abs(before[k] - way[0][k]) for k in (0, 1)) == 1:  # otherwise a step was not drawn
            way.insert(0, before)
        dots = [dot for dot in (scene.square(at, agent) for at in way) if dot is not None]
        if way:
            now[agent] = way[-1]
        if len(dots) < 2:
            continue
        pushed = event["type"] == "push"
        color = (226, 116, 36) if pushed else shade(scene.color(agent), -0.2)
        for start, end in pairwise(dots[:-1]):
            scene.pen.line(start, end, color, 3)
        last = math.dist(dots[-2], dots[-1])
        short = min(0.9 * scene.place(agent).radius / max(last, 1), 0.5)
        goal = tuple(dots[-1][k] + short * (dots[-2][k] - dots[-1][k]) for k in (0, 1))  # the token's rim
        scene.pen.arrow(dots[-2], (goal[0], goal[1]), color, 3)
        scene.pen.disc(dots[0], 4, color)


def _show_bonds(scene: Scene) -> None:
    """Draw lines between grapplers and the fighters that they hold."""
    for agent, fighter in scene.fighters.items():
        held = fighter.get("grappling")
        if held and scene.stands(agent):
            scene.pen.line(scene.place(agent).at, scene.place(held).at, INK, 9)
            scene.pen.line(scene.place(agent).at, scene.place(held).at, (222, 176, 92), 5)


def _show_strikes(scene: Scene, events: Sequence[Event]) -> None:
    """Draw attacks as arrows and their effects as numbers, stacked when a fighter has several."""
    for event in events:
        if event["type"] in ("attack", "maneuver"):
            by = event["attacker"] if event["type"] == "attack" else event["fighter"]
            color = STANCE_COLORS.get(event.get("stance") or "", (222, 176, 92))
            _blow(scene, by, event["target"], color)
    notes: dict[str, int] = {}
    for event in events:
        note = _note(event)
        if note is not None:
            agent, text, color = note
            above = notes.get(agent, 0)
            notes[agent] = above + 1
            at, radius = scene.place(agent)
            size = 20 if radius >= 15 else 17
            level = max(HEADER + 8, at[1] - radius - 6 - (size - 2) * above)
            _bubble(scene, (at[0], level), text, size, color)


def _blow(scene: Scene, by: str, target: str, color: Color) -> None:
    """Draw an arrow from one token's rim to another's."""
    (start, near), (end, far) = scene.place(by), scene.place(target)
    length = math.dist(start, end)
    if length <= 0:
        return
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    near, far = min(near, 0.3 * length), min(far, 0.3 * length)
    a = (start[0] + near * dx, start[1] + near * dy)
    b = (end[0] - far * dx, end[1] - far * dy)
    scene.pen.arrow(a, b, color, 3)


def _note(event: Event) -> tuple[str, str, Color] | None:
    """Return the fighter, the short text and the color of an event's note, or None if the event gets no note."""
    match event["type"]:
        case "damage":
            return event["fighter"], f"-{event['amount']}", HURT
        case "attack" if not event["damage"]:
            return event["target"], "0", CALM
        case "shrug":
            return event["fighter"], f"d{event['heart_from']} > d{event['heart_to']}", (176, 40, 92)
        case "maneuver":
            return event["target"], words(event["maneuver"]) + ("" if event["success"] else " fails"), (176, 120, 40)
        case "fall":
            return event["fighter"], f"falls {event['feet']} ft", (150, 70, 30)
        case "death" | "yield" as end:
            return event["fighter"], {"death": "dies", "yield": "yields"}[end], INK
        case _:
            return None


def _bubble(scene: Scene, at: Point, text: str, size: int, color: Color) -> None:
    """Draw a word on a coloured background, kept inside the ground."""
    pen, ground = scene.pen, scene.layout.ground
    width, height = width_of(text, size), 0.7 * size
    at = (max(ground.left + width / 2 + 5, min(ground.left + ground.width - width / 2 - 5, at[0])), at[1])
    pen.box(at[0] - width / 2 - 5, at[1] - height / 2 - 1, width + 10, height + 2, shade(color, -0.5), round=6)
    pen.box(at[0] - width / 2 - 4, at[1] - height / 2, width + 8, height, color, round=5)
    pen.write(text, at, size, (255, 255, 255), "center")


# ------------------------------------------------------------------------------------------------------------- beside


def _header(scene: Scene) -> None:
    """Draw the round, the moment, and a legend of the stances' letters."""
    pen, view, middle = scene.pen, scene.view, HEADER / 2 + 1
    pen.write(f"Round {view['round']}", (MARGIN + 2, middle), 26, PALE)
    over = bool(view["cause"])
    text, size = moment(view), 24 if over else 20
    pen.write(text, (MARGIN + 100, middle + 1), size, (242, 196, 88) if over else GREY)
    scene.draw_legend(MARGIN + 112 + width_of(text, size))


def _panel(scene: Scene, log: Sequence[str], news: Sequence[str]) -> None:
    """Draw every fighter's state, team by team, and the log."""
    pen, layout = scene.pen, scene.layout
    pen.box(*layout.panel, PANEL, round=8)
    for agent, box in layout.rows.items():
        _row(scene, agent, box)
    left, top, width, height = layout.lines
    end = (left - 6, top + height - 8) if layout.below else (left + width, top)
    pen.line((left - 6, top + 8) if layout.below else (left, top), end, LINE, 1)
    lines = [(part, shade(GREY, -0.22)) for line in log for part in wrapped(line, 16, width)]
    lines += [(part, PALE) for line in news for part in wrapped(line, 16, width)]
    shown = lines[max(0, len(lines) - max(0, int((height - 6) / LINE_HEIGHT))) :]
    while shown and shown[0][0].startswith(INDENT):  # the rest of a line whose start is cut off
        del shown[0]
    for place, (line, color) in enumerate(shown):
        pen.write(line, (left, top + 11 + place * LINE_HEIGHT), 16, color)


def _row(scene: Scene, agent: str, box: Box) -> None:
    """Draw a fighter's row: letter, name, hit points, heart die, stance, conditions."""
    pen, fighter = scene.pen, scene.fighters[agent]
    stands = scene.stands(agent)
    color = scene.color(agent) if stands else shade(scene.color(agent), -0.5)
    text = PALE if stands else GREY
    left, middle = box.left, box.top + box.height / 2
    pen.disc((left + 12, middle), 10.5, color)
    draw_label(pen, scene.labels[agent], (left + 12, middle), 10.5, 19)
    upper, lower = middle - 6, middle + 7
    pen.write(shortened(scene.names[agent], 18, 100), (left + 28, upper), 18, text)
    _bar(pen, left + 132, upper - 4, 44, 8, fighter)
    pen.write(f"{fighter['hp']}", (left + 198, upper), 17, text, "right")
    draw_die(pen, (left + 214, middle), 8.5, fighter["heart"])
    below = [f"{words(condition)}{f' {n}' if n > 1 else ''}" for condition, n in fighter["conditions"].items()]
    if not stands:
        below = [fighter["status"]]
    if fighter.get("rush") and stands:
        below.append(f"rush {fighter['rush']}")
    if agent in scene.view.get("turns", {}).get("joined", ()):
        below.append("engaged")
    start = left + 28
    if fighter["stance"] and stands:
        pen.disc((start + 4, lower), 4, STANCE_COLORS[fighter["stance"]])
        below.insert(0, fighter["stance"])
        start += 11
    pen.write_within(", ".join(below), (start, lower), 15, GREY, left + 198 - start)


def _bar(pen: Pen, left: float, top: float, width: float, height: float, fighter: Mapping[str, Any]) -> None:
    """Draw hit points as a bar; its end shows the part of the maximum lost to wounds."""
    share = max(0, fighter["hp"]) / fighter["hp_max"]
    lost = min(1 - share, fighter["wounds"] / fighter["hp_max"])
    pen.box(left, top, width, height, (62, 66, 78), round=3)
    if share:
        pen.box(left, top, max(3, width * share), height, health_color(share), round=3)
    if lost:
        pen.box(left + width * (1 - lost), top, width * lost, height, shade(HURT, -0.5), round=3)
