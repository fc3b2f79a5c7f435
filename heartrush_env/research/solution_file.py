"""Solution files: compressed arrays with a JSON header and a digest of all numbers, without pickles."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.files import load_arrays, open_file, parse_json
from heartrush_env.tabletop.writing import replaced

LARGEST_FILE, LARGEST_UNPACKED = 4 * 2**30, 16 * 2**30  # bytes
WORDS = {"rules": "rules", "settings": "settings of the rules", "version": "format"}

Arrays = dict[str, NDArray[Any]]


def write_solution(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write arrays and a header; the file is written completely or not at all."""
    header = {**header, "sha256": digest_of(arrays)}
    text = np.frombuffer(json.dumps(header, sort_keys=True).encode(), np.uint8)
    with replaced(path, SolverError) as part, part.open("wb") as file:
        np.savez_compressed(file, header=text, **arrays)


def read_solution(
    path: str | Path, claims: Mapping[str, Any], names: Callable[[dict[str, Any]], Iterable[str]], kind: str
) -> tuple[dict[str, Any], Arrays]:
    """Read the header and the arrays of a file; the caller must check the arrays' shapes.

    Args:
        path: The file.
        claims: The facts that its header must match; "format" identifies the kind of file.
        names: Returns the names of the arrays in a file with this header.
        kind: The kind of file, for error messages.

    Raises:
        SolverError: The file cannot be read, is of a different kind, is damaged, or was written for something else.
    """
    try:
        with (
            open_file(Path(path), LARGEST_FILE, SolverError, f"a saved {kind}") as opened,
            load_arrays(opened, LARGEST_UNPACKED, str(path), SolverError) as file,
        ):
            header = parse_json(file["header"].tobytes())
            if not isinstance(header, dict) or header.get("format") != claims["format"]:
                raise ValueError("no header")
            for key, wanted in claims.items():
                if header.get(key) != wanted:
                    raise SolverError(
                        f"{path}: expected a solution for this duel and version, got one with different "
                        f"{WORDS.get(key, key)}."
                    )
            arrays = {name: file[name] for name in names(header)}
    except OSError as error:
        raise SolverError(f"{path}: expected a saved {kind}, but it cannot be read ({error.strerror}).") from None
    except SolverError:
        raise
    except (BadZipFile, ValueError, KeyError, EOFError, NotImplementedError, RuntimeError, MemoryError) as error:
        raise SolverError(f"{path}: it is not a {kind}, or it is damaged ({type(error).__name__}).") from None
    except Exception as error:  # a broken archive raises zlib.error, a direct subclass of Exception
        raise SolverError(f"{path}: it is damaged ({type(error).__name__}).") from None
    if digest_of(arrays) != header.get("sha256"):
        raise SolverError(f"{path}: its numbers do not match its digest.")
    return header, arrays


def digest_of(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return the SHA-256 of all numbers with their names, types and shapes."""
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(repr((name, array.dtype.str, array.shape)).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
