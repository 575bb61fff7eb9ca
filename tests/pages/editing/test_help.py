"""Tests that the page of example prompts covers all operations, and that the engine accepts its prompts."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from editor.engine import catalog
from editor.engine.language.explain import explain
from editor.models import User
from tests.engines import another_site, configure
from tests.pages.test_german import GERMAN

pytestmark = pytest.mark.django_db


def prompts(text: str, tag: str) -> list[str]:
    """Return the English prompts inside elements with this tag."""
    return [unescape(prompt) for prompt in re.findall(rf'<{tag} lang="en">([^<]+)</{tag}>', text)]


def test_the_page_lists_all_examples_by_kind(client: Client) -> None:
    page = client.get("/help/")
    assert page.status_code == 200
    _, *sections = re.split(
        r'<section aria-labelledby="(?=color|add|background|composition|remove)', page.text
    )
    found = {section.partition('"')[0]: prompts(section, "span") for section in sections}
    declared: dict[str, list[str]] = {}
    for declaration, prompt, _ in catalog.examples():
        declared.setdefault(declaration.kind, []).append(prompt)
    assert found == declared


def test_it_says_which_examples_need_a_box_or_another_photo(client: Client) -> None:
    text = re.sub(r"\s+", " ", client.get("/help/").text)
    for kind, tag in (("boxes", "with a box"), ("photos", "with two photos")):
        assert text.count(f'class="tag">{tag}<') == sum(kind in held for _, _, held in catalog.examples())


def test_the_engine_accepts_the_prompts_in_the_tips(client: Client) -> None:
    quoted = prompts(client.get("/help/").text, "q")
    assert len(quoted) == 4
    assert [prompt for prompt in quoted if not explain(prompt).accepted] == []


def test_it_says_so_if_another_engine_reads_the_prompts(client: Client, settings: Any) -> None:
    assert "This site uses another engine" not in re.sub(r"\s+", " ", client.get("/help/").text)
    configure(settings, another_site())
    assert "This site uses another engine" in re.sub(r"\s+", " ", client.get("/help/").text)


def test_the_german_page_has_english_prompts(client: Client) -> None:
    text = client.get("/help/", headers=GERMAN).text
    assert [words for words in ("Beispiele nach Art", "Bildaufbau", "mit Rahmen") if words not in text] == []
    assert prompts(text, "span") == prompts(client.get("/help/").text, "span")


def test_it_is_linked_from_the_landing_page_the_editor_and_the_menu(
    client_of: Callable[[User], Client], alice: User
) -> None:
    assert Client().get("/").text.count('href="/help/"') == 2
    assert client_of(alice).get("/w/alice/").text.count('href="/help/"') == 2
    assert client_of(alice).get("/account/").text.count('href="/help/"') == 1
