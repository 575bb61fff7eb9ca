"""What is behind the subject."""
