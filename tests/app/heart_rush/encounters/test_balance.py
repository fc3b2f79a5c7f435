"""Wishes, the certainty that a candidate meets them, and the race of candidates."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from heartrush_env.app.encounters import balance as racing
from heartrush_env.app.encounters.balance import (
    Candidate,
    Runner,
    balance,
    candidates,
    party_of,
    starts_of,
    variations,
    with_monsters,
)
from heartrush_env.app.encounters.players import ONE, seats
from heartrush_env.app.encounters.sides import Encounter, encounter
from heartrush_env.app.encounters.text_report import balance_text
from heartrush_env.app.encounters.wishes import Score, Wish, read_wish, score
from heartrush_env.app.heart_rush.encounters.findings import sheets
from heartrush_env.games.heart_rush.scenario.battlefield import distance
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from tests.app.heart_rush.encounters import four_fights


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        (("win 65%",), Wish(0.60, 0.70)),
        (("65",), Wish(0.60, 0.70)),
        (("win 60-75%", "50%", "90 %"), Wish(0.60, 0.75, 0.5, 0.9)),
        (("win 60% to 75%",), Wish(0.60, 0.75)),
        (("win 98%",), Wish(0.93, 1.0)),
    ],
)
def test_wishes_are_read(words: tuple[str, ...], wish: Wish) -> None:
    found = read_wish(*words)
    assert [*vars(found).values()] == pytest.approx([*vars(wish).values()])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("lose 5%",), 'Expected a wish such as "win 65%" or "win 60-70%", got \'lose 5%\''),
        (("win 120%",), "Expected a wish such as"),
        (("win 70-60%",), "Expected a wish such as"),
        (("win 65%", "half"), "--spent: expected a share from 0% to 100%, got 'half'"),
        (("win 65%", None, "101%"), "--no-death: expected a share from 0% to 100%, got '101%'"),
    ],
)
def test_wishes_that_cannot_be_read_are_refused(words: Any, says: str) -> None:
    with pytest.raises(HeartRushError, match=says):
        read_wish(*words)


def test_the_score_of_four_fights() -> None:
    """Two fights are won, three have no deaths, and 0, 0.75, 1 and 0.25 of the hit points are spent."""
    found = score(four_fights.tally(), np.array([True, True, False]))
    assert found == Score(4, 2, 3, 2.0, 0.75**2 + 1 + 0.25**2)
    assert found.spent_error == pytest.approx(np.std([0, 0.75, 1, 0.25], ddof=1) / 2)
    doubled = found + found
    assert (doubled.fights, doubled.win_rate, doubled.mean_spent, doubled.no_death) == (8, 0.5, 0.5, 0.75)


def test_a_miss_grows_with_each_limit_that_is_not_kept() -> None:
    wish = Wish(0.6, 0.7, spent=0.5, no_death=0.9)
    exact = Score(100, 65, 95, 60.0, 40.0)
    assert exact.meets(wish) and exact.miss(wish) == pytest.approx(0)
    fewer = Score(100, 50, 95, 60.0, 40.0)  # ten points outside, fifteen from the middle
    assert not fewer.meets(wish) and fewer.miss(wish) == pytest.approx((0.1 + 0.015) / 0.05)
    for worse in Score(100, 65, 80, 60.0, 40.0), Score(100, 65, 95, 40.0, 20.0):  # each a tenth short of one limit
        assert not worse.meets(wish) and worse.miss(wish) == pytest.approx(0.1 / 0.05)


def test_how_sure_a_win_rate_is() -> None:
    """The certainty agrees with the exact distribution of the win rate behind 65 wins in 100 fights."""
    found, beta = Score(100, 65, 100, 50.0, 30.0), stats.beta(65.5, 35.5)
    assert found.surety(Wish(0.6, 0.7)) == pytest.approx(beta.cdf(0.7) - beta.cdf(0.6), abs=0.01)
    assert found.surety(Wish(0.65, 1.0)) == pytest.approx(beta.sf(0.65), abs=0.01)
    assert found.surety(Wish(0.6, 0.7, spent=0.5)) == pytest.approx((beta.cdf(0.7) - beta.cdf(0.6)) / 2, abs=0.01)
    alive = stats.beta(90.5, 10.5).sf(0.9)
    risky = Score(100, 65, 90, 50.0, 30.0)
    assert risky.surety(Wish(0.0, 1.0, no_death=0.9)) == pytest.approx(alive, abs=0.01)


def test_candidates_are_all_combinations_of_three_kinds_at_most() -> None:
    """Two kinds make 2 + 3 + 4 encounters of up to three monsters; of four kinds, no encounter has all."""
    assert len(candidates(["wolf", "ogre"], 1, 4)) == 9
    four = candidates(["wolf", "ogre", "bandit", "skeleton"], 4, 8)
    assert len(four) == 4 + 10 + 20 + (35 - 1) == len(set(four))
    assert Candidate(("wolf", "wolf", "ogre")) in candidates(["wolf", "ogre"], 1, 4)
    with pytest.raises(ScenarioError, match="leaves no room"):
        candidates(["wolf"], 8, 8)


@pytest.mark.parametrize(
    ("wins", "hp", "found"), [(90, 100, [130, 160]), (10, 100, [70, 50]), (65, 100, [130, 70]), (90, 190, [200])]
)
def test_variations_go_where_the_wish_lies(wins: int, hp: int, found: list[int]) -> None:
    runner = Runner(Candidate(("wolf",), hp), {}, {}, {ONE: Score(100, wins, 100)})
    assert [varied.hp for varied in variations(runner, Wish(0.6, 0.7), 30)] == found


@pytest.mark.parametrize(("wins", "spent", "first"), [(100, (10.0, 50.0), 1), (0, (70.0, 95.0), 0)])
def test_of_equals_the_one_that_leans_to_the_wish_is_first(wins: int, spent: tuple[float, float], first: int) -> None:
    """A party that always wins should spend more hit points, and a party that never wins should spend fewer."""
    runners = [
        Runner(Candidate(("wolf",) * (1 + k)), {}, {}, {ONE: Score(100, wins, 100, each)})
        for k, each in enumerate(spent)
    ]
    assert racing._ranked(runners, Wish(0.6, 0.7))[0] is runners[first]


PARTY = {
    "name": "party",
    "heroes": "blue",
    "fighter": [{"from": "knight", "team": "blue"}, {"from": "rogue", "team": "blue"}, {"from": "ogre", "team": "red"}],
}


def test_a_party_is_taken_out_of_its_scenario() -> None:
    party = party_of(PARTY, None)
    assert [fighter["from"] for fighter in party["fighter"]] == ["knight", "rogue"] and party["heroes"] == ["blue"]
    assert [fighter["from"] for fighter in party_of(PARTY, "red")["fighter"]] == ["ogre"]
    for table, team in ({**PARTY, "heroes": ["blue", "red"]}, None), ({**PARTY, "heroes": []}, None), (PARTY, "green"):
        with pytest.raises(ScenarioError, match=r"expected one of its teams \(blue or red\) as the party"):
            party_of(table, team)


def test_of_several_players_the_one_that_misses_the_wish_most_decides() -> None:
    """By hand: 20 % is 40 points below the range 60 to 70 % and 45 below its middle; 65 % misses nothing."""
    wish, reader, beginner = Wish(0.6, 0.7), Score(100, 65, 100), Score(100, 20, 100)
    both = Runner(Candidate(("wolf",)), {}, {}, {"beginner": beginner, "reader": reader})
    assert both.range == (0.2, 0.65) and not both.meets(wish) and both.fights == 200
    assert both.miss(wish) == pytest.approx((0.4 + 0.045) / 0.05)
    assert both.surety(wish) == pytest.approx(beginner.surety(wish) * reader.surety(wish))
    near = Runner(Candidate(("ogre",)), {}, {}, {"beginner": Score(100, 55, 100), "reader": Score(100, 75, 100)})
    assert racing._ranked([both, near], wish)[0] is near
    assert Runner(Candidate(("wolf",)), {}, {}, {"beginner": reader, "reader": reader}).meets(wish)
    wide = Wish(0.1, 0.7)
    assert both.meets(wide) and both.as_dict(wide)["range"] == {"low": 0.2, "high": 0.65}


MAP = {
    "name": "cave",
    "heroes": "blue",
    "battlefield": {"map": ["......", "..##..", "......"]},
    "fighter": [
        {"from": "knight", "team": "blue", "at": [0, 0]},
        {"from": "young_dragon", "team": "red", "at": [4, 1]},
    ],
}


def test_on_a_map_monsters_stand_where_the_scenario_s_did_and_beside_them() -> None:
    """The dragon is two squares wide, on columns 4 and 5 and rows 1 and 2; the wolves are placed next to it."""
    party, starts = party_of(MAP, None), starts_of(MAP, None)
    assert starts == [(4, 1)]
    table = with_monsters(party, Candidate(("young_dragon", "wolf", "wolf")), starts)
    assert table is not None
    fighters = load_scenario(table).fighters  # refuses overlapping bodies, and those in walls
    assert fighters[1].at == (4, 1)
    assert [each.at is not None and distance(each.at, 1, (4, 1), 2) for each in fighters[2:]] == [1, 1]
    tight = {**MAP, "battlefield": {"map": ["......", "#####.", "####.."]}}
    assert with_monsters(party_of(tight, None), Candidate(("young_dragon",)), starts) is None
    empty = {**MAP, "fighter": MAP["fighter"][:1]}  # type: ignore[index]
    with pytest.raises(ScenarioError, match=r"cave: expected a monster on its .battlefield."):
        party_of(empty, "blue")


def by_formula(met: Encounter, fights: int, seed: int, number: int) -> Score:
    """Return a score by formula: the party wins 100 % against 100 enemy hit points, and 0 % against 200."""
    hp = sum(sheet.hp for sheet, own in zip(sheets(met), met.in_party, strict=True) if not own)
    rate = min(1.0, max(0.0, 2 - hp / 100))
    until, before = round(rate * (number + fights)), round(rate * number)
    return Score(fights, until - before, fights, 0.5 * fights, 0.25 * fights)


@pytest.fixture
def formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take scores from `by_formula` instead of fights."""
    monkeypatch.setattr(racing, "fight_for_score", by_formula)
    monkeypatch.setattr(Encounter, "compile", lambda _: None)


