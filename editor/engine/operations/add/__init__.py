"""Operations that draw something over the photo."""
