"""Checkpoints of long solutions, stored part by part, so that solving can resume even if the process was killed.

A checkpoint is a one-line JSON header that identifies the solution, followed by the finished parts, each with its
SHA-256. Parts are only appended, so an interrupted write loses the last part and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.files import open_file, parse_json
from heartrush_env.tabletop.writing import reason, replace_file

FORMAT, FORMAT_VERSION = "heartrush-checkpoint", 1
SEAL = hashlib.sha256().digest_size
LONGEST_HEADER, LARGEST_FILE = 2**20, 2**40  # bytes


class Checkpoint:
    """The checkpoint file of one solution."""

    def __init__(self, path: str | Path, claims: Mapping[str, Any]) -> None:
        """Open or create the file; raise SolverError if it belongs to another solution."""
        self.path = Path(path)
        self.header = {**claims, "format": FORMAT, "version": FORMAT_VERSION}
        self.kept = 0  # length in bytes of the verified content
        try:
            if self.path.is_file() and self.path.stat().st_size > 0:
                self._read_header()
            elif self.path.exists() and not self.path.is_file():  # replacing a device would destroy it
                raise SolverError(
                    f"{self.path}: expected a new file or a checkpoint, got something that is not a regular file."
                )
            else:
                self._begin()
        except OSError as error:
            raise SolverError(f"{self.path}: it cannot be used as a checkpoint ({error.strerror}).") from None

    def read(self, parts: Sequence[Sequence[NDArray[Any]]]) -> int:
        """Fill the arrays of as many parts as the file holds, in order, and return the number of parts filled."""
        with self.path.open("rb") as file:
            file.seek(self.kept)
            for number, arrays in enumerate(parts):
                content = file.read(sum(array.nbytes for array in arrays))
                if hashlib.sha256(content).digest() != file.read(SEAL):
                    return number
                place = 0
                for array in arrays:
                    found = np.frombuffer(content, array.dtype, array.size, place)
                    array[...] = found.reshape(array.shape)
                    place += array.nbytes
                self.kept = file.tell()
        return len(parts)

    def add(self, arrays: Sequence[NDArray[Any]]) -> None:
        """Append a finished part after the last verified one."""
        content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
        try:
            with self.path.open("r+b") as file:
                file.seek(self.kept)
                file.write(content)
                file.write(hashlib.sha256(content).digest())
                file.truncate()
                file.flush()
                os.fsync(file.fileno())
                self.kept = file.tell()
        except OSError as error:
            with suppress(OSError):  # the disk may be full: remove the incomplete part
                os.truncate(self.path, self.kept)
            raise SolverError(f"{self.path}: it cannot be written ({reason(error)}).") from None

    def _begin(self) -> None:
        line = json.dumps(self.header, sort_keys=True).encode() + b"\n"
        replace_file(self.path, line, SolverError)
        self.kept = len(line)

    def _read_header(self) -> None:
        with open_file(self.path, LARGEST_FILE, SolverError, "a new file, or a checkpoint") as file:
            line = file.readline(LONGEST_HEADER)
        try:
            found = parse_json(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise SolverError(
                f"{self.path}: expected a new file or a checkpoint of the same solution, got another file."
            )
        if found != json.loads(json.dumps(self.header)):
            raise SolverError(
                f"{self.path}: expected a checkpoint of this duel under these rules and this version, got another one."
            )
        self.kept = len(line)
