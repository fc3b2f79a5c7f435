"""`heartrush play` on maps: the drawing, dashes to a square, choices in words, whole fights by scripted input."""

import io
import itertools
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rich")

from heartrush_agents import load

from heartrush_env import heart_rush_v0
from heartrush_env.app.heart_rush.playing.ground import Ground, placed
from heartrush_env.app.heart_rush.playing.stage import Stage, _state
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.words.menu import deeds
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.offers import wording_on_map
from heartrush_env.records import check, read_record
from heartrush_env.tabletop.menus import Unclear, understand
from tests.app.cli.scripted import STANCE, Answer, Terminal, lines, played, written

MAPS = ("ambush", "bridge", "dragon", "skirmish", "tower", "warband")
TABLE = ("--enemy", "tactician", "--seed", "3")
ROOM = """
name = "room"
victory = "last_standing"
[battlefield]
map = [
    "......",
    ".#.+..",
    "......",
    "......",
]
[[fighter]]
from = "knight"
team = "blue"
at = [2, 1]
rush = 3
[[fighter]]
from = "archer"
team = "red"
at = [5, 3]
spare_weapon = "rapier"
spare_shield = "light_shield"
"""


def follower() -> tuple[Answer, io.StringIO]:
    """Return a player who asks for each hint and types what it says, and the output from which it reads the hints."""
    shown, words = io.StringIO(), itertools.cycle(["h", ""])

    def answer(prompt: str) -> str:
        if next(words):
            return "h"
        said = re.search(
            r"^(?:mix: )?(?:take (?=might|agi|cun|def))?(.*?)(?: \d+ %)?(?:, which |[.;])",
            " ".join(shown.getvalue().rpartition("tactician would")[2].split()),
        )
        assert said is not None, shown.getvalue()
        return said[1]

    return answer, shown


def in_stance(typed: str) -> Answer:
    """Return a player who presses Enter until a stance is asked for, types `typed` there, and then leaves."""
    left = lines(typed)
    return lambda prompt: left(prompt) if prompt.startswith(STANCE) else ""


def room(folder: Path, old: str = "", new: str = "") -> str:
    """Write the scenario of the room, with one part of it replaced, and return its path."""
    return written(folder / "room.toml", ROOM.replace(old, new))


# -- the drawing -----------------------------------------------------------------------------------------------------


def test_the_map_is_drawn_with_its_numbers_and_what_a_dash_reaches(tmp_path: Path) -> None:
    """In this small room a dash reaches every square except the wall, the door and those of other fighters."""
    _, shown, person = played(lines(), room(tmp_path), "--seat", "knight_0", *TABLE)
    drawn = [line.rstrip() for line in person.asked[0].splitlines()]
    at = drawn.index("     0 1 2 3 4 5")
    assert drawn[at + 1 : at + 6] == [
        "   0 .*.*.*.*.*.*",
        "   1 .*# @ + .*.*",
        "   2 .*.*.*.*.*.*",
        "   3 .*.*.*.*.*B",
        "     @ you, letters the others; * behind a square: your dash reaches it",
    ]
    assert "@ Knight (you)" in shown and "at 2,1" in shown and "B Archer" in shown and "at 5,3" in shown


@pytest.mark.parametrize("scenario", MAPS)
def test_everything_fits_into_80_columns_without_colors(scenario: str) -> None:
    first = load_scenario(scenario).fighters[0].agent
    _, shown, person = played(lines("?", "h", ""), scenario, "--seat", first, *TABLE)
    assert max(map(len, shown.splitlines()[:-1])) <= 80  # but for the command to copy
    assert "\x1b" not in shown
    assert " @" in person.asked[0] and "dash COLUMN,ROW  to any square marked *" in " ".join(person.asked[0].split(" "))


def test_a_terminal_gets_colors_and_the_same_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("TERM", "xterm"), ("COLUMNS", "80"), ("NO_COLOR", "")):
        monkeypatch.setenv(name, value)
    scenario, drawn = load_scenario("skirmish"), []
    for stream in (Terminal(), io.StringIO()):
        stage = Stage(scenario, Narrator(scenario), "knight_0", stream, Ground(scenario, "knight_0"))
        stage.map([(3, 4)])
        drawn.append(stream.getvalue())
    assert "\x1b[1;7;36m@" in drawn[0] and "\x1b[1;31mC" in drawn[0]
    assert re.sub(r"\x1b\[[0-9;]*m", "", drawn[0]) == drawn[1]


