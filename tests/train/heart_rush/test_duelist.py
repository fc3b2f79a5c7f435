"""The shipped agents: the duelist's card holds in new fights, and the commands on the cards reproduce the weights."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from heartrush_agents import load
from heartrush_agents.learned.agent import CARD, WEIGHTS, read_card, shipped
from heartrush_agents.tournament.cross_table import rate

from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush.game import HeartRush

FIGHTS = 1000  # of each pair; an interval then reaches about 3 points, the card's about 1.5
LEARNERS = {"frequency", "markov_1", "markov_2", "modeller"}

pytestmark = pytest.mark.long


def test_the_card_is_true() -> None:
    """With dice other than the card's, the scores agree within their intervals."""
    scores = read_card(shipped()["duelist"])["scores"]
    others = list(scores["against"])
    table = rate(["duelist"], HeartRush("duel"), against=others, fights=FIGHTS, seed=7)
    for id in others:
        cell = table.cell("duelist", id)
        assert cell is not None
        _, low, high = scores["against"][id]
        assert 100 * cell.low <= high and low <= 100 * cell.high, id
        assert id in LEARNERS or 1 - cell.high <= 0.55, id


def test_its_command_trains_it_again(tmp_path: Path) -> None:
    """With the card's versions the weights may be equal; otherwise the scores agree within the card's tolerance."""
    card = read_card(shipped()["duelist"])
    words = shlex.split(card["training"]["command"])[1:]
    assert main([*words, "--out", str(tmp_path), "--rate-fights", str(FIGHTS)]) == 0
    again = json.loads((tmp_path / CARD).read_text())
    if again["training"]["versions"] == card["training"]["versions"] and again["sha256"] == card["sha256"]:
        assert (tmp_path / WEIGHTS).read_bytes() == (shipped()["duelist"] / WEIGHTS).read_bytes()
        return
    there, here = card["scores"], again["scores"]
    assert abs(here["mean"] - there["mean"]) <= there["tolerance"]["mean"]
    for id, (score, low, high) in here["against"].items():
        assert abs(score - there["against"][id][0]) <= there["tolerance"]["each"] + (high - low) / 2, id
    assert load(str(tmp_path)).id == "duelist"


SAMPLES = 20_000


@pytest.mark.parametrize("id", shipped())
def test_the_command_on_a_card_gives_the_same_weights_twice(id: str, tmp_path: Path) -> None:
    """Two processes on this machine write exactly equal weights."""
    words = shlex.split(read_card(shipped()[id])["training"]["command"])[1:]
    found = []
    for name in ("one", "other"):
        more = ["--total-samples", str(SAMPLES), "--rate-fights", "0", "--out", str(tmp_path / name)]
        subprocess.run([sys.executable, "-m", "heartrush_env.app.cli.main", *words, *more], check=True)
        found.append((tmp_path / name / WEIGHTS).read_bytes())
    assert found[0] == found[1]
