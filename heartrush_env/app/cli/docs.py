"""`heartrush docs`, for developers of the package: generates the reference pages from the live objects."""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from heartrush_agents import available, load
from heartrush_agents.cards import measured_ids
from heartrush_agents.characters.levels import HABITS
from heartrush_agents.difficulty import LEVELS, TEN_LEVELS, measured
from heartrush_agents.learned.agent import read_card, shipped

from heartrush_env.app.cli import fight
from heartrush_env.app.cli.bestiary import bestiary_page
from heartrush_env.app.cli.card_page import card_page, ratings_page
from heartrush_env.app.cli.enemies import described
from heartrush_env.app.cli.kits import written_kits
from heartrush_env.app.cli.listings import scenario_page
from heartrush_env.app.cli.rules import places, tally
from heartrush_env.app.cli.train import habits_text
from heartrush_env.games.heart_rush.headings import headings
from heartrush_env.games.heart_rush.scenario.settings import EDITIONS, KEYS, PROFILES, Settings
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.files import toml_value
from heartrush_env.tabletop.tables import Feature
from heartrush_env.tabletop.validate import join_or

HEAD = "<!-- Written by `heartrush docs`. Edit its sources, not this page. -->"
STALE = 1
FIGHT_COMMAND = "heartrush fight duel --red uniform --blue random --seed 1"
FIGHT_ROUNDS = 2  # shown from the start, then the last round

LEVELS_PAGE = """# Levels and strengths

The strength of an enemy can be set wherever an agent is named:

```python
load("duelist@easy")  # or load("duelist", level="easy"); easy, normal or hard
load("duelist", mistakes=0.2)  # or "duelist@mistakes=0.2"
load("duelist", temperature=1.5)  # or "duelist@mistakes=0.1,temperature=1.5"
```

`heartrush fight duel --red duelist@easy`, `heartrush play --enemy duelist@easy`, `match`, `rate` and `engine` take
the same ids, and so do `opponent=` and `allies=` of the environments.

A mistake is a uniformly random choice among the legal stances, attacks, maneuvers, opportunity attacks and answers to a
hit. A mistake never passes or gives anything up, and the agent still decides how its fighters move on a map.
Temperature raises probabilities to the power of 1/temperature: above 1 it flattens them, 0 keeps only the likeliest
action, and an agent that is always certain stays unchanged. The policy of a weakened player is the mixture that it
really plays, and the player sees nothing beyond its seat's own view.

## Levels

A level is the rate of mistakes that brings the agent's win rate to a target. Against `uniform`, which mixes the three
attacking stances evenly as a beginner might, an easy enemy wins one fight in three and a normal one wins one in two. A
hard enemy is the agent at full strength. `heartrush calibrate duelist` finds and measures the levels of an agent and
writes them to its card; `heartrush calibrate runs/mine` does so for an agent that you trained. The table shows the
percentage of fights won on `duel`, over both seats, with 95 % confidence intervals:
"""
TEN_LEVELS_PAGE = """## Ten levels

[Characters](enemies.md#characters) have levels from 1 to 10. Level 1 makes a mistake in nine decisions of ten and
trusts a tenth of what it reads, and so on; level 10 makes none. `easy`, `normal` and `hard` stand for 3, 6 and 10. An
enemy never peeks: it gets better by exploiting habits and by being less predictable. The panel of human-like habits is
{panel}: two beginners who mix evenly or by
their dice, a repeater, one that counters the last stance, one that keeps what won, and one that counts. `heartrush
calibrate berserker` measures the levels; the table shows the percentage of fights won on `duel`, over both seats, with
95 % confidence intervals, where it has been measured:
"""
STRENGTHS = """## Strengths

`heartrush play` orders its list by these win rates on `{scenario}`, in percent: {fights} fights against each of
{panel}, over both seats. `heartrush calibrate strengths` measures them. An agent that beats beginners may still be
predictable to someone who watches it, because no stance beats all others.
"""


