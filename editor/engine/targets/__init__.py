"""Finds what a plan names, as a soft mask of the photo, or refuses if it is not certain enough."""
