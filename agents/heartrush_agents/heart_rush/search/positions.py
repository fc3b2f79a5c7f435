"""Positions for roll-outs, rebuilt only from what one seat sees.

An observation shows nearly everything that a fight depends on. The rest is sampled or left out: future dice, choices
that are not revealed yet, abilities that enemies have not used, which of the other fighters frighten or hold each
other, and small marks of the past such as thrown weapons. The true fight is never read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import hooks_of
from heartrush_env.games.heart_rush.abilities.companions import OF_ALL, first_memos
from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.encoding.features import owners, row_of
from heartrush_env.games.heart_rush.encoding.fighter import FIGHTER, LASTING
from heartrush_env.games.heart_rush.encoding.loadouts import LOADOUT
from heartrush_env.games.heart_rush.encoding.view import view_codec
from heartrush_env.games.heart_rush.encoding.view_start import starting_block, with_each_hand
from heartrush_env.games.heart_rush.engine.setup import put_ability
from heartrush_env.games.heart_rush.rules.abilities import LETTERS, MOST_ABILITIES, SLOTS
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.space import UNKNOWN, read_map
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK_TYPES,
    CLIMBED_ON,
    CONDITIONS,
    CREATURE_CLIMBER,
    DAMAGE_TYPES,
    FROM_ATTACK,
    GRAPPLED,
    GRAPPLING,
    MAP_SIDE,
    NO_STANCE,
    NOBODY,
    PHASE_ORDER,
    SOURCED,
    STANCES,
    STANDING,
    STATUSES,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain
from heartrush_env.games.heart_rush.scenario.sheets import LENDS, FighterSheet, Owned, Scenario
from heartrush_env.games.heart_rush.state.record import IN_HAND, REVEALS, WINDOWS
from heartrush_env.tabletop.game import FloatArray, Game
from heartrush_env.tabletop.views import short

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

Place = Mapping[str, Any]  # a flow of the rules, and the point at which it waits
REBUILT: Final = ("action", "stance", "attack", "shrug")  # windows whose positions can be rebuilt
UNSEEN: Final = ~(MOST_ABILITIES - 1)  # in a slot that shows none: not lent now, and like no ability that there is
SAME: Final = ("hp", "wounds", "heart", "armed", "action", "interaction", "dash", "helped", "shrugs", "rush")
# Bonds between two fighters: the other's relation to the viewer, the viewer's condition, the other's condition.
HOLDS: Final = (
    ("grapples_me", GRAPPLED, GRAPPLING),
    ("grappled_by_me", GRAPPLING, GRAPPLED),
    ("climbs_on_me", CLIMBED_ON, CREATURE_CLIMBER),
    ("climbed_by_me", CREATURE_CLIMBER, CLIMBED_ON),
)
TROUBLES: Final = {
    "frightens_me": ("frightened",),
    "enrages_me": ("enraged", "aggravated"),
    "charms_me": ("charmed",),
}
OTHER_END: Final = {GRAPPLED: GRAPPLING, CREATURE_CLIMBER: CLIMBED_ON}


def why_unsupported(game: Game) -> str | None:
    """Return why no position of a game can be rebuilt, as a clause, or None if positions can be."""
    if game.options["control"] != "fighter":
        return "it thinks for one fighter, but here a seat decides for a team"
    if edition_of(cast("HeartRush", game).scenario.settings).turns:
        return "it cannot set up positions of an edition in which sides take turns"
    return None


class Positions:
    """A builder of one game's positions from observations."""

    def __init__(self, game: HeartRush) -> None:
        """Start a fight that supplies the scenario's facts for every position."""
        self._game, self._codec, self._machine = game, view_codec(game), game.edition.machine
        self._agents = {agent: i for i, agent in enumerate(game.fighters)}
        self._homebrew = game.scenario.homebrew
        self._companions = [first_memos(i, game.scenario) for i in range(len(game.fighters))]
        self._one = game.batch(1)
        self._one.start([0], 0, [0])
        self._begun = self._one.copy_of(0)
        self._items = [thing for thing in getattr(self._begun[0], "objects", ()) if thing.has_item]
        self._seats = Seats(game, self._one.observations[0])
        self._waiting = np.full(self._one.out.shape, game.action_names.index("pass"))

    def seat_of(self, observation: FloatArray) -> int:
        """Return the index of the seat that made an observation."""
        return self._seats.of(observation)

    @property
    def shown(self) -> tuple[Any, Any]:
        """The observations of the position rebuilt last, (seats, features), and the masks, (seats, actions)."""
        return self._one.observations[0], self._one.masks[0]

    def rebuilt(self, observation: FloatArray, rng: np.random.Generator) -> Any:
        """Return a position that fits the seat's observation, as an array of one engine record, or None.

        None means that the window cannot be rebuilt, or that the observation does not fit its window.
        """
        seat = self._seats.of(observation)
        view = self._codec.read(self._game.agents[seat], observation)
        if view["window"] not in REBUILT or "way" in (view.get("map") or {}):
            return None
        fights = self._begun.copy()
        fight = fights[0]
        fighters = {told["agent"]: told for told in (view["self"], *view["enemies"], *view["allies"])}
        if "map" in view:
            fight.cover[:] = UNKNOWN
            self._lay_ground(fight, view["map"])
        for agent, told in fighters.items():
            self._put_fighter(fight.fighters[self._agents[agent]], told)
        self._put_reveals(fight, view)
        self._tie(fight, seat, view, rng)
        if "abilities" in view:
            self._put_loadouts(fight, seat, view["abilities"]["loadouts"])
        self._put_moment(fight, view, rng)
        self._roll_afresh(fight, rng)
        return self._opened(fights, WINDOWS.index(view["window"]))

    def _put_moment(self, fight: Any, view: Mapping[str, Any], rng: np.random.Generator) -> None:
        """Set the fight to the point just before the open window."""
        window, most = view["window"], int(fight.rules.windows_per_round)
        number = view["round"]
        fight.round_number = 1 if number is None else max(1, number)
        fight.windows_used = most - int(view["windows_left"])
        fight.engaged = view["phase"] is not None
        fight.phase = STANCES.index(view["phase"]) if fight.engaged else PHASE_ORDER[0]
        for fighter in fight.fighters[: int(fight.n)]:
            fighter.active = fight.engaged
            fighter.active_rounds = max(int(fighter.rush), 0 if number is None else number - 1)
        fight.hit_count = 0
        if window == "shrug":
            self._put_hits(fight, view, rng)
        if window == "action":
            fight.windows_used -= 1  # the round counts it again
        self._machine.put(fight, self._place(fight, window))

    def _place(self, fight: Any, window: str) -> list[Place]:
        """Return the places where the rules' flows wait just before this window, from the whole fight inwards."""
        if window == "action":
            return [_at("whole fight", "action phase"), _at("action phase", "start")]
        if window == "stance":
            return [_at("whole fight", "engagement"), _at("engagement", "start")]
        if fight.engaged:
            inner = _at("phase", "start") if window == "attack" else _at("phase", "hits")
            place = [
                _at("whole fight", "engagement"),
                _at("engagement", "phase", number=PHASE_ORDER.index(fight.phase)),
            ]
            return [*place, inner, *([_at("hits", "start")] if window == "shrug" else [])]
        last = int(fight.n)
        return [
            _at("whole fight", "action phase"),
            _at("action phase", "declarations"),
            _at("declarations", "declaration", spot=last - 1, spot_end=last),
            _at("declaration", "hits"),
            _at("hits", "start"),
        ]

    def _put_hits(self, fight: Any, view: Mapping[str, Any], rng: np.random.Generator) -> None:
        """Set each fighter's pending hit, dealt by a random enemy that could have struck it; omit further hits."""
        for told in (view["self"], *view["enemies"], *view["allies"]):
            if not told["hit"]:
                continue
            target = self._agents[told["agent"]]
            team = fight.fighters[target].team
            others = [i for i in range(int(fight.n)) if fight.fighters[i].team != team]
            struck = [i for i in others if fight.fighters[i].stance == fight.phase] if fight.engaged else []
            hit = fight.hits[int(fight.hit_count)]
            hit.target, hit.striker = target, rng.choice(struck or others)
            hit.cause, hit.rank, hit.number, hit.amount = FROM_ATTACK, int(fight.hit_count), 0, told["hit"]
            fight.hit_count += 1

    def _put_fighter(self, fighter: Any, told: Mapping[str, Any]) -> None:
        """Set everything about a fighter that all seats see."""
        for name in SAME:
            if told[name] is not None:
                fighter[name] = told[name]
        fighter.phase_heart = fighter.heart
        fighter.wound_count = max(int(fighter.wound_count), int(fighter.wounds > 0))
        fighter.status = STATUSES.index(told["status"])
        fighter.stance = NO_STANCE if told["stance"] is None else STANCES.index(told["stance"])
        fighter.said = NO_STANCE if told["said"] is None else STANCES.index(told["said"])
        fighter.levels[:] = 0
        fighter.source[:] = NOBODY
        fighter.grappling = fighter.climbing = NOBODY
        fighter.afflicted = 0
        for name, levels in told["conditions"].items():
            condition = CONDITIONS.index(name)
            fighter.levels[condition] = levels
            fighter.afflicted |= 1 << condition
        fighter.moved = not fighter.dash
        fighter.acted = not fighter.action
        self._put_hands(fighter, told)
        if "at" in told:
            self._put_on_map(fighter, told)

    def _put_hands(self, fighter: Any, told: Mapping[str, Any]) -> None:
        """Put the visible weapon into the fighter's hands: its own, its spare, or an item of the scenario."""
        seen = _weapon_of_view(told)
        others = [fighter.sets[1].copy()] if fighter.has_spare else []
        others += [thing.gear.copy() for thing in self._items]
        taken = bool(told.get("spare")) and not fighter.has_spare  # an item, which the observation does not identify
        if _weapon_of(fighter.sets[0]) != seen:
            found = next((kit for kit in others if _weapon_of(kit) == seen), None)
            if found is not None:
                fighter.sets[1] = fighter.sets[0].copy()
                fighter.sets[0] = found
                for name in IN_HAND:
                    fighter[name] = found[name]
        elif taken and others:
            fighter.sets[1] = others[0]

    def _put_on_map(self, fighter: Any, told: Mapping[str, Any]) -> None:
        """Put a fighter on its square, with its dash as shown."""
        fighter.x, fighter.y = told["at"]
        fighter.floor_x, fighter.floor_y = told["at"]
        fighter.has_spare = told.get("spare", bool(fighter.has_spare))
        fighter.squares_moved = told.get("moved", 0)
        fighter.dashed = told.get("dashed", not told["dash"])
        fighter.stood = told.get("stood", False)

    def _lay_ground(self, fight: Any, told: Mapping[str, Any]) -> None:
        """Set the ground and the objects as seen; squares out of sight keep their starting state."""
        changed = 0
        for y, row in enumerate(told["rows"]):
            for x, glyph in enumerate(row):
                square = y * MAP_SIDE + x
                if glyph in terrain() and fight.cells[square] != terrain()[glyph].code:
                    fight.cells[square] = terrain()[glyph].code
                    changed += 1
        for k, thing in enumerate(told.get("objects", ())):
            fight.objects[k].used, fight.objects[k].has_item = thing["used"], thing["item"]
        if changed:
            fight.changes = changed
            read_map(fight)

    def _put_reveals(self, fight: Any, view: Mapping[str, Any]) -> None:
        """Set the stances revealed so far."""
        for agent, i in self._agents.items():
            fighter = fight.fighters[i]
            stances = [reveal["stances"].get(agent) for reveal in view["reveals"]][: -REVEALS - 1 : -1]
            for k, stance in enumerate(stances):
                fighter.reveals[k] = NO_STANCE if stance is None else STANCES.index(stance)
        for told in (view["self"], *view["enemies"], *view["allies"]):
            counts = _counts(list(told["habits"].values()), view["round"] or REVEALS)
            for stance, count in zip(told["habits"], counts, strict=True):
                fight.fighters[self._agents[told["agent"]]].stance_count[STANCES.index(stance)] = count

    def _tie(self, fight: Any, seat: int, view: Mapping[str, Any], rng: np.random.Generator) -> None:
        """Set the fighter that each condition refers to: as the seat sees it, otherwise a random enemy that fits."""
        own = fight.fighters[seat]
        for told in (*view["enemies"], *view["allies"]):
            j = self._agents[told["agent"]]
            for name in told["relations"]:
                for condition in TROUBLES.get(name, ()):
                    if condition in view["self"]["conditions"]:
                        own.source[CONDITIONS.index(condition)] = j
            for name, mine, its in HOLDS:
                if name in told["relations"]:
                    _bind(fight, seat, j, mine, its)
        for sourced in SOURCED:
            for i in range(int(fight.n)):
                fighter = fight.fighters[i]
                if fighter.levels[sourced] and fighter.source[sourced] == NOBODY:
                    self._sample_source(fight, i, sourced, rng)

    def _sample_source(self, fight: Any, i: int, condition: int, rng: np.random.Generator) -> None:
        """Choose a random enemy that a condition may refer to; remove the condition if no enemy fits."""
        fighter = fight.fighters[i]
        other_end = {**OTHER_END, **{its: mine for mine, its in OTHER_END.items()}}.get(condition)
        fits = [
            j
            for j in range(int(fight.n))
            if fight.fighters[j].team != fighter.team
            and fight.fighters[j].status == STANDING
            and (
                other_end is None
                or (fight.fighters[j].levels[other_end] and fight.fighters[j].source[other_end] == NOBODY)
            )
        ]
        if not fits:
            fighter.levels[condition] = 0
            fighter.afflicted &= ~np.uint32(1 << condition)
        elif other_end is None:
            fighter.source[condition] = rng.choice(fits)
        else:
            _bind(fight, i, int(rng.choice(fits)), condition, other_end)

    def _put_loadouts(self, fight: Any, seat: int, loadouts: Mapping[str, Mapping[str, Any]]) -> None:
        """Set the abilities that the seat sees, slot by slot; enemies get no other abilities.

        What enemies know of its own side is what has been used.
        """
        assert ABILITY_FIELD in fight.dtype.names
        fight.hooks[:] = 0
        if self._homebrew:
            fight.made[:] = np.zeros(1, fight.made.dtype)
        for agent, i in self._agents.items():
            fighter, slots = fight.fighters[i], loadouts.get(agent, {})
            is_enemy = fighter.team != fight.fighters[seat].team
            fighter.slots = max((LETTERS.index(letter) + 1 for letter in slots), default=0)
            fighter.destined, fighter.known = 0, 0
            for name in ("uses", "uses_now", "memos"):
                fighter[name][:] = 0
            fighter.loadout[fighter.loadout >= 0] = UNSEEN  # what is not lent yet may be lent later
            loadout = []
            for letter, slot in slots.items():
                k = LETTERS.index(letter)
                owned = Owned(slot["ability"], bool(slot["destiny"]), self._homebrew.get(slot["ability"]))
                put_ability(fight, i, k, owned)
                fighter.known |= bool(is_enemy or slot["uses"]) << k
                fighter.loans |= self._is_lent(agent, k, owned.name, loadouts) << k
                fighter.uses[k], fighter.memos[k] = slot["uses"], self._memo(i, k, slot)
                loadout.append(owned)
            fighter.hooks[:] = hooks_of(loadout)
            fight.hooks[:] |= fighter.hooks

    def _is_lent(self, agent: str, k: int, name: str, loadouts: Mapping[str, Mapping[str, Any]]) -> bool:
        """Return whether a fighter is seen to have been lent an ability: a lender of its team shows that ability, too.

        The scenario may leave out abilities of enemies, and then does not tell what they may be lent.
        """
        sheets = {sheet.agent: sheet for sheet in self._game.scenario.fighters}
        shown = [
            {slot["ability"] for slot in slots.values()}
            for other, slots in loadouts.items()
            if other != agent and sheets[other].team == sheets[agent].team
        ]
        return k >= len(sheets[agent].abilities) and any({LENDS, name} <= names for names in shown)

    def _memo(self, i: int, k: int, slot: Mapping[str, Any]) -> int:
        """Return what the ability in slot k remembers: what is shown of it, and the companions of a new fight.

        The set of all companions is not taken from what is shown, which is cut off.
        """
        name, own = slot["ability"], self._game.scenario.fighters[i].abilities
        companions = self._companions[i][k] if k < len(own) and own[k].name == name else 0
        return companions | (0 if name in OF_ALL else int(slot["memo"]))

    def _roll_afresh(self, fight: Any, rng: np.random.Generator) -> None:
        """Give the fight a random dice key and no preset rolls."""
        fight.key, fight.draw = rng.integers(2**63), 0
        fight.given_count = fight.given_used = 0

    def _opened(self, fights: Any, window: int) -> Any:
        """Return the fight with the window open, or None; all earlier windows are passed without using abilities."""
        one = self._one
        for _ in range(len(WINDOWS)):
            one.put(fights)
            one.step(self._waiting)
            if one.ended[0]:
                return None
            if one.records[0].window == window:
                return one.copy_of(0)
            fights = one.copy_of(0)
        return None


