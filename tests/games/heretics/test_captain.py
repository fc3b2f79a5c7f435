"""The captain: positions with a clear best choice, its map against the rules' own, and its odds by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heretics.captain import CAPTAIN
from heartrush_agents.heretics.ground import FAR, Ground
from heartrush_agents.heretics.odds import burst, hit, success
from heartrush_agents.tournament.play import play

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.tabletop.grids import squares
from heartrush_env.tabletop.kernels import PLAIN
from tests.games.heretics.table import OPEN, Table, at

FIRST = 6  # an initiative that lets the heroes begin
CRYPT = (
    "##############", "#....#..#....#", "#.##.#..#.##.#", "#.#........#.#", "#.#.#....#.#.#", "#............#",
    "#............#", "#.#.#..~.#.#.#", "#.#........#.#", "#.##.#..#.##.#", "#....#..#....#", "######..######",
)  # fmt: skip


def choice(table: Table, agent: str | None = None) -> str:
    """Return the captain's action for an agent, by default for the first that is asked."""
    game, agent = table.game, agent or table.asked[0]
    seat = game.agents.index(agent)
    observation: Any = {"observation": table.batch.observations[0, seat], "action_mask": table.batch.masks[0, seat]}
    return game.action_names[int(CAPTAIN.seat(game).policy(observation).argmax())]


def duel(own: Mapping[str, Any], other: Mapping[str, Any], *dice: int, **more: Any) -> Table:
    """Return a fight of one against one, in which the blue fighter acts first."""
    return Table([{"id": "own", **own}], [{"id": "other", **other}], dice=[FIRST, *dice], **more)


def test_it_attacks_the_enemy_that_is_about_to_fall() -> None:
    brigands = [{"from": "brigand", "hp_now": 5}, {"from": "brigand", "hp_now": 1}]
    assert choice(Table(["sellsword"], brigands, dice=[FIRST])) == "attack 2"
    assert choice(Table(["sellsword"], brigands[::-1], dice=[FIRST])) == "attack 1"


@pytest.mark.parametrize(("hp", "answer"), [(5, "sunder"), (1, "keep")])
def test_it_breaks_its_weapon_where_that_decides(hp: int, answer: str) -> None:
    """Of 5 hit points, 1d6 takes all in 2 cases of 6, and 2d6 in 30 of 36; 1 hit point is lost either way."""
    table = duel({"from": "sellsword"}, {"from": "archer", "hp": hp}, 12).play("attack 1")
    assert (table.window, choice(table)) == ("sunder", answer)


@pytest.mark.parametrize(("weapon", "answer"), [({"held": "short_sword"}, "break_shield"), ({}, "keep")])
def test_it_gives_its_shield_for_a_blow_but_not_for_a_slap(weapon: dict[str, str], answer: str) -> None:
    """A fist takes 1 of 5 hit points."""
    table = duel({"str": 1, **weapon}, {"from": "brigand"}, 15).play("attack 1", *(["keep"] if weapon else []))
    assert (table.window, choice(table)) == ("shield", answer)


def test_in_doubt_it_chooses_an_action_e_times_less_often_for_each_so_much_that_it_is_worth_less() -> None:
    """A move is worth 0.5 and a stay 0.1 in any position without exits to flee to."""
    table = Table([at("archer", 2, 2)], [at("brigand", 8, 2)], dice=[FIRST], field=OPEN)
    game = table.game
    observation: Any = {"observation": table.batch.observations[0, 0], "action_mask": table.batch.masks[0, 0]}
    found = dict(zip(game.action_names, load("heretics_captain@doubt=0.2").seat(game).policy(observation), strict=True))
    assert found["move"] / found["stay"] == pytest.approx(np.exp(2)) and sum(found.values()) == pytest.approx(1)
    assert CAPTAIN.seat(game).policy(observation).max() == 1


def test_it_takes_a_weapon_in_hand_before_it_strikes() -> None:
    assert choice(duel({"str": 0, "inventory": ["dagger"]}, {"from": "brigand"})) == "retrieve 1"


