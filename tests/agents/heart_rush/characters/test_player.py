"""Characters: how levels and dials change what they do, and how they read their enemies."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.difficulty import TEN_LEVELS
from heartrush_agents.heart_rush.characters.cast import CHARACTERS
from heartrush_agents.heart_rush.characters.levels import HABITS
from heartrush_agents.heart_rush.characters.player import CharacterPlayer, ReadingPlayer, make
from heartrush_agents.heart_rush.characters.style_metrics import distance
from heartrush_agents.heart_rush.characters.temperament import Manners
from heartrush_agents.heart_rush.tables import layout
from heartrush_agents.heart_rush.tactics.default_policy import layout_of
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation
from tests.agents.seats import begun, seen_by

IDS = [*CHARACTERS]
DUEL = HeartRush("duel")


def observed(game: HeartRush, legal: str, seat: int = 0, **features: float) -> Observation:
    """Return the first observation of a fight with some features changed, as if actions of this kind were legal."""
    seen = seen_by(begun(game, 0), seat)["observation"]
    for name, value in features.items():
        seen[game.feature_names.index(name.replace("__", " "))] = value
    mask = np.array([name.split()[0] in legal.split() for name in game.action_names], np.int8)
    return {"observation": seen, "action_mask": mask}


def stances(id: str, **features: float) -> dict[str, float]:
    policy = load(id).seat(DUEL).policy(observed(DUEL, "stance", **features))
    return {name.split()[1]: float(policy[k]) for k, name in enumerate(DUEL.action_names) if name.startswith("stance")}


@pytest.mark.parametrize("id", IDS)
def test_it_has_a_name_a_text_dials_and_ten_levels(id: str) -> None:
    agent = load(id)
    assert tuple(agent.levels) == TEN_LEVELS and set(agent.arguments) == {"aggression", "caution", "guile", "loyalty"}
    rates = [agent.levels[name].difficulty.mistakes for name in TEN_LEVELS]
    assert all(later < earlier for earlier, later in pairwise(rates)) and rates[-1] == 0
    reads = [agent.levels[name].arguments.get("guile", agent.arguments["guile"].usual) for name in TEN_LEVELS]
    assert reads == sorted(reads) and reads[-1] == agent.arguments["guile"].usual
    assert sum(stances(f"{id}@5").values()) == pytest.approx(1)


def test_caution_hides_the_hurt_and_fades() -> None:
    hurt = {"self__hp_share": 0.2}  # round 1 of the 20 in which fear fades
    assert stances("tortoise", **hurt)["defensive"] == pytest.approx(0.5 * 19 / 20)
    assert stances("tortoise@caution=0.5", **hurt)["defensive"] == pytest.approx(0.25 * 19 / 20)
    assert stances("berserker", **hurt)["defensive"] == 0
    observation = observed(DUEL, "stance", **hurt)
    layout(DUEL.action_names, DUEL.feature_names).round.write(observation["observation"], 20)
    late = load("tortoise").seat(DUEL).policy(observation)
    assert late[DUEL.action_names.index("stance defensive")] == 0


def test_fear_fades_on_maps_even_while_others_fight() -> None:
    """By hand: with a fifth of its hit points left, all of a tortoise's caution counts, less one 20th each round.

    No round is quiet for the allies of a hurt fighter that hides.
    """
    game = HeartRush("skirmish")
    features = seen_by(begun(game))["observation"]
    manners = Manners(layout_of(game), CHARACTERS["tortoise"], CHARACTERS["tortoise"].dials)
    names = [name for name in game.feature_names if name.endswith(" hp_share")]
    features[[game.feature_names.index(name) for name in names]] = 0.2
    found = []
    for round in (1, 10, 20):
        layout_of(game).round.write(features, round)
        found.append(float(manners.fear(features)))
    assert found == pytest.approx([19 / 20, 1 / 2, 0])


def test_taste_is_the_least_share_of_a_favourite_stance() -> None:
    assert stances("berserker@guile=0")["might"] >= 0.2 and stances("trickster@guile=0")["cunning"] >= 0.15
    assert min(stances("gambler")[name] for name in ("might", "agility", "cunning")) >= 0.25


def test_aggression_turns_the_balance_towards_damage_dealt() -> None:
    """By hand: a tilt t changes "dealt - suffered" to "(1 + t) dealt - (1 - t) suffered"; t is at most 0.6."""
    observation = observed(DUEL, "stance")
    calm, wild = (make(DUEL, character=CHARACTERS["swordmaster"], aggression=value) for value in (0.5, 1.0))
    assert isinstance(calm, CharacterPlayer) and isinstance(wild, CharacterPlayer)
    (_, plain), (_, tilted) = (player.games(observation["observation"][None])[0] for player in (calm, wild))
    from heartrush_agents.heart_rush.tactics.matchup import matchups_of
    from heartrush_agents.heart_rush.tactics.odds import dealt

    pair = matchups_of(DUEL).pairing(observation["observation"], 0)
    settings = DUEL.scenario.settings
    deals, takes = dealt(pair, settings)[:, :4], dealt(pair.turned(), settings)[:, :3]
    expected = deals.copy()
    expected[:, :3] += takes.T
    assert tilted[0] - plain[0] == pytest.approx(0.6 * expected)


def test_guile_reads_and_without_it_or_reveals_it_does_not() -> None:
    assert isinstance(load("trickster").seat(DUEL), ReadingPlayer)
    assert not isinstance(load("trickster@guile=0").seat(DUEL), ReadingPlayer)
    blind = HeartRush("duel", memory=0)
    assert not isinstance(load("trickster").seat(blind), ReadingPlayer)


@pytest.mark.parametrize("scenario", ["duel", "brawl"])
@pytest.mark.parametrize("id", IDS)
def test_a_character_opens_with_the_balance_of_the_round_in_its_temper(id: str, scenario: str) -> None:
    """Before the first reveal, a character has equal mixes of stances with its guile and without guile."""
    game = HeartRush(scenario)
    for seat in range(len(game.agents)):
        first = observed(game, "stance", seat)
        reading, blind = (load(id + how).seat(game).policy(first) for how in ("", "@guile=0"))
        assert reading == pytest.approx(blind, abs=0.02), game.agents[seat]


@pytest.mark.parametrize("id", IDS)
def test_no_first_stance_in_a_duel_beats_a_character_at_sight(id: str) -> None:
    """A character's first mix gives each of the three attacking stances a probability between 0.1 and 0.7."""
    for seat in (0, 1):
        mix = load(id).seat(DUEL).policy(observed(DUEL, "stance", seat))
        shares = [mix[DUEL.action_names.index(f"stance {name}")] for name in ("might", "agility", "cunning")]
        assert min(shares) > 0.1 and max(shares) < 0.7, shares


