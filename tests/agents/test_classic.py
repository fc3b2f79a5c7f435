"""Agents in the classic edition, where sides take turns: their engagements, and their counts of reveals."""

from typing import Any

import numpy as np
import pytest
from heartrush_agents import available, load
from heartrush_agents.heart_rush.characters.cast import CHARACTERS
from heartrush_agents.heart_rush.tables import PATIENCE
from heartrush_agents.heart_rush.tactics.default_policy import layout_of
from heartrush_agents.heart_rush.tactics.engaging import Engaging
from heartrush_agents.heart_rush.tactics.opponent_model import History
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer
from heartrush_agents.tournament.play import DRAW, WIN, play

from heartrush_env import heart_rush_classic_v0
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation
from tests.agents.heart_rush.tactics.test_odds import mean_damage
from tests.agents.seats import seen_by, watch
from tests.agents.test_agents import SHIPPED

CLASSIC = {"edition": "classic"}
D4 = {
    **dict.fromkeys(("might", "agility", "cunning", "presence", "heart"), 4),
    "hp": 20,
    "weapon": {"size": "ultralight", "attack_type": "melee", "damage_type": "none", "natural": True},
}


def game_of(*fighters: tuple[str, dict[str, Any]], **scenario: Any) -> HeartRush:
    """Return a game of fighters (team, changes to the sheet) with only d4s, under the plain rules."""
    sheets = [{**D4, "id": "abcdef"[k], "team": team, **more} for k, (team, more) in enumerate(fighters)]
    rules = {**CLASSIC, "profile": "plain"}
    return HeartRush({"name": "table", "fighter": sheets, "victory": "first_down", "rules": rules, **scenario})


class Fight:
    """A fight in which the test names the actions of some fighters; the others take their first legal actions."""

    def __init__(self, game: HeartRush, first: str = "blue") -> None:
        """Start a fight in which this team has priority."""
        self.game, self.batch = game, game.batch(1)
        for number in range(100):
            self.batch.start([0], 1, [number])
            if first in {game.teams[seat] for seat in self._asked()}:
                break

    def _asked(self) -> list[int]:
        engage = self.game.action_names.index("engage 1")
        return [seat for seat in range(len(self.game.agents)) if self.batch.masks[0, seat, engage]]

    def play(self, **chosen: str) -> None:
        """Play one step; fighters without a named action take their first legal one."""
        actions = self.batch.masks.argmax(axis=2)
        for seat, agent in enumerate(self.game.agents):
            if agent.split("_")[0] in chosen:
                actions[0, seat] = self.game.action_names.index(chosen[agent.split("_")[0]])
        self.batch.step(actions)

    def seen(self, seat: int) -> Observation:
        """Return the observation of a seat."""
        return seen_by(self.batch, seat)

    def choice(self, id: str, seat: int) -> str:
        """Return the choice of an agent in this seat."""
        policy = load(id).seat(self.game).policy(self.seen(seat))
        return self.game.action_names[int(policy.argmax())]


IN_SHORT = (("tactician", "brawl"), ("modeller", "brawl"))  # all others that are not duels take long


# -- all of them -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("id", "scenario"),
    [
        pytest.param(id, scenario, marks=[] if scenario == "duel" or (id, scenario) in IN_SHORT else pytest.mark.long)
        for id in (*SHIPPED, "classic_duelist")
        for scenario in ("duel", "brawl", "skirmish")
    ],
)
def test_each_agent_plays_whole_fights(id: str, scenario: str) -> None:
    """With and against uniform, an agent makes only legal choices and ends the fight before the cap."""
    env = heart_rush_classic_v0.parallel_env(scenario, illegal="raise")
    if load(id).plays(env.game) is not None:
        assert scenario not in {"charger": ["skirmish"], "classic_duelist": ["duel"]}[id]
        return
    players = {agent: load((id, "uniform")[seat % 2]).seat(env.game) for seat, agent in enumerate(env.game.agents)}
    for _, agent, observation in watch(env, players, seed=3):
        policy, mask = players[agent].policy(observation), observation["action_mask"]
        assert not policy[mask == 0].any() and policy.sum() == pytest.approx(1.0)
        assert isinstance(players[agent].reason(observation), str)
    assert env.events[-1]["type"] == "end"
    assert env.events[-1]["cause"] == "victory" or id in ("default", "defensive")  # these never attack


