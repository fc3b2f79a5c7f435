"""The starter kit for C#: run by Mono against a real server, and compiled for Unity. Skipped without Mono."""

import re
import shutil
from pathlib import Path

import pytest

from tests.clients.unreliable import told_in, unreliable
from tests.processes import finished

ROOT = Path(__file__).resolve().parents[2]
KIT, PAGE = ROOT / "clients" / "csharp" / "HeartRushFight.cs", ROOT / "docs" / "kits" / "csharp.md"
pytestmark = pytest.mark.skipif(not (shutil.which("mono") and shutil.which("mcs")), reason="no Mono is installed here")

UNITY = """
using System;
namespace UnityEngine {
    public static class JsonUtility {
        public static T FromJson<T>(string text) => default(T);
        public static string ToJson(object value) => ""; }
    public class MonoBehaviour { }
    public static class GUILayout { public static bool Button(string text) => true; } }
namespace UnityEngine.UI { public class Text { public string text; } }
"""


def compiled(*words: str) -> None:
    command = ["mcs", "-langversion:7.2", "-warnaserror", *words, str(KIT)]
    done = finished(*command, encoding="utf-8")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_csharp_program_plays_a_fight(address: str, tmp_path: Path) -> None:
    program = str(tmp_path / "fight.exe")
    compiled("-r:System.Runtime.Serialization", f"-out:{program}")
    done = finished("mono", program, "--auto", address, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[1] == "Round 1" and re.fullmatch(r"(Blue|Red) won: .*|.* draw.*", lines[-1])
    rounds = [int(line.split()[1]) for line in lines if line.startswith("Round ")]
    assert rounds == list(range(1, len(rounds) + 1)) and done.stdout.count("Stances: Knight ") == len(rounds)
    done = finished("mono", program, address, input="9\n2\n", encoding="utf-8")
    assert "Stances: Knight agility" in done.stdout and done.stderr == "There is nothing left to read.\n"
    assert finished("mono", program, "http://127.0.0.1:1", encoding="utf-8").returncode == 1


@pytest.mark.parametrize("restart", [False, True], ids=["cut", "restarted"])
def test_a_fight_in_csharp_goes_on_after_each_lost_connection(restart: bool, tmp_path: Path) -> None:
    program, store = str(tmp_path / "fight.exe"), tmp_path / "fights.sqlite"
    compiled("-r:System.Runtime.Serialization", f"-out:{program}")
    with unreliable(store, (2, 3, 2, 5, 4, 6, 5, 7), restart=restart) as relay:
        done = finished("mono", program, "--auto", relay.address, encoding="utf-8")
        assert (done.returncode, done.stderr) == (0, "") and relay.cuts > 5
    lost = "The connection is lost; trying again."
    lines = done.stdout.splitlines()
    assert lost in lines and [line for line in lines if line != lost] == told_in(store)


def test_the_kit_and_the_script_of_its_page_compile_for_unity(tmp_path: Path) -> None:
    (script,) = re.findall(r"```csharp\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "arena.cs").write_text(script, encoding="utf-8")
    (tmp_path / "unity.cs").write_text(UNITY, encoding="utf-8")
    sources = [str(tmp_path / name) for name in ("arena.cs", "unity.cs")]
    compiled("-target:library", "-define:UNITY_5_3_OR_NEWER", f"-out:{tmp_path / 'fight.dll'}", *sources)
