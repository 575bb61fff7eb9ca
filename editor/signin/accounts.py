"""The rules for accounts with a password: sign-up, email addresses, and account emails."""

from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.logout import logout
from allauth.account.internal.flows.signup import prevent_enumeration
from allauth.account.models import EmailAddress
from allauth.account.views import EmailView, LoginView, PasswordResetView, SignupView
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csp import csp_override

from editor.models import User, Workspace
from editor.models.accounts import normalized_email
from editor.services.core import rates
from editor.services.core.emails import mailbox_digest, recipient_locale, with_html
from editor.services.people import accounts
from editor.signin import joining, second_factor

# Maps allauth's methods of reauthentication to their labels on this site.
_AGAIN = {
    "reauthenticate": gettext_lazy("Use your password"),
    "mfa_reauthenticate": gettext_lazy("Use a code"),
    "mfa_reauthenticate:webauthn": gettext_lazy("Use a passkey"),
}
# Maps the names of account emails to the labels of their buttons.
_BUTTONS = {
    "email_confirmation": gettext_lazy("Confirm address"),
    "email_confirmation_signup": gettext_lazy("Confirm address"),
    "password_reset_key": gettext_lazy("Choose a new password"),
    "account_already_exists": gettext_lazy("Choose a new password"),
    "unknown_account": gettext_lazy("Create account"),
}
# The session's key of the address that a person has just entered or confirmed without being signed in.
_EMAIL_KEY = "entered_email"
_MAX_NAME_LENGTH = Workspace.MAX_NAME_LENGTH
# The maximum number of account emails per day. By signing up, resetting a password, or changing an address,
# anyone can cause such an email to be sent to any address. Links in earlier emails keep working.
MAILS_PER_ADDRESS = 10
# The sender is a user or, for a visitor, a network address, which several people in an office may share.
MAILS_PER_SENDER = 300


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no type hints
    """The adapter that provides allauth with this site's settings and behavior."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": gettext_lazy(
            "The email address or password is incorrect. Check both and try again."
        ),
        "too_many_login_attempts": gettext_lazy(
            "Too many failed attempts. Wait five minutes, then try again."
        ),
        "incorrect_password": gettext_lazy("This isn't your current password. Try again."),
        "enter_current_password": gettext_lazy("This isn't your current password. Try again."),
        "rate_limited": gettext_lazy("Too many attempts. Wait a minute, then try again."),
        "account_inactive": gettext_lazy("This account is closed. Contact the administrator of this site."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return settings.SIGNUP_IS_OPEN

    def clean_email(self, email: str) -> str:
        return normalized_email(email)

    def is_safe_url(self, url: str) -> bool:
        try:
            is_safe: bool = super().is_safe_url(url)
        except ValueError:  # The URL is malformed. For example, it is "http://[".
            is_safe = False
        return is_safe

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        # Hash the password here, outside the transaction.
        super().save_user(request, user, form, commit=False)
        if commit:
            try:
                with transaction.atomic():
                    user.awaits_signup_credits = True
                    user.save()
                    accounts.complete_account(user, credits=0)
            except IntegrityError:  # The form was submitted twice simultaneously.
                raise ImmediateHttpResponse(prevent_enumeration(request, email=user.email)) from None
        return user

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an email address, unless another account already has this address, even if unverified.

        A unique constraint enforces this, even if two people confirm the same address simultaneously.
        """
        # A personal workspace is named after its person's email address.
        former = email_address.user.email
        called = {"personal_user": email_address.user_id, "name": former[:_MAX_NAME_LENGTH]}
        try:
            with transaction.atomic():
                confirmed: bool = super().confirm_email(request, email_address)
                if confirmed:
                    Workspace.objects.filter(**called).update(name=email_address.email[:_MAX_NAME_LENGTH])
                    accounts.grant_awaited_credits(email_address.user, former=former)
        except IntegrityError:
            failed = "account/messages/email_confirmation_failed.txt"
            self.add_message(request, messages.ERROR, failed, {"email": email_address.email})
            confirmed = False
        return confirmed

    def respond_email_verification_sent(self, request: HttpRequest, user: User | None) -> HttpResponseBase:
        """Keep the address in the session, for the next pages.

        `user` is None if an account with the address already exists. The response does not reveal it.
        """
        email = user.email if user else normalized_email(request.POST.get("email", ""))
        request.session[_EMAIL_KEY] = email
        response: HttpResponseBase = super().respond_email_verification_sent(request, user)
        return response

    def get_email_verification_redirect_url(self, email_address: EmailAddress) -> str:
        if self.request.user.is_anonymous:
            self.request.session[_EMAIL_KEY] = email_address.email
        url: str = super().get_email_verification_redirect_url(email_address)
        return url

    def set_password(self, user: User, password: str) -> None:
        """Set the password, revoke all API keys, and cancel pending changes to the email address.

        Someone who knew the old password may have created these keys and changes. Only the password is saved,
        so that a block set in the meantime is not overwritten.
        """
        user.set_password(password)
        with transaction.atomic():
            user.save(update_fields=["password"])
            accounts.revoke_all_keys(user, user)
            accounts.cancel_email_changes(user)

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network address to which limits apply.

        The header X-Forwarded-For is used only if a trusted proxy sent it.
        """
        forwarded = request.headers.get("X-Forwarded-For", "")
        return rates.client_address(request.META.get("REMOTE_ADDR", ""), forwarded)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # Count failures by address and account together. If failures were counted by account alone, anyone
        # could lock out the owner of an account.
        login = normalized_email(credentials.get("email", ""))
        return f"{self.get_client_ip(request)}:{login}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse an attempt after five failures.

        By default, allauth counts every attempt here and removes the attempt again if the password was
        correct. Simultaneous correct sign-ins would then lock each other out. Therefore, this method counts
        nothing.
        """
        self._limit_failures(request, credentials, dry_run=True)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user, or None if the password is wrong.

        Even a correct password is refused if simultaneous failures have reached the limit in the meantime.
        """
        credentials["email"] = normalized_email(credentials.get("email", ""))
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            self._limit_failures(request, credentials, dry_run=True)
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a failure.

        If simultaneous guesses exceed the limit, the response does not reveal that they were wrong.
        """
        self._limit_failures(request, credentials)

    def _limit_failures(
        self, request: HttpRequest, credentials: dict[str, Any], *, dry_run: bool = False
    ) -> None:
        key = self._get_login_attempts_cache_key(request, **credentials)
        if not ratelimit.consume(request, action="login_failed", key=key, dry_run=dry_run):
            raise self.validation_error("too_many_login_attempts")

    def is_reauthentication_required(self, *, app: str, **options: Any) -> bool:
        """Check whether a person must reauthenticate.

        This is not necessary after a recent sign-in. People who sign in only through the OpenID Connect
        issuer have no other way to reauthenticate, so they are redirected to sign in there again. On
        allauth's own pages about second factors, allauth decides.
        """
        if second_factor.has_recent_sign_in(self.request):
            return False
        if not app and not self.get_reauthentication_methods(self.request.user):
            raise ImmediateHttpResponse(_sign_in_again(self.request))
        required: bool = super().is_reauthentication_required(app=app, **options)
        return required

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return [method | {"description": _AGAIN[method["id"]]} for method in methods]

    def post_login(self, request: HttpRequest, user: User, **details: Any) -> HttpResponseBase:
        joining.complete_sign_in(request, user, (details["signal_kwargs"] or {}).get("sociallogin"))
        response: HttpResponseBase = super().post_login(request, user, **details)
        return response

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Show the reason in this response, because another page could not identify a person who is not
        signed in.
        """
        return render(request, "account/account_inactive.html", {"closed": user}, status=403)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def format_email_subject(self, subject: str) -> str:
        return f"[Darkroom] {subject}"

    def render_mail(self, template_prefix: str, *args: Any, **options: Any) -> EmailMultiAlternatives:
        message = super().render_mail(template_prefix, *args, **options)
        return with_html(message, button=_BUTTONS.get(template_prefix.rpartition("/")[2], ""))

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send an email whose links start with PUBLIC_URL, never with the Host header of a request."""
        _require_mails_left(self.request, by=self.get_client_ip(self.request), to=email)
        links = {
            name: _at_public_url(value)
            for name, value in context.items()
            if name.endswith("_url") and isinstance(value, str)
        }
        site = SimpleNamespace(name="Darkroom", domain=urlsplit(settings.PUBLIC_URL).netloc or "Darkroom")
        with recipient_locale(email):
            super().send_mail(template_prefix, email, {**context, **links, "current_site": site})


