"""Tests for the outcome of every URL for every role. If a URL is missing here, the tests fail.

All roles request the same objects: the team that alice owns, its edits and photos, and one of alice's drafts.
"""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, get_resolver
from django.utils import timezone

from editor.models import (
    ApiKey,
    Batch,
    Comment,
    DraftPhoto,
    Edit,
    Export,
    Invitation,
    Membership,
    RecipeVersion,
    ReferencePhoto,
    ResultPhoto,
    Share,
    User,
    WebhookDelivery,
    Workspace,
)
from editor.pages.errors import PAGE_EXPIRED
from editor.services.core import links
from editor.services.core.access import Actor
from editor.services.editing import webhooks
from editor.services.library import recipes
from editor.services.library.batches import Order
from editor.services.library.recipes import RecipeInput
from editor.services.maintenance import exports, trash
from editor.services.people import accounts, invitations
from editor.services.photos import drafts, photos
from editor.services.sharing import comments, shares
from tests.cast import (
    PASSWORD,
    actor_of,
    join,
    make_edit,
    make_user,
    photo_file,
    show_second_factor,
    submit_batch,
)

pytestmark = pytest.mark.django_db
ROLES = ("anonymous", "stranger", "viewer", "editor", "admin", "owner", "staff")
LOGIN = "to the sign-in"  # An outcome is either a status code or LOGIN.
type Outcome = int | str
type Rule = dict[str, Outcome]


def anyone(outcome: Outcome = 200) -> Rule:
    return dict.fromkeys(ROLES, outcome)


def signed_in(outcome: Outcome = 200) -> Rule:
    return anyone(outcome) | {"anonymous": LOGIN}


def members(outcome: Outcome = 200) -> Rule:
    """Strangers and staff do not even learn that the object exists."""
    return signed_in(outcome) | {"stranger": 404, "staff": 404}


def editors(outcome: Outcome = 302) -> Rule:
    return members(outcome) | {"viewer": 403}


def managers(outcome: Outcome = 200) -> Rule:
    return editors(outcome) | {"editor": 403}


def owners(outcome: Outcome = 200) -> Rule:
    return managers(outcome) | {"admin": 403}


def owner(outcome: Outcome = 200) -> Rule:
    """Only the owner can see the object, such as a photo in their tray. Other team members get 404."""
    return signed_in(404) | {"owner": outcome}


def programs() -> Rule:
    """Only an API key grants access, so a forged request that uses a web session has no effect.

    tests/api/test_rights.py tests what a key may do.
    """
    return anyone(401)


@dataclass(frozen=True)
class Scene:
    """The objects that the roles request. The photos of `edit` have real files."""

    edit: Edit
    running: Edit
    trashed: Edit
    export: Export
    draft: DraftPhoto
    result: ResultPhoto
    reference: ReferencePhoto
    signed: str
    address: str
    key: ApiKey
    delivery: WebhookDelivery
    recipe: RecipeVersion
    batch: Batch
    comment: Comment
    invitation: Invitation
    member: User
    link: Share


@dataclass(frozen=True)
class Row:
    """A URL and a rule for each of its methods. `data` is sent with a POST request."""

    path: Callable[[Scene], str]
    rules: dict[str, Rule]
    data: Callable[[], dict[str, Any]] = dict


