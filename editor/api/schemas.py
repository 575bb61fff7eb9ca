"""JSON Schemas for requests and responses, derived from the options and settings."""

from itertools import pairwise
from typing import Any

from django.conf import settings

from editor.api.bodies import BOOLEANS, FILE_FIELDS, MAX_URL_LENGTH
from editor.api.edits import PROVIDER, STATUSES
from editor.engine.plan import Reason, WayKind
from editor.models import Workspace
from editor.options import (
    ASPECT_RATIOS,
    MAX_PHOTOS,
    MAX_POINTS,
    MAX_REGIONS,
    MIN_REGION_SIDE,
    OUTPUT_FORMATS,
)
from editor.services.editing import adapters
from editor.services.library import recipes

type Schema = dict[str, Any]

STATUS_WORDS = tuple(dict.fromkeys(STATUSES.values()))
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer", "minimum": 0}
MOMENT: Schema = {"type": "string", "format": "date-time"}
_BY_PROMPT_OR_RECIPE: Schema = {"oneOf": [{"required": ["prompt"]}, {"required": ["recipe"]}]}
# A form may contain both fields if one of them is empty.
_BY_PROMPT_OR_RECIPE_IN_A_FORM: Schema = {"anyOf": _BY_PROMPT_OR_RECIPE["oneOf"]}
_NEEDS = {"variables": ["recipe"]}
_RECIPE: Schema = TEXT | {
    "description": "The ID of a recipe to use instead of a prompt. It is part of the URL of the recipe."
}
_ENGINE = (
    "The name of the engine to use, as the account lists it. Without it, the recipe names the engine, or "
    "the site chooses one."
)
_VARIABLES = "The values of the recipe's variables, by name."
_KEEPING = (
    "If another engine than the built-in one carries out the prompt: change only the area that the prompt "
    "names, and keep every other pixel of the photo. The default is true for colors, removals, and additions "
    "in such an area. With true, the task fails if the area is not found."
)
TASK_ID: Schema = {"type": "string", "format": "uuid"}
DAY: Schema = {"type": "string", "format": "date", "pattern": "^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$"}
CURSOR: Schema = {"type": "string", "pattern": "^[0-9a-f-]{1,36}$"}


def components() -> dict[str, Schema]:
    """Return all named schemas."""
    return {
        "EditAsJson": edit_as_json(),
        "EditAsForm": edit_as_form(),
        "Region": region(),
        "Point": point(),
        "Task": task(),
        "State": state(),
        "Entry": entry(),
        "EditList": _object({"edits": _list(_named("Entry")), "nextCursor": _or_null(CURSOR)}),
        "Account": account(),
        "Refusal": refusal(),
        "RefusedPart": refused_part(),
    }


def edit_as_json() -> Schema:
    address = {"type": "string", "format": "uri", "maxLength": MAX_URL_LENGTH}
    return {
        "type": "object",
        "required": ["imageUrls"],
        **_BY_PROMPT_OR_RECIPE,
        "dependentRequired": _NEEDS,
        "properties": {
            "prompt": _prompt(),
            "imageUrls": _list(address, least=1, most=MAX_PHOTOS)
            | {"description": "The HTTP or HTTPS URLs of the photos. The first photo is the one to edit."},
            "aspectRatio": _choice(ASPECT_RATIOS, default="")
            | {"description": "Without a value, the result keeps the shape of the photo."},
            "outputFormat": _choice(OUTPUT_FORMATS, default=OUTPUT_FORMATS[0]),
            "numImages": _or_null(_outputs()),
            "regions": _or_null(_list(_named("Region"), most=MAX_REGIONS)),
            "points": _or_null(_list(_named("Point"), most=MAX_POINTS)),
            "partial": _or_null({"type": "boolean", "default": False})
            | {"description": "Carry out the understood part of a prompt instead of refusing all of it."},
            "engine": {"type": ["string", "null"], "default": "", "description": _ENGINE},
            "keepEverythingElse": _or_null({"type": "boolean"}) | {"description": _KEEPING},
            "recipe": _RECIPE,
            "variables": {
                "type": "object",
                "additionalProperties": TEXT | {"maxLength": recipes.MAX_VALUE_CHARACTERS},
                "description": _VARIABLES,
            },
        },
    }


