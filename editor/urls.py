"""Darkroom's own addresses. tests/test_access.py says who may call each."""

from django.urls import include, path

from editor import probes
from editor.api import account as api_account
from editor.api import edits as api_edits
from editor.api import openapi
from editor.pages import (
    account,
    batches,
    credits,
    drafts,
    edits,
    history,
    home,
    keys,
    media,
    members,
    recipe_runs,
    recipes,
    setup,
    status,
    webhooks,
    workspaces,
)
from editor.pages import editor as editor_pages

in_a_workspace = [
    path("", editor_pages.editor, name="editor"),
    path("plan/", editor_pages.plan, name="plan"),
    path("drafts/", drafts.upload, name="upload_draft"),
    path("drafts/<uuid:draft_id>/remove/", drafts.remove, name="remove_draft"),
    path("recipes/", recipes.recipe_list, name="recipes"),
    path("recipes/new/", recipes.new_recipe, name="new_recipe"),
    path("recipes/<uuid:recipe_id>/", recipes.recipe, name="recipe"),
    path("recipes/<uuid:recipe_id>/delete/", recipes.delete_recipe, name="delete_recipe"),
    path("recipes/<uuid:recipe_id>/run/", recipe_runs.run_recipe, name="run_recipe"),
    path("batches/new/", batches.new_batch, name="new_batch"),
    path("batches/<uuid:batch_id>/", batches.batch, name="batch"),
    path("batches/<uuid:batch_id>/progress/", batches.batch_progress, name="batch_progress"),
    path("batches/<uuid:batch_id>/photos/", batches.batch_photos, name="batch_photos"),
    path("batches/<uuid:batch_id>/retry/", batches.retry_batch, name="retry_batch"),
    path("batches/<uuid:batch_id>/cancel/", batches.cancel_batch, name="cancel_batch"),
    path("batches/<uuid:batch_id>/zip/", batches.batch_zip, name="batch_zip"),
    path("history/", history.history, name="history"),
    path("credits/", credits.credits, name="credits"),
    path("keys/", keys.keys, name="keys"),
    path("keys/<slug:public_id>/revoke/", keys.revoke_key, name="revoke_key"),
    path("members/", members.members, name="members"),
    path("settings/", workspaces.settings, name="settings"),
    path("settings/name/", workspaces.rename, name="rename_team"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    path("webhooks/<int:endpoint_id>/remove/", webhooks.remove_webhook, name="remove_webhook"),
    path("webhooks/deliveries/<uuid:delivery_id>/", webhooks.replay_delivery, name="replay_delivery"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("w/<slug:slug>/", include(in_a_workspace)),
    path("teams/new/", workspaces.new_team, name="new_team"),
    path("edits/<uuid:edit_id>/", edits.edit, name="edit"),
    path("edits/<uuid:edit_id>/cancel/", edits.cancel, name="cancel_edit"),
    path("edits/<uuid:edit_id>/again/", edits.again, name="edit_again"),
    path("edits/<uuid:edit_id>/revise/", edits.revise, name="revise_edit"),
    path("edits/<uuid:edit_id>/zip/", edits.download_all, name="download_all"),
    path("edits/<uuid:edit_id>/favorite/", edits.favorite, name="favorite_edit"),
    path("edits/<uuid:edit_id>/results/<int:position>/further/", edits.edit_further, name="edit_further"),
    path("edits/<uuid:edit_id>/results/<int:position>/take/", edits.take_result, name="take_result"),
    path("s/<str:signed>/", status.status, name="status"),
    path("media/signed/<str:signed>/<str:name>", media.signed_photo, name="signed_photo"),
    path("media/<str:kind>/<uuid:photo_id>/<str:size>/", media.photo, name="media"),
    path("account/", account.account, name="account"),
    path("account/theme/", account.theme, name="theme"),
    path("history/", home.moved, {"name": "history"}, name="old_history"),
    path("credits/", home.moved, {"name": "credits"}, name="old_credits"),
    path("account/keys/", home.moved, {"name": "keys"}, name="old_keys"),
    path("account/webhooks/", home.moved, {"name": "webhooks"}, name="old_webhooks"),
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
