"""The display of a fight in play: the board, the reveal, rolls and menus. Nothing is shown by color alone.

This file makes no decisions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TextIO

from rich import box
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from heartrush_env.app.cli.playing.screen import MANY_LINES, Screen, listed
from heartrush_env.app.heart_rush.playing.ground import FALLEN, REACHED, YOU, Ground, Square, placed, written
from heartrush_env.app.heart_rush.playing.hints import Expected
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRMENTS
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.words.known import Known
from heartrush_env.games.heart_rush.words.menu import BY_ACTION, BY_RUSH, RUSH, Deed, Group, more_of
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.words import (
    Beats,
    ability_effect,
    ability_use,
    stance_code,
    with_levels,
)

COLORS = {"might": "red", "agility": "green", "cunning": "magenta", "defensive": "yellow"}
WHY = {
    "might": "brute force walks through tricks",
    "agility": "the quick get inside a heavy blow",
    "cunning": "a feint catches the quick",
}
BAR, BAR_ON_MAP = 20, 10  # width of a full hit point bar, in characters
NO_SHOT = "past half your speed in a round you may not shoot, only defend"
REVEAL = 68  # columns

# Highlights in a narrated line: uncounted dice, totals, damage, results, phases.
MARKS = (
    (re.compile(r"\[[^\]]*\]"), "dim"),
    (re.compile(r"(?<== )\d+"), "bold"),
    (re.compile(r"\d+ damage"), "bold red"),
    (re.compile(r"No damage|It fails"), "dim"),
    (re.compile(r"dies|falls unconscious|is out of the fight"), "bold red"),
    (re.compile(r"is wounded"), "red"),
    (re.compile(r"^ *\w+ phase$"), "bold underline"),
)


class Stage(Screen):
    """The display of a fight for the person at `seat`."""

    highlights = MARKS

    def __init__(
        self,
        scenario: Scenario,
        narrator: Narrator,
        seat: str,
        stream: TextIO | None = None,
        ground: Ground | None = None,
    ) -> None:
        """Set up the display; `narrator` tracks all fighters' conditions, and `ground` their squares."""
        super().__init__(stream)
        self.ground = ground
        self.scenario, self.narrator, self.seat = scenario, narrator, seat
        self._teams = {sheet.agent: sheet.team for sheet in scenario.fighters}

    def name(self, agent: str) -> str:
        """Return a fighter's display name, or "You" for the person's own."""
        return "You" if agent == self.seat else self.narrator.name(agent)

    def talents(self, fighters: Iterable[Known], *, explained: Collection[str]) -> None:
        """List the talents and abilities of fighters.

        Args:
            fighters: The fighters; fighters without abilities are left out.
            explained: The agents whose abilities are shown with their use and effect.
        """
        for known in fighters:
            sheet = known.sheet
            names = [f"{own.entry.name}{' (destiny)' * own.destined}" for own in sheet.abilities]
            if not names:
                continue
            if sheet.agent not in explained:
                self.hang(Text(f"{sheet.name} has {listed(names)}."), 2)
                continue
            self.hang(Text(f"Talents and abilities of {sheet.name}:", "bold"), 2)
            for name, own in zip(names, sheet.abilities, strict=True):
                use, effect = ability_use(own), ability_effect(own)
                self.hang(Text.assemble((name, "bold"), f" ({use}): {effect}"), 4)

    # -- the board --------------------------------------------------------------------------------------------------

    def board(self) -> None:
        """Show all fighters' conditions."""
        grid = Table.grid(padding=(0, 2, 0, 0))
        for _ in range(5 if self.ground else 4):
            grid.add_column(no_wrap=True)
        grid.add_column()
        known = self.narrator.known
        for team in dict.fromkeys([self._teams[self.seat], *self.scenario.teams]):
            for agent in (agent for agent in known if self._teams[agent] == team):
                grid.add_row(*self._board_row(agent, known[agent]))
        self.show(Padding(grid, (0, 0, 0, 2), expand=False))

    def _board_row(self, agent: str, known: Known) -> list[Text]:
        style = "bold cyan" if agent == self.seat else "cyan" if self._is_ally(agent) else ""
        name = Text(f"{self._sign(agent)}{known.sheet.name}{' (you)' if agent == self.seat else ''}", style)
        where = [Text(f"at {written(self.ground.at[agent])}")] if self.ground else []
        if known.status != "standing":
            return [name, Text(known.status, "red"), Text(""), Text(""), *where, Text("")]
        heart = f"d{known.heart}" + (f" of d{known.sheet.heart}" if known.heart < known.sheet.heart else "")
        how = [self._bar(known), Text(f"{known.hp} hp"), Text(f"heart {heart}")]
        return [name, *how, *where, Text(_state(known, self.scenario.settings), "yellow")]

    def _sign(self, agent: str) -> str:
        """Return the prefix with the fighter's sign on the map, or an empty string without a map."""
        if self.ground is None:
            return ""
        return f"{self.ground.letters[agent] if self.narrator.known[agent].status == 'standing' else FALLEN} "

    def _bar(self, known: Known) -> Text:
        length = BAR_ON_MAP if self.ground else BAR
        full = min(length, -(-length * max(0, known.hp) // known.sheet.hp))
        share = known.hp / known.sheet.hp
        style = "green" if share > 0.5 else "yellow" if share > 0.25 else "red"
        filled, empty = ("█", "░") if self.fancy else ("#", ".")
        return Text.assemble((filled * full, style), (empty * (length - full), "dim"))

    def map(self, reached: Collection[Square] = ()) -> None:
        """Show the map with all fighters, its edges numbered, and the squares that a dash can reach marked."""
        ground = self.ground
        assert ground is not None
        signs = ground.signs({agent: known.status for agent, known in self.narrator.known.items()})
        width = len(ground.rows[0])
        tens = "".join(f"{x // 10 if x and x % 10 == 0 else '':<2}" for x in range(width)).rstrip()
        self.show("")
        if tens:
            self._line(Text(f"     {tens}", "dim"))
        self._line(Text(f"     {' '.join(str(x % 10) for x in range(width))}", "dim"))
        for y, row in enumerate(ground.rows):
            line = Text.assemble((f"  {y:>2} ", "dim"))
            for x, glyph in enumerate(row):
                agent, sign = signs.get((x, y), ("", glyph))
                marked = (x, y) in reached
                line.append(sign, self._on_square(agent, sign, marked))
                line.append(REACHED if marked else " ", "green")
            self._line(line)
        body = "" if ground.side[self.seat] == 1 else " with your top left square"
        marks = f"; {REACHED} behind a square: your dash reaches it{body}" if reached else ""
        fallen = f"; {FALLEN} fallen" if any(sign == FALLEN for _, sign in signs.values()) else ""
        self.say(f"{YOU} you, letters the others{fallen}{marks}", "dim", indent=5)

    def _line(self, text: Text) -> None:
        """Show a line without wrapping it."""
        if self.muted:
            return
        text.rstrip()
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False, highlight=False)

    def _on_square(self, agent: str, sign: str, marked: bool) -> str:
        if not agent:
            return "bold green" if marked else ""
        if sign == FALLEN:
            return "red"
        return "bold reverse cyan" if agent == self.seat else "bold cyan" if self._is_ally(agent) else "bold red"

    def sheets(self, *, everything: bool = False) -> None:
        """Show all fighters' dice, gear and talents, explaining only your talents unless `everything` is set."""
        figures(self, self.narrator.known.values(), self.seat)
        self.talents(self.narrator.known.values(), explained=self.narrator.known if everything else (self.seat,))

    def _is_ally(self, agent: str) -> bool:
        return self._teams[agent] == self._teams[self.seat]

    # -- the reveal -------------------------------------------------------------------------------------------------

    def reveal(self, stances: Mapping[str, str | None]) -> None:
        """Show all stances side by side, then which stance beats which, and why."""
        shown = {agent: stance for agent, stance in stances.items() if self.narrator.known[agent].status == "standing"}
        mine = sorted((agent for agent in shown if self._is_ally(agent)), key=lambda agent: agent != self.seat)
        theirs = [agent for agent in shown if not self._is_ally(agent)]
        grid = Table.grid(expand=True, padding=(0, 1))
        for ratio in (3, 2, 3):
            grid.add_column(justify="center", ratio=ratio, no_wrap=True)
        if len(mine) == len(theirs) == 1:
            grid.add_row(self._sign(mine[0]) + self.name(mine[0]), "", self._sign(theirs[0]) + self.name(theirs[0]))
            between = self._between(shown[mine[0]], shown[theirs[0]])
            grid.add_row(_stance(shown[mine[0]]), between, _stance(shown[theirs[0]]))
        else:
            for k in range(max(len(mine), len(theirs))):
                sides = [self._with_name(side[k], shown) if k < len(side) else Text("") for side in (mine, theirs)]
                grid.add_row(sides[0], "against" if k == 0 else "", sides[1])
        panel = Panel(grid, title="The reveal", box=self.boxes(), border_style="dim", width=min(REVEAL, self.width()))
        self.show("")
        self.show(panel)
        for first in mine:
            if first == self.seat or len(mine) + len(theirs) <= 4:
                for stance in dict.fromkeys(shown[other] for other in theirs):
                    alike = [other for other in theirs if shown[other] == stance]
                    words = self.meeting(first, alike, shown[first], stance)
                    self.hang(Text(self._with_squares(words, [first, *alike])), 2)
            else:
                self.hang(Text(self._ally_words(first, theirs, shown)), 2)

    def _with_squares(self, words: str, agents: Sequence[str]) -> str:
        """Return the words with these fighters' squares added on a map, except your own."""
        for agent in agents:
            if self.ground is not None and agent != self.seat:
                (words,) = placed([words], self.narrator.name(agent), self.ground.at[agent])
        return words

    def _with_name(self, agent: str, shown: Mapping[str, str | None]) -> Text:
        return Text.assemble(f"{self._sign(agent)}{self.name(agent)}  ", _stance(shown[agent]))

    def _between(self, own: str | None, other: str | None) -> str:
        if self.narrator.beats(own, other):
            return "beats ▶" if self.fancy else "beats >"
        if self.narrator.beats(other, own):
            return "◀ loses to" if self.fancy else "< loses to"
        return "meets" if own == other else "against"

    def meeting(self, first: str, others: Sequence[str], own: str | None, other: str | None) -> str:
        """Compare a fighter's stance with that of some enemies: which stance wins, why, and which side may attack."""
        me, enemies = self.name(first), listed([self.narrator.name(agent) for agent in others])
        whom = "you" if first == self.seat else me
        if own is None or other is None:
            open_one = me if own is None else enemies
            return f"Open to every attack, without a stance: {open_one}."
        half = "half of what gets through counts"
        if self.narrator.beats(own, other):
            strike_back = "may" if MAY_ATTACK[stance_code(other), stance_code(own)] else "cannot"
            gain = self._gain(first, own) + (f", and {half}" if other == "defensive" else "")
            they = enemies if len(others) == 1 else "they"
            return f"{_beats(own, other)} {me} may attack {enemies}{gain}; {they} {strike_back} strike back."
        if self.narrator.beats(other, own):
            strike_back = "may" if MAY_ATTACK[stance_code(own), stance_code(other)] else "cannot"
            gains = {self._gain(agent, other) for agent in others}
            gain = gains.pop() if len(gains) == 1 else ""
            gain += f", and {half}" if own == "defensive" else ""
            return f"{_beats(other, own)} {enemies} may attack {whom}{gain}; {whom} {strike_back} strike back."
        if own == other == "defensive":
            waiting = listed([me, *(self.narrator.name(agent) for agent in others)])
            return f"{waiting} wait behind a guard: no one there attacks."
        if own == other:
            meets = "meet" if me == "You" else "meets"
            return f"{me} {meets} {enemies} in {own}: an attack becomes a contest, and the higher roll hurts the other."
        if own == "defensive":
            return f"{enemies} may attack {whom} behind {'your' if whom == 'you' else 'a'} guard: {half}."
        return f"{me} may attack {enemies} behind a guard: {half}."

    def _ally_words(self, agent: str, theirs: Sequence[str], shown: Mapping[str, str | None]) -> str:
        beats = [self.name(other) for other in theirs if self.narrator.beats(shown[agent], shown[other])]
        beaten = [self.name(other) for other in theirs if self.narrator.beats(shown[other], shown[agent])]
        parts = [f"beats {', '.join(beats)}"] * bool(beats) + [f"loses to {', '.join(beaten)}"] * bool(beaten)
        return f"{self.name(agent)} {' and '.join(parts) or 'beats no one and loses to no one'}."

    def _gain(self, agent: str, stance: str) -> str:
        """Describe the extra benefit of an attack when this stance beats the enemy's."""
        settings, weapon = self.scenario.settings, self.narrator.known[agent].sheet.weapon
        if stance == "cunning" and settings.levels:
            return f", naming up to two levels of {IMPAIRMENTS}"
        if stance == "might" and self.narrator.known[agent].armed:
            again = settings.thrown == "unlimited" or self.narrator.known[agent].sheet.thrown > 1
            thrown = ", and throw again" if again else ""
            bonus = {"ranged": ", past armor", "whip": ", with one more whip die", "thrown": thrown}
            return bonus.get(weapon.attack_type, "")
        return ""

    # -- menus ------------------------------------------------------------------------------------------------------

    def menu(self, title: str, choices: Sequence[Deed], notes: Mapping[int, str], first: Sequence[Text] = ()) -> None:
        """Show the numbered choices; a long list is grouped by target.

        Args:
            title: The question.
            choices: The choices, in order.
            notes: Notes on some of the choices, by index in the list.
            first: Lines to show above the choices.
        """
        self.show("")
        self.hang(Text(title, "bold"), 2)
        for line in first:
            self.hang(line, 4)
        if len(choices) <= MANY_LINES:
            for k, deed in enumerate(choices):
                self.hang(_numbered(k, deed, notes.get(k, "")), 2)
            return
        rows: dict[str, list[int]] = {}
        for k, deed in enumerate(choices):
            rows.setdefault(deed.target, []).append(k)
        for target, numbers in rows.items():
            words = [choices[k].words.split(":")[0] for k in numbers]
            if target:
                words = [word.replace(f" {target}", "") for word in words]
            items = [f"{k + 1} {word}" for k, word in zip(numbers, words, strict=True)]
            self.fill(f"{target}{self._whereabouts(target)}: " if target else "", items)

    def dash_line(self, squares: Sequence[Square], paid: str, shoots: bool) -> Text:
        """Return the line that explains how to type a dash; it tells archers when a dash forbids shooting."""
        column, row = squares[len(squares) // 2]
        rest = f"  to any square marked {REACHED} on the map, as in dash {column},{row}; {paid}"
        rest += f"; {NO_SHOT}" if shoots else ""
        return Text.assemble(("dash COLUMN,ROW", "bold"), (rest, "dim"))

    def step_lines(self, steps: Sequence[Deed]) -> list[Text]:
        """Return the lines that explain how to type steps, one for each way to pay for them."""
        groups: dict[Group, list[str]] = {}
        for step in steps:
            if step.group is not None:
                groups.setdefault(step.group, []).append(step.short)
        return [
            Text.assemble((typed, "bold"), (f"  {'; '.join(places)}; {paid}", "dim"))
            for (typed, paid), places in groups.items()
        ]

    def _whereabouts(self, name: str) -> str:
        """Return the sign and square of the fighter with this display name, in parentheses."""
        if self.ground is None:
            return ""
        agent = next(agent for agent in self.narrator.known if self.narrator.name(agent) == name)
        return f" ({self.ground.letters[agent]} at {written(self.ground.at[agent])})"

    def whereabouts(self, choices: Sequence[Deed]) -> dict[int, str]:
        """Return menu notes that give the sign and square of each choice's target."""
        return {
            k: self._whereabouts(deed.target)[2:-1] for k, deed in enumerate(choices) if deed.target and self.ground
        }

    # -- hints ------------------------------------------------------------------------------------------------------

    def expected(self, enemy: str, rows: Sequence[Sequence[Expected]]) -> None:
        """Show the expected damage of each of your stances against each of the enemy's."""
        self.say(f"Expected damage against {enemy}, before any shrug: you deal/you suffer")
        table = Table(box=self.boxes(), padding=(0, 1))
        table.add_column("you, against")
        for stance in STANCES:
            table.add_column(Text(stance, COLORS[stance]), justify="right")
        for stance, row in zip(STANCES, rows, strict=True):
            table.add_row(Text(stance, COLORS[stance]), *(cell.words() for cell in row))
        self.show(Padding(table, (0, 0, 0, 2), expand=False))


def figures(screen: Screen, fighters: Iterable[Known], seat: str | None = None) -> None:
    """Show a table of hit points, dice and gear.

    Args:
        screen: The screen to show it on.
        fighters: The fighters, one row each.
        seat: The agent that is "you", if the seat is already chosen.
    """
    table = Table(box=box.SIMPLE_HEAD if screen.fancy else box.ASCII, padding=(0, 1, 0, 0), pad_edge=False)
    for head in ("", "team", "hp", "might", "agil.", "cunn.", "heart", "armor", "weapon"):
        table.add_column(head)
    for known in fighters:
        sheet = known.sheet
        hp = str(known.hp) if known.hp == sheet.hp else f"{known.hp}/{sheet.hp}"
        dice = [f"d{getattr(sheet, ability)}" for ability in ("might", "agility", "cunning")]
        armor = f"{sheet.armor}+{sheet.shield}" if sheet.shield else str(sheet.armor)
        weapon = f"{sheet.weapon.name.lower()} d{sheet.weapon.die}" if sheet.weapon.die else ""
        weapon += f" +{sheet.attack_bonus}" if sheet.attack_bonus else ""
        favored = catalog.damage_types()[sheet.weapon.damage_type] if sheet.weapon.die else ""
        weapon += f", twice in {favored}" if favored else ""
        name = f"{sheet.name} (you)" if sheet.agent == seat else sheet.name
        table.add_row(name, sheet.team, hp, *dice, f"d{known.heart}", armor, weapon)
    screen.show(table)


def stance_note(stance: str, dice: Iterable[tuple[str, int]], beats: Beats) -> str:
    """Describe the stances that a stance beats, and the name and sides of each die of its attack."""
    if stance == "defensive":
        return "no attack; half of what gets through counts"
    beaten = listed([other for other in STANCES if beats(stance, other)])
    return f"beats {beaten}; {' + '.join(f'{name} d{sides}' for name, sides in dice)}"


def _numbered(k: int, deed: Deed, note: str) -> Text:
    more = more_of(deed.actions[0].names[0]) if len(deed.actions) > 1 else ""
    words, _, rest = deed.words.partition(":")
    rest, more = (f"{rest} {more}", "") if rest else ("", f", {more}" * bool(more))
    by_rush = [choice.names[0].endswith(RUSH) for choice in deed.actions if deed.target]
    if any(by_rush):
        more += f", {BY_RUSH}" if all(by_rush) else f", {BY_ACTION} or {BY_RUSH}"
    tail = "; ".join(filter(None, [rest.strip(), note]))
    shown = Text(f"{words:<9}" if words in COLORS else words, COLORS.get(words, ""))
    return Text.assemble((f"{k + 1:>3} ", "bold"), shown, more, (f"  {tail}" if tail else "", "dim"))


def _beats(stance: str, other: str) -> str:
    """Return a sentence stating that a stance beats another, and why."""
    why = "by the rules of this fight" if other == "defensive" else WHY[stance]
    return f"{stance.capitalize()} beats {other}: {why}."


def _stance(stance: str | None) -> Text:
    return Text(stance.upper(), f"bold {COLORS[stance]}") if stance else Text("no stance", "dim")


def _state(known: Known, settings: Settings) -> str:
    """Describe a fighter's conditions and wounds, and the hit points at which it dies if it is at 0 or below."""
    words = [with_levels(condition, levels) for condition, levels in known.conditions.items()]
    if known.hp <= 0:
        lasts = known.sheet.hp - (known.wounds if settings.death_at == "reduced_maximum" else 0)
        words.insert(0, f"fights on, dies at {-lasts} hp")
    words += [f"wounds {known.wounds}"] * bool(known.wounds) + ["unarmed"] * (not known.armed)
    return ", ".join(words)
