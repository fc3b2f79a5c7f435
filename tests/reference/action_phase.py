"""The action phase of a fight (RULES, "Actions", "Opportunity attacks"), and the answers of instants to events."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .actions import by_oneself, for_an_ally, overcome, pay, use_door
from .board import DIRECTIONS, STEPS, Space, distance
from .choices import ATTACKING_STANCES, action_choices, opening_choices, step_choices
from .exchange import Blow, returned_damage, tell_exchange
from .journey import dash
from .moments import Asked, Attack, Damage, Event
from .moving import Ground, dash_budget, dash_way, end_what_is_too_far, may_come_off, put, set_down, step_aside
from .objects import pay_for, use_object
from .parts import fall_with_bodies
from .requests import let_answer_all, let_pick
from .rolls import base_order, capped, modifiers, roll_attack, roll_check, roll_defence, timing_order, weapon_dice
from .sheet import Fighter
from .treading import tread
from .tripping import let_trip_stepper
from .uses import Use, uses
from .walking import may_dash_to, way_left, whole_offset
from .windows import Chosen, Windows


class ActionPhase:
    """The part of `Fight` with the action windows, the openings within them, and instants at any time."""

    def _action_phase(self) -> Windows:
        """Open action windows until all fighters pass (R-2); resolve the declarations of a window in timing order.

        Opportunity attacks come before other declarations (R-154); attackers roll for their order among themselves.
        """
        for _ in range(self._windows_at_most()):
            options = {fighter.agent: self._declarations(fighter) for fighter in self.fighters}
            declared = yield from self.ask("action", options)
            declared = {agent: self._meant(agent, name) for agent, name in declared.items()}
            declared = {agent: name for agent, name in declared.items() if name != "pass"}
            if not declared:
                return
            yield from self._carry_out_in_turn(declared)

    def _carry_out_in_turn(self, declared: Mapping[str, Chosen]) -> Windows:
        """Carry out the declarations of a window, one after another in timing order."""
        for fighter in self._in_turn(declared):
            if fighter.agent in declared:
                yield from self._carry_out(fighter, declared[fighter.agent])

    def _carry_out(self, fighter: Fighter, name: Chosen) -> Windows:
        """Carry out a declaration that is still possible once it is answered, with all that follows from it."""
        if self._is_still_possible(fighter, name):
            if not name.startswith("opportunity"):  # nobody acts before an opportunity attack
                used = name.startswith("use")  # an ability does not answer itself
                itself = {(fighter.agent, name.split()[-1])} if used else set[tuple[str, str]]()
                if used and any(owned.silences(self.table) for owned in fighter.abilities):
                    others = [owned for owned in self.table.abilities if owned.owner is not fighter]
                    itself |= {(owned.owner.agent, owned.letter) for owned in others}
                yield from self.let_answer("declaration", Event(answered=itself))
                yield from let_answer_all(self)
            yield from self._let_watchers_strike(fighter, name)
            if self._is_still_possible(fighter, name):
                yield from self._declaration(fighter, name)
        yield from let_answer_all(self)
        yield from self.strike_by_answers()

    def _let_watchers_strike(self, fighter: Fighter, name: str) -> Windows:
        """Let fighters whose opportunity attacks no sidestep escapes answer one, or one to the feet (R-211)."""
        table, words = self.table, name.split()
        if table.board is None or words[0] not in ("sidestep", "rise"):
            return
        goal = fighter.space if words[0] == "rise" else fighter.space.moved(*STEPS[DIRECTIONS.index(words[1])])
        options, leaving = {}, set()
        for enemy in table.enemies(fighter):
            leaves = distance(enemy.space, goal) > table.threat_reach(enemy)
            if table.watched_by(enemy) and (leaves or words[0] == "rise"):
                options[enemy.agent] = opening_choices(table, enemy, fighter)
                leaving |= {enemy.agent} if leaves else set()
        if options:
            yield from self.let_strike(fighter, options, leaving)

    def _windows_at_most(self) -> int:
        """Return the most action windows of a round: eight, and one for each ability of the largest loadout (R-157)."""
        most = self.settings.windows_per_round
        return 8 + max(len(fighter.abilities) for fighter in self.fighters) if most == "auto" else int(most)

    def _in_turn(self, declared: Mapping[str, str]) -> list[Fighter]:
        """Return all fighters in the order in which a window's declarations are carried out."""
        strikes = [agent for agent, name in declared.items() if name.startswith("opportunity")]
        if not self.settings.opportunity_first:
            strikes = []
        order = timing_order(self.table, {agent: "strikes" if agent in strikes else "rest" for agent in declared})
        return sorted(order, key=lambda fighter: fighter.agent not in strikes)

    def _declarations(self, fighter: Fighter) -> list[str]:
        """Return everything that the fighter may declare in an action window, abilities included."""
        return action_choices(self.table, fighter) + self._usable(fighter, "action", None)

    occasion = "action"
    """The occasion of the abilities that may be used now."""

    def _usable(self, fighter: Fighter, occasion: str, event: Event | None) -> list[str]:
        self.occasion = occasion
        return [name for name, use in uses(self, fighter) if use.is_possible(self, occasion, event)]

    def let_answer(self, occasion: str, event: Event) -> Windows:
        """Let instants answer the event, and each other, until no fighter adds one and all are done.

        The last one declared is done first; of those declared together, the quickest is (R-19). Then fighters may
        answer again. Each instant answers an event once (R-94).
        """
        stack: list[tuple[Fighter, Chosen]] = []
        while True:
            options = {}
            for fighter in self.fighters:
                usable = [
                    name
                    for name in self._usable(fighter, occasion, event)
                    if (fighter.agent, name.split()[-1]) not in event.answered
                ]
                options[fighter.agent] = ["pass", *usable]
            answers = yield from self.ask("instant", options)
            declared = [fighter for fighter in base_order(self.table) if answers[fighter.agent] != "pass"]
            for fighter in reversed(declared):
                name = answers[fighter.agent]
                event.answered.add((fighter.agent, name.split()[-1]))
                stack.append((fighter, name))
            if not stack:
                yield from self._let_defend(occasion, event)
                return
            if not declared:
                yield from self._do_last(stack, occasion, event)
                yield from let_pick(self)

    def advantage_on(self, fighter: Fighter, target: Fighter) -> int:
        """Return the net levels of advantage that the fighter's attack on the target would have in its stance."""
        assert fighter.stance is not None
        asked = Asked(fighter, "attack", fighter.stance, target)
        net = sum(modifiers(self.table, fighter, "attack", fighter.stance, target).values())
        for owned in fighter.abilities:
            net += owned.further_levels(self.table, asked, net)
            net -= owned.gives_up(self.table, asked, net)
        return capped(self.table, net)

    def _let_defend(self, occasion: str, event: Event) -> Windows:
        """Let the abilities of the target act, and ask something, before it rolls defence (R-195)."""
        if occasion in ("first roll", "sweep") and isinstance(event, Attack) and not event.contested:
            for owned in event.target.abilities:
                owned.before_defence(self, event)
            yield from let_pick(self)
        if occasion == "threat" and isinstance(event, Attack):
            waiting = len(self.requests)
            for owned in self.table.abilities:
                owned.before_dice(self, event)
            if len(self.requests) > waiting:
                yield from let_pick(self)

    def _do_last(self, stack: list[tuple[Fighter, Chosen]], occasion: str, event: Event) -> Windows:
        fighter, name = stack.pop()
        use = dict(uses(self, fighter))[name]
        if name in self._usable(fighter, occasion, event) and use.answers_hold(self, name.answers):
            yield from self._use(use, name, event)

    def _use(self, use: Use, name: Chosen, event: Event | None) -> Windows:
        """Pay for the use and carry it out, with the windows that it opens."""
        use.ability.pay(self)
        use.ability.answers = name.answers
        windows = use.ability.do(self, use.target, event)
        if windows is not None:
            yield from windows

    def free_steps(self, fighter: Fighter) -> list[str]:
        """Return the steps that an ability may give the fighter; a confused one must not have acted (R-47, R-168)."""
        table = self.table
        if table.board is None or not table.able(fighter) or table.is_too_busy_to_move(fighter):
            return []
        return step_choices(table, fighter)

    def step_freely(self, fighter: Fighter, name: str) -> Windows:
        """Take a sidestep, or the step that an ability gives; others may trip the fighter (R-162)."""
        step_aside(self.table, fighter, DIRECTIONS.index(name.split()[1]))
        self._has_sidestepped(fighter)
        tread(self.table, fighter)
        trippers = yield from let_trip_stepper(self, fighter)
        yield from self.pay_for_trips(trippers)

    def budget_of(self, fighter: Fighter) -> int:
        """Return the squares of the fighter's next dash."""
        return dash_budget(self.table, fighter)

    def is_vacant(self, fighter: Fighter, space: Space) -> bool:
        """Return whether no body keeps the fighter from staying in the space."""
        return Ground(self.table, fighter).is_vacant(space)

    def fears(self, fighter: Fighter, space: Space) -> bool:
        """Return whether fear keeps the fighter from the space."""
        return Ground(self.table, fighter).is_shunned(space)

    def move(self, places: Mapping[str, Space]) -> None:
        """Move fighters to other spaces, without a way between."""
        for agent, space in places.items():
            put(self.table, self.table[agent], space.place)
        end_what_is_too_far(self.table)

    def appear(self, fighter: Fighter, space: Space) -> None:
        """Move the fighter to the space without a way between."""
        put(self.table, fighter, space.place)
        fighter.moved = True
        end_what_is_too_far(self.table)

    def attacks_now(self, fighter: Fighter) -> bool:
        """Return whether the fighter attacks in the current phase."""
        return fighter.stance == self.phase and self.table.can_attack(fighter)

    def heal(self, fighter: Fighter, amount: int) -> None:
        """Heal a standing or unconscious fighter, who may wake, up to the maximum that wounds leave (R-124)."""
        room = max(0, fighter.hp_max - fighter.wounds - fighter.hp)
        if fighter.status in ("standing", "unconscious") and room and amount > 0:
            for owned in fighter.abilities:
                amount = owned.healing(self.table, amount)
            lay_at_zero = fighter.status == "unconscious" and fighter.hp <= 0
            fighter.hp += min(amount, room)
            if lay_at_zero and fighter.hp > 0:
                fighter.status = "standing"

    def save(self, fighter: Fighter, ability: str, against: Fighter) -> int:
        """Return the fighter's saving throw against what another fighter does."""
        return roll_check(self.table, fighter, ability, against, kind="save")

    def check(self, fighter: Fighter, ability: str, against: Fighter) -> int:
        """Roll a check against another fighter."""
        return roll_check(self.table, fighter, ability, against)

    def inflict(
        self, giver: Fighter | None, target: Fighter, name: str, levels: int, source: str | None = None
    ) -> None:
        """Give the target levels of a condition, unless an ability wards them off.

        Without a giver, the condition is given to all in an area (R-187).
        """
        sheltered = any(owned.shelters(self.table, target, name) for owned in self.table.abilities)
        if not sheltered and not any(owned.wards_off(self, name, giver) for owned in target.abilities):
            target.conditions.gain(name, levels, source)

    def _meant(self, agent: str, name: Chosen) -> Chosen:
        """Return what a choice means now: a closed door is opened, an open one closed (R-4).

        A walk is cut back to where its fighter may stay now; without a step it means "pass" (R-172).
        """
        words = name.split()
        if name == "walk":
            name.answers = name.answers[: len(way_left(self.table, self.table[agent], name.answers))]
            return name if name.answers else Chosen("pass")
        if words[0] == "object":
            return Chosen(f"{name} {'take' if self.table.objects[int(words[1]) - 1].used else 'use'}")
        if words[0] != "door":
            return name
        return Chosen(f"{name} {'open' if self._door(self.table[agent], words[1]) == '+' else 'close'}")

    def _is_still_possible(self, fighter: Fighter, name: Chosen) -> bool:
        """Return whether the choice is still possible and, for a door or an object, still means the same (R-4)."""
        choice = " ".join(name.split()[:2]) if name.startswith(("door ", "object ")) else name
        use = dict(uses(self, fighter)).get(name)
        if use is not None and not use.answers_hold(self, name.answers):
            return False
        if name == "walk":
            return name in self._declarations(fighter) and bool(way_left(self.table, fighter, name.answers))
        if name.startswith("dash"):
            return self.table.able(fighter) and may_dash_to(self.table, fighter, whole_offset(name, name.answers))
        return choice in self._declarations(fighter) and self._meant(fighter.agent, Chosen(choice)) == name

    def _door(self, fighter: Fighter, direction: str) -> str:
        """Return the glyph of the square next to the fighter in this direction."""
        assert self.table.board is not None
        return self.table.board.glyph(fighter.space.moved(*STEPS[DIRECTIONS.index(direction)]).place)

    def _declaration(self, fighter: Fighter, name: Chosen) -> Windows:
        table, words = self.table, name.split()
        verb, way = words[0], way_left(table, fighter, name.answers) if name == "walk" else []
        if verb == "walk":
            verb = "dash"
        elif verb == "dash":
            way = dash_way(table, fighter, whole_offset(name, name.answers))
        use = dict(uses(self, fighter)).get(name)
        had_action, moves = fighter.action, verb in ("stand", "rise", "hop_off", "dash", "sidestep")
        if verb == "object":
            pay_for(table, fighter, table.objects[int(words[1]) - 1])
        elif use is None:
            pay(self, fighter, verb, with_rush=words[-1] == "rush")
        hits: dict[str, list[Damage]] = {}

        if verb == "stand":
            yield from self._stand(fighter)
        elif verb == "dash":
            self.dashing = True
            yield from dash(self, fighter, way)
            self.dashing = False
        elif verb == "sidestep":
            yield from self.step_freely(fighter, name)
        elif verb == "door":
            use_door(self, fighter, DIRECTIONS.index(words[1]), opens=words[2] == "open")
        elif verb == "object":
            hits = use_object(self, fighter, table.objects[int(words[1]) - 1])
        elif verb == "opportunity":
            target = table.enemies(fighter)[int(words[1]) - 1]
            fighter.shot = fighter.shot or table.weapon_of(fighter).attack_type == "ranged"
            blows = [(yield from self._opportunity_strike(fighter, target, words[2], hits))]
        elif verb == "overcome":
            overcome(self, fighter, words[1])
        elif use is not None:
            yield from self._use(use, name, None)
        elif verb in ("help", "douse", "cut_loose"):
            for_an_ally(self, fighter, verb, table.allies(fighter)[int(words[1]) - 1])
        else:
            by_oneself(self, fighter, verb)
            if verb == "rise":
                self._has_sidestepped(fighter)

        if (moves or (had_action and not fighter.action)) and table.suffocates(fighter) and fighter.standing:
            hits.setdefault(fighter.agent, []).append(Damage(table.roll_die(6)))
        yield from self.land(hits)
        if verb == "opportunity":
            self._feel(blows)
            self._end_what_attacks_end([(fighter, target)], [])
            self._add_what_abilities_bring([(fighter, target)], set(), {})
        self.end_links_of_the_out()

    def fall_off(self, climber: Fighter) -> None:
        """End the climb if there is room (R-76); on a map, put the climber down beside its bearer."""
        assert climber.climbing is not None
        if not may_come_off(self.table, climber):
            return
        bearer = self.table[climber.climbing]
        climber.climbing = None
        if self.table.board is not None:
            set_down(self.table, climber, bearer)

    def end_links_of_the_out(self) -> None:
        """End holds and climbs of fighters that are out (R-52); those on bearers that are out are set down in order."""
        fall_with_bodies(self.table)
        for climber in self.fighters:
            if climber.climbing and climber.standing and not self.table[climber.climbing].standing:
                self.fall_off(climber)
        self.table.end_links_of_the_out()

    def _stand(self, riser: Fighter) -> Windows:
        """Let a fighter rise with half a dash (R-40): enemies may strike first, and it rises if they do not fell it."""
        table = self.table
        yield from self.let_strike(riser, {f.agent: opening_choices(table, f, riser) for f in self.fighters})
        if riser.standing:
            riser.conditions.end("prone")

    def let_strike(self, target: Fighter, options: Mapping[str, list[str]], leaving: Collection[str] = ()) -> Windows:
        """Let enemies answer an opening: all strike, then all damage lands. Return the agents that struck.

        `leaving` names those whose reach the target leaves.
        """
        answers = yield from self.ask("opportunity", options)
        strikes = {agent: name.split() for agent, name in answers.items() if name != "pass"}
        order = timing_order(self.table, dict.fromkeys(strikes, target.agent))
        in_order = [fighter for fighter in order if fighter.agent in strikes]
        hits: dict[str, list[Damage]] = {}
        blows = []
        for striker in list(in_order):
            words = strikes[striker.agent]
            free = self.table.watched_by(striker)
            if not free and not (striker.rush > 0 if words[-1] == "rush" else self.table.can_spend_action(striker)):
                in_order.remove(striker)  # an instant has taken the point
                continue
            if not free:
                pay(self, striker, "opportunity", with_rush=words[-1] == "rush")
            blows.append((yield from self._opportunity_strike(striker, target, words[2], hits)))
            for owned in striker.abilities if striker.agent in leaving else []:
                if owned.strikes_twice and target.standing and striker.standing:
                    blows.append((yield from self._opportunity_strike(striker, target, words[2], hits)))
        for striker in in_order:
            with_action = strikes[striker.agent][-1] != "rush" and not self.table.watched_by(striker)
            if with_action and self.table.suffocates(striker):  # answering cost the action
                hits.setdefault(striker.agent, []).append(Damage(self.table.roll_die(6)))
        yield from self.land(hits)
        self._feel(blows)
        strikes_made = [(striker, target) for striker in in_order]
        self._end_what_attacks_end(strikes_made, [])
        self._add_what_abilities_bring(strikes_made, set(), {f.agent: number for number, f in enumerate(in_order)})
        yield from self.land({})
        return {striker.agent for striker in in_order}

    def pay_for_trips(self, trippers: list[Fighter]) -> Windows:
        """Charge for trips, which are free except in the classic edition, where each is an action (core.toml, trip)."""
        hits = self.cost_of_trips(trippers)
        if hits:
            yield from self.land(hits)

    def cost_of_trips(self, trippers: list[Fighter]) -> dict[str, list[Damage]]:
        """Spend each tripper's action in the classic edition; return the damage to those who are suffocating (R-49)."""
        if self.settings.edition != "classic":
            return {}
        for fighter in trippers:
            fighter.spend_action()
        breathless = [fighter for fighter in trippers if self.table.suffocates(fighter)]
        return {fighter.agent: [Damage(self.table.roll_die(6))] for fighter in breathless}

    def _opportunity_strike(
        self, fighter: Fighter, target: Fighter, stance: str, hits: dict[str, list[Damage]]
    ) -> Windows:
        """Roll an opportunity attack, which beats no stance (R-15) and may be answered (R-125); return the blow."""
        fighter.active = self.somebody_has_attacked = True
        target.active = target.active or self.settings.edition != "classic"  # rush_points.toml, active_if_any
        if self.table.strikes_far(fighter, target):
            fighter.reached_far = True
        helpless = target.status == "unconscious" or "incapacitated" in target.conditions
        if helpless and self.settings.helpless_dies:
            self.put_out(target, "dead")
            self.end_links_of_the_out()
            return Blow(fighter, target, 0)
        attack = Attack(fighter, target, stance, outside=True)
        self.table.opening = self.phase is None
        attack.rolls[fighter.agent] = roll_attack(self.table, fighter, stance, target)
        self.table.opening = False
        yield from self.let_answer("first roll", attack)
        target = attack.target
        self.table.opening = self.phase is None
        attack.rolls[target.agent] = roll_defence(self.table, target, stance, fighter)
        self.table.opening = False
        yield from self.let_answer("second roll", attack)
        harm = attack.harm(fighter)
        for owned in fighter.abilities:
            harm = owned.deals(target, harm)
        attack.dealt[fighter.agent] = harm
        tell_exchange(self.table, attack, fighter, target)
        for ability, victim in attack.baits if harm == 0 else []:
            full = Damage(attack.rolls[fighter.agent].total, fighter, "opportunity")
            hits.setdefault(victim.agent, []).append(full)
            ability.after_bait(fighter, victim)
        for owned in target.abilities:
            if (shared := owned.shares(harm, harm)) is not None:
                hits.setdefault(shared[0].agent, []).append(Damage(shared[1], fighter, "opportunity", True))
                harm = shared[2]
        hits.setdefault(target.agent, []).append(Damage(harm, fighter, "opportunity"))
        hits.setdefault(fighter.agent, []).extend(returned_damage(self.table, attack, fighter, target))
        return Blow(fighter, target, harm)

    def _feel(self, blows: list[Blow]) -> None:
        """Tell the abilities of fighters that were struck about the blows."""
        for blow in blows:
            for owned in blow.target.abilities:
                owned.after_blow(blow.fighter, blow.harm)

    def first_to_engage(self) -> Fighter | None:
        """Return the quickest fighter with an enemy to attack, in round 1 and before any attack, else None (R-117)."""
        table = self.table
        inside = [fighter for fighter in base_order(table) if table.takes_part(fighter)]
        ready = [f for f in inside if any(table.can_strike(f, e) for e in table.enemies(f) if table.takes_part(e))]
        return ready[0] if table.round == 1 and not self.somebody_has_attacked and ready else None

    def owe_strike(self, fighter: Fighter, target: Fighter) -> None:
        """Pay for an opportunity attack by an ability; it comes after the instants or answers of the moment."""
        pay(self, fighter, "opportunity", with_rush=not self.table.can_spend_action(fighter))
        self.strike_for_nothing(fighter, target)

    def strike_for_nothing(self, fighter: Fighter, target: Fighter) -> None:
        """Owe an opportunity attack that is paid for already, with the largest dice (R-115)."""
        table = self.table
        stance = max(
            ATTACKING_STANCES, key=lambda die: fighter.dice[die] + sum(weapon_dice(table, fighter, die, target))
        )
        self._owed.append((fighter, target, stance, ()))

    def owe_attack(self, fighter: Fighter, target: Fighter, shared: bool = False, off: Collection[str] = ()) -> None:
        """Owe an attack in the stance shown, perhaps `shared` with the target, unless that is in `off` by then."""
        self._owed.append((fighter, target, "shared" if shared else None, off))

    def strike_by_answers(self) -> Windows:
        """Roll the attacks that abilities and answers have given, in their order, each with what follows (R-284)."""
        while self._owed:
            first, *rest = self._owed
            off = first[1].agent in first[3]
            self._owed = [first] if first[0].standing and first[1].standing and not off else []
            yield from self._strike_at_once()
            yield from let_answer_all(self)
            self._owed = [*self._owed, *rest]

    def _strike_at_once(self) -> Windows:
        """Roll the opportunity attacks that abilities have given, and land their hits."""
        strikes, self._owed = self._owed, []
        if len(strikes) == 1 and strikes[0][2] in (None, "shared"):
            yield from self.attack_at_end(strikes[0][0], strikes[0][1], strikes[0][2] == "shared")
            return
        hits: dict[str, list[Damage]] = {}
        blows = []
        for fighter, target, stance, _ in reversed(strikes):
            assert stance is not None
            blows.append((yield from self._opportunity_strike(fighter, target, stance, hits)))
        yield from self.land(hits)
        self._feel(blows)
        pairs = [(fighter, target) for fighter, target, *_ in strikes]
        self._end_what_attacks_end(pairs, [])
        self._add_what_abilities_bring(pairs, set(), {})
        self.end_links_of_the_out()
