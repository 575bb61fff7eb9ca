"""Emoji that are worn: where on a face they belong. Light on purpose: the language knows them too."""

WORN: dict[str, str] = {
    **dict.fromkeys(("🎩", "👑", "👒", "🧢", "🎓", "🪖", "⛑️"), "head"),
    **dict.fromkeys(("🕶️", "🕶", "👓", "🥽"), "eyes"),
}
