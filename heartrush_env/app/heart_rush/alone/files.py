"""The files of a page that plays without a server: a folder for any web space, or one HTML file."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from heartrush_agents import load
from safetensors.numpy import save

from heartrush_env.app.heart_rush.alone.words import record_head, scenario_words, terms
from heartrush_env.app.heart_rush.export.description import strength
from heartrush_env.app.heart_rush.export.page import HOST, MODULES, inlined, resource
from heartrush_env.app.heart_rush.export.policy import read_policy
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.portable.files import DESCRIPTION, MODULE, engine_files

OWN: Final = (  # each script needs only those before it
    "facts.mjs", "menu.mjs", "routes.mjs", "network.mjs", "enemies.mjs", "fight.mjs",
    "record.mjs", "host.mjs", "server.js",
)  # fmt: skip
SERVED: Final = ("map.js", "records.js", "page.js")  # of the page of `heartrush serve`
NETWORKS: Final = ("duelist", "classic_duelist")  # agents that are one network over observations
INDEX, SCRIPT, STYLE, ICON, WORDS = "index.html", "page.js", "page.css", "heart.svg", "page.json"
Contents = dict[str, bytes]

# These replace the rules and the footer of the served page.
RULES = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
)
OF_A_FILE = (
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:"
)
FOOTER = """<footer>
  <button id="keep" hidden>Save this fight to a file</button>
  <span>Everything is played in this browser, and fights are kept in it.</span>
</footer>"""


def page_files(games: Mapping[str, HeartRush], *, whole: bool = False) -> Contents:
    """Return the contents of the page's files by name; with `whole`, there is one file, which holds all others.

    Args:
        games: The games to play, by the names of their scenarios.
        whole: Whether the page is one file.
    """
    engine = engine_files(games)
    words, weights = page_data(games)
    told = json.dumps(words, separators=(",", ":"), ensure_ascii=False).encode()
    data = {MODULE: engine[MODULE], DESCRIPTION: engine[DESCRIPTION], WORDS: told, **weights}
    script = "\n".join(
        [
            *(inlined(engine[name].decode()) for name in HOST),
            *(inlined(resource("js", name)) for name in MODULES),
            *(inlined(_text("heart_rush/alone/js", name)) for name in OWN),
            *(inlined(_text("server/page", name)) for name in SERVED),
        ]
    )
    style, icon = _text("server/page", STYLE), _text("server/page", ICON)
    if whole:
        return {INDEX: _whole(script, style, icon, data).encode()}
    index = _index(RULES).replace('<script type="module"', "<script defer")
    own = {INDEX: index, SCRIPT: script, STYLE: style, ICON: icon}
    return {name: text.encode() for name, text in own.items()} | data


def page_data(games: Mapping[str, HeartRush]) -> tuple[dict[str, Any], Contents]:
    """Return the words of these games and the enemies' policies as JSON-able data, and the policies' weights."""
    names = dict.fromkeys(name for game in games.values() for name in game.action_names)
    policies, weights = [], {}
    for id in NETWORKS:
        plays = [name for name, game in games.items() if load(id).plays(game) is None]
        if not plays:
            continue
        policy, file = read_policy(id), f"{id}.safetensors"
        arrays = policy.network.arrays().items()
        weights[file] = save({name: array for name, array in arrays if name.startswith("policy.")})
        about = {
            "id": id,
            "description": policy.agent.description,
            "plays": plays,
            "weights": file,
            "network": {"value": None},
        }
        policies.append({**about, "actions": list(policy.game.action_names), **strength(policy)})
    data = {
        "terms": terms(names),
        "scenarios": {name: scenario_words(game) for name, game in games.items()},
        "heads": {name: record_head(game) for name, game in games.items()},
        "policies": policies,
    }
    return data, weights


def _index(rules: str) -> str:
    """Return the served page's HTML without its links to the server, and with rules for what it may load."""
    text = _text("server/page", INDEX)
    start, end = text.index("<noscript>"), text.index("</body>")
    text = f"{text[:start]}<noscript>The page needs JavaScript.</noscript>\n{FOOTER}\n{text[end:]}"
    return text.replace("<title>", f'<meta http-equiv="content-security-policy" content="{rules}">\n<title>', 1)


def _whole(script: str, style: str, icon: str, data: Contents) -> str:
    """Return the page as one file, in which the script reads all data."""
    text = _index(OF_A_FILE)
    kept = [
        f'<script type="text/plain" id="{name}">{base64.b64encode(content).decode()}</script>'
        for name, content in data.items()
    ]
    picture = f"data:image/svg+xml;base64,{base64.b64encode(icon.encode()).decode()}"
    parts = {
        f'<link rel="stylesheet" href="{STYLE}">': f"<style>\n{style}</style>",
        f'href="{ICON}"': f'href="{picture}"',
        f'<script type="module" src="{SCRIPT}"></script>\n': "",
        "</body>": "\n".join([*kept, f"<script>\n{_in_html(script)}\n</script>\n</body>"]),
    }
    for old, new in parts.items():
        assert text.count(old) == 1, f"the page has one {old}"
        text = text.replace(old, new)
    return text


def _in_html(script: str) -> str:
    """Return a script that may stand inside an HTML page."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _text(folder: str, name: str) -> str:
    return files("heartrush_env.app").joinpath(*folder.split("/"), name).read_text(encoding="utf-8")
