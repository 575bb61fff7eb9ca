"""Finds the things that a plan names, as soft masks of the photo.

Refuses a thing that cannot be found with enough certainty.
"""
