"""The connection to the OpenID Connect issuer: HTTP calls, its configuration, and claims about a person.

allauth implements the protocol. Its calls go through the site's protection for outgoing requests, and an
invalid response raises OAuth2Error.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self
from urllib.parse import quote_plus

import requests
from allauth.account.internal.emailkit import valid_email_or_none
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.urls import reverse

from editor.forms import clean_line
from editor.models.accounts import normalized_email
from editor.outbound import OutboundError, Response
from editor.outbound.addresses import origin_of
from editor.outbound.calls import call
from editor.services.editing.fetching import outbound_rules
from editor.services.people.identities import Identity
from editor.signin.second_factor import reports_two_factors

REQUEST_SECONDS = 5.0
MAX_RESPONSE_BYTES = 1024 * 1024
CONFIGURATION_SECONDS = 3600
_MAX_NAME_LENGTH = 150
_YES = (True, "true", "1")


class IssuerSession:
    """The part of `requests.Session` that allauth uses, with a deadline, a size limit, and no redirects.

    The issuer may be on a private network, because the operator has chosen the issuer.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def get(self, url: str, *, headers: Mapping[str, str] | None = None) -> requests.Response:
        return self.request("GET", url, headers=headers)

    def request(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        data: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        auth: requests.auth.HTTPBasicAuth | None = None,
    ) -> requests.Response:
        """Make a request. Raises requests.ConnectionError if no complete response arrives in time."""
        try:
            rules = replace(outbound_rules(), allowed_origins=frozenset({origin_of(url)}))
            answer = call(
                method,
                url,
                rules=rules,
                seconds=REQUEST_SECONDS,
                cap=MAX_RESPONSE_BYTES,
                params=params,
                data=data,
                headers={**(headers or {}), **_basic(auth)},
            )
        except OutboundError as error:
            raise requests.ConnectionError(error.message) from error
        return _response(url, answer)


def configuration() -> dict[str, Any]:
    """Return the issuer's configuration (OpenID Connect Discovery 1.0), cached for an hour.

    Raises requests.RequestException and OAuth2Error.
    """
    known = known_configuration() or _fetch_configuration()
    cache.add(_key(), known, CONFIGURATION_SECONDS)
    return known


def known_configuration() -> dict[str, Any]:
    """Return the cached configuration, or an empty dictionary."""
    return cache.get(_key()) or {}


class IssuerAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth has no type hints
    @property
    def openid_config(self) -> dict[str, Any]:
        return configuration()

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return request.build_absolute_uri(reverse("oidc_callback"))

    def get_access_token_data(self, *args: Any, **options: Any) -> Any:
        with _invalid_responses():
            return super().get_access_token_data(*args, **options)

    def parse_token(self, data: Any) -> SocialToken:
        with _invalid_responses():
            return super().parse_token(data)

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **options: Any
    ) -> SocialLogin:
        with _invalid_responses():
            claims = self._decode_id_token(app, options["response"]["id_token"])
            info = self._fetch_user_info(token.token) if "userinfo_endpoint" in self.openid_config else {}
            if info.get("sub", claims["sub"]) != claims["sub"] or "\0" in claims["sub"]:
                raise OAuth2Error("the ID token and the user info have different subjects")
            person = claims | info | email_from_claims(info, claims)
            person["two_factor"] = reports_two_factors(_texts(claims.get("amr")))
            person["groups"] = [*_texts(claims.get("groups")), *_texts(info.get("groups"))]
            return self.get_provider().sociallogin_from_response(request, person)


class Issuer(OpenIDConnectProvider):  # type: ignore[misc]
    """The OpenID Connect issuer that the settings name.

    Identities are stored together with the issuer's URL, because a subject is unique only within one issuer.
    """

    oauth2_adapter_class = IssuerAdapter

    def get_scope(self) -> list[str]:
        is_offered = "groups" in _texts(configuration().get("scopes_supported"))
        return ["openid", "profile", "email", *(["groups"] if is_offered else [])]

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the claims to store, which are only those that `identity_of` needs."""
        ours = {group for group, _, _ in settings.OIDC_GROUPS}
        return {
            "email": normalized_email(valid_email_or_none(data.get("email")) or ""),
            "email_verified": data["email_verified"],
            "name": clean_line(str(data.get("name") or ""))[:_MAX_NAME_LENGTH],
            "groups": sorted(ours.intersection(data["groups"])),
            "two_factor": data["two_factor"],
        }


def email_from_claims(*sources: dict[str, Any]) -> dict[str, Any]:
    """Return the first email address in these claims, and whether it is verified.

    The address counts as verified if any of the claims says so. Microsoft Entra ID uses the claim `xms_edov`
    for this purpose if the domain is verified.
    """
    email = next((source["email"] for source in sources if source.get("email")), None)
    about_it = [source for source in sources if email and source.get("email") == email]
    verified_claims = [source.get(name) for source in about_it for name in ("email_verified", "xms_edov")]
    return {"email": email, "email_verified": any(value in _YES for value in verified_claims)}


def get_issuer(request: HttpRequest | None) -> Issuer:
    app = SocialApp(
        provider=Issuer.id,
        provider_id=settings.OIDC_ISSUER,
        name=settings.OIDC_ISSUER,
        client_id=settings.OIDC_CLIENT_ID,
        secret=settings.OIDC_CLIENT_SECRET,
        settings={"server_url": settings.OIDC_ISSUER, "oauth_pkce_enabled": True},
    )
    return Issuer(request, app=app)


def identity_of(login: SocialLogin) -> Identity:
    claims = login.account.extra_data
    return Identity(subject=login.account.uid, **(claims | {"groups": tuple(claims["groups"])}))


def _key() -> str:
    return f"oidc-configuration:{settings.OIDC_ISSUER}"


def _fetch_configuration() -> dict[str, Any]:
    response = IssuerSession().get(get_issuer(None).server_url)
    response.raise_for_status()
    with _invalid_responses():
        config: dict[str, Any] = response.json()
        if config["issuer"].rstrip("/") != settings.OIDC_ISSUER:
            raise OAuth2Error(f"its issuer is {config['issuer']!r}, which is not OIDC_ISSUER")
        if not config["authorization_endpoint"].startswith(("https://", "http://")):
            raise OAuth2Error("its authorization endpoint is not a URL")
    return config


@contextmanager
def _invalid_responses() -> Iterator[None]:
    try:
        yield
    except requests.JSONDecodeError as error:
        raise OAuth2Error("it sent a response that is not JSON") from error
    except requests.RequestException:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, ImproperlyConfigured) as error:
        raise OAuth2Error(f"it sent a response that cannot be read: {type(error).__name__}") from error


def _basic(auth: requests.auth.HTTPBasicAuth | None) -> dict[str, str]:
    """Return the Authorization header. The client ID and the secret are form-encoded before they are joined
    (RFC 6749, section 2.3.1).
    """
    if auth is None:
        return {}
    pair = f"{quote_plus(auth.username)}:{quote_plus(auth.password)}"
    return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}


def _response(url: str, answer: Response) -> requests.Response:
    response = requests.Response()
    response.url = url
    response.status_code = answer.status
    response.headers.update(answer.headers)
    response._content = answer.content
    return response


def _texts(value: object) -> list[str]:
    """Return the strings in a list.

    Some issuers send a single string where a list is expected.
    """
    values = [value] if isinstance(value, str) else value
    return [text for text in values if isinstance(text, str)] if isinstance(values, list) else []
