"""Tests for workspaces, ledgers, users, and API keys in the admin."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from editor.forms import clean_line
from editor.models import AuditEntry, CreditEntry, Opening, ProviderHealth, User, Workspace
from editor.services.people import blocks
from editor.services.people.accounts import create_api_key
from editor.services.sharing import reviews
from tests.cast import PASSWORD, actor_of, assert_ledger_balances, make_edit, make_staff, make_user

admin.autodiscover()  # The site's URLs also register the admin pages in this way.
pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]
READ_ONLY = ("edit", "creditentry", "membership", "apikey", "providerhealth", "engine")


def balance_of(workspace: Workspace) -> str:
    return f"/admin/editor/workspace/{workspace.pk}/credits/"


def moving(amount: str, reason: str, token: str = "") -> dict[str, str]:
    """Return the fields of the credit form. Without a token, they are the same as in a newly opened form."""
    return {"amount": amount, "reason": reason, "token": token or str(uuid.uuid4())}


def limited(*codenames: str) -> User:
    user = make_user("limited@example.org", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


@pytest.fixture
def confirmed(client_of: SignIn) -> SignIn:
    """Return a function that signs a user in and confirms their password."""

    def sign_in(user: User) -> Client:
        client = client_of(user)
        client.post("/accounts/reauthenticate/", {"password": PASSWORD})
        return client

    return sign_in


def test_every_list_opens_for_staff(client_of: SignIn, alice: User, staff: User) -> None:
    make_edit(alice)
    create_api_key(actor_of(alice), name="a key")
    ProviderHealth.objects.create(provider="embedded")
    client = client_of(staff)
    for model in admin.site._registry:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        assert client.get(address).status_code == 200, address
        assert client.get(address + "?q=alice").status_code == 200, address


@pytest.mark.parametrize("model", READ_ONLY)
def test_read_only_models_cannot_be_added_changed_or_deleted(
    client_of: SignIn, alice: User, staff: User, model: str
) -> None:
    make_edit(alice)
    create_api_key(actor_of(alice), name="a key")
    ProviderHealth.objects.create(provider="embedded")
    client, address = client_of(staff), f"/admin/editor/{model}/"
    row = next(m for m in admin.site._registry if m._meta.model_name == model)._default_manager.first()
    assert row is not None
    assert client.get(address + "add/").status_code == 403
    assert client.get(f"{address}{row.pk}/change/").status_code == 200
    assert client.post(f"{address}{row.pk}/change/", {}).status_code == 403
    assert client.post(f"{address}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in client.get(address).text


def test_credits_are_granted_with_a_reason(confirmed: SignIn, alice: User, staff: User) -> None:
    workspace = alice.personal_workspace
    client = confirmed(staff)
    page = client.get(f"/admin/editor/workspace/{workspace.pk}/change/").text
    assert balance_of(workspace) in page
    response = client.post(balance_of(workspace), moving("100", "A gift"), follow=True)
    assert [str(one) for one in response.context["messages"]] == [f"+100 credits for {workspace.name}."]
    entry = CreditEntry.objects.latest("id")
    assert (entry.kind, entry.amount, entry.reason, entry.actor) == ("grant", 100, "A gift", staff)
    workspace.refresh_from_db()
    assert workspace.balance == 500
    assert_ledger_balances(workspace)
    assert LogEntry.objects.get().change_message == "+100 credits: A gift"


def test_credits_can_be_corrected_downward(confirmed: SignIn, alice: User, staff: User) -> None:
    workspace = alice.personal_workspace
    confirmed(staff).post(balance_of(workspace), moving("-150", "Too many"))
    workspace.refresh_from_db()
    assert workspace.balance == 250
    assert CreditEntry.objects.latest("id").kind == "adjustment"
    assert_ledger_balances(workspace)


def test_a_form_that_is_sent_twice_changes_the_balance_once_with_a_message(
    confirmed: SignIn, alice: User, staff: User
) -> None:
    workspace, client = alice.personal_workspace, confirmed(staff)
    form = client.get(balance_of(workspace)).context["form"]
    token = str(form["token"].value())
    assert f'value="{token}"' in client.post(balance_of(workspace), moving("0", "x", token)).text
    client.post(balance_of(workspace), moving("100", "A gift", token))
    again = client.post(balance_of(workspace), moving("70", "Another gift", token), follow=True)
    assert "This form was already submitted" in again.text
    workspace.refresh_from_db()
    assert workspace.balance == 500
    assert LogEntry.objects.count() == 1
    assert_ledger_balances(workspace)


@pytest.mark.parametrize("token", ["nonsense", "\x00", " "])
def test_a_form_without_a_valid_token_changes_nothing(
    confirmed: SignIn, alice: User, staff: User, token: str
) -> None:
    workspace = alice.personal_workspace
    response = confirmed(staff).post(balance_of(workspace), moving("100", "A gift", token))
    assert response.status_code == 422
    assert "Open the page again" in response.text
    workspace.refresh_from_db()
    assert workspace.balance == 400


@pytest.mark.parametrize(
    ("amount", "reason", "words"),
    [
        ("0", "x", "Enter a number other than 0"),
        ("-361", "x", "There are not enough available credits"),
        ("", "x", "required"),
        ("5", "", "required"),
        ("5", "\u200b\u2060", "required"),
        ("abc", "x", "whole number"),
        ("99999999999999999999", "x", "less than or equal"),
        ("5", "x" * 301, "at most 300"),
    ],
)
def test_invalid_credit_input_is_rejected_with_a_message(
    confirmed: SignIn, alice: User, staff: User, amount: str, reason: str, words: str
) -> None:
    make_edit(alice, state="RUNNING")  # This edit holds 40 of the 400 credits.
    workspace = alice.personal_workspace
    response = confirmed(staff).post(balance_of(workspace), moving(amount, reason))
    assert response.status_code == 422
    assert words in response.text
    workspace.refresh_from_db()
    assert workspace.balance == 400
    assert_ledger_balances(workspace)


def test_credits_can_be_changed_only_after_confirming_the_password(
    client_of: SignIn, alice: User, staff: User
) -> None:
    workspace = alice.personal_workspace
    response = client_of(staff).post(balance_of(workspace), moving("100", "A gift"))
    assert response.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    workspace.refresh_from_db()
    assert workspace.balance == 400


def test_changing_credits_requires_its_own_permission(client_of: SignIn, alice: User) -> None:
    client = client_of(limited("view_workspace", "change_workspace", "view_creditentry"))
    workspace = alice.personal_workspace
    assert balance_of(workspace) not in client.get(f"/admin/editor/workspace/{workspace.pk}/change/").text
    assert client.get(balance_of(workspace)).status_code == 403
    assert client.post(balance_of(workspace), moving("9", "x")).status_code == 403
    workspace.refresh_from_db()
    assert workspace.balance == 400


def test_an_unknown_workspace_is_not_found(confirmed: SignIn, staff: User) -> None:
    assert confirmed(staff).get("/admin/editor/workspace/999999/credits/").status_code == 404


def test_the_plan_is_changed_by_an_action_and_the_balance_not_by_a_form(
    confirmed: SignIn, alice: User, staff: User
) -> None:
    workspace, client = alice.personal_workspace, confirmed(staff)
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    form = {"name": "A", "plan": "pro", "balance": "9999", "held": "1", **rows}
    client.post(f"/admin/editor/workspace/{workspace.pk}/change/", form)
    workspace.refresh_from_db()
    assert (workspace.plan, workspace.balance, workspace.held) == ("free", 400, 0)
    client.post("/admin/editor/workspace/do/plan/", asking(workspace.pk, "They pay", plan="pro"))
    workspace.refresh_from_db()
    assert workspace.plan == "pro"
    entry = AuditEntry.objects.get(action="plan_changed")
    assert (entry.user, entry.reason, entry.workspace) == (staff, "They pay", workspace)


def asking(row: object, reason: str, **more: str) -> dict[str, object]:
    """Return the fields of an admin action's confirmation page."""
    return {"row": row, "reason": reason, "token": str(uuid.uuid4()), **more}


