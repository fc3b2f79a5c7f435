"""Blocks of pages that are made from live objects: the short ones in the repository, the long ones on the site."""

import re
import shlex
from pathlib import Path

import pytest
from pages.blocks import KEPT, ON_SITE, written
from pages.markdown import BLOCK, filled, table

from heartrush_env.app.cli.main import main
from heartrush_env.app.conformance import moments

ROOT = Path(__file__).parents[2]
FOUND = {
    block[2]: block[3]
    for page in (ROOT / "docs").rglob("*.md")
    for block in BLOCK.finditer(page.read_text(encoding="utf-8"))
}


def test_what_the_repository_holds_is_up_to_date() -> None:
    stale = [path.name for path, text in written().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "`make docs` writes them"


def test_moments_are_of_each_kind_of_window() -> None:
    assert {moment["shape"] for moment in moments().values()} == {"duel", "team"}
    windows = {moment["view"]["window"] for moment in moments().values()}
    assert windows == {"stance", "attack", "shrug", "action"}


def test_every_block_is_made_once_and_every_made_block_is_on_a_page() -> None:
    assert KEPT.keys() & ON_SITE.keys() == set()
    assert set(FOUND) - {"speed"} == KEPT.keys() | ON_SITE.keys(), "the benchmarks write the block `speed`"


@pytest.mark.parametrize("name", ON_SITE)
def test_a_long_table_is_not_in_the_repository_but_a_command_that_prints_it(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(FOUND[name].splitlines()) <= 6
    commands = re.findall(r"`heartrush (.+?)`", FOUND[name].replace("\n", " "))
    assert commands or "In Python" in FOUND[name]
    for command in commands:
        assert main(shlex.split(command)) == 0
        assert len(capsys.readouterr().out) > 100


def test_only_named_blocks_are_filled() -> None:
    page = "a\n<!-- x:begin -->\nold\n<!-- x:end -->\n<!-- y-z:begin -->\nold\n<!-- y-z:end -->\nb\n"
    assert filled(page, {"x": lambda: "new\n"}) == page.replace("old", "new", 1)
    assert filled(page, {"y-z": lambda: ""}) == page[::-1].replace("\ndlo", "", 1)[::-1]


def test_a_bar_does_not_end_a_cell() -> None:
    assert table(("a", "b"), [("|", "c")]) == ["| a | b |", "| --- | --- |", "| \\| | c |"]
