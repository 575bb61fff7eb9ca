"""Actions of staff on people and their API keys."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.verbs import Given, Refused, Verb
from editor.models import ApiKey, User
from editor.services.core.access import reviewer
from editor.services.people import blocks


def block_user(user: User, person: User, given: Given) -> bool:
    by = reviewer(user, person.personal_workspace)
    try:
        return blocks.block_user(by, person, reason=given["reason"])
    except blocks.MayNotBlock as error:
        raise Refused(str(error)) from error


def unblock_user(user: User, person: User, given: Given) -> bool:
    by = reviewer(user, person.personal_workspace)
    return blocks.unblock_user(by, person, reason=given["reason"])


def block_key(user: User, key: ApiKey, given: Given) -> bool:
    return blocks.block_key(reviewer(user, key.workspace), key, reason=given["reason"])


def unblock_key(user: User, key: ApiKey, given: Given) -> bool:
    return blocks.unblock_key(reviewer(user, key.workspace), key, reason=given["reason"])


def _cannot_block_user(person: User) -> str:
    return "" if person.is_active else _("This account is already blocked or closed.")


def _is_not_blocked(row: User | ApiKey) -> str:
    return "" if row.blocked else _("There is no block to remove.")


def _cannot_block_key(key: ApiKey) -> str:
    if key.revoked:
        return _("This key has been revoked.")
    return _("This key is already blocked.") if key.blocked else ""


USER_VERBS: tuple[Verb[User], ...] = (
    Verb(
        name="block",
        label=gettext_lazy("Block"),
        icon="ban",
        says=gettext_lazy(
            "This ends all of the person's sessions and stops their keys. They see your reason when they "
            "try to sign in. Their edits are kept."
        ),
        done=gettext_lazy("%(n)s blocked."),
        again=gettext_lazy("Skipped %(n)s: already blocked."),
        does=block_user,
        unfit=_cannot_block_user,
        right="editor.change_user",
        is_bad=True,
    ),
    Verb(
        name="unblock",
        label=gettext_lazy("Unblock"),
        icon="undo-2",
        says=gettext_lazy("The person can sign in again, and their keys work again."),
        done=gettext_lazy("%(n)s unblocked."),
        again=gettext_lazy("Skipped %(n)s: not blocked."),
        does=unblock_user,
        unfit=_is_not_blocked,
        right="editor.change_user",
    ),
)
KEY_VERBS: tuple[Verb[ApiKey], ...] = (
    Verb(
        name="block",
        label=gettext_lazy("Block"),
        icon="ban",
        says=gettext_lazy(
            "The key stops working immediately. Its owner sees your reason on the API keys page, and "
            "programs that use the key receive it."
        ),
        done=gettext_lazy("%(n)s blocked."),
        again=gettext_lazy("Skipped %(n)s: already blocked."),
        does=block_key,
        unfit=_cannot_block_key,
        right="editor.change_apikey",
        is_bad=True,
    ),
    Verb(
        name="unblock",
        label=gettext_lazy("Unblock"),
        icon="undo-2",
        says=gettext_lazy("The key works again."),
        done=gettext_lazy("%(n)s unblocked."),
        again=gettext_lazy("Skipped %(n)s: not blocked."),
        does=unblock_key,
        unfit=_is_not_blocked,
        right="editor.change_apikey",
    ),
)
