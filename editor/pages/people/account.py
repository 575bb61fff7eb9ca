"""The account page: a person's own settings."""

from collections.abc import Iterator
from typing import cast

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from editor.forms import LineField
from editor.models import User
from editor.pages import AuthenticatedRequest
from editor.pages.parameters import next_url
from editor.services.core import zones
from editor.services.maintenance import trash
from editor.services.people import openings

THEMES = {
    "auto": gettext_lazy("Match the system"),
    "light": gettext_lazy("Light"),
    "dark": gettext_lazy("Dark"),
}
RECENT_OPENINGS = 20  # The maximum number of entries shown for each kind of staff action.
A_YEAR = 365 * 24 * 3600


class PersonForm(forms.ModelForm[User]):
    time_zone = forms.ChoiceField(
        required=False,
        choices=lambda: [("", _("Match the browser")), *_zones()],
        label=gettext_lazy("Time zone"),
        # Browsers must not translate the names of cities.
        widget=forms.Select(attrs={"class": "input", "translate": "no"}),
    )

    class Meta:
        model = User
        fields = ("name", "time_zone")
        field_classes = {"name": LineField}  # noqa: RUF012
        widgets = {"name": forms.TextInput(attrs={"class": "input", "autocomplete": "name"})}  # noqa: RUF012


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account(request: HttpRequest) -> HttpResponse:
    page = cast(AuthenticatedRequest, request)
    # Use a separate instance, because the form changes it while the page's frame shows page.user.
    user = User.objects.get(pk=page.user.pk)
    form = PersonForm(request.POST if request.method == "POST" else None, instance=user)
    if request.method == "POST" and form.is_valid():
        user.save(update_fields=PersonForm.Meta.fields)  # Other fields may have changed in the meantime.
        messages.success(request, _("Your name and time zone were saved."))
        return redirect("account")
    protected_by = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context = {
        "form": form,
        "memberships": user.memberships.select_related("workspace").order_by("workspace__name", "id"),
        "themes": THEMES.items(),
        "theme": _theme_of(request),
        "has_two_factor": Authenticator.Type.TOTP in protected_by,
        "passkeys": protected_by.count(Authenticator.Type.WEBAUTHN),
        "openings": openings.openings_of(user.personal_workspace)[:RECENT_OPENINGS],
        "hidden_edits": trash.hidden_of(user)[:RECENT_OPENINGS],
        "is_joined": SocialAccount.objects.filter(user=user, provider=settings.OIDC_ISSUER).exists(),
    }
    return render(request, "pages/account/account.html", context, status=422 if form.errors else 200)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Set the theme: light, dark, or the system's theme.

    No account is required, because the theme also applies to the sign-in page.
    """
    chosen = request.POST.get("theme", "")
    back = next_url(request, otherwise="/")
    response = HttpResponse(status=204) if _wants_no_page(request) else HttpResponseRedirect(back)
    if chosen == "auto":
        response.delete_cookie("theme", samesite="Lax")
    elif chosen in THEMES:
        _keep(response, request, "theme", chosen)
    else:
        response = HttpResponse("A theme is light, dark or auto.", status=400, content_type="text/plain")
    return response


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Set the language of this browser and, if the user is signed in, of the account.

    An empty value selects the browser's preferred language.
    """
    chosen = request.POST.get("language", "")
    response: HttpResponse = HttpResponseRedirect(next_url(request, otherwise="/"))
    if chosen not in ("", *dict(settings.LANGUAGES)):
        return HttpResponse("A language is en, de or empty.", status=400, content_type="text/plain")
    if isinstance(request.user, User):
        request.user.set_language(chosen)
    if chosen:
        _keep(response, request, settings.LANGUAGE_COOKIE_NAME, chosen)
    else:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    return response


def _zones() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Return the time zones, grouped by region. Each label is only the name of the city."""
    for region, names in zones.names().items():
        places = ((name, name.partition("/")[2].replace("_", " ")) for name in names)
        yield region, [(name, place.replace("/", ", ")) for name, place in places]


def _keep(response: HttpResponse, request: HttpRequest, name: str, value: str) -> None:
    response.set_cookie(
        name, value, max_age=A_YEAR, samesite="Lax", httponly=True, secure=request.is_secure()
    )


def _theme_of(request: HttpRequest) -> str:
    chosen = request.COOKIES.get("theme", "")
    return chosen if chosen in THEMES else "auto"


def _wants_no_page(request: HttpRequest) -> bool:
    return "text/html" not in request.headers.get("Accept", "") or "HX-Request" in request.headers
