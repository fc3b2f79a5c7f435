"""MkDocs hooks that add to docs/: long tables, cards of agents, linked files, and a reference of modules.

Long tables and cards are generated from live objects (pages/), and the reference covers the modules that api.md names.
In the repository, pages link to files outside docs/, such as `../clients/README.md`. On the site, each of these files
is a page below `files/`. A Markdown file is shown as it is, any other file as a block of code, and a folder as a list
of its files. The links between all these pages are rewritten, so that the site is self-contained.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any

from heartrush_agents.cards import measured_ids
from pages.blocks import ON_SITE
from pages.markdown import filled

from heartrush_env.app.cli.card_page import card_page
from heartrush_env.app.heart_rush.alone.files import INDEX, page_files
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.protocol.messages import json_schema
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game, scenario_names

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
HEART = ROOT / "heartrush_env" / "app" / "server" / "page" / "heart.svg"
FIRST, PLAYED = "README.md", "play"  # the site's first page, and the folder of the page that plays fights
PLAY_NOW = f"\n[Play now]({PLAYED}/{INDEX}){{ .md-button .md-button--primary }}\n"
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)")
FENCE = re.compile(r"^(````.*?^````$|```.*?^```$)", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"^\| `([\w.]+)`", re.MULTILINE)
CODE = {".py": "python", ".mjs": "javascript", ".js": "javascript", ".toml": "toml", ".gd": "gdscript", ".cs": "csharp"}


def links(text: str) -> Iterator[str]:
    """Yield the paths that a page links to, relative to the page; links in its blocks of code do not count."""
    for part in FENCE.split(text)[::2]:
        yield from (link[1] for link in LINK.finditer(part))


def page_of(place: str) -> str:
    """Return the path of the site's page that shows a file of the repository."""
    if place.startswith("docs/"):
        return place.removeprefix("docs/")
    return f"files/{place}" if place.endswith(".md") else f"files/{place}.md"


def linked_from(place: str, text: str) -> dict[str, str]:
    """Return, for each link on a page of the repository, the path of the file that it leads to."""
    return {link: normpath(f"{place}/../{link}") for link in links(text)}


def shown(place: str) -> str:
    """Return a file of the repository as Markdown; for a folder, return a list of its files."""
    path = ROOT / place
    if path.is_dir():
        names = sorted(file.name for file in path.iterdir() if file.is_file() and file.name != "__init__.py")
        return f"# {place}\n\n" + "".join(f"- [{name}]({path.name}/{name})\n" for name in names)
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        text = f"# {path.name}\n\n`{place}`\n\n````{CODE.get(path.suffix, '')}\n{text}````\n"
    return text


def outside() -> dict[str, str]:
    """Return, by path, the Markdown of each file outside docs/ that the pages link to, directly or via other files."""
    pages = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md")}
    found: dict[str, str] = {}
    waiting = list(pages.items())
    while waiting:
        place, text = waiting.pop()
        for target in linked_from(place, text).values():
            if not target.startswith("docs/") and target not in found and (ROOT / target).exists():
                found[target] = shown(target)
                waiting.append((target, found[target]))
    return found


def rewritten(place: str, text: str) -> str:
    """Return the text of a page of the repository, with its links changed so that they work on the site."""
    here = page_of(place)
    there = {
        link: relpath(page_of(target), here.rpartition("/")[0] or ".")
        for link, target in linked_from(place, text).items()
        if not (place.startswith("docs/") and target.startswith("docs/"))
    }
    parts = FENCE.split(text)
    parts[::2] = [LINK.sub(lambda link: there.get(link[1], link[1]), part) for part in parts[::2]]
    return "".join(parts)


def modules() -> list[str]:
    """Return the modules that api.md names."""
    return MODULE.findall((DOCS / "api.md").read_text(encoding="utf-8"))


def pages() -> list[str]:
    """Return the pages that the navigation can name: those of docs/, the cards, and the reference of each module."""
    return [
        *sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")),
        *(f"cards/{id}.md" for id in measured_ids()),
        *(f"reference/{module}.md" for module in modules()),
    ]


def played() -> dict[str, bytes]:
    """Return the files of the page that plays every shipped scenario, by their paths on the site."""
    games = {name: as_heart_rush(open_game({"scenario": name})) for name in scenario_names(DEFAULT_GAME)}
    return {f"{PLAYED}/{name}": content for name, content in page_files(games).items()}


def with_play(text: str) -> str:
    """Return the first page with a link to the page that plays fights, after its first paragraph."""
    title, first, rest = text.split("\n\n", 2)
    return f"{title}\n\n{first}\n{PLAY_NOW}\n{rest}"


def unfolded(nav: Any) -> Any:
    """Return a navigation in which each entry with a wildcard is replaced by the pages that match the entry."""
    if isinstance(nav, dict):
        return {title: unfolded(inner) for title, inner in nav.items()}
    if isinstance(nav, str):
        return nav
    found: list[Any] = []
    for entry in nav:
        starred = isinstance(entry, str) and "*" in entry
        found += [page for page in pages() if fnmatch(page, entry)] if starred else [unfolded(entry)]
    return found


def on_config(config: Any) -> Any:
    """Complete the navigation: replace each entry with a wildcard by the pages that match the entry."""
    config.nav = unfolded(config.nav)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the pages and files of the site that are not in docs/."""
    from mkdocs.structure.files import File, InclusionLevel

    for path in (HEART, Path(__file__).with_name("site.css")):
        files.append(File.generated(config, path.name, abs_src_path=str(path)))
    for place, text in outside().items():
        page = File.generated(config, page_of(place), content=rewritten(place, text))
        page.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(page)
    for id in measured_ids():
        files.append(File.generated(config, f"cards/{id}.md", content=card_page(id)))
    schema = json.dumps(json_schema(), indent=1, ensure_ascii=False)
    files.append(File.generated(config, "protocol.schema.json", content=schema))
    for name, content in played().items():
        files.append(File.generated(config, name, content=content))
    for module in modules():
        files.append(
            File.generated(config, f"reference/{module}.md", content=f"---\ntitle: {module}\n---\n\n::: {module}\n")
        )
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Fill in the long tables of a page of docs/, rewrite its links, and link api.md's modules to their reference."""
    if page.file.src_uri == "api.md":
        markdown = MODULE.sub(r"| [`\1`](reference/\1.md)", markdown)
    if page.file.generated_by is None:
        markdown = rewritten(f"docs/{page.file.src_uri}", filled(markdown, ON_SITE))
    return with_play(markdown) if page.file.src_uri == FIRST else markdown
