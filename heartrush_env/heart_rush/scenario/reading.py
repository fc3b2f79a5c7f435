"""The texts of scenario and sheet files, read and parsed, or refused in one sentence."""

from pathlib import Path
from typing import Any, Final

from heartrush_env.core.errors import ScenarioError
from heartrush_env.core.files import parse_toml, read_file

LARGEST_FILE: Final = 256 * 2**10  # bytes: twenty times the largest map with all its fighters


def text_of(path: Path, needed: str) -> str:
    """The text of a file; `needed` ends the sentence that refuses another kind."""
    content = read_file(path, LARGEST_FILE, ScenarioError, needed)
    try:
        text = content.decode("utf-8-sig")  # some editors begin a file with a mark of its encoding
    except UnicodeDecodeError as problem:
        raise ScenarioError(f"{path}: cannot be read as UTF-8 text ({_one_line(problem)}).") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parsed(content: str, where: str) -> dict[str, Any]:
    """The table that a TOML text holds; the parser's message names line and column."""
    try:
        return parse_toml(content)
    except ValueError as problem:
        raise ScenarioError(f"{where}: broken TOML: {problem}.") from None


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split()).rstrip(".")
