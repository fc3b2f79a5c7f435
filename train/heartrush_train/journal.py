"""`progress.jsonl`: how training went, a JSON object a line, for programs and for `tail -f`.

A line is added before the checkpoint that it belongs to is written. When a run goes on, lines that go beyond its
checkpoint are cut off, with whatever is torn. So there is one whole line for each checkpoint, however often the run was
killed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heartrush_env.core.writing import replace_file
from heartrush_train.config import TrainingError


class Journal:
    """The file of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def cut(self, samples: int) -> None:
        """Keep the lines up to this many samples; with none to keep, there is no file."""
        if not self.path.exists():
            return
        content = self.path.read_bytes()
        kept = 0
        for line in content.splitlines(keepends=True):
            if not line.endswith(b"\n") or not _is_of(line, samples):
                break
            kept += len(line)
        if kept == 0:
            self.path.unlink()
        elif kept < len(content):
            replace_file(self.path, content[:kept], TrainingError)

    def add(self, samples: int, told: Mapping[str, Any]) -> None:
        """Add a line, `samples` first; where there is no room for all of it, nothing of it stays."""
        line = json.dumps({"samples": samples, **_finite(told)}).encode() + b"\n"
        with self.path.open("ab", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            try:
                left = memoryview(line)
                while left:
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), size)
                raise


def _is_of(line: bytes, samples: int) -> bool:
    """Whether a line is one of ours and goes no further than this many samples."""
    try:
        told = json.loads(line)
        return int(told["samples"]) <= samples
    except (ValueError, TypeError, KeyError):
        return False


def _finite(told: Mapping[str, Any]) -> dict[str, Any]:
    """The same with null for what is no number."""
    return {
        key: _finite(value)
        if isinstance(value, Mapping)
        else None
        if isinstance(value, float) and not math.isfinite(value)
        else value
        for key, value in told.items()
    }
