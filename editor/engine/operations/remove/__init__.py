"""What is taken out of the photo."""