def stance_players(table: Any) -> dict[str, Encounter]:
    return {ONE: encounter(table, heroes="might", monsters="might")}


def raced(table: Any, kinds: list[str], wish: str, fights: int, seat: Any = stance_players, **more: Any) -> Any:
    """Return what a race of combinations of these kinds finds."""
    return balance(party_of(table, None), kinds, read_wish(wish), seat, fights=fights, seed=1, processes=1, **more)


@pytest.mark.usefixtures("formula")
def test_the_race_runs_on_a_map() -> None:
    """Each candidate has squares of its own, three players share its fights, and the text reports both."""
    found = raced(MAP, ["orc_warrior"], "win 65%", 99, seats, starts=starts_of(MAP, None))
    best = found.runners[0]
    assert found.entered == found.possible == 7
    assert [score.fights for score in best.scores.values()] == [34, 34, 34]
    assert load_scenario(best.table).battlefield is not None
    text = balance_text(found)
    assert text.startswith("Wish: wins 60 to 70 %, whoever plays the party.\n")
    assert "The party wins 6" in text and "a reader of habits is commander" in text


def test_monsters_come_with_scaled_hit_points() -> None:
    """An orc warrior has 40 hit points and a wolf 20; at 138 % they have 55 and 28."""
    table = with_monsters(party_of(PARTY, None), Candidate(("orc_warrior", "wolf"), 138))
    assert table is not None
    scenario = load_scenario(table)
    monsters = [(sheet.id, sheet.team, sheet.hp) for sheet in scenario.fighters[2:]]
    assert monsters == [("orcwarrior", "red", 55), ("wolf", "red", 28)]
    against_red = with_monsters(party_of(PARTY, "red"), Candidate(("wolf",)))
    assert against_red is not None and against_red["fighter"][-1]["team"] == "monsters"


