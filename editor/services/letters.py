"""Mails: one text, and the same words in Darkroom's look for readers that show HTML."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from editor.models import User
from editor.services import zones

_AN_ADDRESS = re.compile(r"https?://\S+")


@contextmanager
def speaking_to(email: str) -> Iterator[None]:
    """In the language and the time zone of the account with this address. Where there is none, or its person
    has chosen none, in the language of who causes the mail, most often themselves, and the site's zone."""
    reader = User.objects.filter(email__iexact=email).first() or User()
    zone = zones.named(reader.time_zone) or timezone.get_default_timezone()
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


def dressed(message: EmailMultiAlternatives) -> EmailMultiAlternatives:
    """The message with its own text as HTML beside it."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", str(message.body)) if part.strip()]
    context = {
        "subject": message.subject.removeprefix("[Darkroom] "),
        "parts": [(part, bool(_AN_ADDRESS.fullmatch(part))) for part in paragraphs],
    }
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
