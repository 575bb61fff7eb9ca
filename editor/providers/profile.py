"""What is assumed of another site where its document is silent."""

from dataclasses import dataclass

from editor.outbound import Rules


@dataclass(frozen=True)
class Profile:
    """Every field is a setting.

    `extensions`: it is a Darkroom too, so it knows Idempotency-Key, regions, partial, and numImages in a
    form. `lends`: our photos can be fetched by it. `result_bytes`: the largest result that is taken.
    """

    rules: Rules
    succeeded: frozenset[str]
    failed: frozenset[str]
    retries_busy: bool = True
    loose_success: bool = False
    extensions: bool = False
    lends: bool = False
    outputs: int = 4
    photo_bytes: int = 20 * 1024 * 1024
    result_bytes: int = 200 * 1024 * 1024
