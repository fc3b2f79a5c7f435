"""`heartrush train`: trains an enemy, rates it, and writes its weights with a card."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartrush_agents import load
from heartrush_agents.learned.agent import LONGEST_ID

from heartrush_env.app.cli.arguments import (
    add_game,
    add_number,
    add_rules,
    add_scenario,
    game_words,
    needing,
    opened,
    read_rules,
)
from heartrush_env.app.cli.card_page import habits_text
from heartrush_env.app.cli.rate import who_plays
from heartrush_env.app.cli.terminal import Telling, duration
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import is_on_map
from heartrush_env.tabletop.registry import DEFAULT_GAME, usual_scenario
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.writing import make_folder, sole_writer

if TYPE_CHECKING:
    from heartrush_agents.base import AgentLike
    from heartrush_agents.tournament.cross_table import Score, Table
    from heartrush_train.config import Config, ExploiterConfig
    from heartrush_train.run import Progress

    from heartrush_env.tabletop.game import Game

RUNS = Path("runs")
SAID_APART = ("game_name", "scenario", "rules")  # options of a recipe that have arguments of their own
USUAL = "ppo_self_play"  # the default recipe of a duel
# Options of imitate when the scenario selects it: a training of about ten minutes.
FORESEEING = {"foresight": 1, "only_stances": 1, "opponents": ("itself",), "total_samples": 40_960}
# Options of imitate with --side: the agent learns the tactician's habits, and each update learns more from its samples.
FORESEEING_SIDE = {
    **FORESEEING,
    "opponents": ("tactician",),
    "learning_rate": 3e-3,
    "n_epochs": 10,
    "total_samples": 20_480,
}
MEASURE = "tactician"  # the verdict reports whether the trained agent beats it
COMPARED = "uniform"  # compared with the trained agent in every table
OPPONENTS_ON_MAPS = (MEASURE, COMPARED, "random")
FIRST = 3.0  # seconds until the first estimate
SAMPLES_FOR_A_FIGHT = 4000  # training samples per rating fight; short trainings are rated in fewer fights
MOST_RATED, LEAST_RATED = 4000, 400  # bounds of the default number of fights per pair
RATED_ON_MAPS = 100  # default number on a map, where a fight takes about a second
MATCH = 20  # fights after which players forget their opponents, except on maps
OBSERVED_ON_MAPS = 20  # fights on a map that are observed for habits, for each team

ABOUT = (
    "Trains an agent on a scenario, rates it against the roster, and writes its weights with a card. Needs the `train` "
    "extra (torch, Stable-Baselines3)."
)
EXAMPLES = """examples:
  heartrush train duel --id mine                               PPO against itself, past selves and others
  heartrush train my_scenario.toml --id captain --total-samples 5000000
  heartrush train my_scenario.toml --side red --id captain     trains and rates only the team red
  heartrush train duel --recipe exploiter --opponent duelist   how far it can be exploited
  heartrush train duel --recipe shapley --rule profile=plain      towards the equilibrium of a plain duel
  heartrush fight duel --blue runs/duelist                     play what was trained

A run writes checkpoints to its folder. Ctrl-C stops it; the same command resumes from the last checkpoint and produces
the same weights. In the folder, run.json holds the options, and progress.jsonl one line of JSON per checkpoint.
TensorBoard: tensorboard --logdir runs"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from heartrush_train.config import RECIPES, Config, EntityConfig, PPOConfig

    add_scenario(parser, None)
    add_game(parser)
    recipes = "; ".join(f"{name}: {recipe.summary}" for name, recipe in RECIPES.items())
    says = (
        "training method, by default chosen by the scenario: imitate with foresight, for stances only, on maps, in "
        "teams and with --side, shapley for duels under the profile plain, beats for duels in beats, otherwise "
        f"{USUAL}. {recipes}"
    )
    parser.add_argument("--recipe", type=_recipe, metavar="RECIPE", help=says)
    parser.add_argument("--id", default="mine", type=_name, help="the agent's id (default: mine)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the run's folder (default: runs/ID)")
    parser.add_argument("--description", metavar="TEXT", help="one sentence for the card")
    parser.add_argument("--fresh", action="store_true", help="start over, discarding the checkpoint of an earlier run")
    add_rules(parser)
    usual = f"one per {SAMPLES_FOR_A_FIGHT} samples, {LEAST_RATED} to {MOST_RATED}; {RATED_ON_MAPS} on a map"
    says = f"fights per pair in the rating, 0 for no rating (default: {usual})"
    add_number(parser, "--rate-fights", says, least=0)
    added: dict[str, Any] = {}
    _add_options(parser, "options of every recipe", Config, added)
    for shared in (PPOConfig, EntityConfig):
        having = [name for name, recipe in RECIPES.items() if issubclass(recipe, shared)]
        _add_options(parser, f"options of {' and '.join(having)}", shared, added)
    for name, recipe in RECIPES.items():
        _add_options(parser, f"options of {name}", recipe, added)