OTHERS: Rule = dict.fromkeys(("viewer", "editor", "admin"), 403)
OURS = {
    "help": Row(lambda _: "/help/", {"GET": anyone()}),
    "home": Row(lambda _: "/", {"GET": signed_in(302) | {"anonymous": 200}}),
    "old_history": Row(lambda _: "/history/", {"GET": signed_in(302)}),
    "old_credits": Row(lambda _: "/credits/", {"GET": signed_in(302)}),
    "old_keys": Row(lambda _: "/account/keys/", {"GET": signed_in(302)}),
    "old_webhooks": Row(lambda _: "/account/webhooks/", {"GET": signed_in(302)}),
    "editor": Row(lambda _: "/w/studio/", {"GET": members(), "POST": editors(422)}),
    "ideas": Row(lambda _: "/w/studio/ideas/", {"POST": members()}),
    "preview": Row(lambda _: "/w/studio/preview/", {"POST": editors(200)}, lambda: {"prompt": "darker"}),
    "select": Row(lambda _: "/w/studio/select/", {"GET": editors(200), "POST": editors(422)}),
    "upload_draft": Row(
        lambda _: "/w/studio/drafts/", {"POST": editors(200)}, lambda: {"photo": photo_file("a.jpg")}
    ),
    "remove_draft": Row(
        lambda scene: f"/w/studio/drafts/{scene.draft.pk}/remove/", {"POST": owner(302) | {"viewer": 403}}
    ),
    "edit": Row(lambda scene: f"/edits/{scene.edit.pk}/", {"GET": members()}),
    "cancel_edit": Row(lambda scene: f"/edits/{scene.running.pk}/cancel/", {"POST": editors()}),
    "edit_again": Row(lambda scene: f"/edits/{scene.edit.pk}/again/", {"POST": editors()}),
    "revise_edit": Row(lambda scene: f"/edits/{scene.edit.pk}/revise/", {"POST": editors()}),
    "download_all": Row(lambda scene: f"/edits/{scene.edit.pk}/zip/", {"GET": members()}),
    "favorite_edit": Row(lambda scene: f"/edits/{scene.edit.pk}/favorite/", {"POST": members(302)}),
    "add_comment": Row(
        lambda scene: f"/edits/{scene.edit.pk}/comments/", {"POST": members(302)}, lambda: {"text": "Nice"}
    ),
    "remove_comment": Row(
        lambda scene: f"/edits/{scene.edit.pk}/comments/{scene.comment.pk}/remove/", {"POST": managers(302)}
    ),
    "review_edit send": Row(lambda scene: f"/edits/{scene.edit.pk}/review/send/", {"POST": managers(302)}),
    "review_edit take-back": Row(
        lambda scene: f"/edits/{scene.edit.pk}/review/take-back/", {"POST": managers(302)}
    ),
    "review_edit approve": Row(
        lambda scene: f"/edits/{scene.edit.pk}/review/approve/", {"POST": managers(302)}
    ),
    "review_edit decline": Row(
        lambda scene: f"/edits/{scene.edit.pk}/review/decline/", {"POST": managers(422)}
    ),
    "review_edit reopen": Row(
        lambda scene: f"/edits/{scene.edit.pk}/review/reopen/", {"POST": managers(302)}
    ),
    "share_edit": Row(
        lambda scene: f"/edits/{scene.edit.pk}/shares/", {"POST": editors()}, lambda: {"days": "7"}
    ),
    "revoke_share": Row(
        lambda scene: f"/edits/{scene.edit.pk}/shares/{scene.link.pk}/revoke/", {"POST": managers(302)}
    ),
    # Knowing the URL grants access.
    "share": Row(lambda scene: f"/share/{links.share_token(scene.link.seed)}/", {"GET": anyone()}),
    "shared_photo": Row(
        lambda scene: links.shared_photo_url(
            scene.result, share_id=scene.link.pk, size="360", expires=scene.link.expires
        ),
        {"GET": anyone()},
    ),
    "export_workspace": Row(
        lambda _: "/w/studio/settings/export/", {"GET": managers(), "POST": managers(302)}
    ),
    "export_mine": Row(lambda _: "/account/export/", {"GET": signed_in(), "POST": signed_in(302)}),
    "download_export": Row(lambda scene: f"/account/export/{scene.export.pk}/", {"GET": owner()}),
    "close_account": Row(lambda _: "/account/close/", {"GET": signed_in(302), "POST": signed_in(302)}),
    "close_team": Row(lambda _: "/w/studio/settings/close/", {"GET": owners(302), "POST": owners(302)}),
    "retention": Row(
        lambda _: "/w/studio/settings/retention/?days=90",
        {"GET": owners(), "POST": owners(302)},
        lambda: {"days": "90"},
    ),
    "keep_all": Row(lambda _: "/w/studio/settings/retention/off/", {"POST": owners(302)}),
    "legal_hold": Row(
        lambda _: "/w/studio/settings/hold/",
        {"GET": owners(), "POST": owners(302)},
        lambda: {"reason": "A lawsuit"},
    ),
    "lift_legal_hold": Row(lambda _: "/w/studio/settings/hold/lift/", {"POST": owners(302)}),
    "delete_edit": Row(lambda scene: f"/edits/{scene.edit.pk}/delete/", {"POST": managers(302)}),
    "restore_edit": Row(lambda scene: f"/edits/{scene.trashed.pk}/restore/", {"POST": managers(302)}),
    "purge_edit": Row(
        lambda scene: f"/edits/{scene.trashed.pk}/purge/", {"GET": managers(), "POST": managers(302)}
    ),
    "trashed_photo": Row(lambda scene: f"/edits/{scene.trashed.pk}/trash/", {"GET": managers()}),
    "trash": Row(lambda _: "/w/studio/trash/", {"GET": editors(200)}),
    "empty_trash": Row(lambda _: "/w/studio/trash/empty/", {"GET": editors(200), "POST": editors()}),
    "edit_further": Row(lambda scene: f"/edits/{scene.edit.pk}/results/1/further/", {"POST": editors()}),
    "take_result": Row(
        lambda scene: f"/edits/{scene.edit.pk}/results/1/take/",
        {"POST": editors()},
        lambda: {"workspace": "studio"},
    ),
    "status": Row(lambda scene: f"/s/{scene.signed}/", {"GET": anyone()}),  # Knowing the URL grants access.
    "media": Row(lambda scene: f"/media/results/{scene.result.pk}/360/", {"GET": members()}),
    "media references": Row(
        lambda scene: f"/media/references/{scene.reference.pk}/original/", {"GET": members()}
    ),
    "media recipes": Row(
        lambda scene: f"/media/recipes/{scene.recipe.photos.get().pk}/360/", {"GET": members()}
    ),
    "media drafts": Row(lambda scene: f"/media/drafts/{scene.draft.pk}/360/", {"GET": owner()}),
    "recipes": Row(lambda _: "/w/studio/recipes/", {"GET": members()}),
    "new_recipe": Row(lambda _: "/w/studio/recipes/new/", {"GET": editors(200), "POST": editors(422)}),
    "recipe": Row(
        lambda scene: f"/w/studio/recipes/{scene.recipe.recipe_id}/",
        {"GET": editors(200), "POST": managers(422)},
    ),
    "delete_recipe": Row(
        lambda scene: f"/w/studio/recipes/{scene.recipe.recipe_id}/delete/", {"POST": managers(302)}
    ),
    "run_recipe": Row(
        lambda scene: f"/w/studio/recipes/{scene.recipe.recipe_id}/run/",
        {"GET": editors(200), "POST": editors(422)},
        lambda: {"variable-tone": "sepia"},
    ),
    "new_batch": Row(lambda _: "/w/studio/batches/new/", {"GET": editors(200), "POST": editors(422)}),
    "batch": Row(lambda scene: f"/w/studio/batches/{scene.batch.pk}/", {"GET": members()}),
    "batch_progress": Row(lambda scene: f"/w/studio/batches/{scene.batch.pk}/progress/", {"GET": members()}),
    "batch_photos": Row(lambda scene: f"/w/studio/batches/{scene.batch.pk}/photos/", {"GET": members()}),
    "retry_batch": Row(lambda scene: f"/w/studio/batches/{scene.batch.pk}/retry/", {"POST": editors()}),
    "cancel_batch": Row(lambda scene: f"/w/studio/batches/{scene.batch.pk}/cancel/", {"POST": editors()}),
    "batch_zip": Row(lambda scene: f"/w/studio/batches/{scene.batch.pk}/zip/", {"GET": members()}),
    "history": Row(lambda _: "/w/studio/history/", {"GET": members()}),
    "download_picked": Row(lambda _: "/w/studio/history/zip/", {"POST": members(302)}),
    "star_picked": Row(lambda _: "/w/studio/history/star/", {"POST": members(302)}),
    "trash_picked": Row(lambda _: "/w/studio/history/trash/", {"POST": editors()}),
    "restore_picked": Row(
        lambda _: "/w/studio/history/trash/2026-01-01T00:00:00+00:00/undo/", {"POST": editors()}
    ),
    "share_picked": Row(lambda _: "/w/studio/history/share/", {"POST": editors()}),
    "shared_together": Row(
        lambda _: "/w/studio/history/share/2026-01-01T00:00:00+00:00/", {"GET": editors(404)}
    ),
    "batch_of_picked": Row(lambda _: "/w/studio/history/batch/", {"POST": editors()}),
    "credits": Row(lambda _: "/w/studio/credits/", {"GET": members()}),
    "credits_csv": Row(lambda _: "/w/studio/credits/csv/?month=2026-11", {"GET": members()}),
    "ask_for_credits": Row(
        lambda _: "/w/studio/credits/ask/", {"POST": editors()}, lambda: {"note": "More edits"}
    ),
    "cap_key": Row(
        lambda scene: f"/w/studio/keys/{scene.key.public_id}/cap/",
        {"POST": managers(302)},
        lambda: {"cap": "5"},
    ),
    "cap_member": Row(
        lambda scene: f"/w/studio/credits/caps/{scene.edit.owner_id}/",
        {"POST": managers(302)},
        lambda: {"cap": "5"},
    ),
    "usage": Row(lambda _: "/w/studio/usage/", {"GET": managers()}),
    "usage_csv": Row(lambda _: "/w/studio/usage/csv/", {"GET": managers()}),
    "account": Row(
        lambda _: "/account/", {"GET": signed_in(), "POST": signed_in(302)}, lambda: {"name": "A"}
    ),
    "new_team": Row(
        lambda _: "/teams/new/", {"GET": signed_in(), "POST": signed_in(302)}, lambda: {"name": "New"}
    ),
    "join": Row(
        lambda scene: f"/join/{links.invitation_token(scene.invitation.seed)}/",
        {
            "GET": members(302) | dict.fromkeys(("anonymous", "stranger", "staff"), 200),
            "POST": anyone(302) | {"anonymous": 422},
        },
    ),
    "members": Row(lambda _: "/w/studio/members/", {"GET": members()}),
    "change_role": Row(
        lambda scene: f"/w/studio/members/{scene.member.pk}/role/",
        {"POST": managers(302)},
        lambda: {"role": "viewer"},
    ),
    "remove_member": Row(
        lambda scene: f"/w/studio/members/{scene.member.pk}/remove/",
        {"GET": managers(), "POST": managers(302)},
    ),
    "hand_over": Row(
        lambda _: "/w/studio/members/hand-over/", {"GET": owner() | OTHERS, "POST": owner(422) | OTHERS}
    ),
    "leave_team": Row(
        lambda _: "/w/studio/members/leave/", {"GET": members(), "POST": members(302) | {"owner": 422}}
    ),
    "invite": Row(
        lambda _: "/w/studio/invitations/",
        {"POST": managers(302)},
        lambda: {"role": "editor", "days": "7", "uses": "1"},
    ),
    "revoke_invitation": Row(
        lambda scene: f"/w/studio/invitations/{scene.invitation.pk}/revoke/", {"POST": managers(302)}
    ),
    "settings": Row(lambda _: "/w/studio/settings/", {"GET": managers()}),
    "require_approval": Row(
        lambda _: "/w/studio/settings/approval/", {"POST": managers(302)}, lambda: {"required": "1"}
    ),
    "set_engines": Row(
        lambda _: "/w/studio/settings/engines/", {"POST": owners(302)}, lambda: {"external": "1"}
    ),
    "rename_team": Row(
        lambda _: "/w/studio/settings/name/", {"POST": managers(302)}, lambda: {"name": "Atelier"}
    ),
    "keys": Row(
        lambda _: "/w/studio/keys/", {"GET": members(), "POST": members()}, lambda: {"name": "Script"}
    ),
    "revoke_key": Row(
        lambda scene: f"/w/studio/keys/{scene.key.public_id}/revoke/",
        {"POST": owner(302) | {"admin": 302}},
    ),
    "webhooks": Row(
        lambda _: "/w/studio/webhooks/",
        {"GET": managers(), "POST": managers()},
        lambda: {"url": "https://a.example.org/told"},
    ),
    "remove_webhook": Row(
        lambda scene: f"/w/studio/webhooks/{scene.delivery.endpoint_id}/remove/", {"POST": managers(302)}
    ),
    "replay_delivery": Row(
        lambda scene: f"/w/studio/webhooks/deliveries/{scene.delivery.pk}/", {"POST": managers(302)}
    ),
    "theme": Row(lambda _: "/account/theme/", {"POST": anyone(204)}, lambda: {"theme": "dark"}),
    "language": Row(lambda _: "/account/language/", {"POST": anyone(302)}, lambda: {"language": "de"}),
    "setup": Row(
        lambda _: f"/setup/{links.owner_link_token()}/",
        {"GET": anyone(410), "POST": anyone(410)},
        lambda: {"email": "thief@example.org", "password": PASSWORD},
    ),
    "signed_photo": Row(lambda scene: scene.address, {"GET": anyone()}),  # Knowing the URL grants access.
    "api_generate": Row(lambda _: "/api/photo-editor/generate", {"POST": programs()}),
    "api_status": Row(lambda scene: f"/api/photo-editor/status?taskId={scene.edit.pk}", {"GET": programs()}),
    "api_cancel": Row(lambda _: "/api/photo-editor/cancel", {"POST": programs()}),
    "api_edits": Row(lambda _: "/api/photo-editor/edits", {"GET": programs()}),
    "api_account": Row(lambda _: "/api/photo-editor/account", {"GET": programs()}),
    "openapi": Row(lambda _: "/api/openapi.json", {"GET": anyone()}),
    "api_docs": Row(lambda _: "/api/docs/", {"GET": anyone()}),
    "healthz": Row(lambda _: "/healthz", {"GET": anyone()}),
    "readyz": Row(lambda _: "/readyz", {"GET": anyone()}),
    # Clients on this machine may read metrics; see tests/test_metrics.py.
    "metrics": Row(lambda _: "/metrics", {"GET": anyone()}),
}

