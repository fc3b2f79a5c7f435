"""Setting up a fight for a person: scenario, seat and enemies, asked for where no argument names them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from heartrush_agents import load
from heartrush_agents.base import Agent

from heartrush_env.app.cli.arguments import opened, read_rules, with_time
from heartrush_env.app.cli.playing import opponents
from heartrush_env.app.cli.playing.asking import Asking
from heartrush_env.app.cli.playing.person import Person
from heartrush_env.app.cli.playing.screen import Screen
from heartrush_env.app.cli.playing.table import Table, session_of
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.arguments import random_seed
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, is_on_map
from heartrush_env.tabletop.menus import Choice
from heartrush_env.tabletop.registry import open_game, scenario_names, usual_scenario
from heartrush_env.tabletop.words import words_of

MORE, EACH = "more", "each"  # special answers to the enemy prompt
AGAIN, OTHER_SEAT, OTHER_ENEMY, NO_MORE = "again", "seat", "enemy", "no"


class Setup:
    """The setup of one fight after another, from the arguments and a person's answers."""

    def __init__(self, arguments: argparse.Namespace, person: Person, screen: Screen) -> None:
        self.arguments, self.screen = arguments, screen
        self.session = session_of(arguments.game)
        self._asking = Asking(person, screen.say)

    def first(self) -> Table:
        """Set up a fight, asking for everything that was not given."""
        given = self.arguments
        game = opened(given, given.scenario or self._ask_scenario())
        seat = self._ask_seat(game, game.agents[0]) if given.seat is None else which_seat(game, given.seat)
        if given.think_ms is not None:
            given.enemy = with_time(given.enemy, given.think_ms)
            given.ally = given.ally and with_time([given.ally], given.think_ms)[0]
        foes = enemies_of(game, seat)
        named = read_enemies(game, foes, given.enemy)
        if given.ally:
            load(given.ally)  # reports errors before anything is compiled
        env = self._new_env(game, seat)
        enemies = self._ask_enemies(env.game, foes, named)
        seed = random_seed() if given.seed is None else given.seed
        return Table(env, seat, self._who_decides(env.game, seat, enemies), seed, given.dice)

    def another(self, table: Table) -> Table | None:
        """Return the setup of one more fight with new dice, or None if the person stops playing."""
        env, seat = table.env, table.seat
        game = env.game
        enemies = enemies_at(table)
        rows = [
            (AGAIN, "the same fighters and enemies, new dice"),
            (OTHER_SEAT, "play another fighter"),
            (OTHER_ENEMY, "fight another enemy"),
            (NO_MORE, "stop playing"),
        ]
        try:
            wanted = self._ask("Another fight?", rows, NO_MORE)
            if wanted == NO_MORE:
                return None
            if wanted == OTHER_SEAT:
                others = [agent for agent in game.agents if agent != seat]
                seat = others[0] if len(others) == 1 else self._ask_seat(game, others[0])
                first = next(iter(enemies.values()))
                enemies = {agent: enemies.get(agent, first) for agent in enemies_of(game, seat)}
                env = self._new_env(opened(self.arguments, self.arguments.scenario or game.scenario_name), seat)
            if wanted == OTHER_ENEMY:
                enemies = self._ask_enemies(game, list(enemies), {})
        except EOFError:
            return None
        seed = random_seed() if self.arguments.seed is None else table.seed + 1
        return replace(table, env=env, seat=seat, agents=self._who_decides(game, seat, enemies), seed=seed)

    def _new_env(self, game: Game, seat: str) -> ParallelFights:
        """Create the environment of a fight for a person at this seat."""
        return ParallelFights(self.session.seated(game, seat, read_rules(self.arguments.rule)), illegal="raise")

    def _who_decides(self, game: Game, seat: str, enemies: Mapping[str, Agent]) -> dict[str, Agent]:
        """Return the agent of each seat except yours; by default, allies have the same agent as the first enemy."""
        ally = load(self.arguments.ally) if self.arguments.ally else next(iter(enemies.values()))
        return {agent: enemies.get(agent, ally) for agent in game.agents if agent != seat}

    # -- asking --------------------------------------------------------------------------------------------------------

    def _ask_scenario(self) -> str:
        """Ask which of the shipped scenarios to play; ? shows which have a map, and how long fights last."""
        name, rounds = self.arguments.game, self.session.rounds
        games = {scenario: open_game({"game": name, "scenario": scenario}) for scenario in scenario_names(name)}

        def explain() -> None:
            for scenario, each in games.items():
                ground = "on a map" if is_on_map(each) else "without a map"
                lasts = f", about {rounds[scenario]} rounds" if scenario in rounds else ""
                self.screen.say(f"{scenario}: {ground}{lasts}")
            self.screen.say(
                "On a map you also move, and need line of sight. A round takes you about a minute.", indent=0
            )
            self.screen.say()

        rows = [(scenario, _about(each)) for scenario, each in games.items()]
        return self._ask("Which fight?", rows, usual_scenario(name), help=explain)

    def _ask_seat(self, game: Game, usual: str) -> str:
        """Ask which fighter to play, showing the figures of all fighters."""

        def show() -> None:
            self.session.show_fighters(self.screen, game)

        show()
        names = words_of(game).names
        rows = [(agent, f"{names[agent]}, of {team}") for agent, team in zip(game.agents, game.teams, strict=True)]
        return self._ask("Which fighter do you play?", rows, usual, help=show)

    def _ask_enemies(self, game: Game, foes: Sequence[str], named: Mapping[str, Agent]) -> dict[str, Agent]:
        """Return an agent for each enemy; for enemies without a given agent, ask for a shared agent or one for each."""
        open_ones = [agent for agent in foes if agent not in named]
        if not open_ones:
            return {agent: named[agent] for agent in foes}
        names = words_of(game).names
        found = dict(named)
        wanted = self._ask_agent(game, "", several=len(open_ones) > 1)
        for agent in open_ones:
            chosen = wanted or self._ask_agent(game, f" plays {names[agent]}")
            assert chosen is not None  # only a question about several enemies can return None
            found[agent] = chosen
        return {agent: found[agent] for agent in foes}

    def _ask_agent(self, game: Game, whom: str, *, several: bool = False) -> Agent | None:
        """Ask which agent plays an enemy, and at which strength; return None if each enemy is to get its own agent."""
        people, bots, screen = opponents.characters(game), opponents.ranked(game), self.screen
        usual = opponents.usual(people, bots)
        listed, levels = opponents.choices(people)
        more, more_levels = opponents.choices(bots)
        further = [Choice(MORE, MORE)] * bool(listed) + [Choice(EACH, EACH)] * several
        rows = opponents.portraits(people, "★" if screen.fancy else "*") if people else []
        rows += [f"{MORE}: bots, and agents that learned or were solved"] * bool(listed)
        rows += [f"{EACH}: an agent for each enemy"] * several
        prompt = f"Your choice (Enter: {usual}): "

        def say(lines: Sequence[str]) -> None:
            for line in lines:
                screen.say(line, indent=2)

        answer = MORE
        if listed:
            screen.show_choices(f"Which enemy{whom}? Stars show its strength; ? tells more.", rows)
            say([opponents.LEVELS])
            answer = self._asking.pick(
                [*listed, *further],
                prompt,
                help=lambda: say(opponents.introduced(people)),
                default=usual,
                unlisted=[*more, *levels, *more_levels],
            )
        if answer == MORE:
            screen.show_choices(f"Which enemy{whom}? The weakest comes first; ? explains them.", opponents.lines(bots))
            answer = self._asking.pick(
                more,
                prompt,
                help=lambda: say(opponents.explained(bots)),
                default=usual,
                unlisted=[*listed, *further[1:], *levels, *more_levels],
            )
        return None if answer == EACH else load(answer)

    def _ask(
        self, title: str, rows: Sequence[tuple[str, str]], usual: str, help: Callable[[], None] = lambda: None
    ) -> str:
        """Ask for one of the rows by its first word; ? shows the rows again after the output of `help`."""
        choices = [Choice(id, f"{id}: {words}") for id, words in rows]

        def show() -> None:
            self.screen.show_choices(title, [choice.words for choice in choices], [id for id, _ in rows].index(usual))

        def explain() -> None:
            help()
            show()

        show()
        return self._asking.pick(choices, f"Your choice (Enter: {usual}): ", help=explain, default=usual)