def test_a_reader_reads_from_the_first_reveal_on() -> None:
    """By the end of a fight against an enemy that always takes might, the oracle answers with agility."""
    oracle, _ = (load("oracle" + how).seat(DUEL) for how in ("", "@guile=0"))
    batch, chance = begun(DUEL, 3), np.random.default_rng(3)
    might = load("might").seat(DUEL)
    opened = DUEL.action_names.index("stance might")
    answered = None
    while not batch.ended[0]:
        moments = [seen_by(batch, k) for k in (0, 1)]
        if moments[0]["action_mask"][opened]:
            answered = oracle.policy(moments[0])
        batch.step(np.array([[oracle.act(moments[0], chance), might.act(moments[1], chance)]]), autoreset=False)
    assert answered is not None and answered[DUEL.action_names.index("stance agility")] > 0.9


def test_the_hurt_draw_a_pack_and_the_strong_a_gladiator() -> None:
    game = HeartRush("brawl")
    hurt = observed(game, "attack", enemy__2__hp_share=0.3)["observation"][None]
    wolf, vex = (
        Manners(load("wolf_pack").seat(game)._layout, each, each.dials)  # type: ignore[attr-defined]
        for each in (CHARACTERS["wolf_pack"], CHARACTERS["gladiator"])
    )
    assert wolf.regard(hurt)[0, 1] == 1 > 3 * wolf.regard(hurt)[0, 0]
    for strong in (1, 2):
        seen = observed(game, "attack", **{f"enemy__{strong}__{die}": 1.0 for die in ("might", "agility", "cunning")})
        assert vex.regard(seen["observation"][None])[0].argmax() == strong - 1


def test_many_seats_decide_as_one_by_one() -> None:
    """Each seat keeps its own memory, although the dice of all seats are evaluated together."""
    game, rows = HeartRush("duel"), [(slot, 0) for slot in range(4)]
    batch, chance = game.batch(4), np.random.default_rng(1)
    batch.start(range(4), 7, range(4))
    many = VectorPlayer(load("oracle@8"), game, rows, np.random.default_rng(2))
    ones: list[Any] = [load("oracle@8").seat(game) for _ in rows]
    other = VectorPlayer(load("uniform"), game, [(slot, 1) for slot in range(4)], chance)
    actions = np.zeros(batch.out.shape, np.int64)
    for player in (many, *ones):
        player.new_match()
        player.new_fight()
    compared = 0
    for _ in range(30):
        seen = {"observation": batch.observations.copy(), "action_mask": batch.masks.copy()}
        for player in (many, other):
            player.act(seen, actions)
        for slot in range(4):
            mask = seen["action_mask"][slot, 0]
            if np.count_nonzero(mask) > 1:
                alone = ones[slot].policy({"observation": seen["observation"][slot, 0], "action_mask": mask})
                assert alone[actions[slot, 0]] > 0
                compared += 1
                player = many._players[slot]
                together = player.policy({"observation": seen["observation"][slot, 0], "action_mask": mask})
                assert together == pytest.approx(alone)
        batch.step(actions, autoreset=True)
        if batch.ended.any():
            break
    assert compared > 20


def test_the_distance_of_mixes_is_the_total_variation() -> None:
    first, second = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0]]), np.array([[0.0, 1, 0, 0], [0.5, 0.25, 0.25, 0]])
    assert distance(first, second) == pytest.approx((1 + 0.25) / 2) and distance(first, first) == 0


def test_measured_levels_rise() -> None:
    """In the shipped figures, each measured level wins more than the level before it."""
    assert HABITS[0] == "uniform"
    measured = [id for id in IDS if "habits" in load(id).levels["10"].against]
    assert len(measured) >= 10
    for id in measured:
        levels = load(id).levels
        figures = [levels[name].against["habits"] for name in TEN_LEVELS if "habits" in levels[name].against]
        assert len(figures) >= 3, id
        assert all(low <= share <= high for share, low, high in figures)
        for (earlier, *_), (later, *_) in pairwise(figures):
            assert later > earlier, f"{id}: {figures}"
        assert figures[-1][1] > figures[0][2], f"{id}: the intervals of the first and the last level meet"


@pytest.mark.long
def test_a_sampled_figure_is_measured_again() -> None:
    """The oracle's first and last levels fight the panel again with different dice; the intervals overlap."""
    from heartrush_train.calibration import character_levels

    found = character_levels("oracle", DUEL, levels=("1", "10"), fights=240, seed=77, processes=1)["levels"]
    for name, (_, low, high) in found.items():
        _, shipped_low, shipped_high = load("oracle").levels[name].against["habits"]
        assert low <= shipped_high and shipped_low <= high, f"level {name}: {found[name]}"
