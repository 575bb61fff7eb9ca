"""Clauses of qualities: what moves, in which direction, how much, and where.

`reading` walks through the words of a clause and notes what each says; `steps` makes the steps of it.
"""

from editor.engine.language.tone.colors import CARRIERS as CARRIERS
from editor.engine.language.tone.colors import is_tinge as is_tinge
from editor.engine.language.tone.qualities import part_of_speech as part_of_speech
from editor.engine.language.tone.reading import toned as toned
from editor.engine.language.tone.steps import aimed as aimed
from editor.engine.language.tone.walk import MORE as MORE
from editor.engine.language.tone.walk import UNMARKED as UNMARKED
