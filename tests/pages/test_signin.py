"""Tests for sign-in, sign-up, forgotten passwords, and second factors."""

import re
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.test import Client, override_settings
from django.utils import timezone

from editor.models import CreditEntry, User, Workspace
from editor.services.core.links import owner_link_token
from editor.services.people import accounts
from editor.signin.accounts import AccountAdapter
from tests.cast import PASSWORD, assert_ledger_balances

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
WRONG = "is incorrect"
NEW = "quite another 55 thing"
with_mail = override_settings(
    EMAIL_URL="smtp://mail.example.org",
    MAILERS={"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}},
)


def sign_in(client: Client, email: str = "alice@example.org", password: str = PASSWORD, **extra: Any) -> Any:
    return client.post(LOGIN, {"login": email, "password": password}, **extra)


def link_in_mail(place: str) -> str:
    link = re.search(rf"http\S+/{place}/\S+/", str(mail.outbox[-1].body))
    assert link
    return link[0]


def balance_of(email: str) -> int:
    return Workspace.objects.get(personal_user__email=email).balance


def test_signing_in_starts_a_session_and_redirects_to_the_start(client: Client, alice: User) -> None:
    response = sign_in(client)
    assert response.status_code == 302
    assert response.headers["Location"] == "/"
    assert client.session["_auth_user_id"] == str(alice.pk)


def test_the_email_is_case_insensitive(client: Client, alice: User) -> None:
    assert sign_in(client, "ALICE@Example.org").status_code == 302


@pytest.mark.parametrize("spelling", ["zoe@bücher.example", "ZOE@xn--bcher-kva.example"])
def test_it_takes_both_spellings_of_an_international_domain(client: Client, db: None, spelling: str) -> None:
    zoe = accounts.open_account(email="zoe@bücher.example", password=PASSWORD)
    assert sign_in(client, spelling).status_code == 302
    assert client.session["_auth_user_id"] == str(zoe.pk)


def test_a_sign_in_gets_a_new_session_key(client: Client, alice: User) -> None:
    client.get(LOGIN)
    session = client.session
    session["before"] = "1"
    session.save()
    before = session.session_key
    sign_in(client)
    assert client.session.session_key != before


def test_a_wrong_password_gets_an_error_message_and_keeps_the_email(client: Client, alice: User) -> None:
    response = sign_in(client, password="not this one")
    assert response.status_code == 200
    page = response.text
    assert WRONG in page
    assert 'value="alice@example.org"' in page
    assert "not this one" not in page


def test_an_unknown_address_gets_the_same_answer(client: Client, alice: User) -> None:
    known = sign_in(client, password="wrong")
    unknown = sign_in(client, email="nobody@example.org", password="wrong")
    strip = re.compile(r'value="[^"]*"|"X-CSRFToken":"[^"]*"')
    assert strip.sub("", known.text) == strip.sub("", unknown.text)


def test_an_unknown_email_takes_the_same_time(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(hasher: MD5PasswordHasher, password: str, salt: str, *rest: Any) -> str:
        hashed.append(password)
        return encode(hasher, password, salt, *rest)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    sign_in(client, password="wrong 1")
    known = len(hashed)
    sign_in(client, email="nobody@example.org", password="wrong 1")
    assert len(hashed) - known == known == 1, (
        "both cases hash a password once, because hashing takes the time"
    )


def test_a_closed_account_cannot_sign_in(client: Client, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    sign_in(client)
    assert "_auth_user_id" not in client.session


def test_a_closed_account_is_signed_out_at_once(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/account/").status_code == 200
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.get("/account/").status_code == 302


@pytest.mark.parametrize("wanted", ["/w/alice/history/", "/w/alice/history/?q=sky", "/account/"])
def test_next_leads_back_to_this_site(client: Client, alice: User, wanted: str) -> None:
    response = client.post(LOGIN, {"login": alice.email, "password": PASSWORD, "next": wanted})
    assert response.headers["Location"] == wanted


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example/",
        "//evil.example/",
        "///evil.example",
        "\\\\evil.example",
        "/\\evil.example",
        "https:evil.example",
        "javascript:alert(1)",
        "http:///evil.example",
    ],
)
def test_next_never_leaves_this_site(client: Client, alice: User, wanted: str) -> None:
    response = client.post(LOGIN, {"login": alice.email, "password": PASSWORD, "next": wanted})
    assert response.headers["Location"] == "/"


def test_five_failures_block_an_ip_address_for_five_minutes(client: Client, alice: User) -> None:
    for _ in range(5):
        assert WRONG in sign_in(client, password="wrong").text
    assert "Wait five minutes" in sign_in(client).text
    assert "_auth_user_id" not in client.session
    with time_machine.travel(timezone.now() + timedelta(minutes=5, seconds=5)):
        assert sign_in(client).status_code == 302


def test_failures_from_other_ip_addresses_do_not_lock_the_account(client: Client, alice: User) -> None:
    for _ in range(6):
        sign_in(client, password="wrong", REMOTE_ADDR="203.0.113.9")
    assert sign_in(client, REMOTE_ADDR="198.51.100.7").status_code == 302


def test_a_made_up_forwarded_address_is_not_believed(client: Client, alice: User) -> None:
    for number in range(5):
        sign_in(client, password="wrong", headers={"X-Forwarded-For": f"203.0.113.{number}"})
    assert "Wait five minutes" in sign_in(client, headers={"X-Forwarded-For": "203.0.113.99"}).text


@override_settings(TRUSTED_PROXIES=["10.0.0.0/8"])
def test_the_x_forwarded_for_header_of_a_trusted_proxy_is_used(client: Client, alice: User) -> None:
    for _ in range(6):
        sign_in(client, password="wrong", REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": "203.0.113.1"})
    answer = sign_in(client, REMOTE_ADDR="10.0.0.1", headers={"X-Forwarded-For": "203.0.113.1, 198.51.100.1"})
    assert answer.status_code == 302


@override_settings(TRUSTED_PROXIES=["10.0.0.0/8"])
def test_ipv4_addresses_in_ipv6_notation_are_recognized(client: Client, alice: User) -> None:
    for number in range(6):
        forwarded = {"X-Forwarded-For": f"203.0.113.1{', ::ffff:10.0.0.2' * (number % 2)}"}
        sign_in(client, password="wrong", REMOTE_ADDR="10.0.0.1", headers=forwarded)
    forwarded = {"X-Forwarded-For": "::ffff:203.0.113.1"}
    assert "Wait five minutes" in sign_in(client, REMOTE_ADDR="10.0.0.1", headers=forwarded).text
    forwarded = {"X-Forwarded-For": "198.51.100.1, ::ffff:10.0.0.2"}
    assert sign_in(client, REMOTE_ADDR="10.0.0.1", headers=forwarded).status_code == 302


def test_signing_out_needs_a_post_and_ends_the_session(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert client.get("/accounts/logout/").status_code == 200
    assert client.get("/account/").status_code == 200
    key = client.session.session_key
    assert client.post("/accounts/logout/").status_code == 302
    assert not Session.objects.filter(session_key=key).exists()
    assert client.get("/account/").status_code == 302


def test_the_fields_help_a_password_manager(client: Client) -> None:
    page = client.get(LOGIN).text
    assert 'autocomplete="username"' in page
    assert 'autocomplete="current-password"' in page


# Sign-up


@pytest.mark.parametrize(
    ("signup", "sentence"), [("invite", "need an invitation"), ("closed", "accept new accounts")]
)
def test_sign_up_is_closed_unless_opened(client: Client, settings: Any, signup: str, sentence: str) -> None:
    settings.SIGNUP, settings.SIGNUP_IS_OPEN = signup, False
    response = client.post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})
    assert sentence in response.text
    assert not User.objects.exists()


@override_settings(SIGNUP_IS_OPEN=True)
def test_sign_up_looks_like_the_setup_of_the_first_account(client: Client) -> None:
    for path in ("/accounts/signup/", f"/setup/{owner_link_token()}/"):
        page = client.get(path).text
        assert "<h1>Create your account</h1>" in page
        assert "Use at least 8 characters, and avoid common passwords." in page
        assert "entirely numeric" not in page


def test_sign_up_stays_closed_without_a_mail_server() -> None:
    assert settings.EMAIL_URL == ""
    assert settings.SIGNUP_IS_OPEN is False


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory", SIGNUP_CREDITS=400)
def test_a_new_account_gets_its_credits_when_its_address_is_verified(client: Client) -> None:
    response = client.post("/accounts/signup/", {"email": "New@Example.org", "password1": PASSWORD})
    assert response.status_code == 302
    user = User.objects.get()
    assert user.email == "new@example.org"
    assert user.personal_workspace.balance == 0
    assert user.personal_workspace.memberships.get().role == "owner"
    assert "_auth_user_id" not in client.session, "an unverified address cannot be used to sign in"
    link = link_in_mail("confirm-email")
    assert client.get(link).status_code == 200
    assert balance_of("new@example.org") == 0, "opening the link does not verify the address"
    for _ in range(2):
        client.post(link)
        assert balance_of("new@example.org") == 400
    assert sign_in(client, "new@example.org").status_code == 302
    assert_ledger_balances(user.personal_workspace)


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_the_sign_in_page_knows_the_address_that_was_confirmed(client: Client, db: None) -> None:
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})
    other = Client()  # The email may be opened in another browser.
    page = other.post(link_in_mail("confirm-email"), follow=True)
    assert page.redirect_chain[-1][0] == "/accounts/login/"
    assert 'value="new@example.org"' in page.text


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory", SIGNUP_CREDITS=400)
def test_changing_the_email_gives_no_second_opening_grant(client: Client) -> None:
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})
    client.post(link_in_mail("confirm-email"))
    sign_in(client, "new@example.org")
    client.post("/accounts/email/", {"action_add": "", "email": "newer@example.org"})
    client.post(link_in_mail("confirm-email"))
    assert balance_of("newer@example.org") == 400
    client.post("/accounts/logout/")
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})
    client.post(link_in_mail("confirm-email"))
    assert balance_of("new@example.org") == 0, "this address already received its credits"


