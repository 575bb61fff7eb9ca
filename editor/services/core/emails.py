"""Emails in two versions with the same content: plain text, and HTML in Darkroom's design."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise

from editor.models import User, Workspace
from editor.models.accounts import normalized_email
from editor.services.core import zones

# Maximum number of characters in a name that appears in an email.
MAX_NAME_LENGTH = 40
# Unicode categories of the characters that are removed from names. For example, a zero-width space could
# disguise a URL.
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_AN_ADDRESS = re.compile(r"https?://\S+")
# Matches text that mail programs turn into links: a scheme, an email address, a host with a top-level domain
# (some programs accept the ideographic full stop as its dot), or an IPv4 address.
_HOLDS_ADDRESS = re.compile(r"://|\S@\S|\w[.\u3002][^\W\d_]{2,}|\d(\.\d+){3}")


@contextmanager
def recipient_locale(email: str) -> Iterator[None]:
    """Within the block, use the language and time zone of the account that has this email address.

    If there is no account, or it does not set one of these, use the current language or the site's time zone.
    The current language is that of the person who triggers the email, who is usually the recipient.
    """
    reader = User.objects.with_email(email).first() or User()
    zone = zones.find_zone(reader.time_zone) or timezone.get_default_timezone()
    with translation.override(reader.language or translation.get_language()), timezone.override(zone):
        yield


def build_mail(subject: str, text: str, to: str, *, button: str | Promise = "") -> EmailMultiAlternatives:
    """Return an email that is ready to send.

    In the HTML version, a paragraph of `text` that consists only of a URL becomes a button with this label.
    """
    message = EmailMultiAlternatives(" ".join(subject.split()), text.strip() + "\n", to=[to])
    return with_html(message, button=button)


def render_mail(
    template: str, context: dict[str, object], to: str, *, button: str | Promise = ""
) -> EmailMultiAlternatives:
    """Render an email template in the recipient's language.

    The template's first paragraph is the subject, and `button` is the label of its URL.
    """
    with recipient_locale(to):
        subject, _, text = render_to_string(f"mail/{template}.txt", context).strip().partition("\n\n")
        return build_mail(f"[Darkroom] {subject}", text, to, button=button)


def name_in_mail(name: str) -> str:
    """Return a user-chosen name in a form that is safe to show in an email.

    The returned name is on one line, omits words that contain a URL or an email address, and has at most
    MAX_NAME_LENGTH characters. It may be empty.
    """
    visible = "".join(c for c in " ".join(name.split()) if unicodedata.category(c) not in _INVISIBLE)
    words = (
        word for word in visible.split() if not _HOLDS_ADDRESS.search(unicodedata.normalize("NFKC", word))
    )
    kept = " ".join(words)
    return kept if len(kept) <= MAX_NAME_LENGTH else f"{kept[: MAX_NAME_LENGTH - 1].rstrip()}…"


def workspace_in_mail(workspace: Workspace) -> str:
    """Return a workspace's name for an email.

    For a team, this is the result of `name_in_mail` or, if that is empty, the slug. For a personal workspace,
    it is the email address of its account.
    """
    if not workspace.is_team:
        return workspace.name
    return name_in_mail(workspace.name) or workspace.slug[:MAX_NAME_LENGTH]


def mailbox_digest(email: str) -> str:
    """Return a keyed digest under which emails to this address are counted.

    The digest has 64 hexadecimal digits. Addresses that differ only in case, in the spelling of an
    internationalized domain, or in a "+tag" have the same digest, because many mail servers deliver them to
    the same mailbox.
    """
    local, _, domain = normalized_email(email).casefold().rpartition("@")
    mailbox = f"{local.partition('+')[0] or local}@{domain}"
    return salted_hmac("mailbox", mailbox, algorithm="sha256").hexdigest()


def with_html(message: EmailMultiAlternatives, *, button: str | Promise = "") -> EmailMultiAlternatives:
    """Add an HTML version of the message's text, with this label on its button, and return the message."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", str(message.body)) if part.strip()]
    context = {
        "subject": message.subject.removeprefix("[Darkroom] "),
        "parts": [(part, bool(_AN_ADDRESS.fullmatch(part))) for part in paragraphs],
        "button": button,
    }
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
