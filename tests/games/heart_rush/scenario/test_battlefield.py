"""Battlefields: the map of a scenario, its terrain, and the fighters' places and gear as the fight begins."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield, distance
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario, Spare
from heartrush_env.tabletop.errors import ScenarioError

ON_MAPS = [name for name in shipped_scenarios() if load_scenario(name).battlefield is not None]
FAIR = {"skirmish", "bridge", "tower", "warband"}  # the others are stories with unlike sides
MAP = (
    "........",
    "..#.o...",
    "....~w..",
    ".v..+/..",
    "..,lhs^.",
)


def on_map(
    knight: dict[str, Any] | None = None,
    rogue: dict[str, Any] | None = None,
    *more: dict[str, Any],
    rows: Any = MAP,
    **battlefield: Any,
) -> dict[str, Any]:
    """Return a knight in the north-west against a rogue in the north-east, with the given fields on top."""
    fighters = [
        {"from": "knight", "team": "blue", "at": [0, 0], **(knight or {})},
        {"from": "rogue", "team": "red", "at": [7, 0], **(rogue or {})},
        *more,
    ]
    fighters = [{key: value for key, value in fighter.items() if value is not None} for fighter in fighters]
    return {"fighter": fighters, "battlefield": {"map": list(rows), **battlefield}}


def refusal(scenario: dict[str, Any]) -> str:
    """Return the one sentence with which a scenario is refused."""
    with pytest.raises(ScenarioError) as caught:
        load_scenario(scenario)
    message = str(caught.value)
    assert message.startswith("scenario dict") and message.endswith(".") and "\n" not in message and ". " not in message
    return message


def sheet(scenario: dict[str, Any], place: int = 0) -> FighterSheet:
    return load_scenario(scenario).fighters[place]


# ------------------------------------------------------------------------------------------------------- terrain


def test_the_glyphs_of_terrain_are_those_of_the_table() -> None:
    kinds = catalog.terrain().values()
    assert "".join(catalog.terrain()) == ".#o,lhs^v~w+/:"
    assert [kind.code for kind in kinds] == list(range(14))
    assert {kind.id for kind in kinds if kind.blocks_way} == {"wall", "pillar", "closed_door"}
    assert {kind.id for kind in kinds if kind.blocks_line} == {"wall", "pillar", "closed_door"}
    covers = {"light_cover": 1, "heavy_cover": 2, "superior_cover": 3, "rubble": 1}
    assert {kind.id: kind.cover for kind in kinds if kind.cover} == covers
    assert {kind.id: kind.height for kind in kinds if kind.height} == {"height": 1, "drop": -1}
    assert {kind.id: kind.depth for kind in kinds if kind.depth} == {"shallow_water": 1, "deep_water": 2}
    assert {kind.id for kind in kinds if kind.fall} == {"drop"}
    # Difficult terrain takes half the speed, so do boulders and battlements; water over the head a quarter.
    costs = {"rough": 2, "heavy_cover": 2, "superior_cover": 2, "deep_water": 4, "rubble": 2}
    assert {kind.id: kind.cost for kind in kinds if kind.may_stand and kind.cost != 1} == costs


def test_the_page_on_battlefields_shows_the_terrain_as_it_is() -> None:
    page = (Path(__file__).parents[4] / "docs" / "battlefield.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| `")]
    enters = {"v": "only pushed"}
    assert [row[:4] for row in rows] == [
        [
            f"`{kind.glyph}`",
            {"rough": "rough ground"}.get(kind.id, kind.name),
            enters.get(kind.glyph, "no" if kind.blocks_way else str(kind.cost)),
            "blocked" if kind.blocks_line else "free",
        ]
        for kind in catalog.terrain().values()
    ]


# ------------------------------------------------------------------------------------------------------- what loads


def test_a_battlefield_is_read() -> None:
    field = load_scenario(on_map()).battlefield
    assert (field, field.width, field.height) == (Battlefield(MAP, drop=10, light="bright"), 8, 5)
    assert field.terrain(2, 1).id == "wall" and field.terrain(5, 2).id == "deep_water", "a column, then a row"
    assert load_scenario(on_map(drop=40, light="dark")).battlefield == Battlefield(MAP, 40, "dark")


def test_without_a_battlefield_nobody_stands_anywhere() -> None:
    scenario = load_scenario("duel")
    assert scenario.battlefield is None
    assert [(sheet.at, sheet.rush, sheet.spare) for sheet in scenario.fighters] == [(None, 1, None)] * 2


def test_fighters_stand_where_the_scenario_says() -> None:
    scenario = load_scenario(on_map({"at": [3, 2]}, {"at": (6, 4)}))
    assert [sheet.at for sheet in scenario.fighters] == [(3, 2), (6, 4)]


@pytest.mark.parametrize(
    "at", [[0, 2], [4, 2], [5, 2], [5, 3], [2, 4], [3, 4], [4, 4], [5, 4], [6, 4]], ids=lambda at: MAP[at[1]][at[0]]
)
def test_one_may_stand_on_all_that_can_be_entered(at: list[int]) -> None:
    assert sheet(on_map({"at": at})).at == tuple(at)


def test_a_map_may_be_one_square_high_and_as_large_as_maps_are() -> None:
    assert load_scenario(on_map(rows=["." * 8])).battlefield.height == 1
    assert load_scenario(on_map(rows=["." * MAP_SIDE] * MAP_SIDE)).battlefield.width == 32


def test_a_map_takes_sixteen() -> None:
    crowd = [{"from": "bandit", "team": "red", "at": [x, 0]} for x in range(1, 7)]
    crowd += [{"from": "bandit", "team": "red", "at": [x, 4]} for x in range(8)]
    assert len(load_scenario(on_map(None, None, *crowd)).fighters) == 16
    one_more = {"from": "bandit", "team": "red", "at": [0, 1]}
    assert "expected 2 to 16 fighters, got 17." in refusal(on_map(None, None, *crowd, one_more))


def test_rush_points_of_the_first_round_are_one_unless_given() -> None:
    assert (sheet(on_map()).rush, [sheet(on_map({"rush": rush})).rush for rush in (0, 20)]) == (1, [0, 20])


def test_a_spare_weapon_brings_its_own_speed() -> None:
    found = sheet(on_map({"from": "archer", "spare_weapon": "rapier", "spare_shield": "heavy_shield"}))
    assert found.speed == 60 - 5 - 5  # light armor, heavy bow
    # light armor, shield
    assert found.spare == Spare(catalog.weapon("rapier"), shield=2, shield_hands=1, speed=60 - 5 - 5)
    assert sheet(on_map({"spare_weapon": "longsword"})).spare.speed == 60 - 15 - 5  # heavy armor, heavy sword
    assert sheet(on_map({"spare_weapon": {"size": "light", "attack_type": "thrown"}})).spare.weapon.die == 8


def test_a_speed_that_is_given_holds_for_both_weapons_unless_the_spare_has_its_own() -> None:
    assert sheet(on_map({"speed": 35, "spare_weapon": "longsword"})).spare.speed == 35
    found = sheet(on_map({"speed": 35, "spare_weapon": "longsword", "spare_speed": 30}))
    assert (found.speed, found.spare.speed) == (35, 30)


def test_no_speed_on_a_map_is_above_the_top_speed() -> None:
    wolf = {"from": "wolf", "weapon": None}  # 80 feet
    assert sheet(on_map(wolf)).speed == 80
    assert sheet(on_map({**wolf, "speed": 150})).speed == 120
    assert sheet({**on_map(wolf), "rules": {"top_speed": 12}}).speed == 60
    off_maps = load_scenario({"fighter": [{"from": "wolf", "team": "red"}, {"from": "rogue", "team": "blue"}]})
    assert off_maps.fighters[0].speed == 80


def test_tiny_ones_share_squares() -> None:
    rat = {"from": "giant_rat", "size": "tiny", "at": [7, 0]}
    assert (sheet(on_map(rat)).at, sheet(on_map(rat, {"from": "giant_rat", "size": "tiny"})).at) == ((7, 0), (7, 0))


def test_large_spaces_fit_side_by_side() -> None:
    giant = {"from": "ogre", "size": "L3", "at": [4, 0]}
    assert sheet(on_map(giant, rows=["........"] * 3)).at == (4, 0)
    assert sheet(on_map({**giant, "size": "L4", "at": [0, 0]}, rows=["........"] * 4)).at == (0, 0)
    assert sheet(on_map({**giant, "size": "large", "at": [0, 0]})).at == (0, 0), "one square"


# ----------------------------------------------------------------------------------------------- climbers and holds

OPEN = ["........"] * 5
GIANT = {"from": "ogre", "size": "L3", "at": [2, 1]}


def climber(at: list[int] | None) -> dict[str, Any]:
    return {"at": at, "conditions": {"creature_climber": {"source": "ogre_0"}}}


def test_a_climber_starts_on_its_bearer() -> None:
    assert sheet(on_map(climber(None), GIANT, rows=OPEN)).at == (2, 1), "where the space of its bearer begins"
    assert sheet(on_map(climber([4, 3]), GIANT, rows=OPEN)).at == (4, 3)
    for at in ([1, 1], [5, 3], [2, 0]):
        message = refusal(on_map(climber(at), GIANT, rows=OPEN))
        assert "climbs on 'ogre_0' in columns 2 to 4 and rows 1 to 3 (counted from 0)" in message


def test_the_whole_space_of_a_climber_lies_on_its_bearer() -> None:
    large = {"from": "ogre", "size": "L4", "at": [4, 1]}
    for at in ([4, 1], [6, 3], [5, 3]):
        assert sheet(on_map({**climber(at), "size": "L2"}, large, rows=OPEN)).at == tuple(at)
    for at in ([7, 1], [4, 4], [3, 1]):  # the first two would be off the map
        message = refusal(on_map({**climber(at), "size": "L2"}, large, rows=OPEN))
        assert "in columns 4 to 7 and rows 1 to 4 (counted from 0)" in message
        assert "column 4 to 6 and row 1 to 3, where its space of 2 by 2 squares begins" in message


def test_climbers_may_share_a_square() -> None:
    other = {"from": "duelist", "team": "blue", **climber(None)}
    scenario = load_scenario(on_map(climber(None), GIANT, {k: v for k, v in other.items() if v is not None}, rows=OPEN))
    assert [sheet.at for sheet in scenario.fighters] == [(2, 1)] * 3


def test_who_is_grappled_stands_next_to_who_holds_it() -> None:
    held = {"conditions": {"grappled": {"source": "rogue_0"}}}
    assert sheet(on_map({**held, "at": [6, 1]})).at == (6, 1)
    message = refusal(on_map(held))
    far = "got 'rogue_0' in row 0, column 7, too far from row 0, column 0 (counted from 0)"
    assert f"grappled: source: expected an adjacent enemy, {far}" in message
    by_giant = {"conditions": {"grappled": {"source": "ogre_0"}}}
    nearest = on_map({**by_giant, "at": [5, 4]}, GIANT, rows=OPEN)
    assert sheet(nearest).at == (5, 4), "the giant's nearest square is 4, 3"


@pytest.mark.parametrize(
    ("a", "a_side", "b", "b_side", "squares"),
    [
        ((0, 0), 1, (0, 0), 1, 0),
        ((0, 0), 1, (1, 1), 1, 1),
        ((0, 0), 1, (3, 1), 1, 3),
        ((5, 4), 1, (2, 1), 3, 1),
        ((2, 1), 3, (5, 4), 1, 1),
        ((0, 0), 2, (1, 1), 4, 0),
        ((0, 0), 2, (6, 3), 2, 5),
    ],
)
def test_distance_is_between_nearest_squares(
    a: tuple[int, int], a_side: int, b: tuple[int, int], b_side: int, squares: int
) -> None:
    assert distance(a, a_side, b, b_side) == squares


# --------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("battlefield", "parts"),
    [
        ({"rows": []}, ["the map has no rows", "1 to 32 rows of 1 to 32 squares"]),
        ({"rows": ["", ""]}, ["row 0 of the map has no squares"]),
        ({"rows": ["....", "...", "...."]},
         ["expected 4 squares in row 1 as in row 0 (counted from 0)", "got 3: it ends before column 3"]),
        ({"rows": ["....", "....."]}, ["expected 4 squares in row 1", "got 5: it continues in column 4"]),
        ({"rows": ["....", ".x.."]}, ["'x' in row 1, column 1 (counted from 0)", "'.' floor", "'/' open door"]),
        ({"rows": ["... "]}, ["' ' in row 0, column 3"]),
        ({"rows": ["." * 33]}, ["1 rows of 33", "the last column 31"]),
        ({"rows": [".."] * 33}, ["33 rows of 2", "the last row is 31"]),
        ({"rows": ["........", ""]}, ["in row 1 as in row 0 (counted from 0)", "got 0: it ends before column 0"]),
        ({"rows": ["...\t...."]}, ["'\\t' in row 0, column 3 (counted from 0)"]),
        ({"rows": ["........", "........\r"]}, ["in row 1", "got 9: it continues in column 8"]),
        ({"rows": ["........\r"] * 2}, ["'\\r' in row 0, column 8 (counted from 0)"]),
        ({"rows": ["...\n...."]}, ["'\\n' in row 0, column 3 (counted from 0)"]),
        ({"rows": ["........", "..\u00b7....."]}, ["'\u00b7' in row 1, column 2 (counted from 0)"]),
        ({"rows": ["........", ".......\u3002"]}, ["'\u3002' in row 1, column 7 (counted from 0)"]),
        ({"rows": ["." * 33] * 33}, ["33 rows of 33", "the last row is 31 and the last column 31, counted from 0"]),
        ({"rows": ["." * 10**6]}, ["1 rows of 1000000", "the last column 31, counted from 0"]),
        ({"rows": [5, "...."]}, ["got 5 in row 0", "a text of glyphs"]),
        ({"rows": MAP, "drop": 4}, ["drop: expected", "got 4", "from 5 to 200 (feet)"]),
        ({"rows": MAP, "drop": 201}, ["drop: expected", "got 201"]),
        ({"rows": MAP, "drop": True}, ["drop: expected", "got true"]),
        ({"rows": MAP, "light": "twilight"}, ["light: expected", "got 'twilight'", "bright, dim or dark"]),
        ({"rows": MAP, "lights": "dim"}, ["unknown field 'lights'", "did you mean 'light'"]),
    ],
)  # fmt: skip
def test_a_wrong_map_is_one_sentence(battlefield: dict[str, Any], parts: list[str]) -> None:
    message = refusal(on_map(**battlefield))
    assert message.startswith("scenario dict, [battlefield]: ")
    for part in parts:
        assert part in message, message


def test_a_map_without_ground_has_room_for_nobody() -> None:
    with pytest.raises(ScenarioError) as caught:
        load_scenario(on_map(rows=["#" * 8] * 3))
    faults = [str(fault) for fault in caught.value.faults]
    for column, fault in zip((0, 7), faults, strict=True):
        found = f"got column {column}, row 0, but row 0, column {column} (counted from 0) is wall"
        assert f"at: expected squares to stand on, {found}" in fault
    assert [fault.partition("fighter ")[2][:1] for fault in faults] == ["1", "2"]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        *(({"map": given}, ": expected") for given in ("....", "....\n....", None, 5)),
        ({"drop": 10}, " is missing; expected"),
    ],
)
def test_a_map_is_a_list_of_texts(given: dict[str, Any], fault: str) -> None:
    assert f"[battlefield]: map{fault} a list of rows" in refusal({**on_map(), "battlefield": given})


@pytest.mark.parametrize(
    ("knight", "parts"),
    [
        ({"at": None}, ["at is missing; expected at = [column, row], counted from 0, on a map"]),
        ({"at": [8, 2]}, ["got column 8, row 2", "on the map of 8 columns and 5 rows", "column 0 to 7 and row 0 to 4"]),
        ({"at": [2, 5]}, ["got column 2, row 5", "on the map"]),
        ({"at": [-1, 0]}, ["got [-1, 0]", "[column, row], whole numbers from 0 to 31"]),
        ({"at": [1]}, ["at: expected", "got [1]", "[column, row]"]),
        ({"at": 5}, ["at: expected", "got 5"]),
        ({"at": [True, 0]}, ["got [True, 0]"]),
        ({"at": [2, 1]}, ["got column 2, row 1, but row 1, column 2 (counted from 0) is wall"]),
        ({"at": [4, 1]}, ["row 1, column 4 (counted from 0) is pillar"]),
        ({"at": [1, 3]}, ["row 3, column 1 (counted from 0) is drop"]),
        ({"at": [4, 3]}, ["row 3, column 4 (counted from 0) is closed door"]),
        ({"at": [31, 31]}, ["got column 31, row 31", "on the map of 8 columns and 5 rows"]),
        ({"at": [0.0, 0.0]}, ["got [0.0, 0.0]", "[column, row]"]),
        ({"at": {"x": 0, "y": 0}}, ["got {'x': 0, 'y': 0}", "[column, row]"]),
        ({"from": "giant_rat", "size": "tiny", "at": [2, 1]}, ["row 1, column 2 (counted from 0) is wall"]),
        ({"from": "ogre", "size": "L2", "at": [3, 3]},
         ["space of 2 by 2 squares begins", "row 3, column 4 (counted from 0) is closed door"]),
        ({"at": [7, 0]},
         ["fighter 2: at: expected free squares, got [7, 0]", "'knight_0' is already in row 0, column 7 (counted"]),
        ({"from": "ogre", "size": "L2", "at": [0, 2]},
         ["space of 2 by 2 squares", "row 3, column 1 (counted from 0) is drop"]),
        ({"from": "ogre", "size": "L2", "at": [7, 3]}, ["space of 2 by 2", "column 0 to 6 and row 0 to 3"]),
        ({"from": "ogre", "size": "L2", "at": [6, 0]},
         ["fighter 2: at: expected free squares, got [7, 0]", "'ogre_0' is already in row 0, column 7"]),
        ({"from": "ogre", "size": "L5"}, ["on a map, got 'L5'", "large, L2, L3 or L4"]),
        ({"rush": 21}, ["rush: expected", "got 21", "from 0 to 20"]),
        ({"rush": -1}, ["rush: expected", "got -1"]),
        ({"spare_weapon": "rapeir"}, ["spare_weapon: expected", "got 'rapeir'", "did you mean 'rapier'"]),
        ({"spare_weapon": {"size": "light"}}, ["spare_weapon: attack_type is missing"]),
        ({"spare_shield": "light_shield"}, ["spare_shield needs spare_weapon, which is missing"]),
        ({"spare_speed": 30}, ["spare_speed needs spare_weapon, which is missing"]),
        ({"spare_weapon": "pike", "spare_shield": "light_shield"},
         ["spare_shield: expected 'none' with spare_weapon 'pike', which needs two hands, got 'light_shield'"]),
        ({"size": "small", "spare_weapon": "pike"}, ["for a fighter of size 'small', got 'pike', which is heavy"]),
    ],
)  # fmt: skip
def test_a_wrong_place_is_one_sentence(knight: dict[str, Any], parts: list[str]) -> None:
    message = refusal(on_map(knight))
    for part in parts:
        assert part in message, message


def test_a_map_may_be_too_small_for_a_body() -> None:
    assert "expected a larger map" in refusal(on_map({"from": "ogre", "size": "L2", "at": [0, 0]}, rows=["." * 8]))


FOUR_BY_TWO = b'[battlefield]\nmap = ["....", "...."]\n'
TWO = b"""
[[fighter]]
from = "knight"
team = "blue"
at = [0, 0]
[[fighter]]
from = "rogue"
team = "red"
at = [3, 1]
"""


@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_a_file_may_end_its_lines_as_any_system_does(line_end: bytes, tmp_path: Path) -> None:
    path = tmp_path / "yard.toml"
    path.write_bytes((FOUR_BY_TWO + TWO).replace(b"\n", line_end))
    field = load_scenario(path).battlefield
    assert field is not None and field.rows == ("....", "....")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (FOUR_BY_TWO.replace(b'"....", ', b'"...", ') + TWO,
         "[battlefield]: map: expected 3 squares in row 1 as in row 0"),
        (FOUR_BY_TWO.replace(b"....", b"..\t.", 1) + TWO, r"got '\t' in row 0, column 2 (counted from 0)"),
        (FOUR_BY_TWO.replace(b"....", b"..\\r.", 1) + TWO, r"got '\r' in row 0, column 2 (counted from 0)"),
        (FOUR_BY_TWO.replace(b"....", "..·.".encode(), 1) + TWO, "got '·' in row 0, column 2 (counted from 0)"),
        (FOUR_BY_TWO.replace(b"....", b"..\xb7.", 1) + TWO, "cannot be read as UTF-8 text"),
        (b'battlefield.map = """\n....\n....\n"""' + TWO, "[battlefield]: map: expected a list of rows"),
        (b"[[battlefield]]\nmap = ['....']" + TWO, "battlefield: expected a table, got [{'map': ['....']}]."),
        (FOUR_BY_TWO + TWO.replace(b"[3, 1]", b"[3, 2]"), "got column 3, row 2 (counted from 0)"),
        (FOUR_BY_TWO + TWO.replace(b"[3, 1]", b"[0, 0]"), "'knight_0' is already in row 0, column 0 (counted from 0)"),
        (FOUR_BY_TWO + TWO * 9, "expected 2 to 16 fighters, got 18."),
        (FOUR_BY_TWO, "expected 2 to 16 fighters, got 0."),
        (TWO.replace(b"at = [3, 1]", b""), "fighter 1: at is [0, 0], but there is no [battlefield] to use it on."),
    ],
)  # fmt: skip
def test_a_file_is_refused_by_the_command_line_in_one_sentence_that_names_it(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "yard.toml"
    path.write_bytes(content)
    assert main(["fight", str(path)]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"heartrush: {path}") and said in message
    assert message.endswith(".\n") and message.count("\n") == 1


# -------------------------------------------------------------------------------------------------------- the digest


@pytest.mark.parametrize(
    "changed",
    [
        on_map({"at": [0, 1]}),
        on_map({"rush": 2}),
        on_map({"spare_weapon": "dagger"}),
        on_map(drop=15),
        on_map(light="dim"),
        on_map(rows=[*MAP[:4], "..,lhs^,"]),
    ],
)
def test_the_digest_hears_the_map(changed: dict[str, Any]) -> None:
    assert load_scenario(changed).digest != load_scenario(on_map()).digest


def test_the_digest_hears_what_a_spare_is_and_not_its_name() -> None:
    by_name = on_map({"spare_weapon": "rapier"})
    by_parts = on_map({"spare_weapon": {"size": "light", "attack_type": "melee", "damage_type": "piercing"}})
    assert load_scenario(by_name).digest == load_scenario(by_parts).digest
    assert load_scenario(by_name).digest != load_scenario(on_map({"spare_weapon": "dagger"})).digest


# ------------------------------------------------------------------------------------------------------ shipped maps


def turned(scenario: Scenario) -> Scenario:
    """Return the scenario seen from the other end: turned by half or mirrored, with the sides exchanged."""
    field = scenario.battlefield
    assert field is not None
    half_turn = field.rows == tuple(row[::-1] for row in field.rows[::-1])
    rows = tuple(row[::-1] for row in (field.rows[::-1] if half_turn else field.rows))
    other = dict(zip(scenario.teams, scenario.teams[::-1], strict=True))

    def seen(sheet: FighterSheet) -> FighterSheet:
        assert sheet.at is not None
        x, y = sheet.at
        at = (field.width - 1 - x, field.height - 1 - y if half_turn else y)
        return replace(sheet, at=at, team=other[sheet.team])

    return replace(
        scenario, battlefield=replace(field, rows=rows), fighters=tuple(seen(sheet) for sheet in scenario.fighters)
    )


def nameless(scenario: Scenario) -> Counter[FighterSheet]:
    return Counter(replace(sheet, agent="", name="") for sheet in scenario.fighters)


@pytest.mark.parametrize("name", sorted(FAIR))
def test_fair_maps_look_the_same_from_both_sides(name: str) -> None:
    scenario = load_scenario(name)
    other = turned(scenario)
    assert (scenario.battlefield, nameless(scenario)) == (other.battlefield, nameless(other))


@pytest.mark.parametrize("name", ON_MAPS)
def test_archers_of_shipped_maps_carry_a_blade(name: str) -> None:
    shooters = [sheet for sheet in load_scenario(name).fighters if sheet.weapon.attack_type == "ranged"]
    assert all(sheet.spare is not None and sheet.spare.weapon.attack_type == "melee" for sheet in shooters)


def test_each_shipped_map_makes_its_point() -> None:
    scenarios = {name: load_scenario(name) for name in ON_MAPS}
    sides = {name: sorted(Counter(sheet.team for sheet in s.fighters).values()) for name, s in scenarios.items()}
    counted = {"bridge": [3, 3], "skirmish": [2, 2], "tower": [3, 3], "ambush": [4, 6], "dragon": [1, 4]}
    assert sides == {**counted, "warband": [8, 8]}
    ground = {name: Counter("".join(s.battlefield.rows)) for name, s in scenarios.items() if s.battlefield}
    assert ground["bridge"]["w"] > 30 and scenarios["bridge"].battlefield.rows[5][8:12] == "...."
    assert ground["tower"]["v"] > 40 and scenarios["tower"].battlefield.drop > 20, "a fall from it is the end"
    ambush = scenarios["ambush"].fighters
    assert all(sheet.surprised == (sheet.team == "blue") for sheet in ambush)
    assert sum(any(c.name == "hidden" for c in sheet.conditions) for sheet in ambush) == 5
    *heroes, dragon = scenarios["dragon"].fighters
    assert dragon.size == "L3" and all(dragon.size_rank - hero.size_rank >= 2 for hero in heroes)
