"""Operations on light and color."""
