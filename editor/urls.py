"""Darkroom's own addresses. tests/test_access.py says who may call each."""

from django.urls import path

from editor import probes
from editor.api import account as api_account
from editor.api import edits as api_edits
from editor.api import openapi
from editor.pages import account, credits, drafts, edits, history, keys, media, setup, status, webhooks
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
    path("edits/<uuid:edit_id>/favorite/", edits.favorite, name="favorite_edit"),
    path("edits/<uuid:edit_id>/results/<int:position>/further/", edits.edit_further, name="edit_further"),
    path("s/<str:signed>/", status.status, name="status"),
    path("media/signed/<str:signed>/<str:name>", media.signed_photo, name="signed_photo"),
    path("media/<str:kind>/<uuid:photo_id>/<str:size>/", media.photo, name="media"),
    path("history/", history.history, name="history"),
    path("credits/", credits.credits, name="credits"),
    path("account/", account.account, name="account"),
    path("account/theme/", account.theme, name="theme"),
    path("account/keys/", keys.keys, name="keys"),
    path("account/keys/<slug:public_id>/revoke/", keys.revoke_key, name="revoke_key"),
    path("account/webhooks/", webhooks.webhooks, name="webhooks"),
    path("account/webhooks/<int:endpoint_id>/remove/", webhooks.remove_webhook, name="remove_webhook"),
    path("account/webhooks/told/<uuid:delivery_id>/", webhooks.replay_delivery, name="replay_delivery"),
    path("setup/<str:token>/", setup.setup, name="setup"),
    path("api/photo-editor/generate", api_edits.generate, name="api_generate"),
    path("api/photo-editor/status", api_edits.status, name="api_status"),
    path("api/photo-editor/cancel", api_edits.cancel, name="api_cancel"),
    path("api/photo-editor/edits", api_edits.edits, name="api_edits"),
    path("api/photo-editor/account", api_account.account, name="api_account"),
    path("api/openapi.json", openapi.description, name="openapi"),
    path("api/docs/", openapi.docs, name="api_docs"),
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
]
