"""A single-file page that plays an agent in a browser without a server: rules, network and weights are inside."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from heartrush_env.tabletop.portable.files import DESCRIPTION, MODULE

MODULES = ("policy.mjs", "story.mjs")
HOST = ("layout.mjs", "events.mjs", "fights.mjs")  # each needs only those before it


def resource(*names: str) -> str:
    """Return the text of a file that is copied into bundles, given its folder and name."""
    return files("heartrush_env.app.heart_rush.export").joinpath(*names).read_text(encoding="utf-8")


def page(description: dict[str, Any], weights: bytes, engine: Mapping[str, bytes]) -> bytes:
    """Return the page for a description that has a duel.

    Args:
        description: The description of the agent.
        weights: The content of its safetensors file.
        engine: The files of the rules by name (tabletop/portable/files.py).
    """
    style = files("heartrush_env.app.server").joinpath("page", "page.css").read_text(encoding="utf-8")
    icon = files("heartrush_env.app.server").joinpath("page", "heart.svg").read_text(encoding="utf-8").strip()
    values = {
        "icon": quote(icon),
        "style": style,
        "agent": html.escape(description["agent"]),
        "description": json.dumps(description).replace("<", "\\u003c"),
        "weights": base64.b64encode(weights).decode(),
        "module": base64.b64encode(engine[MODULE]).decode(),
        "engine": engine[DESCRIPTION].decode().replace("<", "\\u003c"),
        "program": "\n".join(
            [
                *(inlined(resource("js", name)) for name in MODULES),
                *(inlined(engine[name].decode()) for name in HOST),
                resource("js", "page.js"),
            ]
        ),
    }
    text = resource("js", "page.html")
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), text).encode()


def inlined(text: str) -> str:
    """Wrap a module in a function, so that the rest of the script sees only its exports."""
    exported = ", ".join(re.findall(r"^export (?:async )?\w+ (\w+)", text, re.MULTILINE))
    inner = re.sub(r"^(?:import|export \{).*$|^export ", "", text, flags=re.MULTILINE)
    return f"const {{ {exported} }} = (() => {{\n{inner}return {{ {exported} }};\n}})();"
