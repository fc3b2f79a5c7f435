"""One network for all plain duels: its view, whole runs, the written agent, and the games that the agent refuses."""

import json
import shutil
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.base import AgentError
from heartrush_agents.heart_rush.learned import duel_view
from heartrush_agents.heart_rush.learned.duel_view import BLOWS, COLUMNS, KINDS, DuelView
from heartrush_agents.heart_rush.learned.duelist import nash_conv, why_unsupported
from heartrush_agents.learned.agent import CARD
from heartrush_train.config import AllDuelsConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.all_duels import AllDuelsRun, Solved
from heartrush_train.recipes import prepare

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CUNNING, DEFENSIVE, MIGHT
from heartrush_env.research.best_response import exploitability, read_policies
from heartrush_env.research.duel import EXCHANGE
from heartrush_env.research.solve import read_duel, solve
from heartrush_env.tabletop.errors import ScenarioWarning
from tests.app.cli.running import Out, as_json, refusal
from tests.train.runs import boar_and_fox, check_that_a_stopped_run_ends_alike, nothing

PLAIN = {"profile": "plain"}
SMALL = {"n_states": 512, "batch_size": 128, "net_arch": (16, 16), "checkpoint_every": 2}
SMALL |= {"n_duels": 3, "new_duels": 1, "measured_duels": 1}


@pytest.fixture
def scenario(tmp_path: Path) -> str:
    return boar_and_fox(tmp_path, boar='armor = "light"\n')


def small(folder: Path, updates: int, **options: Any) -> AllDuelsRun:
    chosen = {**SMALL, **options}
    config = AllDuelsConfig("duel", PLAIN, total_samples=chosen["n_states"] * updates, **chosen)
    run = prepare(config, folder / "run")
    assert isinstance(run, AllDuelsRun)
    return run


@pytest.fixture(scope="module")
def pupil(tmp_path_factory: pytest.TempPathFactory) -> tuple[AllDuelsRun, Path]:
    """Return a run of two updates without measurements, and the folder of the agent that it wrote."""
    folder = tmp_path_factory.mktemp("pupil")
    run = small(folder, 2)
    run.learn(2)
    write_agent(folder / "agent", "pupil", "A pupil.", run.network(), run.game, run.facts(), run.fits())
    return run, folder / "agent"


# -- what the network reads --------------------------------------------------------------------------------------------


def rolled(*dice: int) -> Any:
    """Return all totals of these dice, one for each throw."""
    return np.array([sum(faces) for faces in product(*(range(1, sides + 1) for sides in dice))])


@pytest.mark.parametrize(
    ("own", "other", "attack", "defense", "halved"),
    [
        # The fox (second) attacks the boar, whose light armor adds 2: heart, ability and weapon die, in cunning the
        # dagger's once more; against the boar's heart and the same ability.
        (AGILITY, CUNNING, (6, 8, 4, 4), (6, 4), False),  # cunning beats agility
        (CUNNING, MIGHT, (6, 4, 4), (6, 8), False),  # might beats cunning
        (DEFENSIVE, AGILITY, (6, 6, 4), (6, 4), True),
    ],
)
def test_blows_are_those_of_the_dice(
    scenario: str, own: int, other: int, attack: tuple[int, ...], defense: tuple[int, ...], halved: bool
) -> None:
    duel = read_duel(HeartRush(scenario, PLAIN))
    view, hp = DuelView(duel), 5
    row = view.rows(np.array([[hp, 5, 1, 1]]))[0]
    place = BLOWS.index((int(EXCHANGE[own, other, 1, 1]), 0))
    margins = np.maximum(0, (rolled(*attack)[:, None] - rolled(*defense)[None] - 2).ravel())
    damage = (margins + 1) // 2 if halved else margins
    shrugged = (damage + 1) // 2
    expected = [(damage > 0).mean()]
    for left in (damage, shrugged):
        expected += [np.minimum(left, hp).mean() / hp, (left >= hp).mean()]
    assert len(duel.hearts[0]) == 2  # d4 and d6
    assert row[KINDS * place : KINDS * (place + 1)] == pytest.approx(expected, abs=1e-6)


