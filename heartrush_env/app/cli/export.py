"""`heartrush agent export`: writes a learned agent as files for other programs and engines."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from heartrush_env.app.cli.arguments import add_rules, read_rules
from heartrush_env.tabletop.errors import HeartRushError

NEEDS = "`heartrush agent export` needs {}, which is not installed: pip install 'heartrush-env[export]'."

EXAMPLES = """examples:
  heartrush agent export duelist --to onnx
  heartrush agent export duelist --to js                   index.html fights without a server
  heartrush agent export duelist --to godot --out game/enemy
  heartrush agent export duelist@easy --to ml-agents --out Assets/duelist
  heartrush agent export runs/mine --to onnx"""
TARGETS = ("onnx", "js", "godot", "ml-agents")


def add_command(commands: Any) -> None:
    """Add `export` to the command line."""
    parser = commands.add_parser(
        "export",
        help="write an agent as ONNX, JavaScript or GDScript",
        description="Writes a folder with a learned agent for programs without Python: model, weights, description and "
        "test vectors. docs/export.md describes the targets.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("agent", metavar="AGENT", help="a learned agent's id or folder, with or without a level")
    parser.add_argument("--to", choices=TARGETS, required=True, help="what the files are for")
    parser.add_argument(
        "--scenario", metavar="SCENARIO", help="the fight to play (default: the one that the agent was trained on)"
    )
    parser.add_argument("--out", metavar="FOLDER", help="the folder to write (default: AGENT-TARGET)")
    parser.add_argument("--json", action="store_true", help="print the folder and its files as JSON")
    add_rules(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the bundle and print its contents."""
    try:
        from heartrush_env.app.heart_rush.export.bundle import write_bundle  # other commands work without the extra
        from heartrush_env.app.heart_rush.export.policy import read_policy
    except ModuleNotFoundError as missing:
        raise HeartRushError(NEEDS.format(missing.name)) from None

    policy = read_policy(arguments.agent, arguments.scenario, read_rules(arguments.rule))
    usual = re.sub(r"\W+", "-", policy.agent.id)
    folder = Path(arguments.out or f"{usual}-{arguments.to}")
    names = write_bundle(policy, arguments.to, folder)
    if arguments.json:
        print(json.dumps({"agent": policy.agent.id, "folder": str(folder), "files": names}))
    else:
        print(f"{folder}: {', '.join(names)}")
    return 0
