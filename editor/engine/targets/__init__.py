"""What a plan names, as a soft mask of the photo: found with enough confidence, or refused."""
