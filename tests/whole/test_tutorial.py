"""The tutorial runs as it is printed, from top to bottom, and prints what it shows.

`python -m tests.whole.test_tutorial` writes the page's output and its pictures again; check the differences afterwards.
"""

import io
import os
import re
import shlex
import shutil
import tempfile
from contextlib import chdir, redirect_stdout
from importlib.util import find_spec
from pathlib import Path

import pytest

from heartrush_env.app.cli.main import main, make_parser

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = DOCS / "tutorial.md"
NEEDS = {"plots": "matplotlib", "openspiel": "pyspiel"}  # the module that a block needs, by the word after its language
BLOCK = re.compile(r"^```(?P<kind>python|console)(?: (?P<needs>\w+))?\n(?P<code>.*?)^```\n", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"\n```text\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def played(page: str) -> str:
    """Run a page's blocks in order in the current folder, and return the page with their output updated."""
    names: dict[str, object] = {"__name__": "tutorial"}
    parts, end = [], 0
    for block in BLOCK.finditer(page):
        parts.append(page[end : block.end()])
        end = block.end()
        shown = SHOWN.match(page, end)
        if block["needs"] and find_spec(NEEDS[block["needs"]]) is None:
            continue
        output = io.StringIO()
        with redirect_stdout(output):
            if block["kind"] == "python":
                exec(compile(block["code"], f"tutorial, from {block['code'].splitlines()[0]!r}", "exec"), names)
            else:
                for line in block["code"].splitlines():
                    assert main(shlex.split(line.removeprefix("$ heartrush "))) == 0
        if shown:
            parts.append(f"\n```text\n{output.getvalue()}```\n")
            end = shown.end()
        else:
            assert output.getvalue() == "", f"{block['code']} prints, and the page does not show it"
    return "".join([*parts, page[end:]])


@pytest.mark.long  # the next test reads what the page runs
def test_the_page_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    assert played(page) == page
    if find_spec("matplotlib"):
        drawn = {path.name for path in (tmp_path / "pictures").iterdir() if path.stat().st_size > 5_000}
        shown = set(re.findall(r"\(pictures/(.+?)\)", page))
        assert drawn == shown
        assert shown <= {path.name for path in (DOCS / "pictures").iterdir()}


def test_what_the_page_runs_can_be_read() -> None:
    """Each Python code block compiles, and the program knows each command and its options."""
    blocks = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))
    for block in blocks:
        if block["kind"] == "python":
            compile(block["code"], "tutorial", "exec")
        else:
            for line in block["code"].splitlines():
                make_parser().parse_args(shlex.split(line.removeprefix("$ heartrush ")))
    assert {block["kind"] for block in blocks} == {"python", "console"}


def test_a_wrong_figure_on_the_page_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = "```python\nprint(1 + 1)\n```\n\n```text\n3\n```\nmore\n"
    assert played(page) == page.replace("3", "2")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        PAGE.write_text(played(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        os.makedirs(DOCS / "pictures", exist_ok=True)
        for picture in Path("pictures").iterdir():
            shutil.copy(picture, DOCS / "pictures")