# allauth's URLs. Each one is marked as open to anyone or only to signed-in users.
ALLAUTH = {
    "account_login": "anyone",
    "account_signup": "anyone",
    "account_logout": "anyone",
    "account_inactive": "anyone",
    "account_confirm_email": "anyone",
    "account_email_verification_sent": "anyone",
    "account_reset_password": "anyone",
    "account_reset_password_done": "anyone",
    "account_reset_password_from_key": "anyone",
    "account_reset_password_from_key_done": "anyone",
    "account_confirm_login_code": "anyone",
    # If no sign-in is in progress, this page redirects to the page where users sign in.
    "mfa_authenticate": "anyone",
    "account_reauthenticate": "signed in",
    "account_email": "signed in",
    "account_change_password": "signed in",
    "account_set_password": "signed in",
    "mfa_index": "signed in",
    "mfa_reauthenticate": "signed in",
    "mfa_activate_totp": "signed in",
    "mfa_deactivate_totp": "signed in",
    "mfa_view_recovery_codes": "signed in",
    "mfa_generate_recovery_codes": "signed in",
    "mfa_download_recovery_codes": "signed in",
    "oidc_begin": "anyone",
    "oidc_callback": "anyone",
    "mfa_login_webauthn": "anyone",
    "mfa_list_webauthn": "signed in",
    "mfa_add_webauthn": "signed in",
    "mfa_edit_webauthn": "signed in",
    "mfa_remove_webauthn": "signed in",
    "mfa_reauthenticate_webauthn": "signed in",
}
ALLAUTH_ARGUMENTS = {
    "<int:pk>": "1",
    "(?P<key>[-:\\w]+)": "no-such-key",
    "(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)": "1-set-password",
}