def enemies_of(game: Game, seat: str) -> list[str]:
    """Return the seats of your enemies."""
    teams = dict(zip(game.agents, game.teams, strict=True))
    return [agent for agent, team in teams.items() if team != teams[seat]]


def enemies_at(table: Table) -> dict[str, Agent]:
    """Return the agents of your enemies by seat."""
    return {agent: table.agents[agent] for agent in enemies_of(table.env.game, table.seat)}


def read_enemies(game: Game, foes: Sequence[str], given: Sequence[str]) -> dict[str, Agent]:
    """Return the enemies' agents given by `--enemy`: AGENT for all enemies, FIGHTER=AGENT for one.

    Raises:
        HeartRushError: An agent is unknown, or a fighter is not an enemy of yours.
    """
    named: dict[str, Agent] = {}
    for words in sorted(given, key=_is_for_one):  # first the agents that play all enemies
        if not _is_for_one(words):
            named = dict.fromkeys(foes, load(words))
            continue
        fighter, _, id = words.partition("=")
        seat = which_seat(game, fighter, "--enemy")
        if seat not in foes:
            raise HeartRushError(f"--enemy {words}: expected an enemy of yours ({', '.join(foes)}), got {seat}.")
        named[seat] = load(id)
    return named


def _is_for_one(words: str) -> bool:
    """Return whether an `--enemy` value names a fighter; a = after an @ belongs to the agent's own arguments."""
    return "=" in words.partition("@")[0]


def which_seat(game: Game, given: str, option: str = "--seat") -> str:
    """Return the seat given by an agent name, or by the name or id of exactly one fighter."""
    names = words_of(game).names
    exact = [agent for agent in game.agents if agent == given]
    found = exact or [
        agent for agent in game.agents if given.lower() in (agent.rpartition("_")[0], names[agent].lower())
    ]
    if len(found) != 1:
        allowed = ", ".join(game.agents)
        raise HeartRushError(
            f"{option}: expected one fighter of {game.scenario_name!r} ({allowed}), got {given}, which matches "
            f"{len(found) or 'none'} of them."
        )
    return found[0]


def _about(game: Game) -> str:
    """Describe the sides of a fight in one line."""
    names, teams = words_of(game).names, dict[str, list[str]]()
    for agent, team in zip(game.agents, game.teams, strict=True):
        teams.setdefault(team, []).append(names[agent])
    return " against ".join(", ".join(members) for members in teams.values())
