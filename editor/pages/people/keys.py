"""The page on which people create and revoke their API keys. A key is shown only once."""

from datetime import datetime, timedelta

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from editor.actors import with_actor
from editor.forms import LineField
from editor.models import wording
from editor.pages.parameters import site_of
from editor.services.billing import caps
from editor.services.core.access import Actor, Right
from editor.services.people import accounts

LIFETIMES = {"": _("Never"), "30": _("In 30 days"), "90": _("In 90 days"), "365": _("In a year")}
NAME_REQUIRED = _("Enter a name so that you can tell later what uses the key.")


class CapForm(forms.Form):
    """The form for the maximum number of credits that a key or a member may spend in a month."""

    cap = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=caps.MAX_CREDITS,
        label=_("Monthly cap in credits"),
        help_text=_("Leave empty for no cap."),
    )


class KeyForm(CapForm):
    """The form for the name, lifetime, and cap of a new API key."""

    name = LineField(
        label=_("Name"),
        max_length=100,
        help_text=_("The program that uses the key, for example “Holiday script”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": NAME_REQUIRED},
    )
    days = forms.ChoiceField(required=False, label=_("Expires"), choices=list(LIFETIMES.items()))
    field_order = ("name", "days", "cap")

    @property
    def expires(self) -> datetime | None:
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=int(days)) if days else None


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.VIEW)
def keys(request: HttpRequest, actor: Actor) -> HttpResponse:
    """Show the keys that the person may revoke, and create new ones.

    People who may not create keys can still see and revoke their own.
    """
    if request.method != "POST":
        return _keys_page(request, actor, KeyForm())
    actor.require(Right.MAKE_KEYS)
    form = KeyForm(request.POST)
    if not form.is_valid():
        return _keys_page(request, actor, form, status=422)
    # Show the secret in this response. To show it on another page, the site would have to store it.
    try:
        name, cap = form.cleaned_data["name"], form.cleaned_data["cap"]
        key, secret = accounts.create_api_key(actor, name=name, expires=form.expires, cap=cap)
    except accounts.TooManyKeys as error:
        form.add_error(None, str(error))
        return _keys_page(request, actor, form, status=422)
    return _keys_page(request, actor, KeyForm(), secret=secret, name=key.name)


@require_POST
@with_actor(Right.VIEW)
def revoke_key(request: HttpRequest, actor: Actor, public_id: str) -> HttpResponse:
    key = get_object_or_404(accounts.active_keys(actor), public_id=public_id)
    accounts.revoke_key(actor, key)
    messages.success(request, _("The API key “%(name)s” has been revoked.") % {"name": key.name})
    return redirect("keys", actor.workspace.slug)


@require_POST
@with_actor(Right.MANAGE_MEMBERS)
def cap_key(request: HttpRequest, actor: Actor, public_id: str) -> HttpResponse:
    key = get_object_or_404(accounts.active_keys(actor), public_id=public_id)
    form = CapForm(request.POST)
    if form.is_valid():
        caps.set_cap(actor, key, form.cleaned_data["cap"])
        messages.success(request, _("The cap for “%(name)s” was saved.") % {"name": key.name})
    else:
        messages.error(request, cap_error())
    return redirect("keys", actor.workspace.slug)


def cap_error() -> str:
    return _("Enter a cap from 0 to %(most)s credits a month, or leave it empty for no cap.") % {
        "most": wording.number(caps.MAX_CREDITS)
    }


def _keys_page(
    request: HttpRequest, actor: Actor, form: KeyForm, *, secret: str = "", name: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "keys": caps.with_spending(accounts.active_keys(actor), timezone.now()),
        "secret": secret,
        "name": name,
        "site": site_of(request),
        "now": timezone.now(),
    }
    response = render(request, "pages/keys/keys.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
