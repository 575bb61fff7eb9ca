"""What is in the photo, and where."""