def add_command(commands: Any) -> None:
    """Add `docs` to the command line as an unlisted command."""
    parser = commands.add_parser("docs", description="Write the pages of tables, or check them.", allow_abbrev=False)
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if a page is stale")
    parser.add_argument("--to", type=Path, default=Path("docs"), metavar="FOLDER", help="the folder of the pages")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the pages, or report which are stale."""
    folder: Path = arguments.to
    if not folder.is_dir():
        raise HeartRushError(f"There is no folder {str(folder)!r}; --to names the folder of the pages.")
    stale = 0
    for path, text in written_pages(folder).items():
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if arguments.check:
            print(f"{path} is stale: `heartrush docs` writes it.")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"{path} written.")
    return STALE if arguments.check and stale else 0


def written_pages(folder: Path) -> dict[Path, str]:
    """Return the expected content of each page, whether generated whole or in marked blocks."""
    pages = {folder / name: page() for name, page in PAGES.items()}
    for name, (page, block) in BLOCKS.items():
        path, begin, end = folder / page, f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        text = pages.get(path) or (path.read_text(encoding="utf-8") if path.is_file() else "")
        if begin in text:
            head, _, rest = text.partition(begin)
            pages[path] = f"{head}{begin}\n{block()}{end}{rest.partition(end)[2]}"
    for name, content in BESIDE.items():
        if (folder.resolve().parent / name).is_file():
            pages[folder.resolve().parent / name] = content()
    return {**pages, **written_kits(folder.resolve().parent / "clients")}


def sample_fight() -> str:
    """Return a fight as shown in a terminal, with its middle cut out."""
    parser = argparse.ArgumentParser()
    fight.add_command(parser.add_subparsers())
    given, teams = fight.split_teams(FIGHT_COMMAND.split()[1:])
    arguments = parser.parse_args(given)
    arguments.teams = teams
    printed = io.StringIO()
    with redirect_stdout(printed):
        fight.run(arguments)
    head, *rounds = re.split(r"(?m)^(?=Round \d+$)", printed.getvalue())
    shown = [*rounds[:FIGHT_ROUNDS], "...\n\n", rounds[-1]]
    return f"```console\n$ {FIGHT_COMMAND}\n{head}{''.join(shown)}```\n"


def scores_of(id: str) -> str:
    """Return the scores and habits on the card of a shipped agent."""
    card = read_card(shipped()[id])
    scores, training = card["scores"], card["training"]
    ((other, beside),) = scores["beside"].items()
    partners = training["config"]["sparring"]
    rows = [
        (
            f"`{enemy}`" + (" (sparring partner)" if enemy in partners else ""),
            _interval(score),
            _interval(beside["against"].get(enemy)),
        )
        for enemy, score in sorted(scores["against"].items(), key=lambda item: -item[1][0])
    ]
    rows.append(("mean over all", f"**{scores['mean']}**", f"{beside['mean']}"))
    how = f"{scores['fights']} fights against each, over both seats, in matches of {scores['match']}"
    cost = f"{training['samples'] / 1e6:.0f} M samples, {training['seconds'] / 60:.0f} minutes"
    head = f"Win rates of `{id}` and the even mix in percent, with 95 % intervals: {how}. Training took {cost}."
    habits = [habits_text(id, card["habits"]), ""] if "habits" in card else []
    return _page([head, "", *habits, *_table(("against", f"`{id}` wins", f"`{other}` wins"), rows)])


def _share(score: Sequence[float] | None) -> str:
    """Format a score and its interval without decimals."""
    return f"{score[0]:.0f} ({score[1]:.0f} to {score[2]:.0f})" if score else ""


def _interval(score: Sequence[float] | None) -> str:
    """Format a score with the ends of its interval."""
    return f"{score[0]} ({score[1]} to {score[2]})" if score else ""


def abilities_page() -> str:
    """Return the page of abilities, which marks those that fights play."""
    from heartrush_env.app.cli.ability_page import ability_page

    return ability_page(HEAD)


def actions_page() -> str:
    """Return the page with the action table of each shape."""
    from heartrush_env.games.heart_rush.encoding.actions import action_names, describe_table
    from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
    from heartrush_env.games.heart_rush.engine.offers import CHOICES
    from heartrush_env.games.heart_rush.rules.choices import Target

    duel = SHAPES["duel"]
    of_turns = action_names(duel, turns=True)[len(action_names(duel)) :]
    for_allies = [f"`{choice.name}`" for choice in CHOICES if choice.target == Target.ALLY]
    lines = [
        HEAD,
        "# Actions",
        "",
        "The action space is one flat `Discrete`. A number in a name is a place in the agent's own view: an ally's in "
        f"{join_or(for_allies, 'and')}, an enemy's in all others. Places do not change during a fight. "
        "The mask marks the legal actions.",
        "`attack 1 dazed+weakened` attacks and names the levels of the cunning effect (R-21).",
        "Actions that end in `rush` cost a rush point.",
        "On a map `dash 4,-7` ends 4 squares to the east and 7 to the north, at most 12 each way.",
        "`door n` opens the door to the north if it is closed at the moment of choosing, and closes it if it is open; "
        "later changes of the door do not change the choice (R-4).",
        "In a follow window before a push `grapple 1` squeezes the captive and `pass` pushes it (R-80).",
        "The classic edition has more actions at the end of each table: "
        f"{join_or([f'`{name}`' for name in of_turns], 'and')}, and so on for each enemy's place.",
    ]
    for shape in SHAPES.values():
        table = describe_table(shape)
        lines += ["", f"## Shape `{shape.name}`: {len(table)} actions", ""]
        lines += [f"Places for enemies: {shape.enemies}; for allies: {shape.allies}.", ""]
        lines += _table(("number", "action"), _rows_of_actions([row["name"] for row in table]))
    return _page(lines)


def _rows_of_actions(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return a row for each action with its number; all dashes share one row."""
    rows, dashes = [], [number for number, name in enumerate(names) if name.startswith("dash ")]
    for number, name in enumerate(names):
        if number in dashes[:1]:
            rows.append((f"{number} to {dashes[-1]}", f"`{name}` to `{names[dashes[-1]]}`, row by row from the north"))
        elif number not in dashes:
            rows.append((str(number), f"`{name}`"))
    return rows


