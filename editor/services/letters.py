"""Mails: one text, and the same words in Darkroom's look for readers that show HTML."""

import re

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

_AN_ADDRESS = re.compile(r"https?://\S+")


def letter(subject: str, text: str, to: str) -> EmailMultiAlternatives:
    """A mail that is ready to be sent. A line of `text` that is an address becomes a button."""
    return dressed(EmailMultiAlternatives(" ".join(subject.split()), text.strip() + "\n", to=[to]))


def dressed(message: EmailMultiAlternatives) -> EmailMultiAlternatives:
    """The message with its own text as HTML beside it."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", str(message.body)) if part.strip()]
    context = {
        "subject": message.subject.removeprefix("[Darkroom] "),
        "parts": [(part, bool(_AN_ADDRESS.fullmatch(part))) for part in paragraphs],
    }
    message.attach_alternative(render_to_string("mail/letter.html", context), "text/html")
    return message
