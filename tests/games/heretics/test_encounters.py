"""Encounters of Heretics: what is counted agrees with the exact solution, and monsters are placed on its maps."""

from typing import Any

import pytest

from heartrush_env.app.encounters import balance as racing
from heartrush_env.app.encounters.balance import Candidate, balance, party_of, starts_of, with_monsters
from heartrush_env.app.encounters.changes import change
from heartrush_env.app.encounters.desk import desk_of
from heartrush_env.app.encounters.players import ONE, seats
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.encounters.wishes import Score, read_wish
from heartrush_env.games.heretics.scenario import READER
from heartrush_env.research.beats.figures import read_duel
from heartrush_env.research.beats.solve import solve
from heartrush_env.tabletop.registry import open_game
from tests.app.cli.running import Out, as_json, printed, refusal

GAME = "heretics"
PLAIN = "--rule duel_profile=plain"


@pytest.mark.long
def test_a_duel_in_beats_is_won_as_often_as_its_solution_says(capsys: Out) -> None:
    """The game is the one that ships the scenario; both sides play the exact solution."""
    both = "--heroes heretics_equilibrium --monsters heretics_equilibrium"
    found = as_json(capsys, f"encounter simulate beat {PLAIN} {both} -n 600 --seed 4 --processes 1")
    value = solve(read_duel(open_game({"game": GAME, "scenario": "beat", "rules": {"duel_profile": "plain"}}))).value
    won, lost = found["win"]["share"], found["loss"]["share"]
    error = ((won + lost - (won - lost) ** 2) / 600) ** 0.5
    assert abs(won - lost - value) < 3 * error
    hero, foe = found["fighters"].values()
    assert (hero["name"], hero["hp"], foe["ends"]["out"]) == (
        "Sellsword",
        9,
        pytest.approx(won + found["draw"]["share"], abs=0.02),
    )
    assert 0 < hero["hp_left"] < 9 and found["time_unit"] == "beat" and 3 < found["rounds"]["mean"] < 10


def test_two_players_show_the_range(capsys: Out) -> None:
    text = printed(capsys, f"encounter simulate beat_mirror -n 4 --seed 1 --processes 1 --game {GAME}")
    assert text.startswith("beat_mirror: Sellsword against Sellsword\n")
    assert "a beginner (heretics_charger)" in text and "The fights of a practised player (heretics_captain):" in text
    assert "\n  beats  " in text and "hp left" in text


def test_monsters_stand_on_free_squares_of_the_map() -> None:
    """Ghouls have 6 hit points; at 150 %, 9. The fourth stands beside the third, whose square is taken."""
    table = desk_of(GAME).table("crypt")
    party, starts = party_of(table, None, GAME), starts_of(table, None)
    assert starts == [(6, 1), (7, 1), (6, 3)] and party["heroes"] == "blue"
    made = with_monsters(party, Candidate(("ghoul",) * 4, 150), starts, desk_of(GAME))
    assert made is not None
    scenario = READER.read(made, {})  # refuses walls and taken squares
    ghouls = scenario.fighters[3:]
    assert [it["hp"] for it in ghouls] == [9] * 4 and [it["at"] for it in ghouls[:3]] == starts
    x, y = ghouls[3]["at"]
    assert max(abs(x - 6), abs(y - 3)) == 1
    more = change(table, "ghoul.count", 5, GAME)
    assert sum(it["id"] == "ghoul" for it in READER.read(more, {}).fighters) == 5
    assert all(it["hp"] == 3 for it in READER.read(change(table, "ghoul.hp", 3, GAME), {}).fighters[3:])


def by_formula(met: Encounter, fights: int, seed: int, number: int) -> Score:
    """Return a score by formula: the party wins 100 % against 10 enemy hit points, and 0 % against 20."""
    game: Any = met.game
    hp = sum(it["hp"] for it in game.scenario.fighters if it["team"] not in met.party)
    rate = min(1.0, max(0.0, 2 - hp / 10))
    until, before = round(rate * (number + fights)), round(rate * number)
    return Score(fights, until - before, fights, 0.5 * fights, 0.25 * fights)


def test_the_race_finds_monsters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The party wins 50 % against 15 hit points: three brigands have 5 each."""
    monkeypatch.setattr(racing, "fight_for_score", by_formula)
    monkeypatch.setattr(Encounter, "compile", lambda _: None)
    table = desk_of(GAME).table("skirmish")
    assert desk_of(GAME).hit_points("brigand") == 5
    found = balance(
        party_of(table, None, GAME), ["brigand"], read_wish("win 50%"), lambda table: seats(table, game=GAME),
        game=GAME, fights=100, seed=1, processes=1,
    )  # fmt: skip
    assert found.possible == 7 and found.runners[0].candidate == Candidate(("brigand",) * 3)
    assert list(found.runners[0].scores) == ["beginner", "practised"] != [ONE]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("balance skirmish --wish 50% --no-death 90%", "--no-death: expected a game that tells who died, got heretics"),
        ("balance skirmish --wish 50% --from dragon", "--from: unknown fighter 'dragon'"),
        ("simulate skirmish --sweep ghoul.hp=3", "ghoul.hp: unknown fighter or table 'ghoul'"),
        ("simulate skirmish gate", "because heretics has no rests between fights"),
    ],
)
def test_what_heretics_lacks_is_said(words: str, says: str, capsys: Out) -> None:
    assert says in refusal(capsys, f"encounter {words} --game {GAME}")


@pytest.mark.usefixtures("plainly")
def test_a_duel_in_beats_lasts_some_beats(capsys: Out) -> None:
    """Nobody falls in the first beat, and the second is the last."""
    text = printed(capsys, f"fight beat --fights 2 --seed 1 --rule beat_cap=2 --rule duel_yield=off --game {GAME}")
    assert text.startswith("2 fights, seed 1, 2.0 beats each;")
    told = as_json(capsys, f"fight beat --seed 1 --rule beat_cap=2 --rule duel_yield=off --json --game {GAME}")
    assert (told["rounds"], told["time_unit"]) == (2, "beat")