def features_page() -> str:
    """Return the page with the feature tables of an observation."""
    from heartrush_env.games.heart_rush.encoding.features import features
    from heartrush_env.games.heart_rush.encoding.fighter import CHANGING, LASTING
    from heartrush_env.games.heart_rush.encoding.ground import GROUND, VIEW, squares_around
    from heartrush_env.games.heart_rush.encoding.moment import MOMENT
    from heartrush_env.games.heart_rush.encoding.place import OTHER, OWN
    from heartrush_env.games.heart_rush.encoding.relation import RELATIONS
    from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
    from heartrush_env.games.heart_rush.encoding.things import OBJECT
    from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS, TURNS
    from heartrush_env.games.heart_rush.rules.terms import MOST_OBJECTS

    lines = [
        HEAD,
        "# Features",
        "",
        "An observation is a vector: the moment, the agent's own block (`self ...`), a block for each enemy's place "
        "(`enemy 1 ...`), and a block for each ally's (`ally 1 ...`). A place without a fighter holds zeros. On a map "
        "these are followed by the ground, by further blocks of the same kinds with features that only maps have, the "
        "squares around the viewer, and the objects of the scenario. The classic edition adds the features of turns at "
        "the end.",
        "",
    ]
    sizes = [
        (f"`{shape.name}`", *(f"{len(table)}" for table in tables))
        for shape in SHAPES.values()
        for tables in [[features(shape, turns) for turns in (False, True)]]
    ]
    lines += _table(("shape", "features", "in the classic edition"), sizes)
    for title, block in (
        ("The moment", MOMENT),
        ("A fighter: constant during a fight", LASTING),
        ("A fighter: changing during a fight", CHANGING),
        ("An enemy or ally: bonds with the viewer", RELATIONS),
        ("On a map: the ground", GROUND),
        ("On a map: the viewer", OWN),
        ("On a map: an enemy or ally", OTHER),
        (f"On a map: each object (`object 1` to `object {MOST_OBJECTS}`), after the squares", OBJECT),
    ):
        lines += ["", f"## {title}", "", *_feature_table(block.features)]
    around = [feature for feature in squares_around() if feature.name.startswith("square 0,0 ")]
    around = [replace(feature, name=feature.name.replace("0,0", "X,Y")) for feature in around]
    squares = (
        f"X and Y from -{VIEW} to {VIEW} from the viewer's top-left square, row by row from the north; "
        "one channel after the other."
    )
    lines += [
        "",
        "## On a map: the squares around the viewer",
        "",
        squares,
        "",
        *_feature_table(around),
    ]
    for title, block in (("the moment", TURNS), ("the viewer, an enemy or ally", IN_TURNS)):
        lines += ["", f"## In the classic edition: {title}", "", *_feature_table(block.features)]
    return _page([*lines, *_entities()])


