"""`heartrush compare`: the table, the picture, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heartrush_env.cli.main import main

QUICK = ["compare", "duel", "--agent", "uniform", "--fights", "3", "--processes", "1", "--rule", "profile=plain"]


def test_editions_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only in the classic edition does anybody begin an engagement, and have priority."""
    picture = tmp_path / "editions.png"
    assert main([*QUICK, "--editions", "june2025,classic", "--json", "--plot", str(picture)]) == 0
    june, classic = json.loads(capsys.readouterr().out)["duel"]
    assert (june["edition"], classic["edition"], june["fights"]) == ("june2025", "classic", 3)
    assert june["declarations"]["mean"] == 0 < classic["declarations"]["mean"]
    assert june["first"] is None and picture.read_bytes().startswith(b"\x89PNG")


def test_the_table_has_a_line_for_each_edition(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUICK, "--editions", "june2025", "--markdown"]) == 0
    head, rule, line = capsys.readouterr().out.splitlines()
    assert head.startswith("| scenario | edition | rounds |") and set(rule) == {"|", "-"}
    assert line.startswith("| duel | june2025 | ") and line.count("|") == head.count("|")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--editions", "june2025,june"], "not a list of editions such as june2025"),
        (["--rule", "edition=classic"], "set by --editions"),
        (["--plot", "x.txt"], "pictures are written as .png or .svg"),
        (["--fights", "1"], "not a whole number of at least 2"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: int | str | None = main([*QUICK, *words])
    except SystemExit as ended:  # argparse's own
        code = ended.code
    assert code == 2 and says in capsys.readouterr().err