def _name(text: str) -> str:
    """Parse an id, which must be a valid folder name on every system."""
    if not text.isidentifier() or not text.isascii() or text != text.lower() or len(text) > LONGEST_ID:
        allowed = f"a lower-case letter or _, then letters, digits and _, at most {LONGEST_ID} characters"
        raise argparse.ArgumentTypeError(f"expected {allowed}, got {show(text)}")
    return text


def _recipe(text: str) -> str:
    """Parse the name of a recipe."""
    from heartrush_train.config import RECIPES

    if text not in RECIPES:
        raise argparse.ArgumentTypeError(f"expected one of the recipes {', '.join(RECIPES)}, got {show(text)}")
    return text


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _add_options(parser: argparse.ArgumentParser, title: str, config: type[Config], added: dict[str, Any]) -> None:
    """Add the options that no earlier group has, and list the defaults that differ from earlier groups.

    The new options are recorded in `added` by name, with their defaults.
    """
    fields = [field for field in dataclasses.fields(config) if field.name not in SAID_APART]
    base = _defaults(config.__bases__[0]) if config.__bases__[0] is not object else {}
    own = [
        field
        for field in fields
        if field.name in added and field.default not in (added[field.name], base.get(field.name))
    ]
    others = ", ".join(f"{_flag(field.name)} {field.default}" for field in own)
    group = parser.add_argument_group(title, f"Other defaults: {others}." if others else None)
    for field in fields:
        if field.name in added:
            continue
        usual: Any = field.default
        added[field.name] = usual
        many = isinstance(usual, tuple)
        kind: Any = type(usual[0] if many and usual else 0 if usual is None else "" if many else usual)
        shown = ",".join(map(str, usual)) if many else usual
        group.add_argument(
            _flag(field.name),
            type=_many(kind) if many else kind,
            default=argparse.SUPPRESS,
            metavar={int: "N", float: "X", str: "ID"}[kind] + (",..." if many else ""),
            help=field.metadata["says"]
            + (f" (default: {shown})" if shown not in (None, "") else "").replace("%", "%%"),
        )


def _defaults(config: Any) -> dict[str, Any]:
    return {field.name: field.default for field in dataclasses.fields(config)}


def _many(kind: Any) -> Any:
    """Return an argparse type for comma-separated values."""

    def values(text: str) -> tuple[Any, ...]:
        return tuple(kind(part.strip()) for part in text.split(",")) if text else ()

    values.__name__ = f"{kind.__name__}s separated by commas"
    return values


