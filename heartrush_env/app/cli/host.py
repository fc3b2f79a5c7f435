"""`heartrush host`: hosts fights over standard input and output, for front ends that do not implement the rules."""

from __future__ import annotations

import argparse
import queue
import sys
import threading
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any, BinaryIO

from heartrush_agents import available

from heartrush_env.app.cli.arguments import needing

LINES_AHEAD = 64

ABOUT = (
    "Hosts fights with their full rules: reads requests from standard input and answers on standard output, JSON "
    "objects, one per line, as described in docs/hosting.md. It exits at the end of its input. "
    f"`heartrush serve` does the same over HTTP and WebSocket. Agents: {', '.join(available())}."
)
EXAMPLES = """examples:
  heartrush host
  heartrush host --store fights.sqlite duelist tactician
  echo '{"type": "new", "game": {"scenario": "duel"}, "agents": {"duelist_0": "duelist"}}' | heartrush host"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="agents for seats (default: all that are shipped)")
    says = "where fights are kept (default: they end with the program)"
    parser.add_argument("--store", default=":memory:", metavar="FILE", help=says)


def run(arguments: argparse.Namespace) -> int:
    """Answer until the end of the input; redirect everything an agent prints to standard error."""
    with needing("protocol", "`heartrush host`"):
        from heartrush_env.app.server.hosting.host import Host  # other commands work without the extra
    host, answers = Host(arguments.store, arguments.agents), sys.stdout.buffer
    with redirect_stdout(sys.stderr):
        try:
            host.resume()
            serve(host, sys.stdin.buffer, answers)
        finally:
            host.close()
    return 0


def serve(host: Any, reader: BinaryIO, writer: BinaryIO) -> None:
    """Answer line by line until the end of the input, and continue fights in which a window's time has run out."""
    from heartrush_env.app.engine import lines
    from heartrush_env.app.server.hosting.watching import Watched
    from heartrush_env.protocol.messages import MAX_LINE

    too_long = b" " * (MAX_LINE + 1)  # stands in for a line that was too long to keep in memory
    source: Iterator[bytes] = (too_long if line is None else line for line in lines(reader))
    waiting: queue.Queue[bytes | None] | None = None  # the lines that a thread has read, if there is one
    watched = Watched(host)
    while True:
        due = host.next_due()
        if waiting is None and due is not None:
            waiting = _read_ahead(source)
        try:
            # Without a time limit, nothing happens before the next line, and a thread would only pass it on.
            line = next(source, None) if waiting is None else waiting.get(timeout=due)
        except queue.Empty:
            host.play_late()
            said = watched.news()
        else:
            if line is None:
                return
            said = watched.answer(line)
        writer.write(b"".join(said))
        writer.flush()


def _read_ahead(source: Iterator[bytes]) -> queue.Queue[bytes | None]:
    """Return a queue of the next lines, which a thread reads, and of None at their end."""
    waiting: queue.Queue[bytes | None] = queue.Queue(LINES_AHEAD)

    def read() -> None:
        for line in source:
            waiting.put(line)
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    return waiting