@with_mail
def test_an_account_without_an_opening_grant_gets_none_by_changing_its_email(
    client: Client, db: None
) -> None:
    """An account without an opening grant does not get one by changing its address.

    The account may have been created with create_user --credits 0, or while SIGNUP_CREDITS was 0.
    """
    accounts.open_account(email="new@example.org", password=PASSWORD, credits=0, by="command")
    sign_in(client, "new@example.org")
    client.post("/accounts/email/", {"action_add": "", "email": "newer@example.org"})
    client.post(link_in_mail("confirm-email"))
    assert balance_of("newer@example.org") == 0


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_signing_up_with_a_known_email_does_not_reveal_the_account(client: Client, alice: User) -> None:
    new = client.post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD})
    other = Client()
    known = other.post("/accounts/signup/", {"email": " Alice@Example.org", "password1": PASSWORD})
    assert (known.status_code, known.headers["Location"]) == (new.status_code, new.headers["Location"])
    for visitor, email in ((client, "new@example.org"), (other, alice.email)):
        page = visitor.get(new.headers["Location"]).text
        assert f"We sent an email to <b><bdi>{email}</bdi></b>." in page
        assert 'href="/accounts/signup/">Enter it again' in page
    assert Workspace.objects.count() == 2
    assert CreditEntry.objects.get(kind="grant").workspace == alice.personal_workspace


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_the_second_of_two_simultaneous_sign_ups_is_treated_as_a_known_email(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = {"email": "new@example.org", "password1": PASSWORD}
    known = client.post("/accounts/signup/", {"email": alice.email, "password1": PASSWORD})
    save_user = AccountAdapter.save_user

    def late(*given: Any, **options: Any) -> User:
        monkeypatch.undo()
        Client().post("/accounts/signup/", new)
        return save_user(*given, **options)

    monkeypatch.setattr(AccountAdapter, "save_user", late)
    answer = Client().post("/accounts/signup/", new)
    assert (answer.status_code, answer.headers["Location"]) == (known.status_code, known.headers["Location"])
    assert [letter.to for letter in mail.outbox] == [[alice.email], [new["email"]]], (
        "only one email is sent to each"
    )
    client.post(link_in_mail("confirm-email"))
    assert balance_of("new@example.org") == settings.SIGNUP_CREDITS


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_a_weak_password_is_refused_at_its_field(client: Client) -> None:
    response = client.post("/accounts/signup/", {"email": "new@example.org", "password1": "12345678"})
    assert 'id="id_password1_error"' in response.text
    assert "entirely numeric" in response.text
    assert not User.objects.exists()


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_sign_up_ignores_fields_that_are_not_its_own(client: Client) -> None:
    extra = {"is_staff": "on", "is_superuser": "on", "balance": "9999", "credits": "9999", "plan": "pro"}
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD, **extra})
    user = User.objects.get()
    assert not user.is_staff
    assert not user.is_superuser
    assert user.personal_workspace.balance == 0
    assert user.personal_workspace.plan == "free"


