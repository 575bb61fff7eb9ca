"""Emoji of things that people wear, such as hats, and where each is worn on a face.

This module does not import OpenCV, because the language imports it too.
"""

WEARABLE_EMOJI: dict[str, str] = {
    **dict.fromkeys(("🎩", "👑", "👒", "🧢", "🎓", "🪖", "⛑️"), "head"),
    **dict.fromkeys(("🕶️", "🕶", "👓", "🥽"), "eyes"),
}
