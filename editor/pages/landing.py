"""The landing page for visitors at `/`.

The script tests/landing_pictures.py creates the page's pictures by running the engine on these examples.
tests/pages/test_landing.py checks that the committed pictures match the engine's output.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from editor.engine.plan import Amount, Step, Target
from editor.models.wording import TranslatedText
from editor.options import Region
from editor.services.editing.step_texts import step_text


@dataclass(frozen=True)
class SampleEdit:
    """An example edit: a sample photo, a prompt, the steps of its plan, and descriptions of the two pictures.

    `sample` is the name of a photo in static/img/samples/, and `result` is the name of the result in
    static/img/landing/.
    """

    prompt: str
    steps: tuple[Step, ...]
    sample: str
    result: str
    before: Promise
    after: Promise
    region: Region | None = None
    seed: int = 0

    @property
    def regions(self) -> tuple[Region, ...]:
        return (self.region,) if self.region else ()

    @property
    def step_texts(self) -> list[TranslatedText]:
        return [step_text(step) for step in self.steps]


@dataclass(frozen=True)
class LandingPage:
    """The examples on the landing page: a large example with a slider, and small examples below it."""

    large: SampleEdit
    small: tuple[SampleEdit, ...]

    @property
    def edits(self) -> tuple[SampleEdit, ...]:
        return (self.large, *self.small)


LANDING = LandingPage(
    large=SampleEdit(
        prompt="replace the sky with a starry night",
        steps=(
            Step(
                "drawn_sky",
                Target("thing", noun="sky"),
                {"scene": "night sky"},
                says="Replace the sky with a night sky",
            ),
        ),
        sample="pier",
        result="pier-night",
        before=_("A wooden pier on a calm lake at dusk"),
        after=_("The same pier at night, under a sky full of stars"),
    ),
    small=(
        SampleEdit(
            prompt="turn the red dishes teal",
            steps=(
                Step(
                    "recolor",
                    Target("thing", color="red", noun="dishes"),
                    {"color": "teal"},
                    says="Make the red dishes teal",
                ),
            ),
            sample="coffee",
            result="coffee-teal",
            before=_("An espresso in a red cup on a red saucer"),
            after=_("The same espresso in a teal cup on a teal saucer"),
        ),
        SampleEdit(
            prompt="remove the spacecraft",
            steps=(
                Step(
                    "erase",
                    Target("region", noun="spacecraft", boxes=(1,)),
                    says="Erase the marked spacecraft",
                ),
            ),
            sample="spacecraft",
            result="spacecraft-removed",
            before=_("A spacecraft above a coast, with a box drawn around the spacecraft"),
            after=_("The same coast without the spacecraft"),
            region=Region(0.35, 0.505, 0.30, 0.20),
        ),
        SampleEdit(
            prompt="turn the photo into a watercolor and brighten it a little",
            steps=(
                Step("watercolor", says="Turn the photo into a watercolor"),
                Step("brightness", values={"amount": Amount(0.2)}, says="Brighten the photo a little"),
            ),
            sample="canyon",
            result="canyon-watercolor",
            before=_("Orange and purple canyon walls below a blue sky"),
            after=_("The same canyon as a bright watercolor"),
        ),
    ),
)


def landing(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/landing/landing.html", {"landing": LANDING})
