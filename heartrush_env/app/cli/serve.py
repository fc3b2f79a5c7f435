"""`heartrush serve`: serves agents over HTTP and WebSocket, for browser front ends and programs on other machines."""

from __future__ import annotations

import argparse
import sys

from heartrush_agents import available, load

from heartrush_env.app.cli.arguments import add_game, add_number, needing
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.validate import join_or

STORE = "heartrush_fights.sqlite"

ABOUT = (
    "Speaks the engine protocol (docs/protocol.md) over WebSocket at /v1/engine, and answers single requests at "
    "/v1/act. The page / plays fights in a browser, and /reference describes all addresses. It listens "
    f"on this machine only, unless --host says otherwise. Agents: {', '.join(available())}."
)
EXAMPLES = """examples:
  heartrush serve
  heartrush serve duelist@easy tactician --port 9000
  heartrush serve --allow-origin https://my-game.example
  curl http://127.0.0.1:8765/v1/act?agent=uniform -d '{"game": {"scenario": "duel"}, "seat": "knight_0",
    "view": {"round": 1, "window": "stance"}, "legal": ["stance might", "stance cunning"]}'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="agents to serve (default: all that are shipped)")
    add_game(parser)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=_port, default=8765, help="the port, 0 for any free one (default: 8765)")
    says = "a name by which clients may call the server"
    parser.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=says)
    says = "a site whose pages may call the server, as in https://my-game.example; null for pages opened from files"
    parser.add_argument("--allow-origin", action="append", default=[], metavar="URL", help=says)
    says = f"where hosted fights are kept; a server that is started again goes on with them (default: {STORE})"
    parser.add_argument("--store", default=STORE, metavar="FILE", help=says)
    add_number(parser, "--rate", "messages a second from one client", 200, least=0)
    add_number(parser, "--connections", "connections at once", 256)
    says = "milliseconds a decision that clients may ask of an agent that thinks"
    add_number(parser, "--most-think-ms", says, 1000, least=0, name="MS")
    says = "roll-outs a decision that clients may ask of an agent that thinks"
    add_number(parser, "--most-rollouts", says, 2000, least=0)


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    with needing("server", "`heartrush serve`"):
        from heartrush_env.app.server import running  # other commands work without the extra
        from heartrush_env.app.server.app import application
        from heartrush_env.app.server.hosting.host import Host
        from heartrush_env.app.server.limits import LOOPBACK, WILDCARDS, Limits

    if arguments.host in WILDCARDS and not arguments.allow_host:
        raise HeartRushError(
            f"--host {arguments.host} listens on all addresses, so --allow-host must say how clients call the server."
        )
    own = () if arguments.host in WILDCARDS else (arguments.host,)
    hosts = tuple(dict.fromkeys((*LOOPBACK, *own, *(name.lower() for name in arguments.allow_host))))
    limits = Limits(arguments.rate, arguments.connections, hosts=hosts, origins=tuple(arguments.allow_origin))
    agents = [load(id) for id in arguments.agents or available()]
    twice = {agent.id for agent in agents if [other.id for other in agents].count(agent.id) > 1}
    if twice:
        raise HeartRushError(f"Expected each agent once, got {join_or(sorted(twice), 'and')} twice.")
    listening = running.listen(arguments.host, arguments.port)
    most_asked = {"think_ms": arguments.most_think_ms, "rollouts": arguments.most_rollouts}
    host = Host(arguments.store, arguments.agents, most_asked=most_asked)
    address = running.address_of(listening)

    def say() -> None:
        print(f"Serving {len(agents)} agents at {address}; Ctrl-C ends it.", flush=True)

    running.run(application(agents, host, limits, arguments.game), limits, listening, say)
    print("The server has ended.", file=sys.stderr)
    return 0


def _port(text: str) -> int:
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number < 2**16:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to {2**16 - 1}, got {text!r}")
    return number
