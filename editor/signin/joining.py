"""Support sign-ins through the OpenID Connect issuer, and join identities to existing accounts.

`issuer` and `oidc` are imported only when they are needed, because they load the package requests.
"""

import time
from dataclasses import asdict
from urllib.parse import urlsplit

from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from editor.models import User
from editor.services.people import groups, identities
from editor.services.people.identities import Identity, issuer_name
from editor.signin import second_factor

JOIN_SECONDS = 600
_JOINING = "oidc_joining"


def form_origins() -> list[str]:
    """Return the origins to which the sign-in form may redirect, for the Content-Security-Policy.

    This is the origin of the authorization endpoint or, as long as the issuer's configuration is unknown, the
    origin of the issuer.
    """
    if not settings.OIDC_ISSUER:
        return []
    from editor.signin.issuer import known_configuration

    address = known_configuration().get("authorization_endpoint") or settings.OIDC_ISSUER
    parts = urlsplit(address)
    return [f"{parts.scheme}://{parts.netloc}"]


def store_pending_identity(request: HttpRequest, identity: Identity) -> None:
    """Keep the identity in the session until the next sign-in, but no longer than JOIN_SECONDS."""
    request.session[_JOINING] = {"identity": asdict(identity), "until": time.time() + JOIN_SECONDS}


def pending_identity(request: HttpRequest) -> Identity | None:
    """Return the identity that will be joined to an account when the person signs in, or None."""
    kept = request.session.get(_JOINING)
    if kept is None or kept["until"] < time.time():
        return None
    return Identity(**(kept["identity"] | {"groups": tuple(kept["identity"]["groups"])}))


def complete_sign_in(request: HttpRequest, user: User, sociallogin: SocialLogin | None) -> None:
    """Complete a sign-in.

    This joins the waiting identity, if any, to the account, and applies the groups that the issuer reports.
    """
    identity = pending_identity(request)
    request.session.pop(_JOINING, None)
    if sociallogin is not None:
        from editor.signin.issuer import identity_of

        identity = identity_of(sociallogin)
        groups.apply_groups(user, identity.groups)
        if identity.two_factor:
            second_factor.record_second_factor(request, user, "issuer")
    elif identity is not None:
        _join(request, user, identity)


def _join(request: HttpRequest, user: User, identity: Identity) -> None:
    try:
        identities.link_identity(user, identity)
    except identities.NotAdmitted as error:
        messages.error(request, str(error))
    else:
        groups.apply_groups(user, identity.groups)
        messages.success(
            request,
            _("Your account is connected. You can now sign in with %(issuer)s.") % {"issuer": issuer_name()},
        )
