"""A seat's view as named fields: made from its own observation and what everyone knows of the scenario, and back.

Points are points, dice are numbers of sides, and a choice that is still secret is nowhere to be found, because the
observation does not hold it. Not here: which actions are legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from heartrush_env.core.game import FloatArray, Game
from heartrush_env.core.text import show
from heartrush_env.core.validate import unknown_name
from heartrush_env.heart_rush.encoding.features import (
    ARMOR_SCALE,
    CHANGING,
    DIE_SCALE,
    HP_SCALE,
    LASTING,
    LEVEL_SCALE,
    MOMENT,
    N_BLOCK,
    N_MOMENT,
    N_RELATIONS,
    RELATIONS,
    ROUNDS_SCALE,
    RUSH_SCALE,
)
from heartrush_env.heart_rush.engine.state import REVEALS, WINDOWS
from heartrush_env.heart_rush.rules.terms import CONDITIONS, PHASE_ORDER, STANCES, STATUSES
from heartrush_env.heart_rush.scenario.load import FighterSheet
from heartrush_env.protocol.messages import FighterFields, ProtocolError, View
from heartrush_env.protocol.views_on_map import Ground

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush

Reveals = Sequence[Mapping[str, Any]]  # {"round": 2, "stances": {"knight_0": "might", ...}}, the oldest first
Numbers = list[float]
Told = tuple[FighterSheet, FighterFields, int]  # a fighter, what a view says of it, where its block begins

PHASES = tuple(STANCES[stance] for stance in PHASE_ORDER)
RELATION_NAMES = tuple(feature.name for feature in RELATIONS)
FLAGS = ("armed", "action", "interaction", "dash")
SCALES = {  # what the feature of a field counts in
    "hp": HP_SCALE,
    "wounds": HP_SCALE,
    "hit": HP_SCALE,
    "heart": DIE_SCALE,
    "helped": LEVEL_SCALE,
    "shrugs": LEVEL_SCALE,
    "rush": RUSH_SCALE,
}
LASTING_FIELDS = (
    "name", "team", "hero", "hp_max", "wound_threshold", "heart_max", "might", "agility", "cunning", "presence",
    "armor", "shield", "attack_bonus", "size", "weapon",
)  # fmt: skip
IN_MOMENT = {feature.name: k for k, feature in enumerate(MOMENT)}
IN_BLOCK = {feature.name: k for k, feature in enumerate(LASTING + CHANGING + RELATIONS)}
STATUS_AT, CONDITIONS_AT, RELATIONS_AT = IN_BLOCK[STATUSES[0]], IN_BLOCK[CONDITIONS[0]], IN_BLOCK[RELATION_NAMES[0]]
STANCE_AT, SAID_AT, PICK_AT = IN_BLOCK["stance might"], IN_BLOCK["said might"], IN_BLOCK["pick might"]
COUNT_AT, REVEAL_AT = IN_BLOCK["count might"], IN_BLOCK["reveal 1 might"]
WINDOW_AT, PHASE_AT = IN_MOMENT["window talk"], IN_MOMENT[f"phase {PHASES[0]}"]
WITHOUT_MAP = tuple(name for name in WINDOWS if f"window {name}" in IN_MOMENT)
ON_MAP = WINDOWS[1 + len(WITHOUT_MAP) :]  # windows that only fights on maps have
SENSELESS = ("stunned", "incapacitated")  # conditions that take the stance away


def view_of(game: Game, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
    """What a seat may see, JSON-able, as messages.View describes it.

    Args:
        game: What is played.
        seat: Whose observation it is.
        observation: The vector, as the environment gave it to this seat.
        reveals: All stances revealed in the fight; what the observation shows of them, unless given.
    """
    return eyes(game).view(seat, observation, reveals)


def observation_of(game: Game, seat: str, view: View) -> FloatArray:
    """The observation that named fields stand for; ProtocolError (bad_view) says what does not fit."""
    return eyes(game).observation(seat, view)


def eyes(game: Game) -> Eyes:
    """What reads and writes views of a game, made once for each."""
    return _eyes(cast("HeartRush", game))


@lru_cache(maxsize=16)
def _eyes(game: HeartRush) -> Eyes:
    return Eyes(game)


class Eyes:
    """Reads and writes the views of one game."""

    def __init__(self, game: HeartRush) -> None:
        self.game = game
        scenario, shape = game.scenario, game.shape
        self._sheets = {sheet.agent: sheet for sheet in scenario.fighters}
        carried = {sheet.agent: _with_each_hand(sheet) for sheet in scenario.fighters}
        self._starts = {agent: [_starting_block(hand, game) for hand in hands] for agent, hands in carried.items()}
        self._public = {agent: [lasting_fields(hand) for hand in hands] for agent, hands in carried.items()}
        self._windows = max(1, scenario.settings.windows_per_round)
        self._size = len(game.feature_names)
        self._low, self._high = game.observation_low.astype(np.float64), game.observation_high.astype(np.float64)
        self._enemy_at = [N_MOMENT + N_BLOCK + k * (N_BLOCK + N_RELATIONS) for k in range(shape.enemies)]
        first_ally = N_MOMENT + N_BLOCK + shape.enemies * (N_BLOCK + N_RELATIONS)
        self._ally_at = [first_ally + k * (N_BLOCK + N_RELATIONS) for k in range(shape.allies)]
        self._window_on_map = game.feature_names.index(f"window {ON_MAP[0]}") if shape.on_map else None
        field, first = scenario.battlefield, self._window_on_map
        self._ground = None if field is None or first is None else Ground(field, shape, first)
        self._windows_named = WITHOUT_MAP if self._ground is None else (*WITHOUT_MAP, *ON_MAP)
        self._memory = REVEALS if game.memory is None else game.memory
        self._viewers = {seat: self._viewers_of(seat, team) for seat, team in zip(game.agents, game.teams, strict=True)}

    def _viewers_of(self, seat: str, team: str) -> list[FighterSheet]:
        """Whose eyes a seat may look through: its own, or those of each fighter of its team."""
        return [
            sheet for sheet in self._sheets.values() if seat == sheet.agent or (self._by_team and sheet.team == team)
        ]

    @property
    def _by_team(self) -> bool:
        return self.game.control == "team"

    def _places(self, viewer: FighterSheet) -> tuple[list[FighterSheet], list[FighterSheet]]:
        """The viewer's enemies and its allies, by place."""
        sheets = self._sheets.values()
        enemies = [sheet for sheet in sheets if sheet.team != viewer.team]
        return enemies, [sheet for sheet in sheets if sheet.team == viewer.team and sheet is not viewer]

    # -- from an observation to named fields ---------------------------------------------------------------------------

    def view(self, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
        """What the seat may see, JSON-able."""
        seen = short(observation)
        viewer = self._viewer(seat, seen)
        enemies, allies = self._places(viewer)
        blocks = {viewer.agent: N_MOMENT}
        blocks |= {sheet.agent: at for sheet, at in zip(enemies, self._enemy_at, strict=False)}
        blocks |= {sheet.agent: at for sheet, at in zip(allies, self._ally_at, strict=False)}
        round_number = self._round(seen)
        if reveals is None:
            reveals = self._reveals(seen, blocks, round_number)
        ground = self._ground
        own = self._fighter(viewer, None, seen, N_MOMENT)
        others = {
            kind: [self._fighter(sheet, k, seen, blocks[sheet.agent]) for k, sheet in enumerate(sheets, 1)]
            for kind, sheets in (("enemies", enemies), ("allies", allies))
        }
        if ground is not None:
            own |= ground.own_fields(seen, viewer)
            for kind, fighters in others.items():
                for fields in fighters:
                    sheet = self._sheets[fields["agent"]]
                    fields |= ground.other_fields(seen, sheet, kind, fields["place"])
        return {
            "round": round_number,
            "window": self._window(seen),
            "phase": _word(seen, PHASE_AT, PHASES),
            "windows_left": round(seen[IN_MOMENT["windows_left"]] * self._windows),
            "self": own,
            **others,
            **({} if ground is None else {"map": ground.map_fields(seen)}),
            "reveals": [dict(reveal) for reveal in reveals],
            "observation": seen,
        }

    def _viewer(self, seat: str, seen: Numbers) -> FighterSheet:
        """The fighter of the seat; under control by team the first that, with its allies, has the stat lines seen."""
        viewers = self._viewers[seat]
        if len(viewers) == 1:
            return viewers[0]
        return next((sheet for sheet in viewers if self._fits(sheet, seen)), viewers[0])

    def _fits(self, viewer: FighterSheet, seen: Numbers) -> bool:
        """Whether the stat lines that are seen are those of this viewer and, by place, of its allies."""
        blocks = zip([viewer, *self._places(viewer)[1]], [N_MOMENT, *self._ally_at], strict=False)
        return all(self._hand(sheet, seen[at : at + N_BLOCK]) is not None for sheet, at in blocks)

    def _hand(self, sheet: FighterSheet, block: Numbers) -> int | None:
        """Which of what it carries a fighter of this stat line has in hand; None if the stat line is another's."""
        lines = [start[: len(LASTING)] for start in self._starts[sheet.agent]]
        return lines.index(block) if (block := block[: len(LASTING)]) in lines else None

    def _window(self, seen: Numbers) -> str:
        """The open window; those that only maps have are told further behind."""
        window = _word(seen, WINDOW_AT, WITHOUT_MAP)
        if window is None and self._window_on_map is not None:
            window = _word(seen, self._window_on_map, ON_MAP)
        return window or WINDOWS[0]

    def _round(self, seen: Numbers) -> int | None:
        """The number of the round, where the observation tells it."""
        begun, left = seen[IN_MOMENT["round"]], seen[IN_MOMENT["rounds_left"]]
        if self.game.memory == 0:
            return None
        if begun < 1:
            return round(begun * ROUNDS_SCALE)
        return None if left >= 1 else self.game.scenario.max_rounds - round(left * ROUNDS_SCALE)

    def _reveals(self, seen: Numbers, blocks: Mapping[str, int], round_number: int | None) -> list[dict[str, Any]]:
        """The latest reveals, the oldest first; the last of them is of this round once stances are shown."""
        if round_number is None:
            return []
        latest = round_number if self._has_revealed(seen, blocks, round_number) else round_number - 1
        rows = []
        for k in reversed(range(min(self._memory, latest))):
            stances = {agent: _word(seen, at + REVEAL_AT + 4 * k, STANCES) for agent, at in blocks.items()}
            rows.append({"round": latest - k, "stances": {agent: stances[agent] for agent in self._sheets}})
        return rows

    def _has_revealed(self, seen: Numbers, blocks: Mapping[str, int], round_number: int) -> bool:
        """Whether this round's stances have been revealed.

        Shown stances say so. A reveal in which nobody had a stance shows none and has no phase; it is known by fighters
        of two teams who cannot take a stance while nobody can. After a yield or at the end of the fight, the last able
        fighter may have fallen just before instead: the vector does not tell these two apart, and the reveal is taken
        to have happened.
        """
        if any(_word(seen, at + STANCE_AT, STANCES) for at in blocks.values()):
            return True
        window = self._window(seen)
        if window not in ("shrug", "yield", "over") or any(
            _word(seen, at + REVEAL_AT, STANCES) for at in blocks.values()
        ):
            return False
        standing = {agent for agent, at in blocks.items() if seen[at + STATUS_AT]}
        senseless = {agent for agent, at in blocks.items() if self._is_senseless(agent, seen, at, round_number)}
        without_stance = senseless & standing if window == "shrug" else senseless  # hits are judged after the window
        return standing <= senseless and len({self._sheets[agent].team for agent in without_stance}) > 1

    def _is_senseless(self, agent: str, seen: Numbers, at: int, round_number: int) -> bool:
        """Whether this fighter takes no stance, standing or not."""
        if self._sheets[agent].surprised and round_number <= 1:
            return True
        return any(seen[at + IN_BLOCK[condition]] for condition in SENSELESS)

    def _fighter(self, sheet: FighterSheet, place: int | None, seen: Numbers, at: int) -> dict[str, Any]:
        """A fighter's fields, from its block."""
        block = seen[at : at + N_BLOCK + (0 if place is None else N_RELATIONS)]
        levels = [round(level * LEVEL_SCALE) for level in block[CONDITIONS_AT : CONDITIONS_AT + len(CONDITIONS)]]
        shares = dict(zip(STANCES, block[COUNT_AT : COUNT_AT + len(STANCES)], strict=True))
        fields: dict[str, Any] = {
            "agent": sheet.agent,
            "place": place,
            "status": _word(block, STATUS_AT, STATUSES),
            "conditions": {name: level for name, level in zip(CONDITIONS, levels, strict=True) if level},
            "stance": _word(block, STANCE_AT, STANCES),
            "said": _word(block, SAID_AT, STANCES),
            "pick": _word(block, PICK_AT, STANCES),
            "habits": {stance: share for stance, share in shares.items() if share},
        }
        fields |= {name: block[IN_BLOCK[name]] > 0 for name in FLAGS}
        fields |= {name: round(block[IN_BLOCK[name]] * scale) for name, scale in SCALES.items()}
        if self.game.memory == 0:
            fields["wounds"] = None
        if place is not None:
            fields["relations"] = [name for k, name in enumerate(RELATION_NAMES) if block[RELATIONS_AT + k]]
        return {**self._public[sheet.agent][self._hand(sheet, block) or 0], **fields}

    # -- and back ------------------------------------------------------------------------------------------------------

    def observation(self, seat: str, view: View) -> FloatArray:
        """The observation that named fields stand for; what is left out is as the fight began."""
        viewer = self._named_viewer(seat, view)
        enemies, allies = self._places(viewer)
        told = [(viewer, view.own or FighterFields(), N_MOMENT)]
        others: dict[str, list[tuple[FighterSheet, FighterFields]]] = {}
        for kind, sheets, given, starts in (
            ("enemies", enemies, view.enemies, self._enemy_at),
            ("allies", allies, view.allies, self._ally_at),
        ):
            named = _by_place(given, sheets, kind)
            others[kind] = [(sheet, named.get(sheet.agent, FighterFields())) for sheet in sheets]
            told += [(sheet, fields, at) for (sheet, fields), at in zip(others[kind], starts, strict=False)]
        seen = [0.0] * self._size
        self._write_moment(view, seen)
        for sheet, fields, at in told:
            self._write_fighter(sheet, fields, seen, at)
            if sheet is not viewer:
                _write_relations(viewer, sheet, fields, seen, at + RELATIONS_AT)
        self._write_reveals(view, told, seen)
        if self._ground is not None:
            self._ground.write(view, (viewer, told[0][1]), others, seen)
        return self.checked(seen)

    def checked(self, observation: Sequence[float]) -> FloatArray:
        """An observation as an array, if it is as long as those of the game and each number within its bounds."""
        if len(observation) != self._size:
            raise _bad(f"observation: found {len(observation)} numbers, allowed: {self._size}")
        numbers = np.array(observation, np.float64)
        with np.errstate(over="ignore"):
            single = numbers.astype(np.float32)
        outside = ~((single >= self._low) & (single <= self._high))
        if outside.any():
            k = int(outside.argmax())
            allowed = f"{self._low[k]:g} to {self._high[k]:g}"
            raise _bad(f"observation, {self.game.feature_names[k]}: found {numbers[k]:g}, allowed: {allowed}")
        return single

    def _named_viewer(self, seat: str, view: View) -> FighterSheet:
        """The fighter through whose eyes the seat looks, by the name that the view gives it."""
        viewers = self._viewers[seat]
        agent = view.own.agent if view.own else None
        if agent is None:
            return viewers[0]
        for sheet in viewers:
            if sheet.agent == agent:
                return sheet
        raise _bad(f"self, agent: found {agent!r}, allowed: {', '.join(sheet.agent for sheet in viewers)}")

    def _write_moment(self, view: View, seen: Numbers) -> None:
        """Round, window and phase; a round that is not told is one too far from both ends to be shown."""
        if view.window is None:
            raise _bad(f"window is missing, allowed: {', '.join(self._windows_named)}")
        if view.window in ON_MAP and self._ground is None:
            raise _bad(f"window: found {view.window!r}, which only maps have, allowed: {', '.join(WITHOUT_MAP)}")
        most = self.game.scenario.max_rounds
        if view.round is None and self.game.memory != 0 and most < 2 * ROUNDS_SCALE:
            raise _bad("round is missing, allowed: the number of the round")
        begun = ROUNDS_SCALE if view.round is None else view.round
        if begun > most and self.game.memory != 0:
            raise _bad(f"round: found {begun}, allowed: at most {most}")
        if self.game.memory != 0:
            seen[IN_MOMENT["round"]] = min(1.0, begun / ROUNDS_SCALE)
            seen[IN_MOMENT["rounds_left"]] = min(1.0, (most - begun) / ROUNDS_SCALE)
        left = self._windows - 1 if view.windows_left is None else view.windows_left
        seen[IN_MOMENT["windows_left"]] = left / self._windows
        if view.window in WITHOUT_MAP:
            seen[WINDOW_AT + WITHOUT_MAP.index(view.window)] = 1.0
        if view.phase is not None:
            seen[PHASE_AT + PHASES.index(view.phase)] = 1.0

    def _write_fighter(self, sheet: FighterSheet, fields: FighterFields, seen: Numbers, at: int) -> None:
        """A fighter's block: as it began, and what the fields say on top of that."""
        block = list(self._starts[sheet.agent][self._told_hand(sheet, fields)])
        if fields.hp is not None:
            block[IN_BLOCK["hp_share"]] = max(-1.0, fields.hp / sheet.hp)
        for name, scale in SCALES.items():
            given = getattr(fields, name)
            if given is not None:
                block[IN_BLOCK[name]] = min(1.0, given / scale) if name == "rush" else given / scale
        if self.game.memory == 0:
            block[IN_BLOCK["wounds"]] = 0.0
        for name in FLAGS:
            given = getattr(fields, name)
            if given is not None:
                block[IN_BLOCK[name]] = float(given)
        if fields.status is not None:
            block[STATUS_AT : STATUS_AT + len(STATUSES)] = [float(status == fields.status) for status in STATUSES]
        if fields.conditions is not None:
            for name in fields.conditions:
                if name not in CONDITIONS:
                    raise _bad(f"{sheet.agent}: {unknown_name('condition', name, CONDITIONS)}")
            levels = [fields.conditions.get(name, 0) / LEVEL_SCALE for name in CONDITIONS]
            block[CONDITIONS_AT : CONDITIONS_AT + len(CONDITIONS)] = levels
        for first, stance in ((STANCE_AT, fields.stance), (SAID_AT, fields.said), (PICK_AT, fields.pick)):
            if stance is not None:
                block[first + STANCES.index(stance)] = 1.0
        seen[at : at + N_BLOCK] = block

    def _told_hand(self, sheet: FighterSheet, fields: FighterFields) -> int:
        """Which of what it carries a fighter has in hand; what never changes must be what the scenario says."""
        faults = [_misfit(public, fields) for public in self._public[sheet.agent]]
        if None not in faults:
            raise _bad(f"{sheet.agent}: {faults[0]}")
        return faults.index(None)

    def _write_reveals(self, view: View, told: Sequence[Told], seen: Numbers) -> None:
        """The latest reveals of everybody, and how often each stance was taken."""
        history = sorted(view.reveals, key=lambda reveal: reveal.round)
        for reveal in history:
            for agent in reveal.stances:
                if agent not in self._sheets:
                    raise _bad(f"reveals: round {reveal.round}: {unknown_name('fighter', agent, self._sheets)}")
        for sheet, fields, at in told:
            stances = [reveal.stances.get(sheet.agent) for reveal in history]
            for k, stance in enumerate(stances[: -self._memory - 1 : -1]):
                if stance is not None:
                    seen[at + REVEAL_AT + 4 * k + STANCES.index(stance)] = 1.0
            if self.game.memory is None:
                taken = [stance for stance in stances if stance is not None]
                shares = {stance: taken.count(stance) / len(taken) for stance in set(taken)}
                for stance, share in (shares if fields.habits is None else fields.habits).items():
                    seen[at + COUNT_AT + STANCES.index(stance)] = share


def short(observation: FloatArray) -> Numbers:
    """The numbers of an observation as few digits tell them apart, whole ones without a point."""
    numbers: Numbers = observation.tolist()
    for k in np.flatnonzero((observation != 0) & (observation != 1)):
        numbers[k] = float(str(observation[k]))
    return [int(number) if number in (0, 1) else number for number in numbers]


def lasting_fields(sheet: FighterSheet) -> dict[str, Any]:
    """What everyone knows of a fighter from the scenario, and no fight changes."""
    weapon = sheet.weapon
    same = (
        "name",
        "team",
        "hero",
        "might",
        "agility",
        "cunning",
        "presence",
        "armor",
        "shield",
        "attack_bonus",
        "size",
    )
    return {
        **{field: getattr(sheet, field) for field in same},
        "hp_max": sheet.hp,
        "heart_max": sheet.heart,
        "wound_threshold": sheet.wound_threshold,
        "weapon": {
            "name": weapon.name,
            "die": weapon.die,
            "attack_type": weapon.attack_type,
            "damage_type": weapon.damage_type,
        },
    }


def _starting_block(sheet: FighterSheet, game: HeartRush) -> Numbers:
    """A fighter's block before anything has happened."""
    block = dict.fromkeys((feature.name for feature in LASTING + CHANGING), 0.0)
    block |= {"present": 1, "hero": float(sheet.hero), "hp_max": sheet.hp / HP_SCALE, "size": sheet.size_rank / 8}
    block |= {"wound_threshold": sheet.wound_threshold / HP_SCALE, "heart_max": sheet.heart / DIE_SCALE}
    block |= {name: getattr(sheet, name) / DIE_SCALE for name in ("might", "agility", "cunning", "presence")}
    block |= {"armor": sheet.armor / ARMOR_SCALE, "shield": sheet.shield / 2}
    block |= {"attack_bonus": sheet.attack_bonus / ARMOR_SCALE, "weapon_die": sheet.weapon.die / DIE_SCALE}
    block[f"weapon {sheet.weapon.attack_type}"] = 1.0
    if sheet.weapon.damage_type != "none":
        block[f"weapon {sheet.weapon.damage_type}"] = 1.0
    block |= {STATUSES[0]: 1.0, "hp": sheet.hp_now / HP_SCALE, "hp_share": max(-1.0, sheet.hp_now / sheet.hp)}
    block |= {"heart": sheet.heart_now / DIE_SCALE, "rush": min(1.0, sheet.rush / RUSH_SCALE)}
    block |= dict.fromkeys(FLAGS, 1.0)
    block["wounds"] = 0.0 if game.memory == 0 else sum(sheet.wounds) / HP_SCALE
    block |= {start.name: start.levels / LEVEL_SCALE for start in sheet.conditions}
    ends = {"grappled": "grappling", "creature_climber": "climbed_on"}
    for other in game.scenario.fighters:
        for start in other.conditions:
            if start.source == sheet.agent and start.name in ends:
                block[ends[start.name]] = 1 / LEVEL_SCALE
    return short(np.array(list(block.values()), np.float32))


def _with_each_hand(sheet: FighterSheet) -> list[FighterSheet]:
    """A fighter as it begins, and with its spare weapon and shield in hand if it has any."""
    spare = sheet.spare
    return [sheet] if spare is None else [sheet, replace(sheet, weapon=spare.weapon, shield=spare.shield)]


def _misfit(public: Mapping[str, Any], fields: FighterFields) -> str | None:
    """What is told otherwise than the scenario says it, if anything."""
    for name in LASTING_FIELDS:
        given = getattr(fields, name)
        if name == "weapon" and given is not None:
            given = {part: getattr(given, part) for part in public["weapon"]}
        if given is not None and given != public[name]:
            return f"{name}: found {show(given)}, but the scenario says {public[name]!r}"
    return None


def _starting_relations(viewer: FighterSheet, other: FighterSheet) -> list[str]:
    """What binds another fighter to the viewer before anything has happened."""
    bonds = {
        "frightened": "frightens_me",
        "enraged": "enrages_me",
        "aggravated": "enrages_me",
        "charmed": "charms_me",
        "grappled": "grapples_me",
        "creature_climber": "climbed_by_me",
    }
    ends = {"grappled": "grappled_by_me", "creature_climber": "climbs_on_me"}
    mine = [bonds[start.name] for start in viewer.conditions if start.source == other.agent and start.name in bonds]
    return mine + [
        ends[start.name] for start in other.conditions if start.source == viewer.agent and start.name in ends
    ]


def _write_relations(viewer: FighterSheet, other: FighterSheet, fields: FighterFields, seen: Numbers, at: int) -> None:
    """What binds another fighter to the viewer."""
    for name in _starting_relations(viewer, other) if fields.relations is None else fields.relations:
        if name not in RELATION_NAMES:
            raise _bad(f"{other.agent}: {unknown_name('relation', name, RELATION_NAMES)}")
        seen[at + RELATION_NAMES.index(name)] = 1.0


def _by_place(given: Sequence[FighterFields], sheets: Sequence[FighterSheet], kind: str) -> dict[str, FighterFields]:
    """The fighters of a list by agent: each names itself or its place, or stands at its place."""
    agents = [sheet.agent for sheet in sheets]
    named: dict[str, FighterFields] = {}
    for k, fields in enumerate(given, 1):
        if fields.agent is not None:
            place, found = agents.index(fields.agent) + 1 if fields.agent in agents else 0, show(fields.agent)
        else:
            place = k if fields.place is None else fields.place
            found = f"place {place}"
        if not 1 <= place <= len(agents) or agents[place - 1] in named:
            raise _bad(f"{kind}: found {found}, allowed: each once of {', '.join(agents) or 'nobody'}")
        named[agents[place - 1]] = fields
    return named


def _word(numbers: Numbers, at: int, words: Sequence[str]) -> str | None:
    """The word whose flag is up, from `at` on."""
    for k, word in enumerate(words):
        if numbers[at + k]:
            return word
    return None


def _bad(what: str) -> ProtocolError:
    return ProtocolError("bad_view", f"view: {what}.")
