"""Hidden hands: a small game with everything that an environment has to carry, and nothing of Heart Rush.

A round has two windows. In the first, everyone still standing picks rock, paper or scissors, unseen. In the second,
those who have a coin may raise. Then the hands are shown. If a hand beats a hand of another team, the beaten seat loses
1 hit point, 1 more if the winner raised, and 1 more if a six-sided die shows 5 or 6. A seat without hit points is out,
and the last seat of a table of three or four comes late: it is out in round 1. The last team standing wins.

At a table with `in_turn`, the seats that have a coin raise one after another, unseen, each asked alone in a window, and
the batch itself says which seats it asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from heartrush_env.tabletop.errors import DiceError, HeartRushError, SnapshotError
from heartrush_env.tabletop.game import (
    MISSING,
    ActionArray,
    Arrays,
    Bounds,
    Event,
    FloatArray,
    Moment,
    Picture,
    Snapshot,
    Vectors,
)
from heartrush_env.tabletop.validate import Field, is_whole, one_of, read_table

ACTIONS = ("pass", "rock", "paper", "scissors", "raise")
PASS, ROCK, PAPER, SCISSORS, RAISE = range(len(ACTIONS))
BEATS = {ROCK: SCISSORS, PAPER: ROCK, SCISSORS: PAPER}
OUT_CAUSES = ("", "down", "late")
DOWN, LATE = 1, 2
MOST_SEATS = 4
START_HP = 4
OWN_FEATURES = ("hands window", "raise window", "round", "hp", "coin", "my rock", "my paper", "my scissors")
OTHER_FEATURES = ("present", "hp", "rock", "paper", "scissors")
FEATURES = OWN_FEATURES + tuple(f"other {k} {name}" for k in range(1, MOST_SEATS) for name in OTHER_FEATURES)
STATE_SIZE = 2 + MOST_SEATS * len(OTHER_FEATURES)


FIELDS = {
    "game": one_of(["hidden_hands"]),
    "scenario": Field(lambda value: isinstance(value, Mapping) or value in SCENARIOS, "a table, or table or three"),
    "coins": Field(is_whole, "a whole number"),
    "max_cycles": Field(lambda value: value is None or is_whole(value), "a whole number or null"),
}
SCENARIOS: dict[str, dict[str, Any]] = {"table": {}, "three": {"num_seats": 3, "scenario_name": "three"}}


def open_table(table: Mapping[str, Any], where: str) -> ToyGame:
    """Return the game that a table describes; tests register this module as "hidden_hands"."""
    fields = read_table(table, FIELDS, where or "game", HeartRushError)
    scenario = fields.get("scenario", {})
    scenario = dict(SCENARIOS[scenario] if isinstance(scenario, str) else scenario)
    scenario["team_names"] = tuple(scenario.get("team_names", ("blue", "red", "blue", "red")))
    return ToyGame(**scenario, coins=fields.get("coins", 1), max_cycles=fields.get("max_cycles"))


def scenario_names() -> tuple[str, ...]:
    return tuple(SCENARIOS)


@dataclass(frozen=True)
class ToyGame:
    """Hidden hands for two to four seats."""

    num_seats: int = 2
    team_names: tuple[str, ...] = ("blue", "red", "blue", "red")
    rounds: int = 6
    coins: int = 1
    max_cycles: int | None = None
    in_turn: bool = False
    name: str = "hidden_hands"
    scenario_name: str = "table"
    action_names: tuple[str, ...] = ACTIONS
    feature_names: tuple[str, ...] = FEATURES
    out_causes: tuple[str, ...] = OUT_CAUSES

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(f"hand_{seat}" for seat in range(self.num_seats))

    @property
    def teams(self) -> tuple[str, ...]:
        return self.team_names[: self.num_seats]

    @property
    def observation_low(self) -> FloatArray:
        return np.zeros(len(FEATURES), dtype=np.float32)

    @property
    def observation_high(self) -> FloatArray:
        return np.ones(len(FEATURES), dtype=np.float32)

    @property
    def observation_kinds(self) -> tuple[str, ...]:
        return ("vector",)

    def observed(self, observations: str) -> dict[str, Bounds]:
        return {"observation": Bounds(self.observation_low, self.observation_high)}

    @property
    def state_low(self) -> FloatArray:
        return np.zeros(STATE_SIZE, dtype=np.float32)

    @property
    def state_high(self) -> FloatArray:
        return np.ones(STATE_SIZE, dtype=np.float32)

    @property
    def options(self) -> dict[str, Any]:
        kinds = {"decisions": "full", "control": "fighter", "shape": "table", "memory": None, "reward": "win"}
        return {**kinds, "max_cycles": self.max_cycles}

    @property
    def rules(self) -> dict[str, Any]:
        return {"rounds": self.rounds, "coins": self.coins, "in_turn": self.in_turn}

    def as_table(self) -> dict[str, Any]:
        scenario = {"num_seats": self.num_seats, "team_names": list(self.team_names), "rounds": self.rounds}
        scenario |= {"scenario_name": self.scenario_name, "in_turn": self.in_turn}
        return {"game": self.name, "scenario": scenario, "coins": self.coins, "max_cycles": self.max_cycles}

    @property
    def scenario_digest(self) -> str:
        return repr((self.num_seats, self.team_names, self.rounds, self.coins, self.in_turn))

    @property
    def digest(self) -> str:
        return repr((self.scenario_digest, self.max_cycles))

    def batch(self, num_fights: int = 1, *, record: bool = False, observations: str = "vector") -> ToyBatch:
        return ToyBatch(self, num_fights, record)

    def text_picture(self, view: Mapping[str, Any]) -> str:
        lines = [f"hand_{seat} {'*' * hp} {shown}" for seat, (hp, shown) in enumerate(view["hands"])]
        return "\n".join([f"round {view['round']}", *lines])

    def new_board(self) -> ToyBoard:
        return ToyBoard()

    def bytes_per_fight(self, observations: str = "vector", record: bool = False) -> int:
        return 1000


class ToyBoard:
    """A board that draws pictures in one shade."""

    exact, blows = ((7, 7, 7),), ("damage",)

    def draw(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> Picture:
        return np.full((4, 6, 3), 7, np.uint8)

    def glide(self, view: Mapping[str, Any], events: Sequence[Event], when: Moment) -> list[Picture]:
        return []

    def record_step(self, events: Sequence[Event], when: Moment) -> None:
        pass


@dataclass
class Fight:
    """The state of one fight."""

    seed: int
    fight: int
    hp: list[int]
    coins: list[int]
    hands: list[int]  # this round's, still hidden; 0 before they are picked
    shown: list[int]  # the last round's hands
    given_dice: list[int]
    draws: int = 0
    steps: int = 0
    round: int = 1
    raising: bool = False
    raisers: list[int] = field(default_factory=list)  # still hidden
    turn: int = 0  # the seat that raises now, at a table where they raise in turn
    ended: bool = False
    events: list[Event] = field(default_factory=list)


class ToyBatch:
    """Parallel fights of hidden hands, in plain Python."""

    def __init__(self, game: ToyGame, num_fights: int, record: bool) -> None:
        self.game, self.record = game, record
        self.fights: list[Fight | None] = [None] * num_fights
        n, seats, features, actions = num_fights, game.num_seats, len(FEATURES), len(ACTIONS)
        self.observations = np.zeros((n, seats, features), dtype=np.float32)
        self.masks = np.zeros((n, seats, actions), dtype=np.int8)
        self.rewards = np.zeros((n, seats), dtype=np.float32)
        self.terminated = np.zeros(n, dtype=np.bool_)
        self.truncated = np.zeros(n, dtype=np.bool_)
        self.ended = np.zeros(n, dtype=np.bool_)
        self.numbers = np.arange(n)
        self.illegal = np.zeros((n, seats), dtype=np.bool_)
        if game.in_turn:
            self.asked = np.zeros((n, seats), dtype=np.bool_)
        self.out = np.zeros((n, seats), dtype=np.int8)
        self.final_observations = np.zeros_like(self.observations)
        self.final_masks = np.zeros_like(self.masks)
        self.seen: Arrays = {"observation": self.observations}
        self.final_seen: Arrays = {"observation": self.final_observations}
        self.vectors: Vectors = self.observations

    # -- the protocol --------------------------------------------------------------------------------------------------

    def start(self, slots: Sequence[int], seed: int, fights: Sequence[int], dice: Sequence[int] | None = None) -> None:
        seats = self.game.num_seats
        for slot, number in zip(slots, fights, strict=True):
            self.fights[slot] = fight = Fight(
                seed, number, [START_HP] * seats, [self.game.coins] * seats, [0] * seats, [0] * seats, list(dice or ())
            )
            fight.events = [{"type": "round", "round": 1}]
            self.numbers[slot] = number
            self.clear(slot)
            self.show(slot)

    def step(self, actions: ActionArray, *, autoreset: bool = False, lo: int = 0, hi: int | None = None) -> None:
        for slot in range(lo, len(self.fights) if hi is None else hi):
            fight = self.fight(slot)
            assert not fight.ended, "a fight that has ended was stepped"
            self.clear(slot)
            self.play(slot, fight, [int(action) for action in actions[slot]])
            self.show(slot)
            if fight.ended and autoreset:
                self.begin_next(slot, fight)
            self.ended[slot] = fight.ended

    def legal(self, slot: int, seat: int) -> list[int]:
        return [int(action) for action in np.flatnonzero(self.masks[slot, seat])]

    def events(self, slot: int) -> list[Event]:
        assert self.record, "events were asked of a batch that does not record"
        return self.fight(slot).events

    def state(self, slot: int) -> FloatArray:
        fight = self.fight(slot)
        numbers = [fight.round / self.game.rounds, float(fight.raising)]
        for seat in range(self.game.num_seats):
            numbers += self.seen_of(fight, seat)
        return np.array(numbers + [0.0] * (STATE_SIZE - len(numbers)), dtype=np.float32)

    def snapshot(self, slot: int) -> Snapshot:
        return {**asdict(self.fight(slot)), "terminated": bool(self.terminated[slot])}

    def restore(self, slot: int, data: Mapping[str, Any]) -> None:
        fields = dict(data)
        terminated = fields.pop("terminated", None)
        if terminated is None:
            raise SnapshotError("The position of the snapshot is damaged.")
        fields = {key: list(value) if isinstance(value, list) else value for key, value in fields.items()}
        self.fights[slot] = fight = Fight(**fields)
        self.clear(slot)
        self.terminated[slot] = terminated
        self.truncated[slot] = fight.ended and not terminated
        self.ended[slot], self.numbers[slot] = fight.ended, fight.fight
        self.show(slot)

    def describe(self, slot: int) -> dict[str, Any]:
        fight = self.fight(slot)
        shown = [ACTIONS[hand] if hand else "?" for hand in fight.shown]
        return {"round": fight.round, "hands": [list(hand) for hand in zip(fight.hp, shown, strict=True)]}

    def moment(self, slot: int) -> Moment:
        fight = self.fight(slot)
        return Moment(fight.seed, fight.fight, fight.steps)

    # -- the game ------------------------------------------------------------------------------------------------------

    def fight(self, slot: int) -> Fight:
        fight = self.fights[slot]
        assert fight is not None, "a slot was used before start"
        return fight

    def clear(self, slot: int) -> None:
        self.rewards[slot] = 0
        self.terminated[slot] = self.truncated[slot] = self.ended[slot] = False
        self.illegal[slot] = False

    def begin_next(self, slot: int, fight: Fight) -> None:
        self.final_observations[slot] = self.observations[slot]
        self.final_masks[slot] = self.masks[slot]
        told = self.rewards[slot].copy(), self.terminated[slot], self.truncated[slot], self.illegal[slot].copy()
        self.start([slot], fight.seed, [fight.fight + len(self.fights)])
        self.rewards[slot], self.terminated[slot], self.truncated[slot], self.illegal[slot] = told

    def out_cause(self, fight: Fight, seat: int) -> int:
        if fight.hp[seat] <= 0:
            return DOWN
        return LATE if self.game.num_seats > 2 and seat == self.game.num_seats - 1 and fight.round == 1 else 0

    def may_raise(self, fight: Fight) -> list[int]:
        return [seat for seat, coins in enumerate(fight.coins) if coins and not self.out_cause(fight, seat)]

    def is_asked(self, fight: Fight, seat: int) -> bool:
        if fight.ended or self.out_cause(fight, seat):
            return False
        if fight.raising and self.game.in_turn:
            return seat == fight.turn
        return not fight.raising or fight.coins[seat] > 0

    def choices(self, fight: Fight, seat: int) -> list[int]:
        if not self.is_asked(fight, seat):
            return [PASS]
        return [PASS, RAISE] if fight.raising else [ROCK, PAPER, SCISSORS]

    def play(self, slot: int, fight: Fight, actions: list[int]) -> None:
        fight.events = []
        fight.steps += 1
        for seat, action in enumerate(actions):
            legal = self.choices(fight, seat)
            if not self.is_asked(fight, seat):
                actions[seat] = PASS
            elif action == MISSING or action not in legal:
                self.illegal[slot, seat] = True
                actions[seat] = legal[0]
        turns = self.may_raise(fight)
        if fight.raising:
            fight.raisers += [seat for seat, action in enumerate(actions) if action == RAISE]
            turns = [seat for seat in turns if self.game.in_turn and seat > fight.turn]
        else:
            fight.hands, fight.raisers, fight.raising = actions, [], True
        if turns:
            fight.turn = turns[0]
        else:
            self.reveal(slot, fight, set(fight.raisers))
        if not fight.ended and fight.steps == self.game.max_cycles:
            fight.ended = True
            self.truncated[slot] = True

    def reveal(self, slot: int, fight: Fight, raisers: set[int]) -> None:
        agents, teams = self.game.agents, self.game.teams
        hands, fight.shown, fight.hands = fight.hands, fight.hands, [0] * len(agents)
        shown = {agents[seat]: ACTIONS[hand] for seat, hand in enumerate(hands) if hand}
        fight.events.append({"type": "reveal", "hands": shown, "raisers": [agents[seat] for seat in sorted(raisers)]})
        damage = [0] * len(agents)
        for winner, hand in enumerate(hands):
            for loser, other in enumerate(hands):
                if hand and teams[winner] != teams[loser] and BEATS[hand] == other:
                    damage[loser] += 1 + (winner in raisers) + (self.roll(fight) >= 5)
        for seat, amount in enumerate(damage):
            if amount:
                fight.hp[seat] = max(0, fight.hp[seat] - amount)
                fight.events.append({"type": "damage", "fighter": agents[seat], "amount": amount, "hp": fight.hp[seat]})
        for seat in raisers:
            fight.coins[seat] -= 1
        self.end_round(slot, fight)

    def end_round(self, slot: int, fight: Fight) -> None:
        standing = {team for team, hp in zip(self.game.teams, fight.hp, strict=True) if hp > 0}
        fight.raising = False
        if len(standing) > 1 and fight.round < self.game.rounds:
            fight.round += 1
            fight.events.append({"type": "round", "round": fight.round})
            return
        fight.ended = True
        self.terminated[slot] = True
        if len(standing) == 1:
            losers = len(set(self.game.teams)) - 1
            for seat, team in enumerate(self.game.teams):
                self.rewards[slot, seat] = 1.0 if team in standing else -1.0 / losers
        cause = "last_standing" if len(standing) < 2 else "round_cap"
        fight.events.append({"type": "end", "cause": cause, "winners": sorted(standing) if len(standing) == 1 else []})

    def roll(self, fight: Fight) -> int:
        if fight.given_dice:
            face = fight.given_dice.pop(0)
            if face > 6:
                raise DiceError(f"The given die shows {face}, but it stands for a d6.")
            return face
        fight.draws += 1
        mixed = (fight.seed * 0x9E3779B97F4A7C15 + fight.fight * 0xBF58476D1CE4E5B9 + fight.draws) % 2**64
        for shift in (30, 27, 31):
            mixed = ((mixed ^ (mixed >> shift)) * 0x94D049BB133111EB) % 2**64
        return int(mixed >> 32) % 6 + 1

    # -- what is seen --------------------------------------------------------------------------------------------------

    def show(self, slot: int) -> None:
        fight = self.fight(slot)
        for seat in range(self.game.num_seats):
            numbers = [float(not fight.raising), float(fight.raising), fight.round / self.game.rounds]
            numbers += [fight.hp[seat] / START_HP, min(1.0, fight.coins[seat])]
            numbers += [float(fight.hands[seat] == hand) for hand in (ROCK, PAPER, SCISSORS)]
            for other in range(self.game.num_seats):
                if other != seat:
                    numbers += self.seen_of(fight, other)
            self.observations[slot, seat] = 0
            self.observations[slot, seat, : len(numbers)] = numbers
            self.masks[slot, seat] = 0
            self.masks[slot, seat, self.choices(fight, seat)] = 1
            self.out[slot, seat] = self.out_cause(fight, seat)
            if self.game.in_turn:
                self.asked[slot, seat] = self.is_asked(fight, seat)

    def seen_of(self, fight: Fight, seat: int) -> list[float]:
        return [1.0, fight.hp[seat] / START_HP, *(float(fight.shown[seat] == hand) for hand in (ROCK, PAPER, SCISSORS))]


def typed_as_protocols(game: ToyGame) -> Any:
    """Let the type checker verify that the toy game implements the protocols."""
    from heartrush_env.tabletop.game import Batch, Game

    kept: tuple[Game, Batch] = (game, game.batch())
    return kept
