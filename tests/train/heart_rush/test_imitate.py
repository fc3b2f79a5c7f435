"""The recipe `imitate`: rows of decisions, learning a teacher's habit, resumed runs, and records of fights."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from heartrush_agents import load
from heartrush_agents.heart_rush.learned.entity_view import look
from heartrush_train.config import ImitateConfig, TrainingError
from heartrush_train.export import write_agent
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.heart_rush.entity_rows import Rows
from heartrush_train.heart_rush.imitate import ImitateRun, Lesson
from heartrush_train.recipes import prepare

from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.stances import table_of_beats
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.records.recorder import Recorder
from tests.agents.seats import begun, seen_by
from tests.random_play import legal_actions
from tests.train.runs import check_that_a_stopped_run_ends_alike, nothing

SMALL: dict[str, Any] = {"n_envs": 8, "n_samples": 64, "batch_size": 32, "checkpoint_every": 3}
SMALL |= {"net_arch": (8, 4), "learning_rate": 0.01}
FEW = {**SMALL, "n_envs": 2}


def run_of(folder: Path, samples: int = 384, **options: Any) -> ImitateRun:
    training = prepare(ImitateConfig(total_samples=samples, **{**SMALL, **options}), folder)
    assert isinstance(training, ImitateRun)
    return training


def lines(folder: Path) -> list[Any]:
    return [json.loads(line) for line in (folder / "progress.jsonl").read_text().splitlines()]


LARGE = pytest.param(("skirmish", "tower"), marks=pytest.mark.long)


@pytest.mark.parametrize("scenarios", [("duel", "brawl"), LARGE])
def test_rows_are_read_as_the_fights_are(plainly: None, scenarios: tuple[str, ...]) -> None:
    """Each choice keeps its logit after rows from fights of different sizes are joined and reordered."""
    torch.manual_seed(1)
    net, rng, kept, wanted = EntityNet(8, 4), np.random.default_rng(2), [], []
    for name in scenarios:
        game = HeartRush(name)
        fights = game.batch(2, observations="entities")
        fights.start(range(2), 3, range(2))
        for _ in range(3):
            fights.step(legal_actions(fights, rng), autoreset=True)
        where = np.ones(fights.out.shape, np.bool_).nonzero()
        masks = fights.masks[where]
        seen = look(fights.seen, *where, fights.layout, game.action_slots, masks)
        kept.append(Rows.of(seen, rng.random(masks.shape).astype(np.float32), number=np.arange(len(masks))))
        with torch.no_grad():
            logits = net(seen.converted(torch.from_numpy))[0].numpy()
        wanted += [logits[row, mask != 0] for row, mask in enumerate(masks)]
    whole, order = Rows.joined(kept), rng.permutation(len(wanted))
    part = whole.take(order)
    with torch.no_grad():
        found = net(part.seen())[0].numpy()
    for place, row in enumerate(order):
        np.testing.assert_allclose(found[place][: len(wanted[row])], wanted[row], rtol=1e-4, atol=1e-5)
        assert np.isneginf(found[place][len(wanted[row]) :]).all()
        assert part.more["number"][place] == whole.more["number"][row]
        begin, end = whole.starts[row : row + 2]
        assert part.dense_shares()[place][: end - begin].tolist() == whole.shares[begin:end].tolist()


def test_a_habit_is_learned_and_exported(plainly: None, tmp_path: Path) -> None:
    """The teacher always takes might; the network learns it in held-out fights, and the written agent plays it."""
    run = run_of(tmp_path / "run", 1152, teacher="might", opponents=("uniform", "itself"), checkpoint_every=6)
    network, game = run.train(nothing), HeartRush("duel")
    first, *_, last = lines(tmp_path / "run")
    assert last["losses"]["held-out agreement"] > 0.9 > first["losses"]["held-out agreement"], (first, last)
    assert last["losses"]["held-out loss"] < first["losses"]["held-out loss"] / 2
    write_agent(tmp_path / "agent", "pupil", "A pupil.", network, game, run.facts(), run.fits())
    shares = load(tmp_path / "agent").seat(game).policy(seen_by(begun(game)))
    assert shares[game.action_names.index("stance might")] > 0.8


@pytest.mark.long
def test_a_run_that_stopped_goes_on_to_the_same_weights(plainly: None, tmp_path: Path) -> None:
    """The run is stopped two updates after a checkpoint, and resumed from there."""
    make = partial(run_of, teacher="might", opponents=("uniform", "itself"))
    check_that_a_stopped_run_ends_alike(make, tmp_path, lambda run, _: run.update == 5, 3)
    assert [line["samples"] for line in lines(tmp_path / "stopped")] == [192, 384]


def test_foresight_wants_the_stance_that_beats_the_enemys(plainly: None, tmp_path: Path) -> None:
    """In a duel of equals with equal dice, the best reply to an attacking stance is the stance that beats it."""
    fighter = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 6, "hp": 30}
    both = [{"id": name, "team": name, **fighter} for name in ("one", "two")]
    game = HeartRush({"name": "equals", "fighter": both})
    lesson = Lesson(game, ImitateConfig(foresight=1, **SMALL))
    lesson.seats.start(np.random.default_rng(1))
    beats = table_of_beats(game.scenario.settings)
    for taken in range(3):
        lesson.seats.actions[:] = lesson.stances[taken]
        wanted = np.zeros((1, len(game.action_names)), np.float32)
        lesson.foresee(np.array([0]), np.array([0]), wanted)
        stance = lesson.stances.tolist().index(wanted[0].argmax())
        assert wanted[0].sum() == 1 and beats[stance, taken], (STANCES[stance], STANCES[taken])


def recorded(path: Path, ids: tuple[str, str], number: int) -> Path:
    """Write the record of a duel between two agents, and return its path."""
    env, game = ParallelFights(HeartRush("duel")), HeartRush("duel")
    named = dict(zip(game.agents, ids, strict=True))
    players = Players(game, {seat: load(id).seat(game) for seat, id in named.items()})
    players.new_match()
    recorder = Recorder(game, (1, number), {seat: {"agent": id} for seat, id in named.items()})
    first, *windows = play_fight(env, players, 1, number)
    recorder.begin(first.events)
    for window in windows:
        recorder.step(window.chosen, window.events)
    recorder.end(windows[-1].rewards)
    return recorder.write(path)


@pytest.mark.long
def test_a_teacher_is_asked_for_a_share_of_the_moves(plainly: None) -> None:
    """`move_share` limits only moves; every row that is kept has a policy of the teacher."""
    game = HeartRush("skirmish")
    found = {}
    for share in (0.0, 1.0):
        config, rng = ImitateConfig(move_share=share, teacher="uniform", **FEW), np.random.default_rng(1)
        lesson = Lesson(game, config)
        lesson.seats.start(rng)
        windows = [lesson.window(EntityNet(8, 4), rng) for _ in range(6)]
        rows = Rows.joined([window for window in windows if window is not None and len(window)])
        found[share] = len(rows), len(rows.ordinal)
        assert np.allclose(np.add.reduceat(rows.shares, rows.starts[:-1]), 1, atol=1e-5)
    assert found[0.0][1] == 0 < found[1.0][1] and found[0.0][0] < found[1.0][0]


@pytest.mark.long
def test_a_network_for_stances_leaves_the_rest_to_the_tactician(plainly: None) -> None:
    """In every window, the tactician makes the learner's other decisions, and only stances are learned."""
    game = HeartRush("skirmish")
    lesson, rng = Lesson(game, ImitateConfig(foresight=1, only_stances=1, **FEW)), np.random.default_rng(1)
    tactician: Any = load("tactician").seat(game)
    stances = [game.action_names.index(f"stance {stance}") for stance in STANCES]
    lesson.seats.start(rng)
    learned, left = 0, 0
    for _ in range(6):
        shown = lesson.seats.fights.observations["action_mask"]
        slots, seats = ((shown.sum(axis=2) > 1) & lesson.seats.learns).nonzero()
        masks = lesson.seats.fights.observations["action_mask"][slots, seats].copy()
        seen = lesson.seats.fights.vectors[slots, seats].copy()
        hidden = masks[:, stances].any(axis=1)
        rows = lesson.window(EntityNet(8, 4), rng)
        assert (0 if rows is None else len(rows)) == hidden.sum()
        wanted = tactician.choices(seen[~hidden], masks[~hidden]) if (~hidden).any() else []
        assert lesson.seats.actions[slots, seats][~hidden].tolist() == list(wanted)
        learned, left = learned + hidden.sum(), left + len(wanted)
    assert learned and left


