"""`heartrush play`: lets a person fight against agents in the terminal."""

from __future__ import annotations

import argparse
import importlib.util
import shlex
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

from heartrush_agents import available, load
from heartrush_agents.base import Agent

from heartrush_env.app.cli.arguments import (
    add_game,
    add_number,
    add_rules,
    add_thinking,
    game_words,
    opened,
    read_rules,
    scenarios,
    with_time,
)
from heartrush_env.app.cli.fight import check_place
from heartrush_env.app.cli.signals import INTERRUPTED
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.records.record import PERSON, SUFFIX
from heartrush_env.tabletop.arguments import random_seed
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, is_on_map
from heartrush_env.tabletop.registry import open_game, scenario_names, usual_scenario
from heartrush_env.tabletop.render.film import SUFFIXES
from heartrush_env.tabletop.words import words_of

if TYPE_CHECKING:
    from heartrush_env.app.cli.playing.fight import Fight
    from heartrush_env.app.cli.playing.person import Person
    from heartrush_env.app.cli.playing.screen import Screen
    from heartrush_env.app.cli.playing.table import Table
    from heartrush_env.records.recorder import Recorder

T = TypeVar("T")

MORE, EACH = "more", "each"  # special answers to the enemy prompt
AGAIN, OTHER_SEAT, OTHER_ENEMY, NO_MORE = "again", "seat", "enemy", "no"

ABOUT = """You fight against agents and see every roll. Missing arguments are asked for; Enter takes the default.

Enemies with a character come first, each with its name and its strength in stars; @1 to @10 sets the level, as in
berserker@3. "more" lists bots, and "each" gives every enemy an agent of its own.

Answer a question with a number, a name or its unambiguous beginning; ? explains, h gives hints (the choice of the
duelist or the tactician, and the exact damage to expect), q quits. Your stance is not shown while you type it.

On a map each choice shows the map, with you as @ and a * behind each square that your dash can reach: dash 7,4 goes to
column 7, row 4.

If your side has two heroes or more, each may tell it before the stances which one it means to take; --rule talk=none
leaves that out."""

HELP = "fight an agent yourself"
EXAMPLES = """real dice:
  With --dice you roll. Once everyone has chosen, the program plays up to the first roll and asks for its dice:
  "Dice: Knight attacks Duelist in cunning: heart d8, cunning d6, long sword d12". Answer with the numbers rolled, in
  that order, as in 5 3 11. The next roll follows, including those of your enemies; roll for them, or let the program
  roll with an empty line. Impossible results are asked for again.

examples:
  heartrush play
  heartrush play duel --seat knight_0 --enemy tactician
  heartrush play duel --enemy berserker@3
  heartrush play skirmish --seat knight_0 --enemy knight_1=guardian@5 --enemy archer_1=bandit@5
  heartrush play giant --ally modeller --seed 7 --record giant.hrr
  heartrush play skirmish --seat knight_0
  heartrush play random:7
  heartrush play duel --dice"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scenario", nargs="?", metavar="SCENARIO", help=scenarios())
    add_game(parser)
    parser.add_argument("--seat", metavar="FIGHTER", help="the fighter that you play, as in knight_0")
    agents = f"{', '.join(available())}, or the folder of a trained agent"
    says = f"the agent of your enemies, or of one of them, as often as you like: {agents}"
    parser.add_argument("--enemy", action="append", default=[], metavar="[FIGHTER=]AGENT", help=says)
    parser.add_argument("--ally", metavar="AGENT", help="the agent of your allies (default: that of the first enemy)")
    add_number(parser, "--seed", "seed of all dice and of the agents' choices (default: random)", least=0)
    parser.add_argument("--dice", action="store_true", help="type in the results of real dice; see below")
    says = "record the finished fight for replay; FILE.gif or .mp4: film it"
    parser.add_argument("--record", type=Path, metavar="FILE", help=says)
    says = "take the answers from standard input, a line each, without a terminal; stances are then not hidden"
    parser.add_argument("--scripted", action="store_true", help=says)
    add_thinking(parser)
    add_rules(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play at the terminal."""
    need_rich()
    from heartrush_env.app.cli.playing.person import AtTerminal

    person = AtTerminal()
    if not (person.watched or arguments.scripted):
        raise HeartRushError(
            f"heartrush play: expected a terminal as {person.missing}, got another file; with --scripted it "
            "reads the answers from standard input, one per line."
        )
    return play(arguments, person)