def test_what_cannot_be_shrugged_off_is_taken(scenario: str) -> None:
    rows = DuelView(read_duel(HeartRush(scenario, PLAIN))).rows(np.array([[7, 5, 0, 1]]))
    blows = rows[0, : KINDS * len(BLOWS)].reshape(len(BLOWS), KINDS)
    own = np.array([hurt == 0 for _, hurt in BLOWS])
    assert (blows[own, 3:] == blows[own, 1:3]).all()
    assert (blows[~own, 3] < blows[~own, 1]).all()


def test_the_view_ends_with_the_solution_of_a_round_by_shares_of_hit_points(scenario: str) -> None:
    """Each mix guarantees its side the value against every stance of the other, so both mixes are optimal."""
    row = DuelView(read_duel(HeartRush(scenario, PLAIN))).rows(np.array([[7, 5, 1, 1]]))[0].astype(np.float64)
    blows = row[: KINDS * len(BLOWS)].reshape(len(BLOWS), KINDS)
    game = np.zeros((4, 4))
    for own, other in product((MIGHT, AGILITY, CUNNING, DEFENSIVE), repeat=2):
        for (exchange, hurt), numbers in zip(BLOWS, blows, strict=True):
            if exchange == EXCHANGE[own, other, 1, 1]:
                game[own, other] += numbers[1] if hurt == 1 else -numbers[1]
    assert game[DEFENSIVE, DEFENSIVE] == 0 and (game[DEFENSIVE, :3] < 0).all()
    assert game[CUNNING, AGILITY] > 0 > game[CUNNING, MIGHT]
    mine, others, value = row[-9:-5], row[-5:-1], row[-1]
    assert mine.sum() == pytest.approx(1) and others.sum() == pytest.approx(1) and min(*mine, *others) >= 0
    assert (mine @ game).min() == pytest.approx(value, abs=1e-6)
    assert (game @ others).max() == pytest.approx(value, abs=1e-6)


def moved_on(steps: int) -> HeartRush:
    """Return a duel with the ability dice and the weapons' favored stances shifted by some steps around the circle."""
    kinds = ["bludgeoning", "slashing", "piercing"]  # favor might, agility and cunning
    fighters = []
    for team, dice, favored in (("blue", (4, 6, 10), 0), ("red", (8, 4, 6), 2)):
        moved = {ability: dice[(place - steps) % 3] for place, ability in enumerate(("might", "agility", "cunning"))}
        weapon = {"size": "light", "attack_type": "melee", "damage_type": kinds[(favored + steps) % 3]}
        rest = {"presence": 4, "heart": 6, "hp": 12, "weapon": weapon}
        fighters.append({"id": team, "team": team, **moved, **rest})
    return HeartRush({"name": "moved", "victory": "first_down", "fighter": fighters}, PLAIN, memory=0)


@pytest.mark.parametrize("steps", [1, 2])
def test_stances_moved_on_are_another_duel_with_its_solution(steps: int) -> None:
    first, other = (read_duel(moved_on(by)) for by in (0, steps))
    states = np.array([[12, 12, 1, 1], [3, 7, 1, 0]])
    there = DuelView(other).rows(states)
    assert np.abs(DuelView(first).rows(states)[:, duel_view.TURNED_COLUMNS[steps]] - there).max() < 1e-6
    assert np.abs(DuelView(first).rows(states) - there).max() > 0.1
    known, moved = (Solved.of(moved_on(by)).values for by in (0, steps))
    assert np.abs(known - moved).max() < 1e-9
    mixes = [solve(moved_on(by)).mixes[0][0, 12, 12, 1, 1] for by in (0, steps)]
    assert np.abs(mixes[0][duel_view.TURNED_STANCES[steps]] - mixes[1]).max() < 1e-9


def test_both_sides_of_a_mirror_look_alike() -> None:
    duel = read_duel(HeartRush("mirror_duel", PLAIN))
    states = np.array([[duel.hp[0], 9, 1, 0], [3, 17, 0, 1]])
    first, second = DuelView(duel).rows(states), DuelView(duel.turned()).rows(states)
    assert first.shape == (2, COLUMNS)
    assert np.abs(first - second).max() < 1e-6


