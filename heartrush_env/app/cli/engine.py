"""`heartrush engine`: serves an agent over the engine protocol, for front-ends, referees and other programs."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import redirect_stdout

from heartrush_agents import available, load

from heartrush_env.app.cli.arguments import add_game, add_thinking, with_time
from heartrush_env.tabletop.errors import HeartRushError

ABOUT = (
    "Speaks the engine protocol on standard input and output: JSON objects, one per line, as described "
    f"in docs/protocol.md. It exits at the end of its input. Agents: {', '.join(available())}."
)
EXAMPLES = """examples:
  heartrush engine uniform
  echo '{"type":"hello"}' | heartrush engine tactician
  heartrush engine duelist@easy
  heartrush engine runs/mine
  heartrush engine --schema              the JSON Schema of the messages"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("agent", nargs="?", metavar="AGENT", help="the id of an agent, or the folder of a trained one")
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of all messages, and exit")
    add_game(parser)
    add_thinking(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the schema if asked to; otherwise answer until `quit`, with the agent's own output on standard error."""
    from heartrush_env.app.engine import Engine, serve  # other commands work without msgspec
    from heartrush_env.protocol.messages import json_schema

    if arguments.schema:
        print(json.dumps(json_schema(arguments.game), indent=1, ensure_ascii=False))
        return 0
    if arguments.agent is None:
        raise HeartRushError("engine: expected an agent's id or folder, or --schema; got none.")
    [id] = with_time([arguments.agent], arguments.think_ms)
    engine, answers = Engine(load(id), game=arguments.game), sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        serve(engine, sys.stdin.buffer, answers)
    return 0
