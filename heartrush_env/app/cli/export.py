"""`heartrush agent export`: writes a learned agent as files for other programs and engines."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from heartrush_env.app.cli.arguments import add_rules, needing, read_rules

ABOUT = (
    "Writes a folder with a learned agent for programs without Python: model, weights, description and test vectors. "
    "docs/export.md describes the targets."
)
EXAMPLES = """examples:
  heartrush agent export duelist --to onnx
  heartrush agent export duelist --to js                   index.html fights without a server
  heartrush agent export duelist --to godot --out game/enemy
  heartrush agent export duelist@easy --to ml-agents --out Assets/duelist
  heartrush agent export runs/mine --to onnx"""
TARGETS = ("onnx", "js", "godot", "ml-agents")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("agent", metavar="AGENT", help="a learned agent's id or folder, with or without a level")
    parser.add_argument("--to", choices=TARGETS, required=True, help="what the files are for")
    says = "the fight to play (default: the one that the agent was trained on)"
    parser.add_argument("--scenario", metavar="SCENARIO", help=says)
    parser.add_argument("--out", metavar="FOLDER", help="the folder to write (default: AGENT-TARGET)")
    parser.add_argument("--json", action="store_true", help="print the folder and its files as JSON")
    add_rules(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the bundle and print its contents."""
    with needing("export", "`heartrush agent export`"):
        from heartrush_env.app.heart_rush.export.bundle import write_bundle  # other commands work without the extra
        from heartrush_env.app.heart_rush.export.policy import read_policy
    policy = read_policy(arguments.agent, arguments.scenario, read_rules(arguments.rule))
    usual = re.sub(r"\W+", "-", policy.agent.id)
    folder = Path(arguments.out or f"{usual}-{arguments.to}")
    names = write_bundle(policy, arguments.to, folder)
    if arguments.json:
        print(json.dumps({"agent": policy.agent.id, "folder": str(folder), "files": names}))
    else:
        print(f"{folder}: {', '.join(names)}")
    return 0
