"""`heartrush machine warm`: compiles the rules ahead of the first start, for example in a container image."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from heartrush_env import __version__
from heartrush_env.app.heart_rush.warming import IN_LIBRARY, PARTS

USUAL = ("fights", "maps")
LEFT_OUT = "abilities"  # needed only by fights with talents or other abilities
SECONDS_LEFT_OUT = 190.0  # measured on the reference machine of tabletop/waiting.py
NOT_KEPT = 1  # exit code if the next start has to compile again
ABOUT = (
    "Compiles everything that a first start would compile, into the cache folder. The exit code is 0 if the next start "
    "will find all of it there, and 1 if the folder cannot keep it."
)
EXAMPLES = """examples:
  heartrush machine warm                        # fights without a map and on maps, without abilities
  heartrush machine warm maps                   # only fights on maps
  heartrush machine warm classic                # fights of the classic edition, without a map and on maps
  heartrush machine warm abilities              # fights with abilities, without a map and on maps
  heartrush machine warm entities               # fights that are observed as entities
  heartrush machine warm stances                # many duels at once with decisions="stance", as for training
  heartrush machine warm fights maps abilities classic stances entities solver   # everything
  heartrush machine warm --library FOLDER       # the libraries of machine code for a wheel; docs/install.md says when
  RUN heartrush machine warm                    # in a Dockerfile; docs/install.md has the lines around it"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    says = f"{', '.join(PARTS)} (default: fights and maps)"
    parser.add_argument("parts", nargs="*", choices=(*PARTS, []), metavar="PART", help=says)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    says = "build the libraries that a wheel brings along, in this folder"
    parser.add_argument("--library", type=Path, metavar="FOLDER", help=says)
    says = "build them for Linux, macOS, Windows and WebAssembly, each in a folder in FOLDER; needs LLVM's linker lld"
    parser.add_argument("--everywhere", action="store_true", help=says)


def run(arguments: argparse.Namespace) -> int:
    """Compile the parts, and report what was compiled and where it is stored."""
    from heartrush_env.tabletop.compiling.code_cache import USED, VARIABLE, cache_directory
    from heartrush_env.tabletop.waiting import seconds_here

    if arguments.library is not None:
        return _build(arguments.library, arguments.parts or IN_LIBRARY, everywhere=arguments.everywhere)
    parts = dict.fromkeys(arguments.parts or USUAL)
    left_out = {} if arguments.parts else {LEFT_OUT: round(seconds_here(SECONDS_LEFT_OUT))}
    found: list[dict[str, Any]] = []
    for part in parts:
        before, begun, work = len(USED), perf_counter(), process_time()
        words, use = PARTS[part]
        use()
        compiled = sum(used.compiled for used in USED[before:])
        seconds, cpu_seconds = perf_counter() - begun, process_time() - work
        found.append({"part": part, "compiled": compiled, "seconds": seconds, "cpu_seconds": cpu_seconds})
        if not arguments.json:
            done = f"compiled in {seconds:.0f} s ({cpu_seconds:.0f} s of one core)" if compiled else "already compiled"
            print(f"{words}: {done}", flush=True)
    folder = cache_directory()
    kept = all(used.folder is not None and used.folder == folder for used in USED)
    if arguments.json:
        where = None if folder is None else str(folder)
        print(json.dumps({"version": __version__, "folder": where, "kept": kept, "parts": found, "left_out": left_out}))
    elif not USED:
        print("it comes with this installation")
    else:
        for part, seconds in left_out.items():
            about = f"`heartrush machine warm {part}` compiles them, in about {seconds} s of one core here"
            print(f"{PARTS[part][0]}: left out; {about}")
        if kept:
            print(f"kept in {folder}")
    if not kept:
        there = folder or "the user's cache folder"
        print(
            f"heartrush machine warm: not all compiled code is kept in {there}; {VARIABLE} names another folder.",
            file=sys.stderr,
        )
    return 0 if kept else NOT_KEPT


def _build(folder: Path, parts: Iterable[str], *, everywhere: bool) -> int:
    """Build libraries from the machine code of the parts, one for each package with compiled functions."""
    from heartrush_env.tabletop.compiling.building import build_libraries
    from heartrush_env.tabletop.compiling.platforms import PLATFORMS

    def play() -> None:
        for part in parts:
            PARTS[part][1]()

    for path, kernels in build_libraries(folder, play, tuple(PLATFORMS) if everywhere else ()).items():
        print(f"{len(kernels)} kernels: compiled into {path}")
    return 0
