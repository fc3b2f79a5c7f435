"""The benchmarks run, and the tables in the README files are those of the published run."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import portable, run, serving, table
from benchmarks.contests import contests, ours
from heartrush_env.app.heart_rush.commands import bench
from heartrush_env.games.heart_rush.game import HeartRush

ENTITIES = "entities_"
SERVERS = ("carriers", "crowd", "recovery")  # rows whose servers take long to start
APART = (*SERVERS, "webassembly")  # rows that have tests of their own
COMPILED_FOR_THEM = ("abilities_", ENTITIES)  # prefixes of rows whose machine code no other test needs

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> table.Result:
    """Return the result of a benchmark run with a tiny budget."""
    path = tmp_path_factory.mktemp("benchmarks") / "result.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "LONGEST_MIXING", 1)
        chosen = [one for one in contests() if not one.name.startswith(COMPILED_FOR_THEM)]
        patch.setattr(run, "contests", lambda: chosen)
        usual = run.measures
        patch.setattr(
            run, "measures", lambda given: {name: each for name, each in usual(given).items() if name not in APART}
        )
        assert run.main(["--seconds", "0.002", "--repeats", "1", "--no-cold", "--json", str(path)]) == 0
    found: table.Result = json.loads(path.read_text(encoding="utf-8"))
    return found


def expected_rows() -> list[tuple[str, str]]:
    """Return the name and unit of every row."""
    speeds = [(contest.name, f"{unit}/s") for contest in contests() for unit in contest.units]
    starts = [(name, unit) for name in ("first_start", "later_start") for unit in ("s", "CPU s")]
    memory = [("memory", unit) for unit in ("bytes", "MB", "MB")]
    engine = [("engine", unit) for unit in ("s", "decisions/s", "decisions/s")]
    carriers = [("carriers", "decisions/s")] * 7
    crowd = [("crowd", unit) for unit in ("decisions/s", "ms", "ms")]
    served = [*engine, *carriers, *crowd, ("recovery", "s")]
    modules = [("webassembly", unit) for unit in ("kB", "kB", *["µs"] * 6)]
    return [*speeds, *starts, ("import", "s"), ("threads", "x"), *served, *memory, ("download", "MB"), *modules]


@pytest.mark.long
def test_a_run_has_every_row(result: table.Result) -> None:
    expected = [row for row in expected_rows() if not row[0].startswith((*COMPILED_FOR_THEM, *APART))]
    assert [(row["name"], row["unit"]) for row in result["rows"]] == expected


@pytest.mark.long
def test_servers_are_timed_under_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "CROWD", 3)
    monkeypatch.setattr(serving, "KILLED", 2)
    path = tmp_path / "result.json"
    found = []
    for name in SERVERS:
        assert run.main(["--only", name, "--seconds", "0.01", "--repeats", "1", "--json", str(path)]) == 0
        found += json.loads(path.read_text(encoding="utf-8"))["rows"]
    assert [(row["name"], row["unit"]) for row in found] == [row for row in expected_rows() if row[0] in SERVERS]
    assert all(row["median"] > 0 and row["note"].startswith("load ") for row in found)
    _, median, slow = (row["median"] for row in found if row["name"] == "crowd")
    assert median <= slow


@pytest.mark.long
def test_entities_are_timed_beside_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "LONGEST_MIXING", 1)
    path = tmp_path / "result.json"
    wanted = ["--only", ENTITIES, "--seconds", "0.002", "--repeats", "1", "--json", str(path)]
    assert run.main(wanted) == 0
    rows = {row["name"]: row for row in json.loads(path.read_text(encoding="utf-8"))["rows"] if row["median"]}
    assert set(rows) == {"entities_field_16", "entities_field_128"}


@pytest.mark.long
def test_duels_are_timed_as_webassembly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portable, "KINDS", {"duels": ("duel",)})
    monkeypatch.setattr(portable, "SCENARIOS", ("duel",))
    path = tmp_path / "result.json"
    assert run.main(["--only", "webassembly", "--seconds", "0.01", "--repeats", "1", "--json", str(path)]) == 0
    size, *windows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    assert size["unit"] == "kB" and 50 < size["median"] < 300
    assert [row["what"].rpartition(", ")[2] for row in windows] == ["machine code", "Wasmtime", "Node"]
    assert all(row["median"] > 0 for row in windows)


@pytest.mark.long
def test_a_row_has_a_figure_or_says_why_not(result: table.Result) -> None:
    for row in result["rows"]:
        if row["median"] is None:
            assert row["note"] in (run.NOT_MEASURED, run.NOT_INSTALLED)
        else:
            assert row["low"] <= row["median"] <= row["high"]
    measured = {row["name"] for row in result["rows"] if row["median"] is not None}
    named = {contest.name for contest in ours() if not contest.name.startswith(COMPILED_FOR_THEM)}
    assert measured >= named | {"later_start", "import"}


@pytest.mark.long
def test_what_can_be_measured_at_once_is_above_nothing(result: table.Result) -> None:
    for row in result["rows"]:
        if row["unit"] in ("agent-steps/s", "env-steps/s") and row["median"] is not None:
            assert row["median"] > 0


@pytest.mark.long
def test_the_import_is_light(result: table.Result) -> None:
    (row,) = [row for row in result["rows"] if row["name"] == "import"]
    assert row["note"] == "without torch, numba, pygame"


def test_a_part_can_be_chosen_and_a_wrong_name_is_refused(capsys: Capture) -> None:
    assert run.main(["--only", "download"]) == 0
    assert capsys.readouterr().out.count("\n| core download |") == 1
    with pytest.raises(SystemExit, match="No benchmark has 'vektor' in its name"):
        run.main(["--only", "vektor"])


def test_the_classic_round_stands_beside_junes_in_the_same_units() -> None:
    rows = {contest.name: contest for contest in ours()}
    beside = {"stance_4096": "vector_stance_4096", "full_4096": "vector_full_4096", "melee_256": "melee_256",
              "field_16": "field_16", "parallel": "parallel"}  # fmt: skip
    assert {name.removeprefix("classic_") for name in rows if name.startswith("classic_")} == set(beside)
    for name, june in beside.items():
        assert rows[f"classic_{name}"].units == rows[june].units


@pytest.mark.parametrize("edition", ["june2025", pytest.param("classic", marks=pytest.mark.long)])
def test_what_is_timed_is_a_fight_of_the_edition(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    init = HeartRush.__init__

    def noting(game: HeartRush, *given: Any, **more: Any) -> None:
        init(game, *given, **more)
        asked.append(game.rules["edition"])

    monkeypatch.setattr(HeartRush, "__init__", noting)
    monkeypatch.setattr(bench, "LONGEST_MIXING", 1)
    for step in (bench.vector_step("duel", "full", 2, edition), bench.environment_step("duel", edition)):
        assert step()[0] > 0
    assert asked == [edition] * 2


def test_peers_that_are_not_installed_are_left_out() -> None:
    def missing() -> run.Step:
        raise ModuleNotFoundError("No module named 'pyspiel'")

    arguments = run.make_parser().parse_args(["--seconds", "0.001", "--repeats", "1"])
    (row,) = run.compete([run.Contest("peer", "a peer", ("env-steps",), missing, "pyspiel")], arguments)
    assert (row.values, row.note, row.as_data()["median"]) == ([], "not installed", None)


@pytest.mark.parametrize("page", table.PAGES, ids=lambda page: page.parent.name)
def test_the_tables_are_those_of_the_published_run(page: Path) -> None:
    """`python -m benchmarks.run --render benchmarks/results/published.json --write-readme` writes the tables."""
    published = json.loads(table.PUBLISHED.read_text(encoding="utf-8"))
    text = page.read_text(encoding="utf-8")
    assert table.filled(text, table.PAGES[page](published)) == text


def test_rows_of_a_later_run_replace_earlier_ones_and_say_so() -> None:
    machine = {"date": "2026-01-02", "load_at_start": 3.0, "load_at_end": 4.5}
    row = {"what": "w", "unit": "s", "note": "n", "median": 1.0, "low": 1.0, "high": 1.0, "core_share": 0.5}
    earlier = {"machine": {"date": "2026-01-01"}, "rows": [{**row, "name": name} for name in ("a", "c", "d")]}
    later = {"machine": machine, "rows": [{**row, "name": name, "median": 2.0} for name in ("c", "b")]}
    found = table.replaced(earlier, later, ["a", "b", "c"])
    assert found["machine"] == earlier["machine"]
    assert [(each["name"], each["median"]) for each in found["rows"]] == [
        ("a", 1.0),
        ("b", 2.0),
        ("c", 2.0),
        ("d", 1.0),
    ]
    said = " (in a run of its own, 2026-01-02, load 3.0 to 4.5)"
    assert [table.apart(each) for each in found["rows"]] == ["", said, said, ""]


def test_the_published_run_has_every_row_and_its_peers() -> None:
    published = json.loads(table.PUBLISHED.read_text(encoding="utf-8"))
    assert [(row["name"], row["unit"]) for row in published["rows"]] == expected_rows()
    assert [row["name"] for row in published["rows"] if row["median"] is None] == []