def test_who_never_engages_reaches_the_cap() -> None:
    game = HeartRush("duel", CLASSIC, memory=4)
    assert play(game, [load("defensive")] * 2, [1, 1], 1, 0).sum(0)[0, DRAW] == 2


def test_weights_for_one_round_are_refused_in_the_other_by_their_edition() -> None:
    others = set(available()) - {*SHIPPED, "equilibrium", *CHARACTERS}
    assert others == {"duelist", "classic_duelist", "fencer", "marshal", "thinker", "searcher"}
    for id, trained, here in (("duelist", "june2025", "classic"), ("classic_duelist", "classic", "june2025")):
        refused = f"it was trained by other rules (edition = '{trained}', but here '{here}')"
        assert load(id).plays(HeartRush("duel", {"edition": here})) == refused
        assert load(id).plays(HeartRush("duel", {"edition": trained})) is None


@pytest.mark.parametrize("id", ["equilibrium", "epsilon_equilibrium"])
def test_the_equilibrium_plays_a_classic_duel(id: str) -> None:
    game = HeartRush("duel", {**CLASSIC, "profile": "plain"}, memory=4)
    won, drawn, lost = play(game, [load(id), load("might")], [1] * 10, 1, 0).sum(0)[0].tolist()
    assert drawn == 0 and won + lost == 10
    refused = load(id).plays(HeartRush("duel", CLASSIC))
    assert refused == "the setting levels is on, and only the profile 'plain' is solved"
    assert "only that of June 2025 is solved" in (load("best_response:might").plays(game) or "")


# -- simple ones -------------------------------------------------------------------------------------------------------


def test_the_default_engages_the_fewest_hit_points_and_enters_and_the_defensive_stays_out() -> None:
    fight = Fight(game_of(("blue", {}), ("red", {}), ("red", {"hp_now": 7})))
    assert [fight.choice(id, 0) for id in ("default", "uniform", "defensive")] == ["engage 2", "engage 2", "pass"]
    fight = Fight(game_of(("blue", {}), ("blue", {}), ("red", {})))
    fight.play(a="engage 1")
    assert [fight.choice(id, 1) for id in ("default", "uniform", "defensive")] == ["enter", "enter", "pass"]


def test_the_charger_engages_the_nearest() -> None:
    """Both enemies are in range of the longbow; the farther enemy has fewer hit points, which the default prefers."""
    bow = {"from": "archer", "team": "blue", "at": [0, 0]}
    near, far = ({"from": "knight", "team": "red", "at": [x, 0], "hp_now": hp} for x, hp in ((4, 30), (7, 5)))
    scenario = {"name": "line", "heroes": ["blue"], "battlefield": {"map": ["." * 10]}, "rules": CLASSIC}
    fight = Fight(HeartRush({**scenario, "fighter": [bow, near, far]}))
    assert [fight.choice(id, 0) for id in ("charger", "default")] == ["engage 1", "engage 2"]


# -- the tactician -----------------------------------------------------------------------------------------------------


def worths(fight: Fight, seat: int = 0) -> list[float]:
    """Return the tactician's values of engaging each standing enemy, in this seat."""
    player: Any = TacticalPlayer(fight.game)
    judgement: Engaging = player._engaging
    seen = fight.seen(seat)["observation"]
    return [judgement.worth(seen, place) for place in player._matchups.standing(seen)]


CARE = 1 - 1 / PATIENCE  # in round 1
DEALT = (mean_damage(3, 2) + mean_damage(3, 3)) / 3 / 20  # heart, ability and weapon: it beats a third, ties a third


@pytest.mark.parametrize(
    ("teams", "worth"),
    [
        (("blue", "red"), [DEALT * (1 - CARE)]),
        (("blue", "blue", "red", "red"), [DEALT * (1 - 2 * CARE / 2)] * 2),  # an ally shares what is dealt to it
    ],
)
def test_what_an_engagement_is_worth_by_hand(teams: tuple[str, ...], worth: list[float]) -> None:
    """All stances are equal; damage dealt counts fully, and damage suffered a little less, so that fights end."""
    fight = Fight(game_of(*((team, {}) for team in teams)))
    assert worths(fight) == pytest.approx(worth)
    assert fight.choice("tactician", 0).startswith("engage")