def run(arguments: argparse.Namespace) -> int:
    """Train the agent, write it and rate it; if the run is already finished, only rate the agent."""
    from heartrush_train.config import RECIPES, ExploiterConfig

    config = _read_config(arguments, RECIPES)
    with needing("train", "Training"):
        from heartrush_train.recipes import prepare
    from heartrush_train.export import write_agent

    folder: Path = arguments.out or RUNS / arguments.id
    training = prepare(config, folder, fresh=arguments.fresh)
    with sole_writer(make_folder(folder)):
        print(f"{arguments.id}: {training.plan()}", file=sys.stderr)
        lines = Lines()
        try:
            network = training.train(lines)
        except KeyboardInterrupt:
            lines.clear()
            print(f"Stopped. {training.resuming()}", file=sys.stderr)
            raise
        command = _command(arguments, config)
        under = f" under {', '.join(arguments.rule)}" if arguments.rule else ""
        description = arguments.description or f"Trained on {config.scenario}{under} by {config.recipe}."
        game = config.game()
        facts = {**training.facts(), "command": command}
        card = write_agent(folder, arguments.id, description, network, game, facts, training.fits())
        fights = rated_fights(config.total_samples, game) if arguments.rate_fights is None else arguments.rate_fights
        side = getattr(config, "side", "")
        team = side or game.teams[0]
        other = f" --game {config.game_name}" if config.game_name != DEFAULT_GAME else ""
        print(f"Written to {folder}: heartrush fight {config.scenario}{other} --{team} {folder}", file=sys.stderr)
        if fights and isinstance(config, ExploiterConfig):
            _bound(folder, card, config, game, fights)
        elif fights:
            _rate(folder, card, game, fights, arguments.rule, side)
    return 0


