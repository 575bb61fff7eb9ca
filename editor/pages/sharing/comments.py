"""The views for comments on an edit."""

import uuid

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from editor.actors import with_actor
from editor.forms import PromptField, RegionsField
from editor.models import Edit
from editor.pages.editing.edits import edit_page
from editor.services.core.access import Actor, Right
from editor.services.maintenance.trash import OnHold
from editor.services.sharing import comments


class CommentForm(forms.Form):
    """The form for a comment, which may mark a box, given as "x,y,w,h". The service function validates it."""

    text = PromptField(required=False, what=gettext_lazy("The comment"))
    region = RegionsField(required=False)
    result = forms.IntegerField(required=False, min_value=1, max_value=100)


@require_POST
@with_actor(Right.COMMENT)
def add_comment(request: HttpRequest, actor: Actor, edit: Edit) -> HttpResponse:
    form = CommentForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        box = next(iter(given["region"] or ()), None)
        result = given["result"] or 1
        try:
            comment = comments.add_comment(actor, edit, text=given["text"], box=box, result=result)
        except comments.CommentRefused as error:
            form.add_error(error.field, str(error))
        else:
            return redirect(f"{reverse('edit', args=[edit.id])}?result={result}#comment-{comment.id}")
    return edit_page(request, actor, edit, comment=form, status=422)


@require_POST
@with_actor(Right.COMMENT)
def remove_comment(request: HttpRequest, actor: Actor, edit: Edit, comment_id: uuid.UUID) -> HttpResponse:
    comment = edit.comments.filter(pk=comment_id).first()
    if comment is None:
        raise Http404("There is no such comment.")
    try:
        comments.delete_comment(actor, comment)
    except OnHold as error:
        messages.error(request, str(error))
    return redirect(f"{reverse('edit', args=[edit.id])}#comments")