class Seats:
    """The seats of a game, found from observations by the features of fighters and loadouts that never change."""

    def __init__(self, game: HeartRush, first: FloatArray) -> None:
        """Compute the constant features of each fighter with each weapon that it carries.

        Args:
            game: The game.
            first: The observations at the start of a fight, (seats, features). They show the loadouts of a seat's side.
        """
        sheets, objects = game.scenario.fighters, game.scenario.objects
        forgets = game.memory == 0
        lines = [
            {tuple(starting_block(hand, sheets, forgets)[: len(LASTING)]) for hand in with_each_hand(sheet, objects)}
            for sheet in sheets
        ]
        row = row_of(game.shape, game.edition.turns)
        self._fits, self._owned = [], list[tuple[list[int], FloatArray]]()
        for viewer in range(len(sheets)):
            enemies = [j for j, other in enumerate(sheets) if other.team != sheets[viewer].team]
            allies = [j for j, other in enumerate(sheets) if other.team == sheets[viewer].team and j != viewer]
            shown = zip(owners(len(enemies), len(allies)), [viewer, *enemies, *allies], strict=True)
            whose = [*shown]
            self._fits.append({row.first(FIGHTER, owner): lines[j] for owner, j in whose})
            own = [(owner, j) for owner, j in whose if game.shape.abilities and j not in enemies]
            slots = [at for owner, j in own for at in slots_at(row.first(LOADOUT, owner), sheets[j], game.scenario)]
            self._owned.append((slots, first[viewer, slots]))
        self._at = sorted({at for told in self._fits for at in told})
        self._slots = sorted({at for slots, _ in self._owned for at in slots})
        self._known: dict[bytes, int] = {}

    def of(self, observation: FloatArray) -> int:
        """Return the first seat whose fighters and loadouts fit the observation; equal ones have equal views."""
        parts = [observation[at : at + len(LASTING)] for at in self._at]
        key = b"".join(part.tobytes() for part in (*parts, observation[self._slots]))
        if key not in self._known:
            seen = {at: tuple(short(part)) for at, part in zip(self._at, parts, strict=True)}
            fits = [k for k, told in enumerate(self._fits) if all(seen[at] in lines for at, lines in told.items())]
            self._known[key] = next(
                k for k in fits if np.array_equal(observation[self._owned[k][0]], self._owned[k][1])
            )
        return self._known[key]