def _entities() -> list[str]:
    """Return the section on the features of entities."""
    from heartrush_env.games.heart_rush.encoding.entities import KIND, layout_of
    from heartrush_env.games.heart_rush.encoding.shapes import SHAPES

    layouts = {shape.name: layout_of(shape, shape.fighters, False).parts for shape in SHAPES.values()}
    parts = layouts["map"]
    sizes = [
        (f"`{name}`", *(" x ".join(map(str, of[name].shape)) if name in of else "" for of in layouts.values()))
        for name in parts
    ]
    kinds = [(f"`{f.name}`", f"{f.low:g} to {f.high:g}", f.meaning) for f in KIND.features]
    return [
        "",
        "## As entities",
        "",
        'With `observations="entities"` ([how a policy reads them](entities.md)) the same features stand in arrays of '
        "a fight, here with as many seats as fighters: `moment` has those of the moment and the ground, `fighters` "
        "those of a fighter and, on a map, of the viewer, `relations` those of bonds and, on a map, of an enemy or "
        "ally from `dx` to `cover_from_it`, `secrets` the words and the picks that only one side knows, and `ground` "
        "the channels of all squares. Relations begin with three features of their own:",
        "",
        *_table(("feature", "range", "meaning"), kinds),
        "",
        *_table(("array", *(f"`{name}`" for name in layouts)), sizes),
    ]


def _feature_table(features: Iterable[Feature]) -> list[str]:
    """Return a table of features."""
    rows = [(f"`{feature.name}`", f"{feature.low:g} to {feature.high:g}", feature.meaning) for feature in features]
    return _table(("feature", "range", "meaning"), rows)


def rules_page() -> str:
    """Return the page of rule headings with the functions that implement them."""
    every = headings()
    rows = []
    for heading in every:
        where = places(heading) if not heading.see else f"see {heading.see}"
        status = {"played": "partly implemented" if heading.why else "played", "later": "later", "out": "no rule"}
        rulings = sorted({r for claim in heading.claims for r in claim.rulings}, key=lambda r: int(r[2:]))
        rows.append((heading.path, status[heading.status], heading.why, where, " ".join(rulings)))
    lines = [
        HEAD,
        "# Rules",
        "",
        "Where each heading of the rules is implemented: files below `heartrush_env/games/heart_rush/`, and the "
        "rulings in `rules/RULINGS.md` that the functions follow. Headings outside Combat and Classic are from other "
        "chapters.",
        "",
        tally(every),
        "",
        *_table(("heading", "status", "missing part, or reason", "functions", "rulings"), rows),
    ]
    return _page(lines)


def settings_page() -> str:
    """Return the page of settings with their values and defaults."""
    rows = []
    for field in fields(Settings):
        allowed = KEYS[field.name].allowed.replace("|", "\\|")
        rows.append((f"`{field.name}`", f"`{toml_value(field.default)}`", allowed))
    lines = [
        HEAD,
        "# Settings",
        "",
        "Readings of the rules that a table may choose: `rules={...}` of an environment, `[rules]` of a scenario, "
        "`--rule key=value` on the command line. The environment and the command line override the scenario, and a "
        "single key overrides the edition or profile that would set it.",
        "",
        *_table(("setting", "default", "allowed"), rows),
    ]
    editions = {name: listed.settings for name, listed in EDITIONS.items()}
    for title, sets in (("Editions", editions), ("Profiles", PROFILES)):
        keys = list(next(iter(sets.values())))
        shown = [(f"`{key}`", *(f"`{toml_value(values[key])}`" for values in sets.values())) for key in keys]
        lines += ["", f"## {title}", "", *_table(("setting", *(f"`{name}`" for name in sets)), shown)]
    return _page(lines)


def protocol_schema() -> str:
    """Return the JSON Schema of the engine protocol's messages."""
    from heartrush_env.protocol.messages import schema_page

    return schema_page()


