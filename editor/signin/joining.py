"""What every sign-in asks of the issuer, where there is one; and the joining with an account of before.

`issuer` and `oidc` bring requests along, so they are imported where somebody comes by the issuer.
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
    """Where the form of the sign-in page may lead: the origin of the authorization endpoint, which is the
    issuer's own until it has told another."""
    if not settings.OIDC_ISSUER:
        return []
    from editor.signin.issuer import known_configuration

    address = known_configuration().get("authorization_endpoint") or settings.OIDC_ISSUER
    parts = urlsplit(address)
    return [f"{parts.scheme}://{parts.netloc}"]


def wait_for(request: HttpRequest, identity: Identity) -> None:
    """Keeps in the session who came by the issuer, until the next sign-in here."""
    request.session[_JOINING] = {"identity": asdict(identity), "until": time.time() + JOIN_SECONDS}


def waiting(request: HttpRequest) -> Identity | None:
    """Who came by the issuer and was asked to sign in here once more, so that the two can be joined."""
    kept = request.session.get(_JOINING)
    if kept is None or kept["until"] < time.time():
        return None
    return Identity(**(kept["identity"] | {"groups": tuple(kept["identity"]["groups"])}))


def arrived(request: HttpRequest, user: User, sociallogin: SocialLogin | None) -> None:
    """Ends each sign-in: joins the identity that waits for it, and applies the groups of who came by the
    issuer."""
    identity = waiting(request)
    request.session.pop(_JOINING, None)
    if sociallogin is not None:
        from editor.signin.issuer import identity_of

        identity = identity_of(sociallogin)
        groups.apply_groups(user, identity.groups)
        if identity.two_factor:
            second_factor.note_shown(request, user, "issuer")
    elif identity is not None:
        _join(request, user, identity)


def _join(request: HttpRequest, user: User, identity: Identity) -> None:
    try:
        identities.join(user, identity)
    except identities.NotAdmitted as error:
        messages.error(request, str(error))
    else:
        groups.apply_groups(user, identity.groups)
        messages.success(
            request,
            _("Your account is joined: from now on %(issuer)s signs you in.") % {"issuer": issuer_name()},
        )