def test_a_user_and_a_key_can_be_blocked_and_unblocked(client_of: SignIn, alice: User, staff: User) -> None:
    key, _ = create_api_key(actor_of(alice), name="a key")
    client = client_of(staff)
    for kind, row in (("apikey", key), ("user", alice)):
        client.post(f"/admin/editor/{kind}/do/block/", asking(row.pk, "It leaked"))
        row.refresh_from_db()
        assert row.blocked is not None
        assert row.block_reason == "It leaked"
        again = client.post(f"/admin/editor/{kind}/do/block/", asking(row.pk, "x"), follow=True)
        assert "blocked" in again.text
        client.post(f"/admin/editor/{kind}/do/unblock/", asking(row.pk, "A mistake"))
        row.refresh_from_db()
        assert row.blocked is None
    done = [entry.action for entry in AuditEntry.objects.filter(door="admin").order_by("id")]
    assert done == ["key_blocked", "key_unblocked", "user_blocked", "user_unblocked"]


def test_staff_cannot_block_themselves_or_other_staff_without_permission(
    client_of: SignIn, staff: User
) -> None:
    page = client_of(staff).post("/admin/editor/user/do/block/", asking(staff.pk, "x"), follow=True)
    assert "block your own account." in page.text
    client = client_of(limited("view_user", "change_user"))
    page = client.post("/admin/editor/user/do/block/", asking(staff.pk, "x"), follow=True)
    assert "Only superusers can" in page.text
    assert not User.objects.exclude(blocked=None).exists()