def edit_as_form() -> Schema:
    boxes = {"contentMediaType": "application/json", "description": "A list of Region objects, as JSON."}
    points = {"contentMediaType": "application/json", "description": "A list of Point objects, as JSON."}
    return {
        "type": "object",
        "required": [FILE_FIELDS[0]],
        **_BY_PROMPT_OR_RECIPE_IN_A_FORM,
        "dependentRequired": _NEEDS | {name: [before] for before, name in pairwise(FILE_FIELDS)},
        "properties": {
            "prompt": _prompt(),
            **{name: {"type": "string", "format": "binary"} for name in FILE_FIELDS},
            "aspectRatio": {"type": "string", "enum": ["", *ASPECT_RATIOS], "default": ""},
            "outputFormat": {
                "type": "string",
                "enum": ["", *OUTPUT_FORMATS],
                "default": OUTPUT_FORMATS[0],
            },
            "numImages": _outputs(),
            "regions": TEXT | boxes,
            "points": TEXT | points,
            "partial": {"type": "string", "enum": [*BOOLEANS], "default": "false"},
            "engine": TEXT | {"default": "", "description": _ENGINE},
            "keepEverythingElse": {"type": "string", "enum": [*BOOLEANS], "description": _KEEPING},
            "recipe": _RECIPE,
            "variables": TEXT | {"contentMediaType": "application/json", "description": _VARIABLES},
        },
    }


def region() -> Schema:
    corner = {"type": "number", "minimum": 0, "maximum": 1}
    side = corner | {"minimum": MIN_REGION_SIDE}
    image = {"type": "integer", "minimum": 1, "maximum": MAX_PHOTOS, "default": 1}
    sides = {"x": corner, "y": corner, "w": side, "h": side}
    return _object(sides | {"image": image}, required=[*sides]) | {
        "description": (
            "A box on photo number `image`, in fractions of the width and height of the whole upright "
            "photo. The box must be inside the photo."
        )
    }


def point() -> Schema:
    side = {"type": "number", "minimum": 0, "maximum": 1}
    image = {"type": "integer", "minimum": 1, "maximum": MAX_PHOTOS, "default": 1}
    keep = {"type": "boolean", "default": True}
    return _object({"x": side, "y": side, "image": image, "keep": keep}, required=["x", "y"]) | {
        "description": (
            "A click on photo number `image`, in fractions of the width and height of the whole upright "
            "photo. It selects the thing that it is on. With `keep` false, it takes that thing away from "
            "what the points before it select. All points together count as one box."
        )
    }


def task() -> Schema:
    return _object(
        {
            "provider": {"const": PROVIDER},
            "model": TEXT,
            "engine": TEXT | {"description": "The name of the engine that carries out the task."},
            "taskId": TASK_ID,
            "prompt": TEXT,
            "aspectRatio": {"enum": ["", *ASPECT_RATIOS]},
            "inputImages": _list(TEXT, most=MAX_PHOTOS),
            "numImages": _outputs(),
        }
    )


def state() -> Schema:
    return _object(_state_fields(), required=["status"])


def entry() -> Schema:
    facts = {
        "taskId": TASK_ID,
        "prompt": TEXT,
        "aspectRatio": {"enum": ["", *ASPECT_RATIOS]},
        "outputFormat": {"enum": [*OUTPUT_FORMATS]},
        "numImages": _outputs(),
        "engine": TEXT | {"description": "The name of the engine that carries out the edit."},
        "created": MOMENT,
        "finished": _or_null(MOMENT),
        "charged": NUMBER | {"description": "The credits that the edit cost, less a refund."},
    }
    return _object(_state_fields() | facts, required=[*facts, "status"])


def account() -> Schema:
    names = (
        "images",
        "imageMegabytes",
        "imageMegapixels",
        "promptCharacters",
        "numImages",
        "createsPerMinute",
        "readsPerMinute",
        "resultLinkDays",
    )
    return _object(
        {
            "workspace": TEXT | {"description": "The name of the workspace in which the key works."},
            "slug": TEXT | {"description": "The name of the workspace in URLs."},
            "plan": {"enum": [*Workspace.Plan.values]},
            **dict.fromkeys(("balance", "held", "free", "price"), NUMBER),
            "capLeft": _or_null(NUMBER)
            | {"description": "The credits left this month under the caps of the key and its owner."},
            "limits": _object(dict.fromkeys(names, NUMBER)),
            "engines": _list(_engine()) | {"description": "The engines to choose from, in the site's order."},
        }
    )


