"""The engine plays the corpus as it is written, by WebAssembly modules that Wasmtime runs in place of machine code."""

from collections.abc import Sequence

import pytest

from heartrush_env.tabletop.kernels import Kernel, Kind
from heartrush_env.tabletop.modules import Module
from heartrush_env.tabletop.portable import files
from tests.corpus.played import CORPUS, file_of
from tests.corpus.test_corpus import check
from tests.in_node import needs_compiled_kernels

pytestmark = needs_compiled_kernels
pytest.importorskip("wasmtime")
IN_SHORT_RUNS = ("duel-full", "duel-dice")
_made: dict[str, Module] = {}


@pytest.fixture(autouse=True)
def runs_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a module of each kernel that is called."""

    def enter(kernel: Kernel, kinds: Sequence[Kind]) -> Module:
        symbol = kernel.symbol(kinds)
        if symbol not in _made:
            _made[symbol] = Module(symbol, files._module({symbol: (kernel, kinds)}))
        return _made[symbol]

    monkeypatch.setattr(Kernel, "_enter", enter)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in IN_SHORT_RUNS else pytest.mark.long) for name in CORPUS]
)
def test_a_fight_is_played_as_it_is_written(name: str) -> None:
    check(CORPUS[name], file_of(CORPUS[name]))
    assert _made