def test_an_edit_is_refunded_only_once_and_after_confirming_the_password(
    client_of: SignIn, confirmed: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    edit = make_edit(alice, workspace=team)
    address, given = "/admin/editor/edit/do/refund/", asking(edit.pk, "Wrong crop")
    assert client_of(staff).post(address, given).headers["Location"].startswith("/accounts/reauthenticate/")
    client = confirmed(staff)
    assert "1 refunded." in client.post(address, given, follow=True).text
    assert "Skipped 1: already refunded." in client.post(address, given, follow=True).text
    entry = CreditEntry.objects.get(kind="refund")
    assert (entry.edit, entry.amount, entry.reason, entry.actor) == (edit, 40, "Wrong crop", staff)
    assert AuditEntry.objects.filter(action="refunded", subject_id=str(edit.pk), user=staff).count() == 1
    assert_ledger_balances(team)
    failed = make_edit(alice, workspace=team, state="FAILED")
    page = client.post(address, asking(failed.pk, "x"), follow=True).text
    assert "This edit wasn&#x27;t charged" in page


def test_staff_can_approve_and_decline_edits_of_a_team(
    client_of: SignIn, alice: User, team: Workspace, staff: User
) -> None:
    first, second = make_edit(alice, workspace=team), make_edit(alice, workspace=team)
    reviews.send(actor_of(alice, team), second)
    client = client_of(staff)
    start = client.get("/admin/").text
    assert "Waiting for review" in start
    assert f"/admin/editor/edit/{second.pk}/change/" in start
    assert client.get("/admin/editor/edit/?review=in_review").context["cl"].result_list == [second]
    client.post("/admin/editor/edit/do/approve/", asking(first.pk, "As asked"))
    client.post("/admin/editor/edit/do/decline/", asking(second.pk, "Too dark"))
    for edit, state in ((first, "approved"), (second, "declined")):
        edit.refresh_from_db()
        assert edit.review_state == state
    done = AuditEntry.objects.filter(door="admin").order_by("id").values_list("action", "reason")
    assert list(done) == [("edit_approved", "As asked"), ("edit_declined", "Too dark")]
    again = client.post("/admin/editor/edit/do/decline/", asking(second.pk, "x"), follow=True)
    assert "Only edits that are waiting for review" in again.text


def test_the_audit_log_can_be_read_searched_and_exported(client_of: SignIn, alice: User, staff: User) -> None:
    client = client_of(staff)
    client.post("/admin/editor/user/do/block/", asking(alice.pk, "=1+1"))
    address = "/admin/editor/auditentry/"
    page = client.get(address).text
    assert "Blocked a user" in page
    assert "staff@example.org" in page
    for query, count in (("?q=alice@example.org", 1), ("?action=refunded", 0), ("?action=user_blocked", 1)):
        assert client.get(address + query).context["cl"].result_count == count
    entry = AuditEntry.objects.get()
    assert "{" not in client.get(f"{address}{entry.pk}/change/").text.split("<form")[-1].split("</form>")[0]
    sent: Any = client.get(f"{address}export/?q=alice@example.org")
    text = b"".join(sent.streaming_content).decode()
    assert "user_blocked" in text
    assert ",'=1+1," in text
    assert client_of(limited("view_user")).get(f"{address}export/").status_code == 403


def test_a_form_writes_only_the_changed_fields(confirmed: SignIn, team: Workspace, staff: User) -> None:
    """The balance changes after the form is loaded. Saving the form must not overwrite the new balance."""
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    with CaptureQueriesContext(connection) as queries:
        confirmed(staff).post(
            f"/admin/editor/workspace/{team.pk}/change/",
            {"name": team.name, "plan": "free", "allowance": "5000", **rows},
        )
    [update] = [query["sql"] for query in queries if query["sql"].startswith('UPDATE "editor_workspace"')]
    assert "balance" not in update
    team.refresh_from_db()
    assert team.allowance == 5_000


def test_setting_an_allowance_needs_a_permission_and_a_recent_sign_in(
    client_of: SignIn, confirmed: SignIn, team: Workspace, staff: User
) -> None:
    address = f"/admin/editor/workspace/{team.pk}/change/"
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    given = {"name": "The Studio", "allowance": "5000", **rows}
    assert client_of(staff).post(address, given).headers["Location"].startswith("/accounts/reauthenticate/")
    team.refresh_from_db()
    assert (team.name, team.allowance) == ("Studio", 0)
    client = confirmed(limited("view_workspace", "change_workspace"))
    assert 'name="allowance"' not in client.get(address).text
    assert client.post(address, given).status_code == 302
    team.refresh_from_db()
    assert (team.name, team.allowance) == ("The Studio", 0)


@pytest.mark.parametrize("allowance", ["-1", "x", "2000000001", "99999999999999999999"])
def test_an_invalid_allowance_is_rejected(
    confirmed: SignIn, team: Workspace, staff: User, allowance: str
) -> None:
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    given = {"name": team.name, "plan": "free", "allowance": allowance, **rows}
    response = confirmed(staff).post(f"/admin/editor/workspace/{team.pk}/change/", given)
    assert response.status_code == 200
    team.refresh_from_db()
    assert team.allowance == 0


def test_a_team_cannot_get_an_invisible_name(confirmed: SignIn, team: Workspace, staff: User) -> None:
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    given = {"name": "\u200b", "allowance": "0", **rows}
    assert confirmed(staff).post(f"/admin/editor/workspace/{team.pk}/change/", given).status_code == 200
    assert Workspace.objects.get(pk=team.pk).name == team.name


def test_a_personal_workspace_has_no_editable_name_or_allowance(
    confirmed: SignIn, alice: User, staff: User
) -> None:
    own, client = alice.personal_workspace, confirmed(staff)
    address = f"/admin/editor/workspace/{own.pk}/change/"
    page = client.get(address).text
    assert 'name="allowance"' not in page
    assert 'name="name"' not in page
    assert client.post(address, {"name": "Mine"}).status_code == 403
    assert Workspace.objects.get(pk=own.pk).name == own.name


def test_a_user_added_in_the_admin_gets_a_complete_account(confirmed: SignIn, staff: User) -> None:
    given = {"email": "New@example.org", "name": "", "password": PASSWORD, "plan": "pro", "credits": "77"}
    response = confirmed(staff).post("/admin/editor/user/add/", given)
    assert response.status_code == 302
    user = User.objects.get(email="new@example.org")
    assert (user.personal_workspace.plan, user.personal_workspace.balance) == ("pro", 77)
    assert_ledger_balances(user.personal_workspace)
    answer = Client().post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert answer.headers["Location"] == "/"


def test_adding_a_user_needs_a_recent_sign_in_and_stores_no_password_before(
    client_of: SignIn, staff: User
) -> None:
    client, address = client_of(staff), "/admin/editor/user/add/"
    given = {"email": "new@example.org", "name": "", "password": PASSWORD, "plan": "pro", "credits": "77"}
    answer = client.post(address, given)
    assert answer.headers["Location"] == address
    assert PASSWORD not in str(dict(client.session))
    assert client.get(address).headers["Location"].startswith("/accounts/reauthenticate/?next=")
    assert not User.objects.filter(email="new@example.org").exists()


def test_staff_without_credit_permission_add_users_with_the_defaults(
    confirmed: SignIn, settings: Any
) -> None:
    client, address = confirmed(limited("view_user", "add_user", "change_user")), "/admin/editor/user/add/"
    page = client.get(address).text
    assert 'name="email"' in page
    assert 'name="plan"' not in page
    assert 'name="credits"' not in page
    given = {"email": "new@example.org", "name": "", "password": PASSWORD, "plan": "pro", "credits": "77"}
    assert client.post(address, given).status_code == 302
    workspace = User.objects.get(email="new@example.org").personal_workspace
    assert (workspace.plan, workspace.balance) == ("free", settings.SIGNUP_CREDITS)
    assert_ledger_balances(workspace)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"email": "alice@example.org"}, "account with this address already exists"),
        ({"password": "123"}, "too short"),
    ],
)
def test_invalid_input_for_a_new_user_is_rejected_with_a_message(
    confirmed: SignIn, alice: User, staff: User, changed: dict[str, str], words: str
) -> None:
    given = {"email": "n@example.org", "name": "", "password": PASSWORD, "plan": "free", "credits": ""}
    response = confirmed(staff).post("/admin/editor/user/add/", given | changed)
    assert words in response.text
    assert User.objects.count() == 2


