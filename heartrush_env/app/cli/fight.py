"""`heartrush fight`: shows a fight between agents, or counts the winners of many fights."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heartrush_agents import available, load
from heartrush_agents.registry import usual_agent

from heartrush_env.app.cli.arguments import (
    add_decisions,
    add_game,
    add_number,
    add_rules,
    add_thinking,
    at_least,
    opened,
    scenarios,
    with_time,
)
from heartrush_env.app.cli.signals import INTERRUPTED, Ended
from heartrush_env.app.cli.terminal import codes, painted, progress, share_rows
from heartrush_env.app.encounters.tally import time_unit
from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.records.record import SUFFIX
from heartrush_env.records.recorder import Recorder
from heartrush_env.tabletop.arguments import random_seed
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event, Game
from heartrush_env.tabletop.intervals import share_of
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.render.film import SUFFIXES, Film, check_film, film_of
from heartrush_env.tabletop.words import words_of
from heartrush_env.tabletop.writing import check_folder, make_folder

OPTIONS = {
    "--seed", "--decisions", "--rule", "--rounds", "--json", "--fights", "--record", "--think-ms", "--game", "--help",
}  # fmt: skip
USAGE = "heartrush fight SCENARIO [--TEAM AGENT ...] [options]"
ABOUT = (
    "Shows a fight between agents roll by roll, or counts the winners of many fights. Each team of the scenario is an "
    "option that names its agent; the default is "
    f"{usual_agent(DEFAULT_GAME)}, or the game's own. Agents: {', '.join(available())}."
)
EXAMPLES = """examples:
  heartrush fight duel --red uniform --blue random
  heartrush fight brawl --blue cunning --seed 7 --rounds
  heartrush fight duel --red might --fights 1000 --decisions stance
  heartrush fight duel --seed 7 --record duel.hrr
  heartrush fight skirmish --record skirmish.gif
  heartrush fight random:7 --rounds
  heartrush fight melee --rule edition=classic
  heartrush fight my_scenario.toml --rule profile=plain --json"""


@dataclass
class Fight:
    """A finished fight."""

    number: int
    unit: str  # the kind of event that begins a unit of time: a round, or what else the game counts
    events: list[Event] = field(default_factory=list)

    @property
    def end(self) -> Event:
        """The fight's last event."""
        return self.events[-1]

    @property
    def rounds(self) -> int:
        """The number of rounds in the fight, or of the game's other units of time."""
        return sum(event["type"] == self.unit for event in self.events)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scenario", metavar="SCENARIO", help=scenarios())
    add_number(parser, "--seed", "seed of all dice and choices (default: random)", least=0)
    add_game(parser)
    add_decisions(parser, "choices left to the agents")
    add_thinking(parser)
    add_rules(parser)
    says = "number of fights; with more than one, only the winners are counted"
    parser.add_argument("--fights", type=at_least(1), default=1, metavar="N", help=says)
    parser.add_argument("--rounds", action="store_true", help="show each round in one line")
    film = "FILE.gif or FILE.mp4: film it"
    says = f"record the fight for heartrush replay, or with --fights all fights into a folder; {film}"
    parser.add_argument("--record", metavar="FILE", help=says)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def split_teams(argv: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Separate team options such as `--red uniform` (the agent of team red) from the rest of a command line."""
    rest: list[str] = []
    teams: dict[str, str] = {}
    words = iter(argv)
    for word in words:
        option, equals, value = word.partition("=")
        if not word.startswith("--") or option in OPTIONS:
            rest.append(word)
            continue
        agent = value if equals else next(words, "")
        if not agent or agent.startswith("-"):
            raise HeartRushError(f"{option}: expected the id of an agent ({', '.join(available())}), got none.")
        teams[option.removeprefix("--")] = agent
    return rest, teams


def run(arguments: argparse.Namespace) -> int:
    """Play one fight and show it, or play many and count the winners."""
    game = opened(arguments, decisions=None if arguments.decisions == "full" else arguments.decisions)
    players = who_plays(game, arguments.teams)
    players = dict(zip(players, with_time(list(players.values()), arguments.think_ms), strict=True))
    seed = random_seed() if arguments.seed is None else arguments.seed
    if arguments.record is not None:
        check_place(Path(arguments.record), many=arguments.fights > 1)
    fights = play(arguments, game, players, seed)
    if arguments.fights > 1:
        counted = count(game, players, _watched(fights, arguments.fights))
        print(
            json.dumps({**_head(game, players, seed), **counted}) if arguments.json else summary(counted, players, seed)
        )
        if counted["fights"] < arguments.fights:
            said = f"interrupted after {counted['fights']} of {arguments.fights} fights"
            print(f"heartrush fight: {said}; the counts are of those.", file=sys.stderr)
            return INTERRUPTED
    elif arguments.json:
        fight = next(fights)
        result = {
            "time_unit": fight.unit,
            "rounds": fight.rounds,
            "cause": fight.end["cause"],
            "winners": fight.end["winners"],
        }
        print(json.dumps({**_head(game, players, seed), "fight": 0, **result, "events": fight.events}))
    else:
        tell(game, players, seed, next(fights), short=arguments.rounds)
    return 0


def who_plays(game: Game, teams: Mapping[str, str]) -> dict[str, str]:
    """Return the id of each team's agent."""
    playing = dict.fromkeys(game.teams)
    for team in teams:
        if team not in playing:
            allowed = ", ".join(f"--{known}" for known in playing)
            raise HeartRushError(
                f"Expected a team of {game.scenario_name!r} ({allowed}) or an option "
                f"({', '.join(sorted(OPTIONS))}), got --{team}."
            )
    named = {team: teams.get(team, usual_agent(game.name)) for team in playing}
    for id in named.values():
        load(id)  # raises for an unknown id
    return named


def check_place(place: Path, *, many: bool = False) -> None:
    """Check the path of a record or film before the first fight; for many fights, create the folder."""
    if not place.absolute().parent.is_dir():
        raise HeartRushError(f"--record: expected an existing folder, got {str(place.parent)!r}.")
    if not many:
        check_ending(place, (SUFFIX, *SUFFIXES))
    if place.suffix in SUFFIXES:
        if many:
            raise HeartRushError(
                f"--record: expected a folder for the records of many fights, got the film {str(place)!r}."
            )
        check_film(place)
    if place.is_dir() and not many:
        raise HeartRushError(f"--record: expected a file for one fight, got the folder {str(place)!r}.")
    if many:
        if place.exists() and not place.is_dir():
            raise HeartRushError(f"--record: expected a folder for many fights, got the file {str(place)!r}.")
        make_folder(place)
    check_folder(place if many else place.absolute().parent)


def check_ending(place: Path, allowed: Sequence[str]) -> None:
    """Refuse a file whose suffix belongs to another format; a name without a suffix is fine."""
    if place.suffix not in ("", *allowed):
        endings = " or ".join(filter(None, [", ".join(allowed[:-1]), allowed[-1]]))
        raise HeartRushError(f"--record: expected a file ending in {endings}, got {str(place)!r}.")


def play(arguments: argparse.Namespace, game: Game, agents: Mapping[str, str], seed: int) -> Iterator[Fight]:
    """Play fights 0, 1, 2, ... of the seed, which determines the dice and the agents' random choices."""
    filmed = arguments.record is not None and Path(arguments.record).suffix in SUFFIXES
    env = ParallelFights(game)
    named = dict(zip(game.agents, (agents[team] for team in game.teams), strict=True))
    players = Players(game, {seat: load(agent).seat(game) for seat, agent in named.items()})
    players.new_match()
    for number in range(arguments.fights):
        if arguments.record is None:
            yield one_fight(env, players, seed, number)
            continue
        if filmed:
            film = film_of(game, Path(arguments.record))
            fight = one_fight(env, players, seed, number, film=film)
            film.write()
            yield fight
            continue
        recorder = Recorder(game, (seed, number), {seat: {"agent": agent} for seat, agent in named.items()})
        fight = one_fight(env, players, seed, number, recorder)
        place = Path(arguments.record)
        recorder.write(place / f"{number:06}{SUFFIX}" if arguments.fights > 1 else place)
        yield fight


def one_fight(
    env: ParallelFights,
    players: Players,
    seed: int,
    number: int,
    recorder: Recorder | None = None,
    film: Film | None = None,
) -> Fight:
    """Play fight `number` with the seed to its end, optionally recording and filming it."""
    fight, paid = Fight(number, time_unit(env.game)), dict.fromkeys(env.possible_agents, 0.0)
    for step, window in enumerate(play_fight(env, players, seed, number)):
        fight.events += window.events
        paid = {seat: reward + window.rewards[seat] for seat, reward in paid.items()}
        if film is not None:
            film.watch(env)
        if recorder is not None and step:
            recorder.step(window.chosen, window.events)
        elif recorder is not None:
            recorder.begin(window.events)
    if recorder is not None:
        recorder.end(paid)
    return fight


def _watched(fights: Iterator[Fight], total: int) -> Iterator[Fight]:
    for done, fight in enumerate(fights, 1):
        yield fight
        if done % 10 == 0 or done == total:
            progress(done, total, "fights")


# -- one fight -----------------------------------------------------------------------------------------------------


def tell(game: Game, players: Mapping[str, str], seed: int, fight: Fight, *, short: bool) -> None:
    """Print a fight roll by roll or round by round."""
    words = words_of(game)
    print("\n".join(words.introduction(players)))
    told = painted(words.teller().tell(fight.events), codes())
    print("\n".join(["", *words.by_round(fight.events)] if short else told))
    print(f"The same fight again: --seed {seed}")


# -- many fights ---------------------------------------------------------------------------------------------------


def count(game: Game, players: Mapping[str, str], fights: Iterator[Fight]) -> dict[str, Any]:
    """Count each team's wins, with 95 % Wilson intervals of the win rates; an interrupt ends the counting."""
    wins = dict.fromkeys(game.teams, 0)
    total, rounds = 0, 0
    try:
        for fight in fights:
            winners = fight.end["winners"]
            total += 1
            rounds += fight.rounds
            for team in winners:
                wins[team] += 1
    except Ended:
        raise
    except KeyboardInterrupt:
        if not total:
            raise
    shares = {team: {"agent": players[team], **share_of(won, total)} for team, won in wins.items()}
    return {
        "fights": total,
        "time_unit": time_unit(game),
        "mean_rounds": rounds / total,
        "teams": shares,
        "draws": share_of(total - sum(wins.values()), total),
    }


def summary(counted: Mapping[str, Any], players: Mapping[str, str], seed: int) -> str:
    """Format the counts as a table."""
    rows = [(f"won by {team} ({players[team]})", share) for team, share in counted["teams"].items()]
    rows.append(("drawn", counted["draws"]))
    head = f"{counted['fights']} fights, seed {seed}, {counted['mean_rounds']:.1f} {counted['time_unit']}s each"
    return "\n".join([f"{head}; 95 % intervals in brackets", *share_rows(rows)])


def _head(game: Game, players: Mapping[str, str], seed: int) -> dict[str, Any]:
    """Return the facts of a fight as JSON-able data."""
    return {
        "scenario": game.scenario_name,
        "digest": game.scenario_digest,
        "seed": seed,
        "agents": dict(players),
        "fighters": dict(zip(game.agents, game.teams, strict=True)),
    }