# The admin's models, which only staff can access. When a model is added to the admin, add it here.
ADMIN_MODELS = {
    "auth.group",
    "editor.user",
    "editor.apikey",
    "editor.auditentry",
    "editor.creditentry",
    "editor.creditrequest",
    "editor.edit",
    "editor.engine",
    "editor.membership",
    "editor.providerhealth",
    "editor.webhookdelivery",
    "editor.webhookendpoint",
    "editor.workspace",
    "mfa.authenticator",
    "socialaccount.socialaccount",
    "django_tasks_database.dbtaskresult",
}
ADMIN_ARGUMENTS = {
    "<path:object_id>": "1",
    "<path:content_type_id>": "1",
    "<id>": "1",
    "<int:workspace_id>": "1",
    "<str:kind>": "results",
    "<str:size>": "360",
    "<slug:verb>": "cancel",
    "<uuid:photo_id>": str(uuid.UUID(int=1)),
    "(?P<url>.*)": "nowhere",
    "(?P<app_label>editor|auth|mfa|socialaccount|django_tasks_database)": "editor",
}


def routes() -> Iterator[tuple[str, str]]:
    """Yield the route and the name of each of the site's URLs."""

    def walk(patterns: list[Any], before: str) -> Iterator[tuple[str, str]]:
        for pattern in patterns:
            route = before + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                yield route, pattern.name or ""
            else:
                yield from walk(pattern.url_patterns, route)

    return walk(get_resolver().url_patterns, "")


