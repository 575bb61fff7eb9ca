"""Sets of roles that several modules of the language use."""

# Roles that make a word a name even if it has other roles, too: "the center", "the shadow".
NAME_ROLES = frozenset({"noun", "seen", "someone", "company", "worn", "place"})
# Roles of requests that are understood but refused.
REFUSAL_ROLES = frozenset({"refusal", "unmarked", "impossible"})
# The roles whose patterns may contain "any" and "non_request", and so absorb any words.
ABSORBING_ROLES = frozenset({"aside", "relative"})
# The roles of the parts that make up a sentence.
TOP_LEVEL_ROLES = frozenset(
    {
        "wish",
        "aside",
        "joint",
        "filler",
        "refusal",
        "impossible",
        "unmarked",
        "spared",
        "moderate",
        "refined",
        "aim",
        "opener",
        "remark",
    }
)
# Roles of words for a look.
LOOK_ROLES = frozenset({"look", "style", "old_look"})
# Roles of words that describe what a clause before them names, as in "the fence should be blue, not dull".
STATE_ROLES = frozenset({"adjective", "comparative", "flawed", "tinted"})