def need_rich() -> None:
    """Raise an error that names the extra if rich is not installed."""
    if importlib.util.find_spec("rich") is None:
        raise HeartRushError("`heartrush play` needs rich: pip install 'heartrush-env[play]'.")


def play(arguments: argparse.Namespace, person: Person, stream: TextIO | None = None) -> int:
    """Set up and play fights, print the summaries, and return the exit code.

    Args:
        arguments: The parsed arguments.
        person: The source of answers.
        stream: Stream for all output; standard output by default.
    """
    from heartrush_env.app.cli.playing.person import Leaves
    from heartrush_env.app.cli.playing.screen import Screen
    from heartrush_env.app.cli.playing.table import session_of

    screen = Screen(stream)
    if arguments.record is not None:
        check_place(arguments.record)
    again, code, finished = "", 0, 0
    try:
        table: Table | None = set_up(arguments, person, screen)
        while table is not None:
            recorder = None if arguments.record is None else new_recorder(table)
            again = command_again(arguments, table)
            session = session_of(arguments.game)(table, person, stream)
            name = words_of(table.env.game).names[table.seat]
            screen.say(f"You are {name}. {opposition(table)}", indent=0)
            session.introduce()
            session.play()
            finished += 1
            if recorder is not None:
                place = numbered(arguments.record, finished)
                write = write_film if place.suffix in SUFFIXES else write_record
                screen.show_command("Recorded:", str(write(place, recorder, session.fight)))
            table = another(arguments, table, person, screen) if person.watched else None
    except Leaves:
        screen.say("You leave.", indent=0)
    except EOFError:
        screen.say()
        screen.say("The input has ended, so the fight stops here.", indent=0)
    except KeyboardInterrupt:
        screen.say()
        screen.say("Interrupted.", indent=0)
        code = INTERRUPTED
    if again:
        screen.show_command("The same dice and enemies again:", again)
    return code


# -- setting up ------------------------------------------------------------------------------------------------------


def set_up(arguments: argparse.Namespace, person: Person, screen: Screen) -> Table:
    """Set up a fight, asking for everything that was not given."""
    from heartrush_env.app.cli.playing.table import Table

    game = opened(arguments, arguments.scenario or _ask_scenario(person, screen, arguments.game))
    if arguments.seat is None:
        seat = _ask_seat(person, screen, game, game.agents[0])
    else:
        seat = which_seat(game, arguments.seat)
    if arguments.think_ms is not None:
        arguments.enemy = with_time(arguments.enemy, arguments.think_ms)
        arguments.ally = arguments.ally and with_time([arguments.ally], arguments.think_ms)[0]
    foes = enemies_of(game, seat)
    named = read_enemies(game, foes, arguments.enemy)
    if arguments.ally:
        load(arguments.ally)  # reports errors before anything is compiled
    env = _new_env(arguments, game, seat)
    enemies = _ask_enemies(person, screen, env.game, foes, named)
    seed = random_seed() if arguments.seed is None else arguments.seed
    return Table(env, seat, who_decides(arguments, env.game, seat, enemies), seed, arguments.dice)


def _new_env(arguments: argparse.Namespace, game: Game, seat: str) -> ParallelFights:
    """Create the environment of a fight for a person at this seat."""
    from heartrush_env.app.cli.playing.table import session_of

    seated = session_of(arguments.game).seated(game, seat, read_rules(arguments.rule))
    return ParallelFights(seated, illegal="raise")


def enemies_of(game: Game, seat: str) -> list[str]:
    """Return the seats of your enemies."""
    teams = dict(zip(game.agents, game.teams, strict=True))
    return [agent for agent, team in teams.items() if team != teams[seat]]


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


def who_decides(arguments: argparse.Namespace, game: Game, seat: str, enemies: Mapping[str, Agent]) -> dict[str, Agent]:
    """Return the agent of each seat except yours; allies have the agent of the first enemy unless one is given."""
    ally = load(arguments.ally) if arguments.ally else next(iter(enemies.values()))
    return {agent: enemies.get(agent, ally) for agent in game.agents if agent != seat}


