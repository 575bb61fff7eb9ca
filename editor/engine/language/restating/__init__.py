"""Wishes as people tell them, told again in the plain words that the rules of the reader know.

Every module takes the atoms of an instruction and gives them back with one way of speaking replaced by a
command: complaints ("it leans"), steps in an editor's dialogue, wishes that run into each other, descriptions
of a before and an after. Each is tried only where one of its own words stands, and what it cannot be sure of
it leaves as it was told, to be refused in the person's own words.
"""

from editor.engine.language.restating.pieces import NAMES as NAMES
from editor.engine.language.restating.pieces import restated as restated
from editor.engine.language.restating.pieces import told_of_once as told_of_once
