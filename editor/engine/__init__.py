"""The embedded engine: words -> plan -> pixels. A pure library: no Django, no network."""
