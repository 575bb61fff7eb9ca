"""Mails: one text, and the same words in Darkroom's look for readers that show HTML."""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.encoding import punycode

from editor.models import User, Workspace
from editor.services.core import zones

LONGEST_NAME = 40  # characters of a name in a mail
# Control, format and unassigned characters: an address with a zero-width space in it still reads as one.
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_AN_ADDRESS = re.compile(r"https?://\S+")
# Mail programs turn these into links: a scheme, an e-mail address, a host with a top-level domain (some
# accept the ideographic full stop as its dot), an IPv4 address.
_HOLDS_ADDRESS = re.compile(r"://|\S@\S|\w[.\u3002][^\W\d_]{2,}|\d(\.\d+){3}")


@contextmanager
def speaking_to(email: str) -> Iterator[None]:
    """In the language and the time zone of the account with this address. Where there is none, or its person
    has chosen none, in the language of who causes the mail, most often themselves, and the site's zone."""
    reader = User.objects.filter(email__iexact=email).first() or User()
    zone = zones.find_zone(reader.time_zone) or timezone.get_default_timezone()
    with translation.override(reader.language or translation.get_language()), timezone.override(zone):
        yield


def letter(subject: str, text: str, to: str) -> EmailMultiAlternatives:
    """A mail that is ready to be sent. A line of `text` that is an address becomes a button."""
    return dressed(EmailMultiAlternatives(" ".join(subject.split()), text.strip() + "\n", to=[to]))


def written(template: str, context: dict[str, object], to: str) -> EmailMultiAlternatives:
    """The letter of a template, whose first paragraph is the subject, in the language of its reader."""
    with speaking_to(to):
        subject, _, text = render_to_string(f"mail/{template}.txt", context).strip().partition("\n\n")
        return letter(f"[Darkroom] {subject}", text, to)


def name_in_mail(name: str) -> str:
    """Return a name that a user chose as a mail may show it: on one line, without the words that contain a
    web or e-mail address, and cut to LONGEST_NAME characters. Empty when nothing is left."""
    visible = "".join(c for c in " ".join(name.split()) if unicodedata.category(c) not in _INVISIBLE)
    words = (
        word for word in visible.split() if not _HOLDS_ADDRESS.search(unicodedata.normalize("NFKC", word))
    )
    kept = " ".join(words)
    return kept if len(kept) <= LONGEST_NAME else f"{kept[: LONGEST_NAME - 1].rstrip()}…"


def workspace_in_mail(workspace: Workspace) -> str:
    """Return what a mail calls a workspace: a team by its name as `name_in_mail` shows it, or by its slug
    when nothing is left of it; a personal one by its own name, the e-mail address of its account."""
    if not workspace.is_team:
        return workspace.name
    return name_in_mail(workspace.name) or workspace.slug[:LONGEST_NAME]


def mailbox_digest(email: str) -> str:
    """Return a keyed digest of an e-mail address, 64 hexadecimal digits, under which mails to it are counted.

    It is the same in upper and lower case, for both spellings of an internationalized domain, and with or
    without a "+tag", which many mail servers deliver to the same mailbox."""
    local, _, domain = unicodedata.normalize("NFKC", email).casefold().rpartition("@")
    with suppress(UnicodeError):  # a label that is too long for punycode has one spelling only
        domain = punycode(domain)
    mailbox = f"{local.partition('+')[0] or local}@{domain}"
    return salted_hmac("mailbox", mailbox, algorithm="sha256").hexdigest()


def dressed(message: EmailMultiAlternatives) -> EmailMultiAlternatives:
    """The message with its own text as HTML beside it."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", str(message.body)) if part.strip()]
    context = {
        "subject": message.subject.removeprefix("[Darkroom] "),
        "parts": [(part, bool(_AN_ADDRESS.fullmatch(part))) for part in paragraphs],
    }
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
