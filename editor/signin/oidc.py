"""Sign-in with the OpenID Connect issuer: the redirect to the issuer and the callback from it."""

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

import requests
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.decorators import rate_limit
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthError, AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from editor.models import Invitation
from editor.services.core.rates import TooManyAttempts
from editor.services.people import identities, invitations
from editor.services.people.identities import Identity, issuer_name
from editor.services.people.invitations import InvitationGone
from editor.signin import joining
from editor.signin.issuer import Issuer, IssuerAdapter, IssuerSession, get_issuer, identity_of

logger = logging.getLogger(__name__)

_ERROR = re.compile(r"""["']error["']\s*:\s*["']([\w.-]{1,60})["']""")

type View = Callable[[HttpRequest], HttpResponseBase]


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no type hints
    def get_provider(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Issuer:
        return get_issuer(request)

    def get_requests_session(self) -> IssuerSession:
        return IssuerSession()

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        if not sociallogin.is_existing:
            _admit(request, sociallogin)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Issuer,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        is_begun = "state" in (extra_context or {})
        raise ImmediateHttpResponse(_unconfirmed(request, error, exception, is_begun=is_begun))


def _where_there_is_an_issuer(view: View) -> View:
    @wraps(view)
    def found(request: HttpRequest) -> HttpResponseBase:
        if not settings.OIDC_ISSUER:
            raise Http404("There is no such sign-in here.")
        try:
            return view(request)
        except (requests.RequestException, OAuth2Error) as error:
            return _issuer_error_page(request, error)

    return found


@_where_there_is_an_issuer
@require_http_methods(["GET", "POST"])
@rate_limit(action="login")  # type: ignore[untyped-decorator]
def begin(request: HttpRequest) -> HttpResponseBase:
    """Send the browser to the issuer through an intermediate page that redirects.

    After a direct redirect, browsers would apply the form-action policy of the sign-in page to all further
    redirects, including those of the issuer.
    """
    if request.method != "POST" or request.user.is_authenticated:
        return redirect("account_login")
    onward = get_issuer(request).redirect(request, AuthProcess.LOGIN, next_url=get_next_redirect_url(request))
    return render(request, "socialaccount/login_redirect.html", {"redirect_to": onward.url})


@_where_there_is_an_issuer
@require_GET
def callback(request: HttpRequest) -> HttpResponseBase:
    view: View = OAuth2CallbackView.adapter_view(IssuerAdapter(request, settings.OIDC_ISSUER))
    return view(request)


def _admit(request: HttpRequest, sociallogin: SocialLogin) -> None:
    """Create or find the account for an unknown identity.

    If this is not possible, end the request with a page that says why.
    """
    identity, invitation = identity_of(sociallogin), _invitation(request, sociallogin)
    try:
        identities.admit(identity, invitation)
    except identities.NotAdmitted as error:
        raise ImmediateHttpResponse(_refused(request, str(error), status=403)) from error
    except identities.SignInRequired as error:
        raise ImmediateHttpResponse(_require_sign_in(request, identity, sociallogin)) from error
    except InvitationGone as error:
        raise ImmediateHttpResponse(render(request, "pages/join/gone.html", status=410)) from error
    sociallogin.lookup()
    if invitation is not None:
        sociallogin.state["next"] = reverse("editor", args=[invitation.workspace.slug])


def _invitation(request: HttpRequest, sociallogin: SocialLogin) -> Invitation | None:
    """Return the invitation on whose page this sign-in was started, or None."""
    with suppress(Resolver404, InvitationGone, TooManyAttempts):
        place = resolve(urlsplit(sociallogin.get_redirect_url(request) or "/").path)
        if place.url_name == "join":
            attempt = get_account_adapter().get_client_ip(request)
            return invitations.find(place.kwargs["token"], attempt=attempt)
    return None


def _require_sign_in(request: HttpRequest, identity: Identity, sociallogin: SocialLogin) -> HttpResponse:
    if request.user.is_authenticated:
        get_account_adapter().logout(request)
    joining.store_pending_identity(request, identity)
    onward = sociallogin.get_redirect_url(request)
    return redirect(f"{reverse('account_login')}?{urlencode({'next': onward} if onward else {})}")


def _unconfirmed(
    request: HttpRequest, error: str | None, exception: Exception | None, *, is_begun: bool
) -> HttpResponse:
    if exception is not None:
        return _issuer_error_page(request, exception)
    if not is_begun:
        sentence = _(
            "This sign-in was started in another browser or took more than ten minutes. Start again."
        )
    elif error == AuthError.CANCELLED:
        sentence = _(
            "You returned from %(issuer)s without signing in. Try again, or sign in another way."
        ) % {"issuer": issuer_name()}
    else:
        logger.warning("The issuer refused a sign-in: %r", request.GET.get("error", "")[:60])
        sentence = _("%(issuer)s refused this sign-in. Contact the administrator of this site.") % {
            "issuer": issuer_name()
        }
    return _refused(request, sentence, status=401)


def _issuer_error_page(request: HttpRequest, error: Exception) -> HttpResponse:
    """Show an error page. Only the log contains the issuer's response."""
    logger.warning("The issuer confirmed no sign-in: %s: %s", type(error).__name__, _reason(error))
    if isinstance(error, requests.RequestException):
        sentence, status = (
            _("%(issuer)s isn't responding. Try again later, or sign in another way.")
            % {"issuer": issuer_name()},
            503,
        )
    else:
        sentence, status = (
            _("%(issuer)s didn't confirm this sign-in. Start again.") % {"issuer": issuer_name()},
            401,
        )
    return _refused(request, sentence, status=status)


def _reason(error: Exception) -> str:
    """Return the text to log for an error.

    The issuer's response is left out except for its error code, because the rest may contain a token.
    """
    named = _ERROR.search(str(error))
    is_ours = not str(error).startswith("Error retrieving access token")
    return named[1] if named else str(error)[:200] if is_ours else "it gave no access token"


def _refused(request: HttpRequest, sentence: str, *, status: int) -> HttpResponse:
    context = {"sentence": sentence}
    return render(request, "socialaccount/authentication_error.html", context, status=status)
