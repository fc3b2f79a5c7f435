"""The starter kit for Godot and the script of its page: both are GDScript of Godot 4."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
parser = pytest.importorskip("gdtoolkit.parser").parser
linter = pytest.importorskip("gdtoolkit.linter")


def scripts() -> list[str]:
    (script,) = re.findall(
        r"```gdscript\n(.*?)```", (ROOT / "docs" / "kits" / "godot.md").read_text("utf-8"), re.DOTALL
    )
    return [(ROOT / "clients" / "godot" / "heart_rush_fight.gd").read_text("utf-8"), script]


@pytest.mark.parametrize("script", scripts(), ids=["kit", "page"])
def test_it_is_gdscript_of_godot_4(script: str) -> None:
    parser.parse(script)
    assert [problem.description for problem in linter.lint_code(script)] == []


def test_the_page_uses_what_the_kit_offers() -> None:
    kit, page = scripts()
    offered = {name for pair in re.findall(r"^signal (\w+)|^func ([a-z]\w+)", kit, re.MULTILINE) for name in pair}
    used = set(re.findall(r"fight\.(\w+)", page))
    assert used <= offered and {"begin", "choose", "asked"} <= used
