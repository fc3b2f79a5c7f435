"""One fight of a person against agents: prompts, choices, narration, and a summary at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TextIO

import numpy as np
from heartrush_agents.heart_rush.tables import scenario_of

from heartrush_env.app.cli.playing.asking import numbers
from heartrush_env.app.cli.playing.fight import Fight
from heartrush_env.app.cli.playing.person import Person
from heartrush_env.app.cli.playing.screen import Screen
from heartrush_env.app.cli.playing.table import Session as SessionOfAnyGame
from heartrush_env.app.cli.playing.table import Table
from heartrush_env.app.heart_rush.playing.dice import Dice, FightWithRealDice
from heartrush_env.app.heart_rush.playing.ground import Square, on_map, placed, written
from heartrush_env.app.heart_rush.playing.help import HELP, HELP_ON_MAP, terms
from heartrush_env.app.heart_rush.playing.hints import Hints
from heartrush_env.app.heart_rush.playing.stage import Stage, figures, stance_note
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from heartrush_env.games.heart_rush.rules.taking_damage import one_size_smaller
from heartrush_env.games.heart_rush.rules.terms import DEEDS, GRAPPLE, OPPORTUNITY, PASS
from heartrush_env.games.heart_rush.words.habits import Habits, habit_lines
from heartrush_env.games.heart_rush.words.known import Known
from heartrush_env.games.heart_rush.words.luck import Luck
from heartrush_env.games.heart_rush.words.menu import BY_ACTION, BY_RUSH, Deed, slot_used
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.offers import menu
from heartrush_env.games.heart_rush.words.words import ability_effect, ending, sentence
from heartrush_env.tabletop.game import Event, Game
from heartrush_env.tabletop.menus import Choice, Unclear
from heartrush_env.tabletop.registry import open_game
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE
from heartrush_env.tabletop.words import Offer

PARTY = 2  # team talk is enabled on a side with at least this many heroes
ROUNDS = {  # mean length of 4 to 6 fights between tacticians, to the nearest 5
    "ambush": 20, "bridge": 30, "brawl": 25, "dragon": 30, "duel": 20, "free_for_all": 35, "giant": 25, "melee": 30,
    "mirror_duel": 15, "skirmish": 35, "tower": 25, "warband": 40,
}  # fmt: skip
ANSWERS = [choice.name for choice in CHOICES if choice.answers]
BLOWS = {"shrug", "attack", "opportunity", *(choice.name for choice in CHOICES if choice.is_maneuver)}
ROLLED_FOR_YOU = 2**16  # seed part that separates dice rolled for you from the seats' choices
SUSPENSE, BEAT = 0.8, 0.25  # seconds before the reveal, and before each blow


class Session(SessionOfAnyGame):
    """One fight of Heart Rush, from its first prompt to its summary."""

    rounds: ClassVar[Mapping[str, int]] = ROUNDS

    @staticmethod
    def seated(game: Game, seat: str, rules: Mapping[str, Any]) -> Game:
        """Return the game; with several heroes on your side, team talk is turned on unless a setting forbids it."""
        sheets = scenario_of(game).fighters
        team = next(sheet.team for sheet in sheets if sheet.agent == seat)
        heroes = sum(sheet.team == team and sheet.hero for sheet in sheets)
        if heroes < PARTY or game.rules["talk"] != "none" or "talk" in rules:
            return game
        return open_game({**game.as_table(), "rules": {"talk": "team"}}, "")

    @staticmethod
    def show_fighters(screen: Screen, game: Game) -> None:
        """Show a table of all fighters' figures."""
        figures(screen, [Known.at_start(sheet) for sheet in scenario_of(game).fighters])

    def __init__(self, table: Table, person: Person, stream: TextIO | None = None) -> None:
        """Set up the players, the narrator and the stage."""
        self.scenario = scenario_of(table.env.game)
        self.narrator = Narrator(self.scenario)
        self.ground = on_map(self.scenario, table.seat)
        self.stage = Stage(self.scenario, self.narrator, table.seat, stream, self.ground)
        super().__init__(table, person, screen=self.stage)
        self.habits = Habits(self.narrator.beats)
        self.luck = {"yours": Luck(), "your allies'": Luck(), "your enemies'": Luck()}
        teams = dict(zip(self.game.agents, self.game.teams, strict=True))
        self._enemies = [other for other in teams if teams[other] != teams[self.seat]]
        self._foes = [self.narrator.name(agent) for agent in self._enemies]  # their display names
        self.hints = Hints(self.game, self._foes)
        self._rolled_for_you = np.random.default_rng([table.seed, 0, ROLLED_FOR_YOU])
        self._said_out = self._board_due = False
        self._mapped: object = None  # the state that the last map showed
        self._skips = False  # whether the rest of the fight is skipped without output

    def new_fight(self) -> Fight:
        """Return the fight, with the dice of its seed or with real dice."""
        if self.table.real_dice:
            return FightWithRealDice(self.table.env, self.table.seed, self.tell, self.narrator, self.ask_dice)
        return super().new_fight()

    def introduce(self) -> None:
        """Show the figures and the talents of the fighters."""
        self.stage.sheets()

    def play(self) -> None:
        """Play to the end, and show the ending, your habits and your luck."""
        self.stage.say("? helps, h hints, q leaves. Dice in [brackets] will not count.", "dim")
        if self.ground is not None:
            self.stage.say(self.ground.legend(), "dim")
        super().play()

    def hear(self, events: Sequence[Event]) -> None:
        """Pass the events on to the other players and to the adviser."""
        super().hear(events)
        self.hints.observe(events)

    # -- narration --------------------------------------------------------------------------------------------------

    def tell(self, events: Sequence[Event]) -> None:
        """Show what happened, in order, and collect the statistics for the summary."""
        for event in events:
            kind = event["type"]
            if kind in ("attack", "maneuver", "check"):
                self._pause(BEAT)
            if kind in ("reveal", "attack", "end"):
                self._show_board(with_map=True)
            if kind == "reveal":
                self.stage.say("All stances are in.", "dim")
                self._pause(SUSPENSE)
            lines = self._with_squares(self.narrator.tell([event]), event)
            if kind == "round":
                self.stage.say()
                self.stage.show_title(f"Round {event['round']}")
                self._board_due = True
            elif kind == "reveal":
                self.stage.reveal(event["stances"])
                self._count_stance(event["stances"])
            elif kind != "end":
                self.stage.tell(lines)
            if kind in ("attack", "maneuver", "check"):
                self._count_dice(event)

    def _with_squares(self, lines: Sequence[str], event: Event) -> Sequence[str]:
        """Apply the event to the ground, and return its lines with the target's square added on a map."""
        if self.ground is None:
            return lines
        self.ground.apply(event)
        done_to = event.get("target") if event["type"] in ("attack", "maneuver") else None
        return lines if done_to is None else placed(lines, self.narrator.name(done_to), self.ground.at[done_to])

    def _show_board(self, *, with_map: bool) -> None:
        """Show all fighters' conditions once a round, after its opening events, and the map if `with_map` is set."""
        if self._board_due:
            self._board_due = False
            self.stage.board()
            if with_map and self.ground is not None:
                self._show_map()

    def _show_map(self, dashes: Collection[Square] = ()) -> None:
        """Show the map if something has changed since it was last shown, or if you can dash."""
        assert self.ground is not None
        known = self.narrator.known.items()
        now = (dict(self.ground.at), [*map(tuple, self.ground.rows)], {agent: each.status for agent, each in known})
        if dashes or now != self._mapped:
            self.stage.map(dashes)
        self._mapped = now

    def _count_stance(self, stances: Mapping[str, str | None]) -> None:
        own = stances.get(self.seat)
        faced = next((agent for agent in self._enemies if stances.get(agent)), self._enemies[0])
        if own:
            self.habits.add(own, stances.get(faced))

    def _count_dice(self, event: Event) -> None:
        for roll in self.narrator.rolls(event):
            side = "yours" if roll.fighter == self.seat else "your allies'"
            luck = self.luck["your enemies'" if roll.fighter in self._enemies else side]
            for die in roll.dice:
                luck.add(die.sides, die.face)

    # -- asking -----------------------------------------------------------------------------------------------------

    def ask(self) -> int:
        """Return your choice in this window, prompting for it unless only one action is legal."""
        legal = self.legal()
        if len(legal) == 1:
            self._watch()
            if "stance defensive" in legal.values() and self.ground is not None and self._shoots():
                self.stage.say("You have moved past half your speed: you cannot shoot and can only defend.", "yellow")
            return next(iter(legal))
        dashes = self.ground.dashes(legal, self._start_of_dash()) if self.ground else {}
        known = self._deeds({action: name for action, name in legal.items() if action not in dashes.values()})
        things, steps = [deed for deed in known if deed.group is None], [deed for deed in known if deed.group]
        first = next(iter(legal.values()))
        stances = first.startswith("stance ")
        completes = self._picking() or self._way()
        declares = not (stances or completes) and (_is_declaring(legal.values()) or self._declares_on_map())
        default = self.game.action_names.index(DEEDS[PASS]) if declares else None
        title, notes = self._title(legal, things)
        notes = {**self._notes_on_use(things), **notes}
        self._show_board(with_map=False)
        if self.ground is not None:
            self._show_map(dashes)
            notes = {**self.stage.whereabouts(things), **notes}
        typed = [self.stage.dash_line(list(dashes), self._dash_payment(), self._shoots())] if dashes else []
        self.stage.menu(title, things, notes, [*typed, *self.stage.step_lines(steps)])
        choices = [Choice(deed, deed.words, _names(deed)) for deed in things]
        ways = [way for deed in things for way in _ways(deed)]
        ways += [Choice(deed, deed.words, deed.actions[0].names) for deed in steps]
        while True:
            deed = self.asking.pick(
                choices,
                self._prompt(stances, declares),
                help=self._help,
                hint=self._hint,
                default=next((deed for deed in things if deed.actions[0].value == default), None),
                secret=stances,
                unlisted=ways,
                other=lambda line: None if stances else self._read_dash(line, dashes),
            )
            if len(deed.actions) == 1:
                return deed.actions[0].value
            action = self._ask_detail(deed)
            if action is not None:
                return action

    def _prompt(self, stances: bool, declares: bool) -> str:
        if stances:
            return "Your stance (it does not show while you type): "
        return "Your choice (Enter: nothing): " if declares else "Your choice: "

    def _ask_detail(self, deed: Deed) -> int | None:
        """Ask for one of the actions of a deed; return None to go back."""
        ways = [Deed(choice.words, "", [choice]) for choice in deed.actions]
        self.stage.menu(f"{sentence(deed.words.split(':')[0])}: how?", ways, {})
        back = Choice(-1, "back")
        choices = [*deed.actions, back]
        action = self.asking.pick(
            choices, "Which (Enter: back): ", help=self._help, hint=self._hint, default=back.value
        )
        return None if action == back.value else action

    def _read_dash(self, line: str, dashes: Mapping[Square, int]) -> Deed | None:
        """Return the typed dash, or None if the line is not a dash."""
        if self.ground is None:
            return None
        standing = {
            agent: self.narrator.name(agent)
            for agent, known in self.narrator.known.items()
            if known.status == "standing"
        }
        action = self.ground.read_dash(line, dashes, standing, self._start_of_dash())
        return None if action is None else Deed("dash", "", [Choice(action, "dash")])

    def _deeds(self, legal: Mapping[int, str]) -> list[Deed]:
        """Return the legal actions, in words."""
        view = self.view()
        rush = view["self"].get("rush", 0)
        points = f"{BY_RUSH} of your {rush}" if rush > 1 else f"{BY_RUSH}, your last"
        return menu(self.scenario, self.seat, view, legal, points)

    def _may_squeeze(self, names: Iterable[str]) -> bool:
        """Return whether you choose between pushing the creature that you hold and squeezing it."""
        return bool(self._feature("window follow")) and any(name.startswith(DEEDS[GRAPPLE]) for name in names)

    def _picking(self) -> Mapping[str, Any] | None:
        """Return the option, creature or direction that an ability asks you to pick, or None if none does."""
        return self.view()["abilities"].get("picking") if self.scenario.has_abilities else None

    def _way(self) -> Mapping[str, Any] | None:
        """Return the path of your dash as chosen so far, or None if you are not choosing a path."""
        return None if self.ground is None else self.view()["map"].get("way")

    def _start_of_dash(self) -> Sequence[int]:
        """Return the square from which the names of dashes count: where your dash has got to, or your own."""
        assert self.ground is not None
        way = self._way()
        return self.ground.here if way is None else way["to"]

    def _asker(self, picking: Mapping[str, Any]) -> Known:
        """Return the known facts about the fighter whose ability asks you to pick something."""
        return self.narrator.known[picking.get("by") or self.seat]

    def _feature(self, feature: str) -> int:
        """Return the value of a feature in your observation, in whole units such as hit points."""
        return Columns(self.game.feature_names, feature).one(self.fight.observations[self.seat]["observation"])

    def _dash_payment(self) -> str:
        return "with your free dash" if self._feature("self dash") else BY_ACTION

    def _shoots(self) -> bool:
        return self.narrator.known[self.seat].sheet.weapon.attack_type == "ranged"

    def _declares_on_map(self) -> bool:
        """Return whether this is a window on a map before the stances, where opportunity attacks are also choices."""
        return self.ground is not None and bool(self._feature("window action"))

    def _title(self, legal: Mapping[int, str], things: Sequence[Deed]) -> tuple[str, dict[int, str]]:
        """Return the prompt's title, and notes on some of the choices by their index in the menu."""
        known, names = self.narrator.known[self.seat], list(legal.values())
        if names[0].startswith("stance "):
            seen = self.fight.observations[self.seat]
            notes = {
                k: stance_note(deed.words, self.hints.dice(seen, deed.words, known.weapon), self.narrator.beats)
                for k, deed in enumerate(things)
            }
            return "Your stance, in secret", notes
        if "shrug" in names:
            damage = self._hit()
            left, heart = known.hp - (damage + 1) // 2, one_size_smaller(known.heart)
            shrugged = f"{(damage + 1) // 2} damage, {left} hp; heart d{known.heart} to d{heart}"
            means = {"shrug": shrugged, "take": f"{damage} damage, {known.hp - damage} hp"}
            notes = {k: means[legal[deed.actions[0].value]] for k, deed in enumerate(things)}
            return f"{damage} damage is coming to you; you have {known.hp} hp", notes
        if picking := self._picking():
            owned = self.scenario.slots_of(self._asker(picking).sheet)[LETTERS.index(picking["slot"])]
            of = f" of {self.narrator.name(picking['by'])}" if "by" in picking else ""
            return f"{owned.entry.name}{of}: what do you pick?", {}
        if way := self._way():
            squares = f"{way['left']} square{'s' * (way['left'] != 1)} left"
            return f"Your dash has got to {written(way['to'])}, with {squares}: where next?", {}
        if self.scenario.has_abilities and self._feature("window instant"):
            return "You may use a talent now", {}
        if any(name.startswith("say ") for name in names):
            return "You may say which stance you mean to take; nothing obliges you to keep it", {}
        if "enter" in names:
            return "An engagement has begun in your reach: do you enter it?", {}
        if self.ground is not None and self._feature("window action"):
            return "Before the stances: do you want to do something?", {}
        if any(name.startswith(DEEDS[OPPORTUNITY]) for name in names):
            return "An enemy is open to your attack", {}
        if set(names) == {"pass", "yield"}:
            return f"You are down to {known.hp} hp: fight on, or yield?", {}
        if self.ground is not None and self._feature("window step"):
            return "The step of your agility: do you take it?", {}
        if self.ground is not None and self._may_squeeze(names):
            return "Your blow would push the creature that you hold: do you squeeze it instead?", {}
        if self.ground is not None and self._feature("window follow"):
            return "Your push went through: do you follow?", {}
        if self.ground is None and _is_declaring(names):
            return "Before the stances: do you want to do something?", {}
        return f"{(known.stance or 'no stance').capitalize()}: what do you do?", {}

    def _notes_on_use(self, things: Sequence[Deed]) -> dict[int, str]:
        """Return the effect of each ability on offer, by the index of its use in the menu."""
        loadout = self.scenario.slots_of(self.narrator.known[self.seat].sheet)
        notes = {}
        for place, deed in enumerate(things):
            slot = slot_used(deed.actions[0].names[0])
            if slot is not None:
                notes[place] = ability_effect(loadout[slot])
        return notes

    def _hit(self) -> int:
        """Return the damage of the hit that you must answer."""
        return self._feature("self hit")

    def _watch(self) -> None:
        if self.narrator.known[self.seat].status != "standing":
            if not self._said_out:
                self.stage.say("You are out; the others fight on.", "bold red")
                self._said_out = True
                if self.person.watched:
                    self._ask_to_skip()
            self._pause(SUSPENSE)

    def _ask_to_skip(self) -> None:
        """Offer to watch the others, or to skip to the end."""
        ways = [Choice(False, "watch"), Choice(True, "skip: to the end")]
        self._skips = self.asking.pick(
            ways, "Watch them, or skip to the end (Enter: watch): ", help=self._help, default=False
        )
        self.stage.muted = self._skips

    def _pause(self, seconds: float) -> None:
        if not self._skips:
            self.person.pause(seconds)

    def _help(self, offers: Sequence[Offer] = ()) -> None:
        is_beaten = self.narrator.beats("might", "defensive")
        beaten = " and, by the rules of this fight, is beaten by all three" if is_beaten else ""
        for line in HELP.format(adviser=self.hints.adviser.id, defensive=beaten).splitlines():
            self.stage.say(line)
        if self.ground is not None:
            for line in (*HELP_ON_MAP.splitlines(), self.ground.legend()):
                self.stage.say(line)
        for term in terms(self.narrator, self.legal().values()):
            self.stage.say(term)
        if self.table.real_dice:
            self.stage.say("Dice are asked for roll by roll; an empty line rolls them for you.")
        self.stage.sheets(everything=True)
        if self.ground is not None:
            self.stage.map()

    def _hint(self) -> None:
        """Show the adviser's mix, and the expected damage if you are choosing a stance or an enemy to attack."""
        seen, legal = self.fight.observations[self.seat], self.legal()
        things = self._deeds(legal)
        words = {choice.value: choice.words.split(":")[0] for deed in things for choice in deed.actions}
        self.stage.say(self.hints.mix(seen, words), "italic")
        if next(iter(legal.values())).startswith("stance "):
            for enemy, rows in self.hints.tables(seen).items():
                self.stage.expected(enemy, rows)
            return
        if self.narrator.known[self.seat].stance is None:
            return
        for place, enemy in enumerate(self._foes):
            if f"attack {place + 1}" in legal.values():
                found = self.hints.against(seen, place)
                risk = f", and {found.suffered:.1f} to you if it strikes" if found.suffered is not None else ""
                self.stage.say(f"An attack on {enemy} is expected to do {found.dealt or 0:.1f} damage{risk}.")

    def ask_dice(self, fighter: str | None, purpose: str, dice: Dice) -> list[int]:
        """Ask for the faces of real dice; an empty line rolls them instead."""
        if self._skips:
            return self._roll(dice)
        asked = ", ".join(f"{name} d{sides}" for name, sides in dice)
        owner = " (yours)" if fighter == self.seat else ""
        self.stage.say(f"Dice{owner}: {purpose}: {asked}", "bold")
        while True:
            line = self.asking.line("They show (Enter rolls for you): ", help=self._help)
            try:
                faces = numbers(line, dice) if line else self._roll(dice)
            except Unclear as unclear:
                self.stage.say(str(unclear))
                continue
            given = self.fight.dice or []
            if len(given) + len(faces) >= MAX_GIVEN_DICE:
                self.stage.say(
                    f"That makes {MAX_GIVEN_DICE} dice, the most that a fight accepts; it rolls the rest itself."
                )
            return faces

    def _roll(self, dice: Dice) -> list[int]:
        faces = [int(self._rolled_for_you.integers(1, sides + 1)) for _, sides in dice]
        self.stage.say(f"Rolled: {' '.join(map(str, faces))}", "dim")
        return faces

    # -- the end ----------------------------------------------------------------------------------------------------

    def sum_up(self) -> None:
        """Show the ending, your habits and your luck."""
        end = next((event for event in reversed(self.fight.steps[-1][1]) if event["type"] == "end"), None)
        self.stage.say(ending(end) if end else "The fight was cut off.", "bold")
        self.stage.board()
        if self.ground is not None:
            self.stage.map()
        self.stage.say()
        self.stage.say("Your habits", "bold")
        for line in habit_lines(self.habits):
            self.stage.tell([f"  {line}"])
        self.stage.say("Luck of the dice that were shown", "bold")
        for whose, luck in self.luck.items():
            if luck.count:
                self.stage.tell([f"  {whose.capitalize()}: {luck.words()}."])


def _names(deed: Deed) -> tuple[str, ...]:
    """Return the names that may be typed for a deed, plus "nothing" for a pass if the menu words it that way."""
    names = deed.actions[0].names
    return (*names, "nothing") if names == (DEEDS[PASS],) and deed.words.endswith("nothing") else names


def _ways(deed: Deed) -> list[Choice[Deed]]:
    """Return a choice for each action of a deed, typed in full; omit the first action if its words are the deed's."""
    first, *others = deed.actions
    ways = [Choice(Deed(a.words, "", [a]), a.words, a.names) for a in others]
    return ways if first.words == deed.words else [Choice(Deed(first.words, "", [first]), first.words), *ways]


def _is_declaring(names: Iterable[str]) -> bool:
    """Return whether the actions include no blows and no answers to a pick; passing is then the default."""
    return not any(name.split()[0] in (*BLOWS, *ANSWERS) for name in names)