def another(arguments: argparse.Namespace, table: Table, person: Person, screen: Screen) -> Table | None:
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
        wanted = _ask(person, screen, "Another fight?", rows, NO_MORE)
        if wanted == NO_MORE:
            return None
        if wanted == OTHER_SEAT:
            others = [agent for agent in game.agents if agent != seat]
            seat = others[0] if len(others) == 1 else _ask_seat(person, screen, game, others[0])
            first = next(iter(enemies.values()))
            enemies = {agent: enemies.get(agent, first) for agent in enemies_of(game, seat)}
            env = _new_env(arguments, opened(arguments, arguments.scenario or game.scenario_name), seat)
        if wanted == OTHER_ENEMY:
            enemies = _ask_enemies(person, screen, game, list(enemies), {})
    except EOFError:
        return None
    seed = random_seed() if arguments.seed is None else table.seed + 1
    return replace(table, env=env, seat=seat, agents=who_decides(arguments, game, seat, enemies), seed=seed)


def enemies_at(table: Table) -> dict[str, Agent]:
    """Return the agents of your enemies by seat."""
    return {agent: table.agents[agent] for agent in enemies_of(table.env.game, table.seat)}


def numbered(path: Path, fight: int) -> Path:
    """Return the path for recording fight 1, 2, ... of a session: fight.hrr, fight-2.hrr."""
    return path if fight == 1 else path.with_name(f"{path.stem}-{fight}{path.suffix}")


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


def _ask_scenario(person: Person, screen: Screen, game: str) -> str:
    """Ask which of the shipped scenarios to play; ? shows which have a map, and how long fights last."""
    from heartrush_env.app.cli.playing.table import session_of

    usual, rounds = usual_scenario(game), session_of(game).rounds
    games = {name: open_game({"game": game, "scenario": name}) for name in scenario_names(game)}

    def explain() -> None:
        for name, each in games.items():
            ground = "on a map" if is_on_map(each) else "without a map"
            screen.say(f"{name}: {ground}" + (f", about {rounds[name]} rounds" if name in rounds else ""))
        screen.say("On a map you also move, and need line of sight. A round takes you about a minute.", indent=0)
        screen.say()

    rows = [(name, _about(each)) for name, each in games.items()]
    return _ask(person, screen, "Which fight?", rows, usual, help=explain)


def _about(game: Game) -> str:
    """Describe the sides of a fight in one line."""
    names, teams = words_of(game).names, dict[str, list[str]]()
    for agent, team in zip(game.agents, game.teams, strict=True):
        teams.setdefault(team, []).append(names[agent])
    return " against ".join(", ".join(members) for members in teams.values())


def _ask_seat(person: Person, screen: Screen, game: Game, usual: str) -> str:
    """Ask which fighter to play, showing the figures of all fighters."""
    from heartrush_env.app.cli.playing.table import session_of

    def show() -> None:
        session_of(game.name).show_fighters(screen, game)

    show()
    names = words_of(game).names
    rows = [(agent, f"{names[agent]}, of {team}") for agent, team in zip(game.agents, game.teams, strict=True)]
    return _ask(person, screen, "Which fighter do you play?", rows, usual, help=show)


def _ask_enemies(
    person: Person, screen: Screen, game: Game, foes: Sequence[str], named: Mapping[str, Agent]
) -> dict[str, Agent]:
    """Return an agent for each enemy, asking for one shared agent or one each where none is given."""
    open_ones = [agent for agent in foes if agent not in named]
    if not open_ones:
        return {agent: named[agent] for agent in foes}
    names = words_of(game).names
    found = dict(named)
    wanted = _ask_agent(person, screen, game, "", several=len(open_ones) > 1)
    for agent in open_ones:
        chosen = wanted or _ask_agent(person, screen, game, f" plays {names[agent]}")
        assert chosen is not None  # only a question about several enemies can return None
        found[agent] = chosen
    return {agent: found[agent] for agent in foes}


