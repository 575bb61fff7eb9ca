"""Who comes by the issuer: an identity there, and the account here that it opens.

An account is never taken by its address alone: the issuer must have verified the address, and its person must
sign in here once more.
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
    """A person as the issuer tells of them at a sign-in; `subject` alone stays the same for ever."""

    subject: str
    email: str
    email_verified: bool
    name: str
    groups: tuple[str, ...]
    two_factor: bool = False  # whether the issuer says that they have shown two


class NotAdmitted(Exception):
    """An identity opens no account here. Its text is a sentence for its person."""


class SignInOnceMore(Exception):
    """There is an account with the verified address of an identity: `join` the two after a sign-in to it."""


def issuer_name() -> str:
    """The issuer as people know it; empty where there is none."""
    return str(urlsplit(settings.OIDC_ISSUER).netloc)


def admit(identity: Identity, invitation: Invitation | None = None) -> User:
    """Makes an account for an identity that has none here, when a group of theirs is a member of a team,
    anybody may sign up, or they come with this invitation, which makes them a member. Raises NotAdmitted and
    SignInOnceMore."""
    if not identity.email:
        raise NotAdmitted(
            _("%(issuer)s tells no e-mail address of you, and one is needed here.")
            % {"issuer": issuer_name()}
        )
    if not identity.email_verified:
        raise NotAdmitted(
            _(
                "%(issuer)s has not verified that %(email)s is yours, so it opens nothing here. "
                "Have it verified there, then sign in again."
            )
            % {"issuer": issuer_name(), "email": identity.email}
        )
    if User.objects.filter(email__iexact=identity.email).exists():
        raise SignInOnceMore
    is_invited = invitation is not None and invitations.takes_new_people()
    if settings.SIGNUP != "open" and not is_invited and not groups.have_place(identity.groups):
        raise NotAdmitted(_CLOSED[settings.SIGNUP])
    return _open(identity, invitation)


def join(user: User, identity: Identity) -> None:
    """Joins an identity with the account of its address, to which its person has signed in once more. An
    account has one identity: an earlier one opens nothing any more. Raises NotAdmitted."""
    if not identity.email_verified or identity.email.lower() != user.email.lower():
        raise NotAdmitted(
            _("Nothing was joined: this is not the account of %(email)s.") % {"email": identity.email}
        )
    try:
        with transaction.atomic():
            SocialAccount.objects.filter(user=user, provider=settings.OIDC_ISSUER).delete()
            _link(user, identity)
            EmailAddress.objects.filter(user=user, primary=True).update(verified=True)
            accounts.note_verified_address(user, former=user.email)
    except IntegrityError:
        raise NotAdmitted(_("Nothing was joined: this sign-in opens another account here.")) from None


_CLOSED = {
    "invite": gettext_lazy("Sign-up is by invitation on this site, and no group of yours is invited."),
    "closed": gettext_lazy("This site takes no new accounts, and no group of yours is on one of its teams."),
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
        raise SignInOnceMore from None
    except invitations.InvitationRefused as error:
        raise NotAdmitted(str(error)) from error
    except IntegrityError:
        raise NotAdmitted(_("You came twice at once. Sign in again.")) from None
    return user


def _link(user: User, identity: Identity) -> None:
    SocialAccount.objects.create(user=user, provider=settings.OIDC_ISSUER, uid=identity.subject)
