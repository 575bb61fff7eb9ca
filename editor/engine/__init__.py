"""The embedded engine, which turns words into a plan and a plan into pixels: no Django, no network."""