def rated_fights(samples: int, game: Game) -> int:
    """Return the default number of rating fights per pair after training on this many samples."""
    if is_on_map(game):
        return RATED_ON_MAPS
    return min(MOST_RATED, max(LEAST_RATED, samples // SAMPLES_FOR_A_FIGHT // 100 * 100))


def _read_config(arguments: argparse.Namespace, recipes: Mapping[str, type[Config]]) -> Config:
    """Return the given options as a config of the recipe; without a recipe, the scenario determines it."""
    usual: Mapping[str, Any] = {}
    arguments.scenario = arguments.scenario or usual_scenario(arguments.game)
    if arguments.recipe is None:
        side = bool(getattr(arguments, "side", ""))
        arguments.recipe, usual = usual_recipe(opened(arguments), side)
    recipe = recipes[arguments.recipe]
    given = {**usual} | {
        name: value for name, value in vars(arguments).items() if name in _all_options(recipes.values())
    }
    for name in given:
        if name not in _all_options([recipe]):
            raise HeartRushError(f"{_flag(name)} is not an option of the recipe {arguments.recipe}.")
    return recipe(**given, rules=read_rules(arguments.rule), game_name=arguments.game)


def usual_recipe(game: Game, side: bool = False) -> tuple[str, Mapping[str, Any]]:
    """Return the default recipe for a game, or for one of its sides, and the recipe's options."""
    from heartrush_env.research.beats.figures import why_unsupported as why_no_beats
    from heartrush_env.research.duel import why_unsupported

    if side:
        return "imitate", FORESEEING_SIDE
    if game.name != DEFAULT_GAME and why_no_beats(game) is None:
        return "beats", {}
    if game.name == DEFAULT_GAME and (is_on_map(game) or len(game.agents) > 2):
        return "imitate", FORESEEING
    return "shapley" if game.rules.get("profile") == "plain" and why_unsupported(game) is None else USUAL, {}


def _all_options(recipes: Iterable[type[Config]]) -> set[str]:
    return {field.name for recipe in recipes for field in dataclasses.fields(recipe)}


def _command(arguments: argparse.Namespace, config: Config) -> str:
    """Return the command line that trains an identical agent, omitting defaults."""
    words = ["heartrush", "train", config.scenario, "--id", arguments.id]
    if arguments.recipe != USUAL:
        words += ["--recipe", arguments.recipe]
    words += game_words(arguments)
    for field in dataclasses.fields(config):
        value = getattr(config, field.name)
        if field.name not in SAID_APART and value != field.default:
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words += [_flag(field.name), text]
    return shlex.join(words)


def _bound(folder: Path, card: dict[str, Any], config: ExploiterConfig, game: Game, fights: int) -> None:
    """Measure a folder's exploiter against its opponent, and write the lower bound to the exploiter's card."""
    from heartrush_train.export import write_card
    from heartrush_train.lower_bound import score

    bound = score(load(str(folder)), config, game, card["training"]["samples"], fights)
    write_card(folder, {**card, "lower_bound": bound.as_dict()})
    print(bound.as_text())


def _rate(folder: Path, card: dict[str, Any], game: Game, fights: int, rules: Sequence[str], side: str = "") -> None:
    """Rate a folder's agent and COMPARED against all agents that play the game; write the results to the agent's card.

    On a map, where fights take long, the only opponents are OPPONENTS_ON_MAPS. An agent that was trained for a side is
    rated on that side only, together with MEASURE.
    """
    from heartrush_agents.tournament.cross_table import rate
    from heartrush_train.export import scores, write_card
    from heartrush_train.habits import FIGHTS, habits

    agent = load(str(folder))
    on_map = is_on_map(game)
    roster = [id for id in who_plays(game) if id != agent.id and (id in OPPONENTS_ON_MAPS or not on_map)]
    beside = [id for id in (COMPARED, *([MEASURE] if side else [])) if id in roster]
    against: list[AgentLike] = [*roster] if side else [agent, *roster]
    match = 1 if on_map else MATCH  # the roster on maps has no memory, and independent fights give narrower intervals
    rating = Rating(card["training"]["seconds"])
    try:
        table = rate(
            [agent, *beside], game, against=against, fights=fights, match=match, side=side or None, progress=rating
        )
        found = habits(agent, game, fights=OBSERVED_ON_MAPS if on_map else FIGHTS)
    except KeyboardInterrupt:
        rating.lines.clear()
        print("The rating was stopped, and the card has no scores; the same command rates again.", file=sys.stderr)
        raise
    scenario = card["training"]["config"]["scenario"]
    words = ["heartrush", "rate", scenario, "--agents", ",".join([str(folder), *(beside or [COMPARED])])]
    words += ["--against", ",".join(roster), "--side", side] if side else []
    words += ["--fights", str(fights), *(["--match", str(match)] if on_map else [])]
    words += ["--game", game.name] if game.name != DEFAULT_GAME else []
    command = shlex.join([*words, *(word for rule in rules for word in ("--rule", rule))])
    write_card(folder, {**card, "scores": scores(table, agent.id, command), "habits": found})
    print(table.as_text())
    told = [habits_text(f"`{agent.id}`", found)] if found is not None else []
    told.append(side_verdict(table, agent.id) if side else verdict(table, agent.id))
    print("\n" + "\n".join(told))


def side_verdict(table: Table, id: str) -> str:
    """Return a sentence on whether an agent does better than MEASURE on the side that was rated.

    The opponent of both is MEASURE.
    """
    (side,) = table.teams
    own, usual = table.cell(id, MEASURE), table.cell(MEASURE, MEASURE)
    if own is None or usual is None:
        return f"`{MEASURE}` cannot play {table.scenario}, so there is nothing to compare `{id}` with as {side}."
    if own.low > usual.high:
        said = f"`{id}` is better, because the intervals do not overlap"
    elif own.high < usual.low:
        said = f"`{id}` is worse, because the intervals do not overlap; train longer with a larger --total-samples"
    else:
        said = f"{own.fights} fights show no difference; train longer, or rate with more --rate-fights"
    return (
        f"As {side}, `{id}` wins {_interval(own)} of its fights against `{MEASURE}`, and `{MEASURE}` wins "
        f"{_interval(usual)}: {said}."
    )


def _interval(score: Score) -> str:
    """Format a score and its interval in percent."""
    return f"{100 * score.score:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f})"


def verdict(table: Table, id: str) -> str:
    """Return the verdict of a rating in one or more sentences."""
    against = {other: score for other in table.columns if (score := table.cell(id, other))}
    beaten_by = [f"`{other}`" for other, score in against.items() if score.high < table.even]
    rest = f" It loses to {', '.join(beaten_by)}." if beaten_by else " No other agent here beats it with certainty."
    if (strongest := against.get(MEASURE)) is not None:
        beats = "It beats" if strongest.low > table.even else "It does not beat"
        won, low, high = (100 * share for share in (strongest.score, strongest.low, strongest.high))
        rest += (
            f" {beats} `{MEASURE}` here: it wins {won:.1f} % of their fights over both sides ({low:.1f} to {high:.1f})."
        )
    measured = against.get(COMPARED)
    if measured is None:
        return f"`{id}`:{rest}"
    share = f"it wins {100 * measured.score:.1f} % of their fights, where {100 * table.even:.4g} % is even"
    longer = "train longer, with a larger --total-samples and --fresh."
    if measured.high < table.even:
        return f"`{id}` is weaker than `{COMPARED}`: {share}; {longer}{rest}"
    if measured.low <= table.even:
        known = f"as far as {measured.fights} fights tell"
        return f"`{id}` is no stronger than `{COMPARED}`, {known}: {share}; {longer}{rest}"
    return f"`{id}` is stronger than `{COMPARED}`: {share}.{rest}"


EXACT = (
    "NashConv is exact: what best responses to the policy gain over it, both seats together. 0 is an equilibrium, "
    "which no opponent can exploit; 2 is a policy that loses every fight in both seats to an opponent that knows it."
)
BOUND = (
    "Exploitability at least X: an exploiter, trained against this policy alone, wins X more of their fights than it "
    "loses. That is a lower bound, so a longer training of the exploiter may find more; 0 means that it found "
    "nothing, 1 that it always wins. Compare it with the bounds before it, which had as much training."
)


class Lines(Telling):
    """A progress report of a training: first an estimate of the total time, then the progress so far."""

    estimated = False

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self.unexplained = {"nash_conv": EXACT, "lower_bound": BOUND}

    def __call__(self, now: Progress) -> None:
        """Report progress if a line is due; explain each figure before its first line."""
        for figure in [name for name in self.unexplained if getattr(now, name) is not None]:
            self.sentence(self.unexplained.pop(figure))
        if not self.estimated and self.seconds >= FIRST and now.samples < now.total_samples:
            self.estimated = True
            left = f"Training takes about {duration(now.seconds_left)}"
            self.sentence(
                f"{left}: {now.total_samples - now.samples:,} samples at {now.samples_per_second:,.0f} per second."
            )
        share = now.samples / now.total_samples
        numbers = ", ".join(f"{100 * score:.0f} % against {id}" for id, score in now.scores.items())
        won = f"; won {numbers}" if numbers else ""
        won += "" if now.nash_conv is None else f"; NashConv {now.nash_conv:.4f}"
        won += "" if now.lower_bound is None else f"; exploitability at least {now.lower_bound:.3f}"
        left = duration(now.seconds_left)
        self.line(share, f"{share:4.0%}  {now.samples_per_second:,.0f} samples/s, {left} left{won}")


class Rating:
    """A progress report of a rating, with a warning if the rating will take longer than the training took."""

    def __init__(self, trained: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the clock; `trained` is the duration of the training in seconds."""
        self.lines, self.trained = Telling(clock), trained
        self.estimated = self.warned = False
        self.first: tuple[float, int] | None = None  # when the first fights were finished, and how many

    def __call__(self, done: int, total: int) -> None:
        """Report that `done` of `total` fights are finished."""
        seconds = self.lines.seconds
        self.first = began, before = self.first or (seconds, done)
        if done == before:  # the first report: until then processes start, which does not show their speed
            return
        whole = seconds + (seconds - began) * (total - done) / (done - before)
        if seconds >= FIRST and not self.estimated:
            self.estimated = True
            self.lines.sentence(f"The rating takes about {duration(whole)}: {total:,} fights.")
        if whole > self.trained and seconds >= FIRST and not self.warned:
            self.warned = True
            self.lines.sentence(
                f"That is longer than the training, which took {duration(self.trained)}. The agent is already written: "
                "Ctrl-C skips the rating, and --rate-fights N shortens it."
            )
        left = duration(whole - seconds)
        self.lines.line(done / total, f"{done / total:4.0%}  {done:,} of {total:,} fights, {left} left")
