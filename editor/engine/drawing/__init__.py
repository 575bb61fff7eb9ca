"""What several operations draw and cut with."""