@with_mail
@pytest.mark.parametrize(("name", "then"), [("alice@example.org", "ames@example.org"), ("Alice", "Alice")])
def test_a_new_email_also_renames_a_workspace_named_after_the_email(
    client: Client, alice: User, name: str, then: str
) -> None:
    """The workspace's name is shown to API clients and staff.

    A name that staff have chosen does not change.
    """
    Workspace.objects.filter(personal_user=alice).update(name=name)
    client.force_login(alice)
    client.post("/accounts/email/", {"action_add": "", "email": "Ames@example.org"})
    link = re.search(r"http\S+/confirm-email/\S+/", str(mail.outbox[0].body))
    assert link
    client.post(link[0])
    alice.refresh_from_db()
    assert alice.email == "ames@example.org"
    assert Workspace.objects.get(personal_user=alice).name == then


@with_mail
def test_an_email_that_meanwhile_belongs_to_another_account_is_not_confirmed(
    client_of: Callable[..., Client], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(alice)
    client.post("/accounts/email/", {"action_add": "", "email": "ames@example.org"})
    confirm_email = DefaultAccountAdapter.confirm_email

    def late(*given: Any) -> bool:
        User.objects.create_user("ames@example.org", PASSWORD)
        confirmed: bool = confirm_email(*given)
        return confirmed

    monkeypatch.setattr(DefaultAccountAdapter, "confirm_email", late)
    answer = client.post(link_in_mail("confirm-email"), follow=True)
    assert "ames@example.org belongs to another account." in answer.text
    alice.refresh_from_db()
    assert alice.email == EmailAddress.objects.get(user=alice, primary=True).email == "alice@example.org"
    assert not EmailAddress.objects.get(email="ames@example.org").verified


# Forgotten passwords


def by_mail(user: User) -> None:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": user.email})
    form = browser.get(link_in_mail("reset/key"), follow=True).redirect_chain[-1][0]
    browser.post(form, {"password1": NEW, "password2": NEW})


def by_change(user: User) -> None:
    browser = Client()
    browser.force_login(user)
    given = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    browser.post("/accounts/password/change/", given)


def by_those_who_run_the_site(user: User) -> None:
    accounts.reset_sign_in("command", user)


def test_without_a_mail_server_the_reset_page_says_so(client: Client, alice: User) -> None:
    for response in (
        client.get("/accounts/password/reset/"),
        client.post("/accounts/password/reset/", {"email": alice.email}),
    ):
        assert response.status_code == 200
        assert "can&#x27;t send email" in response.text or "can't send email" in response.text


@with_mail
def test_a_reset_link_sets_a_new_password(client: Client, alice: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(alice)
    client.post("/accounts/password/reset/", {"email": alice.email})
    link = re.search(r"http\S+/reset/key/\S+/", str(mail.outbox[0].body))
    assert link
    form = client.get(link[0], follow=True)
    client.post(
        form.redirect_chain[-1][0],
        {"password1": "quite another 55 thing", "password2": "quite another 55 thing"},
    )
    assert elsewhere.get("/account/").status_code == 302, "every other session has ended"
    assert sign_in(Client(), password="quite another 55 thing").status_code == 302
    assert "no longer valid" in Client().get(link[0], follow=True).text, "a link works only once"


@with_mail
def test_a_reset_for_an_unknown_address_gets_the_same_answer(client: Client, alice: User) -> None:
    known = client.post("/accounts/password/reset/", {"email": alice.email})
    unknown = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert (known.status_code, known.headers["Location"]) == (
        unknown.status_code,
        unknown.headers["Location"],
    )


@with_mail
def test_an_unconfirmed_email_of_an_account_cannot_reset_its_password(
    client: Client, client_of: Callable[..., Client], alice: User
) -> None:
    client_of(alice).post("/accounts/email/", {"action_add": "", "email": "evil@example.org"})
    client.post("/accounts/password/reset/", {"email": "evil@example.org"})
    assert mail.outbox[-1].to == ["evil@example.org"]
    assert mail.outbox[-1].subject == "[Darkroom] There is no account with this address"
    assert "/reset/key/" not in mail.outbox[-1].body


@with_mail
@pytest.mark.parametrize("recover", [by_mail, by_change, by_those_who_run_the_site])
def test_recovering_an_account_cancels_an_earlier_change_of_email(
    client_of: Callable[..., Client], alice: User, recover: Callable[[User], None]
) -> None:
    """The request to add this email address may have come from another person who knows the password."""
    client_of(alice).post("/accounts/email/", {"action_add": "", "email": "evil@example.org"})
    confirm = link_in_mail("confirm-email")
    recover(alice)
    assert Client().post(confirm).status_code == 404
    alice.refresh_from_db()
    assert alice.email == EmailAddress.objects.get().email == "alice@example.org"
    assert EmailAddress.objects.get().verified


@with_mail
@override_settings(PUBLIC_URL="https://photos.example.org", ALLOWED_HOSTS=["*"])
def test_links_in_emails_use_the_public_url(client: Client, alice: User) -> None:
    client.post("/accounts/password/reset/", {"email": alice.email}, headers={"Host": "evil.example"})
    assert "https://photos.example.org/accounts/password/reset/key/" in mail.outbox[0].body
    assert "evil.example" not in mail.outbox[0].body
    assert mail.outbox[0].subject.startswith("[Darkroom]")


MANY_MAILS = "Too many emails were requested today"
ADDING = {"action_add": ""}


@with_mail
def test_an_email_address_gets_at_most_ten_account_emails_a_day(client: Client, alice: User) -> None:
    """The limit does not depend on who sends the requests or on whether the address has an account."""
    for email in (alice.email, "Nobody@example.org"):
        for turn in range(12):
            cache.clear()  # Reset the per-minute limit.
            answer = Client(REMOTE_ADDR=f"192.0.2.{turn}").post("/accounts/password/reset/", {"email": email})
            assert answer.status_code == (302 if turn < 10 else 429)
        assert MANY_MAILS in answer.text
    assert [letter.to for letter in mail.outbox] == [[alice.email]] * 10 + [["nobody@example.org"]] * 10


@with_mail
def test_a_sender_can_request_a_limited_number_of_emails(
    client_of: Callable[..., Client], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editor.signin.accounts.MAILS_PER_SENDER", 2)
    visitor, user = Client(), client_of(alice)
    for number in range(3):
        to = {"email": f"new{number}@example.org"}
        answers = visitor.post("/accounts/password/reset/", to), user.post("/accounts/email/", to | ADDING)
        assert [answer.status_code for answer in answers] == ([302, 302] if number < 2 else [429, 429])
    assert len(mail.outbox) == 4


@with_mail
@override_settings(SIGNUP_IS_OPEN=True, ACCOUNT_EMAIL_VERIFICATION="mandatory")
def test_a_sign_up_beyond_the_limit_does_not_reveal_the_account(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("editor.signin.accounts.MAILS_PER_ADDRESS", 0)
    new, known = (
        Client().post("/accounts/signup/", {"email": email, "password1": PASSWORD})
        for email in ("new@example.org", alice.email)
    )
    assert (new.status_code, known.status_code) == (429, 429)
    assert MANY_MAILS in new.text
    token = re.compile(r"\b\w{64}\b")  # The CSRF tokens are different in every response.
    assert token.sub("", new.text) == token.sub("", known.text)
    assert not mail.outbox


def test_a_password_change_ends_the_other_sessions(client: Client, alice: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(alice)
    sign_in(client)
    new = "quite another 55 thing"
    response = client.post(
        "/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new}
    )
    assert response.headers["Location"] == "/account/"
    assert client.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


# The second factor


def secret_of(user: User) -> str:
    secret: str = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def code_of(secret: str) -> str:
    code: str = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    return code


@pytest.mark.usefixtures("new_minute")  # A code is valid for 30 seconds.
def test_an_authenticator_app_can_be_set_up_and_used_to_sign_in(client: Client, alice: User) -> None:
    with time_machine.travel(timezone.now() - timedelta(minutes=11)):
        sign_in(client)
    asked = client.get("/accounts/2fa/totp/activate/")
    assert "Confirm that it's you" in client.get(asked.headers["Location"]).text, (
        "the password must be confirmed first"
    )
    client.post(asked.headers["Location"], {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/").text
    assert 'class="qr"' in page
    assert 'autocomplete="one-time-code"' in page
    secret = re.findall(r'class="secret" id="secret">(\w+)<', page)[0]
    assert "Incorrect code" in client.post("/accounts/2fa/totp/activate/", {"code": "000000"}).text
    client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)})
    assert "10 of 10 codes left" in client.get("/accounts/2fa/recovery-codes/").text
    again = Client()
    sign_in(again)
    with time_machine.travel(timezone.now() + timedelta(seconds=31)):  # Each code works only once.
        response = again.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert response.headers["Location"] == "/"


def test_a_recovery_code_signs_in_once(client: Client, alice: User) -> None:
    secret_of(alice)
    code = RecoveryCodes.activate(alice).get_unused_codes()[0]
    answers = []
    for _ in range(2):
        browser = Client()
        sign_in(browser)
        answers.append(browser.post("/accounts/2fa/authenticate/", {"code": code}).status_code)
    assert answers == [302, 200]


def test_with_a_second_factor_the_password_alone_is_not_enough(client: Client, alice: User) -> None:
    secret_of(alice)
    response = sign_in(client)
    assert response.headers["Location"].startswith("/accounts/2fa/authenticate/")
    assert client.get("/account/").status_code == 302
    assert "One more step" in client.get("/accounts/2fa/authenticate/").text


def test_guessing_codes_is_slowed_down(client: Client, alice: User) -> None:
    secret_of(alice)
    sign_in(client)
    for _ in range(5):
        client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    answer = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert "Too many failed attempts. Wait five minutes, then try again." in answer.text


# The admin


def test_the_admin_uses_the_sign_in_page_of_the_site(client: Client, staff: User) -> None:
    response = client.get("/admin/", follow=True)
    assert response.redirect_chain[-1][0].startswith("/accounts/login/?next=/admin/")
    for address in ("/admin/login/", "/admin/login/?next=https://evil.example/"):
        assert client.get(address).headers["Location"] == "/accounts/login/?next=/admin/"
    assert client.post("/admin/login/", {"username": staff.email, "password": PASSWORD}).status_code == 302
    assert "_auth_user_id" not in client.session


def test_a_signed_in_user_who_is_not_staff_gets_403_instead_of_a_redirect_loop(
    alice: User, client_of: Callable[..., Client]
) -> None:
    response = client_of(alice).get("/admin/", follow=True)
    assert response.status_code == 403


@pytest.mark.parametrize("is_open", [True, False])
def test_sign_up_is_offered_only_where_it_is_open(client: Client, is_open: bool) -> None:
    with override_settings(SIGNUP_IS_OPEN=is_open):
        assert ("/accounts/signup/" in client.get(LOGIN).text) == is_open


@pytest.mark.parametrize(
    "path", [LOGIN, "/accounts/signup/", "/accounts/password/reset/", "/accounts/logout/"]
)
@pytest.mark.parametrize("wanted", ["http://[", "//[", "http://[::1", "https://\u2100.example"])
def test_an_invalid_next_url_causes_no_error(client: Client, path: str, wanted: str) -> None:
    assert client.get(path, {"next": wanted}).status_code in (200, 302)
    assert client.post(path, {"next": wanted}).status_code in (200, 302)


@pytest.mark.parametrize("wanted", ["http://[", "//["])
def test_the_sites_own_forms_accept_an_invalid_next_url_without_an_error(
    client: Client, staff: User, wanted: str
) -> None:
    assert client.post("/account/theme/", {"theme": "dark", "next": wanted}).status_code in (204, 302)
    assert client.get("/admin/login/", {"next": wanted}).headers["Location"].endswith("?next=/admin/")


@pytest.mark.parametrize("address", ["http://[", "//[x", "http://elsewhere.example/history/"])
def test_an_htmx_request_with_an_odd_current_url_redirects_to_the_sign_in_page(
    client: Client, address: str
) -> None:
    response = client.post("/w/alice/preview/", headers={"HX-Request": "true", "HX-Current-URL": address})
    assert response.status_code == 401
    assert response.headers["HX-Redirect"] == "/accounts/login/?next=%2F"


@pytest.mark.parametrize("key", ['"aaaaaaaaaaaaaaaa\\000"', "a" * 41, "Robert'); DROP", "\u00e4" * 20])
def test_an_invalid_session_key_is_never_looked_up(
    client: Client, django_assert_num_queries: Callable[..., Any], key: str
) -> None:
    with django_assert_num_queries(0):
        response = client.get("/account/", HTTP_COOKIE=f"darkroom_session={key}")
    assert response.status_code == 302
