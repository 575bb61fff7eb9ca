"""Analysis of a photo: its faces, text, and subject, and the exact outline of anything in it."""
