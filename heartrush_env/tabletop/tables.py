"""Tables of features: one line gives the name, range, meaning and value of a number in an observation.

A `Block` is a list of such lines that are adjacent in an observation. Its compiled writers and its reader are generated
from them, so no line is ever addressed by a bare number:

    FIGHTER = Block(
        feature("hp", -25, 25, "hit points / {scale}", lambda fighter: fighter.hp, scale=40, clips=True),
        flag("armed", "weapon in hand", lambda fighter: fighter.armed),
        one_of("stance ", STANCES, "stance of this round", lambda fighter: fighter.stance),
    )
    write_fighter = FIGHTER.writer("write_fighter", "fight, i", fighter=lambda fight, i: fight.fighters[i])

A value is a lambda, whose expression is copied into the writer. Its parameters are parameters of the writer or names
that the writer computes first. Some lines write one number for each of several words; their lambdas may also have the
parameter `k`, the index of the word.
"""

from __future__ import annotations

import ast
import builtins
import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from inspect import signature
from typing import Any

import numpy as np

from heartrush_env.tabletop.memory import copy_numbers, one_hots
from heartrush_env.tabletop.rule import inlined
from heartrush_env.tabletop.units import Function, written

Value = Callable[..., Any]
Names = dict[str, Any]

LAST_ROW = 63  # the last row of a one-hot table, which -1 selects; a power of two minus one


@dataclass(frozen=True)
class Feature:
    """One number of an observation: its name, its range and its meaning."""

    name: str
    low: float
    high: float
    meaning: str
    scale: int = 1  # the divisor of its value, if it is a count

    def of(self, whose: str) -> Feature:
        """Return this feature with its owner's name in front."""
        return replace(self, name=f"{whose} {self.name}")


# --------------------------------------------------------------------------------------------------------------- lines


@dataclass(frozen=True)
class Line:
    """One line of a block: adjacent features, and the value that they show."""

    name: str
    features: tuple[Feature, ...]
    value: Value
    when: Value | None = None  # condition for writing the line; otherwise its numbers stay unchanged
    given: Mapping[str, Value] | None = None  # values that are computed before the line, by name

    def uses(self, name: str) -> bool:
        """Return whether the line depends on a value of this name, such as `memory`."""
        values = [self.value, self.when, *(self.given or {}).values(), getattr(self, "shown", None)]
        return any(value is not None and name in signature(value).parameters for value in values)

    def code(self, first: int, pen: Pen) -> list[str]:
        """Return the statements that write the line, starting at index `first` of its block."""
        before = [f"{name} = {pen.source(value)}" for name, value in (self.given or {}).items()]
        lines = [*before, *self.body(str(first), pen)]
        return lines if self.when is None else [f"if {pen.source(self.when)}:", *_indented(lines)]

    def body(self, first: str, pen: Pen) -> list[str]:
        """Return the statements that write the line's numbers, without the condition and the given values.

        `first` is an expression for the index of the line's first number.
        """
        raise NotImplementedError

    def reading(self, first: int) -> str:
        """Return an expression for the value that the line shows in `numbers`, from index `at + first` on."""
        raise NotImplementedError

    def show(self, said: Any) -> list[float]:
        """Return the numbers that show this value; the inverse of `reading`."""
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Line):
    """A line of one number, divided by its scale."""

    scale: int | None = None  # None if the value is a fraction, or counts in ones
    clips: bool = False

    def body(self, first: str, pen: Pen) -> list[str]:
        """Return the statements that write one number."""
        return pen.number(self.features[0], first, self.value, clips=self.clips)

    def reading(self, first: int) -> str:
        """Return an expression for the number, multiplied by the scale and rounded; without a scale it is unchanged."""
        number = f"numbers[at + {first}]"
        return number if self.scale is None else f"round({number} * {self.scale})"

    def show(self, said: Any) -> list[float]:
        """Return the value divided by the scale, even if it is out of range."""
        return [float(said) if self.scale is None else said / self.scale]


@dataclass(frozen=True)
class Flag(Line):
    """A line of one number, 0 or 1."""

    def body(self, first: str, pen: Pen) -> list[str]:
        """Return the statement that writes the flag."""
        return [_put(first, pen.source(self.value))]

    def reading(self, first: int) -> str:
        """Return an expression for whether the flag is set."""
        return f"numbers[at + {first}] > 0"

    def show(self, said: Any) -> list[float]:
        """Return 1 if the flag is set, else 0."""
        return [float(said)]