def slots_at(first: int, sheet: FighterSheet, scenario: Scenario) -> list[int]:
    """Return the features that show a fighter's own abilities, or that it has no more; those of loans may change.

    `first` is the index of the first feature of its loadout.
    """
    own, lent = len(sheet.abilities), len(scenario.slots_of(sheet))
    kept = [k for k in range(SLOTS) if k < own or k >= lent]
    start, end = first + LOADOUT.part("has")[0], first + LOADOUT.part("uses")[0]
    return [at + k for at in range(start, end, SLOTS) for k in kept]


def _at(flow: str, wait: str, **numbers: int) -> Place:
    return {"flow": flow, "at": wait, **numbers}


def _bind(fight: Any, i: int, j: int, condition: int, other_end: int) -> None:
    """Bind two fighters to each other by these conditions."""
    fight.fighters[i].source[condition], fight.fighters[j].source[other_end] = j, i
    for k, other, bond in ((i, j, condition), (j, i, other_end)):
        if bond == GRAPPLING:
            fight.fighters[k].grappling = other
        elif bond == CREATURE_CLIMBER:
            fight.fighters[k].climbing = other


def _counts(shares: Sequence[float], rounds: int) -> list[int]:
    """Return the smallest whole counts in these proportions, with a sum of at most `rounds`."""
    least = (number for number in range(1, rounds) if all(abs(share * number % 1 - 0.5) > 0.49 for share in shares))
    number = next(least, rounds)
    return [round(share * number) for share in shares]


def _weapon_of(held: Any) -> tuple[int, int, int]:
    return int(held.weapon_die), int(held.attack_type), int(held.damage_type)


def _weapon_of_view(told: Mapping[str, Any]) -> tuple[int, int, int]:
    weapon = told["weapon"]
    return weapon["die"], ATTACK_TYPES.index(weapon["attack_type"]), DAMAGE_TYPES.index(weapon["damage_type"])
