"""Mails have a text, and the same words as HTML."""

from html import unescape

from editor.services.letters import letter


def test_a_letter_says_the_same_in_text_and_html() -> None:
    text = "Bob & Co invite you.\n\nhttps://photos.example/join/x/\n"
    message = letter("[Darkroom]  Join\nStudio", text, "a@example.org")
    assert message.subject == "[Darkroom] Join Studio"
    assert message.body == text
    html = str(message.alternatives[0][0])
    assert "<h1" in html
    assert "Bob & Co invite you." in unescape(html)
    assert 'href="https://photos.example/join/x/"' in html


def test_what_people_wrote_is_words_and_no_markup() -> None:
    text = "<b>javascript:alert(1)</b>\n\nhttps://x.example/ and more"
    html = str(letter("Hello", text, "a@example.org").alternatives[0][0])
    assert "<b>" not in html
    assert "href=" not in html
