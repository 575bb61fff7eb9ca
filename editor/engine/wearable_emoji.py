"""Emoji that are worn, and their places on a face. Free of OpenCV, because the language imports this too."""

WEARABLE_EMOJI: dict[str, str] = {
    **dict.fromkeys(("🎩", "👑", "👒", "🧢", "🎓", "🪖", "⛑️"), "head"),
    **dict.fromkeys(("🕶️", "🕶", "👓", "🥽"), "eyes"),
}
