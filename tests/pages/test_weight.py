"""Tests that each page is at most 65 KB, of which at most 24 KB are scripts and 16 KB are styles.

Sizes are measured after compression and do not include photos.
"""

import gzip
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from editor.models import User
from editor.services.photos import selections
from tests.cast import make_edit

pytestmark = pytest.mark.django_db
type SignIn = Callable[[User], Client]
STATIC = Path("static")
MOST = {"all": 65 * 1024, "js": 24 * 1024, "css": 16 * 1024}
_LINKED = re.compile(r'(?:href|src)="/static/([\w./-]+)(?:#[\w-]+)?"')
_BASIC = "vendor/instrument-sans/instrument-sans-basic-wght-normal.woff2"


def files_of(page: str) -> Iterator[str]:
    """Yield the names of the files that the browser fetches for every visitor to a page.

    Two kinds of files are left out: files that a script loads on demand, and styles for other alphabets.
    """
    yield from dict.fromkeys(name for name in _LINKED.findall(page) if not name.endswith(".webp"))


def weights(page: str) -> dict[str, int]:
    sizes = {"html": len(gzip.compress(page.encode()))}
    for name in files_of(page):
        data = (STATIC / name).read_bytes()
        kind = Path(name).suffix[1:]
        sizes[kind] = sizes.get(kind, 0) + len(data if kind == "woff2" else gzip.compress(data))
    return {**sizes, "all": sum(sizes.values())}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["landing", "editor", "result", "history", "help"])
def test_a_page_does_not_exceed_its_size_limits(
    client_of: SignIn, alice: User, name: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selections, "is_available", lambda: True)
    edits = [make_edit(alice, prompt=f"make the sky number {number} darker", price=1) for number in range(50)]
    addresses = {"editor": "/w/alice/", "result": f"/edits/{edits[0].pk}/", "history": "/w/alice/history/"}
    addresses["help"] = "/help/"
    client = Client() if name == "landing" else client_of(alice)
    page = client.get(addresses.get(name, "/"), headers={"Accept-Language": language}).text
    found = weights(page)
    assert _BASIC in set(files_of(page))
    assert {kind: found.get(kind, 0) for kind in MOST if found.get(kind, 0) > MOST[kind]} == {}, found
