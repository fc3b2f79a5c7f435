"""The engine plays the corpus as it is written."""

from pathlib import Path

import pytest

from tests.corpus.played import CORPUS, FOLDER, IN_EARLIER_VERSIONS, Fight, earlier_file_of, file_of, replay

HOW = "python -m tests.corpus.played writes the corpus again, which only a change of the rules may do"
QUICK = ("duel", "brawl", "skirmish")  # the scenarios of fights that short runs play under earlier settings, too
LARGE = ("ambush", "bridge", "dragon", "tower", "warband")  # the scenarios of which short runs play only one fight
COLUMNS = ("choices", "hit points", "events, legal choices, what is seen, state", "rewards")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name.startswith(LARGE) and not name.endswith("-full") else [])
        for name in CORPUS
    ],
)
def test_a_fight_is_played_as_it_is_written(name: str) -> None:
    check(CORPUS[name], file_of(CORPUS[name]))


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name.startswith(QUICK) else pytest.mark.long) for name in IN_EARLIER_VERSIONS],
)
def test_a_fight_is_played_as_an_earlier_version_wrote_it_under_the_settings_of_that_version(name: str) -> None:
    check(IN_EARLIER_VERSIONS[name], earlier_file_of(CORPUS[name]))


def check(fight: Fight, file: Path) -> None:
    """Check line by line that a fight is played as its file says."""
    name, (_, *written) = file.stem, file.read_text(encoding="utf-8").splitlines()
    assert written
    for line, played, witness in replay(fight, written):
        wrong = [
            column
            for column, old, new in zip(COLUMNS, line.split(" | "), played.split(" | "), strict=False)
            if old != new
        ]
        now = {"events": witness.env.unwrapped.events, "state": witness.state(), "legal": witness.legal()}
        assert played == line, f"{name}.txt: {', '.join(wrong)} differ; {HOW}. Now: {now}"
    assert not witness.env.agents or len(written) > 1


def test_every_fight_has_a_file_and_no_file_is_left_over() -> None:
    assert CORPUS.keys() == {file.stem for file in (FOLDER / "fights").glob("*.txt")}


def test_the_corpus_shows_most_of_what_can_happen() -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (FOLDER / "fights").glob("*.txt"))
    for word in (
        *("stance might", "shrug", "take", "yield", "say ", "pick_up", "rise", "stand", "break_free", "wriggle_free"),
        *("tear_free", "cut_free", "cut_loose", "hop_off", "douse", "swing_past", "door"),
        *("shake_off", "put_out_fire", "overcome", "let_go", "attack 1", "grapple", "climb_on", "dirty_strike"),
        *("blind", "trip", "shove", "disarm", "taunt", "opportunity", "help", "dash", "sidestep", "swap", "follow"),
        *("engage", "enter"),
    ):
        assert f" {word}" in text, f"no fight of the corpus has the choice {word!r}"
