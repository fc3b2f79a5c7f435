"""`progress.jsonl`: the course of training as one JSON object per line, for programs and for `tail -f`.

Each line is written just before its checkpoint. A resumed run removes lines beyond its checkpoint and any truncated
line. So there is exactly one complete line for each checkpoint, however often the run was killed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heartrush_env.tabletop.writing import reason, replace_file
from heartrush_train.config import TrainingError


class Journal:
    """The `progress.jsonl` of one run."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def cut(self, samples: int) -> None:
        """Keep only the lines up to this number of samples, and remove the file if none is left.

        Raises:
            TrainingError: The file cannot be read or written.
        """
        with self._failing("used"):
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

    def add(self, samples: int, facts: Mapping[str, Any]) -> None:
        """Add a line that begins with `samples`; if the disk is full, remove the incomplete line.

        Raises:
            TrainingError: The line cannot be written.
        """
        line = json.dumps({"samples": samples, **_finite(facts)}).encode() + b"\n"
        with self._failing("written"), self.path.open("ab", buffering=0) as file:
            size = os.fstat(file.fileno()).st_size
            try:
                left = memoryview(line)
                while left:
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), size)
                raise

    @contextmanager
    def _failing(self, what: str) -> Iterator[None]:
        """Turn an OSError into a TrainingError that names the file."""
        try:
            yield
        except OSError as problem:
            raise TrainingError(f"{self.path}: it cannot be {what} ({reason(problem)}).") from None


def _is_of(line: bytes, samples: int) -> bool:
    """Return whether a line is complete and has at most this number of samples."""
    try:
        facts = json.loads(line)
        return int(facts["samples"]) <= samples
    except (ValueError, TypeError, KeyError):
        return False


def _finite(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts with null in place of NaN and infinity."""
    return {
        key: _finite(value)
        if isinstance(value, Mapping)
        else None
        if isinstance(value, float) and not math.isfinite(value)
        else value
        for key, value in facts.items()
    }
