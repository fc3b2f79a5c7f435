"""The documentation as a site: nothing is left out, every link leads somewhere, and nothing comes from other hosts."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
import yaml

from tests.processes import finished

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs-site"


def hooks() -> Any:
    spec = importlib.util.spec_from_file_location("docs_site_hooks", FOLDER / "hooks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HOOKS = hooks()


class _Plain(yaml.SafeLoader):
    """Reads mkdocs.yml without its one Python object."""


_Plain.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: None)


def named(nav: Any) -> Iterator[str]:
    """The pages of a navigation, in order."""
    if isinstance(nav, str):
        yield nav
    else:
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from named(inner)


def test_the_navigation_names_every_page_once() -> None:
    nav = yaml.load((FOLDER / "mkdocs.yml").read_text(encoding="utf-8"), _Plain)["nav"]
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    reference = [f"reference/{module}.md" for module in HOOKS.modules()]
    assert len(reference) > 15
    assert sorted(named(HOOKS.unfolded(nav))) == sorted(pages + reference), "docs-site/mkdocs.yml names the pages"


def test_each_page_stands_in_the_table_of_all() -> None:
    docs = ROOT / "docs"
    text = (docs / "README.md").read_text(encoding="utf-8")
    for page in (*docs.glob("*.md"), *docs.glob("kits/*.md")):  # cards stand on the page of ratings
        assert page.name == "README.md" or f"({page.relative_to(docs).as_posix()})" in text


def test_each_link_of_a_page_leads_to_a_file() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "clients").rglob("*.md"), ROOT / "README.md"]
    lost = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in HOOKS.links(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert lost == []


def test_links_out_of_the_folder_lead_to_pages_that_the_site_adds() -> None:
    text = "[a](../clients/README.md#more) [b](play.md) [c](https://x.example) [d](../examples)\n```\n[e](../x)\n```\n"
    assert HOOKS.rewritten("docs/cards/might.md", "[r](../ratings.md) [f](../../LICENSE)") == (
        "[r](../ratings.md) [f](../files/LICENSE.md)"
    )
    assert HOOKS.rewritten("docs/x.md", text) == (
        "[a](files/clients/README.md#more) [b](play.md) [c](https://x.example) [d](files/examples.md)\n"
        "```\n[e](../x)\n```\n"
    )
    assert HOOKS.rewritten("clients/README.md", "[p](../docs/play.md) [n](javascript/fight.mjs)") == (
        "[p](../../play.md) [n](javascript/fight.mjs.md)"
    )
    added = HOOKS.outside()
    assert "const settings" in added["clients/javascript/engine.mjs"]  # a link of a page that is itself added
    assert "[vectorised.py](examples/vectorised.py)" in added["examples"]


class _Page(HTMLParser):
    """The places that a page of the site names, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids, self.links, self.loads = {""}, list[str](), list[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        self.ids |= {found.get("id", ""), found.get("name", "")}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        self.loads += [found[name] for name in ("src", "data") if name in found]
        self.loads += [found["href"]] if tag == "link" and "href" in found else []


@pytest.mark.long
def test_the_site_is_built_without_a_warning_and_stands_alone(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocstrings")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(FOLDER / "mkdocs.yml")]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    done = finished(*command, "-d", str(tmp_path), env=environment, encoding="utf-8")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    pages = {path: _Page(path) for path in tmp_path.rglob("*.html") if path.name != "404.html"}
    assert {"index.html", "players.html", "api.html"} <= {path.name for path in pages}
    lost = []
    for path, page in pages.items():
        assert not [place for place in page.loads if urlsplit(place).scheme not in ("", "data")], path
        for link in page.links + page.loads:
            if urlsplit(link).scheme:
                continue
            place, fragment = urldefrag(link)
            target = (path.parent / unquote(place)).resolve() if place else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists() or (fragment and target in pages and unquote(fragment) not in pages[target].ids):
                lost.append(f"{path.relative_to(tmp_path)}: {link}")
    assert lost == []
    text = (tmp_path / "reference" / "heartrush_agents.html").read_text(encoding="utf-8")
    assert 'id="heartrush_agents.load"' in text