def test_it_lets_the_strongest_will_demand_surrender() -> None:
    fighters = [{"from": "sellsword", "id": "leader", "hd": 2}, {"id": "voice", "wil": 3}]
    table = Table(fighters, ["archer", "archer"], dice=[FIRST, 12, 5, FIRST])
    table.play({"leader_0": "attack 1", "voice_0": "stand_by"}, "keep", "stand_by")
    assert (table.window, table.asked, choice(table)) == ("request", ["leader_0"], "request 1")


def test_it_leads_a_shooter_out_of_melee() -> None:
    """The brigand cannot be shot at from a square beside it, nor can anyone else."""
    table = Table([at("archer", 2, 2)], [at("brigand", 3, 2)], dice=[FIRST], field=OPEN)
    assert choice(table) == "move"
    table.play("move")
    east, south = map(int, choice(table).removeprefix("to ").split(","))
    assert max(abs(2 + east - 3), abs(2 + south - 2)) > 1
    table.play(choice(table))
    assert choice(table) == "attack 1"


def test_it_goes_to_the_enemy_that_it_can_strike() -> None:
    table = Table([at("sellsword", 1, 1)], [at("archer", 7, 1)], dice=[FIRST], field=OPEN)
    table.play("move")
    table.play(choice(table))
    assert table.window == "act" and choice(table) == "attack 1"


@pytest.mark.parametrize("team", ["blue", "red"])
def test_it_runs_only_if_its_side_must_escape(team: str) -> None:
    more = {"objective": {"kind": "escape", "team": team, "count": 1}, "battlefield": {"exits": [[0, 1]]}}
    table = Table([at("sellsword", 9, 1)], [at("archer", 9, 9)], dice=[FIRST], field=OPEN, more=more)
    assert choice(table) == ("break" if team == "blue" else "move")
    if team == "blue":
        table.play("break", "to -8,0")
        assert choice(table) == "leave_again"


def test_it_closes_the_bridge_before_those_who_must_escape() -> None:
    field = ["...~~~...", ".........", "...~~~..."]
    more = {"objective": {"kind": "escape", "team": "red", "count": 1}, "battlefield": {"exits": [[0, 1]]}}
    table = Table([at("sellsword", 6, 2)], [at("archer", 8, 0)], dice=[FIRST], field=field, more=more)
    table.play("move")
    assert choice(table) in ("to -1,-1", "to -2,-1", "to -3,-1")


def test_it_throws_a_fireball_that_catches_enemies_and_no_friends() -> None:
    brigands = [at("brigand", 8, 8), at("brigand", 9, 8), at("brigand", 8, 9)]
    table = Table([at("hedge_mage", 0, 0), at("sellsword", 3, 5)], brigands, dice=[FIRST], field=OPEN)
    table.play({"hedgemage_0": "stay", "sellsword_0": "stay"})
    picked = [choice(table, "hedgemage_0")]
    for _ in range(3):
        table.play({"hedgemage_0": picked[-1]})
        picked.append(choice(table, "hedgemage_0"))
    assert picked[:2] == ["fireball", "mana 2"]
    column, row = (int(name.split()[1]) for name in picked[2:])
    assert all(max(abs(column - x), abs(row - y)) <= 4 for x, y in ((8, 8), (9, 8), (8, 9)))
    assert max(abs(column - 3), abs(row - 5)) > 4


def test_it_aims_a_missile_where_a_fireball_would_hurt_its_friends() -> None:
    fighters = [at("hedge_mage", 0, 0), at("sellsword", 8, 7), at("halberdier", 7, 8)]
    table = Table(fighters, [at("brigand", 8, 8)], dice=[FIRST], field=OPEN)
    table.play(dict.fromkeys(table.asked, "stay"))
    assert choice(table, "hedgemage_0") == "magic_missile 1"


