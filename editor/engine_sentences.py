"""Hints from the engine's TOML files that are to be translated.

They are listed here because makemessages does not read TOML. Pages show all the engine's other hints in
English.
"""

from django.utils.translation import gettext_noop

HINTS = (
    gettext_noop("Draw a box around it, and I can change it."),
    gettext_noop("Draw a box around it, and I can copy it."),
    gettext_noop("Draw a box around it, and I can erase it."),
    gettext_noop("Draw a box around it, and I can recolor it."),
    gettext_noop("Draw a box around it, and I can replace it."),
    gettext_noop("Draw a box around what should be in the photo."),
    gettext_noop("Draw a box where it should go, or name something else next to it."),
    gettext_noop(
        "Every result is saved. Say what should change, or name a format, for example “save it as a PNG”."
    ),
    gettext_noop("I can't change faces or bodies. That needs a generative engine."),
    gettext_noop(
        "I can't draw new things. Attach a photo of it and say where it should go, or ask for an emoji of it."
    ),
    gettext_noop("I can't name the file. Name only its format, for example “save it as a PNG”."),
    gettext_noop("I can't turn one thing into another. I can erase it, move it, or change its color."),
    gettext_noop("Put the text in quotation marks, for example: add the text “Summer” at the bottom."),
    gettext_noop("Say what should stay, or draw a box around it."),
    gettext_noop("Say what should happen to it, for example “remove it” or “make it brighter”."),
)
