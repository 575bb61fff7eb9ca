"""Commands that make the networks in editor/engine/assets/ from published files, and that compare the two."""