def filled(route: str, arguments: dict[str, str]) -> str:
    for placeholder, value in arguments.items():
        route = route.replace(placeholder, value)
    return "/" + route.replace("^", "").replace("$", "")


ALLAUTH_ROUTES = sorted(
    {(filled(route, ALLAUTH_ARGUMENTS), name) for route, name in routes() if name in ALLAUTH}
)
ADMIN_ROUTES = sorted({filled(route, ADMIN_ARGUMENTS) for route, _ in routes() if route.startswith("admin/")})


@pytest.fixture
def scene(alice: User, team: Workspace) -> Scene:
    draft = drafts.create_draft(actor_of(alice, team), photo_file(), name="a.jpg")
    edit = make_edit(
        alice, workspace=team, references=[photos.copy_files(draft)], results=[photos.copy_files(draft)]
    )
    running = make_edit(alice, workspace=team, state="RUNNING")
    trashed = make_edit(alice, workspace=team, results=[photos.copy_files(draft)])
    trash.delete(actor_of(alice, team), trashed)
    return Scene(
        edit=edit,
        running=running,
        trashed=trashed,
        export=_export(alice, team),
        draft=draft,
        result=edit.results.all()[0],
        reference=edit.references.all()[0],
        signed=links.sign_status(running, alice),
        address=links.signed_photo_url(
            edit.results.all()[0], user_id=alice.pk, expires=timezone.now() + timedelta(days=1), site=""
        ),
        key=accounts.create_api_key(actor_of(alice, team), name="Script")[0],
        delivery=_delivery(alice, edit),
        recipe=_recipe(actor_of(alice, team)),
        batch=_batch(actor_of(alice, team)),
        comment=comments.add_comment(actor_of(alice, team), edit, text="Mine"),
        invitation=invitations.invite(actor_of(alice, team), team, role=Membership.Role.EDITOR),
        member=_member(team),
        link=shares.share(actor_of(alice, team), edit),
    )


