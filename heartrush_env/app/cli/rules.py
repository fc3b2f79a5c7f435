"""`heartrush rules`: shows which functions implement each heading of the rules, their rulings, and what is missing."""

from __future__ import annotations

import argparse
import difflib
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from heartrush_env.app.cli.arguments import add_game
from heartrush_env.app.cli.terminal import codes
from heartrush_env.tabletop.books import Book, Heading
from heartrush_env.tabletop.claims import Claim
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME, book_of
from heartrush_env.tabletop.text import show

WIDTH = 110

ABOUT = "Lists every heading of the rules with the functions that implement it, or why none does."
EXAMPLES = """examples:
  heartrush rules                     every heading of the rules
  heartrush rules zero hit points     one heading, with its functions and rulings
  heartrush rules push                not a heading: the functions and rulings that mention it
  heartrush rules --coverage          the abilities that fights can play, counted by chapter and kind
  heartrush rules --game NAME         every heading of the rules of another game
  heartrush rules --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    says = "words of a heading to show in full, or words of functions or rulings if no heading contains them"
    parser.add_argument("heading", nargs="*", metavar="HEADING", help=says)
    add_game(parser)
    parser.add_argument("--coverage", action="store_true", help="count the abilities that are implemented")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the requested headings, or the count of abilities."""
    if arguments.coverage:
        return _print_coverage(arguments)
    book = book_of(arguments.game)
    every, texts = book.headings(), book.rulings()
    shown = find(every, texts, arguments.heading) if arguments.heading else every
    if arguments.json:
        cited = _cited(claim for heading in shown for claim in heading.claims)
        print(json.dumps({"headings": [h.as_dict() for h in shown], "rulings": {r: texts[r] for r in cited}}, indent=1))
    elif arguments.heading:
        print("\n\n".join(in_full(heading, texts) for heading in shown))
    else:
        print("\n".join(overview(book, every)))
    return 0


def _print_coverage(arguments: argparse.Namespace) -> int:
    """Print how many of the abilities are implemented."""
    if arguments.heading:
        raise HeartRushError(f"--coverage counts all abilities, not those of {arguments.heading[0]!r}.")
    if arguments.game != DEFAULT_GAME:
        raise HeartRushError(
            f"--coverage: expected {DEFAULT_GAME}, which has a list of abilities, got {show(arguments.game)}."
        )
    from heartrush_env.app.heart_rush.commands.coverage import print_coverage  # imports the engine

    print_coverage(as_json=arguments.json)
    return 0


def find(every: Sequence[Heading], texts: Mapping[str, str], words: Sequence[str]) -> list[Heading]:
    """Return the headings whose last part contains the words; if there are none, search whole paths, then functions.

    Args:
        every: All headings.
        texts: The rulings by number.
        words: The words.
    """
    wanted = " ".join(words).lower()
    for part in (-1, None):
        found = [h for h in every if wanted in (h.path.split(" > ")[-1] if part else h.path).lower()]
        if found:
            return found
    if found := mentions(every, texts, wanted):
        return found
    titles = {heading.path.split(" > ")[-1].lower(): heading.path.split(" > ")[-1] for heading in every}
    close = difflib.get_close_matches(wanted, titles, n=3, cutoff=0.6)
    hint = f" (did you mean {' or '.join(repr(titles[t]) for t in close)}?)" if close else ""
    raise HeartRushError(
        f"No heading, function or ruling mentions {wanted!r}{hint}; `heartrush rules` lists the headings."
    )


def mentions(every: Sequence[Heading], texts: Mapping[str, str], wanted: str) -> list[Heading]:
    """Return the headings with functions whose name, summary or rulings contain the words; omit all other functions."""

    def says(claim: Claim) -> bool:
        texts_of = [claim.function.replace("_", " "), claim.summary, *(f"{r} {texts[r]}" for r in claim.rulings)]
        return any(wanted in part.lower() for part in texts_of)

    found = [replace(heading, claims=tuple(filter(says, heading.claims))) for heading in every if not heading.see]
    return [heading for heading in found if heading.claims]


def overview(book: Book, every: Sequence[Heading]) -> list[str]:
    """Return all headings, one line each and indented below their chapter, then the number implemented."""
    color = codes()
    lines, chapter = [], ""
    for heading in every:
        root, *below = heading.path.split(" > ")
        if root != chapter:
            chapter = root
            lines += ["", root] if below else [""]
        title = below[-1] if below and root in book.chapters else " > ".join(below) or root
        depth = len(below) if root in book.chapters else bool(below)
        line = f"{'  ' * depth + title:<44} {_in_short(heading)}"
        lines.append(line if heading.status == "played" else f"{color['dim']}{line}{color['end']}")
    return [*lines[1:], "", tally(book, every)]


def tally(book: Book, every: Sequence[Heading]) -> str:
    """Describe how many headings of the rule chapters are implemented."""
    chapter = [heading for heading in every if heading.path.split(" > ")[0] in book.chapters]
    count = {status: sum(heading.status == status for heading in chapter) for status in ("played", "later", "out")}
    partly = sum(heading.status == "played" and bool(heading.why) for heading in chapter)
    return (
        f"{len(chapter)} headings of the rule chapters: {count['played']} implemented ({partly} of them in part), "
        f"{count['later']} later, {count['out']} without a rule to implement."
    )


def _in_short(heading: Heading) -> str:
    if heading.status == "out":
        return f"no rule: {heading.why}"
    if heading.status == "later":
        return f"later: {heading.why}"
    words = places(heading) if not heading.see else f"see {heading.see.split(' > ')[-1]}"
    return words + (f" (later: {heading.why})" if heading.why else "")


def places(heading: Heading) -> str:
    """List the files that implement a heading, each with its functions."""
    by_file: dict[str, list[str]] = {}
    for claim in heading.claims:
        by_file.setdefault(re.sub("^games/[^/]+/", "", claim.file), []).append(_owner(claim))
    return "; ".join(f"{file}: {', '.join(dict.fromkeys(owners))}" for file, owners in by_file.items())


def _owner(claim: Claim) -> str:
    """Return the function that claims a heading, or if it is a method, its class."""
    return claim.function.split(".")[0]


def in_full(heading: Heading, texts: Mapping[str, str]) -> str:
    """Format one heading in full: its functions with their summaries, and the rulings that they follow."""
    color = codes()
    lines = [f"{color['bold']}{heading.path}{color['end']}"]
    if heading.status != "played":
        return "\n".join([*lines, f"  {_in_short(heading)}"])
    if heading.why:
        lines.append(f"  partly implemented; later: {heading.why}")
    if heading.see:
        lines.append(f"  claimed under {heading.see}")
    for file, owner, summary in dict.fromkeys((claim.file, _owner(claim), claim.summary) for claim in heading.claims):
        lines.append(f"  {file}: {owner}")
        lines += _wrapped(summary, "      ")
    for ruling in _cited(heading.claims):
        lines += _wrapped(f"{ruling}  {texts[ruling]}", "  ")
    return "\n".join(lines)


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "      ")


def _cited(claims: Iterable[Claim]) -> list[str]:
    """Return the rulings that the claims cite, in numeric order."""
    return sorted({r for claim in claims for r in claim.rulings}, key=lambda r: int(r.removeprefix("R-")))