@dataclass(frozen=True)
class Word(Line):
    """A line with one number per word; at most one of them is 1, and the value is the index of the word."""

    words: tuple[str, ...] = ()

    def body(self, first: str, pen: Pen) -> list[str]:
        """Return statements that copy the word's row of a table."""
        count = len(self.words)
        rows, code = pen.one_hots(count), f"word_{''.join(part for part in first if part.isalnum())}"
        return [
            f"{code} = {pen.source(self.value)}",
            f"copy_numbers({rows}, row_of({code}, {count}), out, at + {first}, {count})",
        ]

    def reading(self, first: int) -> str:
        """Return an expression for the word whose number is 1; None if there is none."""
        return "".join(f"{word!r} if numbers[at + {first + k}] else " for k, word in enumerate(self.words)) + "None"

    def show(self, said: Any) -> list[float]:
        """Return 1 for this word and 0 for all others."""
        return [float(word == said) for word in self.words]


@dataclass(frozen=True)
class Counts(Line):
    """A line with one number per word, divided by one scale; the value lambda gives the number of word `k`."""

    words: tuple[str, ...] = ()
    scale: int | None = None

    def body(self, first: str, pen: Pen) -> list[str]:
        """Return a loop over the words."""
        return [
            f"for k in range({len(self.words)}):",
            *_indented(pen.number(self.features[0], f"{first} + k", self.value)),
        ]

    def reading(self, first: int) -> str:
        """Return an expression for the words whose numbers are not 0, with the numbers multiplied by the scale."""
        said = "number" if self.scale is None else f"round(number * {self.scale})"
        shown = f"numbers[at + {first}:at + {first + len(self.words)}]"
        return f"{{word: {said} for word, number in zip({self.words!r}, {shown}) if number}}"

    def show(self, said: Any) -> list[float]:
        """Return the number of each word, divided by the scale."""
        return [said.get(word, 0) / (self.scale or 1) for word in self.words]


@dataclass(frozen=True)
class Rows(Line):
    """A line that shows several adjacent bytes, each as a row with one number per word, at most one of which is 1."""

    line: Line | None = None  # the line of one row
    rows: int = 0
    shown: Value | None = None  # how many rows are shown; all by default

    def body(self, first: str, pen: Pen) -> list[str]:
        """Return the statement that writes all rows at once."""
        assert self.line is not None
        words = len(self.line.features)
        count = str(self.rows) if self.shown is None else pen.source(self.shown)
        name = f"one_hots_of_{self.rows}_{words}"
        pen.names[name] = one_hots(self.rows, words)
        return [f"{name}({pen.source(self.value)}, {count}, out, at + {first})"]

    def reading(self, first: int) -> str:
        """Return an expression for the values of the rows."""
        assert self.line is not None
        wide = len(self.line.features)
        return f"[{', '.join(self.line.reading(first + k * wide) for k in range(self.rows))}]"

    def show(self, said: Any) -> list[float]:
        """Return the numbers of each row; rows beyond the given ones are empty."""
        assert self.line is not None
        shown = [*said, *[None] * self.rows][: self.rows]
        return [number for row in shown for number in self.line.show(row)]


def feature(
    name: str, low: float, high: float, meaning: str, value: Value, *, scale: int | None = None, clips: bool = False
) -> Line:
    """Return a line of one number.

    Args:
        name: Its name.
        low: The smallest value shown.
        high: The largest value shown.
        meaning: The meaning; {scale} is replaced with the scale.
        value: The value, before it is divided by the scale.
        scale: The scale of a whole-number value; None for a fraction.
        clips: Whether a value out of range is clipped to the range.
    """
    made = Feature(name, low, high, meaning.format(scale=scale), scale or 1)
    return Number(name, (made,), value, scale=scale, clips=clips)


def flag(name: str, meaning: str, value: Value) -> Line:
    """Return a line of one number, 0 or 1."""
    return Flag(name, (_flag(name, meaning),), value)


def one_of(
    prefix: str, words: Sequence[str], meaning: str, value: Value, *, name: str = "", when: Value | None = None
) -> Line:
    """Return a line with one number per word; at most one of them is 1.

    Args:
        prefix: The text before each word in the name of its feature.
        words: The words.
        meaning: The meaning of the word.
        value: The index of the word; -1 or an unused index up to 62 means no word.
        name: The name of the line in what `Block.read` returns; the prefix by default.
        when: Whether the line is written at all; otherwise its numbers stay unchanged.
    """
    features = tuple(_flag(f"{prefix}{word}", meaning) for word in words)
    return Word(name or prefix.strip(), features, value, when, words=tuple(words))


