"""Tests that emails have a text part and an HTML part with the same text."""

from html import unescape

import pytest

from editor.services.core.emails import build_mail, mailbox_digest, name_in_mail


def test_an_email_has_the_same_content_in_text_and_html() -> None:
    text = "Bob & Co invite you.\n\nhttps://photos.example/join/x/\n"
    message = build_mail("[Darkroom]  Join\nStudio", text, "a@example.org")
    assert message.subject == "[Darkroom] Join Studio"
    assert message.body == text
    html = str(message.alternatives[0][0])
    assert "<h1" in html
    assert "Bob & Co invite you." in unescape(html)
    assert 'href="https://photos.example/join/x/"' in html


def test_user_text_in_an_email_is_escaped_and_not_linked() -> None:
    text = "<b>javascript:alert(1)</b>\n\nhttps://x.example/ and more"
    html = str(build_mail("Hello", text, "a@example.org").alternatives[0][0])
    assert "<b>" not in html
    assert "href=" not in html


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Halden Studio", "Halden Studio"),
        ("Win at https://evil.example/path now", "Win at now"),
        ("Pay foo@bar.com", "Pay"),
        ("www.evil.example", ""),
        ("(evil.example/path)", ""),
        ("Go evil.\u200bexample", "Go"),
        ("Go evil。example", "Go"),
        ("Go evil\uff0eexample", "Go"),
        ("Go foo\uff20bar", "Go"),
        ("Go 203.0.113.9/x", "Go"),
        ("One\r\nBcc: all\tTwo", "One Bcc: all Two"),
        ("a\x00b\u202ec", "abc"),
        ("Studio No. 54, v2.0 @ Work", "Studio No. 54, v2.0 @ Work"),
        ("Crew & Co. 🎈", "Crew & Co. 🎈"),
        ("x" * 41, "x" * 39 + "…"),
        ("x" * 40, "x" * 40),
    ],
)
def test_a_name_in_an_email_is_one_short_line_without_addresses(name: str, shown: str) -> None:
    assert name_in_mail(name) == shown


def test_spellings_of_a_mailbox_share_a_digest_that_does_not_contain_it() -> None:
    spellings = ["new@bücher.example", "New+team@BÜCHER.example", "NEW@xn--bcher-kva.example"]
    assert len({mailbox_digest(email) for email in spellings}) == 1
    others = ["new2@bücher.example", "new@example.org", "+1@example.org", "+2@example.org"]
    assert len({mailbox_digest(email) for email in [*spellings, *others]}) == 5
    assert "new" not in mailbox_digest(spellings[0])
    assert mailbox_digest(f"new@{'ü' * 60}.example")
