"""`heartrush encounter compare`: the table, the picture, and the refusals."""

from pathlib import Path
from typing import Any

import pytest
from heartrush_agents.tournament.play import SEED

from heartrush_env.app.heart_rush import editions
from heartrush_env.app.heart_rush.commands.compare import measured, table
from heartrush_env.app.heart_rush.editions import Summary
from heartrush_env.tabletop.intervals import Mean
from tests.app.cli.running import Out, as_json, printed, refusal

QUICK = "encounter compare duel --agent uniform --fights 3 --processes 1 --rule profile=plain"


def test_editions_side_by_side(tmp_path: Path, capsys: Out) -> None:
    """Only in the classic edition are actions declared, and only there does a fighter act first."""
    picture = tmp_path / "editions.png"
    june, classic = as_json(capsys, f"{QUICK} --editions june2025,classic --plot", picture)["duel"]
    assert (june["edition"], classic["edition"], june["fights"]) == ("june2025", "classic", 3)
    assert june["declarations"]["mean"] == 0 < classic["declarations"]["mean"]
    assert june["first"] is None and picture.read_bytes().startswith(b"\x89PNG")


def test_the_table_has_a_line_for_each_edition(capsys: Out) -> None:
    head, rule, line = printed(capsys, f"{QUICK} --editions june2025 --markdown").splitlines()
    assert head.startswith("| scenario | edition | rounds |") and set(rule) == {"|", "-"}
    assert line.startswith("| duel | june2025 | ") and line.count("|") == head.count("|")


def summed(
    edition: str, rounds: tuple[float, float, float], first: tuple[float, float, float] | None = None
) -> Summary:
    """Return a summary with the means 1, 2 and 3 of declared actions, decisions and damage."""
    one, two, three = (Mean(number, number, number, 0.0) for number in (1.0, 2.0, 3.0))
    return Summary(edition, 4, Mean(*rounds, 0.0), one, two, three, first, (0.25, 0.0, 0.5), 1.5)


JUNE, CLASSIC = summed("june2025", (20.0, 18.0, 22.0)), summed("classic", (9.5, 9.5, 9.5), (0.1, -0.2, 0.4))


def test_cells_hold_half_the_width_of_an_interval() -> None:
    """A number without an interval is shown alone, and an unknown number as a dash."""
    rows = [line.split(" | ") for line in table({"duel": [JUNE, CLASSIC]}, markdown=True).splitlines()]
    assert rows[1] == ["|---|---|---|---|---|---|---|---|---|"]
    assert rows[2] == "| duel | june2025 | 20.00 ± 2.00 | 1.00 | 2.00 | 3.00 | - | 0.25 ± 0.25 | 1.50 |".split(" | ")
    assert rows[3] == "| duel | classic | 9.50 | 1.00 | 2.00 | 3.00 | 0.10 ± 0.30 | 0.25 ± 0.25 | 1.50 |".split(" | ")
    plain = table({"duel": [JUNE]}, markdown=False).splitlines()
    assert plain[0].startswith("scenario  edition   rounds        declared actions") and "|" not in plain[1]


def test_a_picture_has_each_edition_in_each_scenario() -> None:
    found = measured({"duel": [JUNE, CLASSIC], "melee": [CLASSIC, JUNE]})
    assert found["rounds"] == {"june2025": [(20, 18, 22), (9.5, 9.5, 9.5)], "classic": [(9.5, 9.5, 9.5), (20, 18, 22)]}
    assert found["worth of acting first"]["june2025"] == [None, (0.1, -0.2, 0.4)]
    assert found["entropy of stances (bits)"]["classic"] == [(1.5, 1.5, 1.5)] * 2


def test_what_is_asked_for_is_played(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    """Every option of the command reaches the fights."""
    asked: list[tuple[Any, ...]] = []

    def note(games: Any, agent: str, *, progress: Any, **more: Any) -> list[Summary]:
        asked.append(
            (agent, more, *({key: game.rules[key] for key in ("edition", "levels")} for game in games.values()))
        )
        return [JUNE, CLASSIC]

    monkeypatch.setattr(editions, "compare", note)
    told = printed(capsys, f"{QUICK} --editions june2025,classic --seed 9")
    told += printed(capsys, "encounter compare duel --editions classic")
    more = {"fights": 3, "seed": 9, "processes": 1}
    usual = {"fights": 200, "seed": SEED, "processes": None}
    here, there = ({"edition": edition, "levels": False} for edition in ("june2025", "classic"))
    assert asked == [("uniform", more, here, there), ("tactician", usual, {"edition": "classic", "levels": True})]
    assert told.count("duel      june2025") == 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--plot no/such/folder/x.png", "expected an existing folder, got no/such/folder"),
        ("--editions june2025,june", "not a list of editions such as june2025"),
        ("--editions classic,classic", "not a list of editions such as june2025"),
        ("--rule edition=classic", "which --editions sets"),
        ("--plot x.txt", "expected a name ending in .png, .svg or .pdf"),
        ("--fights 1", "not a whole number of at least 2"),
    ],
)
def test_faults_are_told_before_any_fight(words: str, says: str, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "compare", lambda *_, **__: pytest.fail("it has played"))
    assert says in refusal(capsys, f"{QUICK} {words}")
