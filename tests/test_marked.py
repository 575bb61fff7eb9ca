"""Tests that every word on every page is marked for translation, is marked as English, or is data."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import trans_real

from editor.models import User
from tests.test_access import (  # noqa: F401
    ALLAUTH_ROUTES,
    OURS,
    Scene,
    client_for,
    finished,
    people,
    scene,
)

SPOKEN = {"aria-label", "alt", "title", "placeholder", "aria-valuetext", "content"}
WITHOUT_WORDS = {"script", "style", "code", "pre", "bdi", "svg", "textarea"}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "use", "wbr"}
# Words that need no translation, such as product names, values from the scene, and units.
DATA = r"""Darkroom|DARKROOM|SAFETY|OpenAPI|Deutsch|English|FREE|PRO|Free|JPEG|PNG|WebP|HEIC|AVIF|JSON|CSV
    |zip|API|localhost|testserver|openapi\.json|POST|GET|https|[\w.+-]+@[\w.-]+|https?://\S*|Studio|Alice|Ames|Script|Tone|Mine|sepia
    |make|the|sky|darker|it|tone|photo-1|jpg|logo|embedded|edit\.succeeded|drk_\w+|min|UTC|Python|curl|Bearer|Webhooks?|MB|KB|KiB|bytes
    |EDIT\s[0-9A-F-]+|Edit\s[0-9A-F]{8}-\w{4}"""
LEAST = 3  # letters


class _Words(HTMLParser):
    """A parser that collects the words that users of a page read or hear.

    It leaves out text in another language, code, product names, and text entered by users.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.said: list[str] = []
        self._path: list[bool] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        is_apart = tag in WITHOUT_WORDS or given.get("lang") not in (None, "de")
        is_apart |= given.get("translate") == "no"
        is_heard = not (is_apart or any(self._path)) and (tag != "meta" or given.get("name") == "description")
        self.said += [given[name] or "" for name in SPOKEN & set(given) if is_heard]
        if tag not in VOID:
            self._path.append(is_apart)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and self._path:
            self._path.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._path):
            self.texts.append(data)


def unmarked(page: str) -> list[str]:
    """Return the words on a page that are neither data nor inside the brackets that mark translated text."""
    reader = _Words()
    reader.feed(page)
    found = []
    # A translation may extend over several elements.
    for text in [*_bare("\0".join(reader.texts)).split("\0"), *map(_bare, reader.said)]:
        rest = re.sub(rf"\b(?:{DATA})\b", " ", text, flags=re.VERBOSE)
        if re.search(rf"[A-Za-z]{{{LEAST},}}", rest):
            found.append(" ".join(text.split()))
    return found


def _bare(text: str) -> str:
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "\0", text)) != text:
        text = shorter
    return text


def _bracketed(speak: Callable[..., str]) -> Callable[..., str]:
    return lambda *arguments: f"⟦{speak(*arguments)}⟧"


def test_every_text_on_every_page_is_marked_for_translation(
    scene: Scene,  # noqa: F811
    people: dict[str, User],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    """Every translation is replaced with its text in brackets. Text without brackets was not marked."""
    settings.SIGNUP_IS_OPEN = True
    for name in ("gettext", "ngettext", "pgettext", "npgettext"):
        monkeypatch.setattr(f"django.utils.translation._trans.{name}", _bracketed(getattr(trans_real, name)))
    people["owner"].set_language("de")
    owner, stranger = client_for("owner", people), Client(headers={"Accept-Language": "de"})
    bare: dict[str, str] = {}
    for path in (*(path for path, _ in ALLAUTH_ROUTES), *(row.path(scene) for row in OURS.values())):
        for response in (finished(owner.get(path)), finished(stranger.get(path))):
            if response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming:
                bare |= dict.fromkeys(unmarked(response.content.decode()), path)
    assert not bare, "\n".join(f"{path}: {words}" for words, path in bare.items())
