"""Darkroom's own addresses. tests/test_access.py says who may call each."""

from django.urls import path

from editor import probes
from editor.pages import account, credits, drafts, edits, history, media, setup, status
from editor.pages import editor as editor_pages

urlpatterns = [
    path("", editor_pages.editor, name="editor"),
    path("plan/", editor_pages.plan, name="plan"),
    path("drafts/", drafts.upload, name="upload_draft"),
    path("drafts/<uuid:draft_id>/remove/", drafts.remove, name="remove_draft"),
    path("edits/<uuid:edit_id>/", edits.edit, name="edit"),
    path("edits/<uuid:edit_id>/cancel/", edits.cancel, name="cancel_edit"),
    path("edits/<uuid:edit_id>/again/", edits.again, name="edit_again"),
    path("edits/<uuid:edit_id>/revise/", edits.revise, name="revise_edit"),
    path("edits/<uuid:edit_id>/zip/", edits.download_all, name="download_all"),
    path("edits/<uuid:edit_id>/favourite/", edits.favourite, name="favourite_edit"),
    path("edits/<uuid:edit_id>/results/<int:position>/further/", edits.edit_further, name="edit_further"),
    path("s/<str:signed>/", status.status, name="status"),
    path("media/<str:kind>/<uuid:photo_id>/<str:size>/", media.photo, name="media"),
    path("history/", history.history, name="history"),
    path("credits/", credits.credits, name="credits"),
    path("account/", account.account, name="account"),
    path("account/theme/", account.theme, name="theme"),
    path("setup/<str:token>/", setup.setup, name="setup"),
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
]