def _ask_agent(person: Person, screen: Screen, game: Game, whom: str, *, several: bool = False) -> Agent | None:
    """Ask which agent plays an enemy, and at which strength; return None if each enemy gets its own agent."""
    from heartrush_env.app.cli.playing import opponents
    from heartrush_env.app.cli.playing.asking import Asking
    from heartrush_env.tabletop.menus import Choice

    people, bots = opponents.characters(game), opponents.ranked(game)
    usual = opponents.usual(people, bots)
    listed, levels = opponents.choices(people)
    more, more_levels = opponents.choices(bots)
    further = [Choice(MORE, MORE)] * bool(listed) + [Choice(EACH, EACH)] * several
    rows = opponents.portraits(people, "★" if screen.fancy else "*") if people else []
    rows += [f"{MORE}: bots, and agents that learned or were solved"] * bool(listed)
    rows += [f"{EACH}: an agent for each enemy"] * several
    asking, prompt = Asking(person, screen.say), f"Your choice (Enter: {usual}): "

    def say(lines: Sequence[str]) -> None:
        for line in lines:
            screen.say(line, indent=2)

    answer = MORE
    if listed:
        screen.show_choices(f"Which enemy{whom}? Stars show its strength; ? tells more.", rows)
        say([opponents.LEVELS])
        answer = asking.pick(
            [*listed, *further],
            prompt,
            help=lambda: say(opponents.introduced(people)),
            default=usual,
            unlisted=[*more, *levels, *more_levels],
        )
    if answer == MORE:
        screen.show_choices(f"Which enemy{whom}? The weakest comes first; ? explains them.", opponents.lines(bots))
        answer = asking.pick(
            more,
            prompt,
            help=lambda: say(opponents.explained(bots)),
            default=usual,
            unlisted=[*listed, *further[1:], *levels, *more_levels],
        )
    return None if answer == EACH else load(answer)


def _ask(
    person: Person,
    screen: Screen,
    title: str,
    rows: Sequence[tuple[str, str]],
    usual: str,
    help: Callable[[], None] = lambda: None,
) -> str:
    """Ask for one of the rows by its first word; ? shows the rows again after the output of `help`."""
    from heartrush_env.app.cli.playing.asking import Asking
    from heartrush_env.tabletop.menus import Choice

    ids = [id for id, _ in rows]

    def show() -> None:
        screen.show_choices(title, [f"{id}: {words}" for id, words in rows], ids.index(usual))

    def explain() -> None:
        help()
        show()

    show()
    choices = [Choice(id, f"{id}: {words}") for id, words in rows]
    return Asking(person, screen.say).pick(choices, f"Your choice (Enter: {usual}): ", help=explain, default=usual)


def opposition(table: Table) -> str:
    """Describe your allies and enemies with their agents in one sentence."""
    names, foes = words_of(table.env.game).names, enemies_of(table.env.game, table.seat)
    sides: dict[bool, list[str]] = {False: [], True: []}
    for agent, who in table.agents.items():
        sides[agent not in foes].append(f"{names[agent]} ({who.id})")
    allies = f" with {', '.join(sides[True])}" if sides[True] else ""
    return f"You fight{allies} against {', '.join(sides[False])}."


def command_again(arguments: argparse.Namespace, table: Table) -> str:
    """Return the command line that sets up the same fight."""
    words = ["heartrush", "play", arguments.scenario or table.env.game.scenario_name]
    words += ["--seat", table.seat]
    enemies = enemies_at(table)
    same = len({enemy.id for enemy in enemies.values()}) == 1
    for agent, enemy in list(enemies.items())[: 1 if same else None]:
        words += ["--enemy", enemy.id if same else f"{agent}={enemy.id}"]
    words += ["--ally", arguments.ally] if arguments.ally else []
    words += game_words(arguments)
    words += ["--dice"] * arguments.dice
    return shlex.join([*words, "--seed", str(table.seed)])


def new_recorder(table: Table) -> Recorder:
    """Return a recorder for the fight at the table; raise HeartRushError if the fight cannot be recorded."""
    from heartrush_env.records.recorder import Recorder

    seats = {agent: {"agent": who.id} for agent, who in table.agents.items()}
    return Recorder(table.env.game, (table.seed, 0), {**seats, table.seat: {"agent": PERSON}})


def write_record(path: Path, recorder: Recorder, fight: Fight) -> Path:
    """Write the record of a finished fight, and return its path."""
    recorder.dice = fight.dice or None
    recorder.begin(fight.opening)
    for actions, events in fight.steps:
        recorder.step(actions, events)
    recorder.end(fight.rewards)
    return recorder.write(path)


def write_film(path: Path, recorder: Recorder, fight: Fight) -> Path:
    """Write the film of a finished fight, and return its path."""
    from heartrush_env.app.cli.replay import film
    from heartrush_env.records.record import read_record

    with tempfile.TemporaryDirectory() as folder:
        film(read_record(write_record(Path(folder) / f"fight{SUFFIX}", recorder, fight)), path)
    return path