class _Login(LoginView):  # type: ignore[misc]
    def get_initial(self) -> dict[str, Any]:
        waiting = joining.pending_identity(self.request)
        email = waiting.email if waiting else self.request.session.get(_EMAIL_KEY, "")
        return {**super().get_initial(), "login": email}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "joining": joining.pending_identity(self.request)}


class _MailingView:
    """A view whose form sends an email.

    If there is no mail server, the page says so and the form is ignored.
    """

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _can_send_mail():
            response: HttpResponseBase = super().post(request, *args, **kwargs)  # type: ignore[misc]
        else:
            response = self.get(request, *args, **kwargs)  # type: ignore[attr-defined]
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        given = super().get_context_data(**kwargs)  # type: ignore[misc]
        return {**given, "can_send_mail": _can_send_mail()}


class _EmailLabelView:
    """A form whose email field has this site's label."""

    def get_form(self, *args: Any, **options: Any) -> BaseForm:
        form: BaseForm = super().get_form(*args, **options)  # type: ignore[misc]
        form.fields["email"].label = _("Email address")
        return form


class _PasswordReset(_EmailLabelView, _MailingView, PasswordResetView):  # type: ignore[misc]
    pass


class _Email(_EmailLabelView, _MailingView, EmailView):  # type: ignore[misc]
    pass


