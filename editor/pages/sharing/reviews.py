"""The views for the steps in the review of an edit."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from editor.actors import with_actor
from editor.forms import PromptField
from editor.models import Edit
from editor.pages.editing.edits import edit_page
from editor.services.core.access import Actor, Right
from editor.services.sharing import comments, reviews

# Maps the step in the URL to the service function and to the message shown when the step is done.
STEPS: dict[str, tuple[Callable[..., None], str | Promise]] = {
    "send": (reviews.send, gettext_lazy("Sent for review.")),
    "take-back": (reviews.take_back, gettext_lazy("This edit is a draft again.")),
    "approve": (reviews.approve, gettext_lazy("Approved.")),
    "decline": (
        reviews.decline,
        gettext_lazy("Declined. The person who made this edit can read your note here."),
    ),
    "reopen": (reviews.reopen, gettext_lazy("The approval was withdrawn.")),
}


class ReviewForm(forms.Form):
    """The form for a comment on a review step. The service function validates the comment."""

    text = PromptField(required=False, what=gettext_lazy("The comment"))


@require_POST
@with_actor(Right.VIEW)
def review_edit(request: HttpRequest, actor: Actor, edit: Edit, step: str) -> HttpResponse:
    if step not in STEPS:
        raise Http404("There is no such step.")
    take, message = STEPS[step]
    form, status = ReviewForm(request.POST), 422
    if form.is_valid():
        try:
            take(actor, edit, comment=form.cleaned_data["text"])
            messages.success(request, str(message))
        except reviews.ReviewRefused as error:
            if form.cleaned_data["text"] and edit.can_be_reviewed and actor.workspace.is_team:
                form.add_error(None, str(error))
                status = 409
            else:
                messages.error(request, str(error))
        except comments.CommentRefused as error:
            form.add_error(error.field, str(error))
    if form.errors:
        return edit_page(request, actor, edit, review=form, status=status)
    return redirect(f"{reverse('edit', args=[edit.id])}#review")