def test_further_enemies_who_may_enter_make_it_dearer() -> None:
    alone = Fight(game_of(("blue", {}), ("red", {}), ("red", {})))
    assert worths(alone) == pytest.approx([DEALT * (1 - 2 * CARE)] * 2)
    assert alone.choice("tactician", 0) == "pass"
    alone.play()
    alone.play(c="engage 1")
    alone.play(b="enter")
    for _ in range(20):  # to the end of the engagement, without an attack
        if alone.choice("default", 0).startswith("engage"):
            break
        alone.play(a="stance defensive", b="stance defensive", c="stance defensive")
    assert worths(alone) == pytest.approx([DEALT * (1 - CARE)] * 2)  # both have spent their actions
    assert alone.choice("tactician", 0).startswith("engage")


def test_it_enters_where_its_ally_fights_unless_it_would_lose_more() -> None:
    for hp, chosen in ((20, "enter"), (1, "pass")):  # the last hit point is lost to any hit
        fight = Fight(game_of(("blue", {}), ("blue", {"hp_now": hp}), ("red", {})))
        fight.play(a="engage 1")
        assert fight.choice("tactician", 1) == chosen
    assert load("tactician").seat(fight.game).reason(fight.seen(1)) == "an engagement would cost more than it brings"


def test_on_a_map_only_those_in_range_may_enter() -> None:
    """An ally near the enemy shares the damage that the fighter suffers; an ally six squares away does not."""
    sheets = [{"id": id, "team": team, "at": [x, 0]} for id, team, x in (("a", "blue", 0), ("b", "red", 1))]
    scenario = {"name": "line", "victory": "first_down", "battlefield": {"map": ["." * 10] * 2}}
    found = []
    for x in (0, 7):
        fighters = [{**D4, "weapon": "dagger", **own} for own in (*sheets, {"id": "c", "team": "blue", "at": [x, 1]})]
        rules = {**CLASSIC, "profile": "plain"}
        found.append(worths(Fight(HeartRush({**scenario, "rules": rules, "fighter": fighters})))[0])
    assert found[0] > found[1]


@pytest.mark.parametrize(
    ("scenario", "other"),
    [
        pytest.param("duel", "uniform", marks=pytest.mark.long),
        pytest.param("brawl", "uniform", marks=pytest.mark.long),
        pytest.param("skirmish", "charger", marks=pytest.mark.long),
    ],
)
def test_the_tactician_beats(scenario: str, other: str) -> None:
    """The tactician wins more than 52 of 80 fights; equal agents would win 40 with a standard deviation of 4.5."""
    game = HeartRush(scenario, CLASSIC, memory=4)
    results = np.zeros(3, np.int64)
    for team, pair in enumerate((["tactician", other], [other, "tactician"])):
        results += play(game, [load(id) for id in pair], [1] * 40, 1, 0).sum(0)[team]
    assert results[DRAW] == 0
    assert results[WIN] > 52


# -- counts of reveals -------------------------------------------------------------------------------------------------


def test_a_model_counts_each_engagement_of_a_round() -> None:
    """There are two engagements in round 1 and one in round 2; a second look at a window counts nothing again."""
    fight = Fight(game_of(("blue", {}), ("red", {})))
    history = History(layout_of(fight.game))
    counted = []
    for engager, stance in (("a", "might"), ("b", "cunning"), ("", "might")):
        asked = fight._asked()[0]
        fight.play(**{engager or "ab"[asked]: "engage 1"})
        for _ in range(2):
            history.look(fight.seen(0)["observation"])
            counted.append(history.memories[0].counts[1].tolist())
        fight.play(a="stance defensive", b=f"stance {stance}")
        while not fight._asked():  # attacks are passed, and so are turns
            fight.play()
    assert counted == [[0, 0, 0, 0]] * 2 + [[1, 0, 0, 0]] * 2 + [[1, 0, 1, 0]] * 2
