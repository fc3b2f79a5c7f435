"""The additions to docs/ on the site: long tables, cards, files that pages link to, and the reference of modules.

Long tables and the cards of agents are made from live objects (pages/), and the modules are those that api.md names.
In the repository, pages link to files outside docs/, such as `../clients/README.md`. On the site each of these files is
a page below `files/`: Markdown as it is, other files as code, a folder as its list. Links between all of them are
rewritten, so that the site stands alone.
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
from heartrush_env.protocol.messages import json_schema

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
HEART = ROOT / "heartrush_env" / "app" / "server" / "page" / "heart.svg"
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)\s#]+)")
FENCE = re.compile(r"^(````.*?^````$|```.*?^```$)", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"^\| `([\w.]+)`", re.MULTILINE)
CODE = {".py": "python", ".mjs": "javascript", ".js": "javascript", ".toml": "toml", ".gd": "gdscript", ".cs": "csharp"}


def links(text: str) -> Iterator[str]:
    """Yield the places that a page links to, relative to it, outside its blocks of code."""
    for part in FENCE.split(text)[::2]:
        yield from (link[1] for link in LINK.finditer(part))


def page_of(place: str) -> str:
    """Return the page of the site that shows a file of the repository."""
    if place.startswith("docs/"):
        return place.removeprefix("docs/")
    return f"files/{place}" if place.endswith(".md") else f"files/{place}.md"


def linked_from(place: str, text: str) -> dict[str, str]:
    """Return the file that each link of a page of the repository leads to."""
    return {link: normpath(f"{place}/../{link}") for link in links(text)}


def shown(place: str) -> str:
    """Return a file of the repository as Markdown."""
    path = ROOT / place
    if path.is_dir():
        names = sorted(file.name for file in path.iterdir() if file.is_file() and file.name != "__init__.py")
        return f"# {place}\n\n" + "".join(f"- [{name}]({path.name}/{name})\n" for name in names)
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".md":
        text = f"# {path.name}\n\n`{place}`\n\n````{CODE.get(path.suffix, '')}\n{text}````\n"
    return text


def outside() -> dict[str, str]:
    """Return the Markdown of each file outside docs/ that a page leads to, directly or through others, by its place."""
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
    """Return a page of the repository with the links that it has on the site."""
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
    """Return the pages that the navigation names: those of docs/, the cards, and the reference of each module."""
    return [
        *sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")),
        *(f"cards/{id}.md" for id in measured_ids()),
        *(f"reference/{module}.md" for module in modules()),
    ]


def unfolded(nav: Any) -> Any:
    """Return a navigation whose entries with a star are replaced by the pages that fit."""
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
    """Complete the navigation."""
    config.nav = unfolded(config.nav)
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add what is not in docs/."""
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
    return markdown
