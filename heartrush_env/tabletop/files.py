"""Files from untrusted sources: read within limits, or refused in one sentence.

Every file that a user names is opened here. Devices, pipes, folders and oversized files are refused after opening, by
their descriptor, so that the file cannot be swapped in between; a pipe never blocks. JSON and TOML are parsed here
too, because a small text can cost either parser much time or memory. This module does not interpret the contents.
"""

import json
import os
import re
import stat
import tomllib
import zipfile
from collections.abc import Mapping
from typing import Any, BinaryIO, Final

import numpy as np

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.numbers import finite, not_finite
from heartrush_env.tabletop.text import show

MOST_KEY_PARTS: Final = 8  # parts of a dotted key; the parser's memory grows with their square

_FLAGS: Final = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))

# The parts of a TOML text that matter for dots in keys. Strings come first, so dots inside them are not counted.
_TOML_TOKEN: Final = re.compile(
    r'(?P<text>"""(?:[^"\\]|\\.|"(?!""))*"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')'
    r"|(?P<comment>#[^\n]*)|(?P<word>[A-Za-z0-9_-]+)|(?P<dot>\.)|(?P<space>[ \t]+)|(?P<other>.)",
    re.DOTALL,
)


def open_file(path: str | os.PathLike[str], most: int, error: type[HeartRushError], needed: str) -> BinaryIO:
    """Open a regular file for reading.

    Args:
        path: The file.
        most: The largest allowed size in bytes. A reader must still stop at this size, because a file may grow.
        error: The error to raise, with a one-sentence message, if the file cannot be used.
        needed: The kind of file that is needed, for the end of that sentence.
    """
    name = os.fspath(path)
    try:
        descriptor = os.open(name, _FLAGS)
    except FileNotFoundError:
        raise error(f"{name}: expected {needed}, but there is no such file.") from None
    except OSError as problem:
        raise error(f"{name}: expected {needed}, but it cannot be read ({problem.strerror}).") from None
    except ValueError:  # NUL, or a lone surrogate
        raise error(f"{show(name)}: expected {needed}, got something that is not a path.") from None
    try:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise error(f"{name}: expected {needed}, but it is not a regular file.")
        if facts.st_size > most:
            raise error(f"{name}: expected {needed}, of at most {_bytes(most)}, got a larger file.")
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_file(path: str | os.PathLike[str], most: int, error: type[HeartRushError], needed: str) -> bytes:
    """Read a whole regular file of at most `most` bytes; `open_file` describes the arguments."""
    with open_file(path, most, error, needed) as file:
        try:
            content = file.read(most + 1)
        except OSError as problem:
            raise error(f"{os.fspath(path)}: expected {needed}, but it cannot be read ({problem.strerror}).") from None
    if len(content) > most:  # files in /proc report size 0
        raise error(f"{os.fspath(path)}: expected {needed}, of at most {_bytes(most)}, got a larger file.")
    return content


def load_arrays(file: BinaryIO, most: int, where: str, error: type[HeartRushError]) -> Any:
    """Open an npz archive of at most `most` unpacked bytes, without pickles; raise BadZipFile for other files."""
    with zipfile.ZipFile(file) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > most:
        raise error(f"{where}: expected at most {_bytes(most)} unpacked, got {size} bytes.")
    file.seek(0)
    return np.load(file, allow_pickle=False)


def parse_json(content: bytes | str) -> Any:
    """Parse a JSON text; raise ValueError, with a reason that fits into a sentence, if it is invalid.

    Numbers that are not finite are refused, and so are objects with a duplicate key.
    """
    try:
        text = content.decode() if isinstance(content, bytes) else content
        return json.loads(text, object_pairs_hook=_object, parse_constant=not_finite, parse_float=finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8 text") from None
    except ValueError as problem:
        raise ValueError(_reason(problem)) from None


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML text; raise ValueError, with a reason that fits into a sentence, if it is invalid."""
    _check_keys(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("its lists or tables are nested too deeply") from None
    except ValueError as problem:
        raise ValueError(_reason(problem)) from None


def as_toml(table: Mapping[str, Any]) -> str:
    """Return a table as TOML text: plain keys first, then tables, then lists of tables, each under its header."""
    lines = _pairs({key: value for key, value in table.items() if not (_is_table(value) or _is_tables(value))})
    for key, value in table.items():
        if _is_table(value):
            lines += ["", f"[{key}]", *_pairs(value)]
    for key, value in table.items():
        for each in value if _is_tables(value) else ():
            lines += ["", f"[[{key}]]", *_pairs(each)]
    return "\n".join(lines) + "\n"


def toml_value(value: Any) -> str:
    """Return a value as TOML on one line; strings, numbers and flags are written as in JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _pairs(table: Mapping[str, Any]) -> list[str]:
    """Return one line for each key and its value."""
    return [f"{key} = {toml_value(value)}" for key, value in table.items()]


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_is_table, value))


def _check_keys(text: str) -> None:
    """Limit the parts of each dotted key before parsing, since the parser's memory grows with their square."""
    dots, line = 0, 1
    for token in _TOML_TOKEN.finditer(text):
        kind = token.lastgroup
        dots += kind == "dot"
        if kind in ("other", "comment"):
            dots = 0
        if dots >= MOST_KEY_PARTS:
            line += text.count("\n", 0, token.start())
            raise ValueError(f"a key of more than {MOST_KEY_PARTS} parts (at line {line})")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("an object has a key twice")
    return value


def _reason(problem: ValueError) -> str:
    """Return a parser's message on one line, without Python's advice to programmers."""
    said = " ".join(str(problem).split()).rstrip(".")
    return "a whole number of thousands of digits" if said.startswith("Exceeds the limit") else said


def _bytes(count: int) -> str:
    """Return a size limit as text, in the largest unit that divides it."""
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size and count % size == 0:
            return f"{count // size} {unit}"
    return f"{count} bytes"
