"""Operations that remove something from the photo."""
