"""Units of a game's rules, each a class, and compiled functions that call the unit with a given number.

A unit is a class with plain functions and a name. A `Shelf` numbers the units of one kind by a list of names, so that
numbers never depend on the order of imports. `switch` turns a list of functions into one compiled function that calls
the function with a given number; it generates source text that Python, its debugger and Numba can all read.
"""

from __future__ import annotations

import inspect
import linecache
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final, Generic, Protocol, TypeVar

from heartrush_env.tabletop.claims import CLAIMS
from heartrush_env.tabletop.rule import compiled, only_with, rule

Function = Callable[..., Any]
FRAMEWORK: Final = f"{__name__.rpartition('.')[0]}."


class Named(Protocol):
    """An object with a name."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)


class Shelf(Generic[T]):
    """The units of one kind by name, numbered in the order of a list of names."""

    def __init__(self, kind: str, order: Sequence[str], where: str) -> None:
        """Create an empty shelf for this kind of unit, numbered by `order`, a list that is defined at `where`."""
        self.kind, self.order, self.where = kind, tuple(order), where
        self._units: dict[str, T] = {}

    def number(self, name: str) -> int:
        """Return the number of the unit with this name.

        Raises:
            ImportError: `order` has no such name.
        """
        if name not in self.order:
            raise ImportError(f"The {self.kind} {name!r} has no number: add {name!r} at the end of {self.where}.")
        return self.order.index(name)

    def add(self, unit: T) -> None:
        """Add a unit to the shelf.

        Raises:
            ImportError: there is a unit of this name already.
        """
        if unit.name in self._units:
            raise ImportError(f"Expected one unit of the {self.kind} {unit.name!r}, got two.")
        self._units[unit.name] = unit

    def units(self) -> tuple[T, ...]:
        """Return all units, in the order of their numbers.

        Raises:
            ImportError: a name in `order` has no unit.
        """
        missing = [name for name in self.order if name not in self._units]
        if missing:
            raise ImportError(f"{self.where} names the {self.kind} {missing[0]!r}, which no file defines.")
        return tuple(self._units[name] for name in self.order)


def compile_methods(
    unit: type, names: Iterable[str], headings: Mapping[str, str], rulings: Sequence[str]
) -> dict[str, Function]:
    """Compile the functions of a unit's class that have these names, and let them claim headings of the rule text.

    Args:
        unit: The class; the compiled functions replace the plain ones.
        names: Names of functions that the class may have.
        headings: The heading that each function implements, unless it claims one itself or holds no rule.
        rulings: The rulings that these functions follow.

    Returns:
        The compiled functions that the class has, by name.
    """
    found: dict[str, Function] = {}
    claimed = {(claim.module, claim.function) for claim in CLAIMS}
    for name in names:
        function = vars(unit).get(name)
        if function is None:
            continue
        if not hasattr(function, "making"):
            function.__doc__ = function.__doc__ or unit.__doc__
            own = (function.__module__, function.__qualname__) in claimed
            claims = name in headings and not own
            function = rule(headings[name], *rulings)(function) if claims else compiled(function)
        setattr(unit, name, function)
        found[name] = function
    return found


@dataclass(frozen=True)
class Case:
    """One case of a switch: the function to call, and the field without which it is not compiled, if any."""

    function: Function
    needs: str | None = None


def switch(
    name: str,
    parameters: str,
    cases: Mapping[int, Case],
    otherwise: Any = None,
    *,
    beyond: tuple[int, Case] | None = None,
    summary: str = "",
) -> Function:
    """Make a compiled function that takes a number and calls the function that `cases` has under this number.

    Args:
        name: Its name.
        parameters: Its parameters, a record first; the number is called `number`, and the functions get all others.
        cases: Compiled functions by number. A function that needs a field is not compiled for records that lack it.
        otherwise: Its result for all other numbers: a constant, or the name of a parameter.
        beyond: A number above those of `cases`, and the case for it and for all larger numbers.
        summary: Its docstring.
    """
    given = ", ".join(part for part in parameters.split(", ") if part != "number")
    groups: dict[int, tuple[Function, str, list[int]]] = {}  # a function, its arguments and its numbers
    for field in sorted({case.needs for case in cases.values() if case.needs is not None}):
        inner = {number: Case(case.function) for number, case in cases.items() if case.needs == field}
        group = switch(f"{name}_with_{field}", parameters, inner, otherwise, summary=summary)
        group = _compiled_with(field, group, name, parameters, otherwise, summary)
        groups[id(group)] = group, parameters, list(inner)
    for number, case in cases.items():
        if case.needs is None:
            groups.setdefault(id(case.function), (case.function, given, []))[2].append(number)
    last = None
    if beyond is not None:
        first, case = beyond
        names = {"case": case.function}
        group = written(f"{name}_beyond", parameters, [f"return case({given})"], names, summary)
        if case.needs is not None:
            group = _compiled_with(case.needs, group, f"{name}_beyond", parameters, otherwise, summary)
        last = first, group
    return _compile_chain(name, parameters, list(groups.values()), otherwise, summary, last)


def _compiled_with(field: str, group: Function, name: str, parameters: str, otherwise: Any, summary: str) -> Function:
    """Make a function that calls `group` for records with the field; other records have no number of this group."""
    group = only_with(field, None if otherwise is None else 0)(group)
    if isinstance(otherwise, str):
        group = _same_without(field, group, name, parameters, otherwise, summary)
    return group


def _same_without(field: str, group: Function, name: str, parameters: str, same: str, summary: str) -> Function:
    """Make a function that calls `group` for records with the field, and returns the parameter `same` for others."""
    has_field = written(
        f"has_{field}", "record", ["return True"], {}, "Return whether the record has the field.",
        lambda function: only_with(field, otherwise=False)(compiled(function)),
    )  # fmt: skip
    record = parameters.split(", ")[0]
    body = [f"if has_field({record}):", f"    return group({parameters})", f"return {same}"]
    names = {"has_field": has_field, "group": group}
    return written(f"{name}_or_same_without_{field}", parameters, body, names, summary)


def _compile_chain(
    name: str,
    parameters: str,
    groups: Sequence[tuple[Function, str, list[int]]],
    otherwise: Any,
    summary: str,
    beyond: tuple[int, Function] | None = None,
) -> Function:
    """Compile a function that calls the function of the group that contains `number`, or else returns `otherwise`."""
    lines, names = [], {}
    for function, arguments, numbers in sorted(groups, key=lambda group: group[2]):
        test = " or ".join(f"number == {number}" for number in sorted(numbers))
        lines += [f"if {test}:", f"    return case_{numbers[0]}({arguments})"]
        names[f"case_{numbers[0]}"] = function
    if beyond is not None:
        lines += [f"if number >= {beyond[0]}:", f"    return beyond({parameters})"]
        names["beyond"] = beyond[1]
    return written(name, parameters, [*lines, f"return {otherwise}"], names, summary)


def written(
    name: str,
    parameters: str,
    body: Sequence[str],
    names: Mapping[str, Any],
    summary: str,
    compiles: Callable[[Any], Any] = compiled,
    package: str = "",
) -> Function:
    """Make a function from the lines of its body, with source text that readers, debuggers and tests can find.

    Args:
        name: Its name.
        parameters: Its parameters.
        body: The lines of its body, without indentation.
        names: The global names that the lines use.
        summary: Its docstring.
        compiles: How it is compiled.
        package: The package that it belongs to, which is part of its name in the cache of machine code; by default the
            calling module. Pass it for a function that is made when it is first needed, by any module.
    """
    place = f"{package or _asking_module()}.{name}"
    module = ModuleType(f"{__name__.partition('.')[0]}.written.{place}")
    vars(module).update(names)
    text = "\n    ".join([f"def {name}({parameters}):", f'"""{summary}"""', *body]) + "\n"
    file = f"<written {place}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[module.__name__] = module
    exec(compile(text, file, "exec"), vars(module))
    made: Function = compiles(vars(module)[name])
    return made


def _asking_module() -> str:
    """Return the name of the calling module outside the framework; it keeps equal names of two games apart."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals["__name__"].startswith(FRAMEWORK):
        frame = frame.f_back
    return "" if frame is None else str(frame.f_globals["__name__"])