def each(
    prefix: str, words: Sequence[str], meaning: str, value: Value, *,
    name: str = "", scale: int | None = None, when: Value | None = None, **given: Value,
) -> Line:  # fmt: skip
    """Return a line with a number from 0 to 1 for each word.

    Args:
        prefix: The text before each word in the name of its feature.
        words: The words.
        meaning: The meaning of each number; {scale} is replaced with the scale.
        value: The value of word `k`, before it is divided by the scale.
        name: The name of the line in what `Block.read` returns; the prefix by default.
        scale: The scale of whole-number values; None for fractions.
        when: Whether the line is written at all.
        given: Values that are computed once for all of them, by name.
    """
    said = meaning.format(scale=scale)
    features = tuple(Feature(f"{prefix}{word}", 0, 1, said, scale or 1) for word in words)
    return Counts(name or prefix.strip(), features, value, when, given, words=tuple(words), scale=scale)


def rows(
    name: str, numbers: Sequence[int], prefix: str, words: Sequence[str], meaning: str, value: Value, shown: Value
) -> Line:
    """Return a line of numbered rows, each of which shows one of these words.

    Args:
        name: The name of the line in what `Block.read` returns.
        numbers: The row numbers in feature names.
        prefix: The text before each word in the name of its feature, with {number}.
        words: The words.
        meaning: The meaning of a word.
        value: The index of each row's word; the indices are adjacent bytes.
        shown: How many rows are shown; the others are zeros.
    """
    lines = [one_of(prefix.format(number=number), words, meaning, value) for number in numbers]
    features = tuple(feature for line in lines for feature in line.features)
    return Rows(name, features, value, line=lines[0], rows=len(lines), shown=shown)


def _flag(name: str, meaning: str) -> Feature:
    return Feature(name, 0.0, 1.0, meaning)


# -------------------------------------------------------------------------------------------------------------- blocks


class Block:
    """Lines that are adjacent in an observation, in order."""

    def __init__(self, *lines: Line) -> None:
        self.lines = lines
        self._first: dict[str, int] = {}
        self.features: list[Feature] = []
        for line in lines:
            self._first[line.name] = len(self.features)
            self.features += line.features

    def __len__(self) -> int:
        return len(self.features)

    def line(self, name: str) -> Any:
        """Return the line of this name."""
        return next(line for line in self.lines if line.name == name)

    def part(self, name: str) -> tuple[int, int]:
        """Return the first index of the line of this name, and its length."""
        return self._first[name], len(self.line(name).features)

    def __add__(self, other: Block) -> Block:
        return Block(*self.lines, *other.lines)

    def of(self, whose: str) -> list[Feature]:
        """Return the features, with their owner's name in front."""
        return [feature.of(whose) for feature in self.features]

    # -- the compiled writers ------------------------------------------------------------------------------------------

    def writer(
        self, name: str, parameters: str, *,
        only: Sequence[Line] | None = None, clears: bool = False, when: Value | None = None,
        compiles: Callable[[Any], Any] = inlined, summary: str = "", **given: Value,
    ) -> Function:  # fmt: skip
        """Return a compiled function that writes the block into a flat array, from the index `at` on.

        Args:
            name: The name of the function.
            parameters: Its parameters, before the array `out` and the index `at`.
            only: The lines that it writes; all by default.
            clears: Whether it first writes 0 throughout the block.
            when: The condition for writing the lines.
            compiles: How it is compiled.
            summary: Its docstring.
            given: Values that it computes first, by name.
        """
        pen = Pen()
        body = [f"for k in range({len(self)}):", "    put(out, at, k, 0)"] if clears else []
        body += [f"{local} = {pen.source(value)}" for local, value in given.items()]
        wrote = [
            statement
            for line in self.lines
            if only is None or line in only
            for statement in line.code(self._first[line.name], pen)
        ]
        body += wrote if when is None else [f"if {pen.source(when)}:", *_indented(wrote)]
        return written(name, f"{parameters}, out, at", body, pen.names, summary or f"Write {name}.", compiles)

    # -- the reader ----------------------------------------------------------------------------------------------------

    def read(self, numbers: Sequence[float], at: int = 0) -> dict[str, Any]:
        """Return the values that the numbers from index `at` on show, by the names of lines."""
        found: dict[str, Any] = self._reader(numbers, at)
        return found

    @cached_property
    def _reader(self) -> Function:
        firsts = zip(self.lines, self._first.values(), strict=True)
        values = [f"{line.name!r}: {line.reading(first)}," for line, first in firsts]
        name = f"read_{id(self)}"
        return written(name, "numbers, at", ["return {", *values, "}"], {}, "Read a block.", lambda function: function)

    def show(self, said: Mapping[str, Any], numbers: list[float], at: int = 0) -> None:
        """Write the values of lines into a list, from index `at` on; the inverse of `read`."""
        for line, first in zip(self.lines, self._first.values(), strict=True):
            if line.name in said:
                numbers[at + first : at + first + len(line.features)] = line.show(said[line.name])


