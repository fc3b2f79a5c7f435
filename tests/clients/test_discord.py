"""The bot for Discord plays fights on a real server, over a channel that is not Discord's."""

import asyncio
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.app.server.serving import ask, serving
from tests.clients.guests import guest
from tests.clients.unreliable import told_in, unreliable

KIT = Path(__file__).resolve().parents[2] / "clients" / "discord" / "bot.py"


def bot() -> ModuleType:
    spec = importlib.util.spec_from_file_location("heartrush_bot", KIT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Channel:
    """A channel without Discord: it keeps all that is shown, and chooses the first option until the player leaves."""

    def __init__(self, leave_at: int = 0) -> None:
        self.shown, self.asked, self.leave_at = list[str](), list[tuple[str, list[str]]](), leave_at

    async def show(self, text: str) -> None:
        assert len(text) <= 2000
        self.shown.append(text)

    async def choose(self, title: str, words: list[str]) -> int | None:
        self.asked.append((title, words))
        return None if len(self.asked) == self.leave_at else 0


class Person:
    """A user of a made-up Discord, who clicks the first button that the bot shows, and may fail to answer once."""

    def __init__(self, silent: str, leave_at: int = 0) -> None:
        """Let the first buttons after the first choice pass ("once"), or the first interaction expire ("expired")."""
        self.silent, self.leave_at = silent, leave_at
        self.channel, self.clicks, self.id, self.mention = list[str](), 0, 1, "@Ann"

    def interaction(self) -> Any:
        made = SimpleNamespace(user=SimpleNamespace(id=1, mention="@Ann", display_name="Ann"))
        expired = self.silent == "expired" and self.clicks == 1
        self.silent = "" if expired else self.silent

        async def note(content: str = "", **_: Any) -> None:
            pass

        async def ask(title: str, view: Any = None, ephemeral: bool = False) -> None:
            assert ephemeral and not expired and len(view.children) <= 25
            if self.silent == "once" and self.clicks == 1:
                self.silent = ""
            else:
                await self.click(view)

        async def show(text: str, view: Any = None) -> None:
            self.channel.append(text)
            if view is not None:
                assert view.timeout is None  # the view waits without a limit
                await self.click(view)

        made.response = SimpleNamespace(send_message=note, edit_message=note)
        made.followup, made.channel = SimpleNamespace(send=ask), SimpleNamespace(send=show)
        made.is_expired = lambda: expired
        return made

    async def click(self, view: Any) -> None:
        self.clicks += 1
        stranger = SimpleNamespace(user=SimpleNamespace(id=2))
        assert not await view.interaction_check(stranger)
        interaction = self.interaction()
        assert await view.interaction_check(interaction)
        leaving = self.clicks == self.leave_at
        asyncio.get_running_loop().call_soon(
            lambda: asyncio.ensure_future(view.children[-1 if leaving else 0].callback(interaction))
        )

    @staticmethod
    def discord() -> ModuleType:
        """Return a module with the parts of discord.py that the bot uses."""

        class View:
            def __init__(self, timeout: float | None) -> None:
                self.timeout, self.children, self._stopped = timeout, list[Any](), asyncio.Event()

            def add_item(self, item: Any) -> None:
                self.children.append(item)

            def stop(self) -> None:
                self._stopped.set()

            async def wait(self) -> bool:
                try:
                    await asyncio.wait_for(self._stopped.wait(), self.timeout)
                except TimeoutError:
                    return True
                return False

        class Tree:
            def __init__(self, client: Any) -> None:
                self.commands: dict[str, Any] = {}

            def command(self, description: str) -> Any:
                return lambda function: self.commands.setdefault(function.__name__, function)

        module = ModuleType("discord")
        module.ui = SimpleNamespace(View=View, Button=SimpleNamespace)
        module.Client = SimpleNamespace
        module.Intents = SimpleNamespace(default=SimpleNamespace)
        module.Interaction = SimpleNamespace
        module.app_commands = SimpleNamespace(CommandTree=Tree)
        return module


def test_a_discord_bot_plays_a_fight(address: str) -> None:
    channel = Channel()
    winners = asyncio.run(bot().play(address, channel, "brawl", "random", "Ann"))
    told = "".join(channel.shown)
    assert "Round 1\n" in told and (f"{winners[0].capitalize()} won: " in told if winners else "draw" in told)
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
    "restart", [pytest.param(False, id="cut"), pytest.param(True, id="restarted", marks=pytest.mark.long)]
)
def test_a_discord_fight_goes_on_after_each_lost_connection(restart: bool, tmp_path: Path) -> None:
    store, channel = tmp_path / "fights.sqlite", Channel()
    with unreliable(store, (4, 4, 6, 5, 4, 7, 9, 8), restart=restart) as relay:
        asyncio.run(bot().play(relay.address, channel, "duel", "uniform", "Ann"))
        assert relay.cuts > 5
    told = [line for text in channel.shown for line in text.strip("`\n").split("\n")]
    assert [line.strip() for line in told if line] == [line.strip() for line in told_in(store) if line]


@pytest.mark.long
def test_a_discord_player_waits_while_another_seat_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    module, channel = bot(), Channel()
    asked = module.ask

    async def without_agents(server: str, path: str = "/v1/host", **message: Any) -> Any:
        message.pop("agents", None)
        return await asked(server, path, **message)

    monkeypatch.setattr(module, "ask", without_agents)
    monkeypatch.setattr(module, "POLL", 0.05)
    with serving() as address, guest(address, "duelist_0") as windows:
        asyncio.run(module.play(address, channel, "duel", "uniform", "Ann"))
    assert len(windows) > 3 and all(words for _, words in channel.asked)
    assert re.search(r"(Blue|Red) won: |.* draw", channel.shown[-1])


@pytest.mark.parametrize("silent", ["once", "expired"])
def test_silence_in_discord_ends_no_fight(silent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, module, person = tmp_path / "fights.sqlite", bot(), Person(silent)
    monkeypatch.setitem(sys.modules, "discord", person.discord())
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    with serving(store=store) as address:
        _, tree = module.bot(address)
        asyncio.run(tree.commands["fight"](person.interaction(), "duel", "uniform"))
    told = [line.strip() for text in person.channel if text.startswith("```") for line in text.strip("`").split("\n")]
    assert [line for line in told if line] == [line.strip() for line in told_in(store) if line]
    assert person.channel.count("@Ann, the fight waits for you.") == 1


def test_a_fight_that_is_left_in_discord_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    module, person = bot(), Person("", leave_at=2)
    monkeypatch.setitem(sys.modules, "discord", person.discord())
    with serving() as address:
        _, tree = module.bot(address)
        asyncio.run(tree.commands["fight"](person.interaction(), "duel", "uniform"))
        assert json.loads(ask(address, "/v1/host", {"type": "fights"})[2])["fights"] == []
    assert person.channel[-1] == "Ann has left the fight."


@pytest.mark.parametrize(
    ("server", "scenario", "enemy", "sentence"),
    [
        ("", "ballet", "uniform", "Expected a scenario out of ambush, "),
        ("", "duel", "nobody", "got 'nobody'"),
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
