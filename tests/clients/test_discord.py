"""The bot for Discord plays fights on a real server, with a channel that is none of Discord's."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

KIT = Path(__file__).resolve().parents[2] / "clients" / "discord" / "bot.py"


def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("heartrush_bot", KIT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Channel:
    """A table without Discord: it keeps what is shown, and chooses the first or leaves."""

    def __init__(self, leave_at: int = 0) -> None:
        self.shown, self.asked, self.leave_at = list[str](), list[tuple[str, list[str]]](), leave_at

    async def show(self, text: str) -> None:
        assert len(text) <= 2000
        self.shown.append(text)

    async def choose(self, title: str, words: list[str]) -> int | None:
        self.asked.append((title, words))
        return None if len(self.asked) == self.leave_at else 0


def test_a_discord_bot_plays_a_fight(address: str) -> None:
    channel = Channel()
    winners = asyncio.run(bot().play(address, channel, "brawl", "random", "Ann"))
    told = "".join(channel.shown)
    assert "Round 1\n" in told and (f"{winners[0].capitalize()} wins: " in told if winners else "draw" in told)
    rounds = [int(number) for number in re.findall(r"^Round (\d+)$", told, re.MULTILINE)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) - told.count("  Stances: ") in (0, 1)  # the last round may end the fight before its stances
    assert all(text.startswith("```\n") and text.endswith("```") for text in channel.shown)
    stances = [words for title, words in channel.asked if title.endswith(": stance")]
    assert stances and all(words == ["might", "agility", "cunning", "defensive"] for words in stances)


def test_a_discord_player_leaves(address: str) -> None:
    channel = Channel(leave_at=2)
    assert asyncio.run(bot().play(address, channel, "duel", "uniform", "Ann")) == []
    assert channel.shown[-1] == "Ann has left the fight."


@pytest.mark.parametrize(
    ("server", "scenario", "enemy", "sentence"),
    [
        ("", "ballet", "uniform", "There is no ballet, allowed: ambush, "),
        ("", "duel", "nobody", "agents.duelist_0: found 'nobody'"),
        ("http://127.0.0.1:1", "duel", "uniform", "http://127.0.0.1:1 does not answer."),
    ],
)
def test_discord_is_told_what_is_wrong(server: str, scenario: str, enemy: str, sentence: str, address: str) -> None:
    module = bot()
    with pytest.raises(module.Refused, match=re.escape(sentence)):
        asyncio.run(module.play(server or address, Channel(), scenario, enemy, "Ann"))


def test_messages_of_discord_are_short_enough() -> None:
    lines = [f"{number}: {'x' * 90}" for number in range(100)]
    pieces = list(bot().pieces(["", *lines]))
    assert len(pieces) > 3 and all(len(piece) <= 2000 for piece in pieces)
    assert [line for piece in pieces for line in piece.split("\n") if line.strip("`")] == lines
    assert list(bot().pieces([""])) == []
