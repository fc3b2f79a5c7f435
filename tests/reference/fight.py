"""A fight, with or without a map, from its first round to its end (RULES, "The round" to "Maneuvers")."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from .action_phase import ActionPhase
from .choices import talk_choices
from .conditions import FADING, WITH_SOURCE
from .damage import DamageThatLands
from .engagement import Engagement
from .forced import ForcedMovement
from .lending import end_loans
from .moments import Damage
from .objects import read_objects
from .requests import AsksLater, Request, let_answer_all, let_pick
from .settings import Settings
from .sheet import Fighter, read_board, read_fighters
from .table import Table
from .uses import uses
from .walking import next_choices, next_squares
from .windows import Actions, Chosen, Windows


class Fight(ActionPhase, Engagement, DamageThatLands, ForcedMovement):
    """One fight: ask `choices`, answer with `step`, look at `state`. Its round is the June edition's."""

    def __init__(
        self, scenario: Mapping[str, Any], roll: Callable[[int], int], rules: Mapping[str, Any] | None = None
    ) -> None:
        self.settings = Settings.read(scenario.get("rules", {}), rules or {})
        self.table = Table(read_fighters(scenario, self.settings), self.settings, roll, read_board(scenario))
        self.table.objects = read_objects(scenario)
        self.fighters = self.table.fighters
        self.victory: str = scenario.get("victory", "last_standing")
        self.max_rounds: int = scenario.get("max_rounds", 200)
        self.round_cap: str = scenario.get("round_cap", "draw")
        self.window = "over"
        self.phase: str | None = None
        self.cause: str | None = None
        self.winners: list[str] = []
        self._pending: dict[str, list[Damage]] = {}
        self._owed: list[tuple[Fighter, Fighter, str | None, Collection[str]]] = []
        self.somebody_has_attacked = False
        self.requests: list[Request] = []
        self.dashing = False
        self._choices: dict[str, list[str]] = {}
        self._play = self._whole_fight()
        self._advance(None)

    # ------------------------------------------------------------------------------------------------- the door

    def choices(self) -> dict[str, list[str]]:
        """Return each agent's choices in this window, by name."""
        return {agent: list(names) for agent, names in self._choices.items()}

    def step(self, actions: Actions) -> None:
        """Answer the window for all agents and go on to the next; an agent without a choice may be left out."""
        if self.window == "over":
            raise ValueError("the fight is over")
        chosen = {}
        for agent, names in self._choices.items():
            chosen[agent] = actions[agent] if agent in actions or len(names) > 1 else names[0]
            if chosen[agent] not in names:
                raise ValueError(f"{agent} may not {chosen[agent]!r} in the {self.window} window, only {names}")
        self._advance(chosen)

    def request(self, ability: AsksLater, who: Fighter) -> None:
        """Queue an ability's question to a fighter, unless an equal question is already waiting."""
        asked = Request(ability, who)
        if asked not in self.requests:
            self.requests.append(asked)

    def state(self) -> dict[str, Any]:
        """Return the public state."""
        state: dict[str, Any] = {
            "round": self.table.round,
            "window": self.window,
            "phase": self.phase,
            "cause": self.cause,
            "winners": list(self.winners),
            "fighters": {fighter.agent: self._state_of(fighter) for fighter in self.fighters},
        }
        board = self.table.board
        if board is not None:
            rows = ["".join(row) for row in board.rows]
            state["battlefield"] = {"map": rows, "drop": board.drop, "light": board.light}
            for fighter in self.fighters:
                state["fighters"][fighter.agent].update(self._place_of(fighter))
        return state

    def _place_of(self, fighter: Fighter) -> dict[str, Any]:
        return {
            "at": [fighter.space.x, fighter.space.y],
            "side": fighter.side,
            "weapon": fighter.weapon_in_hand.attack_type,
        }

    def _state_of(self, fighter: Fighter) -> dict[str, Any]:
        conditions = {name: levels for name, levels in fighter.conditions.levels.items() if levels > 0}
        there = {
            "surprised": fighter.surprised,
            "grappling": fighter.grappling is not None,
            "grappled": self.table.grappler_of(fighter) is not None,
            "creature_climber": fighter.climbing is not None,
            "climbed_on": bool(self.table.climbers_on(fighter)),
        }
        conditions.update({name: 1 for name, is_there in there.items() if is_there})
        return {
            "hp": fighter.hp,
            "heart": fighter.heart,
            "rush": fighter.rush,
            "status": fighter.status,
            "wounds": fighter.wounds,
            "conditions": conditions,
            "sources": {name: fighter.conditions.sources[name] for name in WITH_SOURCE if name in fighter.conditions},
            "stance": fighter.stance,
            "action": fighter.action,
            "interaction": fighter.interaction,
            "dash": fighter.dash,
            "armed": fighter.armed,
            "helped": fighter.helped,
            "shrugs": fighter.shrugs,
            "grappling": fighter.grappling,
            "climbing": fighter.climbing,
            "hits": [damage.amount for damage in self._pending.get(fighter.agent, [])],
        }

    def _advance(self, chosen: Actions | None) -> None:
        try:
            if chosen is None:
                next(self._play)
            else:
                self._play.send(chosen)
        except StopIteration:
            self.window = "over"
            self._choices = {fighter.agent: ["pass"] for fighter in self.fighters}

    def ask(self, window: str, options: Mapping[str, list[str]]) -> Windows:
        """Ask all agents at once and return their answers; a window in which no agent has a choice does not surface."""
        choices = {fighter.agent: options.get(fighter.agent, ["pass"]) for fighter in self.fighters}
        forced = {agent: names[0] for agent, names in choices.items() if len(names) == 1}
        if len(forced) == len(choices):
            return forced
        self.window = window
        self._choices = {agent: ["pass"] if agent in forced else names for agent, names in choices.items()}
        chosen = {agent: Chosen(name) for agent, name in {**(yield), **forced}.items()}
        while lacking := {agent: part for agent in chosen if (part := self._next_part(agent, chosen[agent]))}:
            self._choices = {agent: lacking.get(agent, ["pass"]) for agent in choices}
            given = yield
            for agent in lacking:
                chosen[agent].answers += (given[agent],)
        return chosen

    def _next_part(self, agent: str, name: Chosen) -> list[str]:
        """Return the possible answers to the next open question of a choice; fill in an answer without alternative."""
        fighter = self.table[agent]
        use = dict(uses(self, fighter)).get(name)
        while True:
            part = next_choices(self.table, fighter, name.answers) if name == "walk" else []
            if name.startswith("dash"):
                part = next_squares(self.table, fighter, name, name.answers)
            if use is not None:
                part = use.ability.part(self, use.target, name.answers)
            if len(part) != 1:
                return part
            name.answers += (part[0],)

    # ------------------------------------------------------------------------------------------------ the fight

    def _whole_fight(self) -> Windows:
        for fighter in self.fighters:
            if "wet" in fighter.conditions:
                fighter.conditions.end("burning")
        while self.cause is None:
            yield from self._round()
            self._judge_victory()

    def _round(self) -> Windows:
        """Play a round: all fighters act, then all are in one engagement."""
        self._round_start()
        yield from self._start_by_abilities()
        yield from self._action_phase()
        if len(self.table.sides_taking_part()) >= 2:
            yield from self._talk()
        yield from self._engagement()
        yield from self._round_end()

    def _round_start(self) -> None:
        """Start a round: conditions fade (R-30: not in round 1); action, free dash and free interaction are back."""
        end_loans(self.table)
        self.table.round += 1
        for fighter in self.fighters:
            if self.table.round > 1:
                fighter.surprised = False
                fighter.conditions.end("stunned")
                self._fade(fighter)
            fighter.action = fighter.interaction = fighter.dash = True
            fighter.moved = False
            fighter.stance = None
            fighter.shrugs = fighter.more_actions = 0
            fighter.acted = fighter.dashed = fighter.stood = fighter.active = False
            fighter.shot = fighter.reached_far = False
            fighter.squares_moved = 0
            fighter.tripped = set()
            fighter.dashed_within = set()
            kept = max([0, *(owned.keeps_rush() for owned in fighter.abilities)])
            left = min(fighter.rush, kept) if self.table.round > 1 else 0
            more = sum(owned.more_rush(self.table) for owned in fighter.abilities)
            gain = self._rush_points(fighter) + more
            for owned in fighter.abilities:
                gain = owned.gain_of_rush(gain)
            fighter.rush = gain + left

    def _start_by_abilities(self) -> Windows:
        """Let abilities act as a round starts, and land what they deal."""
        for owned in self.table.abilities:
            owned.at_round_start(self)
        yield from let_pick(self)
        yield from self.land({})
        yield from let_answer_all(self)

    def _fade(self, fighter: Fighter) -> None:
        """Take a level, or more by an ability, off each fading condition, but keep the levels that are held."""
        before = dict(fighter.conditions.levels)
        held = {name: sum(owned.holds(self, fighter, name) for owned in self.table.abilities) for name in FADING}
        fighter.conditions.fade(uniform=self.settings.fading == "uniform")
        for name, levels in before.items():
            more = sum(owned.fades(name) for owned in fighter.abilities)
            if more and name in fighter.conditions:
                fighter.conditions.lose(name, more)
            lacking = min(levels, held.get(name, 0)) - fighter.conditions.of(name)
            if lacking > 0:
                fighter.conditions.gain(name, lacking)

    def _rush_points(self, fighter: Fighter) -> int:
        """Return the rush points that a fighter has in this round (R-18)."""
        mode = self.settings.rush_mode
        if mode == "none":
            return 0
        if mode == "round_number":
            return self.table.round
        return fighter.first_rush if self.table.round == 1 else min(self.table.round, fighter.rounds_active)

    def _talk(self) -> Windows:
        if self.settings.talk != "none":
            yield from self.ask("talk", {f.agent: talk_choices(self.table, f) for f in self.fighters})

    def _round_end(self) -> Windows:
        """End a round: burning, suffocating and fatigue (R-11); help that was not used may lapse (R-45)."""
        hits: dict[str, list[Damage]] = {}
        for fighter in self.fighters:
            if fighter.status in ("standing", "unconscious"):
                burning = fighter.conditions.of("burning")
                fire = sum(self.table.roll_die(self.table.fire_die(fighter)) for _ in range(burning))
                breath = self.table.roll_die(6) if self.table.suffocates(fighter) else 0
                hits[fighter.agent] = [Damage(fire), Damage(breath)]
        for owned in self.table.abilities:
            owned.at_round_end(self)
        yield from self.land(hits)
        yield from let_answer_all(self)
        yield from self.strike_by_answers()

        for fighter in self.fighters:
            if fighter.standing and fighter.hp <= 0:
                fighter.rounds_at_zero += 1
                if fighter.rounds_at_zero >= self.settings.fatigue_rounds:
                    fighter.status = "unconscious"
            if self.settings.help_lasts == "round":
                fighter.helped = 0
            fighter.rounds_active += 1 if fighter.active else 0
        self.end_links_of_the_out()

    def _judge_victory(self) -> None:
        """End the fight if at most one team stands (R-38) or at the round cap (R-39)."""
        teams = self.table.standing_teams()
        if len(teams) == 1:
            self.cause, self.winners = "victory", teams
        elif not teams:
            self.cause = "draw"
        elif self.table.round >= self.max_rounds:
            self.cause = "round_cap"
            if self.round_cap == "hp":
                self.winners = self._healthiest_team()

    def _healthiest_team(self) -> list[str]:
        left: dict[str, int] = {}
        for fighter in self.fighters:
            left[fighter.team] = left.get(fighter.team, 0) + max(0, fighter.hp)
        best = [team for team, points in left.items() if points == max(left.values())]
        return best if len(best) == 1 else []
