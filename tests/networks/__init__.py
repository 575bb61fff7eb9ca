"""Commands that make the networks in editor/engine/assets/ from published files and compare both."""
