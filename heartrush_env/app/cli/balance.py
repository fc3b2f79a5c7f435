"""`heartrush encounter balance`: finds monsters for an encounter of the difficulty that a game master wants."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from heartrush_env.app.cli.arguments import (
    add_game_of_scenario,
    add_simulation,
    agent_ids,
    at_least,
    game_of,
    scenarios,
    seed_of,
)
from heartrush_env.app.cli.simulate import add_sides, seated_by
from heartrush_env.app.cli.terminal import Count
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.files import as_toml
from heartrush_env.tabletop.writing import replaced

if TYPE_CHECKING:
    from heartrush_env.app.encounters.balance import Found

USUAL_FIGHTS, USUAL_ON_MAPS = 400, 100  # default number of fights per finalist
ABOUT = (
    "Searches for monsters, their number and their hit points, that meet a wish: how often the party wins, and what "
    "that costs it, whoever plays it: a beginner, a practised player or a reader of habits, unless --heroes names an "
    "agent. Candidates race: bad ones fight a few fights, good ones many. The answer says how sure it is, and shows "
    "the runners-up. On a map, monsters stand where those of the scenario do."
)
EXAMPLES = """examples:
  heartrush encounter balance examples/wolf_pack.toml --wish "win 65%" --from wolf,giant_rat
  heartrush encounter balance examples/ogre_and_orcs.toml --wish "win 60-75%" --spent 50% --from ogre,orc_warrior
  heartrush encounter balance party.toml --party blue --wish "win 80%" --no-death 90% --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("scenario", metavar="PARTY", help=f"the scenario with the party: {scenarios()}")
    add_game_of_scenario(parser)
    says = "the share of fights that the party wins, or 'win 60-70%%'"
    parser.add_argument("--wish", required=True, metavar="'win 65%'", help=says)
    parser.add_argument("--spent", metavar="50%", help="the least share of its hit points that it spends on average")
    says = "the minimum percentage of fights in which no party member dies"
    parser.add_argument("--no-death", metavar="90%", help=says)
    says = "monsters to choose from (default: all)"
    parser.add_argument("--from", dest="monsters_from", type=agent_ids, metavar="A,B,...", help=says)
    says = f"fights of each finalist, all players together (default: {USUAL_FIGHTS}, on a map {USUAL_ON_MAPS})"
    parser.add_argument("-n", "--fights", type=at_least(100), metavar="N", help=says)
    parser.add_argument("--out", metavar="FILE.toml", help="write the best encounter as a scenario")
    add_sides(parser)
    add_simulation(parser)


def run(arguments: argparse.Namespace) -> int:
    """Race the candidates against each other, and print the finalists."""
    from heartrush_env.app.encounters.balance import balance, party_of, starts_of
    from heartrush_env.app.encounters.desk import desk_of
    from heartrush_env.app.encounters.text_report import balance_text
    from heartrush_env.app.encounters.wishes import read_wish

    wish = read_wish(arguments.wish, arguments.spent, arguments.no_death)
    arguments.game = game_of(arguments, arguments.scenario)
    desk = desk_of(arguments.game)
    if arguments.no_death is not None and not desk.deaths:
        raise HeartRushError(f"--no-death: expected a game that tells who died, got {arguments.game}.")
    table, out = desk.table(arguments.scenario), _place(arguments.out)
    ids = list(dict.fromkeys(desk.monster(id) for id in arguments.monsters_from or desk.monsters()))
    seat, count = seated_by(arguments), Count("fights")
    party, starts = party_of(table, arguments.party, arguments.game), starts_of(table, arguments.party)
    arguments.party = None  # from here on, the party's teams are the heroes
    with count.or_too_soon("balance", "an answer"):
        found = balance(
            party,
            ids,
            wish,
            seat,
            game=arguments.game,
            starts=starts,
            fights=arguments.fights or (USUAL_ON_MAPS if "battlefield" in party else USUAL_FIGHTS),
            seed=seed_of(arguments),
            processes=arguments.processes,
            progress=count,
        )
    if out is not None:
        _write(out, found)
    print(json.dumps(found.as_dict()) if arguments.json else balance_text(found))
    return 0


def _place(given: str | None) -> Path | None:
    """Return the path of the scenario file to write, or None if none is given."""
    if given is None:
        return None
    place = Path(given)
    if place.suffix != ".toml" or not place.absolute().parent.is_dir():
        raise HeartRushError(f"--out: expected the path of a .toml file in an existing folder, got {given!r}.")
    return place


def _write(place: Path, found: Found) -> None:
    """Write the best encounter as a scenario."""
    best = found.runners[0]
    low, high = best.range
    wins = f"{100 * low:.1f} %" if len(best.scores) == 1 else f"{100 * low:.0f} to {100 * high:.0f} %, by who played it"
    spent = [100 * score.mean_spent for score in best.scores.values()]
    cost = f"{spent[0]:.0f} %" if len(spent) == 1 else f"{min(spent):.0f} to {max(spent):.0f} %"
    about = (
        f"# Found by `heartrush encounter balance`: {found.wish.words}.\n"
        f"# In {best.fights} fights the party won {wins}.\n# It spent {cost} of its hit points.\n\n"
    )
    with replaced(place) as part:
        part.write_text(about + as_toml({**best.table, "name": place.stem}), encoding="utf-8")
