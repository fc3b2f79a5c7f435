"""A Discord bot that hosts fights in a channel (docs/kits/discord.md): /fight, then buttons that only you see.

The server knows the rules, rolls the dice and plays the enemy; the bot shows what happens, and passes choices on.

    pip install discord.py                        # tried with 2.7
    heartrush serve                               # in one terminal; in another:
    DISCORD_TOKEN=... python bot.py [SERVER]
"""

import asyncio
import http.client
import json
import os
import sys
import urllib.error
import urllib.request

SERVER = "http://127.0.0.1:8765"
LONGEST = 1900  # characters of a message; Discord allows 2000
MOST_BUTTONS = 23  # of one message, beside those for more and for leaving; Discord allows 25
PATIENCE = 600  # seconds that buttons last; then one in the channel brings them back
POLL = 1  # seconds between looks while another seat is asked
FIRST_WAIT, LONGEST_WAIT, MOST_TRIES = 0.1, 5, 60  # seconds before a lost message is sent again: five minutes in all
PAST = ("chosen", "late", "over")  # refusals of a choice that was taken already, or whose time has passed


class Refused(Exception):
    """The server refused a message, or does not answer; its sentence says why, and `code` is the server's word."""

    def __init__(self, sentence, code=""):
        super().__init__(sentence)
        self.code = code


async def surely(server, **message):
    """Return the answer to a message, which is sent again if the connection is lost or the server restarts."""
    for tries in range(MOST_TRIES):
        try:
            return await ask(server, **message)
        except Refused as problem:
            if problem.code:
                raise
        await asyncio.sleep(min(LONGEST_WAIT, FIRST_WAIT * 2**tries))
    return await ask(server, **message)


async def ask(server, path="/v1/host", **message):
    """Return the answer of the game server to one message; docs/hosting.md describes all messages."""

    def sent():
        data = json.dumps(message).encode() if message else None
        try:
            with urllib.request.urlopen(server + path, data, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as problem:
            found = json.load(problem)
            raise Refused(found["message"], found["code"]) from None
        except (OSError, http.client.HTTPException):
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


async def sit(server, game, mine, name):
    """Begin a fight and take a seat; return the fight, its owner's token and the seat's."""
    while True:
        made = await surely(server, type="new", **game)
        fight, owner = made["fight"], made["token"]
        try:
            return fight, owner, (await surely(server, type="join", fight=fight, seat=mine, name=name))["token"]
        except Refused as problem:
            if problem.code != "taken":
                raise
        await close(server, fight, owner)  # the seat is ours, but its token was lost on the way


async def close(server, fight, owner):
    """End a fight, unless it has been ended already."""
    try:
        await surely(server, type="close", fight=fight, token=owner)
    except Refused as problem:
        if problem.code != "no_fight":
            raise


async def play(server, table, scenario, enemy, name):
    """Play a fight at a table: `table.show(text)` shows everybody, `table.choose(title, words)` asks the player.

    The player has the first seat, the agent `enemy` all others. `choose` returns a place in the list of words, or None
    if the player has chosen to leave. Returns the winning teams.
    """
    scenarios = {one["name"]: one for one in await ask(server, "/v1/scenarios")}
    if scenario not in scenarios:
        raise Refused(f"Expected a scenario out of {', '.join(scenarios)}, got {scenario}.")
    mine, *others = (seat["seat"] for seat in scenarios[scenario]["seats"])
    game = {"game": {"scenario": scenario}, "agents": dict.fromkeys(others, enemy)}
    fight, owner, token = await sit(server, game, mine, name)
    told = 0
    while True:
        state = await surely(server, type="look", fight=fight, token=token)
        while told < state["events"]:
            news = await surely(server, type="events", fight=fight, since=told)
            for text in pieces([line for event in news["events"] for line in event["lines"]]):
                await table.show(text)
            told = news["next"]
        if state["over"]:
            return state["winners"]
        view, legal = state["mine"]["view"], state["mine"]["legal"]
        if not legal:
            await asyncio.sleep(POLL)  # another seat is asked
            continue
        place = await table.choose(f"Round {view['round']}: {view['window']}", [offer["words"] for offer in legal])
        if place is None:
            await close(server, fight, owner)
            await table.show(f"{name} has left the fight.")
            return []
        choice = {"window": state["window"], "choice": legal[place]["name"]}
        try:
            await surely(server, type="choose", fight=fight, token=token, **choice)
        except Refused as problem:
            if problem.code not in PAST:
                raise


def bot(server):
    """The bot: a client of Discord with the command /fight."""
    import discord

    class Buttons(discord.ui.View):
        def __init__(self, player, labels, timeout=PATIENCE):
            super().__init__(timeout=timeout)
            self.player, self.clicked, self.last = player, None, None
            for place, label in enumerate(labels):
                button = discord.ui.Button(label=label[:80])
                button.callback = self.noting(place, label)
                self.add_item(button)

        async def interaction_check(self, interaction):
            return interaction.user.id == self.player.id

        def noting(self, place, label):
            async def clicked(interaction):
                self.clicked, self.last = place, interaction
                await interaction.response.edit_message(content=f"{label}.", view=None)
                self.stop()

            return clicked

    class Table:
        def __init__(self, interaction):
            self.interaction = interaction

        async def show(self, text):
            await self.interaction.channel.send(text)

        async def choose(self, title, words):
            first = 0
            while True:
                page = words[first : first + MOST_BUTTONS]
                more = ["more"] if len(words) > MOST_BUTTONS else []
                clicked = await self.clicked(title, [*page, *more, "Leave the fight"])
                if clicked < len(page):
                    return first + clicked
                if not more or clicked > len(page):
                    return None
                first = first + MOST_BUTTONS if first + MOST_BUTTONS < len(words) else 0

        async def clicked(self, title, labels):
            """Return the place of the button that the player clicks, however long that takes."""
            player = self.interaction.user
            while True:
                if not self.interaction.is_expired():  # Discord answers through one for 15 minutes only
                    view = Buttons(player, labels)
                    await self.interaction.followup.send(title, view=view, ephemeral=True)
                    if not await view.wait():
                        self.interaction = view.last
                        return view.clicked
                back = Buttons(player, ["Go on"], timeout=None)
                await self.interaction.channel.send(f"{player.mention}, the fight waits for you.", view=back)
                await back.wait()
                self.interaction = back.last

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
