"""Operations on what is in the photo and where it is."""
