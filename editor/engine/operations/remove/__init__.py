"""What is taken out of the photo."""

from editor.engine.operations.remove import blemishes, dust, erase, erase_text, hide_faces, red_eye

__all__ = ["blemishes", "dust", "erase", "erase_text", "hide_faces", "red_eye"]
