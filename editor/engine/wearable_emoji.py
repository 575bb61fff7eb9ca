"""Emoji that are worn, and their places on a face.

This module does not import OpenCV, because the language imports it, too.
"""

WEARABLE_EMOJI: dict[str, str] = {
    **dict.fromkeys(("🎩", "👑", "👒", "🧢", "🎓", "🪖", "⛑️"), "head"),
    **dict.fromkeys(("🕶️", "🕶", "👓", "🥽"), "eyes"),
}