def levels_page() -> str:
    """Return the page of the agents' measured levels and strengths."""
    known, strengths = {id: load(id) for id in available()}, measured()["strengths"]
    levels = [
        (
            f"`{id}@{name}`",
            f"{level.difficulty.mistakes:g}",
            f"{level.difficulty.temperature:g}",
            *(_interval(level.against.get(other)) for other in ("uniform", id)),
        )
        for id, agent in known.items()
        for name, level in agent.levels.items()
        if name in LEVELS
    ]
    tens = [
        (f"`{id}`", *(_share(agent.levels[name].against.get("habits")) for name in TEN_LEVELS))
        for id, agent in known.items()
        if TEN_LEVELS[0] in agent.levels
    ]
    heads = ("enemy", "mistakes", "temperature", "against `uniform`", "against itself at full strength")
    scores = [
        (f"`{id}`", _interval(score), known[id].description) for id, score in strengths["scores"].items() if id in known
    ]
    panel = ", ".join(f"`{id}`" for id in strengths["panel"])
    how = STRENGTHS.format(scenario=strengths["scenario"], panel=panel, fights=strengths["fights"])
    ten = [TEN_LEVELS_PAGE.format(panel=", ".join(f"`{id}`" for id in HABITS)), *_table(("enemy", *TEN_LEVELS), tens)]
    lines = [
        HEAD,
        LEVELS_PAGE,
        *_table(heads, levels),
        "",
        *ten,
        "",
        how,
        *_table(("agent", "wins", "description"), scores),
    ]
    return _page(lines)


def _card_page(id: str) -> str:
    return f"{HEAD}\n{card_page(id)}"


PAGES: dict[str, Callable[[], str]] = {
    "abilities.md": abilities_page,
    "actions.md": actions_page,
    "bestiary.md": lambda: bestiary_page(HEAD),
    "levels.md": levels_page,
    "features.md": features_page,
    "rules.md": rules_page,
    "scenario.md": lambda: scenario_page(HEAD),
    "settings.md": settings_page,
    "protocol.schema.json": protocol_schema,
    "ratings.md": lambda: ratings_page(HEAD),
    **{f"cards/{id}.md": partial(_card_page, id) for id in measured_ids()},
}


def characters_block() -> str:
    """Return a table of the enemies with characters, by id."""
    rows = [(f"`{id}`", each["name"], each["says"]) for id, each in described().items()]
    dials = {id: each["dials"] for id, each in described().items()}
    heads = ("id", "name", "how it fights", *next(iter(dials.values())))
    return _page(_table(heads, [(*row, *(f"{dial:g}" for dial in dials[row[0].strip("`")].values())) for row in rows]))


def personalities_block() -> str:
    """Return a table of the measured personalities."""
    found = measured().get("personalities")
    if found is None:
        return "Not measured yet in this version.\n"
    rows = [
        (
            f"{id}",
            *(f"{100 * share:.0f}" for share in each["mix"]),
            "{1:.2f} (`{0}`)".format(*min(each["apart"].items(), key=lambda other: other[1])),
            f"{sum(each['apart'].values()) / len(each['apart']):.2f}",
            f"{each['distance']:.1f}",
            f"{100 * each['focus']:.0f}",
            f"{100 * each['retreats']:.1f}",
            f"{100 * each['hides']:.0f}",
            f"{100 * each['wins']:.0f}",
        )
        for id, each in found["characters"].items()
    ]
    heads = (
        "id", "might", "agility", "cunning", "defensive", "nearest other mix", "mean distance to others",
        "squares to the nearest enemy", "damage on one target", "retreats", "hides on the map", "wins",
    )  # fmt: skip
    how = (
        f"Stances in percent, over {found['situations']} situations of `{found['scenario']}`. The columns from the "
        f"squares on are of {found['fights']} fights against the tactician on `{found['map']}`, in percent of rounds, "
        "of damage or of fights."
    )
    return _page([how, "", *_table(heads, rows)])


BLOCKS: dict[str, tuple[str, Callable[[], str]]] = {
    "fight": ("play.md", sample_fight),
    "characters": ("enemies.md", characters_block),
    "personalities": ("enemies.md", personalities_block),
    **{id: ("training.md", partial(scores_of, id)) for id in shipped()},
}


def sample_moments() -> str:
    """Return requests from real fights, for the starter kits and for conformance checks."""
    from heartrush_env.app.conformance import sample_moments

    return sample_moments()


# Generated files in other folders of the repository.
BESIDE: dict[str, Callable[[], str]] = {
    "heartrush_env/protocol/transcripts/moments.jsonl": sample_moments,
}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    return [_row(head), _row(["---"] * len(head)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _page(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"
