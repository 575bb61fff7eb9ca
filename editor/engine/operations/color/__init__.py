"""Light and color."""
