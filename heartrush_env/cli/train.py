"""`heartrush train`: train an enemy, rate it, and write its weights with a card."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartrush_agents import load
from heartrush_agents.learned import LONGEST_ID

from heartrush_env.cli.arguments import add_rules, add_scenario, at_least, read_rules
from heartrush_env.cli.rate import who_plays
from heartrush_env.cli.terminal import Count
from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.text import show

if TYPE_CHECKING:
    from heartrush_train.knobs import Knobs
    from heartrush_train.training import Progress

    from heartrush_env.heart_rush.game import HeartRush

RUNS = Path("runs")
INTERRUPTED = 130
COMPARED = "uniform"  # stands in every table beside the agent that was trained
LINES = 20  # about so many lines of progress where nobody looks at a terminal

EXAMPLES = """examples:
  heartrush train duel --id duelist                            what `make train` does
  heartrush train my_scenario.toml --id captain --budget 5000000
  heartrush train duel --recipe against --opponent duelist     how much a learner finds against it
  heartrush fight duel --blue runs/duelist                     play what was trained

A run writes checkpoints into its folder. Ctrl-C stops it at the next one; the same command goes on from there.
TensorBoard: tensorboard --logdir runs"""


def add_command(commands: Any) -> None:
    """Add `train` to the command line; the knobs and what they do come from the recipes."""
    from heartrush_train.knobs import RECIPES, Knobs

    parser = commands.add_parser(
        "train",
        help="train an enemy",
        description="Train an agent on a scenario, rate it against the roster, and write its weights with a card. "
        "Needs the `train` extra (torch, Stable-Baselines3).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_scenario(parser)
    recipes = "; ".join(f"{name}: {recipe.summary}" for name, recipe in RECIPES.items())
    parser.add_argument("--recipe", choices=RECIPES, default="self_play", help=f"how, usually self_play. {recipes}")
    parser.add_argument("--id", default="mine", type=_name, help="what the agent is called, usually mine")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the run's folder, usually runs/ID")
    parser.add_argument("--description", metavar="TEXT", help="one sentence for the card")
    parser.add_argument("--fresh", action="store_true", help="begin anew, and forget the checkpoint of an earlier run")
    add_rules(parser)
    parser.add_argument(
        "--rate-fights",
        type=at_least(0),
        default=4000,
        metavar="N",
        help="fights of each pair in the rating; 0 for none",
    )
    _add_knobs(parser, "knobs of every recipe", Knobs)
    for name, recipe in RECIPES.items():
        _add_knobs(parser, f"knobs of {name}", recipe, beyond=Knobs)
    parser.set_defaults(run=run)


def _name(text: str) -> str:
    """An id: what a folder can be called everywhere."""
    if not text.isidentifier() or not text.isascii() or text != text.lower() or len(text) > LONGEST_ID:
        allowed = f"a lower-case letter or _, then more of them and digits, {LONGEST_ID} characters at most"
        raise argparse.ArgumentTypeError(f"{show(text)} is no id, allowed: {allowed}")
    return text


def _add_knobs(
    parser: argparse.ArgumentParser, title: str, knobs: type[Knobs], beyond: type[Knobs] | None = None
) -> None:
    group = parser.add_argument_group(title)
    known = {field.name for field in dataclasses.fields(beyond)} if beyond else set()
    for field in dataclasses.fields(knobs):
        if field.name in known or field.name in ("scenario", "rules"):
            continue
        usual: Any = field.default
        many = isinstance(usual, tuple)
        kind: Any = type(usual[0] if many and usual else 0 if usual is None else "" if many else usual)
        shown = ",".join(map(str, usual)) if many else usual
        group.add_argument(
            "--" + field.name.replace("_", "-"),
            type=_many(kind) if many else kind,
            default=argparse.SUPPRESS,
            metavar={int: "N", float: "X", str: "ID"}[kind] + (",..." if many else ""),
            help=field.metadata["says"] + (f"; usually {shown}" if shown not in (None, "") else "").replace("%", "%%"),
        )


def _many(kind: Any) -> Any:
    """A type for argparse: values between commas."""

    def values(text: str) -> tuple[Any, ...]:
        return tuple(kind(part.strip()) for part in text.split(",")) if text else ()

    values.__name__ = f"{kind.__name__}s between commas"
    return values


def run(arguments: argparse.Namespace) -> int:
    """Train, write the agent, rate it; a run that is finished already is only rated again."""
    from heartrush_train.knobs import RECIPES

    knobs = _read_knobs(arguments, RECIPES)
    try:
        from heartrush_train.recipes import prepare
    except ImportError as missing:
        raise HeartRushError(
            f"Training needs the package {missing.name!r}: pip install 'heartrush-env[train]' brings all it needs."
        ) from missing
    from heartrush_train.export import write_agent
    from heartrush_train.training import Stopped

    folder: Path = arguments.out or RUNS / arguments.id
    training = prepare(knobs, folder, fresh=arguments.fresh)
    print(f"{arguments.id}: {training.plan()}", file=sys.stderr)
    try:
        network = training.run(Lines())
    except Stopped:
        print(f"Stopped at {training.done:.0%}; the same command goes on from there.", file=sys.stderr)
        return INTERRUPTED
    command = _command(arguments, knobs)
    description = arguments.description or f"Trained on {knobs.scenario} by {knobs.recipe}."
    game = knobs.game()
    card = write_agent(folder, arguments.id, description, network, game, {**training.facts(), "command": command})
    if arguments.rate_fights:
        _rate(folder, card, game, arguments.rate_fights)
    print(f"Written to {folder}: heartrush fight {knobs.scenario} --{game.teams[0]} {folder}", file=sys.stderr)
    return 0


def _read_knobs(arguments: argparse.Namespace, recipes: Mapping[str, type[Knobs]]) -> Knobs:
    """The knobs as given, of this recipe alone."""
    recipe = recipes[arguments.recipe]
    given = {name: value for name, value in vars(arguments).items() if name in _all_knobs(recipes.values())}
    for name in given:
        if name not in _all_knobs([recipe]):
            raise HeartRushError(f"--{name.replace('_', '-')} is no knob of the recipe {arguments.recipe}.")
    return recipe(**given, rules=read_rules(arguments.rule))


def _all_knobs(recipes: Iterable[type[Knobs]]) -> set[str]:
    return {field.name for recipe in recipes for field in dataclasses.fields(recipe)}


def _command(arguments: argparse.Namespace, knobs: Knobs) -> str:
    """The command line that trains the same agent, without what is usual."""
    words = ["heartrush", "train", knobs.scenario, "--id", arguments.id]
    if arguments.recipe != "self_play":
        words += ["--recipe", arguments.recipe]
    for key in arguments.rule:
        words += ["--rule", key]
    for field in dataclasses.fields(knobs):
        value = getattr(knobs, field.name)
        if field.name not in ("scenario", "rules") and value != field.default:
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words += [f"--{field.name.replace('_', '-')}", text]
    return shlex.join(words)


def _rate(folder: Path, card: dict[str, Any], game: HeartRush, fights: int) -> None:
    """Rate the agent of a folder, and beside it the even mix, against the roster; put its scores on its card."""
    from heartrush_train.export import scores, write_card
    from heartrush_train.rating import rate

    agent = load(str(folder))
    roster = [id for id in who_plays(game) if id != agent.id]
    beside = [id for id in (COMPARED,) if id in roster]
    table = rate(
        [agent, *beside],
        game,
        against=[agent, *roster],
        fights=fights,
        progress=Count("fights"),
    )
    command = f"heartrush rate {game.scenario_name} --agents {folder},{COMPARED} --fights {fights}"
    write_card(folder, {**card, "scores": scores(table, agent.id, command)})
    print(table.as_text())


class Lines:
    """Tells how training goes: one line that changes on a terminal, some lines where nobody looks."""

    def __init__(self) -> None:
        self.told = 0

    def __call__(self, now: Progress) -> None:
        """Tell it, if it is time to."""
        minutes, seconds = divmod(round(now.seconds_left), 60)
        numbers = ", ".join(f"{100 * score:.0f} % against {id}" for id, score in now.numbers.items())
        share = now.rows / now.budget
        line = f"{share:4.0%}  {now.rows_per_second:,.0f} rows/s, {minutes}:{seconds:02d} left; won {numbers}"
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            end = "\n" if now.rows >= now.budget else ""
            print(f"\r{line[:width]:<{width}}", end=end, file=sys.stderr, flush=True)
        elif share * LINES >= self.told + 1 or share >= 1:
            self.told = int(share * LINES)
            print(line, file=sys.stderr, flush=True)
