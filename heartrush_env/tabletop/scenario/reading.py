"""Reading and parsing of scenario and sheet files, with one-sentence errors."""

from pathlib import Path
from typing import Any, Final

from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.files import parse_toml, read_file

LARGEST_FILE: Final = 256 * 2**10  # bytes: twenty times the largest map with all its fighters


def text_of(path: Path, needed: str) -> str:
    """Return a file's text; `needed` describes the expected file in the error message."""
    content = read_file(path, LARGEST_FILE, ScenarioError, needed)
    try:
        text = content.decode("utf-8-sig")  # some editors write a byte order mark
    except UnicodeDecodeError as problem:
        raise ScenarioError(f"{path}: cannot be read as UTF-8 text ({_one_line(problem)}).") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parsed(content: str, where: str) -> dict[str, Any]:
    """Return the table in a TOML text; the parser's error message names line and column."""
    try:
        return parse_toml(content)
    except ValueError as problem:
        raise ScenarioError(f"{where}: broken TOML: {problem}.") from None


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split()).rstrip(".")