def _recipe(actor: Actor) -> RecipeVersion:
    draft = drafts.create_draft(actor, photo_file(), name="logo.jpg")
    return recipes.save_recipe(
        actor, RecipeInput(name="Tone", prompt="make it {tone}", is_shared=True, drafts=[draft])
    )


def _batch(actor: Actor) -> Batch:
    draft = drafts.create_draft(actor, photo_file(), name="a.jpg")
    return submit_batch(actor, Order(prompt="make it sepia", drafts=[draft]), agreed=40)


def _member(team: Workspace) -> User:
    user = make_user("member@example.org")
    join(team, user)
    return user


def _export(user: User, team: Workspace) -> Export:
    export = exports.request_export(user, actor_of(user, team))
    while not exports.build.call(str(export.pk), export.done) and export.state == Export.State.BUILDING:
        export.refresh_from_db()
    return export


def _delivery(user: User, edit: Edit) -> WebhookDelivery:
    endpoint = webhooks.add_endpoint(actor_of(user, edit.workspace), url="https://a.example.org/")
    return WebhookDelivery.objects.create(
        endpoint=endpoint, edit=edit, event="edit.succeeded", body="{}", due=timezone.now()
    )


@pytest.fixture
def people(
    alice: User, bob: User, charlie: User, viewer: User, staff: User, team: Workspace
) -> dict[str, User]:
    admin = make_user("admin@example.org")
    join(team, admin, "admin")
    roles = {"viewer": viewer, "editor": bob, "admin": admin, "owner": alice}
    return {"stranger": charlie, "staff": staff, **roles}