def test_the_fallen_lie_below_those_who_stand_there() -> None:
    scenario = load_scenario("skirmish")
    ground = Ground(scenario, "knight_0")
    ground.at["knight_1"] = ground.at["archer_0"] = (7, 7)
    status = dict.fromkeys(ground.at, "standing")
    assert ground.signs({**status, "knight_1": "dead"})[7, 7] == ("archer_0", "B")
    assert ground.signs({**status, "knight_1": "dead", "archer_0": "unconscious"})[7, 7][1] == "x"
    assert ground.signs(status)[2, 4] == ("knight_0", "@")


def test_a_large_body_fills_its_squares() -> None:
    scenario = load_scenario("dragon")
    ground = Ground(scenario, "knight_0")
    signs = ground.signs(dict.fromkeys(ground.at, "standing"))
    assert {square for square, (_, sign) in signs.items() if sign == "E"} == {
        (column, row) for column in (10, 11, 12) for row in (8, 9, 10)
    }
    _, shown, _ = played(lines(), "dragon", "--seat", "dragon_0", *TABLE)
    assert "your dash reaches it with your top left square" in " ".join(shown.split())


@pytest.mark.parametrize(
    ("scenario", "agent", "happens"),
    [
        ("tower", "tactician", {"move", "push"}),
        ("dragon", "tactician", {"move", "push"}),
        ("skirmish", "tactician", {"move", "push"}),
        ("warband", "random", {"move", "door"}),
    ],
)
def test_what_is_told_says_where_everybody_is(scenario: str, agent: str, happens: set[str]) -> None:
    """The map drawn from the events agrees with the board after every choice."""
    env = heart_rush_v0.parallel_env(scenario)
    observations, _ = env.reset(seed=5)
    ground, chance, seen = Ground(env.game.scenario, env.possible_agents[0]), np.random.default_rng(5), set()
    players = {seat: load(agent).seat(env.game) for seat in env.agents}
    for window in range(400):
        for event in env.events:
            ground.apply(event)
            seen.add(event["type"])
        view = env._batch.describe(0)
        assert {agent: tuple(facts["at"]) for agent, facts in view["fighters"].items()} == ground.at
        assert {agent: facts["side"] for agent, facts in view["fighters"].items()} == ground.side
        assert ["".join(row) for row in ground.rows] == view["battlefield"]["map"]
        if not env.agents or (window > 30 and happens <= seen):
            break
        for player in players.values():
            player.observe(env.events)
        observations, *_ = env.step({seat: players[seat].act(observations[seat], chance) for seat in env.agents})
    assert happens <= seen


# -- dashes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["dash 3,4", "dash 3 4", "DASH to (3, 4)", "3,4", "dash +1,+3", "dash +1,3"])
def test_a_dash_is_typed_by_its_square_or_by_its_name_with_a_sign(typed: str, tmp_path: Path) -> None:
    longer = room(tmp_path, '"......",\n]', '"......",\n    "......",\n]')
    _, _, person = played(lines(typed), longer, "--seat", "knight_0", *TABLE)
    assert "Knight runs to (3, 4)." in person.asked[1]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("dash 5,3", "You cannot dash to column 5, row 3: Archer is there."),
        ("dash 1,1", "You cannot dash to column 1, row 1: a wall is there."),
        ("dash 3,1", "You cannot dash to column 3, row 1: a closed door is there."),
        ("dash 2,1", "You cannot dash to column 2, row 1: you are there."),
        ("dash 6,0", "You cannot dash to column 6, row 0: columns go from 0 to 5 and rows from 0 to 3."),
        ("dash -3,0", "You cannot dash to column -1, row 1: columns go from 0 to 5 and rows from 0 to 3."),
        ("dash", "Type dash and a square of the map, its column and its row, as in dash 7,4."),
        ("dash north", "Type dash and a square of the map, its column and its row, as in dash 7,4."),
        ("dash 99999,1", "Type dash and a square of the map, its column and its row, as in dash 7,4."),
    ],
)
def test_a_dash_that_cannot_be_is_refused_in_a_sentence(typed: str, said: str, tmp_path: Path) -> None:
    _, _, person = played(lines(typed), room(tmp_path), "--seat", "knight_0", *TABLE)
    assert " ".join(person.asked[1].split()).endswith(said)


