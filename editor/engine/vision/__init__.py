"""What can be seen in a photo: faces, text, the subject, and the exact outline of anything."""
