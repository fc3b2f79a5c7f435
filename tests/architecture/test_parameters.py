"""A function has at most eight positional parameters; the exceptions are listed kernels."""

from __future__ import annotations

from collections.abc import Iterator

from tests.architecture.layout import functions

MOST = 8
GAME = "heartrush_env.games.heart_rush"
# Inner loops, which take arrays one by one, and one game's options.
KERNELS = {
    f"{GAME}.game.__init__",
    *(f"{GAME}.kernel.{name}" for name in ("keep_last", "show_slot", "take_choices")),
    f"{GAME}.entity_kernel.keep_last",
    *(f"heartrush_env.tabletop.batch.fights.{name}" for name in ("take_choices", "keep_last")),
    "heartrush_env.tabletop.batch.networks.choose",
    "heartrush_env.research.duel.ask_rules",
    *(f"heartrush_agents.heart_rush.tactics.squares.{name}" for name in ("judge", "weigh_square")),
}


def long_lists() -> Iterator[str]:
    """Yield the functions with too many positional parameters; keyword-only parameters do not count."""
    for module, function in functions():
        if len(function.args.posonlyargs) + len(function.args.args) > MOST:
            yield f"{module}.{function.name}"


def test_only_listed_kernels_have_more_than_eight_parameters() -> None:
    assert set(long_lists()) - KERNELS == set()
