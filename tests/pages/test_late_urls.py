"""Tests that the URLs whose views are imported on demand match allauth's URLs."""

from collections.abc import Sequence

from django.urls import URLPattern, URLResolver, reverse
from django.utils.module_loading import import_string

from editor.signin import lazy_urls


def test_the_lazy_urls_match_allauths_routes_and_names() -> None:
    theirs = {f"2fa/{route}": name for route, name in _named(import_string("allauth.mfa.urls.urlpatterns"))}
    ours = dict(_named(lazy_urls.urlpatterns))
    assert {route: name for route, name in ours.items() if route.startswith("2fa/")} == theirs
    assert reverse("mfa_remove_webauthn", args=[7]) == "/accounts/2fa/webauthn/keys/7/remove/"


def _named(patterns: Sequence[URLPattern | URLResolver]) -> list[tuple[str, str]]:
    """Return the route and the name of each URL pattern."""
    found = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += [(f"{pattern.pattern}{route}", name) for route, name in _named(pattern.url_patterns)]
        else:
            found.append((str(pattern.pattern), str(pattern.name)))
    return found
