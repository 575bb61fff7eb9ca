"""What every door asks of an edit: the instruction, the choices, and how many photos come with it; and what
is looked for among edits."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from editor.options import OUTPUT_FORMATS, EditOptions, Region
from editor.services.core.access import Actor
from editor.services.editing import submit
from editor.services.library import recipes
from editor.services.library.history import Search

LAST_DAY = date(2999, 12, 31)
_INVISIBLE = ("Cf", "Cc", "Zs", "Zl", "Zp")
# Letters, a sign and marks of their category, and drawn as nothing: joiners, fillers, an empty Braille cell,
# inherent vowels, and the selectors of a variant.
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_UNSHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def is_path(address: str) -> bool:
    """Whether it leads to this site, from its root on: a word alone `redirect` takes for a view's name."""
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)


def clean_line(text: str) -> str:
    """A name for display: without control, direction and zero-width characters; may come out empty."""
    kept = "".join(character for character in text if unicodedata.category(character) not in _UNSHOWN)
    return kept.strip() if _shows(kept) else ""


class LineField(forms.CharField):
    """A line that is shown. One that shows nothing counts as none."""

    def clean(self, value: Any) -> str:
        line = clean_line(" ".join(super().clean(value).split()))
        self.validate(line)
        return line


def clean_text(value: Any, *, what: str | Promise) -> str:
    """Text as a person meant it: NFC, one kind of line end; text that shows nothing counts as none. Raises
    ValidationError, which says `what` cannot be kept."""
    text = value if isinstance(value, str) else ""
    if re.search("[\x00\ud800-\udfff]", text):
        raise ValidationError(
            _("%(what)s holds a character that cannot be kept. Write it anew.") % {"what": what}
        )
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    return text if _shows(text) else ""


def read_values(given: Mapping[str, Any]) -> dict[str, str]:
    """The values of a recipe's variables as they were meant. Raises recipes.WrongVariables."""
    values, wrong = {}, {}
    for name, value in given.items():
        try:
            values[name] = clean_text(value, what=f"“{name}”")
        except ValidationError as error:
            wrong[name] = str(error.message)
    if wrong:
        raise recipes.WrongVariables(wrong)
    return values


class PromptField(forms.Field):
    """An instruction in words, or `what` else people write in some lines."""

    widget = forms.Textarea

    def __init__(self, *, what: str | Promise = "", **options: Any) -> None:
        super().__init__(**options)
        self.what = what or gettext_lazy("The prompt")

    def to_python(self, value: Any) -> str:
        return clean_text(value, what=self.what)


class RegionsField(forms.Field):
    """Boxes on photo 1, each "x,y,w,h", or with its photo's number as programs send them."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[Region, ...]:
        try:
            return tuple(self._region(one) for one in value or () if one != "")  # a field left empty
        except TypeError:
            raise ValidationError(_("A region has the numbers x, y, w, h, and image.")) from None
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def _region(self, given: Any) -> Region:
        if isinstance(given, Mapping):
            return Region(**{str(name): value for name, value in given.items()})
        return Region.parse(str(given))


class EditForm(forms.Form):
    """One edit as it is asked for; `photos` is how many come with it. Errors of no field are about them."""

    prompt = PromptField(required=False)
    aspect_ratio = forms.Field(required=False)
    output_format = forms.Field(required=False)
    outputs = forms.IntegerField(required=False)
    region = RegionsField(required=False)
    partial = forms.BooleanField(required=False)

    def __init__(self, data: Mapping[str, Any], *, photos: int) -> None:
        super().__init__(data)
        self.photos = photos

    def clean(self) -> None:
        """What can't be read is said already; of the rest, the verb that makes edits knows what is wrong."""
        for name, sentence in self.wrong().items():
            if name not in self.errors:
                self.add_error(None if name == "photos" else name, sentence)

    def wrong(self) -> dict[str, str]:
        """What cannot be asked for, as the services name it."""
        return submit.wrong_with(prompt=self.prompt_text, options=self.options, photos=self.photos)

    @property
    def prompt_text(self) -> str:
        """The valid instruction; empty when there is none."""
        return str(self.cleaned_data.get("prompt", ""))

    @property
    def options(self) -> EditOptions:
        """The choices, each one's default where it is missing or wrong."""
        chosen = self.cleaned_data
        return EditOptions(
            aspect_ratio=chosen.get("aspect_ratio") or "",
            output_format=chosen.get("output_format") or OUTPUT_FORMATS[0],
            outputs=1 if (outputs := chosen.get("outputs")) is None else outputs,
            regions=chosen.get("region") or (),
            partial=chosen.get("partial", False),
        )


class SearchForm(forms.Form):
    """What is looked for in a history. A page leaves out what makes no sense; a program is refused."""

    q = forms.CharField(required=False, max_length=200)
    by = forms.IntegerField(required=False, min_value=1, max_value=2**62)
    favorite = forms.BooleanField(required=False, widget=forms.HiddenInput)  # so that 0 is no
    since = forms.DateField(required=False, validators=[MaxValueValidator(LAST_DAY)])
    until = forms.DateField(required=False, validators=[MaxValueValidator(LAST_DAY)])

    def search(self, actor: Actor, *, states: Collection[str] = ()) -> Search:
        """The valid part, for the actor's own stars."""
        given = self.cleaned_data
        return Search(
            words=given.get("q") or "",
            states=states,
            made_by=given.get("by"),
            starred_by=actor.user.pk if given.get("favorite") else None,
            since=given.get("since"),
            until=given.get("until"),
        )


def _shows(text: str) -> bool:
    return any(unicodedata.category(character) not in _INVISIBLE for character in _BLANKS.sub("", text))
