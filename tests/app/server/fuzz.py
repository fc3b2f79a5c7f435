"""Messages for fuzzing: valid messages, messages changed in up to two places, and bytes that are no message."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

SURROGATE = "\ud800"
PATHS = ("../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "~/.ssh/id_rsa", "/dev/zero")
PATHS += ("..\\..\\windows", "\0", "C:\\x")
ODD_NUMBERS = (float("nan"), float("inf"), float("-inf"), -0.0, 1e308, 10**400, -(10**18), 2**63, 2**53 + 1, -1, 0.5)
WORDS = ("", "pass", "stance might", "knight_0", "duelist_0", "duel", SURROGATE, "💥" * 40, "x" * 5000, "\x00\x1b[2J")
WORDS += PATHS

odd = st.one_of(
    st.sampled_from([*ODD_NUMBERS, *WORDS, None, True, [], {}, [[]], {"": {}}]),
    st.text(max_size=20),
    st.integers(),
    st.recursive(st.none() | st.floats(), lambda inner: st.lists(inner, max_size=3), max_leaves=8),
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each value within a message."""
    if at:
        yield at
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*at, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*at, number))


@st.composite
def changed(draw: st.DrawFn, messages: Any) -> dict[str, Any]:
    """Draw a message in which up to two places have another value, are removed, or gain a neighbor."""
    message = json.loads(json.dumps(draw(messages)))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.sampled_from([*places(message)] or [("type",)]))
        inner = message
        for step in place[:-1]:
            inner = inner[step]
        match draw(st.integers(0, 3)):
            case 0 | 1:
                inner[place[-1]] = draw(odd)
            case 2:
                del inner[place[-1]]
            case _ if isinstance(inner, dict):
                inner[draw(st.text(max_size=5))] = draw(odd)
    return message


@st.composite
def lines(draw: st.DrawFn, messages: Any) -> bytes:
    """Draw a line: mostly a changed message, else one cut off or with a repeated key, deep nesting, or random bytes."""
    match draw(st.integers(0, 11)):
        case 0:
            return draw(st.binary(max_size=40)).replace(b"\n", b"")
        case 1:
            depth = draw(st.sampled_from([100, 100_000]))
            return draw(st.sampled_from([b"[", b'{"a":', b'{"type":"new","game":{"scenario":{"a":'])) * depth
        case 2:
            line = json.dumps(draw(messages))
            return line[: draw(st.integers(0, len(line)))].encode()
        case 3:
            message = draw(messages)
            key = draw(st.sampled_from(sorted(message)))
            return (json.dumps(message)[:-1] + f", {json.dumps(key)}: {json.dumps(draw(odd))}}}").encode()
    return json.dumps(draw(changed(messages))).encode("utf-8", "surrogatepass")
