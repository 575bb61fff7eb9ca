"""The form fields and forms that the pages and the API share, for edits and for searches."""

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

from editor.options import KEEP_EVERYTHING_ELSE, OUTPUT_FORMATS, EditOptions, Point, Region
from editor.providers.contract import Capabilities
from editor.services.core.access import Actor
from editor.services.editing import submit
from editor.services.library import recipes
from editor.services.library.history import Search

VARIABLE = "variable-"  # prefix of the fields for a recipe's variables
LAST_DAY = date(2999, 12, 31)
PASSWORD_RULES = gettext_lazy("Use at least 8 characters, and avoid common passwords.")
_INVISIBLE = ("Cf", "Cc", "Zs", "Zl", "Zp")
# Characters that are invisible although their Unicode category is visible: joiners, fillers, the empty
# Braille cell, inherent vowels, and variation selectors.
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_UNSHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def is_path(address: str) -> bool:
    """Check whether this is a path on this site that starts with "/".

    `redirect` would interpret text that has no slash as the name of a view.
    """
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)


def clean_line(text: str) -> str:
    """Return a name for display, without control, bidirectional, and zero-width characters. The result may be
    empty."""
    kept = "".join(character for character in text if unicodedata.category(character) not in _UNSHOWN)
    return kept.strip() if _shows(kept) else ""


class LineField(forms.CharField):
    """A field for one line of text. Text without visible characters counts as empty."""

    def clean(self, value: Any) -> str:
        line = clean_line(" ".join(super().clean(value).split()))
        self.validate(line)
        return line


def clean_text(value: Any, *, what: str | Promise) -> str:
    """Return the text in NFC with LF line endings, or "" if it has no visible characters.

    Raises ValidationError if the text contains characters that cannot be stored. `what` names the text in the
    error message.
    """
    text = value if isinstance(value, str) else ""
    if re.search("[\x00\ud800-\udfff]", text):
        raise ValidationError(
            _("%(what)s contains a character that can't be saved. Enter it again.") % {"what": what}
        )
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    return text if _shows(text) else ""


def submitted_variables(form_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a recipe's variables as submitted, by name."""
    return {
        name.removeprefix(VARIABLE): value for name, value in form_data.items() if name.startswith(VARIABLE)
    }


def parse_variables(submitted: Mapping[str, Any]) -> dict[str, str]:
    """Return the cleaned values of a recipe's variables.

    Raises recipes.InvalidVariables if any are invalid.
    """
    values, wrong = {}, {}
    for name, value in submitted.items():
        try:
            values[name] = clean_text(value, what=f"“{name}”")
        except ValidationError as error:
            wrong[name] = str(error.message)
    if wrong:
        raise recipes.InvalidVariables(wrong)
    return values


class PromptField(forms.Field):
    """A field for a prompt or another multi-line text. `what` names the text in error messages."""

    widget = forms.Textarea

    def __init__(self, *, what: str | Promise = "", **options: Any) -> None:
        super().__init__(**options)
        self.what = what or gettext_lazy("The prompt")

    def to_python(self, value: Any) -> str:
        return clean_text(value, what=self.what)


class _MarksField[Mark: (Region, Point)](forms.Field):
    """A field for boxes or points.

    Pages submit each mark as text and mark only photo 1. API clients send objects that contain the photo
    number.
    """

    widget = forms.MultipleHiddenInput
    mark: type[Mark]
    needs: str | Promise  # the message for an object that lacks one of the required numbers

    def to_python(self, value: Any) -> tuple[Mark, ...]:
        try:
            # Ignore fields that were left empty.
            return tuple(self._mark_of(one) for one in value or () if one != "")
        except TypeError:
            raise ValidationError(str(self.needs)) from None
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def _mark_of(self, given: Any) -> Mark:
        if isinstance(given, Mapping):
            return self.mark(**{str(name): value for name, value in given.items()})
        return self.mark.parse(str(given))


class RegionsField(_MarksField[Region]):
    """A field for boxes, given as text "x,y,w,h" or as objects."""

    mark = Region
    needs = gettext_lazy("A box needs the numbers x, y, w, h, and image.")


class PointsField(_MarksField[Point]):
    """A field for points, given as text that Point.parse reads or as objects."""

    mark = Point
    needs = gettext_lazy("A point needs the numbers x and y.")


class EditForm(forms.Form):
    """The form for a new edit. `photos` is the number of its photos; errors about the photos are not assigned
    to a field. `can` says what the engine supports; without it, the default engine is meant."""

    prompt = PromptField(required=False)
    aspect_ratio = forms.Field(required=False)
    output_format = forms.Field(required=False)
    outputs = forms.IntegerField(required=False)
    region = RegionsField(required=False)
    point = PointsField(required=False)
    partial = forms.BooleanField(required=False)
    engine = forms.Field(required=False)
    keep_everything_else = forms.NullBooleanField(required=False)

    def __init__(self, data: Mapping[str, Any], *, photos: int, can: Capabilities | None = None) -> None:
        super().__init__(data)
        self.photos = photos
        self.can = can

    def clean(self) -> None:
        """Add the errors that the service function reports.

        Errors about fields that could not be parsed are left out.
        """
        for name, sentence in self.service_errors().items():
            if name not in self.errors:
                self.add_error(None if name == "photos" else name, sentence)

    def service_errors(self) -> dict[str, str]:
        """Return the error messages of the service function, by field name."""
        return submit.validation_errors(
            prompt=self.prompt_text, options=self.options, photos=self.photos, can=self.can
        )

    @property
    def prompt_text(self) -> str:
        """Return the prompt if it is valid, or an empty string."""
        return str(self.cleaned_data.get("prompt", ""))

    @property
    def engine_name(self) -> str:
        """Return the name of the requested engine, or an empty string."""
        return str(self.cleaned_data.get("engine") or "")

    @property
    def options(self) -> EditOptions:
        """Return the options, using the default for each option that is missing or invalid."""
        chosen = self.cleaned_data
        return EditOptions(
            aspect_ratio=chosen.get("aspect_ratio") or "",
            output_format=chosen.get("output_format") or OUTPUT_FORMATS[0],
            outputs=1 if (outputs := chosen.get("outputs")) is None else outputs,
            regions=chosen.get("region") or (),
            points=chosen.get("point") or (),
            partial=chosen.get("partial", False),
            keep_everything_else=chosen.get(KEEP_EVERYTHING_ELSE),
        )


class SearchForm(forms.Form):
    """The form for a search in the history.

    Pages ignore invalid values, whereas the API refuses them.
    """

    q = forms.CharField(required=False, max_length=200)
    by = forms.IntegerField(required=False, min_value=1, max_value=2**62)
    # A hidden input uses the value "0" for no.
    favorite = forms.BooleanField(required=False, widget=forms.HiddenInput)
    since = forms.DateField(required=False, validators=[MaxValueValidator(LAST_DAY)])
    until = forms.DateField(required=False, validators=[MaxValueValidator(LAST_DAY)])

    def search(self, actor: Actor, *, states: Collection[str] = ()) -> Search:
        """Return a search that uses only the valid values.

        If the form requests starred edits, the search is limited to edits that the actor's user has starred.
        """
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
