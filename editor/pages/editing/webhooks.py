"""The page for webhook endpoints and their deliveries."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from editor.actors import with_actor
from editor.models import WebhookEndpoint
from editor.pages.parameters import requested_page
from editor.services.core.access import Actor, Right
from editor.services.editing import webhooks as service

PER_PAGE = 20


class AddressForm(forms.Form):
    url = forms.CharField(
        label=gettext_lazy("URL"),
        max_length=500,
        help_text=gettext_lazy("This URL receives a POST request when one of your edits ends."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
        error_messages={"required": gettext_lazy("Enter a URL that starts with https:// or http://.")},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@with_actor(Right.MANAGE_WEBHOOKS)
def webhooks(request: HttpRequest, actor: Actor) -> HttpResponse:
    if request.method != "POST":
        return _webhooks_page(request, actor, AddressForm())
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _webhooks_page(request, actor, form, status=422)
    try:
        created = service.add_endpoint(actor, url=form.cleaned_data["url"])
    except service.UrlRefused as error:
        form.add_error("url", str(error))
        return _webhooks_page(request, actor, form, status=422)
    return _webhooks_page(request, actor, AddressForm(), created=created)


@require_POST
@with_actor(Right.MANAGE_WEBHOOKS)
def remove_webhook(request: HttpRequest, actor: Actor, endpoint_id: int) -> HttpResponse:
    endpoint = get_object_or_404(service.endpoints_of(actor), pk=endpoint_id)
    service.remove_endpoint(actor, endpoint)
    messages.success(request, _("This URL no longer receives messages."))
    return redirect("webhooks", actor.workspace.slug)


@require_POST
@with_actor(Right.MANAGE_WEBHOOKS)
def replay_delivery(request: HttpRequest, actor: Actor, delivery_id: uuid.UUID) -> HttpResponse:
    delivery = get_object_or_404(service.deliveries_of(actor), pk=delivery_id)
    service.replay(actor, delivery)
    messages.success(request, _("The message will be sent again in a moment."))
    return redirect("webhooks", actor.workspace.slug)


def _webhooks_page(
    request: HttpRequest,
    actor: Actor,
    form: AddressForm,
    *,
    created: WebhookEndpoint | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "endpoints": service.endpoints_of(actor),
        "deliveries": requested_page(request, service.deliveries_of(actor), size=PER_PAGE),
        "created": created,
    }
    response = render(request, "pages/webhooks/webhooks.html", context, status=status)
    response.headers["Cache-Control"] = "no-store"
    return response
