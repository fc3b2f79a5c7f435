"""Mistyped commands, a port in use, and what was counted before Ctrl-C."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator

import pytest

from heartrush_env.cli import fight
from heartrush_env.cli.main import main
from heartrush_env.core.errors import HeartRushError
from heartrush_env.server.running import listen

Out = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["figth", "duel"], "fight"),
        (["simulat"], "simulate"),
        (["fight", "duel", "--decisions", "stanc"], "stance"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_one_that_is_like_it(words: list[str], meant: str, capsys: Out) -> None:
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2 and f"did you mean {meant}" in capsys.readouterr().err


def test_a_port_in_use_names_the_option_for_another() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(HeartRushError, match=f"Port {port} of 127.0.0.1 is in use; --port takes another number"):
            listen("127.0.0.1", port)


def test_an_interrupt_shows_what_was_counted(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    whole = fight.play

    def interrupted(*words: object) -> Iterator[fight.Fight]:
        yield from itertools.islice(whole(*words), 3)
        raise KeyboardInterrupt

    monkeypatch.setattr(fight, "play", interrupted)
    assert main(["fight", "duel", "--fights", "50", "--seed", "1", "--decisions", "stance"]) == 130
    shown = capsys.readouterr()
    assert shown.out.startswith("3 fights, seed 1, ")
    assert shown.err.splitlines()[-1] == "heartrush fight: interrupted after 3 of 50 fights; the counts are of those."