class _Signup(_EmailLabelView, SignupView):  # type: ignore[misc]
    def closed(self) -> HttpResponseBase:
        response: HttpResponseBase = self.response_class(
            request=self.request,
            template=self.template_name_signup_closed,
            context={"is_closed": settings.SIGNUP == "closed"},
        )
        return response


def login(request: HttpRequest) -> HttpResponseBase:
    policy = {**settings.SECURE_CSP, "form-action": ["'self'", *joining.form_origins()]}
    response: HttpResponseBase = csp_override(policy)(_Login.as_view())(request)
    return response


signup = _Signup.as_view()
password_reset = _PasswordReset.as_view()
email = login_required(_Email.as_view())


def admin_login(request: HttpRequest) -> HttpResponse:
    """Redirect from the admin's own sign-in page to the site's sign-in page.

    The sign-in page of Django's admin has no rate limits and no second factor. Raises PermissionDenied if the
    visitor is already signed in. In that case, the visitor is not staff, because the admin sent the visitor
    here, and a redirect would only lead back to the admin.
    """
    if request.user.is_authenticated:
        raise PermissionDenied(_("Only administrators can open this page."))
    next_path = request.GET.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(
        next_path, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return redirect_to_login(next_path if is_safe else reverse("admin:index"))


def _sign_in_again(request: HttpRequest) -> HttpResponse:
    wanted = request.get_full_path() if request.method == "GET" else "/"
    logout(request, show_message=False)
    messages.info(
        request, _("Sign in again to continue. This page needs a sign-in from the last ten minutes.")
    )
    return redirect_to_login(wanted)


def _require_mails_left(request: HttpRequest, *, by: str, to: str) -> None:
    """Count one email against the limits of its sender and its recipient.

    If a limit is reached, end the request with an error page. The page is the same whether or not the address
    has an account.
    """
    sender = f"user {request.user.pk}" if request.user.is_authenticated else by
    limits = {
        f"account-mails-by:{sender}"[:100]: MAILS_PER_SENDER,
        f"account-mails-to:{mailbox_digest(to)}": MAILS_PER_ADDRESS,
    }
    try:
        rates.count_today(limits)
    except rates.DayLimitReached:
        raise ImmediateHttpResponse(_too_many_mails(request)) from None


def _too_many_mails(request: HttpRequest) -> HttpResponse:
    sentence = _(
        "Too many emails were requested today, so this one wasn't sent. Use the link in the last email, or "
        "try again tomorrow."
    )
    context = {"sentence": sentence, "code": "429", "again": request.path}
    return render(request, "429.html", context, status=429)


def _can_send_mail() -> bool:
    return bool(settings.EMAIL_URL)


def _at_public_url(url: str) -> str:
    public = urlsplit(settings.PUBLIC_URL)
    if public.netloc:
        url = urlunsplit(urlsplit(url)._replace(scheme=public.scheme, netloc=public.netloc))
    return url