def test_out_of_reach_is_said_and_so_is_that_there_is_no_dash() -> None:
    _, _, person = played(lines("dash 13,10", "", "dash 3,4", "m"), "skirmish", "--seat", "knight_0", *TABLE)
    said = "You cannot dash to column 13, row 10: this dash reaches only the squares marked *."
    assert said in " ".join(person.asked[1].split())
    ground = Ground(load_scenario("skirmish"), "knight_0")
    with pytest.raises(Unclear, match="column 3, row 4: you have no dash now"):
        ground.read_dash("dash 3,4", {}, {}, ground.here)
    assert [ground.read_dash(typed, {}, {}, ground.here) for typed in ("1", "d", "disarm 1")] == [None] * 3


def test_a_far_dash_is_typed_in_two_parts(tmp_path: Path) -> None:
    """The knight begins at 0,1; the signs of the second part count from 12,1, where it has got to."""
    hall = written(
        tmp_path / "hall.toml",
        'name = "hall"\n[battlefield]\nmap = ["' + '", "'.join(["." * 32] * 3) + '"]\n'
        '[[fighter]]\nfrom = "knight"\nteam = "blue"\nat = [0, 1]\nspeed = 80\n'
        '[[fighter]]\nfrom = "archer"\nteam = "red"\nat = [31, 0]\n',
    )
    for typed in ("dash 16,0", "dash +4,-1"):
        _, shown, person = played(lines("dash 16,0", "dash 12,1", typed), hall, "--seat", "knight_0", *TABLE)
        said = " ".join(person.asked[1].split())
        assert "it is more than 12 squares away; dash to a square 12 away, and you are asked if you can go on" in said
        assert "Your dash has got to 12,1, with 4 squares left: where next?" in " ".join(person.asked[2].split())
        assert "end your dash at 12,1" in person.asked[2]
        assert "Knight runs to (16, 0)" in " ".join(shown.split())


def test_a_stance_is_not_read_as_a_dash() -> None:
    _, _, person = played(in_stance("dash 3,4"), "skirmish", "--seat", "archer_0", *TABLE)
    said = [shown for shown in person.asked if "Type dash" in shown or "You cannot dash" in shown]
    assert said == [] and any("That cannot be chosen here" in shown for shown in person.asked)


def test_who_pays_for_a_dash_is_said() -> None:
    _, _, person = played(lines("dash 3,4"), "skirmish", "--seat", "knight_0", *TABLE)
    first, second = (" ".join(shown.split()) for shown in person.asked[:2])
    assert "with your free dash" in first and "with your free dash" not in second
    assert re.search(r"as in dash \d+,\d+; with your action", second)
    assert "   4 .*.*.*@" in person.asked[1] and "@ Knight 1 (you)" in first


# -- choices in words ------------------------------------------------------------------------------------------------


def test_the_menu_names_directions_squares_and_payments(tmp_path: Path) -> None:
    _, _, person = played(lines(), room(tmp_path), "--seat", "knight_0", *TABLE)
    said = " ".join(person.asked[0].split())
    places = "n 2,0; ne 3,0; se 3,2; s 2,2; sw 1,2; nw 1,0"
    assert f"step DIRECTION {places}; with your action" in said
    assert f"step DIRECTION rush {places}; for a rush point of your 3" in said
    assert all(line in said for line in ("1 open the door at 3,1", "2 walk dash along a way", "3 do nothing"))
    _, _, person = played(lines(), room(tmp_path), "--seat", "archer_0", *TABLE)
    assert "swap to rapier and shield" in " ".join(person.asked[0].split())


def test_a_step_is_typed_by_its_direction(tmp_path: Path) -> None:
    """The first step costs the action, the second a rush point; the knight starts at 2,1."""
    _, shown, person = played(lines("step sw", "step e rush"), room(tmp_path), "--seat", "knight_0", *TABLE)
    assert "Knight steps to (1, 2)." in shown and "Knight steps to (2, 2)." in shown
    said = " ".join(person.asked[1].split())
    assert "step DIRECTION rush" in said and "step DIRECTION n" not in said, "the action is spent"


