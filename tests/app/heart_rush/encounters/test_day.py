"""An adventuring day: what carries over, what rests restore, and how days are read."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.encounters.sides import Encounter, encounter
from heartrush_env.app.heart_rush.encounters import day as days
from heartrush_env.app.heart_rush.encounters.day import (
    Stage,
    beginnings,
    check_party,
    day_findings,
    days_together,
    new_party,
    play_days,
    read_day,
    read_rests,
    rest,
)
from heartrush_env.app.heart_rush.encounters.text_report import day_text
from heartrush_env.games.heart_rush.rules.resting import Traveller
from heartrush_env.games.heart_rush.rules.terms import DAZED, DEAD, STANDING, UNCONSCIOUS, WEAKENED
from heartrush_env.tabletop.errors import ScenarioError

ROOT = Path(__file__).parents[4]


def against(*monsters: dict[str, Any], **knight: Any) -> Encounter:
    """Return an encounter of a knight and a squire, with 20 hit points each, against the given monsters."""
    table = {
        "name": "stage",
        "heroes": ["blue"],
        "max_rounds": 20,
        "rules": {"zero_hp": "all_out"},
        "fighter": [
            {"id": "knight", "from": "knight", "team": "blue", "hp": 20, **knight},
            {"id": "squire", "from": "barbarian", "team": "blue", "hp": 20},
            *({"team": "red", **monster} for monster in monsters),
        ],
    }
    return encounter(table, heroes="might", monsters="might")


RAT: dict[str, Any] = {"id": "rat", "from": "giant_rat", "hp": 6}
OGRE: dict[str, Any] = {"id": "ogre", "from": "ogre", "hp": 200, "attack_bonus": 30}


def test_a_fight_starts_as_the_last_one_and_the_rest_have_left_the_party() -> None:
    met = against(RAT)
    hurt = Traveller(20, 7, 8, 6, 6, untreated=[4, 5], treated=[2], tired=WEAKENED)
    parties = [[hurt, Traveller(20, -3, 8, 4, 4)], [Traveller(20, 20, 8, 8, 6), Traveller(20, -20, 8, 4, 4, dead=True)]]
    own = beginnings(met, parties, np.array([[True, False], [True, False]]))
    batch = met.game.batch(2, record=True)
    batch.start([0, 1], 7, [0, 1], beginnings=own)
    fighters = batch.records["fighters"][:, :3]
    assert fighters["hp"].tolist() == [[7, -3, 6], [20, -20, 6]]
    assert fighters["heart"].tolist() == [[6, 4, 6], [8, 4, 6]]
    assert (fighters["wounds"][0, 0], fighters["wound_count"][0, 0], fighters["wounds"][1].tolist()) == (11, 3, [0] * 3)
    assert fighters["status"].tolist() == [[STANDING, UNCONSCIOUS, STANDING], [STANDING, DEAD, STANDING]]
    first, second = batch.describe(0)["fighters"], batch.describe(1)["fighters"]
    assert first["knight_0"]["conditions"] == {"weakened": 1} and second["knight_0"]["conditions"] == {}
    assert [batch.faults(slot) for slot in (0, 1)] == [[], []]
    assert batch.masks[0, 1].sum() == 1, "who lies there can only pass"


def test_what_a_fight_costs_is_missing_in_the_next() -> None:
    """Without a rest, the second fight starts with the hit points left at the end of the first."""
    fierce = {**RAT, "attack_bonus": 10}
    stages = [Stage(against(fierce), "none"), Stage(against(RAT, {**RAT, "hp": 8}), "none")]
    tally = play_days(stages, 4, seed=3, medicine={}, first=0)
    one, two = tally.fights
    assert one is not None and two is not None and tally.reached.all()
    assert one.hp_before.tolist() == [[20, 20, 6]] * 4
    assert two.hp_before[:, :2].tolist() == one.hp[:, :2].tolist() != [[20, 20]] * 4
    assert two.hp_before[:, 2:].tolist() == [[6, 8]] * 4


def test_wounds_are_remembered_with_their_ranks() -> None:
    """The ogre deals 30 damage or more, so each of its hits is a wound, untreated at the end of the day."""
    tally = play_days([Stage(against(OGRE), "none")], 3, seed=3, medicine={}, first=0)
    (fight,) = tally.fights
    assert fight is not None
    for number, party in enumerate(tally.ends):
        assert [sum(member.untreated) for member in party] == fight.ranks[number, :2].tolist()
        assert [len(member.untreated) for member in party] == fight.wounds[number, :2].tolist()
        assert [member.hp for member in party] == fight.hp[number, :2].tolist()
        assert [member.dead for member in party] == (fight.status[number, :2] == DEAD).tolist()
    assert fight.wounds[:, :2].sum() > 0


def test_a_lost_fight_ends_the_day() -> None:
    stages = [Stage(against(OGRE), "none"), Stage(against(RAT), "long"), Stage(against(RAT), "none")]
    tally = play_days(stages, 3, seed=3, medicine={}, first=0)
    assert tally.reached.tolist() == [[True] * 3, [False] * 3, [False] * 3]
    assert tally.fights[1:] == [None, None] and not tally.won.any()
    found = day_findings("d", stages, tally, 3)
    assert found["fights"][1]["fight"] is None and found["won"]["count"] == 0
    assert day_text(found).splitlines()[7].split()[:1] == ["-"]


def test_a_good_night_heals_and_bad_ones_tire() -> None:
    chance = np.random.default_rng(0)
    for kind, hp, heart in ("none", 7, 4), ("short", 7, 8), ("long", 20, 8), ("bad_long", 13, 8):
        member = Traveller(20, 7, 8, 4, 6)
        rest([member], kind, chance)
        assert (member.hp, member.heart) == (hp, heart)
        assert (member.tired is not None) == (kind == "bad_long")


def test_checks_are_drawn_from_the_dice_of_the_healer() -> None:
    """The healer rolls d8 + d6 + 3: a wound of rank 18 keeps at least rank 1, and a wound of rank 5 always heals."""
    left = []
    for seed in range(200):
        patient = Traveller(40, 1, 4, 4, 4, untreated=[18, 5])
        rest([patient, Traveller(40, 40, 8, 8, 6, medicine=3)], "short", np.random.default_rng(seed))
        left.append(patient.treated)
    assert all(len(ranks) == 1 for ranks in left) and {rank for (rank,) in left} == set(range(1, 14))


def test_after_a_rest_those_below_zero_lie_and_without_one_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """R-100 is checked with heroes who fight on below 0 hit points."""
    table = {"name": "s", "heroes": ["blue"], "fighter": [
        {"id": "knight", "from": "knight", "team": "blue"}, {**RAT, "team": "red"},
    ]}  # fmt: skip
    met = encounter(table, heroes="might", monsters="might")
    seen = []

    def note(own: Encounter, parties: Any, up: Any) -> Any:
        seen.append(up.tolist())
        return beginnings(own, parties, up)

    monkeypatch.setattr(days, "beginnings", note)
    monkeypatch.setattr(days, "new_party", lambda *_: [Traveller(40, -5, 8, 8, 6)])
    assert play_days([Stage(met, "none")], 1, 3, {}, 0).reached.tolist() == [[True]] and seen == [[[True]]]
    assert play_days([Stage(met, "short")], 1, 3, {}, 0).reached.tolist() == [[False]]
    assert play_days([Stage(met, "long")], 1, 3, {}, 0).reached.tolist() == [[True]]


def test_a_party_sets_out_as_its_scenario_says() -> None:
    party = new_party(against(RAT, hp_now=9, heart_now=4, wounds=[3]), {"squire_0": 2})
    facts = [(member.hp, member.heart, member.untreated, member.medicine) for member in party]
    assert facts == [(9, 4, [3], 0), (20, 8, [], 2)]


def test_days_do_not_depend_on_how_they_are_cut() -> None:
    stages = [Stage(against(RAT), "none"), Stage(against(RAT), "bad_long")]
    whole = play_days(stages, 4, 3, {}, 0)
    cut = days_together([play_days(stages, 2, 3, {}, first) for first in (0, 2)])
    assert cut.ends == whole.ends and cut.reached.tolist() == whole.reached.tolist()
    assert cut.fights[1] is not None and whole.fights[1] is not None
    assert cut.fights[1].hp.tolist() == whole.fights[1].hp.tolist()
    assert {member.tired for party in whole.ends for member in party} <= {DAZED, DAZED + 1, DAZED + 2}


# ---- reading days


def test_the_example_is_read() -> None:
    plan = read_day(ROOT / "examples" / "day_on_the_road.toml")
    names = [(Path(scenario).name, rest) for scenario, rest in plan.fights]
    assert names == [("wolf_pack.toml", "none"), ("bandit_ambush.toml", "short"), ("wolf_pack.toml", "long")]
    assert (plan.name, plan.medicine) == ("day_on_the_road", {"healer_0": 3})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "fight is missing"),
        ("[[fight]]\nrest = 'short'", "fight 1: scenario is missing"),
        (
            "[[fight]]\nscenario = 'duel'\nrest = 'nap'",
            "fight 1: rest: expected none, short, long or bad_long, got 'nap'",
        ),
        ("[[fights]]\nscenario = 'duel'", r"unknown field 'fights' \(did you mean 'fight'\?\)"),
        ("[medicine]\nhealer_0 = -1\n[[fight]]\nscenario = 'duel'", "healer_0: expected a whole number from 0 to "),
        ("[[fight", "broken TOML"),
    ],
)
def test_days_that_cannot_be_read_are_refused(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "day.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match=says) as refused:
        read_day(path)
    assert "day.toml" in str(refused.value)


def test_rests_are_read() -> None:
    assert read_rests("short", 3) == ["none", "short", "short"]
    assert read_rests("none,bad_long", 3) == ["none", "none", "bad_long"]
    for text, says in ("nap", "expected none, short, long or bad_long, got 'nap'"), ("short,long,long", "got 3"):
        with pytest.raises(ScenarioError, match=says):
            read_rests(text, 3)


def test_the_party_is_the_same_all_day() -> None:
    one, other = against(RAT), against(RAT, hp=21)
    check_party([Stage(one, "none"), Stage(one, "short")], {"knight_0": 1})
    with pytest.raises(ScenarioError, match="Expected one party with equal hit points and heart dice all day"):
        check_party([Stage(one, "none"), Stage(other, "short")], {})
    with pytest.raises(ScenarioError, match=r"medicine: expected members of the party \(knight_0 or sq.*got 'rat_0'"):
        check_party([Stage(one, "none")], {"rat_0": 1})
