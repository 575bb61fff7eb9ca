"""Finds what a plan names, as soft masks over the photo.

A thing that cannot be found with enough certainty is refused.
"""
