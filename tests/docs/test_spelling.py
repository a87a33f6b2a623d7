"""Words of the prose that readers see are words: of the dictionary of pyspellchecker, or of words.txt, the house's own.

codespell looks for known mistakes in everything else (pyproject.toml); here any word that nobody knows is one. Code, names
of files, names in CamelCase and abbreviations in capitals are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from spellchecker import SpellChecker

from conftest import ROOT
from docs.pages import NOTEBOOKS, PAGES, Page

_OWN = Path(__file__).with_name("words.txt")
_LETTERS = "[A-Za-zÀ-ÖØ-öø-ÿ]+"
_WORD = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*")
_FILE = re.compile(r"[\w/-]*\.\w[\w/.-]*")  # bk.pl, example.org
_NAME = re.compile(r".+[A-Z]")  # CamelCase, and abbreviations


@pytest.fixture(scope="module")
def known() -> SpellChecker:
    words = SpellChecker(language="en")
    words.word_frequency.load_words(_OWN.read_text(encoding="utf-8").split())
    return words


@pytest.mark.parametrize("page", [*PAGES, *NOTEBOOKS], ids=lambda page: page.name)
def test_pages(page: Page, known: SpellChecker) -> None:
    assert not unknown(page.prose, known), f"write them otherwise, or add them to {_OWN.name}"


def test_the_houses_words_are_in_order() -> None:
    words = _OWN.read_text(encoding="utf-8").split()
    assert words == sorted(set(words))


def test_mistakes_would_be_noticed(known: SpellChecker) -> None:
    right = ["Splittable rules are joined", "a user’s behaviour, colours", "JupyterLab on SWI", "don't"]
    assert not unknown(right, known)
    wrong = ["splitable rules", "it is learrnt", "a smalll rule", "Hypothessis", "the programms's"]
    assert len(unknown(wrong, known)) == len(wrong)


def test_code_is_no_prose_and_bold_letters_are_part_of_their_word() -> None:
    page = Page(ROOT / "x.md", "**A**cceptor of `frobnicatee` and\n[links](nowheree.md)\n")
    assert [list(words(text)) for text in page.prose if text] == [["acceptor", "of", "and", "links"]]


def unknown(texts: list[str], known: SpellChecker) -> set[str]:
    return {word for text in texts for word in words(text) if word not in known and owner(word) not in known}


def words(text: str) -> Iterator[str]:
    for word in _WORD.findall(_FILE.sub(" ", text)):
        if not _NAME.match(word):
            yield word.lower().replace("’", "'")


def owner(word: str) -> str:
    return word.removesuffix("'s").removesuffix("'")
