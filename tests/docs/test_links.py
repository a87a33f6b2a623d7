"""What pages point to is there: files, headings, pictures, and paths that are named in code."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest

from conftest import ROOT
from docs.pages import NOTEBOOKS, PAGES, Page

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)

_ROOMS = ("docs", "example_notebooks", "joiner_magic", "jupyter-config", "kernel", "tests", "tools")
_PATHS = {file.relative_to(ROOT) for room in _ROOMS for file in (ROOT / room).rglob("*")}
# Paths of this repository as they are named in running text, which may leave out the first folders; after a colon
# stands what is meant in the file. NAME stands for any.
_NAMED = re.compile(r"(?:[\w-]+/)+[\w-]+\.(?:cpp|hpp|ipynb|js|lp|md|py)(?=$|:)")


def test_there_are_pages() -> None:
    assert {"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/index.md"} <= {page.name for page in PAGES}


@each_page
def test_links_lead_somewhere(page: Page) -> None:
    assert not [link for link in page.links if not leads_somewhere(page, link)]


@each_page
def test_pictures_have_words_for_those_who_do_not_see_them(page: Page) -> None:
    assert not page.pictures_without_words


@each_page
def test_paths_that_are_named_exist(page: Page) -> None:
    named = [found[0] for name in page.names_in_code if (found := _NAMED.match(name))]
    assert not [path for path in named if "NAME" not in path and not is_there(path)]


@pytest.mark.parametrize("page", NOTEBOOKS, ids=lambda page: page.name)
def test_notebooks_point_to_what_is_copied_with_them(page: Page) -> None:
    """`joiner tutorial` copies no documentation: its pages are named, as what they are in the repository."""
    assert not [link for link in page.links if "/" in link or not leads_somewhere(page, link)]
    named = [found[0] for name in page.names_in_code if (found := _NAMED.match(name))]
    assert not [path for path in named if not is_there(path)]


@pytest.mark.parametrize(
    "link",
    [
        "nowhere.md",
        "../README.md#no-such-heading",
        "#no-such-heading",
        "https://",
        "http://example.org/a b",
        "ftp://x.org",
    ],
)
def test_a_link_to_nowhere_would_be_noticed(link: str) -> None:
    page = Page(ROOT / "docs" / "index.md", "# A heading\n")
    assert not leads_somewhere(page, link)
    assert leads_somewhere(page, "#a-heading")
    assert leads_somewhere(page, "../LICENSE")
    assert leads_somewhere(page, "https://example.org/a#b")


def test_a_path_of_nothing_would_be_noticed() -> None:
    assert is_there("search/loop.py")
    assert is_there("tests/docs/pages.py")
    assert not is_there("search/loops.py")
    assert not is_there("arch/loop.py")


def leads_somewhere(page: Page, link: str) -> bool:
    """No network is asked: a link to elsewhere must be well formed."""
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme in ("http", "https") and bool(parts.netloc) and " " not in link
    file = (page.file.parent / unquote(parts.path)).resolve() if parts.path else page.file
    if not file.exists() or not parts.fragment:
        return file.exists()
    other = page if file == page.file else Page.read(file)
    return parts.fragment in other.anchors


def is_there(path: str) -> bool:
    return bool(files_called(path))


def files_called(path: str) -> list[Path]:
    """From the root of the repository; the path may leave out the first folders."""
    parts = PurePosixPath(path).parts
    return [known for known in _PATHS if known.parts[-len(parts) :] == parts]
