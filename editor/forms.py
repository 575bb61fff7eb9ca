"""What every door asks of an edit: the instruction, the choices, and how many photos come with it."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError

from editor.options import ASPECT_RATIOS, MAX_PHOTOS, OUTPUT_FORMATS, EditOptions, Region
from editor.services import routing

# Word for word as the interface gives them.
PROMPT_REQUIRED = "Prompt is required"
PHOTO_REQUIRED = "At least one image URL is required"
TOO_MANY_PHOTOS = f"Maximum {MAX_PHOTOS} images allowed"

MAX_REGIONS = 20
_INVISIBLE = ("Cf", "Cc", "Zs", "Zl", "Zp")
# Letters, a sign and marks of their category, and drawn as nothing: joiners, fillers, an empty Braille cell,
# inherent vowels, and the selectors of a variant.
_BLANKS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_UNSHOWN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def clean_line(text: str) -> str:
    """A name for display: without control, direction and zero-width characters; may come out empty."""
    kept = "".join(character for character in text if unicodedata.category(character) not in _UNSHOWN)
    return kept.strip() if _shows(kept) else ""


class PromptField(forms.Field):
    """Text as a person meant it: NFC, one kind of line end; text that shows nothing counts as none."""

    widget = forms.Textarea

    def __init__(self) -> None:
        super().__init__(required=True, error_messages={"required": PROMPT_REQUIRED})

    def to_python(self, value: Any) -> str:
        text = value if isinstance(value, str) else ""
        if re.search("[\x00\ud800-\udfff]", text):
            raise ValidationError("The prompt holds a character that cannot be kept. Write it anew.")
        text = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
        return text if _shows(text) else ""

    def validate(self, value: Any) -> None:
        super().validate(value)
        limit = settings.MAX_PROMPT_CHARACTERS
        if len(value) > limit:
            raise ValidationError(f"Use at most {limit:,} characters. There are {len(value):,}.")


class RegionsField(forms.Field):
    """Boxes on photo 1, each "x,y,w,h", or with its photo's number as programs send them."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> tuple[Region, ...]:
        given = value or []
        if not isinstance(given, list) or len(given) > MAX_REGIONS:
            raise ValidationError(f"Mark at most {MAX_REGIONS} boxes.")
        try:
            return tuple(self._region(one) for one in given)
        except TypeError:
            raise ValidationError("A region has the numbers x, y, w, h, and image.") from None
        except ValueError as error:
            raise ValidationError(str(error)) from None

    def _region(self, given: Any) -> Region:
        if isinstance(given, Mapping):
            return Region(**{str(name): value for name, value in given.items()})
        return Region.parse(str(given))


class EditForm(forms.Form):
    """One edit as it is asked for; `photos` is how many come with it. Errors of no field are about them."""

    prompt = PromptField()
    aspect_ratio = forms.ChoiceField(
        required=False,
        choices=[(ratio, ratio) for ratio in ("", *ASPECT_RATIOS)],
        error_messages={"invalid_choice": f"Choose one of {', '.join(ASPECT_RATIOS)}, or none."},
    )
    output_format = forms.ChoiceField(
        required=False,
        choices=[(name, name) for name in OUTPUT_FORMATS],
        error_messages={"invalid_choice": f"Choose one of {', '.join(OUTPUT_FORMATS)}."},
    )
    outputs = forms.IntegerField(
        required=False, min_value=1, error_messages={"min_value": "Ask for at least 1 result."}
    )
    region = RegionsField(required=False)
    partial = forms.BooleanField(required=False)

    def __init__(self, data: Mapping[str, Any], *, photos: int) -> None:
        super().__init__(data)
        self.photos = photos

    def clean_outputs(self) -> int:
        outputs: int = self.cleaned_data["outputs"] or 1
        if sentence := routing.refused_outputs(outputs):
            raise ValidationError(sentence)
        return outputs

    def clean_region(self) -> tuple[Region, ...]:
        regions: tuple[Region, ...] = self.cleaned_data["region"]
        if sentence := routing.refused_regions(regions):
            raise ValidationError(sentence)
        return regions

    def clean(self) -> None:
        if self.photos == 0:
            raise ValidationError(PHOTO_REQUIRED)
        if self.photos > MAX_PHOTOS:
            raise ValidationError(TOO_MANY_PHOTOS)
        for region in self.cleaned_data.get("region", ()):
            if region.image > self.photos:
                self.add_error("region", f"A region is on photo {region.image}, which was not sent.")
                break

    @property
    def prompt_text(self) -> str:
        """The valid instruction; empty when there is none."""
        return str(self.cleaned_data.get("prompt", ""))

    @property
    def options(self) -> EditOptions:
        """The choices, each one's default where it is missing or wrong."""
        chosen = self.cleaned_data
        return EditOptions(
            aspect_ratio=chosen.get("aspect_ratio", ""),
            output_format=chosen.get("output_format") or OUTPUT_FORMATS[0],
            outputs=chosen.get("outputs") or 1,
            regions=chosen.get("region") or (),
            partial=chosen.get("partial", False),
        )


def _shows(text: str) -> bool:
    return any(unicodedata.category(character) not in _INVISIBLE for character in _BLANKS.sub("", text))
