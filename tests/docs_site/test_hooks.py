"""The documentation as a site: nothing is left out, no link is broken, and nothing is loaded from other hosts."""

import ast
import os
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from posixpath import normpath
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import hooks
import pytest
import yaml
from heartrush_agents.cards import measured_ids
from pages.blocks import ON_SITE
from pages.markdown import filled

from heartrush_env.app.cli.card_page import card_page
from tests.architecture.layout import modules, tree
from tests.processes import finished

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs-site"


class _Plain(yaml.SafeLoader):
    """A YAML reader for mkdocs.yml that ignores its one Python object."""


_Plain.add_multi_constructor("tag:yaml.org,2002:python/", lambda loader, suffix, node: None)


def named(nav: Any) -> Iterator[str]:
    """Yield the pages of a navigation in order."""
    if isinstance(nav, str):
        yield nav
    else:
        for inner in nav.values() if isinstance(nav, dict) else nav:
            yield from named(inner)


def test_the_navigation_names_every_page_once() -> None:
    nav = yaml.load((FOLDER / "mkdocs.yml").read_text(encoding="utf-8"), _Plain)["nav"]
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    reference = [f"reference/{module}.md" for module in hooks.modules()]
    cards = [f"cards/{id}.md" for id in measured_ids()]
    assert len(reference) > 15 and len(cards) > 30
    assert sorted(named(hooks.unfolded(nav))) == sorted(pages + reference + cards), (
        "docs-site/mkdocs.yml names the pages"
    )


def test_each_page_stands_in_the_table_of_all() -> None:
    docs = ROOT / "docs"
    text = (docs / "README.md").read_text(encoding="utf-8")
    for page in (*docs.glob("*.md"), *docs.glob("kits/*.md")):  # cards are on the page of ratings
        assert page.name == "README.md" or f"({page.relative_to(docs).as_posix()})" in text


def test_each_link_of_a_filled_page_leads_to_a_page_of_the_site() -> None:
    docs = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in hooks.DOCS.rglob("*.md")}
    site = {hooks.page_of(place): hooks.rewritten(place, filled(text, ON_SITE)) for place, text in docs.items()}
    site |= {hooks.page_of(place): hooks.rewritten(place, text) for place, text in hooks.outside().items()}
    site |= {f"cards/{id}.md": card_page(id) for id in measured_ids()}
    files = {path.relative_to(hooks.DOCS).as_posix() for path in hooks.DOCS.rglob("*.*")} | {"protocol.schema.json"}
    leads = [(page, link, normpath(f"{page}/../{link}")) for page, text in site.items() for link in hooks.links(text)]
    assert {"cards/duelist.md", "bestiary.md", "protocol.schema.json"} <= {target for _, _, target in leads}
    assert [(page, link) for page, link, target in leads if target not in site.keys() | files] == []


def test_no_package_imports_the_site() -> None:
    site = {path.stem for path in FOLDER.iterdir()}
    assert {"hooks", "pages", "write"} <= site
    for module in modules():
        for node in ast.walk(tree(module)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & site, module


def test_each_link_of_a_page_leads_to_a_file() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "clients").rglob("*.md"), ROOT / "README.md"]
    lost = [
        f"{page.relative_to(ROOT)}: {link}"
        for page in pages
        for link in hooks.links(page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert lost == []


def test_links_out_of_the_folder_lead_to_pages_that_the_site_adds() -> None:
    text = "[a](../clients/README.md#more) [b](play.md) [c](https://x.example) [d](../examples)\n```\n[e](../x)\n```\n"
    assert hooks.rewritten("docs/kits/node.md", "[r](../ratings.md) [f](../../LICENSE)") == (
        "[r](../ratings.md) [f](../files/LICENSE.md)"
    )
    assert hooks.rewritten("docs/x.md", text) == (
        "[a](files/clients/README.md#more) [b](play.md) [c](https://x.example) [d](files/examples.md)\n"
        "```\n[e](../x)\n```\n"
    )
    assert hooks.rewritten("clients/README.md", "[p](../docs/play.md) [n](javascript/fight.mjs)") == (
        "[p](../../play.md) [n](javascript/fight.mjs.md)"
    )
    code = "````python\n```\nroll = '[+](two|one)'\n````\n"
    assert hooks.rewritten("clients/python/engine.py", code) == code
    added = hooks.outside()
    assert "const settings" in added["clients/javascript/engine.mjs"]  # a link on a page that the build adds
    assert "[vectorised.py](examples/vectorised.py)" in added["examples"]


def test_the_first_page_begins_with_a_link_to_the_page_that_plays() -> None:
    text = (hooks.DOCS / hooks.FIRST).read_text(encoding="utf-8")
    before, link, after = hooks.with_play(text).partition(
        "[Play now](play/index.html){ .md-button .md-button--primary }"
    )
    assert link and before.count("\n\n") == 2 and "![A duel" in after


class _Page(HTMLParser):
    """The anchors, the links and the loaded files of a page of the site."""

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
    assert 'href="play/index.html"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "play" / "engine.wasm").stat().st_size > 100_000
    assert "phantom_knight" in (tmp_path / "bestiary.html").read_text(encoding="utf-8")
    text = (tmp_path / "reference" / "heartrush_agents.html").read_text(encoding="utf-8")
    assert 'id="heartrush_agents.load"' in text