def test_only_stances_are_learned_from_records(tmp_path: Path) -> None:
    path = str(recorded(tmp_path / "one.hrr", ("agility", "cunning"), 1))
    every, stances = (run_of(tmp_path / str(k), records=(path,), only_stances=k) for k in (0, 1))
    assert every.recorded is not None and stances.recorded is not None
    chosen = len(every.recorded), len(stances.recorded)
    assert 0 < chosen[1] < chosen[0]
    assert stances.fits()["decides"] == "stances" and every.fits()["decides"] == "everything"


@pytest.mark.long
def test_a_players_style_is_learned_from_records(tmp_path: Path) -> None:
    """The run learns from the named player of two; without a name, it keeps both players' decisions."""
    paths = [recorded(tmp_path / f"{number}.hrr", ("agility", "cunning"), number) for number in range(9)]
    given = {"records": tuple(map(str, paths)), "player": "cunning", "checkpoint_every": 20}
    run = run_of(tmp_path / "run", 1280, **given)
    run.train(nothing)
    both = run_of(tmp_path / "both", **{**given, "player": ""})
    assert run.recorded is not None and both.recorded is not None and len(both.recorded) > len(run.recorded)
    assert lines(tmp_path / "run")[-1]["losses"]["held-out agreement"] > 0.8
    assert run.fits()["shapes"] == ["duel"]
    with pytest.raises(TrainingError, match="at least one decision of 'nobody'"):
        run_of(tmp_path / "none", **{**given, "player": "nobody"})