def _engine() -> Schema:
    host = TEXT | {"description": "The host to which photos go if the engine is outside the site, or empty."}
    return _object({"name": TEXT, "model": TEXT, "price": NUMBER, "host": host})


def refusal() -> Schema:
    return _object(
        {
            "code": {"type": "integer", "description": "The HTTP status."},
            "success": {"const": False},
            "message": TEXT | {"description": "A message that explains the error and what to do."},
            "data": {"type": "null"},
            "requestId": TEXT | {"description": "The ID of the request, as in the header X-Request-Id."},
            "reason": TEXT
            | {
                "description": (
                    "Sometimes present: details that the message does not contain, such as which cap is "
                    "reached."
                )
            },
        },
        required=["code", "success", "message", "data", "requestId"],
    )


def envelope_schema(name: str) -> Schema:
    """Return the schema of a successful response that contains a named schema."""
    return _object({"code": {"const": 0}, "success": {"const": True}, "data": _named(name)})


def _state_fields() -> dict[str, Schema]:
    image = _object({"url": {"type": "string", "format": "uri"}})
    return {
        "status": {"enum": [*STATUS_WORDS]},
        "engine": TEXT
        | {
            "description": (
                "With SUCCESS or FAILED: the name of the engine that carried out the task. It may differ "
                "from that in the response to the request, if another engine stood in."
            )
        },
        "images": _list(image)
        | {
            "description": (
                "With SUCCESS, all results. With FAILED, the results that arrived, if any. The URLs are "
                "signed and need no key."
            )
        },
        "message": TEXT | {"description": "With FAILED: the reason."},
        "charged": NUMBER | {"description": "With FAILED: always 0."},
        "refusals": _list(_named("RefusedPart"))
        | {"description": "With FAILED: the parts of the prompt that the engine refused, if it names them."},
    }


def refused_part() -> Schema:
    return _object(
        {
            "words": TEXT | {"description": "The refused words of the prompt."},
            "reason": {"enum": [reason.value for reason in Reason]},
            "hint": TEXT | {"description": "What helps."},
            "ways": _list(
                _object(
                    {
                        "kind": TEXT
                        | {
                            "description": (
                                "`point`: the prompt `text` needs a point on the thing that it names, in "
                                "`points`. `box`: the prompt `text` needs a box, in `regions`. "
                                "`sentence`: the prompt `text` is accepted. `rest`: with `partial`, the "
                                "rest of the prompt `text` is carried out. `engine`: the engine `engine` "
                                "can try the prompt `text` for `price` credits. More kinds may follow."
                            ),
                            "examples": [kind.value for kind in WayKind],
                        },
                        "text": TEXT | {"description": "The prompt to send."},
                        "engine": TEXT | {"description": "With `engine`: the name of the engine."},
                        "price": NUMBER | {"description": "With `engine`: the price in credits."},
                    },
                    required=["kind", "text"],
                )
            )
            | {"description": "Up to three ways to continue, best first."},
        }
    )


def _prompt() -> Schema:
    most = settings.MAX_PROMPT_CHARACTERS
    return {
        "type": "string",
        "minLength": 1,
        "maxLength": most,
        "description": "What to change in the photo.",
    }


def _outputs() -> Schema:
    return {"type": "integer", "minimum": 1, "maximum": adapters.most_outputs(), "default": 1}


def _choice(words: tuple[str, ...], *, default: str) -> Schema:
    return {"type": ["string", "null"], "enum": ["", *words, None], "default": default}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(items: Schema, *, least: int = 0, most: int | None = None) -> Schema:
    sizes = {"minItems": least or None, "maxItems": most}
    return {"type": "array", "items": items} | {name: size for name, size in sizes.items() if size}


def _object(properties: dict[str, Schema], *, required: list[str] | None = None) -> Schema:
    return {"type": "object", "required": required or [*properties], "properties": properties}


def _named(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
