"""The reader and writer of observations: unscaled numbers by name, and a seat's whole view as named fields.

Hit points are points, and dice are numbers of sides. A secret choice does not appear, because the observation does not
contain it. Legal actions are not part of a view.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.encoding.features import features, owners, row_of
from heartrush_env.games.heart_rush.encoding.fighter import CHANGING, FIGHTER, LASTING, MOST_RUSH
from heartrush_env.games.heart_rush.encoding.moment import MOMENT, MOST_ROUNDS
from heartrush_env.games.heart_rush.encoding.relation import RELATIONS
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES, Shape
from heartrush_env.games.heart_rush.encoding.view_ground import GroundView
from heartrush_env.games.heart_rush.encoding.view_parts import LoadoutView, TurnView
from heartrush_env.games.heart_rush.encoding.view_start import (
    Fields,
    Numbers,
    Owners,
    misfit,
    public_fields,
    starting_block,
    starting_relations,
    with_each_hand,
)
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CONDITIONS, STANCES, STANDING, STATUSES
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.state.record import (
    FOLLOW_WINDOW,
    OVER,
    REVEALS,
    STEP_WINDOW,
    WINDOWS,
    WINDOWS_OF_ABILITIES,
    WINDOWS_OF_TURNS,
)
from heartrush_env.tabletop.game import FloatArray, Game
from heartrush_env.tabletop.tables import Block
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import unknown_name
from heartrush_env.tabletop.views import Reveals, ViewError, checked, short

Told = tuple[FighterSheet, Fields]  # a fighter, and its fields in a view

N_LASTING = len(LASTING)
NOW = Block(*(line for line in CHANGING.lines if line.name != "reveal"))  # without the past, which is last in a block
SAME = ("conditions", "stance", "said", "pick")  # fields with the same names as lines of the block
NUMBERS = ("armed", "action", "interaction", "dash", "hp", "wounds", "hit", "heart", "helped", "shrugs", "rush")
SENSELESS = ("stunned", "incapacitated")  # conditions that prevent a stance


# ------------------------------------------------------------------------------------------------------ single numbers


@cache
def _scales() -> dict[str, int]:
    """Return the scale of each feature; the largest shape has the features of all others."""
    return {feature.name: feature.scale for feature in features(SHAPES["able_map"], turns=True)}


@lru_cache(maxsize=16)
def _places(feature_names: tuple[str, ...]) -> dict[str, int]:
    return {name: number for number, name in enumerate(feature_names)}


class Columns:
    """A reader and writer of single features by name, as unscaled numbers: dice, for instance, as sides."""

    def __init__(self, feature_names: Sequence[str], names: str | Iterable[Any]) -> None:
        """Find features in a table by name: a single name, or a nested list of names."""
        place = _places(tuple(feature_names))
        wanted = np.array(names)
        self.places: NDArray[np.intp] = np.array([place[name] for name in wanted.ravel()], np.intp).reshape(
            wanted.shape
        )
        self._scales = np.array([_scales()[name] for name in wanted.ravel()], np.float64).reshape(wanted.shape)

    def of(self, observations: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
        """Return the numbers of one observation, or of each of many, (..., features) to (..., *names)."""
        return np.rint(observations[..., self.places] * self._scales).astype(np.int64)

    def one(self, observation: NDArray[np.floating[Any]]) -> int:
        """Return the number of the single named feature in one observation."""
        return int(self.of(observation))

    def write(self, observations: NDArray[np.floating[Any]], numbers: Any) -> None:
        """Write numbers into observations, the inverse of `of`."""
        observations[..., self.places] = numbers / self._scales


def lasting(feature_names: Sequence[str], whose: str = r"self|enemy \d+|ally \d+") -> NDArray[np.intp]:
    """Return the indices of features that only a swap of weapons changes, for the fighters that `whose` matches."""
    names = {feature.name for feature in LASTING.features}
    found = [re.fullmatch(f"(?:{whose}) (.+)", name) for name in feature_names]
    return np.array([k for k, fight in enumerate(found) if fight and fight[1] in names], np.intp)


# -------------------------------------------------------------------------------------------------------- whole views


class ViewedGame(Game, Protocol):
    """The properties of a Heart Rush game that views depend on."""

    @property
    def scenario(self) -> Scenario:
        """The scenario of the game."""

    @property
    def shape(self) -> Shape:
        """The shape of the game."""

    @property
    def control(self) -> str:
        """Whether each seat controls a fighter or a team."""

    @property
    def memory(self) -> int | None:
        """How many reveals an observation shows; None for all."""


class ViewCodec:
    """A reader and writer of the views of one game."""

    named = True  # the fields hold all facts of the vector

    def __init__(self, game: ViewedGame) -> None:
        self.game = game
        scenario, shape = game.scenario, game.shape
        self._sheets = {sheet.agent: sheet for sheet in scenario.fighters}
        carried = {sheet.agent: with_each_hand(sheet, scenario.objects) for sheet in scenario.fighters}
        self._starts = {
            agent: [starting_block(hand, scenario.fighters, self._forgets) for hand in hands]
            for agent, hands in carried.items()
        }
        self._lines = {
            agent: [np.array(start[:N_LASTING], np.float32).tolist() for start in starts]
            for agent, starts in self._starts.items()
        }
        self._places = {sheet.agent: self._places_of(sheet) for sheet in scenario.fighters}
        self._owners = {sheet.agent: self._owners_of(sheet) for sheet in scenario.fighters}
        self._public = {agent: [public_fields(hand) for hand in hands] for agent, hands in carried.items()}
        self._windows = max(1, scenario.windows_per_round)
        takes_turns = edition_of(scenario.settings).turns
        self._row = row_of(shape, takes_turns)
        field = scenario.battlefield
        self._ground = None if field is None else GroundView(field, scenario.objects, self._row)
        self._turns = TurnView(scenario, self._row) if takes_turns else None
        self._loadouts = LoadoutView(scenario, self._row) if shape.abilities else None
        shown = enumerate(feature.name.partition(" ") for feature in self._row.features)
        self._window_at = {word: at for at, (first, _, word) in shown if first == "window"}
        self._memory = REVEALS if game.memory is None else game.memory
        self._viewers = {seat: self._viewers_of(seat, team) for seat, team in zip(game.agents, game.teams, strict=True)}

    @property
    def _forgets(self) -> bool:
        """Whether observations show nothing of the past."""
        return self.game.memory == 0

    def _viewers_of(self, seat: str, team: str) -> list[FighterSheet]:
        """Return the fighters whose view a seat may have: its own fighter, or each fighter of its team."""
        by_team = self.game.control == "team"
        return [sheet for sheet in self._sheets.values() if seat == sheet.agent or (by_team and sheet.team == team)]

    def _places_of(self, viewer: FighterSheet) -> tuple[list[FighterSheet], list[FighterSheet]]:
        """Return the viewer's enemies and allies, each in view order."""
        sheets = self._sheets.values()
        enemies = [sheet for sheet in sheets if sheet.team != viewer.team]
        return enemies, [sheet for sheet in sheets if sheet.team == viewer.team and sheet is not viewer]

    def _owners_of(self, viewer: FighterSheet) -> Owners:
        """Return the name of each fighter as the owner of blocks in the viewer's observations."""
        enemies, allies = self._places[viewer.agent]
        names = owners(len(enemies), len(allies))
        return {sheet.agent: name for sheet, name in zip([viewer, *enemies, *allies], names, strict=True)}

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the named fields; raise HeartRushError without the extra `protocol`."""
        from heartrush_env.games.heart_rush.encoding.view_fields import schema

        return schema()

    # -- from an observation to named fields ---------------------------------------------------------------------------

    def read(self, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
        """Return a seat's view as JSON-able fields, with the vector; the arguments are those of `fields`."""
        return {**self.fields(seat, observation, reveals), "observation": short(observation)}

    def fields(self, seat: str, observation: FloatArray, reveals: Reveals | None = None) -> dict[str, Any]:
        """Return a seat's view as JSON-able fields, without the vector.

        Args:
            seat: The seat that received the observation.
            observation: The vector, as the environment gave it to this seat.
            reveals: All stances revealed in the fight; by default, the ones that the observation shows.
        """
        seen: Numbers = np.asarray(observation, np.float32).tolist()
        viewer = self._viewer(seat, seen)
        enemies, allies = self._places[viewer.agent]
        whose = self._owners[viewer.agent]
        part = CHANGING if reveals is None else NOW
        blocks = {agent: part.read(seen, self._row.first(FIGHTER, owner) + N_LASTING) for agent, owner in whose.items()}
        moment = self._row.read(seen, MOMENT)
        window, round_number = self._window(moment["phase"], seen), self._round(moment)
        turns = {} if self._turns is None else {"turns": self._turns.read(seen, whose)}
        abilities = {} if self._loadouts is None else {"abilities": self._loadouts.read(seen, whose)}
        if reveals is None and turns:
            reveals = self._reveals_at_turns(blocks)
        elif reveals is None:
            reveals = self._reveals(blocks, window, round_number)
        told = {
            sheet.agent: self._fighter(sheet, place, blocks[sheet.agent], seen, whose[sheet.agent])
            for place, sheet in [(None, viewer), *enumerate(enemies, 1), *enumerate(allies, 1)]
        }
        ground = {} if self._ground is None else {"map": self._ground.read(seen, told, whose, self._sheets)}
        return {
            "round": round_number,
            "window": window,
            "phase": moment["phase"],
            "windows_left": round(moment["windows_left"] * self._windows),
            "self": told[viewer.agent],
            "enemies": [told[sheet.agent] for sheet in enemies],
            "allies": [told[sheet.agent] for sheet in allies],
            **ground,
            **turns,
            **abilities,
            "reveals": [dict(reveal) for reveal in reveals],
        }

    def _viewer(self, seat: str, seen: Numbers) -> FighterSheet:
        """Return the seat's fighter; under team control, the first one that fits the visible stat lines."""
        viewers = self._viewers[seat]
        if len(viewers) == 1:
            return viewers[0]
        return next((sheet for sheet in viewers if self._fits(sheet, seen)), viewers[0])

    def _fits(self, viewer: FighterSheet, seen: Numbers) -> bool:
        """Return whether the visible stat lines match this viewer and its allies in view order."""
        whose, side = self._owners[viewer.agent], [viewer, *self._places[viewer.agent][1]]
        return all(self._hand(sheet, seen, whose[sheet.agent]) is not None for sheet in side)

    def _hand(self, sheet: FighterSheet, seen: Numbers, owner: str) -> int | None:
        """Return the index of the weapon and shield in hand; None if the stat line does not belong to this fighter."""
        lines, at = self._lines[sheet.agent], self._row.first(FIGHTER, owner)
        return lines.index(line) if (line := seen[at : at + N_LASTING]) in lines else None

    def _window(self, phase: str | None, seen: Numbers) -> str:
        """Return the open window; without a map, no feature is for the last steps of the agility phase."""
        unseen = WINDOWS[STEP_WINDOW] if self._ground is None and phase == STANCES[AGILITY] else WINDOWS[OVER]
        return next((window for window, at in self._window_at.items() if seen[at]), unseen)

    def _reveals_at_turns(self, blocks: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return each fighter's latest reveals, oldest first.

        Their rounds are unknown, because a round may have any number of reveals.
        """
        shown = [{agent: blocks[agent]["reveal"][k] for agent in self._sheets} for k in range(self._memory)]
        first = max((k for k, stances in enumerate(shown) if any(stances.values())), default=-1)
        return [{"round": None, "stances": stances} for stances in reversed(shown[: first + 1])]

    def _round(self, moment: Mapping[str, Any]) -> int | None:
        """Return the number of the round, or None if the observation does not show it."""
        begun, left = moment["round"], moment["rounds_left"]
        if self._forgets:
            return None
        if begun < MOST_ROUNDS:
            return int(begun)
        return None if left >= MOST_ROUNDS else self.game.scenario.max_rounds - left

    def _reveals(
        self, blocks: Mapping[str, Mapping[str, Any]], window: str, round_number: int | None
    ) -> list[dict[str, Any]]:
        """Return the latest reveals, oldest first; the last one is this round's once stances are shown."""
        if round_number is None:
            return []
        latest = round_number if self._has_revealed(blocks, window, round_number) else round_number - 1
        return [
            {"round": latest - k, "stances": {agent: blocks[agent]["reveal"][k] for agent in self._sheets}}
            for k in reversed(range(min(self._memory, latest)))
        ]

    def _has_revealed(self, blocks: Mapping[str, Mapping[str, Any]], window: str, round_number: int) -> bool:
        """Return whether this round's stances have been revealed.

        Shown stances prove it. A reveal without any stance leaves no trace: it shows none, and no phase follows. Such a
        reveal is inferred if no standing fighter can take a stance and fighters of at least two teams are unable to.
        After a yield or at the end of the fight, the last able fighter may instead have just fallen. The vector does
        not distinguish the two cases, so the reveal is assumed to have happened.
        """
        if any(block["stance"] for block in blocks.values()):
            return True
        if window not in ("shrug", "yield", "over") or any(block["reveal"][0] for block in blocks.values()):
            return False
        standing = {agent for agent, block in blocks.items() if block["status"] == STATUSES[STANDING]}
        senseless = {agent for agent, block in blocks.items() if self._is_senseless(agent, block, round_number)}
        without_stance = senseless & standing if window == "shrug" else senseless  # hits land after the window
        return standing <= senseless and len({self._sheets[agent].team for agent in without_stance}) > 1

    def _is_senseless(self, agent: str, block: Mapping[str, Any], round_number: int) -> bool:
        """Return whether a condition or surprise keeps this fighter from taking a stance, even if it stands."""
        if self._sheets[agent].surprised and round_number <= 1:
            return True
        return any(condition in block["conditions"] for condition in SENSELESS)

    def _fighter(
        self, sheet: FighterSheet, place: int | None, block: Mapping[str, Any], seen: Numbers, owner: str
    ) -> dict[str, Any]:
        """Return a fighter's fields, read from its block."""
        fields = {"agent": sheet.agent, "place": place, "status": block["status"]}
        fields |= {name: block[name] for name in SAME}
        habits = {stance: _shortest(share) for stance, share in block["count"].items()}
        fields |= {"habits": habits, **{name: block[name] for name in NUMBERS}}
        if self._forgets:
            fields["wounds"] = None
        if place is not None:
            relations = self._row.read(seen, RELATIONS, owner)
            fields["relations"] = [name for name, holds in relations.items() if holds]
        return {**self._public[sheet.agent][self._hand(sheet, seen, owner) or 0], **fields}

    # -- and back ------------------------------------------------------------------------------------------------------

    def write(self, seat: str, view: Fields) -> FloatArray:
        """Return the observation that named fields describe; omitted fields are as at the start of the fight.

        Raises:
            ViewError: A field does not fit the game.
        """
        viewer = self._named_viewer(seat, view)
        whose, told = self._owners[viewer.agent], [(viewer, view.get("self", {}))]
        for kind, sheets in zip(("enemies", "allies"), self._places[viewer.agent], strict=True):
            named = _by_place(view.get(kind, ()), sheets, kind)
            told += [(sheet, named.get(sheet.agent, {})) for sheet in sheets]
        seen = [0.0] * len(self._row.features)
        self._write_moment(view, seen)
        for sheet, fields in told:
            self._write_fighter(sheet, fields, seen, self._row.first(FIGHTER, whose[sheet.agent]))
            if sheet is not viewer:
                self._row.show(_told_relations(viewer, sheet, fields), seen, RELATIONS, whose[sheet.agent])
        self._write_reveals(view, told, whose, seen)
        if self._ground is not None:
            self._ground.write(view, told, whose, seen)
        if self._turns is not None:
            self._turns.write(view, whose, seen)
        if self._loadouts is not None:
            self._loadouts.write(view, whose, seen)
        return self.checked(seen)

    def checked(self, observation: Sequence[float]) -> FloatArray:
        """Return an observation as an array, after a check of its length and bounds.

        Raises:
            ViewError: The observation's length is not the game's, or a number is out of its bounds.
        """
        return checked(self.game, observation)

    def _named_viewer(self, seat: str, view: Fields) -> FighterSheet:
        """Return the fighter whose view this is, by the name in the view."""
        viewers = self._viewers[seat]
        agent = view.get("self", {}).get("agent")
        if agent is None:
            return viewers[0]
        for sheet in viewers:
            if sheet.agent == agent:
                return sheet
        raise ViewError(f"self, agent: expected {', '.join(sheet.agent for sheet in viewers)}, got {agent!r}")

    def _write_moment(self, view: Fields, seen: Numbers) -> None:
        """Write round, window and phase; a view may omit a round's number if observations cannot show it."""
        window, number, left = (view.get(name) for name in ("window", "round", "windows_left"))
        allowed = ", ".join(self._window_at)
        if window is None:
            raise ViewError(f"window: expected {allowed}, got none")
        if window == WINDOWS[FOLLOW_WINDOW] and self._ground is None:
            raise ViewError(f"window: expected {allowed}, got {window!r}, which exists only on maps")
        if window in WINDOWS_OF_TURNS and self._turns is None:
            raise ViewError(f"window: expected {allowed}, got {window!r}, which this edition does not have")
        if window in WINDOWS_OF_ABILITIES and self._loadouts is None:
            raise ViewError(f"window: expected {allowed}, got {window!r}, which exists only in fights with abilities")
        moment = {"phase": view.get("phase")}
        most = self.game.scenario.max_rounds
        if not self._forgets:
            if number is None and most < 2 * MOST_ROUNDS:
                raise ViewError("round: expected the number of the round, got none")
            begun = MOST_ROUNDS if number is None else number
            if begun > most:
                raise ViewError(f"round: expected at most {most}, got {begun}")
            moment |= {"round": min(begun, MOST_ROUNDS), "rounds_left": min(most - begun, MOST_ROUNDS)}
        moment["windows_left"] = (self._windows - 1 if left is None else left) / self._windows
        self._row.show(moment, seen, MOMENT)
        if window in self._window_at:
            seen[self._window_at[window]] = 1.0

    def _write_fighter(self, sheet: FighterSheet, fields: Fields, seen: Numbers, at: int) -> None:
        """Write a fighter's block: its values at the start, overridden by the fields."""
        block = list(self._starts[sheet.agent][self._told_hand(sheet, fields)])
        told = {name: fields[name] for name in ("status", *SAME, *NUMBERS) if fields.get(name) is not None}
        for name in told.get("conditions", ()):
            if name not in CONDITIONS:
                raise ViewError(f"{sheet.agent}: {unknown_name('condition', name, CONDITIONS)}")
        if "hp" in told:
            told["hp_share"] = max(-1.0, told["hp"] / sheet.hp)
        if "rush" in told:
            told["rush"] = min(told["rush"], MOST_RUSH)
        if self._forgets:
            told["wounds"] = 0
        FIGHTER.show(told, block)
        seen[at : at + len(block)] = block

    def _told_hand(self, sheet: FighterSheet, fields: Fields) -> int:
        """Return the index of the weapon and shield in hand; raise ViewError if fields contradict the scenario."""
        faults = [misfit(public, fields) for public in self._public[sheet.agent]]
        if None not in faults:
            raise ViewError(f"{sheet.agent}: {faults[0]}")
        return faults.index(None)

    def _write_reveals(self, view: Fields, told: Sequence[Told], whose: Owners, seen: Numbers) -> None:
        """Write every fighter's latest reveals, and how often it took each stance.

        Where sides take turns, a fighter reveals only in engagements, and the view's `reveals` are used in the order
        given; otherwise they are sorted by round.
        """
        history = list(view.get("reveals", ()))
        if self._turns is None:
            history.sort(key=lambda reveal: reveal["round"] or 0)
        for reveal in history:
            for agent in reveal["stances"]:
                if agent not in self._sheets:
                    raise ViewError(f"reveals: round {reveal['round']}: {unknown_name('fighter', agent, self._sheets)}")
        for sheet, fields in told:
            own = [r for r in history if self._turns is None or sheet.agent in r["stances"]]
            stances = [reveal["stances"].get(sheet.agent) for reveal in own]
            said: dict[str, Any] = {"reveal": stances[: -self._memory - 1 : -1]}
            if self.game.memory is None:
                taken = [stance for stance in stances if stance is not None]
                shares = {stance: taken.count(stance) / len(taken) for stance in taken}
                said["count"] = shares if fields.get("habits") is None else fields["habits"]
            self._row.show(said, seen, FIGHTER, whose[sheet.agent])


@lru_cache(maxsize=2**12)
def _shortest(share: float) -> float:
    """Return a share of float32 with the fewest digits that distinguish it."""
    return short(np.array([share], np.float32))[0]


@lru_cache(maxsize=16)
def view_codec(game: ViewedGame) -> ViewCodec:
    """Return the codec for views of a game, cached per game."""
    return ViewCodec(game)


def _told_relations(viewer: FighterSheet, other: FighterSheet, fields: Fields) -> dict[str, bool]:
    """Return the relations that hold between another fighter and the viewer; raise ViewError for an unknown one."""
    told, known = fields.get("relations"), [line.name for line in RELATIONS.lines]
    holding = starting_relations(viewer, other) if told is None else told
    for name in holding:
        if name not in known:
            raise ViewError(f"{other.agent}: {unknown_name('relation', name, known)}")
    return dict.fromkeys(holding, True)


def _by_place(given: Sequence[Fields], sheets: Sequence[FighterSheet], kind: str) -> dict[str, Fields]:
    """Return the given fields by agent; an entry without a name or a place counts by its position in `given`."""
    agents = [sheet.agent for sheet in sheets]
    named: dict[str, Fields] = {}
    for k, fields in enumerate(given, 1):
        agent = fields.get("agent")
        if agent is not None:
            place, found = agents.index(agent) + 1 if agent in agents else 0, show(agent)
        else:
            place = k if fields.get("place") is None else fields["place"]
            found = f"place {place}"
        if not 1 <= place <= len(agents) or agents[place - 1] in named:
            raise ViewError(f"{kind}: expected each of {', '.join(agents) or 'none'} once, got {found}")
        named[agents[place - 1]] = fields
    return named