def test_its_odds_are_those_of_the_rules() -> None:
    assert success(11, 0) == 10 / 20 and success(30, 0) == 1 / 20 and success(30, 0, False) == 0
    assert success(20, 1) == pytest.approx(39 / 400) and success(20, -1) == pytest.approx(1 / 400)
    assert hit(6, 1, False, 0, 5) == pytest.approx((2 / 6, (1 + 2 + 3 + 4 + 5 + 5) / 6))
    assert hit(6, 2, False, 0, 5).out == pytest.approx(30 / 36)
    assert hit(4, 1, True, 0, 4) == pytest.approx((7 / 16, (1 + 3 * 2 + 5 * 3 + 7 * 4) / 16))
    assert hit(0, 0, False, 2, 2) == (1, 2)
    assert burst(1, 1 / 2, 3) == pytest.approx(
        ((4 / 6 + 1 / 6) / 2, (15 / 6 + 9 / 6) / 2)
    )  # 1d6, halved in half of all


EQUALS = {"parry": 0.56, "push": 0.22, "feint": 0.22}
SOLVED = {"parry": 0.645818, "push": 0.184309, "feint": 0.169873}


@pytest.mark.parametrize(("profile", "mix"), [("full", EQUALS), ("plain", SOLVED)])
def test_it_mixes_its_choices_in_a_duel(profile: str, mix: dict[str, float]) -> None:
    """The mix is that of the rule text for this plain duel, and that of two equals in one that takes long to solve."""
    table = Table([{"from": "sellsword"}], [{"from": "brigand"}], more={"mode": "beats"}, duel_profile=profile)
    game = table.game
    observation: Any = {"observation": table.batch.observations[0, 0], "action_mask": table.batch.masks[0, 0]}
    found = dict(zip(game.action_names, CAPTAIN.seat(game).policy(observation).tolist(), strict=True))
    assert {name: share for name, share in found.items() if share} == pytest.approx(mix, abs=1e-6)


def test_its_map_is_that_of_the_rules() -> None:
    """Lines of sight and the lengths of ways, against the functions that the rules use."""
    ground, fight = Ground(CRYPT, None), np.zeros(1, Heretics("gate").kind)[0]
    squares.fill_map(fight, CRYPT, {"walls": "#", "water": "~"})
    for x, y in ((6, 10), (1, 1), (5, 5), (8, 7)):
        seen = [[squares.blocked_corners(fight, i, j, x, y) for i in range(14)] for j in range(12)]
        assert (ground.blocked((x, y)) == seen)[ground.open].all()
        distances = np.zeros(squares.WIDTH * squares.HEIGHT, np.int8)
        distances[6 * squares.WIDTH + 6] = squares.HELD
        squares.flood(fight, x, y, 60, distances)
        steps = distances.reshape(squares.HEIGHT, squares.WIDTH)[:12, :14].astype(float) - 1
        steps[steps < 0] = FAR
        assert (ground.ways([[(x, y)], [(3, 3)]], [(6, 6)], 60)[0] == steps).all()
        here = ground.gap((x, y)) == 0
        assert all((ground.near(here, reach) == (ground.gap((x, y)) <= reach)).all() for reach in (1, 2))
    assert ground.exits == [(6, 11), (7, 11)] and not ground.narrow[5, 5] and ground.narrow[2, 1]


def won(scenario: str, agents: Sequence[str], fights: int) -> float:
    """Return the share of fights that the first agent wins over both sides."""
    game, total = Heretics(scenario), 0.0
    for side, lineup in enumerate((agents, agents[::-1])):
        found = play(game, [load(id) for id in lineup], [1] * fights, 5, 0)[:, side].sum(axis=0)
        total += (found[0] + found[1] / 2) / (2 * fights)
    return total


@pytest.mark.long
@pytest.mark.skipif(PLAIN, reason="plain Python takes minutes for this")
@pytest.mark.parametrize("scenario", ["gate", "skirmish"])
def test_it_beats_the_charger(scenario: str) -> None:
    """Over 200 fights, 70 % of victories would be measured as 60 % or less once in a thousand times."""
    assert won(scenario, ["heretics_captain", "heretics_charger"], 100) > 0.6