@pytest.mark.long
def test_even_states_are_drawn_more_often() -> None:
    """Decided states are less than half as frequent among the drawn states as among all states of the duel."""
    solved = Solved.of(HeartRush("random_duel:1", PLAIN, memory=0))
    won = np.abs(solved.values[1:, 1:]) > 0.95
    _, values, _, _ = solved.draw(400, np.random.default_rng(1))
    assert won.mean() > 0.4
    assert (np.abs(values) > 0.95).mean() < won.mean() / 2


# -- runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.long  # a stopped run and the command hold journal and figure
def test_exploitability_falls_and_stands_in_journal_and_facts(tmp_path: Path) -> None:
    run = small(tmp_path, 24, n_states=2048, net_arch=(48, 48), checkpoint_every=12)
    at_first = nash_conv(run.network(), run.duel(0))
    run.train(nothing)
    assert run.nash_conv is not None and 0 < run.nash_conv < at_first / 2
    facts = run.facts()
    assert facts["nash_conv"] == facts["nash_conv_drawn_mean"] == run.nash_conv
    assert facts["nash_conv_unseen_max"] >= facts["nash_conv_unseen_mean"] > 0
    assert facts["duels"] == 3 + 24
    lines = [json.loads(line) for line in (tmp_path / "run" / "progress.jsonl").read_text().splitlines()]
    assert [line["samples"] for line in lines] == [2048 * 12, 2048 * 24]
    assert lines[-1]["nash_conv_unseen_mean"] == facts["nash_conv_unseen_mean"]


@pytest.mark.long
def test_a_run_that_was_stopped_ends_with_the_same_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AllDuelsRun, "measure", lambda self: {"drawn": [0.5], "unseen": [0.6]})
    make = partial(small, updates=6)
    check_that_a_stopped_run_ends_alike(make, tmp_path, lambda run, progress: progress.samples > 512 * 4, 4)


