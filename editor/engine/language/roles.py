"""Sets of roles that several modules of the language use."""

# Roles that, like verbs, may express a wish. No description or story absorbs words that have these roles.
NOT_ABSORBED = frozenset(
    {
        "quality",
        "adjective",
        "comparative",
        "flawed",
        "fault",
        "tinted",
        "vague",
        "natural",
        "overlaid",
        "more",
        "less",
        "excess",
        "not",
        "no",
        "without",
        "except",
        "but",
        "and",
        "then",
        "look",
        "style",
        "color",
        "colors",
        "background",
        "photo",
        "marked",
        "place",
        "limiting",
    }
)
# Roles that make a word a name even if it has other roles, too: "the center", "the shadow".
NAMING = frozenset({"noun", "seen", "someone", "company", "worn", "place"})
# Roles of words that may begin another wish, so a quoted value contains none of them.
JOINING = frozenset({"and", "then", "but", "except", "not", "without"})
