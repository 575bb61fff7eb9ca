"""Tests that staff need a second factor for the admin, and are redirected to set one up if they have none."""

import time
from collections.abc import Callable
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client
from django.utils import timezone

from editor.models import User
from editor.signin import second_factor
from tests import cast

pytestmark = pytest.mark.django_db
EDITS = "/admin/editor/edit/?state=FAILED"
AGAIN = "/accounts/reauthenticate/?next="


def code_of(secret: str) -> str:
    """Return the current code. Tests start at the beginning of a minute, so that it lasts for 30 seconds."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


@pytest.fixture
def signed_in(client: Client, staff: User) -> Client:
    """Return a client in which the staff user has signed in with a password only."""
    client.post("/accounts/login/", {"login": staff.email, "password": cast.PASSWORD})
    return client


@pytest.mark.usefixtures("new_minute")
def test_staff_without_a_second_factor_are_led_to_set_one_up_and_back(signed_in: Client, staff: User) -> None:
    response = signed_in.get(EDITS, follow=True)
    assert response.redirect_chain == [("/accounts/2fa/", 302)]
    assert "Administrators need two-factor sign-in" in response.text
    form = signed_in.get("/accounts/2fa/totp/activate/")
    assert form.status_code == 200, "a user who has just signed in need not confirm who they are"
    secret = form.context["form"].secret
    made = signed_in.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)}, follow=True)
    assert made.redirect_chain[-1][0] == "/accounts/2fa/recovery-codes/", "the recovery codes are shown first"
    assert f'href="{EDITS}"' in made.text
    assert signed_in.get(EDITS).status_code == 200
    assert "Continue to the administration" not in signed_in.get("/accounts/2fa/").text, (
        "the user has continued to the page, so it is not offered again"
    )


def test_a_wrong_code_does_not_set_up_a_second_factor(signed_in: Client) -> None:
    signed_in.get(EDITS)
    signed_in.get("/accounts/2fa/totp/activate/")
    assert signed_in.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    assert signed_in.get(EDITS).status_code == 302
    assert not Authenticator.objects.exists()


@pytest.mark.usefixtures("new_minute")
def test_staff_with_a_second_factor_must_use_it_to_enter_the_admin(client: Client, staff: User) -> None:
    secret = generate_totp_secret()
    TOTP.activate(staff, secret)
    client.force_login(staff)
    response = client.get(EDITS)
    sign_in_url = "/accounts/2fa/reauthenticate/?next=%2Fadmin%2Feditor%2Fedit%2F%3Fstate%3DFAILED"
    assert response.headers["Location"] == sign_in_url
    assert client.post(sign_in_url, {"code": code_of(secret), "next": EDITS}).headers["Location"] == EDITS
    assert client.get(EDITS).status_code == 200


def test_a_sign_in_with_a_recovery_code_gives_access_to_the_admin(client: Client, staff: User) -> None:
    TOTP.activate(staff, generate_totp_secret())
    code = RecoveryCodes.activate(staff).get_unused_codes()[0]
    client.post("/accounts/login/", {"login": staff.email, "password": cast.PASSWORD})
    client.post("/accounts/2fa/authenticate/", {"code": code})
    assert client.get(EDITS).status_code == 200


def test_another_users_second_factor_does_not_count(client: Client, staff: User) -> None:
    other = cast.make_staff("other@example.org")
    client.force_login(staff)
    cast.show_second_factor(client, other)
    assert client.get(EDITS).status_code == 302


def test_the_rest_of_the_site_requires_no_second_factor(signed_in: Client) -> None:
    assert signed_in.get("/w/staff/").status_code == 200
    assert signed_in.get("/account/").status_code == 200


def test_a_setting_turns_the_requirement_off(signed_in: Client, settings: Any) -> None:
    settings.STAFF_TWO_FACTOR = False
    assert signed_in.get(EDITS).status_code == 200


def test_a_user_who_is_not_staff_gets_403_in_the_admin(alice: User, client_of: Callable[..., Client]) -> None:
    assert client_of(alice).get(EDITS, follow=True).status_code == 403


@pytest.mark.parametrize(
    ("amr", "counts"),
    [
        (["mfa"], True),
        (["pwd", "otp"], True),
        (["pin", "hwk"], True),
        (["pwd", "mfa", "rsa"], True),
        (["pwd"], False),
        (["otp"], False),
        (["pwd", "pin"], False),
        (["hwk", "face"], False),
        ([], False),
        (["MFA", "unknown"], False),
    ],
)
def test_an_issuer_counts_if_it_reports_two_factors(amr: list[str], counts: bool) -> None:
    assert second_factor.reports_two_factors(amr) is counts


def money_of(user: User) -> str:
    return f"/admin/editor/workspace/{user.personal_workspace.pk}/credits/"


def test_changing_credits_requires_a_sign_in_within_ten_minutes(client: Client, staff: User) -> None:
    client.force_login(staff)
    with time_machine.travel(timezone.now(), tick=False):
        cast.show_second_factor(client, staff, at=time.time() - 590)
        assert client.get(money_of(staff)).status_code == 200
        cast.show_second_factor(client, staff, at=time.time() - 610)
        location = client.get(money_of(staff)).headers["Location"]
    assert location.startswith(AGAIN)
    client.post(location, {"password": cast.PASSWORD})
    assert client.get(money_of(staff)).status_code == 200


def test_staff_without_a_password_must_sign_in_again_to_change_credits(client: Client, staff: User) -> None:
    staff.set_unusable_password()
    staff.save()
    client.force_login(staff)
    cast.show_second_factor(client, staff)
    assert client.get(EDITS).status_code == 200
    response = client.get(money_of(staff), follow=True)
    assert response.redirect_chain[0][0] == f"/accounts/login/?next={money_of(staff)}"
    assert "Sign in again to continue" in response.text
    assert "_auth_user_id" not in client.session
