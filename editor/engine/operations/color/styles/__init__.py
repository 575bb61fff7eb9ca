"""Styles that make a photo look drawn, painted, printed, or assembled."""
