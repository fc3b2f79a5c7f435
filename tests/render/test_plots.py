"""Plots: they show what was found, in files of both kinds; refusals; nothing is drawn without matplotlib."""

import sys
from pathlib import Path

import numpy as np
import pytest

from heartrush_env.research import plots
from heartrush_env.research.analysis.leaks import leaks
from heartrush_env.research.analysis.round_values import best_answer
from heartrush_env.research.analysis.stance_values import stance_values
from heartrush_env.research.solve import solve
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.tabletop.errors import HeartRushError
from tests.research.analysis.duels import GAMES, random_policy

pytest.importorskip("matplotlib")

STATE = (9, 7, 6, 8)
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def table() -> Tablebase:
    return solve(GAMES["without a cap"])


def test_the_stance_game_shows_its_numbers(table: Tablebase, tmp_path: Path) -> None:
    figure = plots.stance_game(table, STATE)
    game = stance_values(table, STATE)
    [axes] = figure.axes
    assert np.asarray(axes.images[0].get_array()) == pytest.approx(game.matrix)
    told = [text.get_text().replace("\N{MINUS SIGN}", "-") for text in axes.texts]
    assert told == [f"{worth:+.3f}" for worth in game.matrix.ravel()]
    assert axes.get_yticklabels()[0].get_text() == f"might\n{100 * game.mix[0]:.1f} %"
    content = plots.write(figure, tmp_path / "game.svg").read_text()
    assert "ann_0 takes" in content and "bob_0 takes" in content and "scenario: ann_0 9 hp d6, bob_0 7 hp d8" in content


def test_values_are_drawn_with_the_first_fighter_upwards(table: Tablebase, tmp_path: Path) -> None:
    figure = plots.value_map(table)
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [panel.get_title() for panel in panels] == [
        "heart d6 against d8", "heart d6 against d4", "heart d4 against d8", "heart d4 against d4"
    ]  # fmt: skip
    shown = panels[1].images[0]
    assert shown.origin == "lower" and np.asarray(shown.get_array()) == pytest.approx(table.values[0][1:, 1:, 1, 0])
    assert (panels[0].get_xlabel(), panels[0].get_ylabel()) == ("hit points of bob_0", "hit points of ann_0")
    one = plots.value_map(table, [(6, 6)])
    assert [axes.get_title() for axes in one.axes if axes.get_title()] == ["heart d6 against d6"]
    assert plots.write(one, tmp_path / "values.png").read_bytes().startswith(PNG)
    with pytest.raises(HeartRushError, match="Expected a state with hit points from 0 to"):
        plots.value_map(table, [(12, 8)])


def test_pure_mixes_stand_in_the_corners_and_defensive_makes_them_large(tmp_path: Path) -> None:
    mixes = np.array([[1, 0, 0, 0], [0, 0.5, 0, 0.5], [0, 0, 1, 0], [0, 0, 0, 1], [0.25, 0.25, 0.25, 0.25]])
    figure = plots.simplex({"somebody": mixes}, "corners")
    [points] = figure.axes[0].collections
    top = np.sqrt(0.75)
    assert np.asarray(points.get_offsets()) == pytest.approx(np.array([[0.5, top], [0, 0], [1, 0], [0.5, top / 3]]))
    might, agility, cunning, all_alike = points.get_sizes()
    assert might == cunning < all_alike < agility
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["somebody (1 states all defensive, not shown)"]
    with pytest.raises(HeartRushError, match="Expected 1 to 6 players in one triangle, got 7"):
        plots.simplex({str(number): mixes for number in range(7)}, "too many")


def test_leaks_and_regrets_are_those_that_were_found(table: Tablebase, tmp_path: Path) -> None:
    policies = random_policy(table.duel, 1), random_policy(table.duel.turned(), 2)
    found = [leaks(table, policy, best_answer(table, policy)[0]) for policy in policies]
    figure = plots.leak_map(found, "where it leaks")
    for axes, seat in zip(figure.axes, found, strict=False):
        assert axes.images[0].get_array().sum() == pytest.approx(1000 * seat.total)
        assert axes.get_title().endswith(f"loses {seat.total:.3f} of value in a duel")
    assert figure.axes[1].get_ylabel() == "hit points of bob_0"
    figure = plots.regret_map(found[:1], "what a round may lose")
    corner = figure.axes[0].images[0].get_array()[-1, -1]  # at the start the heart dice are whole
    assert corner == pytest.approx(found[0].regrets[0][table.duel.start])
    written = plots.write_each(figure, tmp_path, "regrets")
    assert [path.name for path in written] == ["regrets.png", "regrets.svg", "regrets.pdf"]
    assert [path.read_bytes()[:4] for path in written] == [PNG[:4], b"<?xm", b"%PDF"]
    assert min(path.stat().st_size for path in written) > 5000


def test_the_same_picture_is_the_same_file(table: Tablebase, tmp_path: Path) -> None:
    for kind in ("png", "svg", "pdf"):
        files = [plots.write(plots.stance_game(table, STATE), tmp_path / f"{name}.{kind}") for name in "ab"]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_other_files_are_refused_and_leave_nothing(table: Tablebase, tmp_path: Path) -> None:
    figure = plots.stance_game(table, STATE)
    with pytest.raises(HeartRushError, match=r"expected a name ending in \.png, \.svg or \.pdf, got '\.eps'"):
        plots.write(figure, tmp_path / "game.eps")
    with pytest.raises(HeartRushError, match=r"expected an existing folder, got .*none"):
        plots.write(figure, tmp_path / "none" / "game.png")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_error_names_the_extra(table: Tablebase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HeartRushError, match=r"pip install 'heartrush-env\[plots\]'"):
        plots.stance_game(table, STATE)
