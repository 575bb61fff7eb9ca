"""Emoji that are worn, and where on a face they belong. No OpenCV: the language needs them too."""

WEARABLE_EMOJI: dict[str, str] = {
    **dict.fromkeys(("🎩", "👑", "👒", "🧢", "🎓", "🪖", "⛑️"), "head"),
    **dict.fromkeys(("🕶️", "🕶", "👓", "🥽"), "eyes"),
}
