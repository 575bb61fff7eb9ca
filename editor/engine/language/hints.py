"""Hints that several modules give with a refusal."""

from editor.sentences import Sentence

# The hint for a clause of which nothing is understood.
OTHER_WORDS = Sentence("Say in other words what should change, for example “make the photo brighter”.")
WHICH = Sentence("Say “the photo”, or name the part, instead of “it”.")
NO_FAULT = Sentence("I don't understand what is wrong. Say what should change, for example “less green”.")
ONE_OF_SEVERAL = Sentence("I can't choose between several changes. Ask for only one of them.")
ONE_CHANGE = Sentence("Ask for each change separately, one for each part.")
WHICH_PART = Sentence("Say which part you mean, or draw a box around it.")
UNUSED = Sentence("I can't use “%(word)s” here. Leave it out, or ask for it separately.")
NAME_ONLY = Sentence("Say what should happen to it, for example “remove it” or “make it brighter”.")
