"""A real OpenID Connect provider on loopback, and a client that uses its sign-in pages."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tests import external_servers
from tests.ports import free_port as free_port


class _StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True)
class Issuer:
    """A client of the OpenID Connect provider at this URL."""

    url: str

    @property
    def host(self) -> str:
        return self.url.partition("://")[2]

    def set_claims(self, subject: str, **claims: Any) -> None:
        """Replace all claims that the provider makes about this person."""
        self._send("PUT", f"{self.url}/users/{subject}", json.dumps(claims).encode(), "application/json")

    def approve(self, address: str, subject: str) -> str:
        """Sign the person in at the URL to which our site redirected, and return the URL that leads back to
        the site.
        """
        form = urlencode({"sub": subject}).encode()
        return self._send("POST", address, form, "application/x-www-form-urlencoded")

    def deny(self, address: str) -> str:
        """Decline the sign-in on this person's behalf, and return the URL that leads back to the site."""
        form = urlencode({"action": "deny"}).encode()
        return self._send("POST", address, form, "application/x-www-form-urlencoded")

    def _send(self, method: str, address: str, body: bytes, media_type: str) -> str:
        request = urllib.request.Request(address, body, {"Content-Type": media_type}, method=method)
        try:
            answer = urllib.request.build_opener(_StayHere).open(request, timeout=60)
        except urllib.error.HTTPError as redirect:
            answer = redirect
        with answer:
            assert answer.status < 400, answer.read()
            return str(answer.headers.get("Location", ""))


@contextmanager
def issuer() -> Iterator[Issuer]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    command = ("oidc-provider-mock", "--port", str(port))
    with external_servers.external_server("oidc", *command, url=f"{url}/.well-known/openid-configuration"):
        yield Issuer(url)
