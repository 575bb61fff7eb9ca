"""Staff actions on people and their API keys."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.admin.row_actions import FormData, Refused, RowAction
from editor.models import ApiKey, User
from editor.services.core.access import reviewer_actor
from editor.services.people import blocks


def block_user(user: User, person: User, data: FormData) -> bool:
    by = reviewer_actor(user, person.personal_workspace)
    try:
        return blocks.block_user(by, person, reason=data["reason"])
    except blocks.MayNotBlock as error:
        raise Refused(str(error)) from error


def unblock_user(user: User, person: User, data: FormData) -> bool:
    by = reviewer_actor(user, person.personal_workspace)
    return blocks.unblock_user(by, person, reason=data["reason"])


def block_key(user: User, key: ApiKey, data: FormData) -> bool:
    return blocks.block_key(reviewer_actor(user, key.workspace), key, reason=data["reason"])


def unblock_key(user: User, key: ApiKey, data: FormData) -> bool:
    return blocks.unblock_key(reviewer_actor(user, key.workspace), key, reason=data["reason"])


def _cannot_block_user(person: User) -> str:
    return "" if person.is_active else _("This account is already blocked or closed.")


def _is_not_blocked(row: User | ApiKey) -> str:
    return "" if row.blocked else _("There is no block to remove.")


def _cannot_block_key(key: ApiKey) -> str:
    if key.revoked:
        return _("This key has been revoked.")
    return _("This key is already blocked.") if key.blocked else ""


USER_ACTIONS: tuple[RowAction[User], ...] = (
    RowAction(
        name="block",
        label=gettext_lazy("Block"),
        icon="ban",
        description=gettext_lazy(
            "This ends all of the person's sessions and stops their keys. They see your reason when they "
            "try to sign in. Their edits are kept."
        ),
        done_message=gettext_lazy("%(n)s blocked."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already blocked."),
        run=block_user,
        unavailable_reason=_cannot_block_user,
        right="editor.change_user",
        is_destructive=True,
    ),
    RowAction(
        name="unblock",
        label=gettext_lazy("Unblock"),
        icon="undo-2",
        description=gettext_lazy("The person can sign in again, and their keys work again."),
        done_message=gettext_lazy("%(n)s unblocked."),
        unchanged_message=gettext_lazy("Skipped %(n)s: not blocked."),
        run=unblock_user,
        unavailable_reason=_is_not_blocked,
        right="editor.change_user",
    ),
)
KEY_ACTIONS: tuple[RowAction[ApiKey], ...] = (
    RowAction(
        name="block",
        label=gettext_lazy("Block"),
        icon="ban",
        description=gettext_lazy(
            "The key stops working immediately. Its owner sees your reason on the API keys page, and "
            "programs that use the key receive it."
        ),
        done_message=gettext_lazy("%(n)s blocked."),
        unchanged_message=gettext_lazy("Skipped %(n)s: already blocked."),
        run=block_key,
        unavailable_reason=_cannot_block_key,
        right="editor.change_apikey",
        is_destructive=True,
    ),
    RowAction(
        name="unblock",
        label=gettext_lazy("Unblock"),
        icon="undo-2",
        description=gettext_lazy("The key works again."),
        done_message=gettext_lazy("%(n)s unblocked."),
        unchanged_message=gettext_lazy("Skipped %(n)s: not blocked."),
        run=unblock_key,
        unavailable_reason=_is_not_blocked,
        right="editor.change_apikey",
    ),
)