def test_old_duels_leave_the_pool(tmp_path: Path) -> None:
    run = small(tmp_path, 4)
    run.fill_pool()
    first = list(run.pool)
    run.update = 2
    run.fill_pool()
    assert run.pool[0] is first[2] and len(run.pool) == 3
    assert run.drawn == 5
    assert run.pool[-1].duel.game.scenario.digest == run.duel(4).scenario.digest


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"profile": "levels"}, "because of the setting levels: it learns only"),
        ({**PLAIN, "contested": "mutual"}, "because of the setting contested='mutual'"),
    ],
)
def test_other_rules_are_refused(rules: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(TrainingError) as refused:
        prepare(AllDuelsConfig("duel", rules), tmp_path)
    assert said in str(refused.value)


# -- the agent written -------------------------------------------------------------------------------------------------


def test_the_figure_is_that_of_the_agent_read_by_observations(pupil: tuple[AllDuelsRun, Path], scenario: str) -> None:
    run, folder = pupil
    game = HeartRush(scenario, PLAIN, memory=0)
    table, player = solve(game), load(str(folder)).seat(game)
    read = exploitability(table, read_policies(player, table)).nash_conv
    assert read > 0.01
    assert nash_conv(run.network(), game) == pytest.approx(read, abs=1e-5)


@pytest.mark.long
@pytest.mark.parametrize("numbers", [(4, 5), pytest.param((3, 4), marks=pytest.mark.long)])
def test_the_command_measures_many_duels(
    pupil: tuple[AllDuelsRun, Path], numbers: tuple[int, int], capsys: Out
) -> None:
    """The long test includes random_duel:3, which goes on for hundreds of rounds."""
    run, folder = pupil
    duels = [f"random_duel:{number}" for number in numbers]
    found = as_json(capsys, "duel exploit --rule profile=plain", folder, f"{duels[0]}-{numbers[1]}")
    gained = [duel["nash_conv"] for duel in found["duels"]]
    assert [duel["scenario"] for duel in found["duels"]] == duels
    games = [HeartRush(name, PLAIN, memory=0) for name in duels]
    assert gained == pytest.approx([nash_conv(run.network(), game) for game in games], abs=1e-6)
    assert found["nash_conv"]["max"] == max(gained)
    said = refusal(capsys, "duel exploit --rule profile=plain", folder, "random_duel:4-3")
    assert "expected a range from the first duel to the last" in said


def test_one_decision_is_that_of_many(pupil: tuple[AllDuelsRun, Path], scenario: str) -> None:
    """A single decision is computed on demand and many come from a filled table, with equal policies."""
    game = HeartRush(scenario, PLAIN)
    player = load(str(pupil[1])).seat(game)
    batch = game.batch(1)
    batch.start([0], 0, [3])
    seen, masks = batch.observations[0], batch.masks[0]
    one = [player.policy({"observation": row, "action_mask": mask}) for row, mask in zip(seen, masks, strict=True)]
    many = player.policies(np.repeat(seen, 300, axis=0), np.repeat(masks, 300, axis=0))  # type: ignore[attr-defined]
    assert np.abs(many.reshape(2, 300, -1) - np.array(one)[:, None]).max() < 1e-6
    assert (np.array(one) > 0).sum() > 4


def test_states_of_which_none_is_left_have_no_values(pupil: tuple[AllDuelsRun, Path], scenario: str) -> None:
    """A batch of hits that all defeat their targets leaves no state to evaluate."""
    duel = read_duel(HeartRush(scenario, PLAIN, memory=0))
    assert DuelView(duel).rows(np.zeros((0, 4), np.int64)).shape == (0, COLUMNS)
    player: Any = load(str(pupil[1])).seat(HeartRush(scenario, PLAIN))
    fallen = np.array([[0, 3, 0, 0], [2, 0, 0, 0]])
    assert player.table.values_at(fallen, np.zeros(2, np.int64)).tolist() == [-1.0, 1.0]


def test_it_plays_any_plain_duel_and_says_what_is_new_to_it(pupil: tuple[AllDuelsRun, Path], scenario: str) -> None:
    run, folder = pupil
    agent = load(str(folder))
    assert agent.plays(HeartRush("unseen_duel:3", PLAIN)) is None
    assert agent.caution(HeartRush("random_duel:1000000", PLAIN)) is None
    with pytest.warns(ScenarioWarning, match=r"boar_0 has hp 7, and it was trained on 40 to "):
        agent.seat(HeartRush(scenario, PLAIN))
    refused = why_unsupported({**run.fits(), "columns": COLUMNS + 1}, run.game)
    assert refused == "its weights are for another view of duels than this version has"


@pytest.mark.parametrize(
    ("given", "rules", "said"),
    [
        ("duel", {}, "the setting levels is on, and only the profile 'plain' is solved"),
        ("melee", PLAIN, "it has 8 fighters"),
        ("skirmish", PLAIN, "it has a map"),
        ("duel", {**PLAIN, "defensive_is_beaten": True}, "it was trained by other rules (defensive_is_beaten = false"),
        ("duel", {**PLAIN, "edition": "classic"}, "its edition 'classic' has a round of its own"),
        ("below 0", PLAIN, "may go on below 0"),
    ],
)
def test_what_it_cannot_play_is_refused(
    pupil: tuple[AllDuelsRun, Path], scenario: str, given: str, rules: dict[str, Any], said: str
) -> None:
    path = Path(scenario)
    path.write_text('heroes = ["blue"]\n' + path.read_text().replace("first_down", "last_standing"))
    game = HeartRush(scenario if given == "below 0" else given, rules)
    assert said in (load(str(pupil[1])).plays(game) or "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda card: card["training"].pop("ranges"), "its ranges are missing"),
        (lambda card: card["training"]["ranges"].update(hp=[1, "2"]), "not pairs of whole numbers"),
    ],
)
def test_a_changed_card_is_refused(pupil: tuple[AllDuelsRun, Path], change: Any, said: str, tmp_path: Path) -> None:
    folder = shutil.copytree(pupil[1], tmp_path / "agent")
    card = json.loads((folder / CARD).read_text())
    change(card)
    (folder / CARD).write_text(json.dumps(card))
    with pytest.raises(AgentError, match=said):
        load(str(folder))