def test_who_is_open_before_the_stances_may_be_left_alone(tmp_path: Path) -> None:
    """A surprised enemy within reach is open to a strike, and Enter declines it."""
    ours = room(tmp_path, "at = [5, 3]", "at = [2, 2]\nsurprised = true")
    _, _, person = played(lines(""), ours, "--seat", "knight_0", *TABLE)
    said = " ".join(person.asked[0].split())
    assert "strike at Archer, who is open, in a stance of your choice, with your action or for a rush point" in said
    assert "Before the stances" in said and "Type a number" not in person.asked[1]


def test_a_door_that_is_open_may_be_closed(tmp_path: Path) -> None:
    _, shown, person = played(lines("open", ""), room(tmp_path), "--seat", "knight_0", *TABLE)
    assert "The door at (3, 1) is open." in shown
    assert "   1 .*# @ /*" in person.asked[1] and "close the door at 3,1" in person.asked[1]


def test_a_holder_is_asked_whether_it_squeezes_or_pushes(tmp_path: Path) -> None:
    """The archer, which always takes the cunning stance, is held by the knight beside it."""
    held = 'at = [3, 2]\nhp = 300\n[fighter.conditions]\ngrappled = { source = "knight_0" }\n'
    begins = ROOM[: ROOM.index("at = [5, 3]")].replace("at = [2, 1]", "at = [2, 2]")
    ours = written(tmp_path / "room.toml", begins + held)
    typed = ["", "might", "attack", "squeeze"]
    _, shown, person = played(lines(*typed), ours, "--seat", "knight_0", "--enemy", "cunning", "--seed", "3")
    said = " ".join(person.asked[3].split())
    assert "Your blow would push the creature that you hold: do you squeeze it instead?" in said
    assert "1 push it away" in said and "2 squeeze it in your grip" in said
    assert "from the squeeze" in shown


def test_every_action_of_a_map_has_words_of_its_own() -> None:
    env = heart_rush_v0.parallel_env("skirmish")
    places = range(1, 16)
    legal = dict(enumerate(env.get_action_meanings()))
    word = wording_on_map((12, 12), ["+" * 25] * 25, "with your action", "for a rush point", grips=False)
    found = deeds(legal, [f"E{k}" for k in places], [f"A{k}" for k in places], word, spare="rapier")
    words = {choice.value: choice.words for deed in found for choice in deed.actions}
    assert sorted(words) == sorted(legal) and len(set(words.values())) == len(legal)
    assert not any("_" in line or "{" in line for line in words.values())
    assert words[env.get_action_meanings().index("opportunity 3 might rush")].endswith("might, for a rush point")
    assert words[env.get_action_meanings().index("opportunity 3 might")].endswith("might, with your action")
    choices = [choice for deed in found for choice in deed.actions]
    for typed, name in (("step ne", "sidestep ne"), ("step ne rush", "sidestep ne rush")):
        assert legal[understand(typed, choices)] == name
    for typed in ("sidestep ne", "sidestep ne rush", "rise rush", "swap", "opportunity 3 might rush", "follow"):
        assert legal[understand(typed, choices)] == typed


@pytest.mark.parametrize(
    ("scenario", "seat"), [pytest.param("skirmish", "knight_0", marks=pytest.mark.long), ("tower", "duelist_1")]
)
def test_hints_name_squares_and_may_be_typed_as_they_are(scenario: str, seat: str, tmp_path: Path) -> None:
    """A whole fight is played by typing each hint as it is shown."""
    path = tmp_path / "fight.hrr"
    answer, hints = follower()
    code, shown, person = played(answer, scenario, "--seat", seat, *TABLE, "--record", str(path), shown=hints)
    assert code == 0 and re.search(r"^(You win|You lose|A draw) ─", shown, re.MULTILINE)
    assert "cannot be chosen here" not in shown and "You cannot dash" not in shown
    assert re.search(r"tactician would dash to \d+,\d+\.", shown)
    assert max(map(len, shown.splitlines()[:-3])) <= 80
    assert re.search(r" attacks [A-Z][a-z]+ \d at \(\d+, \d+\)", " ".join(shown.split()))
    asks = [asked for asked in person.asked if "tactician would" not in asked]
    assert "@ you, letters the others" in asks[0], "a map before the first choice, and when something has moved"
    record = read_record(path)
    check(record)


