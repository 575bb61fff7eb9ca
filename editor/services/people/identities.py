"""Identities at the OpenID Connect provider (the issuer), and the accounts on this site that belong to them.

An email address alone never gives access to an existing account: the issuer must have verified the address,
and the person must also sign in here.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.models import Invitation, User
from editor.services.people import accounts, groups, invitations


@dataclass(frozen=True)
class Identity:
    """A person as the issuer describes them at sign-in. Only `subject` never changes."""

    subject: str
    email: str
    email_verified: bool
    name: str
    groups: tuple[str, ...]
    two_factor: bool = False  # whether the issuer confirms that two factors were used


class NotAdmitted(Exception):
    """Raised when an identity cannot open an account here. The exception's message is shown to the person."""


class SignInRequired(Exception):
    """Raised when the identity's verified address belongs to an existing account.

    After the person signs in to that account, `link_identity` links the identity to it.
    """


def issuer_name() -> str:
    """Return the host name of the issuer, or an empty string if there is none."""
    return str(urlsplit(settings.OIDC_ISSUER).netloc)


def admit(identity: Identity, invitation: Invitation | None = None) -> User:
    """Create an account for an identity that does not have one here.

    This requires open sign-up, a group that OIDC_GROUPS maps to a team, or this invitation. If the invitation
    is used, the person becomes a member. Raises NotAdmitted and SignInRequired.
    """
    if not identity.email:
        raise NotAdmitted(
            _(
                "%(issuer)s did not provide your email address, which this site requires. Add an email "
                "address there, then sign in again."
            )
            % {"issuer": issuer_name()}
        )
    if not identity.email_verified:
        raise NotAdmitted(
            _(
                "%(issuer)s has not verified that %(email)s is your email address. Verify it there, then "
                "sign in again."
            )
            % {"issuer": issuer_name(), "email": identity.email}
        )
    if User.objects.with_email(identity.email).exists():
        raise SignInRequired
    is_invited = invitation is not None and invitations.accepts_new_accounts()
    if settings.SIGNUP != "open" and not is_invited and not groups.has_member_group(identity.groups):
        raise NotAdmitted(_CLOSED[settings.SIGNUP])
    return _open(identity, invitation)


def link_identity(user: User, identity: Identity) -> None:
    """Link an identity to the account that has its email address and to which the person has just signed in.

    An account has only one identity, so an earlier identity is unlinked. Raises NotAdmitted.
    """
    if not identity.email_verified or identity.email.lower() != user.email.lower():
        raise NotAdmitted(
            _("Your sign-in was not linked, because this is not the account of %(email)s.")
            % {"email": identity.email}
        )
    try:
        with transaction.atomic():
            SocialAccount.objects.filter(user=user, provider=settings.OIDC_ISSUER).delete()
            _link(user, identity)
            EmailAddress.objects.filter(user=user, primary=True).update(verified=True)
            accounts.grant_awaited_credits(user, former=user.email)
    except IntegrityError:
        raise NotAdmitted(
            _("Your sign-in was not linked, because it belongs to another account on this site.")
        ) from None


_CLOSED = {
    "invite": gettext_lazy(
        "You need an invitation to sign up on this site, and none of your groups has access."
    ),
    "closed": gettext_lazy(
        "This site does not accept new accounts, and none of your groups belongs to one of its teams."
    ),
}


def _open(identity: Identity, invitation: Invitation | None) -> User:
    try:
        with transaction.atomic():
            user = accounts.open_account(email=identity.email, password=None, credits=0, name=identity.name)
            accounts.grant_signup_credits(user)
            _link(user, identity)
            if invitation is not None:
                invitations.accept(invitation, user)
    except accounts.AccountExists:
        raise SignInRequired from None
    except invitations.InvitationRefused as error:
        raise NotAdmitted(str(error)) from error
    except IntegrityError:
        raise NotAdmitted(_("You signed in twice at the same time. Sign in again.")) from None
    return user


def _link(user: User, identity: Identity) -> None:
    SocialAccount.objects.create(user=user, provider=settings.OIDC_ISSUER, uid=identity.subject)