@pytest.mark.usefixtures("formula")
def test_the_race_finds_what_meets_the_wish() -> None:
    """The party wins 65 % against 135 hit points: three orcs have 120, and three orcs at 113 % have 135."""
    done: list[tuple[int, int]] = []
    found = raced(PARTY, ["orc_warrior", "giant_rat"], "win 65%", 200, progress=lambda *at: done.append(at))
    assert len(found.runners) == 4 and found.possible == found.entered == 27 < found.tried
    best = found.runners[0]
    assert best.fights == 200 and best.meets(found.wish) and best.surety(found.wish) > 0.8
    assert abs(best.scores[ONE].win_rate - 0.65) <= 0.02
    misses = [runner.miss(found.wish) for runner in found.runners]
    assert misses == sorted(misses) and done[-1][0] == found.fights
    data = found.as_dict()
    assert data["found"][0]["win"]["count"] == best.scores[ONE].wins and data["found"][0]["meets"] is True
    text = balance_text(found)
    assert text.startswith(f"Wish: wins 60 to 70 %.\n{best.candidate.words}: meets the wish; ")
    assert "27 combinations; " in text


@pytest.mark.usefixtures("formula")
def test_a_wish_that_cannot_be_met_is_said_so() -> None:
    found = raced(PARTY, ["goblin_scout"], "win 2%", 100)
    assert "comes nearest, but does not meet the wish; 0 % sure" in balance_text(found).splitlines()[1]


def test_too_many_candidates_are_sampled_the_same_way_each_time() -> None:
    all_of_them = candidates(["wolf", "ogre"], 1, 4)
    sample = racing._sample(all_of_them, 5, 1)
    assert len(set(sample)) == 5 and sample == racing._sample(all_of_them, 5, 1) and set(sample) <= set(all_of_them)
