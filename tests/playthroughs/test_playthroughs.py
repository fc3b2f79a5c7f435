"""The golden playthroughs are what the engine plays today."""

import pytest

from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from tests.playthroughs.regenerate import FOLDER, PLAYTHROUGHS, file_of, text_of

HOW = "python -m tests.playthroughs.regenerate writes the playthroughs again: read the difference before you keep it"


LONG = "classic_bridge"  # compiles what nothing else in `make test` needs


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == LONG)) for name in PLAYTHROUGHS]
)
def test_a_playthrough_is_played_as_it_is_written(name: str) -> None:
    written = file_of(name).read_text(encoding="utf-8").splitlines()
    played = text_of(name).splitlines()
    for number, (old, new) in enumerate(zip(written, played, strict=False), 1):
        assert new == old, f"{name}.txt, line {number}; {HOW}"
    assert len(played) == len(written), f"{name}.txt; {HOW}"


def test_every_shipped_scenario_has_one_and_no_file_is_left_over() -> None:
    assert set(shipped_scenarios()) <= PLAYTHROUGHS.keys() == {file.stem for file in FOLDER.glob("*.txt")}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("shrug_at_zero", ["> shrug fighter cat_0", "hp -", "> yield fighter cat_0", "cause victory winners red"]),
        ("grapple", ["> maneuver fighter cat_0 target dog_0 maneuver grapple success", "purpose break_free success"]),
        ("talk", ["> talk fighter cat_0 stance might", "> reveal stances cat_0 cunning"]),
        ("classic", ["> declare fighter squire_0 action enter", "priority team blue cause engaged", "defense_roll 14"]),
        ("classic_bridge", ["action engage", "action enter", "> move fighter"]),
        ("team_control", ["blue_0 sees", "pick "]),
    ],
)
def test_the_hand_picked_ones_show_what_they_are_picked_for(name: str, words: list[str]) -> None:
    text = " ".join(file_of(name).read_text(encoding="utf-8").split())
    for word in words:
        assert word in text
