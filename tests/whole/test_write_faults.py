"""Failing writes of files: no file is left half written, and a new run writes the same bytes.

Each write fails in turn, either alone or with all later writes.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.heart_rush.encounters.report import write_report
from heartrush_env.app.heart_rush.export import bundle
from heartrush_env.app.heart_rush.export.policy import read_policy
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.records.dataset import write_dataset
from heartrush_env.research.checkpoint import Checkpoint
from heartrush_env.research.solution_file import write_solution
from heartrush_env.tabletop.compiling import code_cache
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.writing import sole_writer
from tests.records.recorded import record

Act = Callable[[Path], None]  # an action that writes to a folder
MOST_CALLS = 400


class Faults:
    """Stand-ins for the functions that write files; the n-th call fails as on a full disk."""

    def __init__(self, number: int, *, lasting: bool) -> None:
        self.number, self.lasting, self.calls = number, lasting, 0

    def strike(self, what: str) -> None:
        """Count a call, and fail if it is the one that should fail."""
        self.calls += 1
        lasting = self.lasting and what != "rename"  # a rename that undoes another needs no disk space
        if self.calls == self.number or (lasting and self.calls > self.number):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), what)

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Make the writing functions fail in this block."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("open", "write", "fsync", "replace", "rename"):
                patch.setattr(os, name, self._failing(name, getattr(os, name)))
            for module in (io, builtins):
                patch.setattr(module, "open", self._opening(module.open))
            yield

    def _failing(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def failing(*given: Any, **more: Any) -> Any:
            if name != "open" or given[1] & (os.O_WRONLY | os.O_RDWR):
                self.strike(name)
            return call(*given, **more)

        return failing

    def _opening(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def opening(file: Any, mode: str = "r", *given: Any, **more: Any) -> Any:
            if not set(mode) & set("wax+"):
                return call(file, mode, *given, **more)
            self.strike("open")
            return _File(call(file, mode, *given, **more), self)

        return opening


class _File:
    """An open file, in which a failing write still writes half of its content."""

    def __init__(self, file: Any, faults: Faults) -> None:
        self._file, self._faults = file, faults

    def write(self, content: Any) -> int:
        try:
            self._faults.strike("write")
        except OSError:
            self._file.write(content[: len(content) // 2])
            self._file.flush()
            raise
        written: int = self._file.write(content)
        return written

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: Any) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _record(seed: int) -> Act:
    recorder, _ = record(HeartRush("duel"), seed)
    return lambda folder: recorder.write(folder / "fight.hrr") and None


def _dataset(seed: int) -> Act:
    pytest.importorskip("pyarrow")
    recorder, _ = record(HeartRush("duel"), seed)

    def act(folder: Path) -> None:
        source = folder.parent / f"source-{seed}.hrr"
        if not source.exists():
            source.write_bytes(recorder.content)
        write_dataset(folder / "fights.parquet", [source])

    return act


def _solver_checkpoint(seed: int) -> Act:
    """Return an act that adds the missing parts to a checkpoint; after a fault, it continues from the complete ones."""

    def act(folder: Path) -> None:
        checkpoint = Checkpoint(folder / "solution", {"of": "a test"})
        parts = [[np.full(9, part)] for part in range(seed + 1)]
        for arrays in parts[checkpoint.read([[np.empty(9, np.int64)] for _ in parts]) :]:
            checkpoint.add(arrays)

    return act


def _solution(seed: int) -> Act:
    return lambda folder: write_solution(folder / "solved.npz", {"of": seed}, {"values": np.arange(seed + 9.0)})


def _training_checkpoint(seed: int) -> Act:
    torch = pytest.importorskip("torch")
    from heartrush_train.checkpoint import write

    return lambda folder: write(folder / "last.safetensors", {"w": torch.full((9,), float(seed))}, {"samples": seed})


def _card(seed: int) -> Act:
    pytest.importorskip("torch")
    from heartrush_train.export import write_card

    return lambda folder: write_card(folder, {"id": "mine", "seed": seed})


def _weights(seed: int) -> Act:
    pytest.importorskip("torch")
    from heartrush_agents.learned.network import Network
    from heartrush_train.export import write_agent

    policy = read_policy("duelist@easy" if seed == 1 else "duelist")
    network = Network.from_arrays({name: seed * array for name, array in policy.network.arrays().items()})
    return lambda folder: write_agent(folder / "mine", "mine", "Fights.", network, policy.game, {"seed": seed}) and None


def _bundle(seed: int) -> Act:
    policy = read_policy("duelist@easy" if seed == 1 else "duelist")
    contents = bundle.contents_of(policy, "godot")

    def act(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:  # the contents are equal each time
            patch.setattr(bundle, "contents_of", lambda *_: contents)
            bundle.write_bundle(policy, "godot", folder / "bundle")

    return act


def _picture(seed: int) -> Act:
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    from heartrush_env.research.plots import write_each

    figure = Figure(figsize=(1, 1))
    figure.text(0.5, 0.5, str(seed))
    return lambda folder: write_each(figure, folder, "figure") and None


def _report(seed: int) -> Act:
    return lambda folder: write_report(folder / "report.html", "A fight", f"<p>{seed}</p>")


def _journal(seed: int) -> Act:
    pytest.importorskip("torch")
    from heartrush_train.journal import Journal

    def act(folder: Path) -> None:
        journal = Journal(folder / "progress.jsonl")
        journal.cut(seed)
        journal.add(seed + 1, {"loss": 0.5})

    return act


def _code(seed: int) -> Act:
    return lambda folder: code_cache._write(folder, "digest", "kernel.nbc", b"code" * (seed + 1))


def _held(seed: int) -> Act:
    def act(folder: Path) -> None:
        with sole_writer(folder):
            pass

    return act


WRITERS: dict[str, Callable[[int], Act]] = {
    "a record": _record,
    "a dataset": _dataset,
    "a solver's checkpoint": _solver_checkpoint,
    "a solution": _solution,
    "a training checkpoint": _training_checkpoint,
    "an agent's card": _card,
    "an agent's weights": _weights,
    "an exported agent": _bundle,
    "a picture": _picture,
    "a report": _report,
    "a training journal": _journal,
    "compiled code": _code,
    "a lock": _held,
}


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.long] * (kind == "a picture")) for kind in WRITERS]
)
def test_a_failed_write_leaves_the_old_files_and_a_new_run_gives_the_same(
    kind: str, lasting: bool, tmp_path: Path
) -> None:
    first, second = WRITERS[kind](1), WRITERS[kind](2)
    (tmp_path / "whole").mkdir()
    first(tmp_path / "whole")
    before = content_of(tmp_path / "whole")
    second(tmp_path / "whole")
    after = content_of(tmp_path / "whole")
    for number in range(1, MOST_CALLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        first(folder)
        faults = Faults(number, lasting=lasting)
        with faults.installed():
            try:
                second(folder)
            except (HeartRushError, OSError) as problem:
                said = str(problem)
                assert isinstance(problem, HeartRushError) or kind == "compiled code", said
                assert "\n" not in said and (not isinstance(problem, HeartRushError) or said.endswith(".")), said
                for name, content in content_of(folder).items():
                    assert content in (before.get(name), after.get(name)), (number, name)
        second(folder)
        assert content_of(folder) == after, number
        if faults.calls < number:
            assert number > 1 or kind == "a lock"
            return
    pytest.fail("there is no end of the calls")