def test_real_dice_on_a_map(tmp_path: Path) -> None:
    """Dice are asked for after the dash was narrated, and each map shows the events narrated so far."""
    answers = lines("dash 4,2", "", "12", "", "", "m", "", "")
    _, shown, person = played(answers, room(tmp_path), "--seat", "knight_0", *TABLE, "--dice")
    assert "Dice" in shown and "Knight runs to (4, 2)." in shown
    drawn = next(asked for asked in person.asked if "Knight runs to (4, 2)." in asked)
    assert re.search(r"^   2 [.*]{8}@ ", drawn[drawn.index("runs to (4, 2)") :], re.MULTILINE)


@pytest.mark.long  # a whole fight by hints is played above
def test_a_whole_fight_as_the_dragon() -> None:
    answer, hints = follower()
    code, shown, _ = played(answer, "dragon", "--seat", "dragon_0", *TABLE, shown=hints)
    assert code == 0 and re.search(r"^(You win|You lose|A draw) ─", shown, re.MULTILINE)
    assert "cannot be chosen here" not in shown
    rounds = [int(number) for number in re.findall(r"^Round (\d+) ─", shown, re.MULTILINE)]
    assert rounds == list(range(1, len(rounds) + 1))


def test_blows_and_reveals_are_told_with_squares() -> None:
    _, shown, _ = played(in_stance("m"), "skirmish", "--seat", "knight_0", *TABLE)
    assert "You may attack Archer 2 at (14, 4);" in " ".join(shown.split())
    assert placed(["  Might phase", "    A 1 attacks A 11", "      A 11 defends"], "A 11", (3, 4)) == [
        "  Might phase",
        "    A 1 attacks A 11 at (3, 4)",
        "      A 11 defends",
    ]


def test_the_map_is_not_drawn_again_before_something_has_moved(tmp_path: Path) -> None:
    """Nothing moves before the first stance, so no new map is drawn; a step to 1,2 draws one before the stance."""
    table = ("--seat", "knight_0", "--enemy", "defensive", "--seed", "3")
    drawn = "@ you, letters the others"
    _, _, still = played(lines("", "might"), room(tmp_path), *table)
    assert "Your stance, in secret" in still.asked[1]
    assert [drawn in shown for shown in still.asked[:2]] == [True, False]
    _, _, stepped = played(lines("step sw", "", "might"), room(tmp_path), *table)
    stance = next(shown for shown in stepped.asked if "Your stance, in secret" in shown)
    assert drawn in "".join(stepped.asked[1 : stepped.asked.index(stance) + 1])


def test_help_explains_the_map() -> None:
    _, _, person = played(lines("?"), "skirmish", "--seat", "knight_0", *TABLE)
    said = " ".join(person.asked[1].split())
    assert "dash 7,4 goes to column 7, row 4" in said and ". floor; , rough; l light cover; h heavy cover" in said


def test_an_archer_is_reminded_that_long_ways_cost_the_shot() -> None:
    _, _, archer = played(lines("?"), "skirmish", "--seat", "archer_0", *TABLE)
    _, _, knight = played(lines("?"), "skirmish", "--seat", "knight_0", *TABLE)
    reminder = "past half your speed in a round you may not shoot, only defend"
    assert reminder in " ".join(archer.asked[0].split()) and reminder not in " ".join(knight.asked[0].split())


def test_the_board_says_when_a_fighter_below_0_dies() -> None:
    """A hero with 40 hit points dies at -40, or two points earlier with two wounds under "reduced_maximum"."""
    known: Any = SimpleNamespace(hp=-3, sheet=SimpleNamespace(hp=40), wounds=2, conditions={"prone": 1}, armed=True)
    for death_at, least in (("maximum", -40), ("reduced_maximum", -38)):
        settings: Any = SimpleNamespace(death_at=death_at)
        assert _state(known, settings) == f"fights on, dies at {least} hp, prone, wounds 2"
    known.hp = 1
    assert _state(known, settings) == "prone, wounds 2"


def test_help_explains_the_conditions_that_can_be_given_now() -> None:
    """An attack from cunning offers a dirty strike, so help explains its conditions before any fighter has one."""
    _, _, person = played(lines("stance cunning", "?"), "duel", "--seat", "knight_0", "--enemy", "agility")
    said = " ".join(" ".join(person.asked).split())
    assert "off-balanced" in said.lower()