def test_the_user_form_changes_only_the_name(confirmed: SignIn, alice: User, staff: User) -> None:
    client, address = confirmed(staff), f"/admin/editor/user/{alice.pk}/"
    # Only the block action can deactivate a user, so this form must ignore `is_active`.
    client.post(address + "change/", {"name": "A\u202el\u200b", "is_active": ""})
    alice.refresh_from_db()
    assert alice.name == "Al"
    assert alice.is_active
    assert alice.email == "alice@example.org"


def test_the_user_form_does_not_undo_a_block_that_was_set_meanwhile(
    confirmed: SignIn, alice: User, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = confirmed(staff)

    def late(text: str) -> str:
        blocks.block_user("command", User.objects.get(pk=alice.pk), reason="Spam")
        return clean_line(text)

    monkeypatch.setattr("editor.forms.clean_line", late)
    client.post(f"/admin/editor/user/{alice.pk}/change/", {"name": "Alice B.", "is_staff": "on"})
    alice.refresh_from_db()
    assert (alice.name, alice.is_staff, alice.is_active, alice.sign_outs) == ("Alice B.", True, False, 1)


def test_staff_cannot_set_the_password_of_a_user(confirmed: SignIn, alice: User, staff: User) -> None:
    client, address = confirmed(staff), f"/admin/editor/user/{alice.pk}/"
    new = "quite another 55 thing"
    client.post(address + "password/", {"password1": new, "password2": new, "usable_password": "true"})
    client.post(address + "change/", {"name": "Alice", "password": new})
    alice.refresh_from_db()
    assert alice.check_password(PASSWORD)
    assert "reset_sign_in EMAIL" in client.get(address + "change/").text


def test_changing_permissions_or_factors_requires_a_recent_sign_in(
    client_of: SignIn, confirmed: SignIn, alice: User, staff: User
) -> None:
    TOTP.activate(alice, generate_totp_secret())
    person, factor = f"/admin/editor/user/{alice.pk}/change/", Authenticator.objects.get().pk
    deletion = f"/admin/mfa/authenticator/{factor}/delete/"
    for address, given in ((person, {"name": "Al", "is_staff": "on"}), (deletion, {"post": "yes"})):
        answer = client_of(staff).post(address, given)
        assert answer.headers["Location"].startswith("/accounts/reauthenticate/")
    alice.refresh_from_db()
    assert not alice.is_staff
    assert Authenticator.objects.exists()
    client = confirmed(staff)
    client.post(person, {"name": "Al", "is_staff": "on"})
    client.post(deletion, {"post": "yes"})
    alice.refresh_from_db()
    assert alice.is_staff
    assert not Authenticator.objects.exists()


def test_the_last_superuser_cannot_give_up_permissions(confirmed: SignIn, staff: User) -> None:
    client, address = confirmed(staff), f"/admin/editor/user/{staff.pk}/change/"
    for kept in ("is_staff", "is_superuser"):
        answer = client.post(address, {"name": "x", kept: "on"})
        assert "This is the only superuser account" in answer.text
    staff.refresh_from_db()
    assert (staff.is_staff, staff.is_superuser, staff.name) == (True, True, "")
    make_staff("boss@example.org")
    client.post(address, {"name": "x"})
    staff.refresh_from_db()
    assert (staff.is_staff, staff.is_superuser) == (False, False)


def test_a_person_has_links_to_their_workspace_and_edits(client_of: SignIn, alice: User, staff: User) -> None:
    address = f"/admin/editor/user/{alice.pk}/change/"
    page = client_of(staff).get(address).text
    assert f'href="/admin/editor/workspace/{alice.personal_workspace.pk}/change/"' in page
    assert 'href="/admin/editor/edit/?q=alice%40example.org"' in page
    page = client_of(limited("view_user")).get(address).text
    assert "/admin/editor/workspace/" not in page
    assert "/admin/editor/edit/" not in page


@pytest.mark.parametrize("page", ["editor/user/{}/change/", "auth/group/add/"])
def test_only_permissions_that_have_an_effect_can_be_given(
    confirmed: SignIn, alice: User, staff: User, page: str
) -> None:
    form = confirmed(staff).get(f"/admin/{page.format(alice.pk)}").context["adminform"].form
    field = form.fields.get("user_permissions") or form.fields["permissions"]
    offered = set(field.queryset.values_list("codename", flat=True))
    assert {"view_edit", "change_edit", "change_user", "add_creditentry", "view_auditentry"} <= offered
    assert not {"add_edit", "delete_edit", "change_creditentry", "add_session", "view_emailaddress"} & offered


def test_a_user_cannot_be_deleted(confirmed: SignIn, alice: User, staff: User) -> None:
    assert confirmed(staff).post(f"/admin/editor/user/{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    assert User.objects.filter(pk=alice.pk).exists()


def test_limited_staff_cannot_grant_permissions(confirmed: SignIn, alice: User) -> None:
    helper = limited("view_user", "change_user")
    boss = make_staff("boss@example.org")
    client = confirmed(helper)
    rights = {"name": "x", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    client.post(f"/admin/editor/user/{alice.pk}/change/", rights)
    alice.refresh_from_db()
    assert (alice.is_staff, alice.is_superuser) == (False, False)
    for above in (helper, boss):
        assert client.post(f"/admin/editor/user/{above.pk}/change/", rights).status_code == 403
    helper.refresh_from_db()
    assert not helper.is_superuser


def test_digests_and_secrets_are_not_shown(client_of: SignIn, alice: User, staff: User) -> None:
    key, _ = create_api_key(actor_of(alice), name="a key")
    secret = generate_totp_secret()
    TOTP.activate(alice, secret)
    factor = Authenticator.objects.get()
    client = client_of(staff)
    for address in ("apikey/", f"apikey/{key.pk}/change/"):
        page = client.get(f"/admin/editor/{address}").text
        assert key.public_id in page
        assert key.digest not in page
    for address in ("", f"{factor.pk}/change/"):
        assert secret not in client.get(f"/admin/mfa/authenticator/{address}").text


def test_only_a_superuser_can_remove_a_second_factor(confirmed: SignIn, alice: User, staff: User) -> None:
    TOTP.activate(alice, generate_totp_secret())
    address = f"/admin/mfa/authenticator/{Authenticator.objects.get().pk}/delete/"
    assert confirmed(limited("delete_authenticator", "view_authenticator")).post(address).status_code == 403
    confirmed(staff).post(address, {"post": "yes"})
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("model", ["workspace", "creditentry", "membership", "user"])
def test_the_number_of_queries_of_a_list_is_constant(client_of: SignIn, staff: User, model: str) -> None:
    client, counts = client_of(staff), []
    for number in range(3):
        make_edit(make_user(f"user{number}@example.org"))
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/admin/editor/{model}/")
        counts.append(len(queries))
    assert len(set(counts)) == 1, counts


def test_the_admin_password_page_redirects_to_the_site(client_of: SignIn, staff: User) -> None:
    response = client_of(staff).get("/admin/password_change/")
    assert response.headers["Location"] == "/accounts/password/change/"


@pytest.mark.parametrize(
    "query",
    ["created__year=0", "created__year=99999", "created__month=99", "id=" + "9" * 30, "created__gte=x"],
)
def test_no_query_breaks_a_list(client_of: SignIn, alice: User, staff: User, query: str) -> None:
    make_edit(alice)
    client = client_of(staff)
    for model in admin.site._registry:
        address = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        adapted = query.replace("created", "enqueued_at") if "task" in address else query
        assert client.get(f"{address}?{adapted}", follow=True).status_code == 200, address


def test_staff_can_set_and_lift_a_legal_hold_with_a_reason(
    client_of: Callable[..., Client], staff: User, team: Workspace
) -> None:
    client = client_of(staff)

    def do(verb: str, reason: str) -> None:
        given = {"row": team.pk, "reason": reason, "token": str(uuid.uuid4())}
        client.post(f"/admin/editor/workspace/do/{verb}/", given)
        team.refresh_from_db()

    do("hold", " ")
    assert team.held_since is None
    do("hold", "A lawsuit")
    assert (team.held_by, team.hold_reason) == (staff, "A lawsuit")
    do("lift", " ")
    assert team.held_since is not None
    do("lift", "It is settled")
    assert team.held_since is None


def test_a_workspace_offers_to_open_or_to_end_the_review(
    client_of: SignIn, alice: User, bob: User, staff: User
) -> None:
    workspace = alice.personal_workspace
    client, other = client_of(staff), client_of(make_staff("other@example.org"))

    def offered(client: Client, workspace: Workspace) -> set[str]:
        verbs = client.get(f"/admin/editor/workspace/{workspace.pk}/change/").context["verbs"]
        return {verb.name for verb, _ in verbs} & {"open", "shut"}

    def do(verb: str) -> None:
        client.post(f"/admin/editor/workspace/do/{verb}/", asking(workspace.pk, "She asked for help"))

    assert offered(client, workspace) == {"open"}
    do("open")
    assert offered(client, workspace) == {"shut"}
    assert offered(client, bob.personal_workspace) == offered(other, workspace) == {"open"}
    do("open")
    assert Opening.objects.count() == 1
    do("shut")
    assert offered(client, workspace) == {"open"}


def test_changes_to_users_and_workspaces_are_recorded_in_the_audit_log(
    confirmed: SignIn, alice: User, staff: User, team: Workspace
) -> None:
    TOTP.activate(alice, generate_totp_secret())
    client = confirmed(staff)
    person = f"/admin/editor/user/{alice.pk}"
    client.post(f"{person}/change/", {"name": "Alice Ames", "is_staff": "on"})
    factor = Authenticator.objects.get().pk
    rows = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    client.post(f"/admin/mfa/authenticator/{factor}/delete/", {"post": "yes"})
    given = {"name": "The Studio", "allowance": "900", **rows}
    client.post(f"/admin/editor/workspace/{team.pk}/change/", given)
    entries = AuditEntry.objects.order_by("id").values_list("action", "user", "door", "subject_id")
    who = ("user_changed", staff.pk, "admin", str(alice.pk))
    changes = [(action, staff.pk, "admin", str(team.pk)) for action in ("team_renamed", "allowance_set")]
    assert list(entries) == [who, who, *changes]
    team.refresh_from_db()
    assert (team.name, team.allowance) == ("The Studio", 900)
    assert AuditEntry.objects.order_by("id")[0].detail == {"fields": ["Administrator"]}
    response = client.post(f"/admin/editor/workspace/{team.pk}/change/", given | {"name": "x" * 61})
    assert "at most 60 characters" in response.text