def client_for(role: str, people: dict[str, User], **options: Any) -> Client:
    client = Client(**options)
    if role != "anonymous":
        client.force_login(people[role])
    if role == "staff":
        show_second_factor(client, people[role])
    return client


def finished(response: Any) -> Any:
    """Read a streamed response to its end, so that its file is closed."""
    if response.streaming:
        b"".join(response.streaming_content)
    return response


def outcome_of(response: Any) -> Outcome:
    leads_to_sign_in = response.status_code == 302 and response.headers["Location"].startswith(
        "/accounts/login/"
    )
    status: int = response.status_code
    return LOGIN if leads_to_sign_in else status


def test_every_url_is_classified() -> None:
    classified = {name.partition(" ")[0] for name in OURS} | set(ALLAUTH)
    unknown = [
        (route, name) for route, name in routes() if name not in classified and not route.startswith("admin/")
    ]
    assert unknown == []
    assert {model._meta.label_lower for model in admin.site._registry} == ADMIN_MODELS
    left = [
        path for path in (*ADMIN_ROUTES, *(path for path, _ in ALLAUTH_ROUTES)) if "<" in path or "(" in path
    ]
    assert left == [], "the table lacks a URL that takes arguments"


def test_every_classified_url_exists() -> None:
    names = {name for _, name in routes()}
    assert {name.partition(" ")[0] for name in OURS} | set(ALLAUTH) <= names


@pytest.mark.parametrize("role", ROLES)
def test_each_role_has_the_access_in_the_table(scene: Scene, people: dict[str, User], role: str) -> None:
    """The database changes made by each call are rolled back. Requests that may delete files come last."""
    outcomes, right = {}, {}
    for method, name in sorted((method, name) for name, row in OURS.items() for method in row.rules):
        row = OURS[name]
        data = row.data() if method == "POST" else {}
        with undone():
            call = getattr(client_for(role, people), method.lower())
            outcomes[f"{method} {name}"] = outcome_of(finished(call(row.path(scene), data)))
        right[f"{method} {name}"] = row.rules[method][role]
    assert outcomes == right


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()  # The rate limits count requests in the cache.


def test_other_http_methods_are_refused(scene: Scene, people: dict[str, User]) -> None:
    client = client_for("owner", people)
    for name, row in OURS.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - set(row.rules):
            instead = {"X-HTTP-Method-Override": next(iter(row.rules))}
            answer = client.generic(method, row.path(scene), headers=instead)
            # The status URL is handled before Django checks methods, so every non-read method gets 404.
            assert answer.status_code == (404 if name == "status" else 405), f"{method} {name}"