# ------------------------------------------------------------------------------------------------------- compiled code


class Pen:
    """A maker of a writer's statements, which collects the names that they use."""

    def __init__(self) -> None:
        self.names: Names = {"put": put}

    def source(self, value: Value) -> str:
        """Return the source of a lambda's expression."""
        return expression(value, self.names)

    def one_hots(self, count: int) -> str:
        """Add a table with a one-hot row for each of `count` words, followed by rows of zeros; return its name.

        Copying a row needs no branch, unlike comparing a word with each index in turn.
        """
        name = f"one_hots_{count}"
        self.names |= {"row_of": row_of, "copy_numbers": copy_numbers}
        self.names[name] = np.eye(LAST_ROW + 1, count, dtype=np.float32).ravel()
        return name

    def number(self, feature: Feature, place: str, value: Value, *, clips: bool = False) -> list[str]:
        """Return the statements that write a feature's value, divided by its scale."""
        source = self.source(value)
        if feature.scale > 1:  # equals the quotient in float32 for every two-byte whole number
            source = f"{_whole(source)} * (1 / {feature.scale})"
        return [_put(place, self.clipped(source, float(feature.low), float(feature.high)) if clips else source)]

    def clipped(self, source: str, low: float, high: float) -> str:
        """Return an expression for the value, clipped to its range."""
        self.names["clip"] = clip
        return f"clip({source}, {low}, {high})"


@inlined
def row_of(word, words):
    """Return the start of a word's row in a one-hot table; a number that stands for no word has a row of zeros."""
    return (np.int64(word) & LAST_ROW) * words


@inlined
def clip(value, least, most):
    """Return the value, clipped to its range."""
    return min(max(value, least), most)


@inlined
def put(out, start, k, value):
    """Write a number at start + k; Numba then knows that the index is not negative."""
    out[np.uint64(start + k)] = value


def _put(place: str, source: str) -> str:
    return f"put(out, at, {place}, {source})"


def _whole(source: str) -> str:
    """Return an expression that can be part of a larger one, in parentheses if needed."""
    return f"({source})" if " " in source else source


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def expression(value: Value, names: Names) -> str:
    """Return the source of a lambda's expression; add the global names that it uses to `names`.

    Raises:
        TypeError: the lambda cannot be identified, or a global name means something else in another lambda.
    """
    code = value.__code__
    where = f"{code.co_filename}, line {code.co_firstlineno}"
    near = _lambdas(code.co_filename).get(code.co_firstlineno, [])
    lambdas = {ast.unparse(node.body): node for node in near if len(near) == 1 or _is(node, code)}
    if len(lambdas) != 1:
        raise TypeError(f"{where}: expected one lambda with these names, got {len(lambdas)}.")
    source, node = lambdas.popitem()
    own = {argument.arg for argument in node.args.args}
    for part in ast.walk(node.body):
        if isinstance(part, ast.Name) and part.id not in own and not hasattr(builtins, part.id):
            known = value.__globals__[part.id]
            if names.setdefault(part.id, known) is not known:
                raise TypeError(f"{where}: expected one meaning of {part.id} in a block, got a second.")
    return source


@cache
def _lambdas(file: str) -> dict[int, list[ast.Lambda]]:
    """Return the lambdas of a file by the line on which they begin."""
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(ast.parse("".join(linecache.getlines(file)), file)):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return found


def _is(node: ast.Lambda, code: Any) -> bool:
    """Return whether a lambda compiles to code with the names and constants of this code."""
    made = next(part for part in _compiled_lambdas(node))
    return all(getattr(made, part) == getattr(code, part) for part in ("co_consts", "co_names", "co_varnames"))


def _compiled_lambdas(node: ast.Lambda) -> Iterator[Any]:
    """Return an iterator over the code of a lambda, which is compiled on its own."""
    constants = compile(ast.fix_missing_locations(ast.Expression(node)), "<lambda>", "eval").co_consts
    return (part for part in constants if hasattr(part, "co_code"))
