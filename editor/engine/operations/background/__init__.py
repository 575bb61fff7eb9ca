"""Operations that change what is behind the subject."""
