"""What is drawn over the photo."""
