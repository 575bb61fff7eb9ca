"""Emails, as plain text and as HTML in Darkroom's design with the same content."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac

from editor.models import User, Workspace
from editor.models.accounts import normalized_email
from editor.services.core import zones

# Maximum number of characters of a name in an email.
MAX_NAME_LENGTH = 40
# Matches control, format, and unassigned characters, since a zero-width space could disguise a URL.
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_AN_ADDRESS = re.compile(r"https?://\S+")
# Matches text that mail programs turn into links: a scheme, an email address, a host with a top-level domain
# (some programs accept the ideographic full stop as its dot), or an IPv4 address.
_HOLDS_ADDRESS = re.compile(r"://|\S@\S|\w[.\u3002][^\W\d_]{2,}|\d(\.\d+){3}")


@contextmanager
def recipient_locale(email: str) -> Iterator[None]:
    """Use the language and the time zone of the account with this email address within the block.

    If there is no account, or it has no such setting, use the current language and the site's time zone. The
    current language is the language of the person who causes the email, who is usually the recipient.
    """
    reader = User.objects.with_email(email).first() or User()
    zone = zones.find_zone(reader.time_zone) or timezone.get_default_timezone()
    with translation.override(reader.language or translation.get_language()), timezone.override(zone):
        yield


def build_mail(subject: str, text: str, to: str) -> EmailMultiAlternatives:
    """Return an email that is ready to be sent.

    In the HTML version, a paragraph of `text` that consists only of a URL becomes a button.
    """
    return with_html(EmailMultiAlternatives(" ".join(subject.split()), text.strip() + "\n", to=[to]))


def render_mail(template: str, context: dict[str, object], to: str) -> EmailMultiAlternatives:
    """Render an email template in the recipient's language.

    The first paragraph of the template is the subject.
    """
    with recipient_locale(to):
        subject, _, text = render_to_string(f"mail/{template}.txt", context).strip().partition("\n\n")
        return build_mail(f"[Darkroom] {subject}", text, to)


def name_in_mail(name: str) -> str:
    """Return a name chosen by a user in a form that is safe to show in an email.

    The name is on one line, without the words that contain a URL or an email address, and cut to
    MAX_NAME_LENGTH characters. The result may be empty.
    """
    visible = "".join(c for c in " ".join(name.split()) if unicodedata.category(c) not in _INVISIBLE)
    words = (
        word for word in visible.split() if not _HOLDS_ADDRESS.search(unicodedata.normalize("NFKC", word))
    )
    kept = " ".join(words)
    return kept if len(kept) <= MAX_NAME_LENGTH else f"{kept[: MAX_NAME_LENGTH - 1].rstrip()}…"


def workspace_in_mail(workspace: Workspace) -> str:
    """Return the name of a workspace for an email.

    A team is named by `name_in_mail`, or by its slug if that name is empty. A personal workspace is named by
    the email address of its account.
    """
    if not workspace.is_team:
        return workspace.name
    return name_in_mail(workspace.name) or workspace.slug[:MAX_NAME_LENGTH]


def mailbox_digest(email: str) -> str:
    """Return a keyed digest of an email address, under which emails to it are counted.

    The digest has 64 hexadecimal digits. Addresses that differ only in case, in the spelling of an
    internationalized domain, or in a "+tag" have the same digest, because many mail servers deliver them to
    the same mailbox.
    """
    local, _, domain = normalized_email(email).casefold().rpartition("@")
    mailbox = f"{local.partition('+')[0] or local}@{domain}"
    return salted_hmac("mailbox", mailbox, algorithm="sha256").hexdigest()


def with_html(message: EmailMultiAlternatives) -> EmailMultiAlternatives:
    """Add an HTML version of the message's own text, and return the message."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", str(message.body)) if part.strip()]
    context = {
        "subject": message.subject.removeprefix("[Darkroom] "),
        "parts": [(part, bool(_AN_ADDRESS.fullmatch(part))) for part in paragraphs],
    }
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
