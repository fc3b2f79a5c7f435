"""A Discord bot that hosts fights in a channel (docs/kits/discord.md): /fight, then buttons that only you see.

The server knows the rules, rolls the dice and plays the enemy; the bot shows what happens, and passes choices on.

    pip install discord.py                        # tried with 2.7
    heartrush serve                               # in one terminal; in another:
    DISCORD_TOKEN=... python bot.py [SERVER]
"""

import asyncio
import json
import os
import sys
import urllib.error
import urllib.request

SERVER = "http://127.0.0.1:8765"
LONGEST = 1900  # characters of a message; Discord allows 2000
MOST_BUTTONS = 24  # of one message, beside the one for more; Discord allows 25
PATIENCE = 600  # seconds for a choice


class Refused(Exception):
    """The server refused a message, or does not answer; its sentence says why."""


async def ask(server, path="/v1/host", **message):
    """The answer of the game server to one message; docs/hosting.md describes all messages."""

    def sent():
        data = json.dumps(message).encode() if message else None
        try:
            with urllib.request.urlopen(server + path, data, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            raise Refused(json.load(problem)["message"]) from None
        except OSError:
            raise Refused(f"{server} does not answer. Does heartrush serve run there?") from None

    return await asyncio.to_thread(sent)


def pieces(lines):
    """Lines as messages that are short enough, in blocks of code that keep their indents."""
    text = ""
    for line in lines:
        if text and len(text) + len(line) > LONGEST:
            yield f"```\n{text}```"
            text = ""
        text += line + "\n"
    if text.strip():
        yield f"```\n{text}```"


async def play(server, table, scenario, enemy, name):
    """Play a fight at a table: `table.show(text)` shows everybody, `table.choose(title, words)` asks the player.

    The player has the first seat, the agent `enemy` all others. `choose` returns a place in the list of words, or None
    if the player has left. Returns the winning teams.
    """
    scenarios = {one["name"]: one for one in await ask(server, "/v1/scenarios")}
    if scenario not in scenarios:
        raise Refused(f"There is no {scenario}, allowed: {', '.join(scenarios)}.")
    mine, *others = (seat["seat"] for seat in scenarios[scenario]["seats"])
    game = {"game": {"scenario": scenario}, "agents": dict.fromkeys(others, enemy)}
    made = await ask(server, type="new", **game)
    fight = made["fight"]
    seat = {"fight": fight, "token": (await ask(server, type="join", fight=fight, seat=mine, name=name))["token"]}
    told = 0
    while True:
        state = await ask(server, type="look", **seat)
        while told < state["events"]:
            news = await ask(server, type="events", fight=fight, since=told)
            for text in pieces([line for event in news["events"] for line in event["lines"]]):
                await table.show(text)
            told = news["next"]
        if state["over"]:
            return state["winners"]
        view, legal = state["mine"]["view"], state["mine"]["legal"]
        place = await table.choose(f"Round {view['round']}: {view['window']}", [offer["words"] for offer in legal])
        if place is None:
            await ask(server, type="close", fight=fight, token=made["token"])
            await table.show(f"{name} has left the fight.")
            return []
        await ask(server, type="choose", **seat, window=state["window"], choice=legal[place]["name"])


def bot(server):
    """The bot: a client of Discord with the command /fight."""
    import discord

    class Buttons(discord.ui.View):
        def __init__(self, labels):
            super().__init__(timeout=PATIENCE)
            self.clicked = self.last = None
            for place, label in enumerate(labels):
                button = discord.ui.Button(label=label[:80])
                button.callback = self.noting(place)
                self.add_item(button)

        def noting(self, place):
            async def clicked(interaction):
                self.clicked, self.last = place, interaction
                await interaction.response.edit_message(content="Chosen.", view=None)
                self.stop()

            return clicked

    class Table:
        def __init__(self, interaction):
            self.interaction = interaction

        async def show(self, text):
            await self.interaction.channel.send(text)

        async def choose(self, title, words):
            for first in range(0, len(words), MOST_BUTTONS):
                page = words[first : first + MOST_BUTTONS]
                more = ["more"] if words[first + MOST_BUTTONS :] else []
                view = Buttons(page + more)
                await self.interaction.followup.send(title, view=view, ephemeral=True)
                await view.wait()
                if view.clicked is None:
                    return None  # after a long silence
                self.interaction = view.last  # Discord answers through one for 15 minutes only
                if view.clicked < len(page):
                    return first + view.clicked

    client = discord.Client(intents=discord.Intents.default())
    tree = discord.app_commands.CommandTree(client)

    @tree.command(description="Fight an enemy of Heart Rush")
    async def fight(interaction: discord.Interaction, scenario: str = "duel", enemy: str = "duelist"):
        await interaction.response.send_message(f"{interaction.user.display_name} fights {enemy}: {scenario}.")
        try:
            await play(server, Table(interaction), scenario, enemy, interaction.user.display_name)
        except Refused as problem:
            await interaction.followup.send(str(problem), ephemeral=True)

    return client, tree


if __name__ == "__main__":
    client, tree = bot(*sys.argv[1:] or [SERVER])
    client.setup_hook = tree.sync  # Discord learns the commands
    client.run(os.environ["DISCORD_TOKEN"])
