"""The forms: words that together make one wish, whatever their order.

A form claims every word of a clause or none of them. The first that fits is taken.
"""

from editor.engine.language.forms.backgrounds import BACKGROUNDS, NO_BACKGROUNDS
from editor.engine.language.forms.crops import CROPS
from editor.engine.language.forms.cutouts import CUTOUTS
from editor.engine.language.forms.drawings import DRAWINGS
from editor.engine.language.forms.effects import EFFECTS
from editor.engine.language.forms.extensions import EXTENSIONS
from editor.engine.language.forms.files import FILES
from editor.engine.language.forms.form import LINKS as LINKS
from editor.engine.language.forms.form import claimed
from editor.engine.language.forms.formats import FORMATS
from editor.engine.language.forms.grounds import GROUNDS
from editor.engine.language.forms.healing import HEALINGS
from editor.engine.language.forms.looks import LOOKS
from editor.engine.language.forms.mending import MENDINGS
from editor.engine.language.forms.portraits import PORTRAITS
from editor.engine.language.forms.seasons import SEASONS
from editor.engine.language.forms.sizes import SIZES
from editor.engine.language.forms.styles import STYLES
from editor.engine.language.forms.texts import TEXTS
from editor.engine.language.forms.tints import TINTS
from editor.engine.language.forms.trims import TRIMS
from editor.engine.language.forms.turns import TURNS
from editor.engine.language.forms.zooms import ZOOMS
from editor.engine.language.lexicon import Role
from editor.engine.language.phrases import Answer, Phrase

FORMS = (
    *TEXTS,
    *HEALINGS,
    *DRAWINGS,
    *EFFECTS,
    *GROUNDS,
    *BACKGROUNDS,
    *CUTOUTS,
    *STYLES,
    *SEASONS,
    *TINTS,
    *LOOKS,
    *MENDINGS,
    *FORMATS,
    *FILES,
    *PORTRAITS,
    *SIZES,
    *EXTENSIONS,
    *ZOOMS,
    *TRIMS,
    *CROPS,
    *TURNS,
    *NO_BACKGROUNDS,
)


def by_form(phrase: Phrase) -> Answer | None:
    """What the first form that fits makes of a clause."""
    opened = _NEEDLESS.union(*(_OPENED_BY[role] for role in phrase.roles))
    for form in (FORMS[at] for at in sorted(opened)):
        found = claimed(form, phrase) if not any(map(phrase.roles.isdisjoint, form.needs)) else None
        answer = form.build(phrase, found) if found is not None else None
        if answer is not None:
            return answer
    return None


_NEEDLESS = frozenset(at for at, form in enumerate(FORMS) if not form.needs)
_OPENED_BY = {
    role: [at for at, form in enumerate(FORMS) if form.needs and role in form.needs[0]] for role in Role
}
"""Where the forms stand whose first need is met by a role: most of them need not be tried."""
