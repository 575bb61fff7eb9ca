"""People who are signed in and have a photo in the tray, for the benchmarks of the editor."""

import json
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from tests.portal import Portal

_TOKEN = "a" * 32
_PEOPLE_OF = """
import io, json, sys
from pathlib import Path
from django.conf import settings
from django.test import Client
from editor.services.photos import drafts
from tests import cast
data = Path({photo!r}).read_bytes()
people = []
for number in range({people}):
    user = cast.make_user(f"{name}{{number}}@example.org", credits=4000)
    draft = drafts.create_draft(cast.actor_of(user), io.BytesIO(data), name="photo.jpg")
    client = Client(headers={{"host": "127.0.0.1"}})
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = f"{{settings.SESSION_COOKIE_NAME}}={{session}}"
    people.append([user.personal_workspace.slug, str(draft.id), cookie])
print(json.dumps({{"people": people, "csrf": settings.CSRF_COOKIE_NAME}}))
"""


@dataclass(frozen=True)
class Person:
    """A person who is signed in and has a photo in the tray."""

    url: str
    slug: str
    draft: str
    cookie: str

    def open_page(self) -> bytes:
        return self._call(f"/w/{self.slug}/")

    def preview(self, words: str) -> bytes:
        data = urllib.parse.urlencode({"prompt": words, "draft": self.draft}).encode()
        return self._call(f"/w/{self.slug}/preview/", data)

    def select(self, x: float, y: float) -> bytes:
        data = urllib.parse.urlencode({"draft": self.draft, "point": f"{x},{y}"}).encode()
        return self._call(f"/w/{self.slug}/select/", data)

    def _call(self, path: str, data: bytes | None = None) -> bytes:
        headers = {"Cookie": self.cookie, "X-CSRFToken": _TOKEN, "HX-Request": "true"}
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=60) as answer:
            content: bytes = answer.read()
            return content


def signed_in_people(site: Portal, photo: Path, number: int, *, name: str = "typing") -> list[Person]:
    """Create this number of people, each with a draft of the photo and a session."""
    code = _PEOPLE_OF.format(photo=str(photo), people=number, name=name)
    made = json.loads(site.manage("shell", "-v", "0", "-c", code).splitlines()[-1])
    return [
        Person(site.url, slug, draft, f"{cookie}; {made['csrf']}={_TOKEN}")
        for slug, draft, cookie in made["people"]
    ]