@pytest.mark.parametrize("role", ["anonymous", "owner"])
def test_every_post_requires_a_csrf_token(scene: Scene, people: dict[str, User], role: str) -> None:
    client = client_for(role, people, enforce_csrf_checks=True)
    before = snapshot()
    for name in (name for name, row in OURS.items() if "POST" in row.rules):
        response = client.post(OURS[name].path(scene), OURS[name].data())
        if name.startswith("api_"):
            assert response.status_code == 401, f"{name} needs no token: a browser's sign-in is no key"
        else:
            assert (response.status_code, PAGE_EXPIRED in response.text) == (403, True), name
    assert snapshot() == before


@pytest.mark.parametrize(("path", "name"), ALLAUTH_ROUTES)
def test_the_sign_in_pages_have_the_access_in_the_table(
    people: dict[str, User], path: str, name: str
) -> None:
    anonymous = client_for("anonymous", people).get(path)
    assert anonymous.status_code < 500
    if ALLAUTH[name] == "signed in":
        assert outcome_of(anonymous) == LOGIN
    member = client_for("editor", people).get(path)
    assert member.status_code in (200, 302, 404)
    posted = client_for("editor", people, enforce_csrf_checks=True).post(path)
    assert posted.status_code in (403, 405), "a POST without a CSRF token must be refused"


@pytest.mark.parametrize("role", ["anonymous", "stranger", "editor", "owner"])
def test_the_admin_is_closed_to_everyone_except_staff(people: dict[str, User], role: str) -> None:
    client = client_for(role, people)
    # The sign-out URL is left out, because everyone may sign out.
    for path in sorted(set(ADMIN_ROUTES) - {"/admin/logout/"}):
        for call in (client.get, client.post):
            response = call(path)
            if path == "/admin/login/" and role != "anonymous":
                assert response.status_code == 403
            else:
                assert response.status_code == 302, path
                assert response.headers["Location"].startswith(("/accounts/", "/admin/login/")), path


def test_staff_without_a_second_factor_cannot_open_any_admin_page(staff: User) -> None:
    client = Client()
    client.force_login(staff)
    elsewhere = {f"/admin/{name}/" for name in ("login", "logout", "jsi18n", "password_change")}
    for path in sorted(set(ADMIN_ROUTES) - elsewhere):
        for call in (client.get, client.post):
            assert call(path).headers["Location"] == "/accounts/2fa/", path


def test_no_admin_url_returns_a_server_error(people: dict[str, User]) -> None:
    client = client_for("staff", people)
    for path in ADMIN_ROUTES:
        assert finished(client.get(path)).status_code < 500, path


def snapshot() -> dict[str, list[Any]]:
    """Return the rows of all tables except web sessions, which are not part of the site's state."""
    tables = set(connection.introspection.table_names()) - {"django_session"}
    with connection.cursor() as cursor:
        rows = {}
        for table in sorted(tables):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            rows[table] = sorted(map(repr, cursor.fetchall()))
        return rows


@pytest.mark.sampled(3)
@pytest.mark.parametrize("role", ROLES)
def test_no_get_request_writes_to_the_database(scene: Scene, people: dict[str, User], role: str) -> None:
    """Web sessions are not compared, because they are not part of the site's state."""
    ours = [row.path(scene) for row in OURS.values()]
    client = client_for(role, people)
    for path in [*ours, *(path for path, _ in ALLAUTH_ROUTES), *ADMIN_ROUTES]:
        with CaptureQueriesContext(connection) as queries:
            finished(client.get(path))
        assert [query["sql"] for query in queries if is_write(query["sql"])] == [], path


def is_write(sql: str) -> bool:
    return sql.startswith(("INSERT", "UPDATE", "DELETE", "REPLACE")) and "django_session" not in sql


@pytest.mark.sampled(2)
@pytest.mark.parametrize("role", ["anonymous", "owner", "staff"])
def test_no_page_can_be_framed(scene: Scene, people: dict[str, User], role: str) -> None:
    ours = [row.path(scene) for row in OURS.values()]
    client = client_for(role, people)
    for path in [*ours, *(path for path, _ in ALLAUTH_ROUTES), *ADMIN_ROUTES]:
        assert finished(client.get(path)).headers["X-Frame-Options"] == "DENY", path
