"""The views for guest links.

They create and revoke links on the page of an edit, and show the page that guests see.
"""

from dataclasses import dataclass
from functools import partial

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from editor.actors import with_actor
from editor.forms import PromptField
from editor.models import Edit, ReferencePhoto, ResultPhoto, Share
from editor.pages.editing.edits import edit_page, selected_result
from editor.pages.errors import too_many_requests
from editor.pages.photos.media import send
from editor.services.core import links, rates
from editor.services.core.access import Actor, Right
from editor.services.photos import photos
from editor.services.sharing import shares

# Anyone who has the URL can see the page, so it must not get into referrers, caches, or search engines.
HEADERS = {
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


class ShareForm(forms.Form):
    """The form for the settings of a new guest link. The service function validates the settings."""

    days = forms.TypedChoiceField(coerce=int, choices=[(days, days) for days in shares.DAYS])
    comment = PromptField(required=False, what=gettext_lazy("The comment"))
    shows_prompt = forms.BooleanField(required=False)
    allows_download = forms.BooleanField(required=False)


@dataclass(frozen=True)
class GuestPhoto:
    """A photo on the guest page, along with its signed URLs."""

    photo: ResultPhoto | ReferencePhoto
    small: str
    medium: str
    large: str
    download: str


@require_POST
@with_actor(Right.SHARE)
def share_edit(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    form = ShareForm(request.POST)
    if form.is_valid():
        try:
            shares.share(actor, edit, **form.cleaned_data)
        except shares.ShareRefused as error:
            form.add_error(error.field, str(error))
        else:
            messages.success(request, _("The link was created. Copy it and send it to your guest."))
            return redirect(f"{reverse('edit', args=[edit.id])}#shares")
    return edit_page(request, actor, edit, share=form, status=422)


@require_POST
@with_actor(Right.SHARE)
def revoke_share(request: HttpRequest, actor: Actor, edit: Edit, share_id: int) -> HttpResponse:
    shares.revoke(actor, get_object_or_404(edit.shares, pk=share_id))
    messages.success(request, _("The link was revoked."))
    return redirect(f"{reverse('edit', args=[edit.id])}#shares")


@require_safe
def share(request: HttpRequest, token: str) -> HttpResponse:
    try:
        found = shares.find(token, attempt=get_adapter().get_client_ip(request))
        response = _guest_page(request, found)
    except shares.ShareGone:
        response = render(request, "pages/shares/gone.html", status=410)
    except rates.TooManyAttempts:
        response = too_many_requests(request)
    for header, value in HEADERS.items():
        response.headers[header] = value
    return response


@require_safe
def shared_photo(request: HttpRequest, signed: str) -> HttpResponseBase:
    known = links.unsign_shared(signed)
    found = shares.find_photo(known) if known else None
    if known is None or found is None:
        raise Http404("There is no such photo.")
    share, photo = found
    # The default file name contains the prompt.
    name = "" if share.shows_prompt else f"{photo}.{photos.EXTENSIONS[photo.media_type]}"
    response = send(photo, known.size, by=share.made_by_id, name=name)
    response.headers["X-Robots-Tag"] = HEADERS["X-Robots-Tag"]
    return response


def _guest_page(request: HttpRequest, found: Share) -> HttpResponse:
    results = list(found.edit.results.all())
    selected = selected_result(request, results)
    before = found.edit.references.first()
    if selected is None:
        raise shares.ShareGone
    context = {
        "share": found,
        "edit": found.edit,
        "results": [_picture(found, result) for result in results],
        "after": _picture(found, selected),
        "before": _picture(found, before) if before else None,
        "is_apart": request.GET.get("view") == "side",
    }
    return render(request, "pages/shares/share.html", context)


def _picture(found: Share, photo: ResultPhoto | ReferencePhoto) -> GuestPhoto:
    address = partial(
        links.shared_photo_url, photo, share_id=found.pk, expires=shares.photo_urls_expire_at(found)
    )
    is_for_taking = found.allows_download and isinstance(photo, ResultPhoto)
    return GuestPhoto(
        photo=photo,
        small=address(size="360"),
        medium=address(size="800"),
        large=address(size="1600"),
        download=address(size="download") if is_for_taking else "",
    )
