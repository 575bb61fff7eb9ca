"""User accounts, which people sign in to by email address, and the API keys that programs use."""

import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


def normalized_email(email: str) -> str:
    """Return the only form in which an email address is stored and looked up.

    The address is in lowercase, with an internationalized domain in Punycode, as browsers submit it. A domain
    that Punycode cannot encode is left unchanged.
    """
    local, at, domain = unicodedata.normalize("NFKC", email.strip()).lower().rpartition("@")
    if not domain.isascii():
        import idna  # imported here because loading its tables takes 0.1 s, and most domains are ASCII

        with suppress(idna.IDNAError):
            domain = idna.encode(domain, uts46=True).decode()
    return f"{local}{at}{domain}"


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create only the user row.

        Use `services.people.accounts.open_account` to create a complete account.
        """
        user = self.build_user(email, password, **fields)
        user.save(using=self._db)
        return user

    def build_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Build an unsaved user, with the password hashed.

        Call this outside a transaction. Hashing takes a significant fraction of a second, and inside a
        transaction, it would keep every other SQLite writer waiting.
        """
        user = self.model(email=normalized_email(email), **fields)
        user.set_password(password)
        return user

    def with_monthly_credits(self) -> models.QuerySet["User"]:
        """Return the users whose personal workspaces MONTHLY_CREDITS tops up.

        These are the users with a verified address. Unverified addresses cost nothing, so users could
        otherwise collect credits by creating any number of accounts with invented addresses. With
        CREDITS_BY_INVITATION, all users qualify.
        """
        if settings.CREDITS_BY_INVITATION:
            return self.all()
        return self.filter(emailaddress__primary=True, emailaddress__verified=True)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=normalized_email(username or ""))

    def with_email(self, email: str) -> models.QuerySet["User"]:
        """Return a queryset of the user with this email address, regardless of case and Unicode form."""
        return self.filter(email__iexact=normalized_email(email))


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account.

    Closing the account anonymizes this row and keeps everything that refers to it.
    """

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150, blank=True)
    language = models.CharField(
        max_length=10,
        blank=True,
        default="",
        db_default="",
        choices=settings.LANGUAGES,
        help_text="Empty to use the browser's setting.",
    )
    time_zone = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="Empty to use the browser's setting."
    )
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    blocked = models.DateTimeField(null=True, blank=True, editable=False)
    block_reason = models.CharField(max_length=300, blank=True, editable=False)
    sign_outs = models.PositiveIntegerField(
        default=0, editable=False, help_text="Number of times that all sessions were ended together."
    )
    owns_site = models.BooleanField(default=False, editable=False, help_text="Created with the owner link.")
    awaits_signup_credits = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Signed up without an invitation, and gets SIGNUP_CREDITS when the address is verified.",
    )
    created = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()
    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("email"), name="one_account_for_an_address"),
            models.UniqueConstraint(
                fields=["owns_site"], condition=models.Q(owns_site=True), name="one_owner_of_the_site"
            ),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def label(self) -> str:
        """The name with the email address, which tells people with the same name apart."""
        return f"{self.name} ({self.email})" if self.name else self.email

    def set_language(self, language: str) -> None:
        """Set the language of pages and emails. An empty string selects the browser's language."""
        self.language = language
        self.save(update_fields=["language"])

    def get_session_auth_hash(self) -> str:
        """Return the hash that a valid session must contain.

        The hash changes when the password changes and when all sessions are ended.
        """
        return super().get_session_auth_hash() + self._ended

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        for known in super().get_session_auth_fallback_hash():
            yield known + self._ended

    @property
    def _ended(self) -> str:
        return f".{self.sign_outs}" if self.sign_outs else ""

    @property
    def initials(self) -> str:
        words = (self.name or self.email.partition("@")[0]).replace(".", " ").replace("_", " ").split()
        return "".join(word[0] for word in words[:2]).upper()


class FormerAddress(models.Model):
    """An email address that an account no longer uses, and the free credits granted to the address.

    Only a keyed digest of the address is kept, which is enough to recognize the address at a later sign-up.
    """

    digest = models.CharField(max_length=64, db_index=True)
    had_signup_credits = models.BooleanField()
    topped_up = models.DateField(null=True, help_text="First day of the month of the last allowance.")
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.digest


class ApiKey(models.Model):
    """A program's key, which acts for its user in one workspace.

    Only a digest of the secret is kept.
    """

    public_id = models.CharField(max_length=8, unique=True)
    digest = models.CharField(max_length=64)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="api_keys")
    workspace = models.ForeignKey("editor.Workspace", on_delete=models.PROTECT, related_name="api_keys")
    name = models.CharField(max_length=100)
    created = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    cap = models.PositiveIntegerField(
        null=True, blank=True, help_text="Credits that the key may spend in a month; empty for no cap."
    )
    last_used = models.DateTimeField(null=True, blank=True)
    revoked = models.DateTimeField(null=True, blank=True)
    blocked = models.DateTimeField(null=True, blank=True)
    block_reason = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return f"{self.name} (drk_{self.public_id})"
