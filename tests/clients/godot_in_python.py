"""The starter kit for Godot, translated to Python line by line, to test its logic on machines without Godot."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage
from websockets.sync.client import ClientConnection, connect

KIT = Path(__file__).resolve().parents[2] / "clients" / "godot" / "heart_rush_fight.gd"
STRING = re.compile(r'("(?:[^"\\]|\\.)*")')
REWRITTEN: Final = (
    (r"^(\t*)var (\w+)(?:: \w+)? :?= ", r"\1\2 = "),
    (r"^(\t*)for (\w+): \w+ in ", r"\1for \2 in "),
    (r"(\S+)\.is_empty\(\)", r"(len(\1) == 0)"),
    (r"% \[(.*)\]\)", r"% (\1,))"),
    (r"\.new\(\)", "()"),
    (r"\btrue\b", "True"),
    (r"\bfalse\b", "False"),
)


class Signal:
    """A Godot signal: connected functions are called at once."""

    def __init__(self) -> None:
        self.heard: list[Callable[..., Any]] = []

    def emit(self, *words: Any) -> None:
        """Call every connected function."""
        for each in self.heard:
            each(*words)


class Dictionary(dict[str, Any]):
    """A Godot dictionary, whose entries can also be read as attributes."""

    __getattr__ = dict.__getitem__

    def has(self, key: str) -> bool:
        """Return whether the dictionary has this key."""
        return key in self


class Packet(str):
    """The bytes of a message."""

    def get_string_from_utf8(self) -> str:
        """Return the text."""
        return str(self)


class WebSocketPeer:
    """A Godot WebSocket, built on another library."""

    STATE_OPEN, STATE_CLOSED = 1, 3

    def __init__(self) -> None:
        self.inbound_buffer_size = 0
        self.packets: list[Packet] = []
        self.socket: ClientConnection | None = None

    def connect_to_url(self, url: str) -> int:
        """Connect; a failure shows as a closed connection."""
        try:
            self.socket = connect(url, max_size=self.inbound_buffer_size).__enter__()
        except (OSError, EOFError, InvalidHandshake, InvalidMessage):
            self.socket = None
        return 0

    def poll(self) -> None:
        """Read the messages that have arrived."""
        try:
            while self.socket is not None:
                self.packets.append(Packet(self.socket.recv(timeout=0)))
        except TimeoutError:
            return
        except ConnectionClosed:
            self.socket = None

    def get_ready_state(self) -> int:
        """Return the state of the connection."""
        return self.STATE_CLOSED if self.socket is None else self.STATE_OPEN

    def get_available_packet_count(self) -> int:
        """Return the number of waiting messages."""
        return len(self.packets)

    def get_packet(self) -> Packet:
        """Return the next message."""
        return self.packets.pop(0)

    def send_text(self, text: str) -> None:
        """Send a message."""
        try:
            if self.socket is not None:
                self.socket.send(text)
        except ConnectionClosed:
            self.socket = None

    def close(self) -> None:
        """Close the connection."""
        if self.socket is not None:
            self.socket.close()


class JSON:
    """Godot's reader and writer of JSON."""

    stringify = staticmethod(json.dumps)

    @staticmethod
    def parse_string(text: str) -> Any:
        """Return the value that a JSON text describes."""
        return json.loads(text, object_hook=Dictionary)


def heart_rush_fight() -> Any:
    """Return a node of the starter kit."""
    signals, values, code = [], [], []
    kit = re.sub(r"\s*#.*", "", KIT.read_text(encoding="utf-8"))
    kit = kit.replace("int(state.window)", "state.window")
    members = set(re.findall(r"^(?:@export )?(?:signal|var|const|func) (\w+)", kit, re.MULTILINE))
    member = re.compile(rf"(?<![\w.])({'|'.join(members)})\b")
    for line in kit.splitlines():
        if found := re.match(r"signal (\w+)", line):
            signals.append(found[1])
        elif found := re.match(r"(?:@export )?(?:var|const) (\w+)(?:: \w+)? :?= (.*)", line):
            values.append(f"\t\tself.{found[1]} = {_python(found[2])}")
        elif found := re.match(r"func (\w+)\((.*)\) -> \w+:", line):
            names = re.findall(r"(\w+): \w+", found[2])
            code.append(f"\tdef {found[1]}({', '.join(['self', *names])}):")
        elif line.startswith("\t"):
            line = re.sub(r'^(\t*)("\w+"|WebSocketPeer\.\w+):$', r"\1case \2:", line)
            parts = STRING.split(_python(line))
            code.append("\t" + "".join(p if p.startswith('"') else member.sub(r"self.\1", p) for p in parts))
    made = [f"\t\tself.{name} = Signal()" for name in signals]
    text = "\n".join(["class Fight:", "\tdef __init__(self):", *made, *values, *code])
    names: dict[str, Any] = {
        "Signal": Signal, "WebSocketPeer": WebSocketPeer, "JSON": JSON, "OK": 0,
        "maxi": max, "minf": min, "error_string": str,
    }  # fmt: skip
    exec(compile(text, str(KIT), "exec"), names)
    return names["Fight"]()


def _python(line: str) -> str:
    for pattern, words in REWRITTEN:
        line = re.sub(pattern, words, line)
    return line
